"""Clocks, chat and the reason of a result in Bogaprot: words beyond the document, for clients whose handshake asks.

With ``clocks=yes``, behind the REQ_MOVE that starts a clock, and whenever clocks stop; to a returning client before the
REQ_MOVE that stands, as they show when it comes:

    clock 0 299.5 300           seat 0's clock runs and showed 299.5 seconds when that was said, seat 1's stands
    clock -1 300 300            no clock runs
    clock 1 0+3x30 600+5x30     byo-yomi: after the main time 3 (5) periods of 30 seconds are left
    clock 1 600+25/300 20+25/300    Canadian: 25 turns in 300 seconds after the main time
    clock 0 25/1800 40/5400     25 (40) more turns in this time
    clock 0 0+10 0+10           10 seconds for this turn

Chat and reasons:

    say good luck               from a client: to the other players; the rest of the type is the saying
    said 1 good luck            to a client that asked with chat=yes: seat 1 said so, -1 is the server
    over time                   to a client that asked with reasons=yes, right before MSG_GAMEOVER
    over rules three in a row   the same with the words of the rules

The first word after "over" is a value of Reason. A client that comes back is told what was said while it was away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from protocols.core import events as ev
from protocols.core.commands import Join, Say
from protocols.core.model import Clock, Outcome, Reading, Reason

WISHES: Final = ("clocks", "chat", "reasons")
"""Options of a handshake that ask for these words when they are "yes"."""

NO_SEAT: Final = -1
"""Stands for the server in ``said``, and for no running clock."""

SAY: Final = "say "
PLAYERS: Final = "players"

MOST_MISSED: Final = 50
"""Sayings that a client is told when it comes back, the last ones."""

_SECONDS: Final = r"\d{1,8}(?:\.\d)?"
_READING: Final = re.compile(
    rf"(?:(?P<moves>\d{{1,4}})/)?(?P<main>{_SECONDS})"
    rf"(?:\+(?:(?P<periods>\d{{1,4}})x|(?P<block>\d{{1,4}})/)?(?P<period>{_SECONDS}))?",
    re.ASCII,
)


class Extensions:
    """The words that one connection is told beyond the document: none, unless it has asked."""

    __slots__ = ("_wanted",)

    def __init__(self) -> None:
        self._wanted: tuple[str, ...] = ()

    def asked(self, join: Join) -> Join:
        """The request without the wishes for these words, which are not the table's business."""
        self._wanted = tuple(name for name, value in join.wishes if name in WISHES and value == "yes")
        return replace(join, wishes=tuple(wish for wish in join.wishes if wish[0] not in WISHES))

    def clocks(self, clock: Clock | None) -> list[str]:
        """The word for the clocks; none without a clock."""
        return [write_clock(clock)] if "clocks" in self._wanted and clock is not None else []

    @property
    def talk(self) -> bool:
        """True if the client has asked for sayings."""
        return "chat" in self._wanted

    def said(self, event: ev.Said) -> list[str]:
        """The word for a saying; a speaker without a seat is named, for else it is the server's."""
        seat = NO_SEAT if event.seat is None else event.seat
        who = f"{event.name}: " if event.seat is None and event.name else ""
        return [f"said {seat} {who}{event.text}"] if self.talk else []

    def missed(self, past: Iterable[ev.Event], seat: int | None) -> list[str]:
        """The words for what was said while the holder of ``seat`` was away the last time."""
        words: list[str] = []
        away = False
        for event in past:
            if isinstance(event, ev.SeatLeft | ev.SeatTaken) and event.seat == seat:
                words, away = (words, False) if away else ([], isinstance(event, ev.SeatLeft))
            elif isinstance(event, ev.Said) and away:
                words += self.said(event)
        return words[-MOST_MISSED:]

    def over(self, outcome: Outcome) -> list[str]:
        """The word for why a game ended."""
        return [f"over {outcome.reason} {outcome.detail}".rstrip()] if "reasons" in self._wanted else []


def saying(text: str) -> Say | None:
    """The command of a saying to the other players; None for another word."""
    return Say(PLAYERS, text[len(SAY) :].strip()) if text[: len(SAY)].lower() == SAY else None


def read_said(text: str) -> tuple[int | None, str] | None:
    """The seat that spoke, None for the server, and its words; None where the text is no such word."""
    found = re.fullmatch(r"said (?:-1|(\d{1,2})) (.+)", text, re.ASCII | re.DOTALL)
    return None if found is None else (None if found[1] is None else int(found[1]), found[2])


def read_over(text: str) -> tuple[Reason, str] | None:
    """Why the game ended and the words of the rules for it; None where the text is no such word."""
    word, _, rest = text.partition(" ")
    reason, _, detail = rest.partition(" ")
    if word != "over" or reason not in list(Reason):
        return None
    return Reason(reason), detail


def write_clock(clock: Clock) -> str:
    """The word of all clocks."""
    running = NO_SEAT if clock.running is None else clock.running
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


def read_clock(text: str) -> Clock | None:
    """The clocks that ``write_clock`` words so, since 0.0; None where the text is no such word."""
    word, _, rest = text.partition(" ")
    running, *readings = rest.split(" ")
    found = [_READING.fullmatch(reading) for reading in readings]
    known = [_read(reading) for reading in found if reading is not None]
    seats = [str(seat) for seat in range(NO_SEAT, len(known))]
    if word != "clock" or len(known) < len(found) or not known or running not in seats:
        return None
    return Clock(tuple(known), None if int(running) == NO_SEAT else int(running), 0.0)


def _read(found: re.Match[str]) -> Reading:
    moves = int(found["moves"] or found["block"] or 0)
    return Reading(float(found["main"]), float(found["period"] or 0), int(found["periods"] or 0), moves)
