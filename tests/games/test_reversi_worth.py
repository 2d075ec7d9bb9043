"""House bots value the corners of reversi, and avoid the squares that lead to them."""

from __future__ import annotations

from gateway.games.reversi import Position, Reversi

GAME = Reversi()


def begin(rows: str) -> Position:
    return GAME.start(GAME.settings(start="/".join(rows.split()) + " 0"))


def test_a_bot_tries_corners_first_and_what_gives_them_away_last() -> None:
    choice = begin(
        """
        .wb.....
        ........
        ..w.....
        ...b....
        ...wb...
        ........
        ........
        ........
        """
    )
    assert [GAME.notation(choice, move) for move in GAME.worth_trying(choice)] == ["a1", "c5", "d6", "b2"]


def test_a_bot_likes_corners_and_dislikes_the_squares_beside_an_empty_one() -> None:
    rows = "{} ........ ........ ...wb... ...bw... ........ ........ ........"
    plain, corner, beside = (begin(rows.format(row)) for row in ("........", "b.......", ".b......"))
    assert GAME.evaluate(beside, 0) < GAME.evaluate(plain, 0) < GAME.evaluate(corner, 0)
    assert GAME.evaluate(corner, 1) == -GAME.evaluate(corner, 0)
