"""Which proposals stand: one rule, for the kernel, which acts on them, and for dialects, which show them."""

from __future__ import annotations

import pytest

from protocols.core import events as ev
from protocols.core import standing
from protocols.core.model import Move, Outcome, Reason, SeatKind
from protocols.core.proposals import Abort, Adjourn, Draw, End, Proposal, Rematch, Resume, Score, Start, Takeback
from protocols.core.standing import Standing

DRAW, OTHER_DRAW = ev.Proposed(0, Draw()), ev.Proposed(1, Draw())
ONE_BACK, TWO_BACK = ev.Proposed(0, Takeback(1)), ev.Proposed(0, Takeback(2))


def after(*events: ev.Event) -> Standing:
    stands: Standing = ()
    for event in events:
        stands = standing.after(stands, event)
    return stands


def test_a_seat_has_one_proposal_of_a_kind_and_the_newest_is_last() -> None:
    assert after(ONE_BACK, DRAW, TWO_BACK) == (DRAW, TWO_BACK)


def test_what_was_agreed_upon_stands_no_more_and_other_kinds_do() -> None:
    assert after(DRAW, OTHER_DRAW, ONE_BACK, ev.Agreed(Draw())) == (ONE_BACK,)


def test_who_declines_what_it_has_not_proposed_voids_it_for_all() -> None:
    assert after(DRAW, ONE_BACK, ev.Declined(1, "Draw")) == (ONE_BACK,)


def test_who_has_proposed_it_too_withdraws_its_own_only() -> None:
    assert after(DRAW, OTHER_DRAW, ev.Declined(1, "Draw")) == (DRAW,)


@pytest.mark.parametrize("kind", [SeatKind.OPEN, SeatKind.ABANDONED])
def test_who_leaves_for_good_proposes_nothing(kind: SeatKind) -> None:
    assert after(DRAW, OTHER_DRAW, ev.SeatLeft(0, kind)) == (OTHER_DRAW,)


@pytest.mark.parametrize("proposal", [Draw(), Takeback(2), Adjourn(), Abort(), End(0), Score()])
def test_a_lost_connection_withdraws_nothing(proposal: Proposal) -> None:
    made = ev.Proposed(0, proposal)
    assert after(made, ev.SeatLeft(0, SeatKind.RESERVED), ev.SeatTaken(0, SeatKind.PLAYER, "anna")) == (made,)


@pytest.mark.parametrize("proposal", [Start(), Resume(), Rematch()])
def test_who_is_away_is_not_ready_to_play(proposal: Proposal) -> None:
    assert after(ev.Proposed(0, proposal), ev.SeatLeft(0, SeatKind.RESERVED)) == ()


@pytest.mark.parametrize(
    "event",
    [
        ev.MovesTakenBack(1, 0, (), ""),
        ev.SeatsTurned(1),
        ev.GameResumed(),
        ev.GameEnded(Outcome(None, Reason.AGREEMENT)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_nothing_stands_when_the_game_has_become_another(event: ev.Event) -> None:
    assert after(DRAW, ev.Proposed(1, Adjourn()), event) == ()


def move(seat: int) -> ev.MoveMade:
    return ev.MoveMade(seat, Move(1, 8), 1, "", (), "")


@pytest.mark.parametrize("proposal", [Draw(), Adjourn(), Abort(), End(0)])
def test_a_seat_s_own_move_withdraws_nothing_and_another_s_is_an_answer(proposal: Proposal) -> None:
    """FIDE 9.1.2.1: "the offer cannot be withdrawn and remains valid until the opponent accepts it, rejects it orally,
    rejects it by touching a piece with the intention of moving or capturing it, or the game is concluded"."""
    made = ev.Proposed(0, proposal)
    assert after(made, move(0)) == (made,)
    assert after(made, move(0), move(1)) == ()


def test_who_has_agreed_to_an_offer_may_move_before_the_others_agree() -> None:
    assert after(DRAW, OTHER_DRAW, move(1)) == (DRAW, OTHER_DRAW)
    assert after(DRAW, OTHER_DRAW, move(2)) == ()


def test_play_that_stops_withdraws_nothing() -> None:
    assert after(DRAW, move(0), ev.GameSettling()) == (DRAW,)


def test_a_takeback_stands_for_the_position_that_it_named() -> None:
    (stands,) = after(ONE_BACK, move(0), move(0))
    assert (stands.seat, stands.proposal) == (0, Takeback(3))
    assert after(ONE_BACK, move(0), move(1)) == ()


@pytest.mark.parametrize(("said", "meant"), [(1, 3), (2, 2), (3, 3)])
def test_a_takeback_is_answered_as_it_was_asked_or_as_it_stands(said: int, meant: int) -> None:
    stands = after(ONE_BACK, move(0), move(0))
    assert standing.meant(stands, 1, Takeback(said)) == Takeback(meant)
    assert standing.meant(stands, 0, Takeback(said)) == Takeback(said), "its own words are a new wish"
    assert standing.meant(after(ONE_BACK), 1, Takeback(said)) == Takeback(said)


def test_words_and_a_player_who_comes_change_nothing() -> None:
    assert after(DRAW, ev.Said(1, "all", "no"), ev.SeatTaken(1, SeatKind.PLAYER, "bob")) == (DRAW,)
