"""Chess and its relatives against Fairy-Stockfish: in random games both know the same moves, boards and ends.

Not here: draws for want of material, by seventy-five moves and by fivefold repetition. Fairy-Stockfish plays on there.
"""

from __future__ import annotations

import random
from typing import Any, Final

import pytest

from gateway.games.chess.position import LETTERS, Position
from gateway.games.chess.rules import Chess
from protocols.core.model import Move, Outcome
from protocols.core.squares import name
from tests import peers

GAME = Chess()

NAMES: Final = {"normal": "chess", "fischerandom": "chess"}
"""Fairy-Stockfish's names where they are not XBoard's."""

LONGEST: Final = 200
"""Moves of a random game: the longest ones only shuffle kings."""

OURS_ALONE: Final = {"insufficient material", "seventy-five moves", "fivefold repetition"}

PIECES: Final = {word: letter for letter, word in LETTERS.items()}

GAMES: Final = [
    pytest.param(1, id="smoke"),
    pytest.param(15, id="night", marks=pytest.mark.nightly),
]


class Oracle:
    """Fairy-Stockfish on one rule set. It ends the process when it is asked for a name that it does not have."""

    def __init__(self, rules: str) -> None:
        self._fish = peers.package("pyffish")
        self._name = NAMES.get(rules, rules)
        self._chess960 = rules == "fischerandom"
        assert self._name in self._fish.variants()

    def moves(self, fen: str) -> set[str]:
        return set(self._fish.legal_moves(self._name, fen, [], self._chess960))

    def after(self, fen: str, *moves: str) -> str:
        """The FEN, in this program's own spelling, after ``moves``."""
        return str(self._fish.get_fen(self._name, fen, list(moves), self._chess960))

    def first(self) -> str:
        return str(self._fish.start_fen(self._name))

    def winner(self, fen: str) -> int | str | None:
        """The seat that has won; "draw"; None while no rule ends the game and there is a move."""
        ended, value = self._fish.is_immediate_game_end(self._name, fen, [], self._chess960)
        if not ended:
            if self.moves(fen):
                return None
            value = self._fish.game_result(self._name, fen, [], self._chess960)
        turn = 0 if fen.split()[1] == "w" else 1
        return "draw" if value == 0 else turn if value > 0 else 1 - turn


def uci(move: Move) -> str:
    """A move as engines write it. Castling is the king's way in both, in Chess960 to its rook."""
    target = name(move.target or 0, 8, 8)
    if move.source is None:
        return f"{PIECES[move.piece].upper()}@{target}"
    return name(move.source, 8, 8) + target + (PIECES[move.piece] if move.piece else "")


def told(outcome: Outcome | None) -> int | str | None:
    """An outcome in the words of ``Oracle.winner``."""
    if outcome is None or outcome.detail in OURS_ALONE:
        return None
    return "draw" if outcome.winner is None else outcome.winner


def picked(position: Position, moves: dict[str, Move], choose: random.Random) -> str:
    """Any move; now and then one that wins, for games of random moves seldom end."""
    names = sorted(moves)
    winning = names if choose.random() < 0.25 else []
    found = [move for move in winning if told(GAME.outcome(GAME.play(position, moves[move]))) in (0, 1)]
    return choose.choice(found or names)


def fields(rules: str, fen: str) -> list[str]:
    """What must be equal: all of a FEN but crazyhouse's count of quiet plies, which no rule uses."""
    found = fen.split()
    return found[:4] + found[5:] if rules == "crazyhouse" else found


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("rules", [variant.name for variant in Chess.variants])
def test_random_games_go_as_fairy_stockfish_plays_them(rules: str, games: int) -> None:
    oracle, ends = Oracle(rules), set[Any]()
    for seed in range(games):
        choose = random.Random(f"{rules} {seed}")
        options = {"position": str(choose.randrange(960))} if rules == "fischerandom" else {}
        position = GAME.start(GAME.settings(rules, options=options))
        if not options:
            assert GAME.brief(position) == oracle.first()
        for _ in range(LONGEST):
            fen, outcome = GAME.brief(position), GAME.outcome(position)
            ended = told(outcome)
            ends.add(ended)
            assert ended == oracle.winner(fen), fen
            if outcome is not None:
                break
            moves = {uci(move): move for move in GAME.legal_moves(position)}
            assert set(moves) == oracle.moves(fen), fen
            chosen = picked(position, moves, choose)
            position = GAME.play(position, moves[chosen])
            ours, theirs = GAME.brief(position), oracle.after(fen, chosen)
            if ours != theirs:
                assert fields(rules, oracle.after(ours)) == fields(rules, theirs), fen
    assert games == 1 or {0, 1} <= ends
