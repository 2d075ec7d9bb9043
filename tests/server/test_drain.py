"""Draining is noted with who wanted it, and waits for no database.

Not here: what it does to players (tests/faults/test_drain.py).
"""

from __future__ import annotations

import json

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.server.drain import UNWRITTEN
from gateway.server.scribe import HOLD_S, RETRY_S
from gateway.store.memory import MemoryLog
from gateway.store.records import Act, MaybeStored
from tests.server.failing import Failing, Waiting, failing, waiting
from tests.server.hall import Hall, alternate, hall

GAME = "tic_tac_toe"


def noted(here: Hall) -> list[Act]:
    log = here.house.scribe.log
    assert isinstance(log, MemoryLog)
    return log.acts


async def test_both_ends_are_noted_once_with_who_wanted_them(autojump_clock: MockClock) -> None:
    async with hall() as here:
        await here.seat(GAME)
        here.house.drain.end("nobody")
        for _ in range(2):
            here.house.drain.begin("signal SIGUSR1")
        for _ in range(2):
            here.house.drain.end("host token from 192.0.2.7")
        begun, ended = noted(here)
        assert (begun.act, begun.by, begun.object) == ("drain.begun", "signal SIGUSR1", here.house.config.server.name)
        assert (ended.act, ended.by) == ("drain.ended", "host token from 192.0.2.7")
        assert json.loads(begun.detail) == {"running": 1}


async def test_a_database_that_does_not_answer_keeps_nobody_from_draining(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        guests = await here.seat(GAME)
        waiting(here).waits = True
        here.house.drain.begin("signal SIGUSR1")
        assert here.house.drain.on
        assert (await here.dial().asks(GAME))[0] == 1
        await trio.sleep(100)
        assert noted(here) == []
        waiting(here).go()
        assert [act.act for act in noted(here)] == ["drain.begun"]
        await alternate(guests, 4, 0)


@pytest.mark.parametrize("error", [OSError("no space left"), MaybeStored("lost in its commit")])
async def test_it_is_noted_when_the_database_is_back(autojump_clock: MockClock, error: Exception) -> None:
    async with hall(log=Failing) as here:
        failing(here).failures, failing(here).error = 5, error
        here.house.drain.begin("signal SIGUSR1")
        await here.until(lambda: bool(noted(here)))
        assert [act.act for act in noted(here)] == ["drain.begun"]
        assert here.house.running


async def test_what_could_not_be_noted_is_in_the_servers_log(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        failing(here).failures = 1_000_000
        with capture_logs() as lines:
            here.house.drain.begin("signal SIGUSR1")
            await trio.sleep(HOLD_S + 2 * RETRY_S)
        (line,) = [line for line in lines if line["event"] == "an act was not noted"]
        assert (line["act"], line["by"], line["error"]) == ("drain.begun", "signal SIGUSR1", "no space left")
        assert here.house.drain.on


async def test_a_host_cannot_fill_the_memory_with_notes(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        waiting(here).waits = True
        with capture_logs() as lines:
            for _ in range(UNWRITTEN):
                here.house.drain.begin("host token from 192.0.2.7")
                here.house.drain.end("host token from 192.0.2.7")
        assert len(waiting(here).held) == UNWRITTEN
        assert [line["event"] for line in lines].count("an act was not noted") == UNWRITTEN
        waiting(here).go()
        await trio.testing.wait_all_tasks_blocked()
        here.house.drain.begin("host token from 192.0.2.7")
        assert len(noted(here)) == UNWRITTEN + 1
