"""The server as a whole: admission, seats kept by address, recovery after a restart, its end."""

from __future__ import annotations

import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import asdict
from trio.testing import MockClock

import migrations
from gateway import registry
from gateway.config import Seats
from gateway.store.log import SqlLog
from gateway.table.state import State, Status
from gateway.tables.journal import FRESH_EVENTS
from protocols.core.commands import Join
from protocols.core.model import SeatKind
from tests.hall import Guest, Hall, config, hall
from tests.narrow_peer import narrow

GAME = "tic_tac_toe"
ANNA, BERT = "anna-comes-back-with-this", "bert-comes-back-with-that"
OVERLOAD = (1, "server overload, try again later")
REAL_S = 20.0
"""Seconds a guest waits where the clock is real."""


async def test_beyond_the_limit_of_connections_a_client_is_told_so(autojump_clock: MockClock) -> None:
    async with hall(config(connections=2)) as here:
        anna, _ = await here.seat(GAME)
        carl = here.dial()
        assert await carl.asks(GAME) == OVERLOAD
        assert await anna.puts(4) == (0,)
        await anna.leaves()
        await here.until(lambda: len(here.server.connections) == 2)
        assert await carl.joins(GAME) == 0


async def test_beyond_the_limit_of_tables_a_client_is_told_so(autojump_clock: MockClock) -> None:
    async with hall(config(tables=1)) as here:
        anna, bert, carl = here.dial(), here.dial(), here.dial()
        assert await anna.joins(GAME) == 0
        assert await carl.asks("ludo") == OVERLOAD
        assert await bert.joins(GAME) == 1
        assert await carl.asks(GAME) == OVERLOAD


async def test_beyond_the_limit_of_an_address_it_is_hung_up_on(autojump_clock: MockClock) -> None:
    async with hall(config(connections_per_address=2)) as here:
        await here.seat(GAME)
        assert await here.dial().next() is None
        assert await here.dial("198.51.100.9").joins(GAME) == 0


async def test_a_client_without_ticket_and_name_gets_back_the_seat_its_address_lost_last(
    autojump_clock: MockClock,
) -> None:
    async with hall() as here:
        listener = here.another_listener(game=GAME)
        guests = await here.silent(listener, "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1")
        assert [guest.seat for guest in guests] == [0, 1, 0, 1]
        for guest in (guests[0], guests[3]):
            await guest.leaves()
            await trio.sleep(1.0)
        back = await here.silent(listener, "192.0.2.1", "192.0.2.1", "192.0.2.1")
        assert [guest.seat for guest in back] == [1, 0, 0]
        assert list(here.server.tables) == [1, 2, 3]
        assert [seat.kind for seat in here.state(2).seats] == [SeatKind.PLAYER] * 2


async def test_an_address_has_no_claim_to_a_seat_that_somebody_else_took_since(autojump_clock: MockClock) -> None:
    async with hall() as here:
        listener = here.another_listener(game="ludo", seats="3")
        early, _ = await here.silent(listener, "192.0.2.1", "192.0.2.2")
        await early.leaves()
        await trio.sleep(1.0)
        anna, bert = here.dial("192.0.2.3"), here.dial("192.0.2.4")
        assert [await anna.joins("ludo?seats=3"), await bert.joins("ludo?seats=3")] == [0, 2]
        await anna.leaves()
        await bert.hears_lost(0)
        again = here.dial("192.0.2.1", listener)
        await again.seated()
        assert here.state(1).seats[0].kind is SeatKind.RESERVED


