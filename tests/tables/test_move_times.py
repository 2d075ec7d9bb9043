"""The stages of a move are timed where it is decided, and a slow move is one line; real stores: tests/faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.config import Log
from gateway.metrics import STAGES
from gateway.tables.asked import AskedHere
from gateway.tables.move_times import SLOW
from protocols.core.commands import PlayMove
from protocols.core.model import Move
from tests.cluster.world import world
from tests.failing_record import Waiting, waiting
from tests.hall import Guest, Hall, config, hall
from tests.narrow_peer import narrow

GAME: Final = "tic_tac_toe"
WITH_CLOCK: Final = "tic_tac_toe?time=300"

Line = dict[str, Any]


def slow_moves(lines: Sequence[Mapping[str, Any]]) -> list[Line]:
    """The lines of slow moves, without what every line has."""
    found = [line for line in lines if line["event"] == SLOW]
    return [{key: value for key, value in line.items() if key not in ("event", "log_level")} for line in found]


def stages(**spent: float) -> Line:
    """The fields of the stages; those that are not given took no time."""
    return {f"{stage}_ms": spent.get(stage, 0.0) for stage in STAGES}


def notes(here: Hall) -> dict[str, int]:
    return {stage: histogram.count for stage, histogram in here.server.metrics.stage_s.items()}


async def commits_in(here: Hall, player: Guest, square: int, seconds: float) -> None:
    """``player`` moves there, and the record answers after so long."""
    waiting(here).waits = True
    await player.say("MSG_MOVE", -1, square, "")
    await trio.sleep(seconds)
    waiting(here).go()
    assert await player.hear("RSP_MOVE") == (0,)


@pytest.mark.parametrize("engine", [GAME, WITH_CLOCK], ids=["fast path", "table's task"])
async def test_a_slow_move_is_one_line_with_its_stages_and_a_quick_one_is_none(
    engine: str, autojump_clock: MockClock
) -> None:
    with capture_logs() as lines:
        async with hall(log=Waiting) as here:
            anna, bert = await here.seat(engine)
            assert await anna.puts(4) == (0,)
            await commits_in(here, bert, 0, 0.1)
            await commits_in(here, anna, 1, 0.25)
            counted = notes(here)
            spent_s = here.server.metrics.stage_s["committed"].total
    who = {"table": 1, "seat": 0, "dialect": "bogaprot", "took_ms": 250.0}
    assert slow_moves(lines) == [who | stages(committed=250.0)]
    assert counted == dict.fromkeys(STAGES, 3)
    assert spent_s == pytest.approx(0.35)


async def test_what_waits_for_its_table_is_not_decided_yet(autojump_clock: MockClock) -> None:
    """Bert's move comes while Anna's is stored: his waits in the inbox."""
    with capture_logs() as lines:
        async with hall(log=Waiting) as here:
            anna, bert = await here.seat(GAME)
            waiting(here).waits = True
            await anna.say("MSG_MOVE", -1, 4, "")
            await trio.sleep(0.1)
            await bert.say("MSG_MOVE", -1, 0, "")
            await trio.sleep(0.4)
            waiting(here).go()
            assert await bert.hear("RSP_MOVE") == (0,)
    who = {"table": 1, "dialect": "bogaprot"}
    assert slow_moves(lines) == [
        who | {"seat": 0, "took_ms": 500.0} | stages(committed=500.0),
        who | {"seat": 1, "took_ms": 400.0} | stages(decided=400.0),
    ]


async def test_a_client_that_does_not_read_slows_no_move(autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        async with hall(log=Waiting) as here:
            deaf, anna = narrow(here), here.dial()
            assert await deaf.joins(GAME) == 0
            assert await anna.joins(GAME) == 1
            await deaf.say("MSG_MOVE", -1, 4, "")
            await anna.hear("MSG_MOVE")
            await commits_in(here, anna, 0, 2.0)
    assert slow_moves(lines) == [
        {"table": 1, "seat": 1, "dialect": "bogaprot", "took_ms": 2000.0} | stages(committed=2000.0)
    ]


async def test_a_move_by_request_has_its_line_too(autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        async with hall(log=Waiting) as here:
            await here.seat(GAME)
            waiting(here).waits = True
            asked = AskedHere(here.server.tables[1])
            async with trio.open_nursery() as nursery:
                move = PlayMove(Move(None, 4))
                nursery.start_soon(asked.move, 0, "192.0.2.1", move, trio.current_time(), 0)
                await trio.sleep(0.5)
                waiting(here).go()
    (line,) = slow_moves(lines)
    assert (line["seat"], line["dialect"], line["committed_ms"]) == (0, "api", 500.0)


async def test_the_setting_never_writes_no_line_and_counts_all_the_same(autojump_clock: MockClock) -> None:
    settings = replace(config(), log=Log(slow_move_s=None))
    with capture_logs() as lines:
        async with hall(settings, log=Waiting) as here:
            anna, _ = await here.seat(GAME)
            await commits_in(here, anna, 4, 5.0)
            counted = notes(here)
    assert slow_moves(lines) == []
    assert counted == dict.fromkeys(STAGES, 1)


async def test_of_a_move_at_another_node_that_node_has_the_stages_and_the_players_node_names_it(
    autojump_clock: MockClock,
) -> None:
    with capture_logs() as lines:
        async with world() as here:
            one, two = await here.node("one"), await here.node("two")
            anna, bert = one.dial(), two.dial()
            await anna.joins(GAME)
            await bert.joins(GAME)
            assert await anna.puts(4) == (0,)
            one.commits.away()
            await bert.say("MSG_MOVE", -1, 0, "")
            await trio.sleep(2.0)
            one.commits.back()
            assert await bert.hear("RSP_MOVE") == (0,)
            await trio.sleep(1.0)
            counted = [notes(node) for node in (one, two)]
            timed = [node.server.metrics.move_s["bogaprot"].count for node in (one, two)]
    table_s, players = slow_moves(lines)
    who = {"table": 1, "seat": 1, "dialect": "bogaprot"}
    assert table_s == who | {"took_ms": table_s["took_ms"]} | stages(committed=table_s["took_ms"])
    assert players == who | {"took_ms": players["took_ms"], "node": one.me}
    assert players["took_ms"] >= table_s["took_ms"] == pytest.approx(2000.0, abs=100.0)
    assert counted == [dict.fromkeys(STAGES, 2), dict.fromkeys(STAGES, 0)]
    assert timed == [1, 1]
