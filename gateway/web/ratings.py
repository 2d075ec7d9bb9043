"""Reads ratings for pages and the API: pools, lists, distributions; a player's ratings, steps and record.

A private game moves a rating that everybody sees; its table and its players are shown to the account alone.
"""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec

from gateway.ratings.pools import Player
from gateway.record.opponents import Record, record
from gateway.store.former import PublicViews, renamed_result
from gateway.store.rating_views import Bar, Change, Last, Pool, Rated, RatingViews
from gateway.store.results import Results

T = TypeVar("T")

PAGE: Final = 50
"""Players, or games, of one answer."""

CURVE: Final = 1000
"""Games that a curve shows, the newest."""

RECORDED: Final = 500
"""Games of a record against opponents, the newest: a program may have played a hundred thousand."""

LONGEST_POOL: Final = 100
"""Letters of a pool's name at most: a game, a rule set, and who plays."""

SHARE: Final = 100
"""A count is used again for so many times the time that it took: it takes at most a hundredth of a core."""

REMEMBERED: Final = 100
"""Counts that are used again: there are some dozens of pools."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of a list. ``first`` is the place of the first player, 0 in the list of those without; ``further`` where
    the next page goes on, None: nowhere."""

    players: list[Rated]
    first: int
    further: Last | None


@dataclass(frozen=True, slots=True)
class Stepped:
    """A game that was played for a rating, as its player's page shows it. ``others`` are the other players with their
    ratings before; it is hidden from strangers where the table is private, or there no more."""

    change: Change
    others: list[tuple[str, Change]]
    hidden: bool


@dataclass(frozen=True, slots=True)
class Recorded:
    """``record`` of so many ``games``; ``whole``: there are no older ones."""

    record: Record
    games: int
    whole: bool


class Ratings:
    """Every method blocks. ``public`` knows which tables are private, and who is a former player."""

    def __init__(self, views: RatingViews, results: Results, public: PublicViews) -> None:
        self._views = views
        self._results = results
        self._public = public
        self._counts: dict[str, tuple[float, object]] = {}

    def pools(self) -> list[Pool]:
        """All pools, by name."""
        return self._counted("", self._views.pools)

    def distribution(self, pool: str) -> list[Bar]:
        """The players of a pool by rating."""
        return self._counted(pool, lambda: self._views.distribution(pool, time.time()))

    def listed(self, pool: str, *, ranked: bool, after: Last | None = None, most: int = PAGE) -> Listed:
        """A page of a pool's players: those with a place (``ranked``), or those without."""
        found = self._views.listed(pool, time.time(), ranked=ranked, most=most + 1, after=after)
        before = (after.place if after is not None else 0) if ranked else 0
        shown, further = found[:most], None
        if len(found) > most:
            last = shown[-1]
            place = before + most if ranked else 0
            further = Last(place, last.rating, *last.player)
        return Listed(shown, before + 1 if ranked else 0, further)

    def of(self, name: str) -> list[Rated]:
        """The ratings of an account and of its programs, by pool."""
        return self._views.of(name, time.time())

    def curve(self, rated: Rated) -> list[Change]:
        """The newest games of a rating that count, the oldest first."""
        found = self._views.steps(rated.pool, rated.player, CURVE)
        return [change for change in reversed(found) if not change.why]

    def steps(
        self, pool: str, player: Player, before: int | None, *, own: bool, most: int = PAGE
    ) -> tuple[list[Stepped], int | None]:
        """The newest games of a player in a pool, ``before`` this ordinal; where the next page goes on, None: nowhere.

        ``own``: the account itself looks.
        """
        found = self._views.steps(pool, player, most + 1, before)
        further = found[most - 1].ordinal if len(found) > most else None
        found = found[:most]
        all_steps = self._views.others([change.ordinal for change in found])
        names = self._views.names(step.player for steps in all_steps.values() for step in steps)
        public = self._of_public({change.table for change in found})
        shown = []
        for change in found:
            hidden = not own and change.table not in public
            others = [step for step in all_steps.get(change.ordinal, ()) if step.seat != change.seat and not hidden]
            shown.append(Stepped(change, [(_called(names[step.player], step.player), step) for step in others], hidden))
        return shown, further

    def record(self, name: str, *, own: bool) -> Recorded:
        """The record of an account; private games count for the account itself alone (``own``)."""
        found = self._results.of_player(name, RECORDED + 1)
        whole, found = len(found) <= RECORDED, found[:RECORDED]
        if not own:
            public = self._of_public({result.table for result in found})
            found = [result for result in found if result.table in public]
        steps = self._views.others([result.ordinal for result in found if result.ordinal is not None])
        former = self._public.former()
        shown = [renamed_result(result, former) for result in found]
        return Recorded(record(name.casefold(), shown, steps, time.time()), len(found), whole)

    def _of_public(self, tables: set[int]) -> set[int]:
        """The tables, of these, that are there and were opened as public ones."""
        opened = self._public.opened(sorted(tables))
        return {table for table, (_, private) in opened.items() if not private}

    def _counted(self, key: str, count: Callable[[], T]) -> T:
        """The answer of ``count``, or the one that it gave a moment ago."""
        begun = time.monotonic()
        until, known = self._counts.get(key, (0.0, None))
        if begun < until:
            return known  # type: ignore[return-value]  # a key has one kind of count
        found = count()
        ended = time.monotonic()
        if len(self._counts) >= REMEMBERED:
            self._counts.clear()
        self._counts[key] = ended + SHARE * (ended - begun), found
        return found


def cursor(last: Last) -> str:
    """The end of a page as a word of an address."""
    return base64.urlsafe_b64encode(msgspec.json.encode(last)).decode()


def behind(word: str) -> Last:
    """The end of a page of which this is the word. ValueError: it is none of ours."""
    try:
        last = msgspec.json.decode(base64.urlsafe_b64decode(word), type=Last)
    except (binascii.Error, msgspec.MsgspecError, UnicodeError) as error:
        raise ValueError(word) from error
    if "\0" in last.account + last.engine or not 0 <= last.place < 1 << 53:
        raise ValueError(word)
    return last


def is_pool(name: str) -> bool:
    """True if a pool may be called so."""
    return 0 < len(name) <= LONGEST_POOL and name.isprintable()


def _called(name: str, player: Player) -> str:
    """The player in a few words, under the name that is shown."""
    return Player(name if player.account else "", player.engine).shown
