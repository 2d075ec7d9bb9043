"""The games that are played in every cell: those of tests/playthroughs, which show moves of every kind.

A game without dice has the playthroughs that between them show every kind of its moves, those with the most kinds and
the most moves first.
Dice fall as they fall: there a move is chosen when it is due, a winning one or a new kind first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

from gateway.games.base import Game
from gateway.games.parts import Chance
from protocols.core.errors import IllegalMove
from protocols.core.model import Move, Settings
from tests.matrix.boards import Board
from tests.playthroughs import form

Kind = tuple[bool, bool, bool, int, bool]
"""A kind of move: placed, taken off, with a piece named, so many squares changed, the same seat goes on."""

MOST_CHANGED: Final = 5
"""Squares: moves that change more are of one kind."""


@dataclass(frozen=True)
class Line:
    """One game: its settings, and its moves; None: they are chosen when they are due."""

    name: str
    settings: Settings
    moves: tuple[Move, ...] | None

    def next(self, board: Board) -> Move | None:
        """The move that is due on this board; None: the line is at its end."""
        if self.moves is not None:
            return self.moves[board.ply] if board.ply < len(self.moves) else None
        return None if board.turn is None else _chosen(board)

    def turn(self, board: Board) -> list[Move]:
        """The moves that the seat to move makes before another one moves."""
        ahead = Board(self.settings)
        ahead.like(board)
        seat, found = board.turn, list[Move]()
        while ahead.turn == seat and not ahead.rolls and (move := self.next(ahead)) is not None:
            ahead.play(move)
            found.append(move)
        return found


def kind_of(game: Game[Any], position: Any, move: Move) -> Kind:
    """The kind of a legal move."""
    after = game.play(position, move)
    changed = min(MOST_CHANGED, len(game.changes(position, move)))
    goes_on = game.to_move(after) == game.to_move(position)
    return move.source is None, move.target is None, bool(move.piece), changed, goes_on


def lines(game: str, fits: Callable[[Settings], int]) -> list[Line]:
    """The games to play: of settings that most can play, as ``fits`` counts them; 0: not everybody at the table can."""
    if not _known(game):
        raise LookupError(
            f"{game!r} has no playthrough of two players to its end: python -m tests.playthroughs create {game}"
        )
    most = max(fits(line.settings) for line, _ in _known(game))
    assert most, f"no playthrough of {game} can be played by everybody here"
    known = [(line, kinds) for line, kinds in _known(game) if fits(line.settings) == most]
    found, shown = list[Line](), set[Kind]()
    while known:
        line, kinds = max(known, key=lambda one: (len(one[1] - shown), len(one[0].moves or ())))
        if found and not kinds - shown:
            break
        found.append(line)
        shown |= kinds
        known.remove((line, kinds))
    return found


@cache
def _known(game: str) -> list[tuple[Line, frozenset[Kind]]]:
    found = []
    for path in form.files():
        kept = form.read(path.read_text(encoding="utf-8"))
        if kept.game == game and not kept.start and kept.settings().seats == 2 and _first_begins(kept):
            found += [_line(path.stem, kept, variant) for variant in _variants(kept)]
    return [(line, kinds) for line, kinds in found if _ends(line)]


def _ends(line: Line) -> bool:
    """True if the game has ended, or stopped, with the last move; where no rules end it, any move may be the last."""
    board = Board(line.settings)
    for move in line.moves or ():
        board.play(move)
    return line.moves is None or board.turn is None or not board.game.judged


def _first_begins(kept: form.Playthrough) -> bool:
    """True if seat 0 is the first to move, as it is without handicap stones."""
    return Board(kept.settings()).turn != 1


def _variants(kept: form.Playthrough) -> list[str]:
    """The rule sets that a playthrough is one of: all, in a game without rules."""
    rules = kept.rules()
    return [kept.variant] if rules.judged else [variant.name for variant in rules.variants]


def _line(name: str, kept: form.Playthrough, variant: str) -> tuple[Line, frozenset[Kind]]:
    rules = kept.rules()
    settings = rules.settings(variant, kept.seats, options=kept.options or None)
    if isinstance(rules, Chance):
        return Line(name, settings, None), frozenset()
    moves, kinds = list[Move](), set[Kind]()
    board = Board(settings)
    for step in kept.steps:
        if step.kind != "play":
            break
        move = board.read(step.word)
        kinds.add(kind_of(rules, board.position, move))
        board.play(move)
        moves.append(move)
    return Line(name, settings, tuple(moves)), frozenset(kinds)


def _chosen(board: Board) -> Move:
    """A move that wins, else any: the same for the same game so far."""
    legal = board.game.legal_moves(board.position)
    for move in legal:
        outcome = board.game.outcome(board.game.play(board.position, move))
        if outcome is not None and outcome.winner == board.turn:
            return move
    return Random(board.ply).choice(legal)


@dataclass(frozen=True)
class Illegal:
    """A move that the rules do not allow here, as squares and as the game would write it."""

    move: Move
    text: str


def illegal(board: Board) -> Illegal | None:
    """A move that was legal before and is none now, however it is said; None: the rules allow them all."""
    for move, text in reversed(list(zip(board.moves, board.written, strict=True))):
        if move.target is not None and _refuses(board, move, text):
            return Illegal(move, text)
    return None


def _refuses(board: Board, move: Move, text: str) -> bool:
    game, position = board.game, board.position
    for said in (lambda: game.play(position, game.normal(position, move)), lambda: game.turn(position, text)):
        try:
            said()
        except IllegalMove:
            continue
        return False
    return True
