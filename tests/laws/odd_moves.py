"""Moves and texts that are mostly wrong: hostile values, pairs of squares by chance, good ones bent a little."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

from protocols.core.model import PASS, Move, Settings

Item = TypeVar("Item")

HUGE = 2**70
HOSTILE_SQUARES = (None, -1, -HUGE, HUGE, 2**31 - 1, 2**32, 10_000)
HOSTILE_PIECES = ("", " ", "x" * 10_000, "king", "\0", "é\n", "white", "0")
TRIED = 40
"""Illegal moves tried at a position, and legal ones at most: a game has thousands of pairs of squares."""


def some(items: Sequence[Item], count: int = TRIED) -> list[Item]:
    """At most ``count`` of the items, spread evenly, in order."""
    return list(items)[:: max(1, -(-len(items) // count))]


def odd_moves(settings: Settings, legal: set[Move]) -> Iterator[Move]:
    """Moves that are mostly illegal: hostile values, pairs of squares by chance, legal ones bent a little."""
    squares = settings.width * settings.height
    choice = random.Random(len(legal))
    yield PASS
    for value in HOSTILE_SQUARES:
        yield from (Move(value, value), Move(value, 0), Move(0, value), Move(None, value), Move(value, None))
    for _ in range(TRIED):
        yield Move(choice.randrange(squares), choice.randrange(squares))
    for move in some(sorted(legal, key=repr), 6):
        yield Move(move.target, move.source, move.piece)
        yield from (Move(move.source, move.target, piece) for piece in HOSTILE_PIECES)
        yield from (Move(move.source, square, move.piece) for square in HOSTILE_SQUARES)
        yield from (Move(square, move.target, move.piece) for square in HOSTILE_SQUARES)


def scratched(text: str, choice: random.Random) -> str:
    """``text`` with one letter lost, doubled, or replaced by another of its own."""
    at = choice.randrange(len(text))
    letter = choice.choice(["", text[at] * 2, choice.choice(text), str(choice.randrange(100)), "-"])
    return text[:at] + letter + text[at + 1 :]
