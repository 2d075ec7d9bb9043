"""Go, rule by rule: a diagram before, a move, a diagram after."""

from __future__ import annotations

import pickle

import pytest

from protocols.core.errors import Refused, Why
from protocols.core.model import PASS, Move
from tests.games.go_boards import GAME, begin, played, refused, settings, shows, square


@pytest.mark.parametrize("size", range(5, 26))
def test_every_board_begins_empty_with_black_to_move_and_its_corners_have_their_names(size: int) -> None:
    position = GAME.start(settings(size))
    assert (GAME.to_move(position), GAME.board(position)) == (0, {})
    assert len(GAME.legal_moves(position)) == size * size + 1
    last = "EFGHJKLMNOPQRSTUVWXYZ"[size - 5]
    corners = {f"A{size}": 0, f"{last}{size}": size - 1, "A1": size * (size - 1), f"{last}1": size * size - 1}
    for name, number in corners.items():
        assert GAME.parse(position, name) == Move(None, number, "black")
        assert GAME.notation(position, Move(None, number, "black")) == name


def test_the_letter_i_names_no_column() -> None:
    position = GAME.start(settings(9))
    assert GAME.parse(position, "h5").target == 4 * 9 + 7
    assert GAME.parse(position, "j5").target == 4 * 9 + 8
    assert refused(position, "I5").why is Why.SYNTAX


def test_a_stone_without_liberties_is_taken() -> None:
    before = begin("""
        . X . . .
        X O X . .
        . . . . .
        . . . . .
        . . . . O
        """)
    after = GAME.play(before, Move(None, square("B3", 5), "black"))
    assert shows(
        after,
        """
        . X . . .
        X . X . .
        . X . . .
        . . . . .
        . . . . O
        """,
    )
    assert after.taken == (1, 0)
    assert GAME.changes(before, Move(None, 11, "black")) == [(6, None), (11, "black")]


def test_strings_are_taken_whole_and_several_at_once_in_the_corner_and_on_the_edge() -> None:
    before = begin("""
        O O . O O
        X X O X X
        . . X . .
        . . . . .
        . . . . .
        """)
    after = played(before, "C5")
    assert shows(
        after,
        """
        . . X . .
        X X . X X
        . . X . .
        . . . . .
        . . . . .
        """,
    )
    assert after.taken == (5, 0)


def test_a_stone_that_takes_may_stand_where_it_had_no_liberty() -> None:
    before = begin("""
        . O X . .
        O X X . .
        X X . . .
        . . . . .
        . . . . .
        """)
    assert shows(
        played(before, "A5"),
        """
        X . X . .
        . X X . .
        X X . . .
        . . . . .
        . . . . .
        """,
    )


SUICIDE = """
    . X . O .
    X . . O O
    O O O O .
    . . . . .
    . . . . .
    """


def test_suicide_of_one_stone_is_forbidden_by_default() -> None:
    error = refused(begin(SUICIDE, "white"), "A5")
    assert (error.why, error.text) == (Why.ILLEGAL, "suicide: a stone on A5 would have no liberty")


TWO_INSIDE = """
    . X O . .
    X X O . .
    O O O . .
    . . . . .
    . . . . .
    """


def test_suicide_of_a_string_is_forbidden_or_takes_it_off_for_the_other_side() -> None:
    assert refused(begin(TWO_INSIDE), "A5").text.startswith("suicide")
    allowed = begin(TWO_INSIDE, suicide="allowed")
    after = played(allowed, "A5")
    assert shows(
        after,
        """
        . . O . .
        . . O . .
        O O O . .
        . . . . .
        . . . . .
        """,
    )
    assert after.taken == (0, 4)
    assert GAME.changes(allowed, Move(None, 0, "black")) == [(1, None), (5, None), (6, None)]
    assert GAME.to_move(after) == 1


def test_two_passes_stop_play_and_one_does_not() -> None:
    position = played(GAME.start(settings(9)), "E5 pass")
    assert (GAME.settling(position), GAME.to_move(position)) == (False, 0)
    position = played(position, "pass")
    assert (GAME.settling(position), GAME.to_move(position), GAME.outcome(position)) == (True, None, None)
    assert GAME.legal_moves(position) == []
    assert refused(position, "A1").text == "both have passed: agree what is dead, or go on playing"


def test_play_goes_on_with_the_seat_that_did_not_pass_last_and_takes_two_more_passes_to_stop() -> None:
    stopped = played(GAME.start(settings(9)), "E5 C3 pass pass")
    position = GAME.played_on(stopped)
    assert (GAME.to_move(position), GAME.settling(position)) == (0, False)
    assert not GAME.settling(played(position, "pass"))
    assert GAME.settling(played(position, "G7 pass pass"))
    assert GAME.text(position).endswith(" from moves E5 C3 pass pass resume")
    again = GAME.start(settings(9, start=GAME.text(position)))
    assert again == position


def test_nothing_is_scored_and_nothing_goes_on_before_play_has_stopped() -> None:
    position = played(GAME.start(settings(9)), "E5 pass")
    for settle in (lambda: GAME.scored(position, ()), lambda: GAME.played_on(position)):
        with pytest.raises(Refused) as caught:
            settle()
        assert caught.value.why is Why.NOT_NOW


def test_every_refusal_has_its_own_cause() -> None:
    position = played(GAME.start(settings(9)), "E5 C3")
    black = "black"
    found = {
        (error.why, error.text)
        for error in (
            refused(position, move)
            for move in (
                Move(None, 81, black),
                Move(None, -1, black),
                Move(None, 40, black),
                Move(None, square("C3", 9), black),
                Move(None, 0, "white"),
                Move(None, 0, ""),
                Move(3, 4),
                Move(3, None),
                Move(None, None, "black"),
                "A10",
                "Z9",
                "E",
                "resign",
            )
        )
    }
    assert found == {
        (Why.OUT_OF_BOUNDS, "no square 81 on a board of 9x9"),
        (Why.OUT_OF_BOUNDS, "no square -1 on a board of 9x9"),
        (Why.OWN_PIECE_THERE, "a stone of yours is on E5"),
        (Why.ILLEGAL, "C3 is occupied"),
        (Why.NO_SUCH_PIECE, "black is to move, and cannot place 'white'"),
        (Why.NO_SUCH_PIECE, "black is to move, and cannot place ''"),
        (Why.ILLEGAL, "stones are not moved: a move places one, or passes"),
        (Why.NO_SUCH_PIECE, "a pass has no piece 'black'"),
        (Why.OUT_OF_BOUNDS, "no point A10 on a board of 9x9"),
        (Why.OUT_OF_BOUNDS, "no point Z9 on a board of 9x9"),
        (Why.SYNTAX, "no point is written 'E'"),
        (Why.SYNTAX, "no point is written 'resign'"),
    }


def test_a_stone_may_be_left_unnamed() -> None:
    position = GAME.start(settings(9))
    assert GAME.normal(position, Move(None, 40)) == Move(None, 40, "black")
    assert GAME.normal(position, PASS) == PASS
    assert GAME.normal(position, Move(None, 81)) == Move(None, 81)


def test_positions_are_small_equal_by_content_and_survive_pickling() -> None:
    position = played(GAME.start(settings(19)), "D4 Q16 pass Q4 D16")
    again = pickle.loads(pickle.dumps(position))
    assert (again, hash(again), again.rules.grid) == (position, hash(position), position.rules.grid)
    assert len(pickle.dumps(position)) < 1_000
    assert played(GAME.start(settings(19)), "D4 Q16 pass Q4 D16") == position
    assert played(GAME.start(settings(19)), "D16 Q16 pass Q4 D4") != position
