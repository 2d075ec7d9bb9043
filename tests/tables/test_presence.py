"""Who is at a table is said seat by seat: dialect, program, state, delay; and how many look on."""

from __future__ import annotations

import dataclasses

import pytest
import trio
from trio.testing import MockClock

from gateway.config import Seats
from gateway.tables.presence import Presence, SeatPresence, presence
from protocols.gtp.engine import GtpEngine
from tests.hall import FirstMove, Hall, alternate, config, hall
from tests.protocols.gtp_peers import Engine, GoTable

GAME = "tic_tac_toe"


def seen(here: Hall) -> Presence:
    table = here.server.tables[1]
    return presence(table.state, table.subscribers)


def states(here: Hall) -> list[str]:
    return [seat.state for seat in seen(here).seats]


async def test_an_open_seat_is_empty_and_a_client_that_is_there_has_its_dialect() -> None:
    async with hall() as here:
        anna = here.dial()
        await anna.joins(GAME)
        found = seen(here)
        assert found.seats[0] == SeatPresence(0, "bogaprot", "", "here", None), "a pair of sockets has no round trip"
        assert found.seats[1] == SeatPresence(1, "", "", "empty", None)
        assert found.watching == 0


async def test_a_seat_whose_client_is_gone_is_lost_and_then_a_bots(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(grace_s=90.0)), bots=FirstMove()) as here:
        anna, bert = await here.seat(GAME)
        assert states(here) == ["here", "here"]
        await bert.leaves()
        await anna.hears_lost(1)
        assert states(here) == ["here", "lost"]
        assert seen(here).seats[1].dialect == ""
        kept_s = seen(here).seats[1].kept_s
        assert kept_s is not None
        await trio.sleep(30.0)
        assert seen(here).seats[1].kept_s == pytest.approx(kept_s - 30.0, abs=0.2)
        assert seen(here).seats[0].kept_s is None
        await anna.puts(0)
        await anna.hear("MSG_MOVE")
        await anna.hear("MSG_MOVE")
        assert states(here) == ["here", "bot"]


async def test_the_delay_is_half_the_round_trip_in_milliseconds() -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        anna.peer.lag_s = lambda: 0.0424  # type: ignore[method-assign]
        await alternate([anna, bert], 4)
        assert [seat.lag_ms for seat in seen(here).seats] == [42, None]


def test_an_engine_that_dials_in_says_what_program_it_is() -> None:
    engine = GoTable().dial(Engine({"name": "GNU Go", "version": "3.8"}))
    assert isinstance(engine.dialect, GtpEngine)
    assert engine.dialect.program == "GNU Go 3.8"


def test_what_is_shown_is_plain_data() -> None:
    found = dataclasses.asdict(Presence((SeatPresence(0, "web", "", "here", 7),), 3))
    seat = {"seat": 0, "dialect": "web", "program": "", "state": "here", "lag_ms": 7, "kept_s": None}
    assert found == {"seats": (seat,), "watching": 3}
