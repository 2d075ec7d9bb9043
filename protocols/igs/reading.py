"""Words that people and programs type: games to play, numbers, switches, points of the board."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from protocols.core.model import TimeControl, TimeKind
from protocols.core.proposals import Start
from protocols.go_words.vertices import fixed_handicap
from protocols.go_words.wish import Wish, read_size

STONES: Final = 25
"""Stones of a period of byo-yomi, where no other number is said."""

LONGEST_S: Final = 30 * 86_400
"""Seconds: no time of a clock is longer than thirty days."""

MOST_STONES: Final = 1000
USUAL: Final = (19, 30, 10)
"""The lines of the board, minutes, and minutes of byo-yomi, of a match that does not say them."""

_SIDES: Final = {"b": 0, "black": 0, "w": 1, "white": 1, "n": None}


@dataclass(frozen=True, slots=True)
class Match:
    """A game that is asked for: with whom, by the word for them, and what is played from which side."""

    to: str
    start: Start


def read_match(text: str, usual: Wish) -> Match:
    """ "NAME W 19 30 10": whom, the asker's colour, lines, minutes, those of byo-yomi. ValueError says what is none."""
    to, *words = text.split()
    side = _SIDES[words.pop(0).lower()] if words and words[0].lower() in _SIDES else None
    if len(words) > len(USUAL) or not all(re.fullmatch("[0-9]{1,3}", word) for word in words):
        raise ValueError("a match is: match NAME B 19 30 10 (colour, size, minutes, byo-yomi minutes)")
    size, minutes, byoyomi = (*map(int, words), *USUAL[len(words) :])
    time = read_time(minutes * 60, byoyomi * 60, STONES)
    return Match(to, Start(replace(usual, size=read_size(str(size)), time=time).settings(), side))


def read_nmatch(text: str, usual: Wish) -> Match:
    """ "NAME B 0 19 900 300 25 0 0 0": whom, colour, handicap, lines, seconds, those of a period, its stones."""
    to, *words = text.split()
    if len(words) < 6 or words[0].lower() not in _SIDES or not all(re.fullmatch("[0-9]{1,7}", w) for w in words[1:]):
        raise ValueError("nmatch NAME B|W|N HANDICAP SIZE SECONDS BYO-YOMI-SECONDS STONES 0 0 0")
    handicap, size, main_s, period_s, stones = map(int, words[1:6])
    lines = read_size(str(size))
    if handicap:
        fixed_handicap(handicap, lines)
    wish = replace(usual, size=lines, time=read_time(main_s, period_s, stones or STONES), handicap=handicap)
    return Match(to, Start(wish.settings(), _SIDES[words[0].lower()]))


def read_time(main_s: int, period_s: int, stones: int) -> TimeControl | None:
    """Canadian byo-yomi; absolute without a period, None without both. ValueError: it is too long."""
    if max(main_s, period_s) > LONGEST_S or stones > MOST_STONES:
        raise ValueError(f"a clock has at most {LONGEST_S} seconds, and {MOST_STONES} stones in a period")
    if not period_s:
        return TimeControl(TimeKind.ABSOLUTE, float(main_s)) if main_s else None
    return TimeControl(TimeKind.CANADIAN, float(main_s), moves=stones, period_s=float(period_s))


def read_switch(text: str, now: bool) -> tuple[str, bool]:
    """A variable's name and how it is set: "client on", "client true", "client 1"; turned round without a value."""
    name, _, value = text.lower().partition(" ")
    if not re.fullmatch("[a-z_]{1,20}", name):
        raise ValueError("which? toggle client on")
    return name, value.strip() in ("on", "true", "1", "yes") if value.strip() else not now


def is_vertex(word: str) -> bool:
    """True for a word that may be a point of a board."""
    return re.fullmatch("[a-hj-zA-HJ-Z][0-9]{1,2}", word) is not None
