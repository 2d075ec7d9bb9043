"""News of a step: whose turn it is, who came, who came back; and whose notices it puts out of date."""

from __future__ import annotations

import pytest

from gateway.store.records import Notice
from gateway.table.state import State
from gateway.tables.noticing import notices, seen, turn_changes
from protocols.core.commands import Command, Join, Leave, PlayMove, Propose, Resign
from protocols.core.model import HouseRules, Move, SeatKind
from protocols.core.proposals import Takeback
from tests.table.tables import Conversation


def table(time: str = "1d/move", *names: str, **house: object) -> Conversation:
    made = Conversation("tic_tac_toe", time=time, house=HouseRules(**({"bot_after_s": None, "grace_s": 60.0} | house)))  # type: ignore[arg-type]
    made.join(*names)
    return made


def told(here: Conversation, seat: int | None, command: Command) -> tuple[list[tuple[int, str]], tuple[int, ...]]:
    """The notices of a command, and the seats whose older ones are out of date."""
    before: State = here.state
    events = here.ask(seat, command, now=10.0)
    if here.state.seats is before.seats and here.state.status is before.status:
        changes = turn_changes(before, here.state)
        return [(notice.seat, notice.kind) for notice in changes.notices], changes.seen
    return [(made.seat, made.kind) for made in notices(before, here.state, events)], seen(before, here.state, events)


def test_a_move_in_a_correspondence_game_tells_the_next_player_and_ends_what_the_mover_was_told() -> None:
    here = table("1d/move", "ann", "bob")
    assert told(here, 0, PlayMove(Move(None, 4))) == ([(1, "turn")], (0,))
    assert told(here, 1, PlayMove(Move(None, 0))) == ([(0, "turn")], (1,))


@pytest.mark.parametrize("time", ["none", "300+5"])
def test_a_move_in_any_other_game_is_news_for_nobody(time: str) -> None:
    here = table(time, "ann", "bob")
    assert told(here, 0, PlayMove(Move(None, 4))) == ([], ())


def test_the_beginning_of_a_correspondence_game_tells_the_first_player() -> None:
    here = table("1d/move", "ann")
    before = here.state
    events = here.ask(None, Join("tic_tac_toe", "bob"), now=10.0)
    assert notices(before, here.state, events) == (Notice(0, "turn"),)


def test_the_end_of_a_game_puts_all_of_its_notices_out_of_date() -> None:
    here = table("1d/move", "ann", "bob")
    assert told(here, 1, Resign()) == ([], (0, 1))


def test_a_player_who_was_told_of_a_turn_that_is_taken_back_is_told_no_more() -> None:
    here = table("1d/move", "ann", "bob")
    told(here, 0, PlayMove(Move(None, 4)))
    told(here, 0, Propose(Takeback(1)))
    assert told(here, 1, Propose(Takeback(1))) == ([(0, "turn")], (1,))


def test_coming_and_going_in_a_correspondence_game_is_no_news_but_who_comes_has_seen() -> None:
    here = table("1d/move", "ann", "bob")
    for seat in (0, 1):
        here.ask(seat, Leave(lost=True), now=10.0)
    assert told(here, 0, Join("tic_tac_toe", "ann")) == ([], (0,))


def test_a_player_who_waits_elsewhere_is_told_that_another_has_come_and_come_back() -> None:
    here = table("300+5", "ann", "bob")
    for seat in (0, 1):
        here.ask(seat, Leave(lost=True), now=10.0)
    assert [seat.kind for seat in here.state.seats] == [SeatKind.RESERVED] * 2
    assert told(here, 1, Join("tic_tac_toe", "bob")) == ([(0, "back")], (1,))
    assert told(here, 0, Join("tic_tac_toe", "ann")) == ([], (0,))


@pytest.mark.parametrize(("private", "expected"), [(True, [(0, "joined")]), (False, [])])
def test_who_sits_at_a_private_table_is_told_that_the_friend_has_come(
    private: bool, expected: list[tuple[int, str]]
) -> None:
    here = table("none", "ann", private=private)
    assert told(here, None, Join("tic_tac_toe", "bob", ready=False))[0] == expected
