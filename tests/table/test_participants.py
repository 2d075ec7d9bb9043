"""Agreement needs the seats that still take part: games of three with a seat given up, abandoned or left."""

from __future__ import annotations

import pytest

from gateway.table.state import Status, deadline, participants
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.commands import Join, Leave, Propose
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Outcome, Reason, SeatKind
from protocols.core.proposals import Adjourn, Draw, Rematch, Resume, Start
from tests.table.tables import Conversation, kinds

ANNA, BERT, CARL = 0, 1, 2


def three(**house: object) -> Conversation:
    """Anna, Bert and Carl play ludo."""
    table = Conversation("ludo", seats=3, house=HouseRules(**house))  # type: ignore[arg-type]
    table.join("anna", "bert", "carl")
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING
    return table


def two_of_three(**house: object) -> Conversation:
    """Carl has left for good."""
    table = three(**house)
    assert kinds(table.ask(CARL, Leave(), 1.0))[:2] == ["SeatLeft", "SeatWithdrawn"]
    return table


def both_propose(table: Conversation, proposal: Draw | Adjourn | Resume | Rematch | Start) -> None:
    table.ask(ANNA, Propose(proposal), 2.0)
    table.ask(BERT, Propose(proposal), 3.0)


def refusal(table: Conversation, seat: int, command: cmd.Command) -> Refused:
    with pytest.raises(Refused) as error:
        table.ask(seat, command, 2.0)
    return error.value


def test_those_who_are_left_may_draw() -> None:
    table = two_of_three()
    both_propose(table, Draw())
    assert table.state.outcome == Outcome(None, Reason.AGREEMENT, places=(1, 1, 3))


def test_those_who_are_left_resume_an_adjourned_game() -> None:
    table = two_of_three()
    both_propose(table, Adjourn())
    both_propose(table, Resume())
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING


def test_a_game_that_the_network_interrupted_goes_on_when_those_who_are_left_return() -> None:
    table = two_of_three()
    for seat in (ANNA, BERT):
        table.ask(seat, Leave(lost=True), 2.0)
    assert "GameAdjourned" in kinds(table.wait(100.0, kept=[ANNA, BERT]))
    for seat in (ANNA, BERT):
        table.ask(seat, Join("ludo"), 110.0)
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING


@pytest.mark.parametrize("proposal", [Rematch(), Start()])
def test_those_who_are_left_play_again_and_the_empty_seat_gives_up_at_once(proposal: Rematch | Start) -> None:
    table = two_of_three()
    table.ask(BERT, cmd.Resign(), 2.0)
    table.ask(ANNA, Propose(proposal), 2.0)
    again = table.ask(BERT, Propose(proposal), 3.0)
    begun = kinds(again).index("GameStarted")
    assert isinstance(again[begun + 1], ev.SeatWithdrawn)
    assert again[begun + 1].seat == CARL  # type: ignore[union-attr]
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING
    assert participants(table.state) == (ANNA, BERT)


def test_a_rematch_that_waits_for_one_more_begins_when_that_one_leaves() -> None:
    table = three()
    both_propose(table, Draw())
    table.ask(CARL, Propose(Draw()), 3.0)
    both_propose(table, Rematch())
    assert table.state.status is Status.OVER
    assert "GameStarted" in kinds(table.ask(CARL, Leave(), 4.0))
    assert participants(table.state) == (ANNA, BERT)


def test_a_lost_seat_is_waited_for_before_a_rematch_until_its_grace_is_over() -> None:
    table = three(grace_s=60.0)
    table.ask(CARL, Leave(lost=True), 1.0)
    for seat in (BERT, CARL):
        table.ask(seat, cmd.Resign(), 1.0)
    both_propose(table, Rematch())
    assert table.state.status is Status.OVER
    assert kinds(table.wait(61.0))[:2] == ["SeatLeft", "Agreed"]
    assert table.state.games == 2


