"""Players claim draws, flags, and the ends of games without rules."""

from __future__ import annotations

import pytest

from gateway.table.legal import listed
from gateway.table.state import Status
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Outcome, Reason
from protocols.core.proposals import Draw, End, Takeback
from tests.table.tables import Conversation, kinds

KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")
BARE_KING = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
"""White has a pawn, Black nothing that could ever mate."""


def chess(
    *moves: str, time: str = "none", start: str = "", house: HouseRules | None = None, variant: str = ""
) -> Conversation:
    table = Conversation("chess", time=time, start=start, house=house, variant=variant)
    table.join("anna", "bert")
    for move in moves:
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=move))
    return table


def unjudged(*moves: str) -> Conversation:
    table = Conversation("open")
    table.join("anna", "bert")
    for move in moves:
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=move))
    return table


def ended(table: Conversation) -> Outcome | None:
    return table.state.outcome if table.state.status is Status.OVER else None


def test_a_draw_that_the_rules_allow_needs_no_agreement() -> None:
    table = chess(*KNIGHTS, *KNIGHTS)
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["GameEnded"]
    assert ended(table) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_whoever_has_just_made_it_so_may_claim_it_too() -> None:
    table = chess(*KNIGHTS, *KNIGHTS)
    assert kinds(table.ask(1, cmd.Propose(Draw()))) == ["GameEnded"]


def test_a_draw_without_a_reason_is_an_offer() -> None:
    table = chess(*KNIGHTS)
    assert kinds(table.ask(0, cmd.Propose(Draw()))) == ["Proposed"]


def test_a_claim_of_a_draw_is_one_too() -> None:
    table = chess(*KNIGHTS, *KNIGHTS)
    table.ask(0, cmd.ClaimEnd(None))
    assert ended(table) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_a_claim_of_a_draw_that_is_not_so_is_an_offer() -> None:
    """FIDE 9.1.2.3: "A claim of a draw under Article 9.2 or 9.3 shall be considered to be an offer of a draw." """
    table = chess(*KNIGHTS)
    assert table.ask(0, cmd.ClaimEnd(None)) == [ev.Proposed(0, Draw())]


def test_a_claim_of_a_win_that_is_not_so_is_refused() -> None:
    with pytest.raises(Refused) as error:
        chess(*KNIGHTS).ask(0, cmd.ClaimEnd(0))
    assert error.value.why is Why.NOT_NOW


TAFL = ("h11-h10", "f8-f9", "h10-h11", "f9-f8")


def tafl(*moves: str) -> Conversation:
    table = Conversation("hnefatafl")
    table.join("anna", "bert")
    for move in moves:
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=move))
    return table


def test_a_game_that_the_rules_give_to_one_side_is_that_side_s_to_claim() -> None:
    """The attackers claim a perpetual repetition; nobody loses by offering a draw meanwhile."""
    table = tafl(*TAFL, *TAFL)
    assert kinds(table.ask(1, cmd.Propose(Draw()))) == ["Proposed"]
    assert kinds(table.ask(0, cmd.ClaimEnd(0))) == ["GameEnded"]
    assert ended(table) == Outcome(0, Reason.CLAIM, "perpetual repetition")


@pytest.mark.parametrize(("seat", "winner"), [(0, None), (1, None), (1, 1)])
def test_a_claim_of_another_end_than_the_rules_give_is_refused(seat: int, winner: int | None) -> None:
    with pytest.raises(Refused) as error:
        tafl(*TAFL, *TAFL).ask(seat, cmd.ClaimEnd(winner))
    assert error.value.why is Why.NOT_NOW


def test_what_can_be_claimed_is_listed_for_whom_it_helps() -> None:
    claim = Outcome(0, Reason.CLAIM, "perpetual repetition")
    assert listed(tafl(*TAFL, *TAFL).state, 0).claim == claim
    assert listed(tafl(*TAFL, *TAFL, TAFL[0]).state, 1).claim is None


def test_a_game_that_nobody_claims_goes_on_to_the_fifth_occurrence() -> None:
    table = tafl(*TAFL, *TAFL, *TAFL, *TAFL[:3])
    assert ended(table) is None
    table.ask(1, cmd.PlayMove(text=TAFL[3]))
    assert ended(table) == Outcome(0, Reason.RULES, "perpetual repetition")


