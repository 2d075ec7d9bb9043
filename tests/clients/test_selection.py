"""A cursor chooses legal moves, square by square."""

from __future__ import annotations

from clients.selection import Selection
from protocols.core.model import PASS, Move

STEPS = (Move(9, 16), Move(9, 18), Move(11, 18))


def chosen(*moves: Move, free: bool = False, occupied: frozenset[int] = frozenset()) -> Selection:
    selection = Selection(8, 8, cursor=9)
    selection.offer(moves, occupied, free=free)
    return selection


def test_the_cursor_stops_at_the_edge() -> None:
    selection = Selection(8, 8)
    selection.step(-1, -1)
    assert selection.cursor == 0
    selection.step(20, 20)
    assert selection.cursor == 63


def test_pressing_a_piece_shows_its_targets_and_pressing_a_target_makes_the_move() -> None:
    selection = chosen(*STEPS)
    assert selection.sources() == {9, 11}
    assert selection.press(9) is None
    assert selection.targets() == {16, 18}
    assert selection.press(18) == Move(9, 18)
    assert selection.source is None


def test_pressing_the_selected_piece_or_a_useless_square_unselects() -> None:
    selection = chosen(*STEPS)
    for square in (9, 40):
        selection.press(9)
        assert selection.press(square) is None
        assert selection.source is None


def test_another_piece_can_be_selected_at_once() -> None:
    selection = chosen(*STEPS)
    selection.press(9)
    selection.press(11)
    assert selection.source == 11


def test_a_piece_with_one_target_takes_the_cursor_there() -> None:
    selection = chosen(*STEPS)
    selection.press(11)
    assert selection.cursor == 18


def test_among_few_pieces_the_cursor_is_put_on_one() -> None:
    selection = chosen(Move(40, 41))
    assert selection.cursor == 40


def test_the_chosen_kind_of_piece_is_placed() -> None:
    selection = chosen(Move(None, 5, "cat"), Move(None, 5, "dog"), Move(None, 6, "dog"))
    assert selection.pieces == ["cat", "dog"]
    assert selection.targets() == {5}
    selection.choose("dog")
    assert selection.targets() == {5, 6}
    assert selection.press(6) == Move(None, 6, "dog")


def test_a_kind_that_is_used_up_gives_way_to_the_first_left() -> None:
    selection = chosen(Move(None, 5, "cat"), Move(None, 5, "dog"))
    selection.choose("dog")
    selection.offer([Move(None, 6, "cat")], frozenset(), free=False)
    assert selection.piece == "cat"


def test_a_new_turn_unselects() -> None:
    selection = chosen(*STEPS)
    selection.press(9)
    selection.offer([Move(9, 16)], frozenset(), free=False)
    assert selection.source is None


def test_where_the_position_is_unknown_anything_can_be_asked() -> None:
    selection = chosen(free=True, occupied=frozenset({3}))
    assert selection.press(3) is None
    assert selection.press(40) == Move(3, 40)
    assert selection.press(41) == Move(None, 41)
    assert selection.can_pass


def test_a_pass_is_possible_where_the_rules_have_one() -> None:
    assert chosen(*STEPS, PASS).can_pass
    assert not chosen(*STEPS).can_pass


def test_jumping_visits_the_useful_squares_in_a_circle() -> None:
    selection = chosen(*STEPS)
    visited = []
    for _ in range(3):
        selection.jump(1)
        visited.append(selection.cursor)
    assert visited == [11, 9, 11]
    selection.jump(-1)
    assert selection.cursor == 9


def test_where_pieces_move_a_piece_to_place_is_chosen_first_and_for_one_turn() -> None:
    drops = (Move(9, 16), Move(None, 5, "pawn"))
    selection = chosen(*drops)
    assert selection.targets() == set()
    assert selection.press(5) is None
    selection.choose("pawn")
    assert selection.targets() == {5}
    assert selection.press(5) == drops[1]
    selection.offer([*drops, Move(None, 6, "pawn")], frozenset(), free=False)
    assert selection.piece == ""


def test_escape_puts_a_piece_that_could_be_placed_away_again() -> None:
    selection = chosen(Move(9, 16), Move(None, 5, "pawn"))
    selection.choose("pawn")
    selection.clear()
    assert selection.targets() == set()


def test_moves_that_differ_in_what_a_piece_becomes_are_alternatives() -> None:
    becoming = [Move(8, 0, piece) for piece in ("queen", "rook")]
    selection = chosen(*becoming, Move(8, 1, "queen"), Move(9, 1))
    assert selection.alternatives(becoming[0]) == becoming
    assert selection.alternatives(Move(9, 1)) == [Move(9, 1)]


def test_where_the_position_is_unknown_a_move_has_no_alternatives() -> None:
    assert chosen(free=True).alternatives(Move(3, 40)) == [Move(3, 40)]
