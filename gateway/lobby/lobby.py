"""Finds the table for a player: by ticket, by address, the oldest open table, or a new one.

Pure state plus methods; tables report what changed after each of their steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from sys import intern
from typing import Final

from msgspec.structs import replace

from gateway.lobby.claims import AccountClaim, AddressClaim, Claim, PairClaim, TicketClaim, ticket_digest
from gateway.lobby.here import Here
from gateway.lobby.join_options import JoinOptions
from gateway.lobby.matching import Meeting, Waiting
from gateway.lobby.names import Names
from gateway.lobby.notices import NoticeBoard, nothing_changed
from gateway.lobby.offers import Offers
from gateway.lobby.party import Party, in_words
from gateway.lobby.registration import Pairs
from gateway.lobby.spelling import tidy
from gateway.lobby.table_quotas import TableQuotas
from gateway.lobby.tidings import TidingsBoard
from gateway.lobby.word_filter import WordFilter
from gateway.store.records import SeatRow, TableRow
from gateway.table.state import State, Status, seats_of
from protocols.core.errors import Refused, Why
from protocols.core.events import Declined, Event
from protocols.core.model import SeatKind
from protocols.core.proposals import Start

OWN_TICKET: Final = 22
"""Characters a peer's own secret must have at least: 128 random bits in base64."""

MOST_SHOWN: Final = 3
"""Waiting players named to a newcomer without an opponent: as many as fit one line."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A seat for a party: ``table`` None is a new table, ``seat`` None any open seat.

    ``evicts`` is the number of the party that has to be called away from there before; None: a seat is open.
    """

    table: int | None
    seat: int | None = None
    evicts: int | None = None


def _nobody_listens(table: int) -> None:
    """Stands for a listener where there is none."""


def _wish(start: Start, party: Party) -> str:
    """Another player's wish, and the reason why ``party`` cannot play it where only the side is."""
    mine = party.wants
    same = mine is not None and mine.settings == start.settings and start.side is not None and mine.side == start.side
    return "" if start.settings is None else in_words(start.settings) + (" from your side" if same else "")


def news(before: State, after: State) -> bool:
    """True if a step is to be reported: it has changed which players may sit down here."""
    if before.seats is not after.seats or before.status is not after.status:
        return True
    return after.status is Status.OPEN and before.proposals is not after.proposals