async def test_a_ticket_is_no_good_for_a_seat_that_somebody_else_took_since(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert, carl = here.dial(), here.dial(), here.dial()
        assert await anna.joins(f"ludo?seats=3#{ANNA}") == 0
        assert await bert.joins("ludo?seats=3") == 1
        await anna.leaves()
        await trio.sleep(1.0)
        assert await carl.joins("ludo?seats=3") == 0
        again = here.dial()
        assert await again.joins(f"ludo?seats=3#{ANNA}") == 2
        assert not carl.peer.closed


async def test_a_ticket_for_another_game_and_a_short_unknown_one_are_refused(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = here.dial(), here.dial()
        await anna.joins(f"{GAME}#{ANNA}")
        assert await bert.asks(f"ludo#{ANNA}") == (1, "this ticket is for a table of Tic-Tac-Toe")
        assert (await bert.asks(f"{GAME}#short"))[0] == 1
        assert await bert.joins(f"{GAME}#{BERT}") == 1


async def test_two_who_ask_for_one_name_at_the_same_time_get_two(autojump_clock: MockClock) -> None:
    async with hall() as here:
        guests = [here.dial() for _ in range(6)]
        async with trio.open_nursery() as nursery:
            for guest in guests:
                nursery.start_soon(guest.joins, f"{GAME}?name=anna")
        names = {seat.name for table in here.server.tables.values() for seat in table.state.seats}
        assert names == {"anna", "anna-2", "anna-3", "anna-4", "anna-5", "anna-6"}
        await here.dial().joins(f"{GAME}?name=anna")
        assert here.state(4).seats[0].name == "anna-7"


async def test_who_asks_for_a_second_seat_keeps_the_first(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, _ = await here.seat(GAME)
        assert await anna.asks(GAME) == (1, "already seated")
        assert await anna.puts(4) == (0,)


async def test_somebody_who_went_while_being_seated_holds_no_seat(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna = here.dial()
        await anna.joins(GAME)
        bert = here.dial()
        await trio.testing.wait_all_tasks_blocked()
        connection = next(one for one in here.server.connections if one.table is None)
        with trio.CancelScope() as scope:
            scope.cancel()
            await here.server.tables[1].sit(connection, Join(GAME, "bert"), None, None)
        await bert.leaves()
        await anna.hears_lost(1)
        assert here.state().seats[1].name == "bert"


async def test_when_it_stops_it_lets_nobody_in_and_waits_for_those_who_do_not_read(autojump_clock: MockClock) -> None:
    async with hall(config(shutdown_s=3.0)) as here:
        anna, deaf = here.dial(), narrow(here)
        assert [await anna.joins(GAME), await deaf.joins(GAME)] == [0, 1]
        await deaf.hear("REQ_MOVE")
        begun = trio.current_time()
        await here.server.farewell()
        assert trio.current_time() == begun
        assert here.server.not_ready() == ["starting or stopping"]
        assert await here.dial().next() is None
        assert await anna.puts(4) == (0,)
        await here.server.farewell()
        assert trio.current_time() == pytest.approx(begun + 3.0, abs=0.01)


def mirrored(state: State) -> dict[str, object]:
    """The state that a restart must not change: everything but connections and times."""
    fields = asdict(state)
    clock = fields.pop("clock")
    for moving in ("seats", "sat", "until"):
        del fields[moving]
    return {**fields, "clock": clock and (clock.readings, clock.running)}


async def random_moves(here: Hall, table: int, guests: list[Guest], chance: random.Random, count: int) -> None:
    """Make this many legal moves, in the document's messages."""
    for _ in range(count):
        state = here.state(table)
        if state.turn is None:
            return
        move = chance.choice(registry.game(state.game.name).legal_moves(state.position))
        assert move.source is not None
        assert move.target is not None
        await guests[state.turn].say("MSG_MOVE", move.source, move.target)
        assert await guests[state.turn].hear("RSP_MOVE") == (0,)


@contextlib.asynccontextmanager
async def house_on(folder: Path) -> AsyncIterator[Hall]:
    """A server over the database in this folder, with a real clock."""
    url = f"sqlite:///{folder / 'record.db'}"
    migrations.upgrade(url)
    settings = config(folder, Seats(bot_after_s=None, grace_s=60.0))
    async with hall(settings, log=lambda tell: SqlLog(url, tell), blocking=True, patience_s=REAL_S) as here:
        yield here


async def two_with_tickets(here: Hall, engine: str) -> list[Guest]:
    guests = [here.dial(), here.dial()]
    for seat, (guest, ticket) in enumerate(zip(guests, (ANNA + engine, BERT + engine), strict=True)):
        assert await guest.joins(f"{engine}#{ticket}") == seat
    return guests


@pytest.mark.parametrize(("engine", "moves"), [("checkers?time=300+5", 20), ("ludo", 25), ("hnefatafl", 0)])
async def test_after_a_restart_position_clock_and_dice_are_the_same(tmp_path: Path, engine: str, moves: int) -> None:
    chance = random.Random(7)
    async with house_on(tmp_path) as here:
        guests = await two_with_tickets(here, engine)
        await random_moves(here, 1, guests, chance, moves)
        before = here.state()
    async with house_on(tmp_path) as here:
        assert (await here.woken()).status is Status.PLAYING
        assert mirrored(here.state()) == mirrored(before)
        assert [seat.kind for seat in here.state().seats] == [SeatKind.RESERVED] * 2
        guests = [here.dial(), here.dial()]
        for seat, ticket in enumerate((ANNA + engine, BERT + engine)):
            assert await guests[seat].joins(f"{engine.partition('?')[0]}#{ticket}") == seat
        assert mirrored(here.state()) == mirrored(before)
        await random_moves(here, 1, guests, chance, 3)
        assert here.state().ply > before.ply


async def test_after_a_restart_a_client_without_ticket_finds_its_seat_by_its_address(tmp_path: Path) -> None:
    async with house_on(tmp_path) as here:
        listener = here.another_listener(game="checkers")
        await here.silent(listener, "192.0.2.1", "192.0.2.2")
    async with house_on(tmp_path) as here:
        listener = here.another_listener(game="checkers")
        back = here.dial("192.0.2.2", listener)
        assert await back.seated() == 1
        assert list(here.server.tables) == [1]


async def test_after_a_restart_tables_nobody_played_at_are_gone_and_no_id_is_used_twice(tmp_path: Path) -> None:
    async with house_on(tmp_path) as here:
        await here.dial().joins(GAME)
        await here.dial().joins("ludo")
    async with house_on(tmp_path) as here:
        await here.until(lambda: not here.server.tables and not len(here.server.tables.recovery))
        await here.dial().joins(GAME)
        assert list(here.server.tables) == [3]


async def test_who_comes_back_to_a_long_game_is_told_all_of_it(tmp_path: Path) -> None:
    """The beginning of the record is not in memory any more."""
    async with house_on(tmp_path) as here:
        guests = await two_with_tickets(here, "checkers")
        await random_moves(here, 1, guests, random.Random(3), FRESH_EVENTS)
        board = here.state().game.board(here.state().position)
        await guests[0].leaves()
        await guests[1].hears_lost(0)
        back = here.dial()
        assert await back.joins(f"checkers#{ANNA}checkers") == 0
        shown: dict[object, object] = {}
        await back.hear("MSG_START")
        while (message := await back.next()) is not None and message.name == "MSG_MOVE":
            source, target, *piece = message.values
            if source == -1:
                shown[target] = piece[0]
        assert shown == board
        assert message is not None
        assert (message.name, message.values) == ("REQ_MOVE", (here.state().turn,))
