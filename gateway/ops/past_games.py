"""Finds games that have ended, of an account or of all: what was played, how each ended, and the ratings after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.logins import NOT_NOW
from gateway.store.former import PublicViews, renamed_result
from gateway.store.rating_views import RatingViews
from gateway.store.records import EventRow, Result, StoredEvent
from gateway.store.results import Results
from gateway.store.views import stored
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, GameEnded, GameStarted, Said
from protocols.core.notifications import ListedGame

V = TypeVar("V")

MOST: Final = 10
"""Games of an account's list."""

MOST_OF_ALL: Final = 40
"""Games of a list of all that is played."""

LOOKED_AT: Final = 50
"""Games among which those are looked for that strangers may see."""

AMONG: Final = 10_000
"""Games of any kind among which those of one kind are looked for."""

LONGEST: Final = 20_000
"""Events of a table whose games are told: twenty games of Go and more."""


class PastGames:
    """Knows nothing until ``reading``, and where it has ended."""

    def __init__(self) -> None:
        self._archive: _Archive | None = None
        self._threads = trio.CapacityLimiter(1)

    @contextmanager
    def reading(self, results: Results, views: PublicViews, ratings: RatingViews) -> Iterator[None]:
        """Answer from these, until the block ends."""
        self._archive = _Archive(results, views, ratings)
        try:
            yield
        finally:
            self._archive = None

    async def of(self, name: str, *, own: bool) -> list[ListedGame]:
        """The newest games of this account, the oldest first; private ones for the account itself alone (``own``).

        Refused (OVERLOAD) while the database is in trouble.
        """
        return [] if self._archive is None else await self._asked(self._archive.of, name, own)

    async def newest(self, game: str, width: int) -> list[ListedGame]:
        """The newest public games of this game on boards of this width, 0 any, the oldest first; one a table.

        Refused (OVERLOAD) while the database is in trouble.
        """
        return [] if self._archive is None else await self._asked(self._archive.newest, game, width)

    async def record(self, table: int) -> tuple[ListedGame, tuple[Event, ...]] | None:
        """The last game that has ended at this table, and the table's events until then, without talk; None: there is
        none, it is private, or its record is too long.

        Refused (OVERLOAD) while the database is in trouble.
        """
        return None if self._archive is None else await self._asked(self._archive.record, table)

    async def _asked(self, read: Callable[..., V], *asked: object) -> V:
        try:
            return await trio.to_thread.run_sync(read, *asked, abandon_on_cancel=True, limiter=self._threads)
        except SQLAlchemyError as error:
            raise Refused(Why.OVERLOAD, NOT_NOW) from error


@dataclass(frozen=True, slots=True)
class _Archive:
    """The queries, which block."""

    results: Results
    views: PublicViews
    ratings: RatingViews

    def of(self, name: str, own: bool) -> list[ListedGame]:
        found = self.results.of_player(name, LOOKED_AT)
        return self._listed(self._shown(found, own=own), MOST)

    def newest(self, game: str, width: int) -> list[ListedGame]:
        found = self.results.newest(game, width, LOOKED_AT + MOST_OF_ALL, AMONG)
        last = {result.table: result for result in reversed(found)}
        return self._listed(self._shown(sorted(last.values(), key=_ended_at, reverse=True)), MOST_OF_ALL)

    def record(self, table: int) -> tuple[ListedGame, tuple[Event, ...]] | None:
        public = self._shown(self.results.of_table(table)[-1:])
        if not (listed := self._listed(public, 1)):
            return None
        rows = (row for row in islice(self.views.rows(table), LONGEST) if row.kind != Said.__name__)
        told = tuple(_until(public[0].number, rows))
        return (listed[0], told) if told and isinstance(told[-1], GameEnded) else None

    def _shown(self, found: Sequence[Result], *, own: bool = False) -> list[Result]:
        """Public results, or all of one's own."""
        opened = self.views.opened(sorted({result.table for result in found}))
        return [each for each in found if each.table in opened and (own or not opened[each.table][1])]

    def _listed(self, found: Sequence[Result], most: int) -> list[ListedGame]:
        """The games of the first of these results, the last of them first."""
        shown = found[:most]
        events = self.views.turning_points(sorted({result.table for result in shown}))
        steps = self.ratings.others([result.ordinal for result in shown if result.ordinal is not None])
        former, listed = self.views.former(), []
        for result in reversed(shown):
            after = {step.seat: round(step.after.rating) for step in steps.get(result.ordinal or 0, ())}
            game = _listed(renamed_result(result, former), events[result.table], after)
            listed += [] if game is None else [game]
        return listed


def _ended_at(result: Result) -> tuple[float, int]:
    return result.at, result.table


def _until(number: int, rows: Iterable[EventRow]) -> Iterator[Event]:
    """The events of a table until the end of its game of this number; fewer, where one makes no sense."""
    begun = 0
    with suppress(ValueError):
        for row in stored(rows):
            begun += isinstance(row.event, GameStarted)
            yield row.event
            if begun == number and isinstance(row.event, GameEnded):
                return


def _listed(result: Result, found: Sequence[StoredEvent], after: dict[int, int]) -> ListedGame | None:
    """The game as its own events tell it; None: the record has lost them."""
    number, settings = 0, None
    for each in found:
        match each.event:
            case GameStarted():
                number, settings = number + 1, each.event.settings
            case GameEnded() if number == result.number and settings is not None:
                names = tuple(player.name for player in result.players)
                rated = tuple(after.get(seat) for seat in range(len(names)))
                return ListedGame(result.table, each.at, settings, names, each.event.outcome, rated)
    return None
