"""Each command gives its events in order, or a refusal with its own reason."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from gateway.table import dice
from gateway.table.state import Status, deadline
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Move, Outcome, Reason, SeatKind
from protocols.core.proposals import Adjourn, Draw, Proposal, Rematch, Resume, Score, Start, Takeback
from tests.table.tables import SECRET, Conversation, kinds


def refused(table: Conversation, seat: int | None, command: cmd.Command, now: float = 0.0) -> Refused:
    before = table.state
    with pytest.raises(Refused) as error:
        table.ask(seat, command, now)
    assert table.state is before
    return error.value


def test_a_game_starts_when_the_last_seat_is_taken() -> None:
    table = Conversation()
    assert kinds(table.join("anna")) == ["SeatTaken", "Proposed"]
    assert kinds(table.join("bert")) == ["SeatTaken", "Proposed", "Agreed", "GameStarted", "TurnStarted"]
    assert table.state.turn == 0
    assert table.state.status is Status.PLAYING


def test_somebody_who_is_not_ready_only_sits_down() -> None:
    table = Conversation()
    table.join("anna")
    assert kinds(table.ask(None, cmd.Join("tic_tac_toe", "bert", ready=False))) == ["SeatTaken"]
    events = table.ask(1, cmd.Propose(Start(table.state.settings)))
    assert kinds(events) == ["Proposed", "Agreed", "GameStarted", "TurnStarted"]


def test_a_move_brings_the_move_and_the_next_turn() -> None:
    table = Conversation()
    table.join("anna", "bert")
    made, turn = table.play(4)
    assert made == ev.MoveMade(0, Move(None, 4, "x"), 1, "b2", ((4, "x"),), ".../.x./... 1")
    assert turn == ev.TurnStarted(1)


def test_the_last_move_brings_the_end() -> None:
    table = Conversation()
    table.join("anna", "bert")
    events = table.play(4, 0, 2, 1, 6)
    assert kinds(events) == ["MoveMade", "GameEnded"]
    assert events[1] == ev.GameEnded(Outcome(0, Reason.RULES, "three in a row"))
    assert table.state.status is Status.OVER


def test_moves_are_refused_for_their_own_reasons() -> None:
    table = Conversation()
    assert refused(table, None, cmd.PlayMove(Move(None, 4))).why is Why.NOT_SEATED
    table.join("anna")
    assert refused(table, 0, cmd.PlayMove(Move(None, 4))).why is Why.NOT_PLAYING
    table.join("bert")
    assert refused(table, 1, cmd.PlayMove(Move(None, 4))).why is Why.NOT_YOUR_TURN
    assert refused(table, 0, cmd.PlayMove(Move(None, 4), ply=3)).why is Why.WRONG_PLY
    assert refused(table, 0, cmd.PlayMove(Move(None, 40))).why is Why.OUT_OF_BOUNDS
    assert refused(table, 0, cmd.PlayMove(text="z9")).why is Why.ILLEGAL
    assert refused(table, 0, cmd.PlayMove(text="hello")).why is Why.SYNTAX
    table.play(4)
    assert refused(table, 1, cmd.PlayMove(Move(None, 4))).why is Why.ILLEGAL


def test_a_move_may_be_written_and_may_have_several_readings() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert table.ask(0, cmd.PlayMove(text="B2"))[0] == ev.MoveMade(
        0, Move(None, 4, "x"), 1, "b2", ((4, "x"),), ".../.x./... 1"
    )
    events = table.ask(1, cmd.PlayMove(Move(None, 4), others=(Move(None, 99), Move(None, 8))))
    assert isinstance(events[0], ev.MoveMade)
    assert events[0].move == Move(None, 8, "o")


def test_of_several_illegal_readings_the_first_one_is_explained() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert refused(table, 0, cmd.PlayMove(Move(None, 99), others=(Move(1, 2),))).why is Why.OUT_OF_BOUNDS


def test_a_resignation_gives_the_other_the_game() -> None:
    table = Conversation()
    assert refused_before_start(table).why is Why.NOT_PLAYING
    table.join("bert")
    assert table.ask(0, cmd.Resign()) == [ev.GameEnded(Outcome(1, Reason.RESIGNATION))]


def refused_before_start(table: Conversation) -> Refused:
    table.join("anna")
    return refused(table, 0, cmd.Resign())


def test_nobody_gives_up_twice() -> None:
    table = Conversation("ludo", seats=3)
    table.join("anna", "bert", "carl")
    table.ask(2, cmd.Resign())
    assert refused(table, 2, cmd.Resign()).why is Why.NOT_NOW


def test_the_same_is_not_proposed_twice() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.ask(1, cmd.Propose(Draw()))
    assert refused(table, 1, cmd.Propose(Draw())).why is Why.NOT_NOW


def test_a_draw_needs_both() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert kinds(table.ask(1, cmd.Propose(Draw()))) == ["Proposed"]
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["Proposed", "Agreed", "GameEnded"]
    assert table.state.outcome == Outcome(None, Reason.AGREEMENT)


def test_a_proposal_lapses_when_the_other_side_moves() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.ask(1, cmd.Propose(Draw()))
    table.play(4)
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["Proposed"]


def test_a_proposal_stands_after_a_move_of_who_made_it() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.ask(0, cmd.Propose(Draw()))
    table.play(4)
    assert kinds(table.ask(1, cmd.Propose(Draw()))) == ["Proposed", "Agreed", "GameEnded"]


@pytest.mark.parametrize("plies", [1, 2])
def test_a_takeback_stands_for_the_position_that_it_named_and_either_number_agrees(plies: int) -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.play(4, 0)
    table.ask(0, cmd.Propose(Takeback(1)))
    table.play(8)
    events = table.ask(1, cmd.Propose(Takeback(plies)))
    assert events[:2] == [ev.Proposed(1, Takeback(2)), ev.Agreed(Takeback(2))]
    assert (table.state.ply, table.state.turn, table.state.proposals) == (1, 1, ())


def test_a_proposal_can_be_declined() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.ask(1, cmd.Propose(Draw()))
    assert table.ask(0, cmd.Decline("Draw")) == [ev.Declined(0, "Draw")]
    assert refused(table, 0, cmd.Decline("Draw")).why is Why.NOT_NOW
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["Proposed"], "the declined one is void"


def test_a_takeback_restores_the_board_and_the_turn() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.play(4, 0)
    table.ask(0, cmd.Propose(Takeback(2)))
    assert kinds(table.ask(1, cmd.Propose(Takeback(1)))) == ["Proposed"], "another number is another proposal"
    events = table.ask(1, cmd.Propose(Takeback(2)))
    assert events[2] == ev.MovesTakenBack(2, 0, ((0, None), (4, None)), ".../.../... 0")
    assert events[3] == ev.TurnStarted(0)
    table.play(8)
    assert table.state.ply == 1


def test_more_moves_than_were_made_cannot_be_taken_back() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert refused(table, 0, cmd.Propose(Takeback(1))).why is Why.NOT_NOW
    assert refused(table, 0, cmd.Propose(Takeback(-1))).why is Why.NOT_NOW


def test_an_adjourned_game_goes_on_only_when_both_agree() -> None:
    table = Conversation(time="60")
    table.join("anna", "bert", now=100.0)
    table.ask(0, cmd.Propose(Adjourn()), now=110.0)
    assert kinds(table.ask(1, cmd.Propose(Adjourn()), now=120.0)) == ["Proposed", "Agreed", "ClockSet", "GameAdjourned"]
    assert deadline(table.state) == 120.0 + 604_800.0, "no clock runs; a week later the table waits no more"
    assert refused(table, 0, cmd.PlayMove(Move(None, 4))).why is Why.NOT_PLAYING
    table.ask(1, cmd.Propose(Resume()), now=5000.0)
    events = table.ask(0, cmd.Propose(Resume()), now=6000.0)
    assert kinds(events) == ["Proposed", "Agreed", "GameResumed", "TurnStarted"]
    assert deadline(table.state) == 6000.0 + 40.0, "twenty of sixty seconds were used"


def test_a_rematch_begins_a_new_game_at_the_same_table() -> None:
    table = Conversation()
    table.join("anna", "bert")
    table.ask(0, cmd.Resign())
    table.ask(0, cmd.Propose(Rematch()))
    events = table.ask(1, cmd.Propose(Rematch()))
    assert isinstance(events[3], ev.GameStarted)
    assert events[3].number == 2
    assert table.state.ply == 0


@pytest.mark.parametrize(
    ("proposal", "why"),
    [
        (Rematch(), Why.NOT_NOW),
        (Resume(), Why.NOT_NOW),
        (Score(), Why.NOT_NOW),
        (Takeback(1), Why.NOT_NOW),
    ],
)
def test_proposals_out_of_place_are_refused(proposal: Proposal, why: Why) -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert refused(table, 0, cmd.Propose(proposal)).why is why


def test_a_flag_falls_at_its_deadline_and_loses() -> None:
    table = Conversation(time="60")
    table.join("anna", "bert", now=100.0)
    assert deadline(table.state) == 160.0
    assert table.wait(159.9) == []
    events = table.wait(160.0)
    assert events[-1] == ev.GameEnded(Outcome(1, Reason.TIME))
    assert deadline(table.state) is None


def test_a_move_after_the_flag_has_fallen_loses_too() -> None:
    table = Conversation(time="60")
    table.join("anna", "bert", now=100.0)
    events = table.play(4, now=161.0)
    assert kinds(events) == ["ClockSet", "GameEnded"]


@pytest.mark.parametrize("command", [cmd.PlayMove(Move(None, 1)), cmd.Propose(Takeback(1))])
def test_a_turn_does_not_begin_before_the_one_before_it(command: cmd.Command) -> None:
    """A command that came early, or waited while a pause set the clocks on, counts from the clock's start."""
    table = Conversation(time="60")
    table.join("ann", "bob")
    table.play(0, now=10.0)
    table.ask(0, cmd.Propose(Takeback(1)), now=11.0)
    table.ask(1, command, now=7.0)
    assert table.state.clock is not None
    assert table.state.clock.running == 0
    assert table.state.clock.since == 10.0
    assert table.state.clock.readings[1].main_s == 60.0


