"""Read-only queries for the public: as views.py, with "former player" in place of names of deleted accounts.

The record is never rewritten. An event that is shown under another name keeps the digest of what is stored, so its own
digest cannot be computed from what is shown, and those of all other events can. Nobody may be called FORMER.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from msgspec import structs
from sqlalchemy import select

from gateway.store import codec
from gateway.store.records import FORMER, EventRow, Player, Result, StoredEvent
from gateway.store.schema import former_names
from gateway.store.ties import blocks_of
from gateway.store.views import TableView, Views
from protocols.core.events import Said, SeatTaken

LEARNT_S: Final = 5.0
"""Seconds until a name is shown no more whose account another process has deleted."""

KINDS: Final = (SeatTaken.__name__, Said.__name__)
"""Events that name a person."""

E = TypeVar("E")


class PublicViews(Views):
    """Views for pages and the API."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._former: frozenset[str] = frozenset()
        self._learnt = 0.0

    def former(self) -> frozenset[str]:
        """The folded names of deleted accounts."""
        if time.monotonic() - self._learnt > LEARNT_S:
            self.learn()
        return self._former

    def blocked(self, account: str) -> frozenset[str]:
        """The folded names of those whom this account has blocked."""
        return blocks_of(self._reading, account).own

    def learn(self) -> None:
        """Read the names anew."""
        with self._reading.connect() as connection:
            self._former = frozenset(connection.execute(select(former_names.c.folded)).scalars())
        self._learnt = time.monotonic()

    def tables(self, state: str = "", game: str = "", limit: int = 100, before: int | None = None) -> list[TableView]:
        return self._shown(super().tables(state, game, limit, before))

    def table(self, table: int) -> TableView | None:
        found = super().table(table)
        return None if found is None else self._shown([found])[0]

    def several(self, numbers: Sequence[int]) -> list[TableView]:
        return self._shown(super().several(numbers))

    def seated(self, name: str, *, over: bool, limit: int = 30, before: int | None = None) -> list[TableView]:
        return self._shown(super().seated(name, over=over, limit=limit, before=before))

    def turning_points(self, numbers: Sequence[int]) -> dict[int, list[StoredEvent]]:
        former, found = self.former(), super().turning_points(numbers)
        return {
            number: [replace(stored, event=renamed(stored.event, former)) for stored in events]
            for number, events in found.items()
        }

    def rows(self, table: int, after: int = 0) -> Iterator[EventRow]:
        former = self.former()
        return (_row(row, former) for row in super().rows(table, after)) if former else super().rows(table, after)

    def _shown(self, found: Iterable[TableView]) -> list[TableView]:
        former = self.former()
        return [
            replace(view, seats=tuple(replace(seat, name=shown(seat.name, former)) for seat in view.seats))
            for view in found
        ]


def shown(name: str, former: frozenset[str]) -> str:
    """The name as the public is shown it."""
    return FORMER if name.casefold() in former else name


def renamed(event: E, former: frozenset[str]) -> E:
    """The event as the public is shown it."""
    if isinstance(event, SeatTaken) and event.name.casefold() in former:
        return structs.replace(event, name=FORMER)
    if isinstance(event, Said) and event.name.casefold() in former:
        return replace(event, name=FORMER)
    return event


def _row(row: EventRow, former: frozenset[str]) -> EventRow:
    if row.kind not in KINDS:
        return row
    try:
        event = codec.decode(row.kind, row.body)
    except ValueError:
        return row
    changed = renamed(event, former)
    return row if changed is event else structs.replace(row, body=codec.encode(changed)[1])


def renamed_result(result: Result, former: frozenset[str]) -> Result:
    """The result as the public is shown it: an account that is deleted has no name there, and no account."""
    if former.isdisjoint(player.account or player.name.casefold() for player in result.players):
        return result
    return replace(result, players=tuple(_renamed(player, former) for player in result.players))


def _renamed(player: Player, former: frozenset[str]) -> Player:
    gone = (player.account or player.name.casefold()) in former
    return Player(FORMER, "", player.engine) if gone else player
