"""Chess and its relatives against Fairy-Stockfish: in random games both know the same moves, boards and ends.

It leaves out draws for want of material, by seventy-five moves and by fivefold repetition; there Fairy-Stockfish plays
on.
"""

from __future__ import annotations

import random
from typing import Final

import pytest

from gateway.games.chess.position import LETTERS, Position
from gateway.games.chess.rules import Chess
from protocols.core.model import Move, Outcome
from protocols.core.squares import name
from tests import peers

pytestmark = pytest.mark.nightly

GAME = Chess()

NAMES: Final = {"normal": "chess", "fischerandom": "chess"}
"""Fairy-Stockfish's names where they are not XBoard's."""

LONGEST: Final = 200
"""Moves of a random game: the longest ones only shuffle kings."""

OURS_ALONE: Final = {"insufficient material", "seventy-five moves", "fivefold repetition"}

PIECES: Final = {word: letter for letter, word in LETTERS.items()}

ENDINGS: Final[dict[str, list[tuple[str, str, int | str]]]] = {
    "normal": [
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 0),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", 1),
        ("7k/8/8/8/8/8/5Q2/K7 w - - 0 1", "f2f7", "draw"),
    ],
    "fischerandom": [
        ("6k1/5ppp/8/8/8/8/8/KR6 w B - 0 1", "b1b8", 0),
        ("kr6/8/8/8/8/8/5PPP/6K1 b b - 0 1", "b8b1", 1),
        ("7k/8/8/8/8/8/5Q2/K7 w - - 0 1", "f2f7", "draw"),
    ],
    "crazyhouse": [
        ("6k1/5ppp/8/8/8/8/8/K7[R] w - - 0 1", "R@e8", 0),
        ("k7/8/8/8/8/8/5PPP/6K1[r] b - - 0 1", "R@e1", 1),
        ("7k/8/8/8/8/8/5Q2/K7[] w - - 0 1", "f2f7", "draw"),
    ],
    "atomic": [
        ("rnbqkbnr/pppppppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "e5f7", 0),
        ("rnbqkb1r/pppppppp/8/8/4n3/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e4f2", 1),
        ("7k/8/8/8/8/8/5Q2/K7 w - - 0 1", "f2f7", "draw"),
    ],
    "3check": [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 1+1 0 1", "a1a8", 0),
        ("r3k3/8/8/8/8/8/8/4K3 b - - 1+1 0 1", "a8a1", 1),
        ("7k/8/8/8/8/8/5Q2/K7 w - - 3+3 0 1", "f2f7", "draw"),
    ],
    "suicide": [
        ("8/8/8/1p6/P7/8/8/8 b - - 0 1", "b5a4", 0),
        ("8/8/8/p7/1P6/8/8/8 w - - 0 1", "b4a5", 1),
        ("8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4", "draw"),
        ("8/8/8/p7/8/P6P/8/8 w - - 0 1", "a3a4", 1),
    ],
    "giveaway": [
        ("8/8/8/1p6/P7/8/8/8 b - - 0 1", "b5a4", 0),
        ("8/8/8/p7/1P6/8/8/8 w - - 0 1", "b4a5", 1),
        ("8/8/8/p7/8/P7/8/8 w - - 0 1", "a3a4", 1),
    ],
    "kingofthehill": [
        ("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", 0),
        ("8/8/4k3/8/8/8/8/4K3 b - - 0 1", "e6e5", 1),
        ("7k/8/8/8/8/8/5Q2/K7 w - - 0 1", "f2f7", "draw"),
    ],
    "racingkings": [
        ("8/K7/8/8/8/8/8/7k w - - 0 1", "a7a8", 0),
        ("8/k7/8/8/8/8/8/7K b - - 0 1", "a7a8", 1),
        ("K7/7k/8/8/8/8/8/8 b - - 0 1", "h7h8", "draw"),
    ],
    "horde": [
        ("7k/5P1P/6P1/8/8/8/8/8 w - - 0 1", "f7f8q", 0),
        ("4k3/8/8/8/8/8/r7/P7 b - - 0 1", "a2a1", 1),
        ("k7/P7/1P6/2P5/8/8/8/8 w - - 0 1", "c5c6", "draw"),
    ],
}
"""The last move of a game for each result that a rule set has, and who has won."""

TOGETHER: Final = 10
"""Games of one test: a nightly run shows every half a minute that it goes on."""

SEEDS: Final = [pytest.param(range(at, at + TOGETHER), id=f"night-{at}") for at in range(0, 60, TOGETHER)]


every_rule_set = pytest.mark.parametrize("rules", [variant.name for variant in Chess.variants])


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
    """Return the parts of a FEN that must be equal: crazyhouse's count of quiet plies serves no rule."""
    found = fen.split()
    return found[:4] + found[5:] if rules == "crazyhouse" else found


def agreed(oracle: Oracle, position: Position) -> dict[str, Move]:
    """The legal moves of a position by their names, once both know the same moves and the same end."""
    fen, outcome = GAME.brief(position), GAME.outcome(position)
    assert told(outcome) == oracle.winner(fen), fen
    moves = {uci(move): move for move in GAME.legal_moves(position)}
    if outcome is None:
        assert set(moves) == oracle.moves(fen), fen
    return moves


def moved(oracle: Oracle, rules: str, position: Position, move: Move) -> Position:
    """The position after a move, once both have the same."""
    after = GAME.play(position, move)
    ours, theirs = GAME.brief(after), oracle.after(GAME.brief(position), uci(move))
    assert ours == theirs or fields(rules, oracle.after(ours)) == fields(rules, theirs)
    return after


@every_rule_set
def test_each_result_of_a_rule_set_is_what_fairy_stockfish_calls_it(rules: str) -> None:
    oracle, winners = Oracle(rules), set()
    for fen, last, winner in ENDINGS[rules]:
        position = GAME.start(GAME.settings(rules, start=fen))
        assert GAME.outcome(position) is None
        position = moved(oracle, rules, position, agreed(oracle, position)[last])
        agreed(oracle, position)
        assert told(GAME.outcome(position)) == winner, fen
        winners.add(winner)
    assert winners == ({0, 1} if rules == "giveaway" else {0, 1, "draw"})


@every_rule_set
@pytest.mark.parametrize("seeds", SEEDS)
def test_random_games_go_as_fairy_stockfish_plays_them(rules: str, seeds: range) -> None:
    oracle = Oracle(rules)
    for seed in seeds:
        choose = random.Random(f"{rules} {seed}")
        options = {"position": str(choose.randrange(960))} if rules == "fischerandom" else {}
        position = GAME.start(GAME.settings(rules, options=options))
        if not options:
            assert GAME.brief(position) == oracle.first()
        for _ in range(LONGEST):
            moves = agreed(oracle, position)
            if GAME.outcome(position) is not None:
                break
            position = moved(oracle, rules, position, moves[picked(position, moves, choose)])
