"""The small games, Checkers and Go know the same moves and winners as OpenSpiel, in random games.

It leaves out Ludo: OpenSpiel's ``maedn`` has neither three tries nor a second roll after a six.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from gateway import registry
from gateway.games.go import scoring
from gateway.games.parts import stopped
from protocols.core.model import PASS, Move
from protocols.core.squares import name
from tests import peers

pytestmark = pytest.mark.nightly

TOGETHER: Final = 1_000
"""Games of one test: a nightly run shows every quarter of a minute that it goes on."""

SEEDS: Final = [pytest.param(range(at, at + TOGETHER), id=f"night-{at}") for at in range(0, 5_000, TOGETHER)]


def cell(move: Move) -> str:
    return "({},{})".format(*divmod(move.target or 0, 3))


def column(move: Move) -> str:
    return str((move.target or 0) % 7)


def disc(move: Move) -> str:
    """Rows are counted from the top."""
    row, file = divmod(move.target or 0, 8)
    return f"{'abcdefgh'[file]}{row + 1}"


def hop(move: Move) -> str:
    """OpenSpiel sees the board from the other side."""
    return name(63 - (move.source or 0), 8, 8) + name(63 - (move.target or 0), 8, 8)


def vertex(size: int) -> Callable[[Move], str]:
    """There is no column i."""

    def written(move: Move) -> str:
        row, column = divmod(move.target or 0, size)
        return "PASS" if move == PASS else f"{'abcdefghjklmnopqrst'[column]}{size - row}"

    return written


@dataclass(frozen=True, slots=True)
class Case:
    """One game, its name and its notation in OpenSpiel, and a whole game for each result."""

    game: str
    theirs: str
    written: Callable[[Move], str]
    endings: dict[int | None, str]
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game, *self.options.values()])


def go(size: int) -> Case:
    """Simple ko, for OpenSpiel stops where superko would forbid a move; the usual limit of moves is out of the way."""
    theirs = f"go(board_size={size},komi=7.5,max_game_length=2000)"
    endings: dict[int | None, str] = {0: "c3 PASS PASS", 1: "PASS PASS"}
    return Case("go", theirs, vertex(size), endings, {"size": str(size), "ko": "simple", "komi": "7.5"})


CASES: Final = (
    Case(
        "tic_tac_toe",
        "tic_tac_toe()",
        cell,
        {
            0: "(0,0) (1,0) (0,1) (1,1) (0,2)",
            1: "(0,0) (1,0) (0,1) (1,1) (2,2) (1,2)",
            None: "(0,0) (1,1) (2,2) (0,1) (2,1) (2,0) (0,2) (1,2) (1,0)",
        },
    ),
    Case(
        "connect_four",
        "connect_four()",
        column,
        {
            0: "0 1 0 1 0 1 0",
            1: "0 1 0 1 0 1 2 1",
            None: "0 0 0 0 0 0 2 1 1 1 1 1 1 2 2 2 2 2 3 4 4 3 3 4 4 3 3 3 4 5 5 5 4 5 6 5 5 6 6 6 6 6",
        },
    ),
    Case(
        "reversi",
        "othello()",
        disc,
        {
            0: "f5 f6 f7 f4 d3 e3 f3 g7 h8",
            1: "c4 e3 f4 c3 d3 c5 f3 g3 g4 h4",
            None: "e6 d6 c6 f4 d3 c2 d2 b7 b2 d1 c4 b4 f5 f7 g4 f6 g6 e7 b6 f3 b8 e2 f8 a2 a4 a8 g7 e8 d7 g5 h6 a6 f1 "
            "h7 h8 f2 b5 h3 d8 b3 g2 c8 h5 e3 c1 c7 c5 g8 a3 a5 b1 a1 a7 h2 c3 h4 h1 g3 e1 g1",
        },
    ),
    Case(
        "checkers",
        "checkers()",
        hop,
        {
            0: "g3f4 d6e5 f4d6 e7c5 c3b4 f8e7 b4d6 d6f8 h6g5 f8h6 h6f4 d8e7 e3d4 b6c5 d4b6 b6d8 f6g5 f4h6 h8g7 h6f8 "
            "f8d6 b8c7 d8b6 a7c5 d6b4",
            1: "c3d4 f6g5 d2c3 e7f6 e3f4 g5e3 c1d2 e3c1 e1d2 c1e3 e3c5 a3b4 c5a3 a3c1 g3f4 f6e5 c3d4 e5g3 g3e1 d4e5 "
            "d6f4 g1f2 e1g3 a1b2 c1a3",
        },
    ),
    go(5),
    go(9),
)
"""Reversi's wins are the shortest there are: nine moves for Black, ten for White."""


