"""The rules position behind a board that a server told: found from positions close by, or written and read back.

A board says less than a position: not the repetitions, not the steps left in a turn, not who may castle. So what is
found here is a position that fits, good enough to show legal moves; the server judges. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from protocols.core.errors import Refused
from protocols.core.model import Settings

LONGEST_WALK = 400
"""Moves of the sample game that teaches the letters of pieces: most games show every piece well before."""

ENOUGH_TAILS = 12
"""Different ends of texts tried: what a game adds to board and seat is of few kinds, the common ones come first."""

MOST_PASSES = 8
"""Forced passes followed in a row; more than any table has seats."""


@dataclass(frozen=True, slots=True)
class Told:
    """A position as a server tells it: a board, whose turn it is, and the roll that comes first, with dice."""

    board: Mapping[int, str]
    seat: int
    roll: int | None = None


def fitting(
    game: Game[Any], settings: Settings, told: Told, near: Iterable[Any] = (), earlier: Iterable[Any] = ()
) -> Any | None:
    """A position that looks as ``told``; None where none is found.

    ``near`` are positions that may be this one or one move away from it, ``earlier`` such as may be it, each the
    likeliest first.
    """
    for position in _candidates(game, settings, told, list(near), earlier):
        settled = _settled(game, position, told.seat, told.roll)
        if settled is not None and game.board(settled) == dict(told.board):
            return settled
    return None


def awaiting_roll(game: Game[Any], position: Any) -> Any | None:
    """The position in which the next roll is due, after the passes that the rules force; None where none is due."""
    for _ in range(MOST_PASSES):
        turn = game.to_move(position)
        if turn is CHANCE:
            return position
        position = _passed(game, position)
        if position is None:
            return None
    return None


def _candidates(
    game: Game[Any], settings: Settings, told: Told, near: list[Any], earlier: Iterable[Any]
) -> Iterator[Any]:
    yield from near
    for position in near:
        if settings.seats > 2:
            yield from (p for s in range(settings.seats) if (p := game.withdraw(position, s)) is not None)
        yield from (game.play(position, move) for move in game.legal_moves(position))
    yield from earlier
    # a text with a roll of its own knows nothing of the one that was told
    written = _written(game, settings, told)
    yield from (p for p in written if told.roll is None or game.to_move(p) is CHANCE)


def _settled(game: Game[Any], position: Any, seat: int, roll: int | None) -> Any | None:
    """``position`` brought to where ``seat`` moves by forced passes and the roll; None when it does not get there."""
    for _ in range(MOST_PASSES):
        turn = game.to_move(position)
        if turn == seat:
            return position
        if turn is not CHANCE:
            position = _passed(game, position)
            if position is None:
                return None
        elif roll is None or roll > chance_of(game).chance(position).sides:
            return None
        else:
            position, roll = chance_of(game).rolled(position, roll), None
    return None


def _passed(game: Game[Any], position: Any) -> Any | None:
    moves = game.legal_moves(position)
    forced = len(moves) == 1 and moves[0].source is None and moves[0].target is None
    return game.play(position, moves[0]) if forced else None


def _written(game: Game[Any], settings: Settings, told: Told) -> Iterator[Any]:
    """Positions read from a text with this board and seat, and the further fields of texts known to be right."""
    board = told.board
    letters, tails = _learned(game, settings, frozenset(board.values()))
    if not letters.keys() >= set(board.values()):
        return
    width, height = settings.width, settings.height
    cells = [letters[board[at]] if at in board else "." for at in range(width * height)]
    rows = "/".join("".join(cells[y * width : (y + 1) * width]) for y in range(height))
    for tail in tails:
        text = " ".join((rows, str(told.seat), *tail))
        try:
            yield game.start(replace(settings, start=text))
        except Refused:
            continue


@cache
def _learned(
    game: Game[Any], settings: Settings, wanted: frozenset[str]
) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """The letter of each piece in diagrams, and the text fields seen after board and seat, from a sample game."""
    letters: dict[str, str] = {}
    tails: dict[tuple[str, ...], None] = {}
    for position in _sample(game, settings):
        rows = game.diagram(position).split("\n")
        for at, piece in game.board(position).items():
            letters.setdefault(piece, rows[at // settings.width][at % settings.width])
        tails.setdefault(tuple(game.brief(position).split(" ")[2:]))
        if letters.keys() >= wanted and len(tails) >= ENOUGH_TAILS:
            break
    return letters, list(tails)


def _sample(game: Game[Any], settings: Settings) -> Iterator[Any]:
    """Positions of one game whose moves are chosen by count: the same every time, and without taste."""
    position = game.start(settings)
    for step in range(LONGEST_WALK):
        yield position
        turn = game.to_move(position)
        if turn is None:
            return
        if turn is CHANCE:
            position = chance_of(game).rolled(position, 1 + step * 5 % chance_of(game).chance(position).sides)
        else:
            moves = game.legal_moves(position)
            position = game.play(position, moves[step * 7 % len(moves)])
