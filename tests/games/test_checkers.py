"""Checkers, rule by rule: a diagram before, a move, a diagram after."""

from __future__ import annotations

import pickle
import random

import pytest

from gateway.games.checkers.rules import Checkers, Position
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

GAME = Checkers()

KINGS_APART = """
.B......
........
........
........
........
........
........
......W.
"""


def begin(rows: str, turn: int = 0, rest: str = "") -> Position:
    text = "/".join(rows.split()) + f" {turn}" + (f" {rest}" if rest else "")
    return GAME.start(GAME.settings(start=text))


def number(pdn: int) -> int:
    """The square number of a PDN number, worked out by the formula of the rule set."""
    y, column = divmod(pdn - 1, 4)
    return y * 8 + column * 2 + (y + 1) % 2


def hop(source: int, target: int) -> Move:
    return Move(number(source), number(target))


def written(position: Position) -> list[str]:
    return sorted(GAME.notation(position, move) for move in GAME.legal_moves(position))


def played(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def shows(position: Position, rows: str) -> bool:
    return GAME.diagram(position).split() == rows.split()


def leaves(position: Position, depth: int) -> int:
    """Positions after ``depth`` turns; a capture of several hops is one turn."""
    if depth == 0:
        return 1
    count = 0
    for move in GAME.legal_moves(position):
        after = GAME.play(position, move)
        count += leaves(after, depth - (after.turn != position.turn))
    return count


def test_the_game_begins_with_twelve_men_each_and_black_above() -> None:
    position = GAME.start(GAME.settings())
    assert GAME.diagram(position).split() == [
        ".b.b.b.b",
        "b.b.b.b.",
        ".b.b.b.b",
        "........",
        "........",
        "w.w.w.w.",
        ".w.w.w.w",
        "w.w.w.w.",
    ]
    assert GAME.to_move(position) == 0
    assert written(position) == ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]


@pytest.mark.parametrize(("depth", "count"), [(1, 7), (2, 49), (3, 302), (4, 1469), (5, 7361), (6, 36768)])
def test_the_number_of_games_of_each_length_is_the_published_one(depth: int, count: int) -> None:
    assert leaves(GAME.start(GAME.settings()), depth) == count


def test_the_corner_squares_have_the_numbers_of_the_rules() -> None:
    assert [number(pdn) for pdn in (1, 4, 5, 29, 32)] == [1, 7, 8, 56, 62]
    assert GAME.notation(GAME.start(GAME.settings()), Move(17, 24)) == "9-13"


def test_a_man_steps_forward_only_and_a_king_both_ways() -> None:
    man = begin("........ ........ ........ ..b..... ........ ........ ........ w.......")
    assert written(man) == ["14-17", "14-18"]
    king = begin("........ ........ ........ ..B..... ........ ........ ........ w.......")
    assert written(king) == ["14-10", "14-17", "14-18", "14-9"]


def test_a_capture_must_be_made() -> None:
    position = begin("........ ........ .b.....b ..w..... ........ ........ ........ w.......")
    assert written(position) == ["9x18"]
    with pytest.raises(IllegalMove, match="a capture must be made") as refused:
        GAME.play(position, hop(12, 16))
    assert refused.value.why is Why.ILLEGAL


def test_any_capture_may_be_chosen_also_the_shorter_one() -> None:
    position = begin("........ ........ ...b.... ..w.w... ........ ..w..... ........ ........")
    assert written(position) == ["10x17", "10x19"]


def test_a_man_does_not_capture_backwards() -> None:
    position = begin("........ ........ ........ ..w..... .b...... ........ ........ w.......")
    assert written(position) == ["17-21", "17-22"]


def test_a_king_captures_backwards() -> None:
    position = begin("........ ........ ........ ..w..... .B...... ........ ........ w.......")
    assert written(position) == ["17x10"]


def test_a_captured_piece_leaves_the_board_at_once() -> None:
    position = begin("........ ........ .b...... ..w..... ........ ........ ........ w.......")
    after = played(position, "9x18")
    assert shows(after, "........ ........ ........ ........ ...b.... ........ ........ w.......")
    assert GAME.changes(position, hop(9, 18)) == [(number(9), None), (number(14), None), (number(18), "black man")]


def test_changes_are_told_by_rising_square_also_upwards() -> None:
    position = begin("........ ........ ........ ..b..... ...W.... ........ ........ ........", turn=1)
    assert GAME.changes(position, hop(18, 9)) == [(number(9), "white king"), (number(14), None), (number(18), None)]


def test_a_capture_of_two_is_two_moves_of_one_seat() -> None:
    position = begin("........ ........ .b...... ..w..... ........ ....w... ........ w.......")
    between = played(position, "9x18")
    assert GAME.to_move(between) == 0
    assert GAME.text(between).endswith(" 0 x18")
    assert written(between) == ["18x27"]
    after = played(between, "18x27")
    assert GAME.to_move(after) == 1
    assert shows(after, "........ ........ ........ ........ ........ ........ .....b.. w.......")


