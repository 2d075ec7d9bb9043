"""The lines that CGOS's server says, and the game of a listener's options.

Times are whole milliseconds. A name is one word: all but letters, digits and "._-" is written "_". A rating stands
behind it in brackets, "?" where there is none. Dates are of UTC; that of a game that is being played is "-".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from protocols.core.events import MoveMade
from protocols.core.model import Clock, Outcome, Reading, Reason, TimeControl, TimeKind
from protocols.core.notifications import ListedGame, ListedTable
from protocols.go_words.table import Table, result
from protocols.go_words.vertices import COLOURS, write_vertex
from protocols.go_words.wish import OPTIONS as GAMES_OPTIONS
from protocols.go_words.wish import Wish, komi_of, read_options, wish_of

OPTIONS: Final[Mapping[str, str]] = {name: GAMES_OPTIONS[name] for name in ("size", "komi", "time", "rated")}
"""The listener's options: the game that its engines play each other."""

USUAL: Final[Mapping[str, str]] = {"size": "9", "time": "300"}

RATED_KOMI: Final = "7.5"

UNTIMED_MS: Final = 24 * 3600 * 1000
"""The time that is told of a game without a clock: the wire knows none."""

UNDATED: Final = ("-", "-")
"""A date and a time of day, of a game that is being played."""

_CLOCK: Final = "%a %b %d, %H:%M UTC %Y"
"""The server's answer about the time."""

_RESULTS: Final = {
    Reason.RESIGNATION: "Resign",
    Reason.TIME: "Time",
    Reason.ABANDONMENT: "Time",
    Reason.FORFEIT: "Illegal",
}


def read_wish(options: Mapping[str, str]) -> Wish:
    """The game of a listener's options. ValueError shows the value that makes no sense, and a game without a clock."""
    wish = read_options({**USUAL, **{name: said for name, said in options.items() if name in OPTIONS}})
    if wish.time is None:
        raise ValueError("time none: these games have a clock")
    if wish.rated and komi_of(wish) != RATED_KOMI:
        raise ValueError(f"rated games of engines have komi {RATED_KOMI}")
    return wish


def line(*words: str | int) -> bytes:
    """One line: its words, of which none breaks it, and LF."""
    text = " ".join(str(word) for word in words)
    return "".join(letter for letter in text if letter.isprintable()).encode(errors="replace") + b"\n"


def word(text: str) -> str:
    """A text as one word. A client that takes a line for a list of its language trips over quotes and braces."""
    kept = (letter if letter.isalnum() or letter in "._-" else "_" for letter in text)
    return "".join(kept) or "_"


def milliseconds(time: TimeControl | None, reading: Reading | None) -> int:
    """A clock as one number: main time and what is behind it, never below one period. ``reading`` None: at first."""
    if time is None:
        return UNTIMED_MS
    if reading is None:
        reading = Reading(time.main_s, time.period_s, time.periods, time.moves)
    left_s = max(0.0, reading.main_s)
    if time.kind in (TimeKind.BYOYOMI, TimeKind.PER_MOVE):
        left_s += time.period_s * max(1, reading.periods)
    elif time.kind is TimeKind.CANADIAN:
        left_s += reading.period_s if reading.main_s <= 0 else time.period_s
    return int(left_s * 1000)


def left(table: Table, clock: Clock | None, seat: int) -> int:
    """The time that ``seat`` has left, in milliseconds."""
    time = None if table.settings is None else table.settings.time
    readings = () if clock is None else clock.readings
    return milliseconds(time, readings[seat] if 0 <= seat < len(readings) else None)


def player(name: str, rating: object = None) -> str:
    """A player with the rating, "?" where there is none."""
    return f"{word(name)}({'?' if rating is None else rating})"


def setup(
    table: Table,
    number: int,
    names: Mapping[int, str],
    tail: Iterable[tuple[str, int]],
    ratings: Mapping[int, str] = MappingProxyType({}),
    *,
    dated: Iterable[str] = (),
) -> bytes:
    """The line that begins a game, or tells it anew: White first, ``tail`` is the game so far with the time left.

    ``dated``: a viewer's line, which has this date and time of day behind the number.
    """
    if table.settings is None:
        return b""
    wish = wish_of(table.settings)
    players = (player(names[seat], ratings.get(seat)) for seat in (1, 0))
    moves = (part for each in tail for part in each)
    main_ms = milliseconds(wish.time, None)
    if dated:
        return line("setup", number, *dated, wish.size, komi_of(wish), *players, main_ms, *moves)
    return line("setup", number, wish.size, komi_of(wish), main_ms, *players, *moves)


def match(number: int, listed: ListedTable) -> bytes:
    """A viewer's line for a game that is being played."""
    wish = wish_of(listed.settings)
    players = (player(listed.names[seat], listed.ratings[seat]) for seat in (1, 0))
    return line("match", number, *UNDATED, wish.size, komi_of(wish), *players, "-")


def ended(game: ListedGame) -> bytes:
    """A viewer's line for a game that is over."""
    wish = wish_of(game.settings)
    players = (player(game.names[seat], game.ratings[seat]) for seat in (1, 0))
    return line("match", game.table, *moment(game), wish.size, komi_of(wish), *players, outcome(game.outcome))


def moment(game: ListedGame) -> tuple[str, str]:
    """The date and the time of day when a game has ended."""
    at = datetime.fromtimestamp(game.at, UTC)
    return at.strftime("%Y-%m-%d"), at.strftime("%H:%M")


def date(clock: str) -> str:
    """The date of the server's answer about the time. ValueError: it is none."""
    return datetime.strptime(clock, _CLOCK).replace(tzinfo=UTC).strftime("%Y-%m-%d")


def vertex(made: MoveMade, table: Table) -> str:
    """A move's point, or pass."""
    try:
        return write_vertex(made.move.target, table.size)
    except ValueError:
        return "pass"


def colour(seat: int) -> str:
    return COLOURS[seat != 0][0]


def outcome(ended: Outcome) -> str:
    """A result in CGOS's words: "B+3.5", "W+Resign", "B+Time", "W+Illegal", "Draw"; "Void" for none."""
    if ended.reason is Reason.VOID:
        return "Void"
    if ended.winner is None:
        return "Draw"
    said = _RESULTS.get(ended.reason)
    return result(ended) if said is None else f"{COLOURS[ended.winner != 0][0].upper()}+{said}"
