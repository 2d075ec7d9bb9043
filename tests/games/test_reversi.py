"""Reversi, rule by rule: a diagram before, a move, a diagram after."""

from __future__ import annotations

import pytest

from gateway.games.reversi import Position, Reversi
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

GAME = Reversi()

SHORTEST = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
"""A known game of nine moves, after which there is no white disc."""


def begin(rows: str, turn: int = 0) -> Position:
    return GAME.start(GAME.settings(start="/".join(rows.split()) + f" {turn}"))


def written(position: Position) -> list[str]:
    return sorted(GAME.notation(position, move) for move in GAME.legal_moves(position))


def played(position: Position, moves: str) -> Position:
    for move in moves.split():
        position = GAME.play(position, GAME.parse(position, move))
    return position


def shows(position: Position, rows: str) -> bool:
    return GAME.diagram(position).split() == rows.split()


def refusal(position: Position, move: Move | str) -> tuple[Why, str]:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, move) if isinstance(move, str) else GAME.play(position, move)
    return caught.value.why, caught.value.text


FIRST = Position()


def test_black_begins_and_its_discs_are_on_e4_and_d5() -> None:
    assert shows(
        FIRST,
        """
        ........
        ........
        ........
        ...wb...
        ...bw...
        ........
        ........
        ........
        """,
    )
    assert GAME.to_move(FIRST) == 0
    assert written(FIRST) == ["c4", "d3", "e6", "f5"]


def test_a1_is_the_top_left_square_and_h8_the_bottom_right_one() -> None:
    assert [GAME.notation(FIRST, Move(None, at, "black")) for at in (0, 7, 8, 56, 63)] == ["a1", "h1", "a2", "a8", "h8"]


def test_an_enclosed_disc_turns_over() -> None:
    assert shows(
        played(FIRST, "d3"),
        """
        ........
        ........
        ...b....
        ...bb...
        ...bw...
        ........
        ........
        ........
        """,
    )


def test_lines_in_all_eight_directions_turn_over_at_once() -> None:
    star = begin(
        """
        b..b..b.
        .w.w.w..
        ..www...
        bww.wwwb
        ..www...
        .w.w.w..
        b..w..w.
        ...b...b
        """
    )
    assert shows(
        played(star, "d4"),
        """
        b..b..b.
        .b.b.b..
        ..bbb...
        bbbbbbbb
        ..bbb...
        .b.b.b..
        b..b..b.
        ...b...b
        """,
    )


def test_a_line_that_ends_at_the_edge_or_in_an_empty_square_does_not_turn() -> None:
    ends = begin(
        """
        ........
        ........
        ........
        .wwwb...
        ........
        wwww.wwb
        ........
        .bw.ww..
        """
    )
    assert written(ends) == ["a4", "d8", "e6"]
    assert shows(
        played(ends, "e6"),
        """
        ........
        ........
        ........
        .wwwb...
        ........
        wwwwbbbb
        ........
        .bw.ww..
        """,
    )


def test_a_line_does_not_run_on_from_one_row_into_the_next() -> None:
    wrapped = begin(
        """
        ........
        ......ww
        b.......
        ......w.
        .......w
        ........
        b.......
        ........
        """
    )
    assert GAME.legal_moves(wrapped) == []
    assert GAME.outcome(wrapped) == Outcome(1, Reason.RULES, "4-2")


def test_discs_that_were_turned_over_turn_no_others_over() -> None:
    """The disc on d4 encloses b4 and c4. Then b5, too, lies between two of Black's, but not in a line with d4."""
    once = begin(
        """
        ........
        .b......
        ........
        bww.....
        .w......
        .b......
        ........
        ........
        """
    )
    assert shows(
        played(once, "d4"),
        """
        ........
        .b......
        ........
        bbbb....
        .w......
        .b......
        ........
        ........
        """,
    )


def test_a_move_tells_every_disc_it_turned_and_the_one_it_placed() -> None:
    position = played(FIRST, "d3 c3")
    move = GAME.parse(position, "c4")
    assert move == Move(None, 26, "black")
    assert GAME.changes(position, move) == [(26, "black"), (27, "black")]
    assert GAME.changes(FIRST, Move(None, 19, "black")) == [(19, "black"), (27, "black")]


ONE_SIDED = "......wb " + "........ " * 6 + "bw......"
"""White has no move, and still has none when Black has made one of its two."""