def test_clocks_run_for_the_seat_to_move_only() -> None:
    table = Conversation(time="60")
    table.join("anna", "bert", now=100.0)
    table.play(4, now=110.0)
    table.play(0, now=115.0)
    assert table.state.clock is not None
    assert [reading.main_s for reading in table.state.clock.readings] == [50.0, 55.0]


def test_dice_are_rolled_before_the_first_turn_and_can_be_proved_at_the_end() -> None:
    table = Conversation("ludo")
    events = table.join("anna", "bert")
    started = next(event for event in events if isinstance(event, ev.GameStarted))
    secret = dice.game_secret(SECRET, 1)
    assert started.commitment == dice.commitment(secret)
    rolls = [event for event in events if isinstance(event, ev.DiceRolled)]
    assert [roll.value for roll in rolls] == [dice.roll(secret, number, 6) for number in range(1, len(rolls) + 1)]
    assert isinstance(events[-1], ev.TurnStarted)
    ended = table.ask(0, cmd.Resign())[-1]
    assert ended == ev.GameEnded(Outcome(1, Reason.RESIGNATION), secret.hex())


def test_dice_cannot_be_taken_back() -> None:
    table = Conversation("ludo")
    table.join("anna", "bert")
    assert refused(table, 0, cmd.Propose(Takeback(1))).why is Why.UNSUPPORTED


