"""A table runs clocks, graces and bots, and handles their failures. Failing steps: test_storing.py."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from gateway.config import Seats
from gateway.table.bot_context import BotContext
from gateway.table.state import Status
from protocols.core.events import GameEnded, TableClosed
from protocols.core.model import Move, Outcome, Reason, SeatKind
from tests.hall import FirstMove, alternate, config, hall

GAME = "tic_tac_toe"


class Unwell(FirstMove):
    """A house bot that cannot choose."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        self.asked.append(game_name)
        raise OSError("no process can be started")


class Slow(FirstMove):
    """A house bot that thinks for a minute."""

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        await trio.sleep(60.0)
        return await super().choose(game_name, position, level, bot_context)


async def test_a_flag_falls_at_its_moment_and_not_before(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        begun = trio.current_time()
        await trio.sleep(59.0)
        assert here.state().status is Status.PLAYING
        assert await anna.hear("MSG_GAMEOVER") == (1,)
        assert trio.current_time() == pytest.approx(begun + 60.0, abs=0.01)
        assert here.state().outcome == Outcome(1, Reason.TIME)
        assert await bert.hear("MSG_GAMEOVER") == (1,)


async def test_each_seat_is_charged_its_own_thinking(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        begun = trio.current_time()
        for guest, square, thought_s in ((anna, 0, 40.0), (bert, 1, 50.0), (anna, 2, 15.0)):
            await trio.sleep(thought_s)
            assert await guest.puts(square) == (0,)
        clock = here.state().clock
        assert clock is not None
        assert [reading.main_s for reading in clock.readings] == pytest.approx([5.0, 10.0])
        assert await anna.hear("MSG_GAMEOVER") == (0,)
        assert trio.current_time() == pytest.approx(begun + 115.0, abs=0.01)


async def test_a_lost_seat_is_kept_for_the_grace_and_then_loses(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(grace_s=90.0))) as here:
        anna, bert = await here.seat(GAME)
        await anna.leaves()
        await bert.hears_lost(0)
        lost = trio.current_time()
        await trio.sleep(89.0)
        assert here.state().seats[0].kind is SeatKind.RESERVED
        assert await bert.hear("MSG_GAMEOVER") == (1,)
        assert trio.current_time() == pytest.approx(lost + 90.0, abs=0.01)
        assert here.state().outcome == Outcome(1, Reason.ABANDONMENT)


async def test_after_the_grace_a_bot_plays_on_where_there_are_bots(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(grace_s=90.0)), bots=FirstMove()) as here:
        anna, bert = await here.seat(GAME)
        await anna.leaves()
        assert await bert.hear("MSG_MOVE") == (-1, 0, "x")
        assert here.state().seats[0].kind is SeatKind.BOT


async def test_who_comes_back_within_the_grace_plays_on(autojump_clock: MockClock) -> None:
    ticket = "anna-comes-back-with-this"
    async with hall(config(seats=Seats(grace_s=90.0))) as here:
        anna, bert = here.dial(), here.dial()
        assert [await anna.joins(f"{GAME}#{ticket}"), await bert.joins(GAME)] == [0, 1]
        await alternate([anna, bert], 4, 0)
        await anna.leaves()
        await bert.hears_lost(0)
        await trio.sleep(80.0)
        back = here.dial("198.51.100.9")
        assert await back.joins(f"{GAME}#{ticket}") == 0
        await alternate([back, bert], 8, 1)
        await trio.sleep(1000.0)
        assert here.state().status is Status.PLAYING


async def test_when_everybody_stays_away_the_game_waits_for_whoever_comes_first(autojump_clock: MockClock) -> None:
    tickets = ("anna-comes-back-with-this", "bert-comes-back-with-this")
    async with hall(config(seats=Seats(grace_s=90.0))) as here:
        anna, bert = here.dial(), here.dial()
        assert [
            await guest.joins(f"{GAME}?time=600#{own}") for guest, own in zip((anna, bert), tickets, strict=True)
        ] == [0, 1]
        await anna.leaves()
        await bert.leaves()
        await here.until(lambda: here.state().status is Status.ADJOURNED)
        await trio.sleep(3600.0)
        assert (await here.woken()).status is Status.ADJOURNED
        clock = here.state().clock
        assert clock is not None
        assert clock.running is None
        assert clock.readings[0].main_s == pytest.approx(600.0 - 90.0, abs=0.1)


async def test_a_game_that_nobody_can_come_back_to_is_void_after_the_grace(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(grace_s=90.0))) as here:
        anna, bert = await here.seat(GAME)
        await anna.leaves()
        await bert.leaves()
        await here.until(lambda: not here.server.tables)
    record = [stored.event for stored in here.server.commits.log.read(1)]
    assert record[-2:] == [GameEnded(Outcome(None, Reason.VOID, "nobody came back")), TableClosed()]


