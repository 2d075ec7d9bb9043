"""House bots without an engine capture, stop, and do not fill their eyes."""

from __future__ import annotations

import random

import pytest

from gateway.bots.chooser import choose
from gateway.games.go.position import Position
from protocols.core.model import PASS, Move
from tests.bots.thinking import Ticks
from tests.games.go_boards import GAME, begin, played, settings

LIVING = """
    . X . X O . O
    X X X X O O .
    X . X . X O O
    X X X X X O .
    O O O O O O O
    . O . . O . .
    . O . . O . .
    """


def chosen(position: Position, looks: float = 800.0) -> Move:
    """The bot's move after it has looked at so many positions."""
    return choose(GAME, position, 2, looks, Ticks(), random.Random(1))


@pytest.mark.parametrize(("size", "variant"), [(5, "area"), (7, "territory"), (9, "area")])
def test_two_bots_end_a_game_by_passing(size: int, variant: str) -> None:
    position = GAME.start(settings(size, variant))
    while GAME.to_move(position) is not None:
        position = GAME.play(position, chosen(position, 200.0))
    assert GAME.settling(position)
    assert len(position.moves) / 2 < 3 * size * size
    assert (position.black | position.white).bit_count() > size * size // 3


def test_a_bot_passes_where_only_eyes_are_left_to_fill() -> None:
    for turn in ("black", "white"):
        assert chosen(begin(LIVING, turn)) == PASS


def test_a_bot_that_is_ahead_passes_when_the_other_side_has() -> None:
    position = played(begin(LIVING, "black"), "pass")
    assert GAME.worth_trying(position) == [PASS]


def test_a_bot_takes_what_can_be_taken() -> None:
    rows = """
        . . . . . . .
        . X X X X . .
        X O O O O . .
        . X X X X . .
        . . . . . . .
        . . O . O . .
        . . . . . . .
        """
    assert GAME.notation(begin(rows), chosen(begin(rows))) == "F5"


def test_a_bot_does_not_pass_at_the_beginning() -> None:
    position = played(GAME.start(settings(9)), "E5 pass")
    assert PASS not in GAME.worth_trying(position)
    assert PASS not in GAME.worth_trying(GAME.start(settings(19)))


def test_a_game_that_stopped_is_worth_what_it_would_be_scored() -> None:
    walls = "\n".join([". . X O ."] * 5)
    stopped = played(begin(walls), "pass pass")
    assert GAME.evaluate(stopped, 1) == -GAME.evaluate(stopped, 0) == 2.5