@pytest.mark.parametrize("said", [cmd.Propose(Draw()), cmd.ClaimEnd(None)])
def test_a_draw_is_claimed_together_with_the_intended_move(said: cmd.Command) -> None:
    """FIDE 9.2.1.1: "is about to appear, if he first indicates his move ... and declares to the arbiter his intention
    to make this move"."""
    table = chess(*KNIGHTS, *KNIGHTS[:3])
    assert kinds(table.ask(1, said)) == ["Proposed"]
    assert kinds(table.ask(1, cmd.PlayMove(text="f6g8"))) == ["MoveMade", "GameEnded"]
    assert ended(table) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_who_refuses_the_draw_does_not_refuse_the_claim() -> None:
    table = chess(*KNIGHTS, *KNIGHTS[:3])
    table.ask(1, cmd.Propose(Draw()))
    table.ask(0, cmd.Decline("Draw"))
    assert kinds(table.ask(1, cmd.PlayMove(text="f6g8"))) == ["MoveMade", "GameEnded"]


def test_who_withdraws_the_offer_claims_nothing() -> None:
    table = chess(*KNIGHTS, *KNIGHTS[:3])
    table.ask(1, cmd.Propose(Draw()))
    table.ask(1, cmd.Decline("Draw"))
    table.ask(1, cmd.PlayMove(text="f6g8"))
    assert ended(table) is None


def test_a_draw_that_the_other_side_has_offered_before_is_no_claim_with_this_move() -> None:
    table = chess(*KNIGHTS, *KNIGHTS[:3])
    table.ask(0, cmd.Propose(Draw()))
    table.ask(1, cmd.PlayMove(text="f6g8"))
    assert ended(table) is None


def test_a_move_that_mates_wins_though_a_draw_was_offered_with_it() -> None:
    table = chess("f2f3", "e7e5", "g2g4")
    table.ask(1, cmd.Propose(Draw()))
    table.ask(1, cmd.PlayMove(text="d8h4"))
    assert ended(table) == Outcome(1, Reason.RULES, "checkmate")


def test_a_flag_that_falls_before_a_bare_king_is_a_draw() -> None:
    table = chess(time="60", start=BARE_KING)
    assert kinds(table.wait(60.0)) == ["ClockSet", "GameEnded"]
    assert ended(table) == Outcome(None, Reason.TIME, "the other side cannot win")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (cmd.Resign(), Reason.RESIGNATION),
        (cmd.Forfeit("plays an illegal move"), Reason.FORFEIT),
        (cmd.Forfeit(late=True), Reason.TIME),
        (cmd.Leave(), Reason.ABANDONMENT),
    ],
)
def test_whoever_cannot_win_does_not_win_by_the_other_s_giving_up(command: cmd.Command, reason: Reason) -> None:
    """FIDE 5.1.2: "However, the game is drawn if the position is such that the opponent cannot checkmate the player's
    king by any possible series of legal moves." Black has a bare king."""
    table = chess(start=BARE_KING, house=HouseRules(abandoned="loss"))
    table.ask(0, command)
    assert ended(table) == Outcome(None, reason, "the other side cannot win")


def test_a_lost_player_s_grace_that_ends_before_a_bare_king_is_a_draw() -> None:
    table = chess(start=BARE_KING, house=HouseRules(abandoned="loss", grace_s=30.0))
    table.ask(0, cmd.Leave(lost=True))
    table.wait(30.0)
    assert ended(table) == Outcome(None, Reason.ABANDONMENT, "the other side cannot win")


@pytest.mark.parametrize("rules", ["normal", "fischerandom", "crazyhouse", "3check", "kingofthehill"])
def test_a_position_that_no_side_can_win_is_a_draw_at_once(rules: str) -> None:
    """FIDE 5.2.2: "The game is drawn when a position has arisen in which neither player can checkmate the opponent's
    king with any series of legal moves." White's last pawn closes the wall."""
    table = chess(start="8/8/4k3/1p1p1p1p/1P1P1P2/4K2P/8/8 w - - 0 1", variant=rules)
    assert kinds(table.ask(0, cmd.PlayMove(text="h3h4"))) == ["MoveMade", "GameEnded"]
    assert ended(table) == Outcome(None, Reason.RULES, "dead position")