def test_one_alone_plays_no_rematch() -> None:
    table = Conversation("tic_tac_toe")
    table.join("anna", "bert")
    table.ask(BERT, Leave(), 1.0)
    table.ask(ANNA, Propose(Rematch()), 2.0)
    assert table.state.status is Status.OVER


@pytest.mark.parametrize(
    "command",
    [
        cmd.Resign(),
        cmd.Forfeit("by its own fault"),
        cmd.ClaimEnd(None),
        cmd.Decline("Draw"),
        Propose(Draw()),
        Propose(Adjourn()),
    ],
    ids=lambda command: repr(command),
)
def test_a_seat_that_has_given_up_has_no_say_in_the_game(command: cmd.Command) -> None:
    table = three()
    table.ask(CARL, cmd.Resign(), 1.0)
    table.ask(ANNA, Propose(Draw()), 1.5)
    before = table.state
    refused = refusal(table, CARL, command)
    assert (refused.why, refused.text) == (Why.NOT_NOW, "you have given up already")
    assert table.state == before


def test_a_seat_that_has_given_up_may_speak_leave_and_play_again() -> None:
    table = three()
    table.ask(CARL, cmd.Resign(), 1.0)
    assert kinds(table.ask(CARL, cmd.Say("all", "well played"), 2.0)) == ["Said"]
    both_propose(table, Draw())
    both_propose(table, Rematch())
    assert table.state.status is Status.OVER, "Carl still sits here"
    table.ask(CARL, Propose(Rematch()), 4.0)
    assert participants(table.state) == (ANNA, BERT, CARL)


def test_no_house_bot_takes_the_seat_of_one_that_has_given_up() -> None:
    table = three(abandoned="bot")
    table.ask(CARL, cmd.Resign(), 1.0)
    assert table.ask(CARL, Leave(), 2.0) == [ev.SeatLeft(CARL, SeatKind.ABANDONED)]


def test_a_house_bot_that_takes_a_seat_completes_what_the_others_agreed() -> None:
    table = three(abandoned="bot")
    both_propose(table, Adjourn())
    assert kinds(table.ask(CARL, Leave(), 4.0)) == ["SeatLeft", "SeatTaken", "Agreed", "GameAdjourned"]


def test_a_house_bot_that_takes_a_seat_agrees_to_no_draw() -> None:
    table = three(abandoned="bot")
    both_propose(table, Draw())
    table.ask(CARL, Leave(), 4.0)
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING


def test_a_table_closes_when_the_last_to_leave_had_given_up() -> None:
    """Anna watches two house bots; no person is expected once she goes."""
    table = three(abandoned="bot")
    table.ask(ANNA, cmd.Resign(), 1.0)
    for seat in (BERT, CARL):
        table.ask(seat, Leave(), 2.0)
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING
    assert kinds(table.ask(ANNA, Leave(), 3.0)) == ["SeatLeft", "GameEnded", "TableClosed"]


def test_a_table_does_not_wait_for_a_lost_seat_that_had_given_up() -> None:
    table = three(abandoned="bot", grace_s=60.0)
    table.ask(ANNA, cmd.Resign(), 1.0)
    for seat in (BERT, CARL):
        table.ask(seat, Leave(), 2.0)
    table.ask(ANNA, Leave(lost=True), 3.0)
    assert deadline(table.state) == 63.0
    assert kinds(table.wait(63.0))[-2:] == ["GameEnded", "TableClosed"]


def test_a_player_who_returns_to_a_game_given_up_does_not_hold_it_up() -> None:
    table = two_of_three()
    for seat in (ANNA, BERT):
        table.ask(seat, Leave(lost=True), 2.0)
    table.wait(100.0, kept=[ANNA, BERT])
    assert kinds(table.ask(CARL, Join("ludo"), 105.0)) == ["SeatTaken"]
    for seat in (ANNA, BERT):
        table.ask(seat, Join("ludo"), 110.0)
    assert table.state.status is Status.PLAYING
    assert table.state.status is Status.PLAYING
