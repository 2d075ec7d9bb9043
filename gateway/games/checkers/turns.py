"""Whole turns of checkers as PDN writes them: a capture of several hops is one word, "1x10x19".

Source: the PDN 3.0 standard: a move names its first and last square, and those between where it would be ambiguous.

Here each hop is a move of its own; these functions read several of them out of one word, and write them as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from gateway.games.checkers.board import HOPS
from protocols.core.errors import IllegalMove, Why
from protocols.core.model import Move

WholeTurn: TypeAlias = tuple[tuple[int, ...], tuple[Move, ...]]
"""The PDN numbers that a turn visits, and its moves."""

LONGEST_TURN: Final = 40
"""Characters: a capture of twelve pieces."""

_SQUARE: Final = r"0?[1-9]|[12]\d|3[0-2]"
_WORD: Final = re.compile(rf"(?:{_SQUARE})(?:[-x:](?:{_SQUARE}))+")
_MARKS: Final = re.compile(r"[!?*]*$")


def numbers(text: str) -> tuple[int, ...]:
    """The squares that a word names; IllegalMove (SYNTAX) where it has not the form of a move."""
    word = _MARKS.sub("", text[: LONGEST_TURN + 1].strip().lower())
    if len(text) > LONGEST_TURN or not _WORD.fullmatch(word):
        raise IllegalMove(f"{text[:LONGEST_TURN]!r} is not the form of a move", Why.SYNTAX)
    return tuple(int(number) for number in re.split("[-x:]", word))


def meant(turns: Sequence[WholeTurn], text: str) -> tuple[Move, ...]:
    """The moves of the one turn, of all that begin here, that ``text`` means. IllegalMove: none does, or several do.

    The first hops of a longer capture are meant where exactly their squares are named; any other word is a whole turn.
    """
    said = numbers(text)
    for squares, moves in turns:
        if squares[: len(said)] == said:
            return moves[: len(said) - 1]
    found = [turn for turn in turns if turn[0][0] == said[0] and turn[0][-1] == said[-1] and _among(said, turn[0])]
    if len(found) == 1:
        return found[0][1]
    if found:
        ways = " or ".join("x".join(map(str, squares)) for squares, _ in found)
        raise IllegalMove(f"{text.strip()!r} may be {ways} here")
    raise IllegalMove(f"no legal move here is written {text.strip()!r}")


def shortest(turns: Sequence[WholeTurn], made: WholeTurn) -> str:
    """The shortest word that means this turn, of all that begin in its position."""
    squares, moves = made
    alike = [turn for turn in turns if (turn[0][0], turn[0][-1]) == (squares[0], squares[-1])]
    takes = HOPS[moves[0].source, moves[0].target].over
    return ("x" if takes else "-").join(map(str, squares if len(alike) > 1 else (squares[0], squares[-1])))


def _among(said: tuple[int, ...], squares: tuple[int, ...]) -> bool:
    """True if a turn visits all that is said, in this order."""
    left = iter(squares)
    return all(number in left for number in said)