def test_a_seat_without_a_move_is_passed_over() -> None:
    before = begin(ONE_SIDED)
    assert written(before) == ["c8", "f1"]
    after = played(before, "c8")
    assert shows(after, "......wb " + "........ " * 6 + "bbb.....")
    assert GAME.to_move(after) == 0
    assert written(after) == ["f1"]


def test_a_position_is_never_written_with_a_seat_to_move_that_cannot() -> None:
    with pytest.raises(Refused, match=r"written '.* 0', not '.* 1'"):
        begin(ONE_SIDED, turn=1)


def test_nobody_passes_by_himself() -> None:
    told = (Why.ILLEGAL, "who can move must, and who cannot is passed over: no pass is ever sent")
    assert refusal(FIRST, PASS) == told
    assert refusal(FIRST, " Pass ") == told


def test_the_game_ends_when_neither_can_move_and_the_discs_are_counted() -> None:
    over = played(begin(ONE_SIDED), "c8 f1")
    assert GAME.to_move(over) is None
    assert GAME.legal_moves(over) == []
    assert GAME.outcome(over) == Outcome(0, Reason.RULES, "6-0")


def test_the_shortest_game_is_won_by_thirteen_discs_to_none() -> None:
    over = played(FIRST, SHORTEST)
    assert shows(
        over,
        """
        ........
        ........
        ....b...
        ...bbb..
        ..bbbbb.
        ...bbb..
        ....b...
        ........
        """,
    )
    assert GAME.outcome(over) == Outcome(0, Reason.RULES, "13-0")


FULL = """
bbbbbbbb
bbbbbbbb
bbbbbbbb
bbbbbbbb
wwwwwwww
wwwwwwww
wwwwwwww
wwwwwwww
"""


NEARLY_FULL = FULL.replace("w", "b").rstrip()[:-1] + "."


@pytest.mark.parametrize(
    ("rows", "winner", "detail"),
    [
        (FULL, None, "32-32"),
        (FULL.replace("w", "b", 1), 0, "33-31"),
        (FULL.replace("b", "w", 1), 1, "33-31"),
        (NEARLY_FULL, 0, "63-0"),
    ],
)
def test_most_discs_win_the_winner_s_are_told_first_and_empty_squares_count_for_nobody(
    rows: str, winner: int | None, detail: str
) -> None:
    assert GAME.outcome(begin(rows)) == Outcome(winner, Reason.RULES, detail)


def test_each_refusal_has_its_own_cause() -> None:
    assert refusal(FIRST, Move(None, 27, "black")) == (Why.ILLEGAL, "square d4 is occupied")
    assert refusal(FIRST, Move(None, 0, "black")) == (Why.ILLEGAL, "a disc on a1 would turn no other over")
    assert refusal(FIRST, Move(None, 64, "black")) == (Why.OUT_OF_BOUNDS, "no square 64 on a board of 8x8")
    assert refusal(FIRST, Move(None, 19, "white")) == (Why.NO_SUCH_PIECE, "piece of type 'white' is not yours to place")
    assert refusal(FIRST, Move(28, 19)) == (Why.ILLEGAL, "a move places a disc on an empty square")
    assert refusal(FIRST, Move(28, None)) == (Why.ILLEGAL, "a move places a disc on an empty square")
    assert refusal(played(FIRST, SHORTEST), "a1") == (Why.NOT_PLAYING, "the game is over")


def test_what_is_typed_is_refused_for_its_cause() -> None:
    assert refusal(FIRST, "E5") == (Why.ILLEGAL, "square e5 is occupied")
    assert refusal(FIRST, "h8") == (Why.ILLEGAL, "a disc on h8 would turn no other over")
    assert refusal(FIRST, "i9") == (Why.SYNTAX, "a move is written as its square, such as d3, not 'i9'")


def test_a_placement_without_its_piece_is_of_the_seat_to_move() -> None:
    assert GAME.normal(FIRST, Move(None, 19)) == Move(None, 19, "black")
    assert GAME.normal(played(FIRST, "d3"), Move(None, 18)) == Move(None, 18, "white")


@pytest.mark.parametrize("start", ["w" * 64, "bw" * 40 + " 0", FULL.replace(" ", "/") + " 2"])
def test_what_is_no_position_is_refused(start: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(start=start)
    assert caught.value.why is Why.BAD_OPTION
