"""A correspondence game: it goes on by its clock alone, whether its players are there or not."""

from __future__ import annotations

import math

import pytest

from gateway.table import clock as clocks
from gateway.table.seating import adopt
from gateway.table.state import Status, deadline, rests_until
from protocols.core.commands import Leave, PlayMove, Propose, Resign
from protocols.core.events import ClockSet, GameEnded
from protocols.core.model import Clock, HouseRules, Reading, Reason, SeatKind
from protocols.core.proposals import Adjourn
from tests.table.tables import Conversation, kinds

DAY_S = 86_400.0


def begun(game: str = "tic_tac_toe") -> Conversation:
    table = Conversation(game, time="1d/move", house=HouseRules(grace_s=60.0, bot_after_s=None, adjourned_s=7 * DAY_S))
    table.join("ann", "bob")
    return table


@pytest.mark.parametrize("lost", [True, False])
def test_a_seat_is_kept_as_long_as_the_game_lasts(lost: bool) -> None:
    table = begun()
    for seat in (0, 1):
        table.ask(seat, Leave(lost=lost), now=10.0)
    assert [seat.kind for seat in table.state.seats] == [SeatKind.RESERVED] * 2
    assert table.wait(DAY_S - 1) == []
    assert table.state.status is Status.PLAYING


def test_the_clock_alone_ends_a_turn_and_the_seats_are_free_after_the_grace() -> None:
    table = begun()
    for seat in (0, 1):
        table.ask(seat, Leave(lost=True), now=10.0)
    assert deadline(table.state) == DAY_S
    ended = [event for event in table.wait(DAY_S) if isinstance(event, GameEnded)]
    assert [(event.outcome.winner, event.outcome.reason) for event in ended] == [(1, Reason.TIME)]
    assert table.state.until == (DAY_S + 60.0,) * 2
    assert kinds(table.wait(DAY_S + 60.0))[-1] == "TableClosed"


def test_each_move_begins_the_days_anew_while_the_other_player_is_away() -> None:
    table = begun()
    table.ask(1, Leave(lost=True), now=10.0)
    table.play(4, now=DAY_S / 2)
    assert deadline(table.state) == 1.5 * DAY_S
    assert table.state.seats[1].kind is SeatKind.RESERVED


def test_the_table_rests_until_the_flag_falls_when_all_have_gone() -> None:
    table = begun()
    table.ask(0, Leave(lost=True), now=10.0)
    assert rests_until(table.state) is None
    table.ask(1, Leave(lost=True), now=11.0)
    assert rests_until(table.state) == DAY_S


def test_an_adjourned_game_waits_as_every_other() -> None:
    table = begun()
    table.ask(0, Propose(Adjourn()), now=5.0)
    table.ask(1, Propose(Adjourn()), now=5.0)
    assert (table.state.status, deadline(table.state)) == (Status.ADJOURNED, 5.0 + 7 * DAY_S)


def test_a_player_who_is_away_while_a_score_is_settled_has_as_long_as_for_an_adjourned_game() -> None:
    table = Conversation("go", time="1d/move", house=HouseRules(adjourned_s=7 * DAY_S), options={"size": "9"})
    table.join("ann", "bob")
    table.ask(1, Leave(lost=True), now=1.0)
    for seat in (0, 1):
        table.ask(seat, PlayMove(text="pass"), now=2.0)
    assert table.state.turn is None
    assert table.state.until == (0.0, 2.0 + 7 * DAY_S)


def test_another_process_goes_on_with_what_was_left_and_writes_it() -> None:
    table = begun()
    table.play(4, now=100.0)
    draft = adopt(table.state, 5_000.0, 4_990.0, thought_s=3_600.0)
    clock = next(event.clock for event in draft.events if isinstance(event, ClockSet))
    assert clock == Clock((Reading(0.0, DAY_S), Reading(0.0, DAY_S - 3_600.0)), 1, 5_000.0)
    assert deadline(draft.state) == 5_000.0 + DAY_S - 3_600.0
    assert [seat.kind for seat in draft.state.seats] == [SeatKind.RESERVED] * 2


@pytest.mark.parametrize(
    ("left_h", "away_h", "charged_h"), [(24, 3, 3), (24, 100, 18), (7, 3, 1), (5, 3, 0), (24, -1, 0)]
)
def test_a_server_that_was_off_leaves_six_hours_or_what_there_was(left_h: int, away_h: int, charged_h: int) -> None:
    clock = Clock((Reading(0.0, left_h * 3600.0),), 0, 0.0)
    assert clocks.by_calendar(clock, away_h * 3600.0) == charged_h * 3600.0


def test_where_no_clock_runs_nothing_is_charged() -> None:
    assert clocks.by_calendar(Clock((Reading(0.0, DAY_S),), None, 0.0), math.inf) == 0.0


def test_who_resigns_and_leaves_frees_the_table() -> None:
    table = begun()
    table.ask(1, Leave(lost=True), now=1.0)
    table.ask(0, Resign(), now=2.0)
    table.ask(0, Leave(lost=False), now=3.0)
    assert kinds(table.wait(62.0))[-1] == "TableClosed"