def test_only_the_piece_that_captured_may_go_on() -> None:
    rows = "........ ......b. .b...w.. ..w..... ........ ....w... ........ w......."
    between = played(begin(rows), "9x18")
    with pytest.raises(IllegalMove, match="the piece on 18 must go on capturing"):
        GAME.play(between, hop(8, 15))


def test_crowning_ends_the_turn_though_the_new_king_could_capture() -> None:
    position = begin("........ ........ ........ ........ ........ ..b..... .w.w.... ........")
    after = played(position, "22x29")
    assert shows(after, "........ ........ ........ ........ ........ ........ ...w.... B.......")
    assert GAME.to_move(after) == 1
    king = begin("........ ........ ........ ........ ........ ..B..... .w.w.... ........")
    assert written(king) == ["22x29", "22x31"]


def test_a_man_is_crowned_on_the_far_row() -> None:
    position = begin("........ w....... ........ ........ ........ ........ ........ ..B.....", turn=1)
    after = played(position, "5-1")
    assert GAME.board(after) == {1: "white king", 58: "black king"}
    assert GAME.changes(position, hop(5, 1)) == [(1, "white king"), (8, None)]


def test_a_king_may_come_back_over_the_square_it_started_from() -> None:
    position = begin(".....B.. ....w.w. ........ ....w.w. ........ ........ ........ w.......")
    after = played(position, "3x10", "10x19", "19x12", "12x3")
    assert shows(after, ".....B.. ........ ........ ........ ........ ........ ........ w.......")
    assert GAME.to_move(after) == 1


def test_a_seat_without_a_move_has_lost() -> None:
    position = begin("........ ........ ........ ........ ........ b....... .w...... ..w.....")
    assert GAME.outcome(position) == Outcome(1, Reason.RULES, "black cannot move")
    assert GAME.to_move(position) is None
    assert GAME.legal_moves(position) == []


def test_a_seat_without_pieces_has_lost() -> None:
    position = begin("........ ........ .b...... ..w..... ........ ........ ........ ........")
    assert GAME.outcome(played(position, "9x18")) == Outcome(0, Reason.RULES, "white cannot move")


SHUFFLE = ("1-5", "32-27", "5-1", "27-32")


def test_the_third_occurrence_of_a_position_lets_a_draw_be_claimed() -> None:
    almost = played(begin(KINGS_APART), *SHUFFLE, *SHUFFLE[:3])
    assert GAME.claim(almost) is None
    third = played(almost, SHUFFLE[3])
    assert (GAME.outcome(third), GAME.claim(third)) == (None, Outcome(None, Reason.CLAIM, "third repetition"))


def test_the_fifth_occurrence_of_a_position_is_a_draw() -> None:
    almost = played(begin(KINGS_APART), *SHUFFLE, *SHUFFLE, *SHUFFLE, *SHUFFLE[:3])
    assert GAME.outcome(almost) is None
    fifth = played(almost, SHUFFLE[3])
    assert (GAME.outcome(fifth), GAME.claim(fifth)) == (Outcome(None, Reason.RULES, "fifth repetition"), None)


def test_a_repetition_is_remembered_by_the_text_of_the_position() -> None:
    position = played(begin(KINGS_APART), *SHUFFLE, *SHUFFLE[:3])
    again = GAME.start(GAME.settings(start=GAME.text(position)))
    assert again == position
    assert GAME.claim(played(again, "27-32")) == Outcome(None, Reason.CLAIM, "third repetition")


def test_forty_moves_each_without_a_capture_or_a_mans_move_let_a_draw_be_claimed() -> None:
    """The game goes on however long nobody claims it, and the text of its position stays short and can be read."""
    position = begin(".B...... ........ .B...... ........ ........ ........ ...W.... W.......")
    choose, claims = random.Random(1), []
    for _ in range(300):
        calm = [move for move in GAME.legal_moves(position) if stays_calm(GAME.play(position, move))]
        position = GAME.play(position, choose.choice(calm))
        claims.append(GAME.claim(position))
    forty = Outcome(None, Reason.CLAIM, "forty moves without progress")
    assert forty not in claims[:79]
    assert forty in claims[79:]
    assert None not in claims[79:]
    assert len(GAME.text(position).split(" ")[2].split(",")) == 160
    assert GAME.start(GAME.settings(start=GAME.text(position))) == position


def stays_calm(position: Position) -> bool:
    """Return whether the game goes on and nothing can be captured."""
    return GAME.outcome(position) is None and not any("x" in move for move in written(position))


def test_a_mans_move_forgets_the_quiet_moves() -> None:
    position = begin(".B...... ........ .b...... ........ ........ ........ ........ ......W.")
    after = played(position, "1-5", "32-27", "9-13")
    assert GAME.text(after).endswith(" 1")


