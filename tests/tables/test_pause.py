"""Steps are held and retried while the database fails; the wait costs no player time."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from gateway.commits.commit_queue import ASK_S, HOLD_S, LATE_S, PARTING_S, RETRY_S
from gateway.store.records import MaybeStored
from gateway.table.refusals import NOT_STORED
from protocols.core.events import ClockSet, TurnStarted
from protocols.core.model import SeatKind
from tests.failing_record import Failing, Waiting, failing, waiting
from tests.hall import Guest, Hall, alternate, hall

GAME = "tic_tac_toe"
COLUMNS = [0] * 6 + [1] * 6
"""Of Connect Four: two full columns, and no line."""


async def test_a_step_that_the_database_refuses_is_stored_once_it_can_be(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        failing(here).failures = 2
        assert await anna.puts(4) == (0,)
        assert await bert.hear("MSG_MOVE") == (-1, 4, "x")
        await alternate([bert, anna], 0, 8)
        assert len(failing(here).refused) == 2


async def test_a_step_that_is_not_the_databases_fault_is_refused_and_the_game_goes_on(
    autojump_clock: MockClock,
) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        failing(here).failures, failing(here).error = 1, ValueError("this cannot be stored")
        assert await anna.puts(4) == (1, "could not be stored, try again")
        assert here.state().ply == 0
        await alternate([anna, bert], 4, 0)


async def test_a_step_is_given_up_when_the_database_stays_away(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        failing(here).failures, begun = 1_000_000, trio.current_time()
        assert await anna.puts(4) == (1, "could not be stored, try again")
        assert HOLD_S <= trio.current_time() - begun <= HOLD_S + RETRY_S
        failing(here).failures = 0
        await alternate([anna, bert], 4, 0)


async def test_a_step_of_which_nobody_knows_whether_it_is_stored_is_never_given_up(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        failing(here).failures, failing(here).error = 2 * int(HOLD_S / RETRY_S), MaybeStored("lost in its commit")
        begun = trio.current_time()
        assert await anna.puts(4) == (0,)
        assert trio.current_time() - begun > HOLD_S
        await alternate([bert, anna], 0, 8)


async def test_a_pause_is_no_time_of_the_players(autojump_clock: MockClock) -> None:
    """Bert has his whole minute from the moment he is asked, however long the move before took to be stored."""
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        await _held_for(here, anna, 4, 100.0)
        assert await bert.hear("MSG_MOVE") == (-1, 4, "x")
        asked = trio.current_time()
        assert await bert.hear("MSG_GAMEOVER") == (0,)
        assert trio.current_time() == pytest.approx(asked + 60.0, abs=0.01)


async def test_who_comes_just_after_a_pause_is_told_what_the_clocks_show_now(autojump_clock: MockClock) -> None:
    """Of Bert's minute, which began when the pause was over, 10 seconds are gone; and of the next newcomer's 25."""
    ticket = "bert-comes-back-with-this"
    async with hall(log=Waiting) as here:
        anna, bert = here.dial(), here.dial()
        await anna.joins("connect_four?time=60")
        await bert.joins(f"connect_four?time=60#{ticket}")
        await alternate([anna, bert], *COLUMNS)  # a record so long that it is read anew for a newcomer
        await _held_for(here, anna, 2, 100.0)
        for thought_s, left in ((10.0, "50"), (15.0, "35")):
            await trio.sleep(thought_s)
            bert = here.dial()
            await bert.joins(f"connect_four?clocks=yes#{ticket}")
            while not (word := str((await bert.hear("MSG_MOVE"))[2])).startswith("clock"):
                pass
            assert word == f"clock 1 60 {left}"


async def test_the_record_says_why_a_clock_runs_from_later(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        asked = trio.current_time()
        await _held_for(here, anna, 4, 100.0)
        await alternate([bert], 0)
        last = [stored.event for stored in here.server.commits.log.read(1)][-4:]
        assert [type(event).__name__ for event in last] == ["TurnStarted", "ClockSet", "MoveMade", "TurnStarted"]
        before, after = last[0], last[1]
        assert isinstance(before, TurnStarted)
        assert isinstance(after, ClockSet)
        assert before.clock is not None
        assert before.clock.since == pytest.approx(asked, abs=0.01)
        assert after.clock.since == pytest.approx(asked + 100.0, abs=0.5)


async def test_what_is_heard_during_a_pause_counts_from_its_end(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        record = waiting(here)
        record.waits = True
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: len(record.held) == 1)
        await trio.sleep(50.0)
        await bert.say("MSG_MOVE", -1, 0, "")
        await trio.sleep(50.0)
        record.go()
        ended = trio.current_time()
        assert await bert.hear("RSP_MOVE") == (0,)
        clock = here.state().clock
        assert clock is not None
        assert clock.since == pytest.approx(ended, abs=0.01)
        assert clock.readings[1].main_s == pytest.approx(60.0, abs=0.01)


async def test_a_move_counts_from_when_it_was_heard_whatever_its_player_says_after_it(
    autojump_clock: MockClock,
) -> None:
    """While a slow disk stores Anna's offer, Bert moves, and says more before his move is looked at."""
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        assert await anna.puts(4) == (0,)
        asked, record = trio.current_time(), waiting(here)
        record.waits = True
        await anna.say("MSG_MOVE", -1, -1, "draw")
        await here.until(lambda: len(record.held) == 1)
        await trio.sleep_until(asked + 0.4)
        await bert.say("MSG_MOVE", -1, 0, "")
        await trio.sleep_until(asked + 0.7)
        await bert.say("MSG_MOVE", -1, -1, "draw")
        await trio.sleep_until(asked + 0.9)
        record.go()
        assert await bert.hear("RSP_MOVE") == (0,)
        clock = here.state().clock
        assert clock is not None
        assert clock.readings[1].main_s == pytest.approx(59.6, abs=0.01)


