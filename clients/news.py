"""The lines of the message log: what kind each is, and the wording for people who come and go.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from protocols.core.model import Reason, Seat, SeatKind


class Tone(StrEnum):
    """The kind of a line of news."""

    MOVE = "move"
    PEOPLE = "people"
    REFUSAL = "refusal"
    GAME = "game"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class News:
    """One line for the message log."""

    tone: Tone
    text: str


LOST = {
    Reason.RESIGNATION: ("you resigned", "{} resigned"),
    Reason.TIME: ("your time is up", "the time of {} is up"),
    Reason.ABANDONMENT: ("you left the game", "{} left the game"),
    Reason.FORFEIT: ("you forfeit the game", "{} forfeits the game"),
}
"""Why a game was lost other than by its rules, for the loser and for the others."""


def ending(reason: Reason, detail: str, loser: str) -> str:
    """Why a game ended, in a few words; ``loser`` is a name, "" for the reader."""
    if reason in LOST:
        own, other = LOST[reason]
        said = other.format(loser) if loser else own
        return f"{said}: {detail}" if detail and reason is Reason.FORFEIT else said
    if reason is Reason.AGREEMENT:
        return "by agreement"
    return detail


def arrivals(before: Sequence[Seat], now: Sequence[Seat], side: Callable[[int], str], own: int | None) -> Iterator[str]:
    """A line for each seat whose change is worth one; none where the players have only exchanged seats."""
    if sorted((seat.kind, seat.name) for seat in before) == sorted((seat.kind, seat.name) for seat in now):
        return
    for new in now:
        old = before[new.index] if new.index < len(before) else None
        if old != new and (text := arrival(old, new, side(new.index), new.index == own)):
            yield text


def arrival(old: Seat | None, new: Seat, side: str, own: bool) -> str:
    """One line about a changed seat; "" where it is not worth one."""
    match new.kind:
        case SeatKind.PLAYER | SeatKind.BOT if own:
            return f"You sit at {side}." if old is None or old.kind is not new.kind else ""
        case SeatKind.PLAYER if old is not None and old.kind is SeatKind.RESERVED:
            return f"{new.name} is back at {side}."
        case SeatKind.PLAYER:
            return f"{new.name} sits at {side}."
        case SeatKind.BOT:
            return f"{new.name or 'A bot'} (a bot) sits at {side}."
        case SeatKind.RESERVED:
            return f"{new.name or side} is away; the seat is kept."
        case SeatKind.ABANDONED:
            return f"{new.name or side} has left {side} for good."
        case SeatKind.OPEN if old is not None and old.kind is not SeatKind.OPEN:
            return f"{old.name or side} has left; {side} is open."
        case _:
            return ""
