"""Ludo: a diagram for every special rule, each refusal for its own reason, text, giving up, the bots' opinion.

Squares are named a1 (bottom left) to k11. Yellow starts on a7, its home is b6 c6 d6 e6, its last ring square a6; red
starts on k5, its home is j6 i6 h6 g6.
"""

from __future__ import annotations

import pytest

from gateway.games.base import CHANCE
from gateway.games.ludo.rules import COLOURS, DEPOTS, EXITS, HOMES, RING, STARTS, Ludo, Position, colours
from gateway.games.parts import Roll
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

LUDO = Ludo()


def at(name: str) -> int:
    return squares.number(name, 11, 11)


def stands(diagram: str, tail: str, seats: int = 2, variant: str = "maedn") -> Position:
    """The position of a diagram of eleven rows and the rest of its text ("0 roll 6")."""
    text = "/".join(diagram.split()) + " " + tail
    return LUDO.start(LUDO.settings(variant, seats, text))


def legal(position: Position) -> list[str]:
    return [LUDO.notation(position, move) for move in LUDO.legal_moves(position)]


def after(position: Position, written: str) -> Position:
    return LUDO.play(position, LUDO.parse(position, written))


def refused(position: Position, source: str | int | None, target: str | int | None) -> tuple[Why, str]:
    numbers = [at(name) if isinstance(name, str) else name for name in (source, target)]
    with pytest.raises(IllegalMove) as caught:
        LUDO.play(position, Move(numbers[0], numbers[1]))
    return caught.value.why, caught.value.text


OPENING = """
    yy.........
    yy.........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    ...........
    .........rr
    .........rr
"""

ONE_OUT = """
    .y.........
    yy.........
    ...........
    ...........
    .y.........
    ...........
    ...........
    ...........
    ...........
    .........rr
    .........rr
"""

ON_START = """
    .y.........
    .y.........
    ...........
    ...........
    y.y........
    ...........
    ...........
    ...........
    ...........
    .........rr
    .........rr
"""


def test_the_ring_joins_forty_neighbouring_squares() -> None:
    points = [squares.coordinates(number, 11) for number in RING]
    steps = [abs(x - u) + abs(y - v) for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True)]
    assert (len(set(RING)), set(steps)) == (40, {1})


def test_every_colour_has_sixteen_squares_of_its_own_outside_the_ring_and_starts_ten_squares_apart() -> None:
    own = [number for colour in COLOURS for number in (*HOMES[colour], *DEPOTS[colour])]
    assert (len(own), len(set(own)), set(own) & set(RING)) == (32, 32, set())
    assert [RING.index(STARTS[colour]) for colour in COLOURS] == [0, 10, 20, 30]


def test_two_seats_play_opposite_corners_and_under_ggzboard_neighbouring_ones() -> None:
    assert colours("maedn", 2) == ("yellow", "red")
    assert colours("ggzboard", 2) == ("yellow", "blue")
    assert colours("maedn", 3) == ("yellow", "blue", "red")
    assert colours("ggzboard", 4) == ("yellow", "blue", "red", "green")


def test_a_game_begins_with_all_pieces_in_the_depots_and_three_tries() -> None:
    position = LUDO.start(LUDO.settings())
    assert LUDO.diagram(position).split() == OPENING.split()
    assert LUDO.text(position).endswith(" 0 tries 3")
    assert LUDO.to_move(position) == CHANCE
    assert LUDO.chance(position) == Roll(0, 6)
    assert LUDO.legal_moves(position) == []


def test_four_seats_fill_every_corner() -> None:
    board = LUDO.board(LUDO.start(LUDO.settings(seats=4)))
    assert {name: board[at(name)] for name in ("a11", "k11", "k1", "a1")} == {
        "a11": "yellow",
        "k11": "blue",
        "k1": "red",
        "a1": "green",
    }
    assert len(board) == 16


def test_a_seat_with_nothing_out_has_three_tries_and_then_the_next_seat_rolls() -> None:
    position = stands(OPENING, "0 tries 3")
    for rest in ("0 tries 2", "0 tries 1", "1 tries 3"):
        position = LUDO.rolled(position, 5)
        assert LUDO.text(position).endswith(f" {rest}")


def test_a_six_brings_a_depot_piece_out_and_rolls_once_more() -> None:
    position = LUDO.rolled(stands(OPENING, "0 tries 1"), 6)
    assert legal(position) == ["b10-a7"]
    position = after(position, "b10-a7")
    assert LUDO.diagram(position).split()[:5] == ["yy.........", "y..........", "." * 11, "." * 11, "y.........."]
    assert LUDO.text(position).endswith(" 0 tries 1")


