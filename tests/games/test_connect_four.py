"""Connect Four, rule by rule: a diagram before, a move, a diagram after; and against squares counted one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gateway.games.connect_four import ConnectFour, Position
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

GAME = ConnectFour()
FIRST = Position()
WON = "four in a line"

GAMES = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234)
POSITIONS = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275)
"""The published numbers of games, and of different positions, after each number of moves."""


def begin(rows: str) -> Position:
    cells = rows.split()
    turn = sum(row.count("r") - row.count("y") for row in cells)
    return GAME.start(GAME.settings(start="/".join(cells) + f" {turn}"))


def played(position: Position, moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def written(moves: list[Move]) -> str:
    return "".join(GAME.notation(FIRST, move) for move in moves)


def shows(position: Position, rows: str) -> bool:
    return GAME.diagram(position).split() == rows.split()


def refusal(position: Position, move: Move | str) -> tuple[Why, str]:
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, move) if isinstance(move, str) else GAME.play(position, move)
    return caught.value.why, caught.value.text


def test_discs_fall_on_the_floor_and_on_each_other_and_red_begins() -> None:
    assert shows(
        played(FIRST, "dddag"),
        """
        .......
        .......
        .......
        ...r...
        ...y...
        y..r..r
        """,
    )


def test_a_move_is_the_square_in_which_the_disc_lands() -> None:
    position = played(FIRST, "ga")
    assert GAME.legal_moves(position)[0] == Move(None, 28, "red")
    assert GAME.parse(FIRST, "a") == Move(None, 35, "red")
    assert GAME.parse(FIRST, "g") == Move(None, 41, "red")
    assert GAME.parse(played(FIRST, "ggggg"), "g") == Move(None, 6, "yellow")
    assert GAME.changes(position, Move(None, 28, "red")) == [(28, "red")]


@pytest.mark.parametrize("text", ["d", "D", " d\n", "4", "d1", "D2", "d6"])
def test_a_column_is_typed_as_letter_number_or_any_of_its_squares(text: str) -> None:
    assert GAME.parse(played(FIRST, "d"), text) == Move(None, 31, "yellow")


@pytest.mark.parametrize("target", [3, 17, 31, 38])
@pytest.mark.parametrize("piece", ["", "yellow"])
def test_a_placement_anywhere_in_an_open_column_means_the_square_where_it_lands(target: int, piece: str) -> None:
    assert GAME.normal(played(FIRST, "d"), Move(None, target, piece)) == Move(None, 31, "yellow")


def test_nothing_else_is_made_of_a_move_that_makes_no_sense() -> None:
    for move in (PASS, Move(3, 4), Move(None, 42), Move(None, -1), Move(None, 3, "yellow")):
        assert GAME.normal(FIRST, move) == move


def test_a_full_column_is_closed() -> None:
    position = played(FIRST, "dddddd")
    assert written(GAME.legal_moves(position)) == "abcefg"
    assert refusal(position, "d") == (Why.ILLEGAL, "column d is full")


@pytest.mark.parametrize(
    ("rows", "move"),
    [
        ("....... ....... ....... ....... yyy.... rrr....", "d"),
        ("....... ....... ....... ....... y.yy... r.rr...", "b"),
        ("....... ....... ....... ....... ...yyy. ...rrr.", "g"),
        ("....... ....... ....... r...... ry..... ry.y...", "a"),
        ("....... ....... ....... y...... y...... yrr.rr.", "a"),
        ("....... ....... ....... ..ry... .ryr... ryyy..r", "d"),
        ("....... ....... ....... ...yr.. ...ryr. r..yyyr", "d"),
        ("....... ....... ...r... ...r... .ryy... ryyry..", "c"),
    ],
    ids=["left", "gap", "right", "up", "yellow", "rising", "falling", "inside"],
)
def test_four_in_a_line_win(rows: str, move: str) -> None:
    before = begin(rows)
    assert GAME.outcome(before) is None
    after = played(before, move)
    assert GAME.outcome(after) == Outcome(before.turn, Reason.RULES, WON)
    assert GAME.to_move(after) is None
    assert GAME.legal_moves(after) == []


def test_a_line_does_not_run_on_from_the_top_of_a_column_into_the_next() -> None:
    position = begin("r...... r...... r...... y...... y...... yr.....")
    assert GAME.outcome(position) is None
    assert GAME.to_move(position) == 1


def test_a_full_board_without_a_line_is_a_draw() -> None:
    before = begin(
        """
        .yrrryy
        rryyyrr
        yyrrryr
        rryryyr
        yyyryyy
        rrryrry
        """
    )
    assert written(GAME.legal_moves(before)) == "a"
    assert GAME.outcome(played(before, "a")) == Outcome(None, Reason.RULES, "board full")


def test_each_refusal_has_its_own_cause() -> None:
    over = played(FIRST, "abababa")
    assert refusal(FIRST, Move(None, 31, "red")) == (Why.ILLEGAL, "a disc lands on d1, not on d2")
    assert refusal(played(FIRST, "d"), Move(None, 38, "yellow")) == (Why.ILLEGAL, "a disc lands on d2, not on d1")
    assert refusal(FIRST, Move(None, 42, "red")) == (Why.OUT_OF_BOUNDS, "no square 42 on a board of 7x6")
    assert refusal(FIRST, Move(None, 38, "yellow")) == (
        Why.NO_SUCH_PIECE,
        "piece of type 'yellow' is not yours to drop",
    )
    assert refusal(FIRST, Move(38, 31)) == (Why.ILLEGAL, "a move drops a disc into a column")
    assert refusal(FIRST, PASS) == (Why.ILLEGAL, "a move drops a disc into a column")
    assert refusal(over, "c") == (Why.NOT_PLAYING, "the game is over")
    for text in ("h", "8", "0", "d7", "d0", "dd", "pass"):
        assert refusal(FIRST, text) == (Why.SYNTAX, f"a move is written as its column, a to g, not {text!r}")


@pytest.mark.parametrize(
    "rows",
    [
        "r...... ....... ....... ....... ....... .......",
        "....... ....... ....... ....... ....... r.r....",
        "....... ....... ....... ....... ....... y......",
        "....... ....... r...... ry..... ry..... ryy....",
        "....... ....... ry..... ry..... ry..... ry.....",
        "....... ....... ....... ....... .......",
        "....... ....... ....... ....... ....... x......",
    ],
    ids=["in the air", "red twice", "yellow first", "after four", "both have four", "five rows", "no disc"],
)
@pytest.mark.parametrize("turn", [0, 1])
def test_what_no_game_comes_to_is_refused(rows: str, turn: int) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(start=f"{rows.replace(' ', '/')} {turn}")
    assert caught.value.why is Why.BAD_OPTION


def test_the_seat_to_move_is_written_as_it_follows_from_the_discs() -> None:
    assert GAME.text(played(FIRST, "d")) == "......./......./......./......./......./...r... 1"
    with pytest.raises(Refused, match=r"written '.* 1', not '.* 0'"):
        GAME.settings(start="......./......./......./......./......./...r... 0")


def test_games_and_positions_of_each_length_are_as_many_as_published() -> None:
    counts, games, positions = Counter({FIRST: 1}), [1], [1]
    for _ in GAMES[1:]:
        longer: Counter[Position] = Counter()
        for position, count in counts.items():
            for move in GAME.legal_moves(position):
                longer[GAME.play(position, move)] += count
        counts = longer
        games.append(sum(counts.values()))
        positions.append(len(counts))
    assert tuple(games) == GAMES
    assert tuple(positions) == POSITIONS


LINES = [
    [(x + dx * step, y + dy * step) for step in range(4)]
    for x in range(7)
    for y in range(6)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
]
"""Every line of four, by columns and rows from the bottom."""


@pytest.mark.parametrize("seed", range(60))
def test_a_game_goes_as_one_who_looks_at_every_line_says(seed: int) -> None:
    assert len(LINES) == 69
    choose = random.Random(seed)
    position = FIRST
    columns: list[list[str]] = [[] for _ in range(7)]
    while GAME.outcome(position) is None:
        side = ("red", "yellow")[sum(map(len, columns)) % 2]
        open_columns = [x for x in range(7) if len(columns[x]) < 6]
        assert written(GAME.legal_moves(position)) == "".join("abcdefg"[x] for x in open_columns)
        x = choose.choice(open_columns)
        columns[x].append(side)
        position = played(position, "abcdefg"[x])
        discs = {(x, y): disc for x, column in enumerate(columns) for y, disc in enumerate(column)}
        assert GAME.board(position) == {(5 - y) * 7 + x: disc for (x, y), disc in discs.items()}
        won = any(all(discs.get(at) == side for at in line) for line in LINES)
        outcome = GAME.outcome(position)
        assert (outcome is not None) is (won or len(discs) == 42)
        assert not won or outcome == Outcome(("red", "yellow").index(side), Reason.RULES, WON)


@pytest.mark.parametrize(
    ("rows", "tried"),
    [
        ("....... ....... ....... ....... ....... .......", "dcebfag"),
        ("....... ....... ....... ....... yyy.... rrr....", "d"),
        ("....... ....... ....... ....... ry..... yy.rrr.", "cg"),
        ("....... ....... ....... ....... ....... yyyrr.r", "f"),
        ("....... ....... ....... ....... .rr.... .yyyr..", "a"),
        ("....... ....... ....... ..rr... ..yyy.. ..rry..", "dceag"),
    ],
    ids=["anything", "wins", "two to stop", "wins in the gap", "stops", "not under a threat"],
)
def test_a_bot_wins_or_stops_a_win_or_does_not_help_it(rows: str, tried: str) -> None:
    assert written(GAME.worth_trying(begin(rows))) == tried


def test_a_threat_in_the_third_row_is_worth_more_to_red_than_one_in_the_second() -> None:
    third = begin("....... ....... ....... rrr.... yyr...y rry..yy")
    second = begin("....... ....... ....... yyr.... rrr.... yry...y")
    assert (third.turn, second.turn) == (0, 0)
    assert GAME.evaluate(third, 0) > GAME.evaluate(second, 0) > 0
    assert GAME.evaluate(third, 1) == -GAME.evaluate(third, 0)