class Lobby:
    """Open tables by what is played, tickets and lost seats of every table that is not closed.

    ``changed`` is called with a table of which other servers' lobbies should know something new, ``noticed`` when the
    notices have changed, ``entered`` with a client that has entered or is gone, ``offered`` with an offer of this node
    that is new or gone, ``stirred`` when there is news of games or people. ``words`` are in no name of a guest.
    """

    def __init__(
        self,
        changed: Callable[[int], None] = _nobody_listens,
        noticed: Callable[[], None] = nothing_changed,
        entered: Callable[[int], None] = _nobody_listens,
        offered: Callable[[int], None] = _nobody_listens,
        stirred: Callable[[], None] = nothing_changed,
        words: WordFilter | None = None,
    ) -> None:
        self._changed = changed
        self.names = Names(words)
        self.tidings = TidingsBoard(stirred)
        self.here = Here(self.names, entered, self.tidings.came, self.tidings.went)
        self.offers = Offers(offered)
        self.table_quotas = TableQuotas()
        self.notices = NoticeBoard(noticed)
        self.pairs = Pairs()
        self.waiting = Waiting()
        self._holders: dict[int, dict[int, str]] = {}  # table -> {seat: name}
        self._named: dict[str, tuple[int, ...]] = {}  # folded name -> tables where a player of this name has a seat
        self._absent: dict[int, frozenset[int]] = {}  # table -> seats that are kept for absent players
        self._given_up: dict[int, dict[int, str]] = {}  # table -> {seat: its player, who stayed away too long}
        self._tickets: dict[bytes, tuple[int, int]] = {}
        self._issued: dict[int, list[bytes]] = {}  # table -> digests of its tickets
        self._lost: dict[tuple[str, str], list[tuple[int, int]]] = {}  # (game, address) -> seats, lost last at the end
        self._losers: dict[tuple[int, int], tuple[str, str]] = {}  # (table, seat) -> (game, address)

    def by_ticket(self, ticket: str) -> Destination | None:
        """The seat a ticket stands for; None for "" and for a secret a peer brings along.

        Refused (BAD_TICKET) for one that is neither known nor long enough to become one.
        """
        if not ticket:
            return None
        if (held := self._tickets.get(ticket_digest(ticket))) is not None:
            return Destination(*held)
        if len(ticket) < OWN_TICKET:
            raise Refused(Why.BAD_TICKET, f"unknown ticket; a secret of your own has at least {OWN_TICKET} characters")
        return None

    def knows(self, digest: bytes) -> bool:
        """True if the ticket with this digest stands for a seat."""
        return digest in self._tickets

    def by_address(self, game: str, address: str) -> Destination | None:
        """The seat that this address lost last, for a wire that carries neither a name nor a ticket."""
        lost = self._lost.get((game, address))
        return Destination(*lost[-1]) if lost else None

    def claimed(self, claim: Claim, table: int) -> int | None:
        """The seat of ``table`` that a claim stands for now; None: it stands for none there."""
        held: Sequence[tuple[int, int]] = ()
        match claim:
            case TicketClaim(digest=digest):
                held = [self._tickets[digest]] if digest in self._tickets else ()
            case AddressClaim(game=game, address=address):
                held = self._lost.get((game, address), ())
            case PairClaim(name=name, opponent=opponent):
                found = self.pairs.find(tidy(name), tidy(opponent))
                held = () if found is None else (found,)
            case AccountClaim(name=name):
                owners = self._given_up.get(table, {}) | self._holders.get(table, {})
                held = [(table, seat) for seat, owner in owners.items() if owner.casefold() == name.casefold()]
        return next((seat for number, seat in reversed(held) if number == table), None)

    def registered_pair(self, name: str, opponent: str) -> Destination | None:
        """The seat of ``name`` at the newest unfinished table that is registered for these two, as they are spelled."""
        found = self.pairs.find(tidy(name), tidy(opponent))
        return None if found is None else Destination(*found)

    def room(self, wanted: JoinOptions, party: Party) -> Destination:
        """The table for a newcomer, which is on its way there then, until ``waiting.arrived``; or a new table.

        Where a party waits that matches ``party``, that one's table. Else the one that it was called to; the oldest
        open table with these settings, or where settings are still to be agreed upon any table of the game, but one
        with the settings that ``party`` wants goes before the others. Never one with a party that ``party`` cannot
        play. Refused (NOT_NOW): the opponent who is wanted does not wait.
        """
        if wanted.alone:
            return Destination(None)
        game, seats = wanted.settings.game, wanted.settings.seats
        meeting = self.waiting.meeting(party, game, seats, wanted.opponent)
        if meeting is None:
            table = self._suitable(wanted, party)
            if table is None and wanted.opponent:
                raise Refused(Why.NOT_NOW, f"nobody called {wanted.opponent!r} waits for {game}")
            meeting = Meeting(table)
        elif meeting.table is not None and meeting.evicts is not None:
            self.waiting.evict(meeting.evicts, meeting.table)
        if meeting.table is not None:
            self.comes(meeting.table, party)
        return Destination(meeting.table, evicts=meeting.evicts)

    def _suitable(self, wanted: JoinOptions, party: Party) -> int | None:
        """The open table where that can be played, or to which ``party`` was called to agree upon a game."""
        game = wanted.settings.game
        if wanted.opponent:
            named = (table for table in self._named.get(wanted.opponent.casefold(), ()) if self._plays(table, game))
            return min((table for table in named if self.waiting.suits(table, party)), default=None)
        if self._plays(party.goal, game) and self.waiting.suits(party.goal, party):
            return party.goal
        return self.waiting.place(party, game, None if wanted.any_settings else wanted.settings)

    def _plays(self, table: int, game: str) -> bool:
        """True if strangers may take a seat of this table, for this game."""
        return any(settings.game == game for settings in self.waiting.offers(table))

    def comes(self, table: int, party: Party) -> None:
        """``party`` is on its way to a table, until ``waiting.arrived``."""
        offers = self.waiting.offers(table)
        game, seats = (offers[0].game, offers[0].seats) if offers else ("", 0)
        self.waiting.comes(table, party, game, seats)

    def declined(self, before: State, events: Iterable[Event]) -> None:
        """A table that stood so has gone on by these ``events``, which may decline what a player wants."""
        if before.status is Status.OPEN:
            for event in events:
                if type(event) is Declined:
                    self.waiting.declined(before, event)

    def unmatched(self) -> list[tuple[int, int, list[str]]]:
        """Players who wait alone after ``waiting.calls``: table, seat, and in words the players of other games."""
        found = [(at, self.waiting.offers(at[0])) for at in self.waiting.unmatched()]
        return [(table, seat, self.others(offers[0].game, party)) for (table, seat, party), offers in found if offers]

    def others(self, game: str, party: Party) -> list[str]:
        """In words, a few players who wait for ``game`` and play something else than ``party`` does."""
        found = (at for at in self.waiting.others(game, party) if at[1].settings is not None)
        return [f"{name} waits for {_wish(start, party)}" for name, start in islice(found, MOST_SHOWN)]

    def table_of(self, name: str) -> int | None:
        """The newest table where a player of this name has a seat."""
        return max(self._named.get(name.casefold(), ()), default=None)

    def tables_of(self, name: str) -> list[tuple[int, bool]]:
        """The tables where a player of this name has a seat, the newest first; and whether that player is there."""
        folded, found = name.casefold(), []
        for table in sorted(self._named.get(folded, ()), reverse=True):
            absent = self._absent.get(table, ())
            seats = [seat for seat, holder in self._holders[table].items() if holder.casefold() == folded]
            found.append((table, any(seat not in absent for seat in seats)))
        return found

    def kept(self, name: str) -> list[tuple[int, int]]:
        """(table, seat) of every seat that is kept for a player of this name who is not there, the oldest first."""
        folded = name.casefold()
        absent = ((table, seat) for table in self._named.get(folded, ()) for seat in self._absent.get(table, ()))
        return sorted((table, seat) for table, seat in absent if self._holders[table][seat].casefold() == folded)

    def people(self) -> list[tuple[int, tuple[str, ...]]]:
        """Every table with players, with their names by seat, the oldest first."""
        return sorted((table, tuple(held.values())) for table, held in self._holders.items())

    def issue(self, digest: bytes, table: int, seat: int) -> None:
        """The ticket with this digest now stands for this seat."""
        self.restore([(digest, table, seat)])
        self._changed(table)

    def ticketed(self, table: int) -> frozenset[int]:
        """The seats of a table for which a ticket exists."""
        return frozenset(self._tickets[digest][1] for digest in self._issued.get(table, ()) if digest in self._tickets)

    def revoke(self, table: int, seat: int) -> None:
        """No secret stands for this seat any more."""
        issued = self._issued.get(table, [])
        for digest in [digest for digest in issued if self._tickets.get(digest) == (table, seat)]:
            del self._tickets[digest]
            issued.remove(digest)
            self._changed(table)

    def turn(self, table: int, by: int, seats: int) -> None:
        """All players of a table moved ``by`` seats on, and their tickets with them."""
        for digest in self._issued.get(table, ()):
            held = self._tickets.get(digest)
            if held is not None and held[0] == table:
                self._tickets[digest] = (table, (held[1] + by) % seats)

    def restore(self, digests: Iterable[tuple[bytes, int, int]]) -> None:
        """Tickets from the record: digest, table, seat."""
        for digest, table, seat in digests:
            self._tickets[digest] = (table, seat)
            issued = self._issued.setdefault(table, [])
            if digest not in issued:  # another node may have told of it before
                issued.append(digest)

    def has_players(self, table: int) -> bool:
        """True if somebody is known to sit at a table, or may come back to it."""
        return table in self._holders

    def known(self, row: TableRow, seats: Sequence[SeatRow]) -> None:
        """An unfinished table that is not replayed yet: who holds its seats, and may come back to them.

        ``report`` replaces what is known so when the table runs.
        """
        holders = [seat for seat in seats if seat.kind in (SeatKind.PLAYER, SeatKind.RESERVED)]
        for seat in holders:
            self.names.hold(seat.name)
            if seat.address and row.status != Status.OPEN:
                self.lost(intern(row.game), seat.address, row.table, seat.seat)
        if holders:
            self._hold(row.table, {seat.seat: seat.name for seat in holders})
            self._absent[row.table] = frozenset(seat.seat for seat in holders)
        if row.pair is not None:
            self.pairs.known(row.table, row.pair, tuple(seat.name for seat in seats))

    def dropped(self, table: int, *, again: bool = False) -> None:
        """A known table cannot be replayed: it is closed to players. ``again``: it will be, and is reported then."""
        if not again:
            self.tidings.dropped(table)
        self._drop_tickets(table)
        self._absent.pop(table, None)
        self._given_up.pop(table, None)
        held = self._holders.get(table, {})
        self._hold(table, {})
        for seat, name in held.items():
            self.names.free(name)
            self.found(table, seat)
        self.pairs.dropped(table)
        self.table_quotas.ended(table)
        self.notices.dropped(table)
        self.waiting.shut(table)
        self._changed(table)

    def _drop_tickets(self, table: int) -> None:
        for digest in self._issued.pop(table, ()):
            if self._tickets.get(digest, (0, 0))[0] == table:
                del self._tickets[digest]

    def tickets(self, table: int) -> list[tuple[bytes, int]]:
        """The tickets of a table: digest and seat."""
        issued = ((digest, self._tickets.get(digest, (0, 0))) for digest in self._issued.get(table, ()))
        return [(digest, seat) for digest, (of, seat) in issued if of == table]

    def report(self, state: State, before: State | None, addresses: Sequence[str] = ()) -> None:
        """A table's seats or status changed: note its open seats, and the addresses with a claim to a lost seat.

        ``before`` is the state that was reported last, None for a table from the record; ``addresses`` are by seat, ""
        for holders who have tickets.
        """
        self._report_lost(state, before, addresses)
        self._report_names(state)
        self.pairs.report(state)
        self.table_quotas.report(state)
        self.waiting.report(state)
        if _joinable(state):
            self._list(state, len(seats_of(state, SeatKind.OPEN)))
        else:
            self.waiting.shut(state.table)
        self.notices.report(state, takeable=_takeable(state))
        self.tidings.report(state)
        if state.status is Status.CLOSED:
            self._forget(state)
        self._changed(state.table)

    def heard(self, state: State, addresses: Sequence[str], tickets: Iterable[tuple[bytes, int]]) -> None:
        """A table of another server stands so: ``addresses`` as in ``report``, all its ``tickets`` with their seats."""
        self._drop_tickets(state.table)
        self.restore((digest, state.table, seat) for digest, seat in tickets)
        self.report(state, None, addresses)

    def _list(self, state: State, free: int) -> None:
        proposed = (made.proposal.settings for made in state.proposals if isinstance(made.proposal, Start))
        offers = tuple(dict.fromkeys((state.settings, *(settings for settings in proposed if settings is not None))))
        self.waiting.opened(state.table, offers, free, fixed=any(state.registered))

    def left(self, state: State) -> None:
        """A table's task has ended, however it did: it is closed to players."""
        self.report(replace(state, status=Status.CLOSED), state)

    def lost(self, game: str, address: str, table: int, seat: int) -> None:
        """A connection without a ticket was lost; its address may take the seat back."""
        self.found(table, seat)
        self._lost.setdefault((game, address), []).append((table, seat))
        self._losers[table, seat] = (game, address)

    def found(self, table: int, seat: int) -> None:
        """This seat is taken, or given up: no address has a claim to it."""
        key = self._losers.pop((table, seat), None)
        if key is None:
            return
        self._lost[key].remove((table, seat))
        if not self._lost[key]:
            del self._lost[key]

    def _report_lost(self, state: State, before: State | None, addresses: Sequence[str]) -> None:
        for seat in state.seats:
            if before is not None and seat is before.seats[seat.index]:
                continue
            if seat.kind is SeatKind.RESERVED and addresses[seat.index]:
                self.lost(state.game.name, addresses[seat.index], state.table, seat.index)
            else:
                self.found(state.table, seat.index)

    def _report_names(self, state: State) -> None:
        people = (SeatKind.PLAYER, SeatKind.RESERVED)
        closed = state.status is Status.CLOSED
        now = {seat.index: seat.name for seat in state.seats if seat.kind in people and not closed}
        absent = frozenset() if closed else frozenset(seats_of(state, SeatKind.RESERVED))
        if absent:
            self._absent[state.table] = absent
        else:
            self._absent.pop(state.table, None)
        given_up = {seat.index: seat.owner for seat in state.seats if seat.owner and seat.index not in now}
        if given_up and not closed:
            self._given_up[state.table] = given_up
        else:
            self._given_up.pop(state.table, None)
        before = self._holders.get(state.table, {})
        if now == before:
            return
        for name in now.values():
            self.names.hold(name)
        for name in before.values():
            self.names.free(name)
        self._hold(state.table, now)

    def _hold(self, table: int, now: dict[int, str]) -> None:
        """The seats of a table have these holders now."""
        before = {name.casefold() for name in self._holders.pop(table, {}).values()}
        after = {name.casefold() for name in now.values()}
        for name in before - after:
            left = tuple(other for other in self._named[name] if other != table)
            if left:
                self._named[name] = left
            else:
                del self._named[name]
        for name in after - before:
            self._named[name] = (*self._named.get(name, ()), table)
        if now:
            self._holders[table] = now

    def _forget(self, state: State) -> None:
        self._drop_tickets(state.table)
        for seat in state.seats:
            self.found(state.table, seat.index)


def _joinable(state: State) -> bool:
    """True if a stranger may sit down there: never opposite a seat that waits for an absent player."""
    absent = seats_of(state, SeatKind.RESERVED)
    return (
        state.status is Status.OPEN and not state.house.private and bool(seats_of(state, SeatKind.OPEN)) and not absent
    )


def _takeable(state: State) -> bool:
    """True if a newcomer may take up what is proposed there: a player who sits there in vain makes room, if need be."""
    free = bool(seats_of(state, SeatKind.OPEN)) or not any(state.registered)
    return state.status is Status.OPEN and not state.house.private and free
