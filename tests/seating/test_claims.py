"""A claim is resolved when the table seats its player, and a client has at most one seat."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway.config import Listen, Seats
from gateway.sessions.connection import Connection
from gateway.sessions.listener import Listener, open_listener
from protocols.core.commands import Join, Say
from protocols.core.model import SeatKind
from tests.failing_record import Waiting, waiting
from tests.hall import ADDRESS, Hall, config, hall

GAME = "tic_tac_toe"
TICKET = "a-ticket-that-anna-has-brought"
WAIT = Seats(grace_s=600.0, bot_after_s=None)


def newest(here: Hall) -> Connection:
    return max(here.server.connections, key=lambda connection: connection.number)


async def test_two_clients_of_one_address_that_come_back_together_get_a_seat_each(autojump_clock: MockClock) -> None:
    async with hall(config(seats=WAIT), log=Waiting) as here:
        listener = here.another_listener(game="checkers")
        for guest in [*await here.silent(listener, ADDRESS), *await here.silent(listener, ADDRESS)]:
            await guest.leaves()
        await here.until(lambda: all(seat.kind is SeatKind.RESERVED for seat in here.state().seats))
        carl, dora = here.dial(ADDRESS, listener), here.dial(ADDRESS, listener)
        assert {await carl.seated(), await dora.seated()} == {0, 1}
        assert all(seat.kind is SeatKind.PLAYER for seat in here.state().seats)


async def test_a_ticket_is_worth_nothing_once_another_player_was_given_its_seat(autojump_clock: MockClock) -> None:
    """Anna's ticket is looked up before Dora has the open seat, and served after it."""
    async with hall(config(seats=Seats(bot_after_s=None)), log=Waiting) as here:
        anna, carl = here.dial(), here.dial()
        assert await anna.joins(f"ludo?seats=3#{TICKET}") == 0
        assert await carl.joins("ludo?seats=3") == 1
        await anna.leaves()
        await here.until(lambda: here.state().seats[0].kind is SeatKind.OPEN)
        waiting(here).waits = True
        dora = here.dial()
        await dora.say("REQ_HANDSHAKE", "ludo?seats=3", 1)
        await here.until(lambda: bool(waiting(here).held))
        again = here.dial()
        await again.say("REQ_HANDSHAKE", f"ludo?seats=3#{TICKET}", 1)
        await trio.sleep(1.0)
        waiting(here).go()
        assert await dora.seated() == 0
        await trio.sleep(5.0)
        assert (here.state().seats[0].kind, here.state().seats[0].name) == (SeatKind.PLAYER, "guest-3")
        at = here.server.tables[1].subscribers.at(0)
        assert at is not None
        assert at.number == 3


async def test_a_client_that_has_ended_is_not_seated_by_what_its_dialect_asked(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=None, grace_s=5.0), handshake_s=2.0), log=Waiting) as here:
        anna, bert = here.dial(), here.dial()
        assert await anna.joins(f"{GAME}#{TICKET}") == 0
        assert await bert.joins(GAME) == 1
        await anna.leaves()
        await here.until(lambda: here.state().seats[0].kind is SeatKind.RESERVED)
        here.dial()
        await trio.sleep(0.1)
        client = newest(here)
        waiting(here).waits = True
        client._ask_soon([Join(GAME, "", TICKET)], trio.current_time())
        await here.until(lambda: bool(waiting(here).held))
        await trio.sleep(5.0)
        assert client.ended
        waiting(here).go()
        await trio.sleep(600.0)
        assert all(table.state.seats[0].kind is not SeatKind.PLAYER for table in here.server.tables.values())


def miniature_listener(here: Hall) -> Listener:
    here.listeners.append(open_listener(Listen("miniature", "127.0.0.1", 0), here.server.house_rules))
    return here.listeners[-1]


async def test_a_spectator_that_is_hung_up_on_while_it_waits_looks_on_nowhere(autojump_clock: MockClock) -> None:
    async with hall(config(lobby_s=5.0), log=Waiting) as here:
        anna, _ = await here.seat(GAME)
        waiting(here).waits = True
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: bool(waiting(here).held))
        olga = here.dial(listener=miniature_listener(here))
        await olga.stream.send_all(b"tell gateway observe 1\n")
        await trio.sleep(10.0)
        assert len(here.server.connections) == 2
        waiting(here).go()
        await anna.hear("RSP_MOVE")
        await trio.sleep(10.0)
        assert here.server.tables[1].subscribers.observers == 0


async def test_one_client_has_one_seat_though_it_and_its_dialect_ask_at_once(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=None)), log=Waiting) as here:
        anna = here.dial()
        await trio.sleep(0.1)
        (client,) = here.server.connections
        waiting(here).waits = True

        async def own() -> None:
            await client._do([Join(GAME, "anna")], trio.current_time())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(own)
            await here.until(lambda: bool(waiting(here).held))
            client._ask_soon([Join("checkers", "anna")], trio.current_time())
            await trio.sleep(1.0)
            waiting(here).go()
        await trio.sleep(1.0)
        assert [table.state.game.name for table in here.server.tables.values()] == [GAME]
        await anna.leaves()
        await trio.sleep(600.0)
        assert not here.server.tables


async def test_a_seat_is_offered_again_when_its_taker_ends_before_the_table_came_to_it(
    autojump_clock: MockClock,
) -> None:
    async with hall(config(seats=Seats(bot_after_s=None), handshake_s=5.0), log=Waiting) as here:
        await here.dial().joins(GAME)
        (client,) = here.server.connections
        waiting(here).waits = True
        here.server.background.start_soon(client._do, [Say("all", f"hello {n}") for n in range(33)], 0.0)
        await trio.sleep(1.0)
        await here.dial().say("REQ_HANDSHAKE", GAME, 1)
        await trio.sleep(10.0)
        waiting(here).go()
        await trio.sleep(60.0)
        assert await here.dial().joins(GAME) == 1
        assert list(here.server.tables) == [1]