def test_what_is_said_is_one_printable_line() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert table.ask(0, cmd.Say("all", "good\nluck\x07")) == [ev.Said(0, "all", "good luck", "anna")]
    assert refused(table, 0, cmd.Say("all", " \n ")).why is Why.SYNTAX
    assert refused(table, 0, cmd.Say("all", "x" * 401)).why is Why.SYNTAX


def test_a_claim_is_checked_not_believed() -> None:
    table = Conversation()
    table.join("anna", "bert")
    assert refused(table, 0, cmd.ClaimEnd(0)).why is Why.NOT_NOW
    table.ask(0, cmd.Resign())
    assert refused(table, 0, cmd.ClaimEnd(0)).why is Why.NOT_NOW
    assert table.ask(1, cmd.ClaimEnd(1)) == []


def test_house_bots_decline_draws_and_agree_to_takebacks() -> None:
    table = Conversation(house=HouseRules(bot_after_s=0.0))
    table.join("anna")
    assert table.state.seats[1].kind is SeatKind.BOT
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["Proposed", "Declined"]
    table.play(4, 0)
    assert "MovesTakenBack" in kinds(table.ask(0, cmd.Propose(Takeback(2))))


def test_in_a_rated_game_house_bots_decline_takebacks() -> None:
    table = Conversation(house=HouseRules(bot_after_s=0.0))
    table.state = table.first = replace(table.first, settings=dataclasses.replace(table.first.settings, rated=True))
    table.join("anna")
    table.play(4, 0)
    assert kinds(table.ask(0, cmd.Propose(Takeback(2)))) == ["Proposed", "Declined"]
