"""Lists open tables by what the parties there look for, so that a newcomer's search costs the same in any crowd.

A search gives each table where the newcomer may find what it looks for, and few others: ``fit`` (party.py) decides. A
table with a free seat is listed apart from one where a party would have to make room.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Final, NamedTuple, TypeAlias

from gateway.lobby.party import Party, folded
from gateway.table.state import rated
from protocols.core.model import Settings
from protocols.core.proposals import Start

Key: TypeAlias = tuple[Hashable, ...]

Search: TypeAlias = Sequence[tuple[Sequence[Key], int | None]]
"""Keys with the side that is wanted, None any: the tables under the first of them go before those of the next."""

WISH: Final = "wish"
ANY_WISH: Final = "any wish"
PLAYED: Final = "played"
NAMED: Final = "named"
AWAITED: Final = "awaited"
TAKES: Final = "takes"
OPEN: Final = "open"


class TableIndex:
    """Tables by key and, where a wish names one, side: each list in the order of their numbers."""

    def __init__(self) -> None:
        self._tables: dict[Key, dict[int | None, list[int]]] = {}
        self._listed: dict[int, frozenset[tuple[Key, int | None]]] = {}

    def put(self, table: int, listed: Iterable[tuple[Key, int | None]]) -> None:
        """List a table under these keys with their sides, and no others; under none it is forgotten."""
        now, before = frozenset(listed), self._listed.pop(table, frozenset())
        for key, side in before - now:
            self._drop(table, key, side)
        for key, side in now - before:
            insort(self._tables.setdefault(key, {}).setdefault(side, []), table)
        if now:
            self._listed[table] = now

    def _drop(self, table: int, key: Key, side: int | None) -> None:
        sides = self._tables[key]
        tables = sides[side]
        del tables[bisect_left(tables, table)]
        if not tables:
            del sides[side]
        if not sides:
            del self._tables[key]

    def find(self, search: Search) -> Iterator[int]:
        """The tables of a search, in its order; a table may come twice. Nothing is to be put meanwhile."""
        for keys, wanted in search:
            lists = [
                tables
                for key in keys
                for side, tables in self._tables.get(key, {}).items()
                if None in (side, wanted) or side != wanted
            ]
            yield from lists[0] if len(lists) == 1 else merge(*lists)


class Where(NamedTuple):
    """A kind of tables. ``free``: a seat is free there, else a party would have to make room.

    ``stays``: no party is on the way to there, or has been called to there, or away.
    """

    free: bool
    stays: bool


FREE: Final = (Where(True, True), Where(True, False))
FULL: Final = (Where(False, True), Where(False, False))


@dataclass(frozen=True, slots=True)
class Standing:
    """A table as newcomers find it: ``played`` and proposed are these settings; ``parties`` are there or on the way.

    ``unmatched`` are those of ``parties`` whose game is not about to begin. ``alone``: one of them waits alone.
    ``fixed``: no other settings can be agreed upon.
    """

    game: str
    where: Where
    parties: Sequence[Party]
    unmatched: Sequence[Party]
    played: Sequence[Settings]
    alone: bool
    fixed: bool


Listed: TypeAlias = Iterator[tuple[Key, int | None]]


def listing(at: Standing) -> Listed:
    """The keys of a table, with sides."""
    game, where = at.game, at.where
    void = any(party.absent for party in at.parties)  # no game can begin with that one now
    if where.free and void:
        return
    for party in at.unmatched:
        if party.offer is not None and not party.absent:
            yield from _wish(party, party.offer, where, game)
        if party.name:
            yield (NAMED, where, game, folded(party.name)), None
    first = next(iter(at.parties), None)
    if where.free:
        wants = first.wants if first is not None and first.firm else None
        for settings in at.played:
            if wants is None or wants.settings in (None, settings):
                yield (PLAYED, where, settings), None if wants is None else wants.side
    if (where.free or at.alone) and not void:
        yield from _agrees(first, Where(True, where.stays), game, fixed=at.fixed)


def _wish(party: Party, start: Start, where: Where, game: str) -> Listed:
    if party.awaits:
        yield (AWAITED, where, game, folded(party.awaits)), None
        return
    yield (WISH, where, game, start.settings), start.side
    yield (ANY_WISH, where, game, rated(start.settings)), start.side


def _agrees(party: Party | None, where: Where, game: str, *, fixed: bool) -> Listed:
    """The same for those who may agree with ``party``, the first one there; None: no party is known there."""
    if party is not None and party.awaits:
        yield (AWAITED, where, game, folded(party.awaits)), None
        return
    if not (fixed or (party is not None and party.firm)):
        yield (OPEN, where, game), None
    starts = [] if party is None else _starts(party)
    for start in starts:
        yield (WISH, where, game, start.settings), start.side
        yield (ANY_WISH, where, game, rated(start.settings)), start.side
    yield (TAKES, where, game, any(rated(start.settings) for start in starts)), None


def matching(party: Party, places: Sequence[Where], game: str, opponent: str) -> Search:
    """Where parties are that may match ``party``: just its settings go before others.

    ``opponent`` is the name of the only one to find, "" any.
    """
    start = party.offer
    if start is None:
        return ()
    if named := opponent or party.awaits:
        return (_named(named, places, game),)
    just_so = [(WISH, where, game, start.settings) for where in places]
    others = _awaited(party, places, game)
    if start.settings is not None:
        others += [(WISH, where, game, None) for where in places]
    else:
        others += [(ANY_WISH, where, game, of_accounts) for where in places for of_accounts in _rated_or_not(party)]
    return (just_so, start.side), (others, start.side)


def agreeing(party: Party, places: Sequence[Where], game: str) -> Search:
    """Where parties are that may come to play with ``party``: where its settings are played before others."""
    if party.awaits:
        return (_named(party.awaits, places, game),)
    wants, starts, keys = party.wants, _starts(party), _awaited(party, places, game)
    just_so = () if wants is None or wants.settings is None else played(wants.settings, places, wants.side)
    for where in places:
        if not party.firm:
            keys += [(TAKES, where, game, of_accounts) for of_accounts in _rated_or_not(party)]
            continue
        keys.append((OPEN, where, game))
        for settings in dict.fromkeys((None, *(start.settings for start in starts))):
            keys.append((WISH, where, game, settings))
        if any(start.settings is None for start in starts):
            keys += [(ANY_WISH, where, game, of_accounts) for of_accounts in _rated_or_not(party)]
    sides = {start.side for start in starts} if party.firm else {None}
    return (*just_so, (keys, sides.pop() if len(sides) == 1 else None))


def played(settings: Settings, places: Sequence[Where], side: int | None = None) -> Search:
    """Where just this is played, or proposed."""
    return (([(PLAYED, where, settings) for where in places], side),)


def _named(name: str, places: Sequence[Where], game: str) -> tuple[Sequence[Key], None]:
    return [(NAMED, where, game, folded(name)) for where in places], None


def _awaited(party: Party, places: Sequence[Where], game: str) -> list[Key]:
    return [(AWAITED, where, game, folded(party.name)) for where in places]


def _rated_or_not(party: Party) -> tuple[bool, ...]:
    return (False,) if party.guest else (False, True)


def _starts(party: Party) -> list[Start]:
    """The games that a party proposes and stands for."""
    return [start for start in dict.fromkeys((party.offer, party.wants)) if start is not None]
