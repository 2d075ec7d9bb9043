"""The small games, Checkers and Go against OpenSpiel: in random games both know the same moves and the same winner.

Not here: Ludo. OpenSpiel's ``maedn`` has neither three tries nor a second roll after a six.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from gateway import registry
from gateway.games.go import scoring
from protocols.core.model import PASS, Move
from protocols.core.squares import name
from tests import peers

GAMES: Final = [
    pytest.param(1, id="smoke"),
    pytest.param(300, id="night", marks=pytest.mark.nightly),
]


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
    """One game, what OpenSpiel calls it, and how it writes a move."""

    game: str
    theirs: str
    written: Callable[[Move], str]
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game, *self.options.values()])


def go(size: int) -> Case:
    """Simple ko, for OpenSpiel stops where superko would forbid a move; the usual limit of moves is out of the way."""
    theirs = f"go(board_size={size},komi=7.5,max_game_length=2000)"
    return Case("go", theirs, vertex(size), {"size": str(size), "ko": "simple", "komi": "7.5"})


CASES: Final = (
    Case("tic_tac_toe", "tic_tac_toe()", cell),
    Case("connect_four", "connect_four()", column),
    Case("reversi", "othello()", disc),
    Case("checkers", "checkers()", hop),
    go(5),
    go(9),
)


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


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_random_games_go_as_open_spiel_plays_them(case: Case, games: int) -> None:
    game, decided = registry.game(case.game), set()
    for seed in range(games):
        choose, oracle = random.Random(f"{case} {seed}"), Oracle(case.theirs)
        position = game.start(game.settings(options=case.options))
        while not oracle.over and game.to_move(position) is not None:
            theirs = oracle.moves()
            assert game.to_move(position) == oracle.turn
            ours = {case.written(move): move for move in game.legal_moves(position)}
            assert set(ours) == set(theirs), game.text(position)
            chosen = choose.choice(sorted(ours))
            position = game.play(position, ours[chosen])
            oracle.play(theirs[chosen])
        outcome = scoring.outcome(position, ()) if game.settling(position) else game.outcome(position)
        winner = outcome.winner if outcome is not None else None
        assert winner == oracle.winner, game.text(position)
        decided.add(winner)
    assert games == 1 or {0, 1} <= decided
