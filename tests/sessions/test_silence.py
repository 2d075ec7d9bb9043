"""A page that answers pings and falls silent has lost its connection within ten seconds; nobody else is asked."""

from __future__ import annotations

import json
from typing import Any

import trio
from trio.testing import MockClock

from gateway.sessions.listener import EntryPoint
from protocols.core.model import SeatKind
from protocols.web import frames
from protocols.web.dialect import Web
from tests.hall import Guest, Hall, config, hall

LATEST_S = 10.0

PONG = bytes((0x80 | frames.PONG, 0x80, 0, 0, 0, 0))
"""Without a text, under a mask of zeros."""


def dials(here: Hall) -> Guest:
    return here.dial(listener=EntryPoint(Web, {}, here.server.house_rules))


async def says(guest: Guest, **message: Any) -> None:
    await guest.stream.send_all(frames.client_frame(json.dumps(message).encode()))


async def sits(here: Hall, *, beat: bool) -> Guest:
    guest = dials(here)
    await says(guest, type="hello", v=1, beat=beat)
    await says(guest, type="join", game="tic_tac_toe")
    return guest


async def answers_pings(guest: Guest) -> None:
    """Reads, and answers each ping, as a browser does by itself."""
    while data := await guest.stream.receive_some(65536):
        if data[:2] == bytes((0x80 | frames.PING, 0)):
            await guest.stream.send_all(PONG)


async def playing(here: Hall, *, beat: bool) -> tuple[Guest, Guest]:
    """Two pages in a game: the second is silent from now on."""
    first, second = await sits(here, beat=beat), await sits(here, beat=beat)
    await here.until(lambda: bool(here.server.tables) and here.state().games == 1)
    return first, second


async def test_who_falls_silent_is_lost_within_ten_seconds_and_who_answers_is_not(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        first, _ = await playing(here, beat=True)
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answers_pings, first)
            await here.until(lambda: here.state().seats[1].kind is SeatKind.RESERVED)
            assert trio.current_time() - begun < LATEST_S
            await trio.sleep(10 * LATEST_S)
            assert here.server.metrics.closed["does not answer"] == 1
            assert not first.peer.closed
            nursery.cancel_scope.cancel()


async def test_a_program_that_thinks_without_reading_is_not_asked(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        await playing(here, beat=False)
        await trio.sleep(5 * LATEST_S)
        assert [seat.kind for seat in here.state().seats] == [SeatKind.PLAYER] * 2
        assert here.server.metrics.closed["does not answer"] == 0


async def test_who_has_no_seat_is_not_asked(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        visitor = dials(here)
        await says(visitor, type="hello", v=1, beat=True)
        await trio.sleep(5 * LATEST_S)
        assert not visitor.peer.closed