class Oracle:
    """One game of OpenSpiel's, moved by the texts of its moves."""

    def __init__(self, asked: str) -> None:
        self._state = peers.package("pyspiel").load_game(asked).new_initial_state()

    def moves(self) -> dict[str, Any]:
        """The legal moves without the mark of their side; a pass that OpenSpiel demands is made here."""
        while True:
            found = {self._text(action): action for action in self._state.legal_actions()}
            if set(found) != {"pass"}:
                return found
            self._state.apply_action(found["pass"])

    def _text(self, action: int) -> str:
        return str(self._state.action_to_string(action)).split()[-1].lstrip("xo")

    def play(self, action: int) -> None:
        self._state.apply_action(action)

    @property
    def turn(self) -> int:
        return int(self._state.current_player())

    @property
    def over(self) -> bool:
        return bool(self._state.is_terminal())

    @property
    def winner(self) -> int | None:
        """None while the game goes on, when it is drawn, and when a repetition has stopped it."""
        first, second = self._state.returns()
        return None if first == second else 0 if first > second else 1


class Both:
    """One game on both sides: each position is compared before a move is made."""

    def __init__(self, case: Case) -> None:
        self._case, self._game = case, registry.game(case.game)
        self._oracle = Oracle(case.theirs)
        self._position = self._game.start(self._game.settings(options=case.options))

    @property
    def over(self) -> bool:
        """OpenSpiel may stop first, at a repetition; draws by rules that it lacks stop ours first."""
        return self._oracle.over or self._game.to_move(self._position) is None

    def moves(self) -> list[str]:
        """The names of the legal moves, once both know the same."""
        known = sorted(self._ours())
        assert known == sorted(self._oracle.moves()), self._game.text(self._position)
        assert self._game.to_move(self._position) == self._oracle.turn
        return known

    def play(self, name: str) -> None:
        self._position = self._game.play(self._position, self._ours()[name])
        self._oracle.play(self._oracle.moves()[name])

    def _ours(self) -> dict[str, Move]:
        return {self._case.written(move): move for move in self._game.legal_moves(self._position)}

    def winner(self) -> int | None:
        """Of a game that is over, once both name the same."""
        settling = stopped(self._game, self._position) is not None
        outcome = scoring.outcome(self._position, ()) if settling else self._game.outcome(self._position)
        winner = outcome.winner if outcome is not None else None
        assert winner == self._oracle.winner, self._game.text(self._position)
        return winner


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_game_for_each_result_ends_with_it_in_open_spiel(case: Case) -> None:
    assert {0, 1} <= set(case.endings)
    for winner, line in case.endings.items():
        both, moves = Both(case), line.split()
        for at, move in enumerate(moves):
            assert not both.over, (line, at)
            assert move in both.moves()
            both.play(move)
        assert both.over
        assert both.winner() == winner


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seeds", SEEDS)
def test_random_games_go_as_open_spiel_plays_them(case: Case, seeds: range) -> None:
    for seed in seeds:
        choose, both = random.Random(f"{case} {seed}"), Both(case)
        while not both.over:
            both.play(choose.choice(both.moves()))
        both.winner()
