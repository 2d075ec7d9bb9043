"""Matchmaking: finds waiting parties that can play each other, and the one that moves to another table.

``fit`` (party.py) says what two parties may come to: nothing, maybe a game, or a match, which begins a game as soon as
both sit at one table.

1. Two parties that match meet. One moves to the other's table; a third party that sits in the way is called away from
   there; where neither table can be reached, one opens a new table and the other follows.
2. Two parties that can never agree do not stay at one table.
3. A party that waits alone moves to a table where another party waits that it may play, to the older of two tables.

A move by rule 1 ends in a game. A move by rule 2 needs a refusal, which is remembered, or a new wish of one of them. A
move by rule 3 makes one table of two. So the moves come to an end unless a player comes, goes or changes a wish.

Pure state plus methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import Final

from gateway.lobby.party import MOST_CALLS, Fit, Party, fit, same_name
from gateway.lobby.table_index import FREE, FULL, Standing, TableIndex, Where, agreeing, listing, matching, played
from gateway.table.state import State, Status
from protocols.core.events import Declined
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Start


@dataclass(frozen=True, slots=True)
class Meeting:
    """The meeting with a matching party: at ``table``, None at a new one of its own.

    ``evicts`` is the number of the party that has to leave the table before; None: a seat is free.
    """

    table: int | None
    evicts: int | None = None


_ANYWHERE: Final = (FREE, FULL)
_STAYING: Final = (FREE[:1], FULL[:1])
"""Tables that parties may be called from: see ``Where.stays``."""


class Waiting:
    """The parties at open public tables, by table and seat, and those on the way there. Tables are numbered in time."""

    def __init__(self) -> None:
        self._open: dict[int, _Open] = {}  # tables that take strangers
        self._parties: dict[int, dict[int, Party]] = {}
        self._games: dict[int, str] = {}
        self._seats: dict[int, int] = {}
        self._index = TableIndex()
        self._called: dict[Party, int] = {}  # by the table that they are called away from
        self._called_to: Counter[int] = Counter()
        self._coming: dict[int, dict[Party, str]] = {}  # table -> parties on the way there, with the game they want
        self._looked: dict[int, None] = {}  # tables that were looked at since ``unmatched`` was asked
        self._again: dict[int, None] = {}  # tables where a party has been expected that does not come

    def opened(self, table: int, offers: tuple[Settings, ...], seats: int, *, fixed: bool) -> None:
        """Strangers may take so many ``seats`` of a table; ``offers`` is what is played there, and what is proposed.

        ``fixed``: nothing else can be agreed upon.
        """
        self._open[table] = _Open(offers, seats, fixed)
        self._list(table)

    def shut(self, table: int) -> None:
        """A table takes no more strangers."""
        if self._open.pop(table, None) is not None:
            self._list(table)

    def offers(self, table: int) -> tuple[Settings, ...]:
        """The game of a table that takes strangers, and those that are proposed there; none at any other."""
        found = self._open.get(table)
        return () if found is None else found.offers

    def comes(self, table: int, party: Party, game: str, seats: int) -> None:
        """``party`` is on its way to a table of so many seats, until ``arrived``."""
        self._seats.setdefault(table, seats)
        self._coming.setdefault(table, {})[party] = self._games.get(table, game)
        self._list(table)

    def arrived(self, table: int, party: Party) -> bool:
        """``party`` is on its way to this table no more; whether it was until now."""
        coming = self._coming.get(table, {})
        if coming.pop(party, None) is None:
            return False
        if not coming:
            del self._coming[table]
            if table not in self._parties:
                self._seats.pop(table, None)
        self._again[table] = None
        self._list(table)
        return True

    def sat_down(self, table: int, seat: int, party: Party) -> None:
        """``party`` has this seat; report the table afterwards."""
        self._parties.setdefault(table, {})[seat] = party
        party.stands = None
        self.settled(party)
        self.arrived(table, party)

    def settled(self, party: Party) -> None:
        """``party`` is not called any more: it has a seat, stays where it is, or is gone."""
        goal, party.called = party.called, None
        if goal:
            self._again[goal] = None
            self._called_to[goal] -= 1
            if not self._called_to[goal]:
                del self._called_to[goal]
            self._list(goal)
        if (table := self._called.pop(party, None)) is not None:
            self._list(table)

    def report(self, state: State) -> None:
        """Seats, proposals or the status of a table changed."""
        table, parties = state.table, self._parties.get(state.table)
        if parties is None:
            return
        for seat in [seat for seat in parties if state.seats[seat].kind is not SeatKind.PLAYER]:
            del parties[seat]
        if state.status is not Status.OPEN or state.house.private or any(state.registered) or not parties:
            self._forget(table)
            return
        starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
        for seat, party in parties.items():
            party.follow(starts.get(seat))
        self._games[table] = state.game.name
        self._seats[table] = len(state.seats)
        self._list(table)

    def _free(self, table: int) -> bool:
        """True if a table has an open seat that no party is on the way to."""
        found = self._open.get(table)
        return found is not None and found.seats > len(self._coming.get(table, ()))

    def _list(self, table: int) -> None:
        """List a table by what newcomers find there now."""
        parties, free = tuple(self.at(table)), self._free(table)
        opened, coming = self._open.get(table), self._coming.get(table, {})
        offers, fixed = ((), False) if opened is None else (opened.offers, opened.fixed)
        game = self._games.get(table) or next(iter(coming.values()), "") or (offers[0].game if offers else "")
        if not game or not (parties or free):
            self._index.put(table, ())
            return
        stays = not self._awaited_at(table) and all(party.called is None for party in parties)
        unmatched = parties if free else [party for party in parties if not self._begins(table, party)]
        alone = len(parties) == 1 and not coming
        at = Standing(game, Where(free, stays), parties, unmatched, offers, alone, fixed)
        self._index.put(table, listing(at))

    def _forget(self, table: int) -> None:
        for party in self._parties.pop(table).values():
            self.settled(party)
        if table not in self._coming:
            self._seats.pop(table, None)
        self._games.pop(table, None)
        self._list(table)

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
        """A seat whose proposal was declined, by a party that has left, and who cannot say it again; what it wants.

        None: there is no such seat.
        """
        parties = self._parties.get(table, {})
        for seat, party in parties.items():
            if not party.roams and party.stands is False and len(parties) == 1:
                return seat, party.wants or Start()
        return None

    def fit_at(self, table: int, party: Party) -> Fit:
        """The prospect of ``party`` with the players at ``table`` and those on the way there; MAYBE without any."""
        return min((fit(party, other) for other in self.at(table) if other is not party), default=Fit.MAYBE)

    def meeting(self, party: Party, game: str, seats: int, opponent: str = "") -> Meeting | None:
        """The meeting of ``party`` with a match at a table of so many seats; None: no such party waits.

        At a free seat before one that is to be left, at a table with just its settings before any other, at an older
        one before a younger. At a new table where the other one cannot be reached but can be called. ``opponent`` is
        the name of the only one to meet, "" any.
        """
        found: Meeting | None = None
        for table, other in self._partners(party, game, seats, opponent):
            match self._way(table, other, party):
                case _Way.SEAT:
                    return Meeting(table)
                case _Way.EVICTION:
                    found = found or Meeting(table, self._in_the_way(table, other, party))
                case _Way.APART:
                    found = found or Meeting(None)
            if found is not None and not self._free(table):
                break  # nor is there a free seat at those that follow
        return found

    def place(self, party: Party, game: str, settings: Settings | None) -> int | None:
        """The oldest table with a free seat that suits ``party``, where ``settings`` are played, None any of the game.

        One where its own settings are played goes before others.
        """
        search = agreeing(party, FREE, game) if settings is None else played(settings, FREE)
        return next((table for table in self._index.find(search) if self.suits(table, party)), None)

    def suits(self, table: int, party: Party) -> bool:
        """True if a table has a free seat where ``party`` may come to a game."""
        return self._free(table) and self.fit_at(table, party) > Fit.NEVER

    def strays(self, table: int, party: Party, game: str) -> bool:
        """True if ``party`` is about to sit down for good beside one that it cannot play, or apart from one that waits.

        The one that it came for may have left while it was on the way.
        """
        if party.roams or self.fit_at(table, party) is Fit.MATCH:
            return False
        seated = self._parties.get(table, {}).values()
        if any(fit(party, other) is Fit.NEVER for other in seated if other is not party):
            return True
        meeting = self.meeting(party, game, self._seats.get(table, 0))
        return meeting is not None and meeting.table not in (None, table)

    def evict(self, number: int, table: int) -> None:
        """The party of that number is called away from a table, for another one that has come to be met there."""
        for party in self._parties.get(table, {}).values():
            if party.number == number and party.called is None:
                self._call(table, party, 0, calls=0)

    def calls(self, table: int) -> list[tuple[int, int]]:
        """The seats to call away after a change at ``table``: (table, seat) each; they count as called now.

        Where a party that was expected has not come, it is looked for another one.
        """
        found = self._calls_at(table)
        while self._again:
            found += self._calls_at(self._again.popitem()[0])
        return found

    def _calls_at(self, table: int) -> list[tuple[int, int]]:
        """The same for one table: one party at most."""
        self._looked[table] = None
        parties = self._parties.get(table, {})
        if leaver := self._leaver(parties):
            return [self._call(table, leaver, 0)]
        if not parties or self._awaited_at(table):
            return []
        for party in parties.values():
            if party.called is not None or self._begins(table, party):
                continue
            if (call := self._to_partner(table, party)) is not None:
                return [call]
        return self._to_company(table)

    def unmatched(self) -> list[tuple[int, int, Party]]:
        """Parties for which ``calls`` has found nothing, though they said what they propose: table, seat, party."""
        looked, self._looked = self._looked, {}
        found = [(table, seat, party) for table in looked for seat, party in self._parties.get(table, {}).items()]
        return [at for at in found if self._waits_in_vain(at[0], at[2])]

    def _waits_in_vain(self, table: int, party: Party) -> bool:
        if len(self._parties[table]) > 1 or self._awaited_at(table):
            return False
        return party.firm and party.roams and party.stands is True and party.called is None

    def _to_partner(self, table: int, party: Party) -> tuple[int, int] | None:
        """The call that brings ``party`` together with one that it matches, by rule 1; None: there is none."""
        for there, other in self._partners(party, self._games[table], self._seats[table], of=_STAYING):
            if there == table or self._begins(there, other):
                continue
            ways = []
            if party.callable:
                ways.append((self._way(there, other, party), there, table, party))
            if other.callable and there in self._parties:
                ways.append((self._way(table, party, other), table, there, other))
            way, to, at, mover = min(ways, key=lambda way: way[:2], default=(_Way.NONE, 0, 0, party))
            if way is not _Way.NONE:
                return self._call(at, mover, 0 if way is _Way.APART else to)
        return None

    def _to_company(self, table: int) -> list[tuple[int, int]]:
        """The call that brings two together by rule 3, each of whom waits alone, one of them at ``table``."""
        alone = self._alone(table)
        if alone is not None and (better := self._elsewhere(table, alone)) is not None:
            return [self._call(table, alone, better)]
        first = next(iter(self._parties[table].values()))
        for other in self._index.find(agreeing(first, FREE[:1], self._games[table])) if self._free(table) else ():
            lonely = self._alone(other)
            if other != table and lonely is not None and self._goes(other, lonely, table):
                return [self._call(other, lonely, table)]
        return []

    def leaves(self, table: int, seat: int) -> bool:
        """True if the party that was called from this seat still has a reason to go; else it is called no more."""
        parties = self._parties.get(table, {})
        party = parties.get(seat)
        if party is None:
            return False
        if self._has_reason(table, party):
            return True
        self.settled(party)
        self._again[table] = None
        return False

    def _has_reason(self, table: int, party: Party) -> bool:
        others = [other for other in self._parties[table].values() if other is not party]
        if any(fit(party, other) is Fit.NEVER for other in others):
            return True
        if any(fit(coming, other) is Fit.MATCH for coming in self._coming.get(table, ()) for other in others):
            return True  # it is in the way
        meeting = self.meeting(party, self._games[table], self._seats[table])
        if meeting is not None and meeting.table != table:
            return True
        target = party.called or 0
        return not others and self._free(target) and self.fit_at(target, party) > Fit.NEVER

    def others(self, game: str, party: Party) -> Iterable[tuple[str, Start]]:
        """The parties that wait for ``game`` and cannot be played by ``party``: name, and what each of them wants."""
        for table, parties in self._parties.items():
            if self._games.get(table) != game or not self._free(table):
                continue
            for other in parties.values():
                alone = other is not party and other.wants is not None and not other.absent
                if alone and other.wants is not None and fit(party, other) is Fit.NEVER:
                    yield other.name, other.wants

    def in_rounds(self) -> Iterator[tuple[int, Party]]:
        """The parties that wait alone for a round, each with its table; whom one was paired with is gone."""
        for table, parties in self._parties.items():
            party = next(iter(parties.values()))
            if len(parties) == 1 and party.rounds and party.callable and not self._awaited_at(table):
                party.paired = 0
                yield table, party

    def at(self, table: int) -> Iterator[Party]:
        """The parties at a table, and those on the way there."""
        yield from self._parties.get(table, {}).values()
        yield from self._coming.get(table, ())

    def _partners(
        self, party: Party, game: str, seats: int, opponent: str = "", of: Sequence[Sequence[Where]] = _ANYWHERE
    ) -> Iterator[tuple[int, Party]]:
        """Parties at tables of so many seats, or on the way there, that match this one: those beside a free seat first.

        ``opponent`` as for ``meeting``.
        """
        for table in chain.from_iterable(self._index.find(matching(party, places, game, opponent)) for places in of):
            if self._seats.get(table, seats) == seats:
                for other in self.at(table):
                    named = not opponent or same_name(opponent, other.name)
                    if named and other is not party and fit(party, other) is Fit.MATCH:
                        yield table, other

    def _begins(self, table: int, party: Party, but: Party | None = None) -> bool:
        """True if ``party`` has a match at its own table, where the game is about to begin.

        It is not where one of the two has proposed it and taken that back.
        """
        if party.stands is False:
            return False
        others = (other for other in self.at(table) if other is not party and other is not but)
        return any(other.stands is not False and fit(party, other) is Fit.MATCH for other in others)

    def _way(self, table: int, other: Party, party: Party) -> _Way:
        """The best way in which ``party`` can come to sit with ``other``, who is at ``table``.

        Nobody waits for one whose game is about to begin: two who sit may hesitate for as long as they like.
        """
        if self._free(table) and self.fit_at(table, party) > Fit.NEVER:
            return _Way.NONE if party.roams and self._begins(table, other, party) else _Way.SEAT
        if self._begins(table, other, party):
            return _Way.NONE
        full = len(self._coming.get(table, ())) >= self._seats[table]  # of parties on the way there
        if not full and self._in_the_way(table, other, party) is not None:
            return _Way.EVICTION
        return _Way.APART if other.callable and table in self._parties else _Way.NONE

    def _in_the_way(self, table: int, other: Party, party: Party) -> int | None:
        """The number of the party that leaves ``table``, of two seats, for ``party`` to sit with that ``other``.

        Where a third one sits, those on the way do not count: two that wait for each other to sit down would never do.
        """
        present = [sitter for sitter in self.at(table) if sitter is not other and sitter is not party]
        present = [one for one in present if one in self._parties.get(table, {}).values()] or present
        if self._seats.get(table) != 2 or len(present) != 1:
            return None
        (third,) = present
        begin = fit(third, other) is Fit.MATCH and False not in (third.stands, other.stands)
        return third.number if third.roams and not begin else None

    def _awaited_at(self, table: int) -> bool:
        """True if a party is on the way to a table, or is called there."""
        return table in self._coming or table in self._called_to

    def _leaver(self, parties: Mapping[int, Party]) -> Party | None:
        """The player to go of those who sit together in vain: one that came for any game before one that came for one.

        Among equals who sat down last.
        """
        together = list(parties.values())
        stuck = [one for one in together if any(fit(one, other) is Fit.NEVER for other in together if other is not one)]
        if any(party.called is not None for party in stuck):
            return None
        stuck = [party for party in reversed(stuck) if party.roams and party.calls < MOST_CALLS]
        return min(stuck, key=lambda party: party.firm, default=None)

    def _alone(self, table: int) -> Party | None:
        """The party that sits there alone and can be called."""
        parties = self._parties.get(table, {})
        party = next(iter(parties.values())) if len(parties) == 1 and not self._awaited_at(table) else None
        return party if party is not None and party.callable else None

    def _elsewhere(self, table: int, party: Party) -> int | None:
        """The oldest other table where a party waits to whom ``party`` is to go."""
        tables = self._index.find(agreeing(party, FREE[:1], self._games[table]))
        return next((other for other in tables if self._free(other) and self._goes(table, party, other)), None)

    def _goes(self, table: int, party: Party, other: int) -> bool:
        """True if the party alone at ``table`` goes to the ``other``: to the older one, where both could go."""
        if other == table or self.fit_at(other, party) is Fit.NEVER:
            return False
        return other < table or self._alone(other) is None

    def _call(self, table: int, party: Party, to: int, calls: int = 1) -> tuple[int, int]:
        party.called = to
        party.calls += calls
        self._called[party] = table
        if to:
            self._called_to[to] += 1
            self._list(to)
        self._list(table)
        return table, next(seat for seat, sitter in self._parties[table].items() if sitter is party)


class _Way(IntEnum):
    """The ways in which two matching parties come to sit at one table, the best first."""

    SEAT = 0
    EVICTION = 1
    APART = 2
    NONE = 3


@dataclass(frozen=True, slots=True)
class _Open:
    """A table that takes strangers: see ``Waiting.opened``."""

    offers: tuple[Settings, ...]
    seats: int
    fixed: bool