@pytest.mark.parametrize("named", ["a11", "b11", "a10", "b10"])
def test_any_piece_in_the_depot_stands_for_the_one_that_leaves_first(named: str) -> None:
    position = LUDO.rolled(stands(OPENING, "0 tries 1"), 6)
    source, target = squares.number(named, 11, 11), squares.number("a7", 11, 11)
    assert LUDO.notation(position, LUDO.normal(position, Move(source, target))) == "b10-a7"


@pytest.mark.parametrize("colour", COLOURS)
def test_pieces_in_the_eleventh_column_leave_the_depot_last(colour: str) -> None:
    """GGZBoard's clients count ten columns: they can name the others only."""
    columns = [at % 11 for at in EXITS[colour]]
    assert sorted(EXITS[colour]) == sorted(DEPOTS[colour])
    assert [column == 10 for column in columns] == sorted(column == 10 for column in columns)


def test_leaving_the_depot_on_a_six_is_compulsory() -> None:
    position = stands(ONE_OUT, "0 roll 6")
    assert legal(position) == ["b10-a7"]
    assert refused(position, "b7", "e9") == (Why.ILLEGAL, "the roll is a 6")
    assert refused(position, "b7", "e10") == (Why.ILLEGAL, "a piece must leave the depot")


def test_one_piece_on_the_ring_means_one_try() -> None:
    position = stands(ONE_OUT, "0 tries 1")
    assert legal(LUDO.rolled(position, 3)) == ["b7-e7"]
    text = "/".join(ONE_OUT.split()) + " 0 tries 2"
    with pytest.raises(Refused, match="no position of ludo"):
        LUDO.settings("maedn", 2, text)


def test_a_six_that_nobody_can_play_still_rolls_again() -> None:
    position = stands(
        """
        ...........
        ...........
        ...........
        ...........
        ...........
        yyyy.......
        ...........
        ...........
        ...........
        .........rr
        .........rr
        """,
        "0 tries 1",
    )
    assert LUDO.text(LUDO.rolled(position, 6)).endswith(" 0 tries 1")
    assert LUDO.text(LUDO.rolled(position, 5)).endswith(" 1 tries 3")
    assert legal(LUDO.rolled(position, 1)) == ["d6-e6"]


def test_the_start_square_is_cleared_first_while_pieces_wait_in_the_depot() -> None:
    position = stands(ON_START, "0 roll 3")
    assert legal(position) == ["a7-d7"]
    assert refused(position, "c7", "e8") == (Why.ILLEGAL, "the start field must be cleared")


def test_a_six_clears_the_start_square_before_another_piece_comes_out() -> None:
    position = stands(ON_START, "0 roll 6")
    assert legal(position) == ["a7-e9"]
    assert refused(position, "b11", "a7")[0] is Why.OWN_PIECE_THERE


def test_a_start_piece_barred_by_its_own_leaves_the_others_free() -> None:
    assert legal(stands(ON_START, "0 roll 2")) == ["c7-e7"]


def test_the_start_square_may_stay_occupied_once_the_depot_is_empty() -> None:
    position = stands(
        """
        ...........
        ...........
        ...........
        ...........
        yyy........
        ..y........
        ...........
        ...........
        ...........
        .........rr
        .........rr
        """,
        "0 roll 5",
    )
    assert legal(position) == ["a7-e8", "b7-e9", "c7-e10"]


CAPTURE = """
    .y.........
    yy.........
    ...........
    ...........
    .y.r.......
    ...........
    ...........
    ...........
    ...........
    ..........r
    .........rr
"""


def test_a_captured_piece_goes_back_to_the_first_empty_square_of_its_depot() -> None:
    position = stands(CAPTURE, "0 roll 2")
    assert legal(position) == ["b7xd7"]
    move = LUDO.parse(position, "B7XD7")
    assert LUDO.changes(position, move) == [(at("b7"), None), (at("d7"), "yellow"), (at("j2"), "red")]
    assert LUDO.text(LUDO.play(position, move)).endswith(" 1 tries 3")


def test_a_captured_yellow_piece_prefers_the_depot_square_next_to_the_middle() -> None:
    position = stands(
        """
        yy.........
        ...........
        ...........
        ...........
        .y.........
        y..........
        r..........
        ...........
        ...........
        .........rr
        .........r.
        """,
        "1 roll 1",
    )
    taken = after(position, "a5xa6")
    assert LUDO.board(taken)[at("b10")] == "yellow"
    assert at("a10") not in LUDO.board(taken)


def test_own_pieces_are_never_captured() -> None:
    assert refused(stands(ON_START, "0 roll 2"), "a7", "c7") == (
        Why.OWN_PIECE_THERE,
        "cannot move to field which is occupied by another piece of yours",
    )


HOMECOMING = """
    y..........
    ...........
    ...........
    ...........
    ...........
    y.y........
    .y.........
    ...........
    ...........
    .........rr
    .........rr
"""