async def test_a_bot_plays_no_more_once_the_player_is_back(autojump_clock: MockClock) -> None:
    """The player comes back while the bot still thinks: what it thought of is not played."""
    ticket = "bert-comes-back-with-this"
    async with hall(config(seats=Seats(grace_s=10.0)), bots=Slow()) as here:
        anna, bert = here.dial(), here.dial()
        assert [await anna.joins(GAME), await bert.joins(f"{GAME}?name=bert#{ticket}")] == [0, 1]  # no bot is due yet
        assert await anna.puts(0) == (0,)
        await bert.leaves()
        await here.until(lambda: here.state().seats[1].kind is SeatKind.BOT)
        again = here.dial()
        assert await again.joins(f"{GAME}?name=bert#{ticket}") == 1
        assert here.state().seats[1].name == "bert"
        await trio.sleep(120.0)
        assert here.state().turn == 1


async def test_a_newer_connection_of_a_seat_closes_the_older_one_which_is_told_why(autojump_clock: MockClock) -> None:
    ticket = "anna-comes-back-with-this"
    async with hall() as here:
        anna, bert = here.dial(), here.dial()
        assert [await anna.joins(f"{GAME}#{ticket}"), await bert.joins(GAME)] == [0, 1]
        again = here.dial()
        assert await again.joins(f"{GAME}#{ticket}") == 0
        last = (await anna.rest())[-1]
        assert last == ("RSP_MOVE", (2, "another client has taken your seat; this connection is closed"))
        await trio.sleep(1000.0)
        assert [seat.kind for seat in here.state().seats] == [SeatKind.PLAYER, SeatKind.PLAYER]
        await alternate([again, bert], 4, 0)


async def test_a_bot_takes_the_open_seat_when_it_is_due(autojump_clock: MockClock) -> None:
    bots = FirstMove()
    async with hall(config(seats=Seats(bot_after_s=10.0)), bots=bots) as here:
        anna = here.dial()
        assert await anna.joins(GAME) == 0
        begun = trio.current_time()
        await anna.hear("MSG_START")
        assert trio.current_time() == pytest.approx(begun + 10.0, abs=0.01)
        for square in (8, 7):
            assert await anna.puts(square) == (0,)
            await anna.hear("REQ_MOVE")
            await anna.hear("REQ_MOVE")
        assert await anna.puts(6) == (0,)
        assert await anna.hear("MSG_GAMEOVER") == (0,)
        assert bots.asked == [GAME, GAME]


async def test_against_a_bot_the_game_begins_at_once(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=None)), bots=FirstMove()) as here:
        anna = here.dial()
        assert await anna.joins(f"{GAME}?against=bot") == 0
        await anna.hear("REQ_MOVE")
        assert trio.current_time() < 0.1


async def test_a_bot_that_fails_takes_nothing_else_with_it(autojump_clock: MockClock) -> None:
    async with hall(bots=Unwell()) as here:
        anna, bert = await here.seat(GAME)
        carl = here.dial()
        assert await carl.joins(f"{GAME}?against=bot") == 0
        assert await carl.puts(0) == (0,)
        await here.until(lambda: here.state(2).ply == 2)
        await alternate([anna, bert], 4, 0)
        assert await carl.puts(2) == (0,)


async def test_a_bot_that_fails_is_asked_three_times_then_the_first_legal_move_is_played(
    autojump_clock: MockClock,
) -> None:
    bots = Unwell()
    async with hall(bots=bots) as here:
        carl = here.dial()
        assert await carl.joins(f"{GAME}?against=bot") == 0
        assert await carl.puts(0) == (0,)
        await here.until(lambda: here.state().ply == 2)
    assert bots.asked == [GAME, GAME, GAME]


async def test_a_table_that_fails_takes_no_other_with_it(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        carl, dora = await here.seat(GAME)
        broken = here.server.tables[1]
        broken.state = replace(broken.state, position="no position")
        await anna.say("MSG_MOVE", -1, 4, "")
        await anna.rest()
        await bert.rest()
        assert list(here.server.tables) == [2]
        await alternate([carl, dora], 0, 3, 1, 4, 2)
        assert await dora.hear("MSG_GAMEOVER") == (0,)


async def test_a_client_that_asks_more_than_fits_waits_and_another_table_does_not(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, _ = await here.seat(GAME)
        carl, dora = await here.seat(GAME)
        flood = b"".join(anna.wire.build("MSG_MOVE", -1, 4, "") for _ in range(500))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(anna.stream.send_all, flood)
            await alternate([carl, dora], 0, 3, 1, 4, 2)
        assert await anna.hear("RSP_MOVE") == (0,)
        for _ in range(499):
            assert (await anna.hear("RSP_MOVE"))[0] == 1