async def test_a_step_that_is_slow_but_not_late_is_no_pause(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(f"{GAME}?time=60")
        asked = trio.current_time()
        await _held_for(here, anna, 4, LATE_S / 2)
        assert await bert.hear("MSG_GAMEOVER") == (0,)
        assert trio.current_time() == pytest.approx(asked + 60.0, abs=0.01)


async def test_nobody_loses_a_seat_that_could_not_be_taken_back(autojump_clock: MockClock) -> None:
    """The record stands still for 70 of the 60 + 70 s for which Bert's seat is kept."""
    async with hall(log=Waiting) as here:
        anna, bert = await here.seat(GAME)
        (carl, _) = await here.seat(f"{GAME}?time=77")
        await bert.leaves()
        await anna.hears_lost(1)
        lost = trio.current_time()
        await trio.sleep(30.0)
        await _held_for(here, carl, 4, 70.0)
        await trio.sleep_until(lost + 129.0)
        assert here.state().seats[1].kind is SeatKind.RESERVED
        await trio.sleep_until(lost + 131.0)
        assert here.state().seats[1].kind is not SeatKind.RESERVED


async def test_a_server_stops_though_its_database_is_away(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, _ = await here.seat(GAME)
        failing(here).failures = 1_000_000
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: bool(failing(here).refused))
        stopped = trio.current_time()
    assert trio.current_time() - stopped <= PARTING_S + 0.01


async def test_a_server_stops_though_its_database_does_not_answer(autojump_clock: MockClock) -> None:
    async with hall(log=Waiting) as here:
        anna, _ = await here.seat(GAME)
        waiting(here).waits = True
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: bool(waiting(here).held))
        table, stopped = here.server.tables[1], trio.current_time()
    assert trio.current_time() - stopped <= PARTING_S + 0.01
    assert table.state.ply == 0


@pytest.mark.parametrize("record", [Failing, Waiting])
async def test_nobody_is_told_that_a_move_was_not_stored_which_may_be(
    autojump_clock: MockClock, record: type[Failing | Waiting]
) -> None:
    """The server stops while the database has not said what became of a move: lost in its commit, or still there."""
    async with hall(log=record) as here:
        anna, bert = await here.seat(GAME)
        if record is Failing:
            failing(here).failures, failing(here).error = 1_000_000, MaybeStored("lost in its commit")
            refused = failing(here).refused
        else:
            waiting(here).waits, refused = True, waiting(here).held
        await anna.say("MSG_MOVE", -1, 4, "")
        await here.until(lambda: bool(refused))
    assert anna.peer.closed
    assert NOT_STORED.encode() not in b"".join([*anna.peer.sends, *bert.peer.sends])


async def test_who_asked_for_a_seat_that_may_be_stored_is_told_to_ask_again(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna, bert = here.dial(), here.dial()
        assert await anna.joins(GAME) == 0
        failing(here).failures, failing(here).error = 1_000_000, MaybeStored("lost in its commit")
        await bert.say("REQ_HANDSHAKE", GAME, 1)
        await here.until(lambda: bool(failing(here).refused))
    assert NOT_STORED.encode() not in b"".join([*anna.peer.sends, *bert.peer.sends])


async def _held_for(here: Hall, guest: Guest, square: int, seconds: float) -> None:
    """``guest`` puts a piece there, and the record takes so long to store it."""
    record = waiting(here)
    record.waits = True
    await guest.say("MSG_MOVE", -1, square, "")
    await here.until(lambda: len(record.held) == 1)
    await trio.sleep(seconds)
    record.go()
    assert await guest.hear("RSP_MOVE") == (0,)


async def test_a_seat_is_waited_for_as_long_as_a_database_takes_to_restart(autojump_clock: MockClock) -> None:
    async with hall(log=Failing) as here:
        anna = here.dial()
        failing(here).failures, begun = 3, trio.current_time()
        assert await anna.joins(GAME) == 0
        failing(here).failures = 1_000_000
        assert await here.dial().asks(f"{GAME}?time=5") == (1, "server overload, try again later")
        assert trio.current_time() - begun <= ASK_S + 6 * RETRY_S


async def test_the_log_says_once_that_the_database_is_away_and_once_that_it_is_back(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async with hall(log=Failing) as here:
        anna, bert = await here.seat(GAME)
        for guest, square in ((anna, 4), (bert, 0)):
            failing(here).failures = 20
            assert await guest.puts(square) == (0,)
    said = capsys.readouterr().out
    assert said.count("the database cannot be written") == 2
    assert said.count("the database can be written again") == 2
    assert said.count("a game waits for the record") == 2
    assert said.count("a game goes on") == 2