def test_a_draw_is_agreed_once_each_side_has_moved() -> None:
    """FIDE 5.2.3: "The game is drawn upon agreement between the two players during the game, provided both players have
    made at least one move." """
    table = chess()
    table.ask(0, cmd.Propose(Draw()))
    for move in ("e2e4", "e7e5"):
        with pytest.raises(Refused) as error:
            table.ask(1, cmd.Propose(Draw()))
        assert (error.value.why, error.value.text) == (Why.NOT_NOW, "a draw can be agreed once each side has moved")
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=move))
    for seat in (0, 1):
        table.ask(seat, cmd.Propose(Draw()))
    assert ended(table) == Outcome(None, Reason.AGREEMENT)


def test_a_draw_is_agreed_after_both_moved_again_where_their_moves_were_taken_back() -> None:
    table = chess("e2e4", "e7e5")
    for seat in (0, 1):
        table.ask(seat, cmd.Propose(Takeback(2)))
    table.ask(0, cmd.Propose(Draw()))
    with pytest.raises(Refused):
        table.ask(1, cmd.Propose(Draw()))


def test_a_draw_that_a_set_up_lets_players_claim_needs_no_move() -> None:
    table = chess(start="moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    table.ask(0, cmd.Propose(Draw()))
    assert ended(table) == Outcome(None, Reason.CLAIM, "threefold repetition")


def test_other_games_know_no_such_rule() -> None:
    """The WCDF's rules: a game of checkers is drawn "at any stage" where both agree."""
    table = Conversation("checkers")
    table.join("anna", "bert")
    for seat in (0, 1):
        table.ask(seat, cmd.Propose(Draw()))
    assert ended(table) == Outcome(None, Reason.AGREEMENT)


def test_a_bare_king_s_own_flag_loses() -> None:
    table = chess("e2e4", time="60", start=BARE_KING)
    table.wait(60.0)
    assert ended(table) == Outcome(0, Reason.TIME)


def test_where_rules_judge_nobody_disputes_a_move() -> None:
    with pytest.raises(Refused) as error:
        chess("e2e4").ask(1, cmd.Dispute("no"))
    assert error.value.why is Why.UNSUPPORTED
    with pytest.raises(Refused) as error:
        chess("e2e4").ask(1, cmd.Propose(End(1)))
    assert error.value.why is Why.UNSUPPORTED


def test_where_nobody_judges_a_disputed_move_ends_the_game_without_a_winner() -> None:
    table = unjudged("7g7f", "8c8e")
    with pytest.raises(Refused):
        table.ask(1, cmd.Dispute("its own move"))
    table.ask(0, cmd.Dispute("illegal"))
    assert ended(table) == Outcome(None, Reason.VOID, "move 2 is not accepted: illegal")


def test_where_nobody_judges_whoever_concedes_is_believed() -> None:
    table = unjudged("7g7f")
    table.ask(1, cmd.ClaimEnd(0))
    assert ended(table) == Outcome(0, Reason.CLAIM, "conceded")


def test_where_nobody_judges_a_win_for_oneself_needs_the_other() -> None:
    table = unjudged("7g7f")
    assert table.ask(0, cmd.ClaimEnd(0)) == [ev.Proposed(0, End(0))]
    table.ask(1, cmd.ClaimEnd(0))
    assert ended(table) == Outcome(0, Reason.CLAIM, "conceded")


def test_where_nobody_judges_a_draw_is_agreed_upon() -> None:
    table = unjudged("7g7f")
    table.ask(0, cmd.ClaimEnd(None))
    table.ask(1, cmd.ClaimEnd(None))
    assert ended(table) == Outcome(None, Reason.AGREEMENT)


@pytest.mark.parametrize("winner", [2, -1])
def test_nobody_wins_from_a_seat_that_is_not_there(winner: int) -> None:
    with pytest.raises(Refused) as error:
        unjudged("7g7f").ask(1, cmd.ClaimEnd(winner))
    assert error.value.why is Why.BAD_OPTION


def test_who_forfeits_loses_and_the_record_says_why() -> None:
    table = chess("e2e4")
    table.ask(1, cmd.Forfeit("plays an illegal move\n(e9)"))
    assert ended(table) == Outcome(0, Reason.FORFEIT, "plays an illegal move (e9)")


def test_a_flag_that_fell_in_a_gui_is_a_loss_on_time() -> None:
    table = chess("e2e4")
    table.ask(1, cmd.Forfeit(late=True))
    assert ended(table) == Outcome(0, Reason.TIME)
