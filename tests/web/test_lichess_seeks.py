"""A seek by the lichess API whose taker does not come stands again, as long as its request is open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from trio.testing import MockClock

from gateway.seating.called import CLOSES_S, COMES_S
from gateway.seating.offerers import Offerer
from gateway.web.lichess_lines import Program, Programs
from gateway.web.lichess_stream import Stream
from tests.hall import Hall, hall

ANNA, BERT = (Program(name, name.encode(), bot=False, agent="", address="192.0.2.7") for name in ("anna", "bert"))


@asynccontextmanager
async def served() -> AsyncIterator[tuple[Hall, Programs]]:
    """A server with two accounts."""
    async with hall() as here:
        here.server.lobby.names.own(["anna", "bert"])
        yield here, Programs(here.server)


def offers(here: Hall) -> list[int]:
    return [offer.number for offer in here.server.lobby.offers]


async def sought(here: Hall, programs: Programs, program: Program) -> tuple[Stream, Stream, int]:
    """The event stream of a program, the stream of its seek, and the number of its offer."""
    events = programs.events(program)
    seek = await programs.seek(program, limit=300.0, increment=0.0, variant="standard", color="white")
    assert isinstance(seek, Stream)
    (number,) = offers(here)
    return events, seek, number


async def taken(here: Hall, number: int) -> None:
    """Bert takes it, and does not come."""
    await here.server.offering.take_as(Offerer("bert", True, "192.0.2.7"), number, None)


async def test_a_seek_whose_taker_does_not_come_stands_again_with_its_request(autojump_clock: MockClock) -> None:
    async with served() as (here, programs):
        _, seek, number = await sought(here, programs, ANNA)
        await taken(here, number)
        await trio.sleep(COMES_S / 2)
        assert seek.open, "nobody knows yet whether a game comes of it"
        await here.until(lambda: bool(offers(here)))
        (again,) = offers(here)
        assert again > number
        await trio.sleep(2 * CLOSES_S)
        assert seek.open
        theirs = programs.events(BERT)
        assert (await programs.here(BERT).ask("look"))[0] == 200
        status, body, play = await programs.here(BERT).ask("seek", limit=300.0, increment=0.0, text="")
        assert (status, play) == (200, {"table": again})
        assert play is not None
        await programs.take_up(BERT, play)
        await here.until(lambda: not seek.open)
        assert offers(here) == []
        assert body["status"] == "accepted"
        assert theirs.open


async def test_a_seek_that_stands_again_ends_with_its_request(autojump_clock: MockClock) -> None:
    async with served() as (here, programs):
        _, seek, number = await sought(here, programs, ANNA)
        await taken(here, number)
        await here.until(lambda: bool(offers(here)))
        seek.left()
        await here.until(lambda: not offers(here))


async def test_a_seek_whose_request_is_over_before_its_taker_has_come_does_not_stand_again(
    autojump_clock: MockClock,
) -> None:
    async with served() as (here, programs):
        events, seek, number = await sought(here, programs, ANNA)
        await taken(here, number)
        await trio.sleep(COMES_S / 2)
        seek.left()
        await here.until(lambda: number not in here.server.tables)
        await trio.sleep(CLOSES_S)
        assert offers(here) == []
        assert events.open


async def test_a_seek_whose_time_is_over_while_its_taker_is_awaited_ends_its_request(autojump_clock: MockClock) -> None:
    async with served() as (here, programs):
        _, seek, number = await sought(here, programs, ANNA)
        await trio.sleep(3600 - COMES_S / 2)
        await taken(here, number)
        await here.until(lambda: not seek.open)
        assert offers(here) == []
