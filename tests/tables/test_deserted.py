"""Games whose last person leaves for good: no house bots play on alone, and no table stays without a deadline."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway.config import Listen, Seats
from gateway.sessions.listener import open_listener
from gateway.table.state import Status
from protocols.core.model import SeatKind
from tests.hall import FirstMove, Guest, Hall, config, hall

SECRET = "a-secret-that-pia-has-brought"
STATE = ("new", "go")


async def says(guest: Guest, *lines: str) -> None:
    await guest.stream.send_all("".join(f"{line}\n" for line in lines).encode())


async def pia_quits(here: Hall, **options: str) -> None:
    """A chess-p2p client begins a game against a house bot, and says quit in the middle of it."""
    here.listeners.append(open_listener(Listen("chess-p2p", "127.0.0.1", 0, options), here.server.house_rules))
    pia = here.dial(listener=here.listeners[-1])
    await says(pia, f"ticket {SECRET}", "name pia", *STATE)
    await here.until(lambda: 1 in here.server.tables and here.state().ply > 0)
    assert [seat.kind for seat in here.state().seats].count(SeatKind.BOT) == 1
    await says(pia, "quit")
    await here.until(lambda: not here.server.connections)


async def test_a_game_against_a_house_bot_that_is_quitted_waits_for_its_ticket(autojump_clock: MockClock) -> None:
    """FICS, help noescape: "the usual adjournment rules apply when one of the players disconnects"."""
    async with hall(config(seats=Seats(bot_after_s=0.0)), bots=FirstMove()) as here:
        await pia_quits(here)
        await trio.sleep(3600.0)
        back = here.dial(listener=here.listeners[-1])
        await says(back, f"ticket {SECRET}", "text hello")
        await here.until(lambda: 1 in here.server.tables and len(here.server.tables[1].subscribers) == 1)
        assert here.state().status is Status.ADJOURNED
        assert [seat.kind for seat in here.state().seats] == [SeatKind.BOT, SeatKind.PLAYER]
        assert here.state().ply == 1, "the bot that White is has made its first move, and no move came since"
        await says(back, "go")
        await here.until(lambda: here.state().status is Status.PLAYING)


async def test_a_listener_may_count_it_as_lost(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=0.0)), bots=FirstMove()) as here:
        await pia_quits(here, deserted="loss")
        await here.until(lambda: not here.server.tables)


async def test_games_that_nobody_can_come_back_to_do_not_fill_the_server(autojump_clock: MockClock) -> None:
    """A client without a ticket leaves for good, again and again: each game ends at once."""
    async with hall(config(seats=Seats(bot_after_s=0.0)), bots=FirstMove()) as here:
        for _ in range(10):
            anna = here.dial()
            assert await anna.joins("tic_tac_toe?against=bot") == 0
            (connection,) = here.server.connections
            assert connection.table is not None
            await connection.table.leave(connection, lost=False)
            await anna.leaves()
            await here.until(lambda: not here.server.connections)
        await here.until(lambda: not here.server.tables)


async def test_two_of_three_draw_and_play_again_without_the_player_who_gave_up(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        anna, bert, carl = guests = [here.dial() for _ in range(3)]
        for guest in guests:
            await guest.joins("ludo?seats=3")
        await here.until(lambda: here.state().status is Status.PLAYING)
        await carl.say("MSG_MOVE", -1, -1, "resign")
        await here.until(lambda: here.state().withdrawn == (2,))
        for guest in (anna, bert):
            await guest.say("MSG_MOVE", -1, -1, "draw")
        await here.until(lambda: here.state().status is Status.OVER)
        first = here.state().seats[0].name
        for guest in (anna, bert):
            await guest.say("MSG_MOVE", -1, -1, "rematch")
        await here.until(lambda: len(here.state().proposals) == 2)
        await carl.leaves()
        await here.until(lambda: here.state().games == 2)
        state = here.state()
        (given_up,) = state.withdrawn
        assert state.seats[given_up].kind is SeatKind.OPEN
        assert state.seats[given_up - 2].name == first, "the order around the table is kept"
        assert state.status is Status.PLAYING