@pytest.mark.parametrize(
    ("roll", "written"),
    [
        ("2", ["c6-e6"]),
        ("3", ["a6-d6", "b5-b6"]),
        ("4", ["a6-e6"]),
        ("5", ["b5-d6"]),
    ],
)
def test_the_home_is_entered_by_exact_count_jumping_over_own_pieces_but_not_onto_them(
    roll: str, written: list[str]
) -> None:
    assert legal(stands(HOMECOMING, f"0 roll {roll}")) == written


def test_no_piece_walks_past_the_end_of_its_home() -> None:
    assert refused(stands(HOMECOMING, "0 roll 4"), "c6", "g6") == (Why.ILLEGAL, "the roll is a 4")


WAITING = """
    y..........
    ...........
    ...........
    ...........
    ...........
    ..yyy......
    ...........
    ...........
    ...........
    .........rr
    .........rr
"""


def test_three_tries_count_when_the_pieces_at_home_cannot_move_on() -> None:
    assert LUDO.text(LUDO.rolled(stands(WAITING, "0 tries 3"), 1)).endswith(" 0 tries 2")


def test_a_piece_at_home_that_can_still_move_on_means_one_try() -> None:
    gap = WAITING.replace("..yyy", ".y.yy")
    assert legal(LUDO.rolled(stands(gap, "0 tries 1"), 1)) == ["b6-c6"]
    with pytest.raises(Refused, match="no position of ludo"):
        stands(gap, "0 tries 3")


def test_the_fourth_piece_home_wins() -> None:
    position = stands(WAITING.replace("y..........", "...........").replace("..yyy", "y.yyy"), "0 roll 1")
    won = after(position, "a6-b6")
    assert LUDO.to_move(won) is None
    assert LUDO.outcome(won) == Outcome(0, Reason.RULES, "all four pieces home")
    assert LUDO.text(won).endswith(" 0 over")
    assert LUDO.legal_moves(won) == []
    assert refused(won, "b6", "c6")[0] is Why.NOT_PLAYING


GGZBOARD = """
    yy.......bb
    y.........b
    ...........
    ...........
    .y.........
    ...........
    b..........
    ...........
    ...........
    ...........
    ...........
"""


def test_ggzboard_comes_out_on_a_one_and_nothing_is_compulsory() -> None:
    position = LUDO.rolled(stands(GGZBOARD, "0 tries 3", variant="ggzboard"), 1)
    assert legal(position) == ["a10-a7", "b7-c7"]
    assert LUDO.text(after(position, "b7-c7")).endswith(" 1 tries 3")


def test_ggzboard_has_three_tries_until_a_roll_can_be_played() -> None:
    opening = LUDO.start(LUDO.settings("ggzboard"))
    position = LUDO.rolled(LUDO.rolled(opening, 6), 2)
    assert LUDO.text(position).endswith(" 0 tries 1")
    assert legal(LUDO.rolled(position, 1)) == ["b10-a7"]
    assert LUDO.text(LUDO.rolled(position, 3)).endswith(" 1 tries 3")


def test_ggzboard_gives_no_second_roll_for_a_six() -> None:
    position = LUDO.rolled(stands(GGZBOARD, "0 tries 2", variant="ggzboard"), 6)
    assert LUDO.text(after(position, "b7-e10")).endswith(" 1 tries 3")


def test_moves_wait_for_the_die_and_the_die_for_moves() -> None:
    due, shown = stands(ONE_OUT, "0 tries 1"), stands(ONE_OUT, "0 roll 3")
    assert refused(due, "b7", "e7") == (Why.NOT_NOW, "the die is rolled first")
    with pytest.raises(ValueError, match="no roll is due"):
        LUDO.rolled(shown, 3)
    with pytest.raises(ValueError, match="no roll is due"):
        LUDO.chance(shown)


@pytest.mark.parametrize("value", [0, 7, -1])
def test_a_die_has_six_sides(value: int) -> None:
    with pytest.raises(ValueError, match=f"no side {value}"):
        LUDO.rolled(stands(ONE_OUT, "0 tries 1"), value)


@pytest.mark.parametrize(
    ("source", "target", "why", "text"),
    [
        (-1, "e7", Why.OUT_OF_BOUNDS, "movement out of bounds"),
        ("b7", 121, Why.OUT_OF_BOUNDS, "movement out of bounds"),
        ("d4", "e7", Why.NOT_YOUR_PIECE, "not your piece"),
        ("k1", "k2", Why.NOT_YOUR_PIECE, "not your piece"),
        ("b7", "a10", Why.OWN_PIECE_THERE, "cannot move to field which is occupied by another piece of yours"),
        ("b7", "d7", Why.ILLEGAL, "the roll is a 3"),
        ("a10", "a7", Why.ILLEGAL, "the roll is a 3"),
        ("b7", None, Why.ILLEGAL, "a move takes one of your pieces to another square"),
        (None, "e7", Why.NO_SUCH_PIECE, "piece of type '' is not available for placement"),
        (None, None, Why.ILLEGAL, "a move takes one of your pieces to another square"),
    ],
)
def test_every_refusal_names_its_cause(source: str | int | None, target: str | int | None, why: Why, text: str) -> None:
    assert refused(stands(ONE_OUT, "0 roll 3"), source, target) == (why, text)