def test_a_game_that_is_over_takes_no_move() -> None:
    position = begin("........ ........ ........ ........ ........ b....... .w...... ..w.....")
    with pytest.raises(IllegalMove) as refused:
        GAME.play(position, hop(21, 25))
    assert refused.value.why is Why.NOT_PLAYING


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (PASS, Why.ILLEGAL),
        (Move(None, 24, "black man"), Why.NO_SUCH_PIECE),
        (Move(17, None), Why.ILLEGAL),
        (Move(17, 64), Why.OUT_OF_BOUNDS),
        (Move(-1, 24), Why.OUT_OF_BOUNDS),
        (Move(24, 33), Why.NOT_YOUR_PIECE),
        (Move(16, 24), Why.NOT_YOUR_PIECE),
        (hop(21, 17), Why.NOT_YOUR_PIECE),
        (hop(5, 9), Why.OWN_PIECE_THERE),
        (Move(17, 17), Why.OWN_PIECE_THERE),
        (Move(17, 24, "black king"), Why.NO_SUCH_PIECE),
        (Move(17, 25), Why.ILLEGAL),
        (hop(9, 17), Why.ILLEGAL),
        (hop(9, 21), Why.ILLEGAL),
    ],
)
def test_every_refusal_has_its_own_reason(move: Move, why: Why) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.play(GAME.start(GAME.settings()), move)
    assert refused.value.why is why


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Move(17, 25), "dark squares only"),
        (hop(9, 21), "square 21 is occupied"),
        (hop(9, 17), "cannot go from 9 to 17"),
        (PASS, "from one square to another"),
    ],
)
def test_a_refusal_says_what_is_wrong(move: Move, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        GAME.play(GAME.start(GAME.settings()), move)


@pytest.mark.parametrize(("text", "why"), [("9-18", Why.ILLEGAL), ("nine", Why.SYNTAX)])
def test_a_text_that_is_no_move_is_refused_for_its_form_or_for_the_rules(text: str, why: Why) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(GAME.start(GAME.settings()), text)
    assert refused.value.why is why


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "8/8/8/8/8/8/8/8 0",
        "......../......../......../......../......../......../......../........",
        "......../......../......../......../......../......../......../........ 2",
        "b......./......../......../......../......../......../......../........ 0",
        "......../......../......../......../......../......../......../b....... 0",
        ".w....../......../......../......../......../......../......../........ 0",
        ".b.b.b.b/b.b.b.b./.b.b.b.b/b......./......../......../......../w....... 0",
        ".B....../......../......../......../......../......../......../......W. 0 x1",
        ".B....../......../......../......../......../......../......../......W. 0 x99",
        ".B....../......../......../......../......../......../......../......W. 0 1-9",
        ".B....../......../......../......../......../......../......../......W. 1 1-5",
        ".B....../......../......../......../......../......../......../......W. 0 31-32",
        ".B....../......../......../......../......../......../......../......W. 0 ",
        ".B....../......../......../......../......../......../......../......W. 0  27-32",
        ".B....../......../......../......../......../......../......../......W. 0 27-32 27-32",
        ".B....../......../......../......../......../......../......../......W. 0" + " " * 1000,
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.settings(start=text)
    assert refused.value.why is Why.BAD_OPTION


def test_a_set_up_position_is_written_as_it_was_given() -> None:
    text = ".B....../......../......../......../......../......../......../......W. 0 27-32"
    assert GAME.text(GAME.start(GAME.settings(start=text))) == text


def test_what_was_worked_out_about_a_position_is_no_part_of_its_value() -> None:
    fresh, used = Position(), Position()
    GAME.play(used, hop(9, 13))
    assert fresh == used
    assert hash(fresh) == hash(used)
    assert pickle.dumps(fresh) == pickle.dumps(used)
    assert GAME.legal_moves(pickle.loads(pickle.dumps(used))) == GAME.legal_moves(fresh)


def test_the_same_move_twice_comes_to_equal_positions() -> None:
    position = Position()
    assert GAME.play(position, hop(9, 13)) == GAME.play(position, hop(9, 13))
    assert GAME.play(position, hop(9, 14)) != GAME.play(position, hop(9, 13))


def test_changes_are_the_difference_of_the_boards() -> None:
    choose = random.Random(7)
    for _ in range(20):
        position = Position()
        while GAME.to_move(position) is not None:
            move = choose.choice(GAME.legal_moves(position))
            after = GAME.play(position, move)
            board = GAME.board(position)
            for square, piece in GAME.changes(position, move):
                board.pop(square, None)
                if piece is not None:
                    board[square] = piece
            assert dict(sorted(board.items())) == GAME.board(after)
            position = after


def test_a_bot_prefers_material_and_sees_both_seats_alike() -> None:
    assert GAME.evaluate(Position(), 0) == pytest.approx(0.0)
    ahead = begin("........ ........ .b...b.. ........ ........ ..w..... ........ ........")
    assert GAME.evaluate(ahead, 0) > 0.5
    assert GAME.evaluate(ahead, 1) == pytest.approx(-GAME.evaluate(ahead, 0))
    crowned = begin("........ ........ .B...... ........ ........ ..w..... ........ ........")
    assert GAME.evaluate(crowned, 0) > 0.3
