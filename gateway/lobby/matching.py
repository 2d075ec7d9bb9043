"""Who of those that wait can play each other, and who is to look for a table again.

Whoever sits at an open table is a Party: what it wants, whether it may agree to something else, whether it can be
called to another table. Two that cannot agree do not stay together; one that waits alone is called to where somebody
waits whom it may play. Pure state plus methods; not here: which table is open (lobby.py), calling anybody (the server).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gateway.table import time_text
from gateway.table.state import State, Status
from protocols.core.events import Declined
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Start

MOST_REFUSED: Final = 256
"""Proposals remembered as declined by one party: more than anybody waits with at a time; the oldest is forgotten."""

MOST_CALLS: Final = 64
"""Calls to other tables without a game in between: who is called more often says one thing here and another there."""


@dataclass(slots=True, eq=False)
class Party:
    """Somebody who looks for a game, from one Join on; ``number`` is the connection's.

    ``wants`` is what it stands for: its last proposal to start, before that what it came for, None anything. ``firm``:
    it agrees to nothing else. ``roams``: it can be called to another table. ``awaits`` is the one opponent it plays, ""
    anybody. ``stands`` says whether its proposal does: None before it has made one.

    ``refused`` are others' wishes that it declined. ``called`` from the moment that it is called to another table until
    it sits down there: the table somebody waits at, 0 where it only leaves somebody it cannot play; ``calls`` counts.
    """

    number: int
    name: str
    wants: Start | None = None
    firm: bool = True
    roams: bool = False
    awaits: str = ""
    stands: bool | None = None
    called: int | None = None
    calls: int = 0
    refused: dict[tuple[int, Start | None], None] = field(default_factory=dict)

    def refuse(self, other: Party) -> None:
        """It has declined what ``other`` stands for."""
        if len(self.refused) >= MOST_REFUSED:
            del self.refused[next(iter(self.refused))]
        self.refused[other.number, other.wants] = None

    def goes_on(self, before: Party) -> None:
        """It is who came as ``before``, and knows what that one has declined; ``calls`` count until there is a game.

        Where it has been called away, what it has said of its wish at a table counts for more than what it comes for,
        unless that is another game now.
        """
        self.refused = before.refused
        if before.called is None:
            return
        self.calls = before.calls
        mine, theirs = self.wants, before.wants
        if theirs is not None and (mine is None or mine.settings == theirs.settings):
            self.wants = theirs

    @property
    def absent(self) -> bool:
        """Whether nobody can begin with it now: what it wanted is void, and only it can say what it wants instead."""
        return self.firm and self.stands is False


def fits(one: Party, other: Party) -> bool:
    """Whether these two may come to a game, as far as anybody knows."""
    if one.absent or other.absent or not (_awaited(one, other) and _awaited(other, one)):
        return False
    return _may(one, other) or _may(other, one)


def _may(one: Party, other: Party) -> bool:
    """Whether ``one`` may agree to what ``other`` wants."""
    if (other.number, other.wants) in one.refused:
        return False
    return not one.firm or (one.wants is not None and other.wants is not None and _match(one.wants, other.wants))


def _match(one: Start, other: Start) -> bool:
    same = None in (one.settings, other.settings) or one.settings == other.settings
    return same and (None in (one.side, other.side) or one.side != other.side)


def _awaited(one: Party, other: Party) -> bool:
    return not one.awaits or _plain(one.awaits) == _plain(other.name)


def _plain(name: str) -> str:
    """A name as programs spell it whose protocols take blanks for the end of a word."""
    return name.casefold().replace("_", " ")


class Waiting:
    """Everybody at an open table that anybody may come to, by table and seat. Tables are numbered in time."""

    def __init__(self) -> None:
        self._parties: dict[int, dict[int, Party]] = {}
        self._games: dict[int, str] = {}
        self._roaming: dict[str, dict[int, None]] = {}  # game -> tables where somebody roams
        self._called: dict[Party, None] = {}
        self._coming: dict[int, dict[Party, None]] = {}

    def comes(self, table: int, party: Party) -> None:
        """``party`` is on its way to a table, until ``arrived``."""
        self._coming.setdefault(table, {})[party] = None

    def arrived(self, table: int, party: Party) -> None:
        """``party`` is on its way to this table no more: it sits there, or cannot."""
        coming = self._coming.get(table, {})
        coming.pop(party, None)
        if not coming:
            self._coming.pop(table, None)

    def sat_down(self, table: int, seat: int, party: Party) -> None:
        """``party`` has this seat; report the table afterwards."""
        self.arrived(table, party)
        self._stays(party)
        party.stands = None
        self._parties.setdefault(table, {})[seat] = party

    def _stays(self, party: Party) -> None:
        party.called = None
        self._called.pop(party, None)

    def report(self, state: State) -> None:
        """Seats, proposals or the status of a table changed."""
        parties = self._parties.get(state.table)
        if parties is None:
            return
        for seat in [seat for seat in parties if state.seats[seat].kind is not SeatKind.PLAYER]:
            self._called.pop(parties.pop(seat), None)
        if state.status is not Status.OPEN or state.house.private or any(state.registered) or not parties:
            self._forget(state.table)
            return
        starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
        for seat, party in parties.items():
            _follow(party, starts.get(seat))
        self._games[state.table] = state.game.name
        if any(party.roams for party in parties.values()):
            self._roaming.setdefault(state.game.name, {})[state.table] = None

    def _forget(self, table: int) -> None:
        for party in self._parties.pop(table).values():
            self._stays(party)
        roaming = self._roaming.get(self._games.pop(table, ""), {})
        roaming.pop(table, None)

    def declined(self, before: State, event: Declined) -> None:
        """At a table that was ``before`` a seat has declined others' proposals to start, unless it withdrew its own."""
        parties = self._parties.get(before.table, {})
        starts = [made.seat for made in before.proposals if isinstance(made.proposal, Start)]
        if event.kind != Start.__name__ or event.seat not in parties or event.seat in starts:
            return
        for seat in starts:
            if seat in parties:
                parties[event.seat].refuse(parties[seat])

    def lapsed(self, table: int) -> tuple[int, Start] | None:
        """A seat whose proposal was declined, by somebody who has left, and who cannot say it again; what it wants.

        None: there is no such seat.
        """
        parties = self._parties.get(table, {})
        for seat, party in parties.items():
            if not party.roams and party.stands is False and len(parties) == 1:
                return seat, party.wants or Start()
        return None

    def suits(self, table: int, party: Party) -> bool:
        """Whether ``party`` may play everybody who sits at ``table``, or is on the way there."""
        others = (*self._parties.get(table, {}).values(), *self._coming.get(table, ()))
        return all(fits(party, other) for other in others if other is not party)

    def calls(self, table: int, free: Mapping[int, int]) -> list[tuple[int, int]]:
        """Who is to leave a table because of what changed at ``table``: (table, seat) each; they count as called now.

        ``free`` are the open tables with how many seats nobody is on the way to.
        """
        parties = self._parties.get(table, {})
        if leaver := self._leaver(parties):
            return [self._call(table, leaver, 0)]
        alone = self._alone(table)
        if alone is not None and (better := self._elsewhere(table, alone, free)) is not None:
            return [self._call(table, alone, better)]
        if not parties or not free.get(table, 0) or any(party.called == table for party in self._called):
            return []
        for other in sorted(self._roaming.get(self._games[table], ())):
            lonely = self._alone(other)
            if other != table and lonely is not None and self._goes(other, lonely, table):
                return [self._call(other, lonely, table)]
        return []

    def leaves(self, table: int, seat: int, free: Mapping[int, int]) -> bool:
        """Whether who was called from there still has a reason to go; else it is called no more."""
        parties = self._parties.get(table, {})
        party = parties.get(seat)
        if party is None or party.called is None:
            return False
        lonely = len(parties) == 1 and free.get(party.called, 0) > 0 and self.suits(party.called, party)
        if lonely or not self.suits(table, party):
            return True
        self._stays(party)
        return False

    def others(self, game: str, party: Party, free: Mapping[int, int]) -> Iterable[tuple[str, Start]]:
        """Who waits for ``game`` and cannot be played by ``party``, and what each of them wants; ``free`` as above."""
        for table, parties in self._parties.items():
            if self._games.get(table) != game or not free.get(table, 0):
                continue
            for other in parties.values():
                if other is not party and other.wants is not None and not other.absent and not fits(party, other):
                    yield other.name, other.wants

    def _leaver(self, parties: Mapping[int, Party]) -> Party | None:
        """Of those who sit together in vain the one that goes: who came for anything before who came for one game.

        Among equals who sat down last.
        """
        together = list(parties.values())
        stuck = [one for one in together if any(not fits(one, other) for other in together if other is not one)]
        if any(party.called is not None for party in stuck):
            return None
        stuck = [party for party in reversed(stuck) if party.roams and party.calls < MOST_CALLS]
        return min(stuck, key=lambda party: party.firm, default=None)

    def _alone(self, table: int) -> Party | None:
        """Who sits there alone and can be called."""
        parties = self._parties.get(table, {})
        party = next(iter(parties.values())) if len(parties) == 1 and table not in self._coming else None
        if party is None or not party.roams or party.absent or party.called is not None:
            return None
        return party if party.calls < MOST_CALLS else None

    def _elsewhere(self, table: int, party: Party, free: Mapping[int, int]) -> int | None:
        """The oldest other table where somebody waits to whom ``party`` is to go."""
        tables = (other for other, game in self._games.items() if game == self._games[table] and free.get(other, 0))
        return min((other for other in tables if self._goes(table, party, other)), default=None)

    def _goes(self, table: int, party: Party, other: int) -> bool:
        """Whether who is alone at ``table`` goes to the ``other``: to the older one, where both could go."""
        if other == table or not self.suits(other, party):
            return False
        return other < table or self._alone(other) is None

    def _call(self, table: int, party: Party, to: int) -> tuple[int, int]:
        party.called = to
        party.calls += 1
        self._called[party] = None
        return table, next(seat for seat, sitter in self._parties[table].items() if sitter is party)


def _follow(party: Party, start: Start | None) -> None:
    """What a party stands for now that ``start`` is its proposal, None without one."""
    if start is None:
        party.stands = None if party.stands is None else False
        return
    party.stands = True
    if start.settings is not None or party.wants is None:
        party.wants = start


def in_words(settings: Settings) -> str:
    """Settings for somebody to read: "area 9x9, komi 5.5, time 600"."""
    board = f"{settings.variant} {settings.width}x{settings.height}"
    options = [f"{name} {value}" for name, value in settings.options if name != "size"]
    time = [] if settings.time is None else [f"time {time_text.spell(settings.time)}"]
    return ", ".join((board, *options, *time, *(["rated"] if settings.rated else [])))
