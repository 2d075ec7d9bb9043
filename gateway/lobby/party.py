"""Parties that look for a game, and what two of them may come to. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Final

from gateway.table.state import rated
from protocols.core import time_text
from protocols.core.errors import BoardgateError
from protocols.core.model import Settings
from protocols.core.proposals import Start

MOST_REFUSED: Final = 256
"""Proposals remembered as declined by one party: more than wait at a time; the oldest is forgotten."""

MOST_CALLS: Final = 64
"""Calls to other tables without a game in between: a party called more often says one thing here and another there."""


@dataclass(slots=True, eq=False)
class Party:
    """A connection that looks for a game, from one Join on; ``number`` is the connection's.

    ``wants`` is what it stands for: its last proposal to start, before that what it came for, None anything. ``firm``:
    it agrees to nothing else. ``roams``: it can be called to another table. ``guest``: it has no account, and plays no
    rated game. ``awaits`` is the one opponent it plays, "" anybody. ``stands`` says whether its proposal does: None
    before it has made one at this table.

    ``offer`` is the proposal that begins a game as soon as a matching one is made: the one that stands or, on the way
    to a table, the one that it makes when it sits down; None while it proposes nothing.

    ``blocks`` are the names, folded, from which a block keeps it apart: as it was when it asked for a seat.

    ``program`` is the engine that the client is, as it names itself; "" of a person's.

    ``rounds``: others of its kind are met only where a round has paired the two; ``paired`` is then the number of the
    one that it is to meet, 0 of nobody.

    ``refused`` are others' wishes that it declined. ``called`` from the moment that it is called to another table until
    it sits down there: the table where a party waits, 0 where it only makes room; ``calls`` counts. ``goal`` is that
    table for the party that it is on its way there.
    """

    number: int
    name: str
    wants: Start | None = None
    firm: bool = True
    roams: bool = False
    awaits: str = ""
    guest: bool = False
    blocks: frozenset[str] = frozenset()
    program: str = ""
    rounds: bool = False
    stands: bool | None = None
    offer: Start | None = None
    called: int | None = None
    calls: int = 0
    goal: int = 0
    paired: int = 0
    refused: dict[tuple[int, Start | None], None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.offer is None and self.firm:
            self.offer = self.wants

    def follow(self, start: Start | None) -> None:
        """``start`` is its proposal at the table now; None: it has none."""
        if start is None:
            if self.stands and self.roams:
                self.offer = None
            self.stands = None if self.stands is None else False
            return
        self.stands, self.offer = True, None if start.confirms else start
        start = replace(start, confirms=False)
        if start.settings is not None or self.wants is None:
            self.wants = start

    def refuse(self, other: Party) -> None:
        """The party has declined what ``other`` stands for."""
        if len(self.refused) >= MOST_REFUSED:
            del self.refused[next(iter(self.refused))]
        self.refused[other.number, other.wants] = None

    def has_refused(self, other: Party) -> bool:
        return (other.number, other.wants) in self.refused

    def goes_on(self, before: Party) -> None:
        """The party is who came as ``before``, and has declined the same; ``calls`` count until there is a game.

        Where it has been called away, what it has said of its wish at a table counts for more than what it comes for,
        unless that is another game now.
        """
        self.refused = before.refused
        if before.called is None:
            return
        self.calls, self.goal, self.paired = before.calls, before.called, before.paired
        mine, theirs = self.wants, before.wants
        if theirs is not None and (mine is None or mine.settings == theirs.settings):
            self.wants, self.offer = theirs, before.offer

    @property
    def absent(self) -> bool:
        """True if no game can begin with it now: what it wanted is void, and only it can say what it wants instead.

        The server renews the wish of a party that cannot say it again.
        """
        return self.firm and self.stands is False and self.roams

    @property
    def callable(self) -> bool:
        """True if it can be called to another table, and is not called already."""
        return self.roams and self.called is None and self.calls < MOST_CALLS and not self.absent


class Nearer(BoardgateError):
    """Raised in place of a seat, for a newcomer that is movable: at ``worker`` it sits beside its opponents."""

    def __init__(self, worker: str) -> None:
        super().__init__(f"the players of this table are at {worker}")
        self.worker = worker


class Fit(IntEnum):
    """The prospect of a game between two parties, as far as it is known."""

    NEVER = 0
    MAYBE = 1
    MATCH = 2


def fit(one: Party, other: Party) -> Fit:
    """The prospect of these two: a MATCH begins a game at once, a MAYBE if one agrees to what the other wants."""
    if one.name and one.name == other.name and one.number != other.number:
        return Fit.NEVER  # two connections of one account
    if folded(other.name) in one.blocks or folded(one.name) in other.blocks:
        return Fit.NEVER
    if one.rounds and other.rounds and (one.paired, other.paired) != (other.number, one.number):
        return Fit.NEVER
    if one.absent or other.absent or not (_awaited(one, other) and _awaited(other, one)):
        return Fit.NEVER
    refused = one.has_refused(other), other.has_refused(one)
    guests = one.guest or other.guest
    if not any(refused) and _begin(one.offer, other.offer) and not (guests and _rated(one.offer, other.offer)):
        return Fit.MATCH
    if (not refused[0] and _open_to(one, other)) or (not refused[1] and _open_to(other, one)):
        return Fit.MAYBE
    return Fit.NEVER


def _open_to(one: Party, other: Party) -> bool:
    """True if ``one`` may agree to what ``other`` wants, which ``other`` has not refused to play with ``one``."""
    if (one.guest or other.guest) and _rated(other.wants):
        return False
    if one.wants is not None and other.wants is not None and begins(one.wants, other.wants):
        return not other.has_refused(one)
    return not one.firm


def _begin(one: Start | None, other: Start | None) -> bool:
    """True if a game begins with these two proposals."""
    return one is not None and other is not None and begins(one, other)


def _rated(*starts: Start | None) -> bool:
    return any(start is not None and rated(start.settings) for start in starts)


def begins(one: Start, other: Start) -> bool:
    """True if a game begins with these two proposals: nothing is settled otherwise, and not one side wanted twice."""
    same = None in (one.settings, other.settings) or one.settings == other.settings
    return same and (None in (one.side, other.side) or one.side != other.side)


def _awaited(one: Party, other: Party) -> bool:
    return not one.awaits or same_name(one.awaits, other.name)


def same_name(one: str, other: str) -> bool:
    """True if these are one name, as programs spell it whose protocols take blanks for the end of a word."""
    return folded(one) == folded(other)


def folded(name: str) -> str:
    """A name as it is compared: the same for all spellings of one."""
    return name.casefold().replace("_", " ")


def in_words(settings: Settings) -> str:
    """Settings in words for people: "area 9x9, komi 5.5, time 600"."""
    board = f"{settings.variant} {settings.width}x{settings.height}"
    options = [f"{name} {value}" for name, value in settings.options if name != "size"]
    time = [] if settings.time is None else [f"time {time_text.spell(settings.time)}"]
    return ", ".join((board, *options, *time, *(["rated"] if settings.rated else [])))
