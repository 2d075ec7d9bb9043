"""Draining is noted with its author, and waits for no database.

tests/faults/test_drain.py tests what it does to players.
"""

from __future__ import annotations

import json

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from gateway.commits.commit_queue import HOLD_S, RETRY_S
from gateway.ops.drain import UNWRITTEN
from gateway.store.records import Act, MaybeStored
from tests.failing_record import Failing, Waiting, failing, waiting
from tests.hall import Hall, alternate, hall
from tests.store.memory import MemoryLog

GAME = "tic_tac_toe"


def noted(here: Hall) -> list[Act]:
    log = here.server.commits.log
    assert isinstance(log, MemoryLog)
    return log.acts


async def test_both_ends_are_noted_once_with_who_wanted_them(autojump_clock: MockClock) -> None:
    async with hall() as here:
        await here.seat(GAME)
        here.server.drain.end("nobody")
        for _ in range(2):
            here.server.drain.begin("signal SIGUSR1")
        for _ in range(2):
            here.server.drain.end("host token from 192.0.2.7")
        begun, ended = noted(here)
        assert (begun.act, begun.by, begun.object) == ("drain.begun", "signal SIGUSR1", here.server.config.server.name)
        assert (ended.act, ended.by) == ("drain.ended", "host token from 192.0.2.7")
        assert json.loads(begun.detail) == {"running": 1}


async def test_a_database_that_does_not_answer_keeps_nobody_from_draining(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        guests = await here.seat(GAME)
        waiting(here).waits = True
        here.server.drain.begin("signal SIGUSR1")
        assert here.server.drain.on
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
        here.server.drain.begin("signal SIGUSR1")
        await here.until(lambda: bool(noted(here)))
        assert [act.act for act in noted(here)] == ["drain.begun"]
        assert here.server.running


async def test_what_could_not_be_noted_is_in_the_servers_log(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        failing(here).failures = 1_000_000
        with capture_logs() as lines:
            here.server.drain.begin("signal SIGUSR1")
            await trio.sleep(HOLD_S + 2 * RETRY_S)
        (line,) = [line for line in lines if line["event"] == "an act was not noted"]
        assert (line["act"], line["by"], line["error"]) == ("drain.begun", "signal SIGUSR1", "no space left")
        assert here.server.drain.on


async def test_a_host_cannot_fill_the_memory_with_notes(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        waiting(here).waits = True
        with capture_logs() as lines:
            for _ in range(UNWRITTEN):
                here.server.drain.begin("host token from 192.0.2.7")
                here.server.drain.end("host token from 192.0.2.7")
        assert len(waiting(here).held) == UNWRITTEN
        assert [line["event"] for line in lines].count("an act was not noted") == UNWRITTEN
        waiting(here).go()
        await trio.testing.wait_all_tasks_blocked()
        here.server.drain.begin("host token from 192.0.2.7")
        assert len(noted(here)) == UNWRITTEN + 1
