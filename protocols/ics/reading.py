"""Reads what people and clients type: a game as "5 0 unrated white", a number, a move."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocols.core.model import Settings, TimeControl, TimeKind
from protocols.core.proposals import Start

GAME: Final = "chess"

MOST_MINUTES: Final = 999
MOST_INCREMENT_S: Final = 999
BARE_INCREMENT_S: Final = 10.0
"""Seconds that a game of no minutes and an increment begins with, as at FICS."""

USUAL: Final = (2, 12)
"""Minutes, and seconds more a move, of a game that names none: FICS's own."""

_KINDS: Final[Mapping[str, str]] = {
    "fr": "fischerandom",
    "wild/fr": "fischerandom",
    "crazyhouse": "crazyhouse",
    "zh": "crazyhouse",
    "suicide": "suicide",
    "atomic": "atomic",
}
_SPEEDS: Final = ("lightning", "blitz", "standard", "untimed", "chess")
"""Words for plain chess, which its time says anyhow."""

_MOVE: Final = re.compile(
    r"[a-h][1-8][-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?"
    r"|[PNBRQpnbrq][@*][a-h][1-8]"
    r"|[oO0]-?[oO0](?:-?[oO0])?"
    r"|(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|(?:[a-h]x?)?[a-h][1-8](?:=?\(?[nbrqkNBRQK]\)?)?)(?:e\.?p\.?)?"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game that is sought: ``ratings`` is the range of its takers, "" any."""

    start: Start
    ratings: str = ""


def read_wanted(text: str, usual: tuple[int, int] = USUAL) -> Wanted:
    """The game that these words ask for. ValueError says which word is none."""
    numbers: list[int] = []
    variant, ratings = "normal", ""
    rated = confirms = False
    side: int | None = None
    for word in text.lower().split():
        if re.fullmatch("[0-9]{1,9}", word):
            numbers.append(int(word))
        elif re.fullmatch("[0-9]{1,4}-[0-9]{1,4}", word):
            ratings = word
        elif word in ("r", "rated"):
            rated = True
        elif word in ("w", "white", "b", "black"):
            side = 0 if word[0] == "w" else 1
        elif word in ("m", "manual"):
            confirms = True
        elif word in _KINDS:
            variant = _KINDS[word]
        elif word not in ("u", "unrated", "a", "auto", "f", "formula", "wild", *_SPEEDS):
            raise ValueError(f"{word[:20]!r} is no word of a game: 5 0 rated white crazyhouse")
    if len(numbers) > 2:
        raise ValueError("a game has minutes, and seconds that each move adds: 5 0")
    minutes, seconds = (*numbers, 0)[:2] if numbers else usual
    settings = Settings(GAME, variant, 8, 8, 2, read_time(minutes, seconds), "", rated)
    return Wanted(Start(settings, side, confirms), ratings)


def read_time(minutes: int, seconds: int) -> TimeControl | None:
    """The clock of so many minutes, and seconds a move; None without one. ValueError: it is too long."""
    if minutes > MOST_MINUTES or seconds > MOST_INCREMENT_S:
        raise ValueError(f"a clock has at most {MOST_MINUTES} minutes, and {MOST_INCREMENT_S} seconds more a move")
    if not minutes and not seconds:
        return None
    main_s = minutes * 60.0 or BARE_INCREMENT_S
    return TimeControl(TimeKind.FISCHER if seconds else TimeKind.ABSOLUTE, main_s, float(seconds))


def is_move(text: str) -> bool:
    """True for a word that writes a move of chess, be it legal or not."""
    return _MOVE.fullmatch(text.rstrip("+#!?")) is not None
