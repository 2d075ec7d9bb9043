"""Tic-tac-toe: every game there is, counted; and a diagram before, a move, a diagram after for each line of three."""

from __future__ import annotations

from collections import Counter

import pytest

from gateway.games.tic_tac_toe import Position, TicTacToe
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Move, Outcome, Reason

GAME = TicTacToe()

PUBLISHED = {(5, 0): 1440, (6, 1): 5328, (7, 0): 47952, (8, 1): 72576, (9, 0): 81792, (9, None): 46080}
"""The 255,168 games of the literature by their length and winner: 131,184 of them X wins, 77,904 O."""


def begin(rows: str) -> Position:
    cells = rows.split()
    turn = "".join(cells).count("x") - "".join(cells).count("o")
    return GAME.start(GAME.settings(start=f"{'/'.join(cells)} {turn}"))


def test_games_are_as_many_of_each_length_and_winner_as_published() -> None:
    ended: Counter[tuple[int, int | None]] = Counter()
    layer = Counter({GAME.start(GAME.settings()): 1})
    for length in range(1, 10):
        after: Counter[Position] = Counter()
        for position, games in layer.items():
            for move in GAME.legal_moves(position):
                after[GAME.play(position, move)] += games
        for position in list(after):
            outcome = GAME.outcome(position)
            if outcome is not None:
                ended[length, outcome.winner] += after.pop(position)
        layer = after
    assert ended == PUBLISHED
    assert not layer


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        ("xx. oo. ...", "c3", "xxx oo. ..."),
        ("oo. xx. ...", "c2", "oo. xxx ..."),
        ("oo. ... xx.", "c1", "oo. ... xxx"),
        ("xo. xo. ...", "a1", "xo. xo. x.."),
        ("ox. ox. ...", "b1", "ox. ox. .x."),
        ("o.x o.x ...", "c1", "o.x o.x ..x"),
        ("xo. ox. ...", "c1", "xo. ox. ..x"),
        (".ox ox. ...", "a1", ".ox ox. x.."),
    ],
)
def test_three_in_a_row_column_or_diagonal_win(before: str, move: str, after: str) -> None:
    position = begin(before)
    assert GAME.outcome(position) is None
    position = GAME.play(position, GAME.parse(position, move))
    assert GAME.diagram(position).split() == after.split()
    assert GAME.outcome(position) == Outcome(0, Reason.RULES, "three in a row")
    assert GAME.to_move(position) is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = begin("xox oox .xo")
    position = GAME.play(position, GAME.parse(position, "a1"))
    assert GAME.outcome(position) == Outcome(None, Reason.RULES, "board full")


@pytest.mark.parametrize(
    ("rows", "move", "why", "words"),
    [
        ("x.. ... ...", Move(None, 0, "o"), Why.ILLEGAL, "square a3 is occupied"),
        ("x.. ... ...", Move(None, 1, "x"), Why.NO_SUCH_PIECE, "piece of type 'x' is not yours to place"),
        ("x.. ... ...", Move(None, 9, "o"), Why.OUT_OF_BOUNDS, "no square 9 on a board of nine"),
        ("x.. ... ...", Move(0, 1, "o"), Why.ILLEGAL, "a move places a piece on an empty square"),
        ("xxx oo. ...", Move(None, 8, "o"), Why.NOT_PLAYING, "the game is over"),
    ],
)
def test_each_refusal_has_its_own_cause(rows: str, move: Move, why: Why, words: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        GAME.play(begin(rows), move)
    assert (caught.value.why, caught.value.text) == (why, words)


@pytest.mark.parametrize("start", ["xx./.../... 0", "o../.../... 1", "x../.../... 0", "x../... 1", "z../.../... 1"])
def test_what_no_game_comes_to_is_refused(start: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.start(GAME.settings(start=start))
    assert caught.value.why is Why.BAD_OPTION
