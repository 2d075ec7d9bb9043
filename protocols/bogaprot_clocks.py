"""Clocks in Bogaprot: words for clients whose handshake asks for them (``clocks=yes``); the document has none.

    clock 0 299.5 300           seat 0's clock runs and showed 299.5 seconds when that was said, seat 1's stands
    clock -1 300 300            no clock runs
    clock 1 0+3x30 600+5x30     byo-yomi: after the main time 3 (5) periods of 30 seconds are left
    clock 1 600+25/300 20+25/300    Canadian: 25 turns in 300 seconds after the main time
    clock 0 25/1800 40/5400     25 (40) more turns in this time
    clock 0 0+10 0+10           10 seconds for this turn

Told behind the REQ_MOVE that starts a clock, and whenever clocks stop; to somebody who comes back before the REQ_MOVE
that stands, as at the beginning of that turn, for no dialect knows the time. Not here: how a clock goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from protocols.core.commands import Join
from protocols.core.events import ClockSet, Event, GameStarted, TurnStarted
from protocols.core.model import Clock, Reading

WISH: Final = ("clocks", "yes")
NOBODY: Final = -1

_SECONDS: Final = r"\d{1,8}(?:\.\d)?"
_READING: Final = re.compile(
    rf"(?:(?P<moves>\d{{1,4}})/)?(?P<main>{_SECONDS})"
    rf"(?:\+(?:(?P<periods>\d{{1,4}})x|(?P<block>\d{{1,4}})/)?(?P<period>{_SECONDS}))?",
    re.ASCII,
)


class Clocks:
    """What one connection is told of clocks: nothing, unless it has asked."""

    def __init__(self) -> None:
        self._wanted = False

    def asked(self, join: Join) -> Join:
        """The request without the wish for clocks, which is not the table's business."""
        self._wanted = WISH in join.wishes
        return replace(join, wishes=tuple(wish for wish in join.wishes if wish[0] != WISH[0]))

    def told(self, event: TurnStarted | ClockSet) -> list[str]:
        """The word for it; none where nobody keeps time."""
        return [write(event.clock)] if self._wanted and event.clock is not None else []

    def stand(self, past: Iterable[Event]) -> list[str]:
        """The same for somebody who comes to a game."""
        words: list[str] = []
        for event in past:
            if isinstance(event, GameStarted):
                words = []
            elif isinstance(event, TurnStarted | ClockSet):
                words = self.told(event) or words
        return words


def write(clock: Clock) -> str:
    """The word of all clocks."""
    running = NOBODY if clock.running is None else clock.running
    return " ".join(["clock", str(running), *map(_written, clock.readings)])


def _written(reading: Reading) -> str:
    main, period = _seconds(reading.main_s), _seconds(reading.period_s)
    if reading.periods:
        return f"{main}+{reading.periods}x{period}"
    if reading.moves:
        return f"{main}+{reading.moves}/{period}" if reading.period_s else f"{reading.moves}/{main}"
    return f"{main}+{period}" if reading.period_s else main


def _seconds(seconds: float) -> str:
    """Tenths, rounded down: a clock never shows more than there is."""
    return f"{int(10 * max(0.0, seconds)) / 10:.1f}".removesuffix(".0")


def read(text: str) -> Clock | None:
    """The clocks that ``write`` words so, since 0.0; None where the text is no such word."""
    word, _, rest = text.partition(" ")
    running, *readings = rest.split(" ")
    found = [_READING.fullmatch(reading) for reading in readings]
    known = [_read(reading) for reading in found if reading is not None]
    seats = [str(seat) for seat in range(NOBODY, len(known))]
    if word != "clock" or len(known) < len(found) or not known or running not in seats:
        return None
    return Clock(tuple(known), None if int(running) == NOBODY else int(running), 0.0)


def _read(found: re.Match[str]) -> Reading:
    moves = int(found["moves"] or found["block"] or 0)
    return Reading(float(found["main"]), float(found["period"] or 0), int(found["periods"] or 0), moves)
