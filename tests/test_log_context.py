"""Every line of the log that concerns a connection or a table says which, also where the code cannot know it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from trio.testing import MockClock

from gateway.cli.logs import start_logging
from gateway.log_context import log_context
from gateway.table.bot_context import BotContext
from protocols.core.model import Move
from tests.hall import ADDRESS, FirstMove, config, hall
from tests.web.club import club

Lines = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """The log's lines of an event, with everything that is said in them but when and how serious."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    start_logging("debug", "json", stream)

    def of(event: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in stream.getvalue().splitlines()]
        quiet = ("event", "timestamp", "level")
        return [{key: line[key] for key in line if key not in quiet} for line in found if line["event"] == event]

    yield of
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


FIRST = {"connection": 1, "dialect": "bogaprot", "peer": ADDRESS}
SECOND = {**FIRST, "connection": 2}


async def test_a_connection_is_followed_from_the_first_line_to_the_last(
    lines: Lines, autojump_clock: MockClock
) -> None:
    async with hall() as here:
        anna = here.dial()
        await anna.joins("tic_tac_toe")
        await anna.stream.send_all(b"\xff" * 8)
        await anna.rest()
        await here.until(lambda: not here.server.connections)
    assert lines("connected") == [FIRST]
    assert lines("seated") == [{**FIRST, "table": 1, "seat": 0}]
    (broken,) = lines("protocol broken")
    assert broken.pop("error")
    assert broken == {**FIRST, "table": 1}
    assert lines("gone")[0]["connection"] == 1


async def test_who_takes_no_seat_in_time_is_named_in_the_line_that_says_so(
    lines: Lines, autojump_clock: MockClock
) -> None:
    async with hall(config(handshake_s=5.0)) as here:
        assert await here.dial().next() is None
    assert lines("connection closed") == [{**FIRST, "why": "took no seat in time"}]


class Muttering(FirstMove):
    """A house bot that logs, as engines and workers do, without knowing of tables."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        await trio.to_thread.run_sync(structlog.get_logger().warning, "a bot mutters")
        return await super().choose(game_name, position, level, bot_context)


async def test_what_a_bot_logs_names_the_table_it_thinks_for(lines: Lines, tmp_path: Path) -> None:
    async with hall(bots=Muttering(), blocking=True, patience_s=20.0, bot_after="0s") as here:
        one = here.dial()
        await one.joins("tic_tac_toe")
        await one.puts(4)
        await here.until(lambda: bool(lines("a bot mutters")))
        two = here.dial()
        await two.joins("tic_tac_toe")
        await two.puts(4)
        await here.until(lambda: len(lines("a bot mutters")) >= 2)
    assert lines("a bot mutters") == [{"table": 1}, {"table": 2}]


class Failing(FirstMove):
    """A house bot with a defect."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        raise ZeroDivisionError


async def test_a_defect_of_a_task_names_the_table_it_worked_for(lines: Lines, autojump_clock: MockClock) -> None:
    async with hall(bots=Failing(), bot_after="0s") as here:
        anna = here.dial()
        await anna.joins("tic_tac_toe")
        await anna.puts(4)
        await here.until(lambda: bool(lines("a house bot failed")))
    failed = lines("a house bot failed")[0]
    assert "ZeroDivisionError" in failed.pop("exception")
    assert failed == {"table": 1, "game": "tic_tac_toe", "tried": 1}


async def test_an_http_connection_is_named_and_not_in_lines_of_the_table_it_registered(
    lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        registered = await here.register("ann", "bob")
        table = here.hall.server.tables[registered.body["id"]]
        anna = here.hall.dial()
        await anna.joins(f"tic_tac_toe#{registered.body['tickets'][0]}")
        monkeypatch.setattr(type(table.subscribers), "tell", lambda *_, **__: 1 / 0)  # a defect
        await here.hall.dial().joins(f"tic_tac_toe#{registered.body['tickets'][1]}")
        await here.hall.until(lambda: bool(lines("table failed")))
    (line,) = lines("table registered")
    assert (line["table"], line["connection"].startswith("http-")) == (registered.body["id"], True)
    (failed,) = lines("table failed")
    assert "ZeroDivisionError" in failed.pop("exception")
    assert failed == {"table": line["table"]}


async def test_about_says_what_things_have_and_nothing_of_others(autojump_clock: MockClock) -> None:
    async with hall() as here:
        await here.seat("tic_tac_toe")
        table = here.server.tables[1]
        second = next(one for one in here.server.connections if one.number == 2)
        assert log_context(second) == {**SECOND, "table": 1}
        assert log_context(table) == log_context(table.state) == {"table": 1}
        assert log_context(None, 7, "words", table) == {"table": 1}
        here.dial()
        third = next(one for one in here.server.connections if one.number == 3)
        assert log_context(third) == {**FIRST, "connection": 3}