def test_the_name_of_the_piece_may_be_said_and_is_left_out() -> None:
    position = stands(ONE_OUT, "0 roll 3")
    assert LUDO.normal(position, Move(at("b7"), at("e7"), "yellow")) == Move(at("b7"), at("e7"))
    assert LUDO.normal(position, PASS) == PASS


def test_who_gives_up_takes_the_pieces_along_and_is_skipped() -> None:
    position = LUDO.withdraw(LUDO.start(LUDO.settings(seats=3)), 1)
    assert position is not None
    assert set(LUDO.board(position).values()) == {"yellow", "red"}
    for _ in range(3):
        position = LUDO.rolled(position, 2)
    assert LUDO.text(position).endswith(" 2 tries 3")
    assert LUDO.start(LUDO.settings("maedn", 3, LUDO.text(position))) == position
    assert LUDO.withdraw(position, 1) == position


def test_who_gives_up_with_a_roll_to_play_leaves_the_turn_to_the_next_seat() -> None:
    position = LUDO.rolled(LUDO.start(LUDO.settings(seats=4)), 6)
    rest = LUDO.withdraw(position, 0)
    assert rest is not None
    assert LUDO.text(rest).endswith(" 1 tries 3")


def test_who_gives_up_out_of_turn_changes_nothing_else() -> None:
    position = LUDO.rolled(LUDO.start(LUDO.settings(seats=4)), 6)
    rest = LUDO.withdraw(position, 2)
    assert rest is not None
    assert legal(rest) == legal(position)


def test_the_last_seat_that_has_not_given_up_wins() -> None:
    position = LUDO.withdraw(LUDO.start(LUDO.settings(seats=3)), 0)
    assert position is not None
    last = LUDO.withdraw(position, 2)
    assert last is not None
    assert LUDO.outcome(last) == Outcome(1, Reason.RESIGNATION, "all others gave up")
    assert LUDO.to_move(last) is None
    assert LUDO.start(LUDO.settings("maedn", 3, LUDO.text(last))) == last


@pytest.mark.parametrize("tail", ["0 tries 1", "0 roll 3", "0 roll 6", "1 tries 3"])
def test_a_text_begins_the_position_it_was_taken_from(tail: str) -> None:
    position = stands(ONE_OUT, tail)
    assert LUDO.text(position) == "/".join(ONE_OUT.split()) + " " + tail


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "/".join(ONE_OUT.split()),
        "/".join(ONE_OUT.split()) + " 0 roll 7",
        "/".join(ONE_OUT.split()) + " 0 roll 1 ",
        "/".join(ONE_OUT.split()) + " 2 roll 1",
        "/".join(ONE_OUT.split()) + " 0 over",
        "/".join(ONE_OUT.split()) + " 1 roll 3",
        "/".join(ONE_OUT.split()) + " ١ tries 1",
        "/".join(ONE_OUT.replace("r", "b").split()) + " 0 tries 1",
        "/".join(ONE_OUT.replace(".y..", ".yy.", 1).split()) + " 0 tries 1",
        "/".join(OPENING.replace("y", ".").split()) + " 0 tries 3",
        "/".join(WAITING.replace("y....", ".....", 1).replace("..yyy", ".yyyy").split()) + " 0 tries 1",
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        LUDO.settings("maedn", 2, text)
    assert caught.value.why is Why.BAD_OPTION


def test_a_text_for_more_seats_is_refused_at_a_smaller_table() -> None:
    four = LUDO.text(LUDO.start(LUDO.settings(seats=4)))
    with pytest.raises(Refused, match="written"):
        LUDO.settings("maedn", 2, four)


def test_bots_like_progress_and_dislike_a_piece_within_reach_of_a_hunter() -> None:
    quiet, hunted = stands(ONE_OUT, "0 tries 1"), stands(CAPTURE.replace(".y.r", ".r.y"), "0 tries 1")
    assert LUDO.evaluate(quiet, 0) == -LUDO.evaluate(quiet, 1) == 11.0
    further = after(stands(ONE_OUT, "0 roll 3"), "b7-e7")
    assert LUDO.evaluate(further, 0) > LUDO.evaluate(quiet, 0)
    # Yellow on d7 is worth 13, less a sixth for red two squares behind; red, 21 squares from its start, is worth 31.
    assert LUDO.evaluate(hunted, 0) == pytest.approx(13 * 5 / 6 - 31)
