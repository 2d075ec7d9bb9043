"""The position tracker finds the moves that a told board allows, and the one that was made."""

from __future__ import annotations

from clients.position_tracker import PositionTracker
from gateway import registry
from protocols.core.model import Move

CHESS = registry.game("chess")
PROMOTION = "1r5k/P6p/8/8/8/8/8/4K3 w - - 0 1"


def standing(start: str = "", variant: str = "") -> PositionTracker:
    rules = PositionTracker(CHESS, CHESS.settings(variant, 2, start))
    rules.begin(again=False)
    return rules


def test_of_several_promotions_the_usual_one_comes_first_or_the_one_that_was_asked_for() -> None:
    rules, knight = standing(PROMOTION), Move(8, 0, "knight")
    kinds = [move.piece for move in rules.readings(Move(8, 0), None)]
    assert kinds == ["queen", "rook", "bishop", "knight"]
    assert rules.readings(Move(8, 0), knight)[0] == knight


def test_a_placement_tells_which_promotion_it_was() -> None:
    rules = standing(PROMOTION)
    rules.play(rules.readings(Move(8, 0), None), 0, (8, 0))
    assert rules.in_doubt
    assert not rules.decides(1, "white rook")
    assert rules.decides(0, "white rook")
    assert rules.board()[0] == "white rook"
    made = rules.decided()
    assert made is not None
    assert (made.notation, made.squares) == ("a8=R", (8, 0))
    assert rules.decided() is None


def test_an_ordinary_move_is_in_no_doubt() -> None:
    rules = standing()
    rules.play(rules.readings(Move(52, 36), None), 0, (52, 36))
    assert not rules.in_doubt
    assert not rules.decides(36, "white queen")


def test_what_the_rules_do_not_know_has_no_reading() -> None:
    rules = standing()
    assert rules.readings(Move(52, 28), None) == []
    assert rules.readings(Move(None, 28, "white pawn"), None) == []
    rules.forget()
    assert rules.readings(Move(52, 36), None) == []
    assert PositionTracker(None, None).readings(Move(52, 36), None) == []


def test_a_drop_is_understood_by_the_piece_that_stands_there_afterwards() -> None:
    rules = standing("4k3/8/8/8/8/8/PPPP4/4K3[N] w - - 0 1", "crazyhouse")
    assert rules.readings(Move(None, 28, "white knight"), None) == [Move(None, 28, "knight")]


def test_what_happens_outside_the_rules_leaves_nothing_known_until_it_is_found_again() -> None:
    rules = standing()
    board = rules.board()
    rules.lose()
    assert (rules.position, rules.history.last, rules.legal_moves(), rules.to_move()) == (None, None, [], None)
    rules.fit(board, 0)
    assert len(rules.legal_moves()) == 20


def test_a_placement_goes_where_the_rules_take_it() -> None:
    game = registry.game("connect_four")
    rules = PositionTracker(game, game.settings())
    assert rules.meant(3, "red") == 3
    rules.begin(again=False)
    assert (rules.meant(3, "red"), rules.meant(38, "red")) == (38, 38)
    assert rules.meant(3, "yellow") == 3


def test_a_placement_that_the_rules_do_not_know_stays_where_it_is() -> None:
    assert PositionTracker(None, None).meant(3, "red") == 3
    assert standing().meant(27, "white queen") == 27
