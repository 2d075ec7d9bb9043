"""Hundreds of requests, and two thousand by night, wait in one server at once, and none disturbs another."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest
import trio

from tests.hall import config
from tests.laws.playouts import NIGHTLY
from tests.web import serving
from tests.web.gamesman_table import GamesmanServer, gamesman_server

WAITING = 2000 if NIGHTLY else 200
ANSWERED = 50
PATIENCE_S = 100.0
"""Seconds; on an idle machine the thousands of a night take seven."""


@pytest.fixture
def many_files() -> Iterator[int]:
    """How many of the requests this system can hold: each is a socket at both ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield min(WAITING, (hard - 500) // 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.nightly_too
async def test_hundreds_of_requests_and_at_night_thousands_wait_at_once(
    many_files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "PATIENCE_S", PATIENCE_S)
    async with gamesman_server(config(connections=50_000, connections_per_address=50_000)) as here:
        pairs = [(f"first {number}", f"second {number}") for number in range(many_files)]
        for pair in pairs:
            await here.register("open", *pair)
        with trio.fail_after(PATIENCE_S):
            waits = [await here.player(second, first).send("SendMove") for first, second in pairs]
            while not all(_initialized(here, table) for table in range(1, many_files + 1)):  # noqa: ASYNC110
                await trio.sleep(0.05)
            for number in range(0, many_files, many_files // ANSWERED):
                first, second = pairs[number]
                await here.player(first, second).send("SendMove", f"move of {number}")
                player = here.player(second, first)
                assert await player.answer(waits[number]) == player.hears("SendMove", f"move of {number}")


def _initialized(here: GamesmanServer, table: int) -> bool:
    running = here.server.tables.get(table)
    return running is not None and (bool(running.state.proposals) or running.state.games > 0)
