"""Knows who is here without having to sit: names that connections and open pages of any node have entered.

Pure state plus methods. Players at tables are here, too; ``everybody`` puts both together, one record a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal

import msgspec

from gateway.lobby.names import Names
from gateway.table.state import State, Status
from protocols.core.model import SeatKind

MOST: Final = 500
"""People of a list of who is here: more are no list for people, and going through them costs the tables' time."""

Doing = Literal["lobby", "waits", "plays"]


class Entry(msgspec.Struct, frozen=True):
    """A client that has entered under a name: its number, as ``Subscriber.number``, and since when, in Unix time.

    ``bot``: it says that it is an engine. ``idle`` is since when it has said nothing, in Unix time, None while it is
    not idle. ``challenges``: it takes them, as it has said at ``said_at``, in Unix time, 0 where it has said nothing.
    """

    number: int
    name: str
    account: bool
    since: float
    dialect: str = ""
    bot: bool = False
    idle: float | None = None
    challenges: bool = True
    said_at: float = 0.0


class Person(msgspec.Struct, frozen=True):
    """A person or program that is here, under one name: ``tables`` are the public ones where it sits, rising.

    ``since`` is when it entered, in Unix time; None of one that has only sat down. ``dialects`` are those of its
    clients that have entered. ``bot``: an engine plays under this name, as its program or its account says. ``idle``
    is since when none of its clients has said anything; None while one is not idle. ``challenges``: it takes them.
    """

    name: str
    account: bool
    doing: Doing
    since: float | None
    tables: tuple[int, ...]
    dialects: tuple[str, ...] = ()
    bot: bool = False
    idle: float | None = None
    challenges: bool = True


def takes_challenges(entries: Sequence[Entry]) -> bool:
    """True unless the newest word of one of these clients, which are here under one name, is that it takes none."""
    newest = max(entries, key=lambda entry: entry.said_at, default=None)
    return newest is None or newest.challenges


def _nobody_listens(what: int | str) -> None:
    """Stands for a listener where there is none."""


class Here:
    """The clients that have entered. Each holds its name in ``names`` as long as it is here.

    ``changed`` is called with the number of a client of which other servers should know something new, ``came`` with
    the name of each client that is here now, and ``went`` with that of each that is not any more.
    """

    def __init__(
        self,
        names: Names,
        changed: Callable[[int], None] = _nobody_listens,
        came: Callable[[str], None] = _nobody_listens,
        went: Callable[[str], None] = _nobody_listens,
    ) -> None:
        self._names = names
        self._changed = changed
        self._came = came
        self._went = went
        self._entries: dict[int, Entry] = {}
        self._named: dict[str, dict[int, None]] = {}
        self._until: dict[int, float] = {}  # of those who have to say again that they are here

    def enter(self, entry: Entry) -> None:
        """A client is here now under this name, and under no other one."""
        if self.note(entry):
            self._changed(entry.number)

    def leave(self, number: int) -> None:
        """A client is here no more, or looks for another name. Idempotent."""
        if self.forget(number):
            self._changed(number)

    def stays(self, entry: Entry, until: float) -> None:
        """The same as ``enter`` until this time, unless it is said again; since when it is here does not change."""
        known = self._entries.get(entry.number)
        if known is None or known.name != entry.name:
            self.enter(entry)
        self._until[entry.number] = until

    def look(self, now: float) -> None:
        """Clients that have not said again in time that they are here have gone."""
        for number in [number for number, until in self._until.items() if until <= now]:
            self.leave(number)

    def note(self, entry: Entry) -> bool:
        """The same as ``enter``, told to nobody; False: it was known."""
        known = self._entries.get(entry.number)
        if known == entry:
            return False
        if entry.account:
            self._names.own((entry.name,))  # which another process may have made a moment ago
        if known is not None and known.name == entry.name:
            self._entries[entry.number] = entry
            return True
        self._names.hold(entry.name)
        if known is not None:
            self.forget(entry.number)
        self._entries[entry.number] = entry
        self._named.setdefault(entry.name.casefold(), {})[entry.number] = None
        self._came(entry.name)
        return True

    def forget(self, number: int) -> bool:
        """The same as ``leave``, told to nobody; False: it was not here."""
        self._until.pop(number, None)
        entry = self._entries.pop(number, None)
        if entry is None:
            return False
        self._names.free(entry.name)
        folded = entry.name.casefold()
        del self._named[folded][number]
        if not self._named[folded]:
            del self._named[folded]
        self._went(entry.name)
        return True

    def entry(self, number: int) -> Entry | None:
        """The entry of a client; None: it has entered under no name."""
        return self._entries.get(number)

    def of(self, name: str) -> list[Entry]:
        """The entries under a name, in any letter case, the oldest first."""
        return [self._entries[number] for number in self._named.get(name.casefold(), ())]

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries.values()))

    def __len__(self) -> int:
        """Number of names."""
        return len(self._named)


def everybody(states: Iterable[State], here: Here, known: Names) -> list[Person]:
    """All who are here, by name, at most MOST: who has entered, and who sits at a public table among ``states``.

    Who sits at private tables alone is listed if it has entered, and plays then, at none that is named.
    """
    names = {entry.name.casefold(): entry.name for entry in here}
    doing: dict[str, Doing] = {}
    bots = {entry.name.casefold() for entry in here if entry.bot}
    tables: dict[str, list[int]] = {}
    for state in states:
        for seat in state.seats:
            folded = seat.name.casefold()
            if seat.kind is not SeatKind.PLAYER or (state.house.private and folded not in names):
                continue
            if folded not in names and len(names) >= MOST:
                continue
            names.setdefault(folded, seat.name)
            if state.status is Status.PLAYING:
                doing[folded] = "plays"
            elif state.status is Status.OPEN:
                doing.setdefault(folded, "waits")
            if not state.house.private:
                tables.setdefault(folded, []).append(state.table)
                if state.programs and state.programs[seat.index]:
                    bots.add(folded)
    found = []
    for folded, name in sorted(names.items())[:MOST]:
        at, does = tuple(sorted(tables.get(folded, ()))), doing.get(folded, "lobby")
        found.append(person(name, here, known, does, at, bot=folded in bots))
    return found


def person(
    name: str, here: Here, known: Names, doing: Doing, tables: tuple[int, ...] = (), *, bot: bool = False
) -> Person:
    """All that is known of somebody who is here. ``bot``: it is known that an engine plays under this name."""
    entries = here.of(name)
    since = min((entry.since for entry in entries), default=None)
    dialects = tuple(sorted({entry.dialect for entry in entries if entry.dialect}))
    account = known.is_account(name)
    how = bot or (account and known.is_bot(name)), _idle(entries), takes_challenges(entries)
    return Person(name, account, doing, since, tables, dialects, *how)


def _idle(entries: Sequence[Entry]) -> float | None:
    """Since when nothing was said by any of these clients; None while one of them is not idle, or there is none."""
    said = [entry.idle for entry in entries if entry.idle is not None]
    return max(said) if said and len(said) == len(entries) else None
