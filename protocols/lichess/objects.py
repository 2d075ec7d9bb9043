"""The API's objects: identifiers, players, clocks, rule sets, results; and which games it can carry at all.

Source: the public API description of lichess.org, version 2.0.165, and what lichess-bot reads of it.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Mapping
from typing import Final

from protocols.core.model import DAY_S, Outcome, Reason, Settings, TimeControl, TimeKind
from protocols.core.notifications import Points
from protocols.lichess.wire import Tree

GAME: Final = "chess"

UNTIMED_MS: Final = 2_147_483_647
"""Milliseconds that each side has left in a game without a clock."""

USUAL: Final = Points(1500, provisional=True)
"""The rating that is told of a player without one."""

GAMES_OF_TABLE: Final = 64
"""Games of one table that have different identifiers."""

ID_LENGTH: Final = 8

_DIGITS: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase

_RULE_SETS: Final[Mapping[str, tuple[str, str]]] = {
    "normal": ("standard", "Standard"),
    "fischerandom": ("chess960", "Chess960"),
    "crazyhouse": ("crazyhouse", "Crazyhouse"),
    "giveaway": ("antichess", "Antichess"),
    "atomic": ("atomic", "Atomic"),
    "horde": ("horde", "Horde"),
    "kingofthehill": ("kingOfTheHill", "King of the Hill"),
    "racingkings": ("racingKings", "Racing Kings"),
    "3check": ("threeCheck", "Three-check"),
}
"""By our rule set: its key, and its name as python-chess knows it. The API has no word for suicide."""

_FROM_POSITION: Final = ("fromPosition", "From Position")

_SPEEDS: Final = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
"""Below so many seconds, of the limit and forty increments."""

_STATUS_IDS: Final[Mapping[str, int]] = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "variantEnd": 60,
}

_ENDS: Final[Mapping[Reason, str]] = {
    Reason.RESIGNATION: "resign",
    Reason.FORFEIT: "resign",
    Reason.TIME: "outoftime",
    Reason.ABANDONMENT: "timeout",
    Reason.VOID: "aborted",
}

_BY_RULES: Final[Mapping[str, str]] = {"checkmate": "mate", "stalemate": "stalemate"}


def game_id(table: int, number: int) -> str:
    """The identifier of the game ``number`` of a table; the challenge that the table comes of has that of its first."""
    return _digits(table * GAMES_OF_TABLE + (number - 1) % GAMES_OF_TABLE)


def table_of(text: str) -> tuple[int, int] | None:
    """The table and the number of a game's identifier; None: it is none."""
    if not ID_LENGTH <= len(text) <= 2 * ID_LENGTH or not set(text) <= set(_DIGITS):
        return None
    value = 0
    for letter in text:
        value = value * len(_DIGITS) + _DIGITS.index(letter)
    return value // GAMES_OF_TABLE, value % GAMES_OF_TABLE + 1


def seek_id(*parts: object) -> str:
    """An identifier for what has no number: the same for the same parts, and no table's for some 10^12 of them."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return "z" + _digits(int.from_bytes(digest[:5]))[-(ID_LENGTH - 1) :]


def _digits(value: int) -> str:
    text = ""
    while value or len(text) < ID_LENGTH:
        value, digit = divmod(value, len(_DIGITS))
        text = _DIGITS[digit] + text
    return text


def user_id(name: str) -> str:
    return name.lower()


def variant(settings: Settings) -> Tree:
    """The rule set: its key, and the name that programs look up."""
    key, name = _rule_set(settings) or ("standard", "Standard")
    return {"key": key, "name": name, "short": name}


def _rule_set(settings: Settings) -> tuple[str, str] | None:
    known = _RULE_SETS.get(settings.variant)
    if not settings.start or settings.variant == "fischerandom":
        return known
    return _FROM_POSITION if settings.variant == "normal" else None


def rule_set(key: str) -> str | None:
    """Our name of a rule set of the API; None: there is no such here."""
    if key == _FROM_POSITION[0]:
        return "normal"
    return next((ours for ours, (known, _) in _RULE_SETS.items() if known == key), None)


def carries(settings: Settings) -> bool:
    """True if the API has words for this game: its rule set, its first position, and its clock."""
    usual = settings.variant == "fischerandom" or not settings.options
    return settings.game == GAME and usual and _rule_set(settings) is not None and _has_clock(settings.time)


def _has_clock(time: TimeControl | None) -> bool:
    return time is None or time.by_days or time.kind in (TimeKind.ABSOLUTE, TimeKind.FISCHER)


def speed(time: TimeControl | None) -> str:
    """The word for how fast a game is."""
    if time is None or time.by_days:
        return "correspondence"
    seconds = time.main_s + 40 * time.increment_s
    return next((word for below, word in _SPEEDS if seconds < below), "classical")


def time_control(time: TimeControl | None) -> Tree:
    """The clock of a challenge."""
    if time is None:
        return {"type": "unlimited"}
    if time.by_days:
        return {"type": "correspondence", "daysPerTurn": int(time.period_s / DAY_S)}
    limit, increment = _whole(time.main_s), _whole(time.increment_s)
    return {"type": "clock", "limit": limit, "increment": increment, "show": f"{time.main_s / 60:g}+{increment}"}


def _whole(seconds: float) -> int:
    return int(seconds)


def clock(time: TimeControl | None) -> Tree:
    """The clock of a game's first line, in milliseconds; nothing for a game without one."""
    if time is None:
        return {}
    if time.by_days:
        return {"daysPerTurn": int(time.period_s / DAY_S)}
    return {"clock": {"initial": int(time.main_s * 1000), "increment": int(time.increment_s * 1000)}}


def player(name: str, *, bot: bool, points: Points | None = None) -> Tree:
    """A player; one without a rating has the usual one, which is not sure."""
    shown = points or USUAL
    told: Tree = {"id": user_id(name), "name": name, "title": "BOT" if bot else None, "rating": shown.rating}
    return told | ({"provisional": True} if shown.provisional else {})


def status(word: str) -> Tree:
    return {"id": _STATUS_IDS.get(word, 20), "name": word}


def ending(outcome: Outcome | None) -> str:
    """The word for how a game stands, or has ended."""
    if outcome is None:
        return "started"
    if (word := _ENDS.get(outcome.reason)) is not None:
        return word
    if (word := _BY_RULES.get(outcome.detail)) is not None:
        return word
    return "draw" if outcome.winner is None else "variantEnd"


def winner(outcome: Outcome | None) -> Tree:
    if outcome is None or outcome.winner is None:
        return {}
    return {"winner": colour(outcome.winner)}


def colour(seat: int) -> str:
    return "black" if seat else "white"


def perf(settings: Settings) -> Tree:
    """The kind of rating that a game is for."""
    shown = variant(settings)
    usual = shown["key"] in ("standard", _FROM_POSITION[0])
    return {"name": speed(settings.time).capitalize() if usual else shown["name"]}
