"""Checkers in PDN, the form that every draughts program reads: positions and whole games, written and read.

Source: the PDN 3.0 standard. White's result comes first, though Black begins: "0-1" is a win of seat 0.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gateway.games.base import Played
from gateway.games.checkers import board as geometry
from gateway.games.checkers.board import NUMBERS
from protocols.core.model import Outcome, Reason

COLUMNS: Final = 79
LONGEST_GAME: Final = 20_000
"""Characters of a game that is read: a thousand turns with their numbers, and comments."""

ENGLISH: Final = "21,B,8,8,N1,0"
"""GameType: English draughts, Black begins, numbers from Black's side."""

_FEN: Final = re.compile(r"([wb])((?::[wb](?:k?\d+(?:-\d+)?(?:,k?\d+(?:-\d+)?)*)?){2})\.?", re.IGNORECASE)
_PIECES: Final = re.compile(r"(k?)(\d+)(?:-(\d+))?", re.IGNORECASE)
_TAG: Final = re.compile(r'\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_SKIPPED: Final = re.compile(r"\{[^{}]*\}|;[^\n]*|\$\d+|\d+\.+")
_VARIATION: Final = re.compile(r"\([^()]*\)")
_RESULTS: Final = {
    "1-0": (1,),
    "2-0": (1,),
    "0-1": (0,),
    "0-2": (0,),
    "1/2-1/2": (None,),
    "1-1": (None,),
    "0-0": (None,),
    "*": (),
}
"""The winner that each word states; () for none yet."""


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as its text has it: the position it begins from ("" the usual one), its turns, its result."""

    fen: str
    turns: tuple[str, ...]
    result: str

    def fits(self, outcome: Outcome | None) -> bool:
        """True unless the rules have ended this game otherwise than its text says."""
        return outcome is None or not _RESULTS[self.result] or _RESULTS[self.result] == (outcome.winner,)


def is_fen(text: str) -> bool:
    """True for a position as PDN writes it: "B:W18,24,K27:B12,K16"."""
    return bool(_FEN.fullmatch(text.strip()))


def read_fen(text: str) -> tuple[list[str], int]:
    """The rows of a position, and the seat to move. ValueError: a square that is not there, or named twice."""
    found = _FEN.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"no position in PDN: {text[:100]!r}")
    cells = ["."] * 64
    for part in found[2].lower()[1:].split(":"):
        for king, first, last in _PIECES.findall(part[1:]):
            for number in range(int(first), int(last or first) + 1):
                if not 1 <= number <= 32 or cells[NUMBERS[number - 1]] != ".":
                    raise ValueError(f"no free square {number}")
                cells[NUMBERS[number - 1]] = part[0].upper() if king else part[0]
    if found[2].lower().count(":w") != 1:
        raise ValueError("one side is listed twice")
    return ["".join(cells[row : row + 8]) for row in range(0, 64, 8)], int(found[1].lower() == "w")


def fen(black: int, white: int, kings: int, turn: int) -> str:
    """The position as PDN writes it."""
    sides = [",".join(_listed(pieces, kings)) for pieces in (white, black)]
    return f"{'BW'[turn]}:W{sides[0]}:B{sides[1]}"


def _listed(pieces: int, kings: int) -> Iterator[str]:
    for number, bit in enumerate(geometry.BITS, 1):
        if pieces & bit:
            yield f"K{number}" if kings & bit else str(number)


def is_game(text: str) -> bool:
    """True for the text of a game, by its first words: a tag or a move's number."""
    return bool(re.match(r"\s*(?:\[|\{|\d+\.)", text))


def read(text: str) -> PdnGame:
    """One game; its comments and variations are left out. ValueError: it is none, or more than one."""
    if len(text) > LONGEST_GAME:
        raise ValueError(f"{len(text)} characters, more than {LONGEST_GAME}")
    tags = {name.lower(): re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(text)}
    body = re.sub(r"\{[^{}]*\}", " ", _TAG.sub(" ", text))
    while (shorter := _VARIATION.sub(" ", body)) != body:
        body = shorter
    words = _SKIPPED.sub(" ", body).split()
    ends = [at for at, word in enumerate(words) if word in _RESULTS]
    if ends and ends[0] != len(words) - 1:
        raise ValueError("more than one game, or moves behind its result")
    if not tags.get("gametype", "21").startswith("21"):
        raise ValueError(f"another game than English draughts: GameType {tags['gametype'][:20]}")
    result = words.pop() if ends else tags.get("result", "*")
    if result not in _RESULTS:
        raise ValueError(f"no result: {result[:20]!r}")
    return PdnGame(tags.get("fen", ""), tuple(words), result)


def pdn(played: Played, start: str, turns: Sequence[str]) -> str:
    """The game as PDN; ``turns`` are its words, ``start`` the position that it begins from, "" the usual one."""
    tags = "\n".join(f'[{name} "{_quoted(value)}"]' for name, value in _tags(played, start))
    words = " ".join([*_numbered(turns, start), _result(played.outcome)])
    lines = textwrap.wrap(words, COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join([tags, "", *lines]) + "\n"


def _tags(played: Played, start: str) -> Iterator[tuple[str, str]]:
    black, white = (name or "?" for name in played.names[:2])
    yield from (("Event", f"Table {played.table}"), ("Site", played.site or "?"))
    yield from (("Date", datetime.fromtimestamp(played.begun, UTC).strftime("%Y.%m.%d")), ("Round", str(played.number)))
    yield from (("Black", black), ("White", white), ("Result", _result(played.outcome)), ("GameType", ENGLISH))
    if start:
        yield from (("SetUp", "1"), ("FEN", start))


def _numbered(turns: Sequence[str], start: str) -> Iterator[str]:
    """The turns in pairs, Black's first. Of a set-up with Black to move programs read Black's first turn by itself."""
    alone = start.startswith("B")
    for at, word in enumerate(turns):
        if alone and not at:
            yield "1..."
        elif at % 2 == alone:
            yield f"{(at + alone) // 2 + 1}."
        yield word


def _result(outcome: Outcome | None) -> str:
    if outcome is None or outcome.reason is Reason.VOID:
        return "*"
    return "1/2-1/2" if outcome.winner is None else ("0-1", "1-0")[outcome.winner]


def _quoted(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    return plain.replace("\\", "\\\\").replace('"', '\\"')
