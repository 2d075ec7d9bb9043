"""Tells a table what its rated game may change as it begins, and what it has changed once that is in the database; says
what a rating is now.

One task a server asks for all such games together, whichever node rates them. Nothing here is stored: the news of a
table that has closed, or has gone to another node meanwhile, is nobody's, and profiles show the same.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, TypeVar

import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.ratings.book import REASONS, Stake
from gateway.ratings.glicko2 import START
from gateway.ratings.known import points
from gateway.ratings.pools import Played, Player, pool_of_two
from gateway.record.ended import NOT_COUNTED
from gateway.store.rating_views import Change, RatingViews
from gateway.store.records import Result
from gateway.tables.subscribers import Subscribers
from protocols.core.errors import Refused, Why
from protocols.core.notifications import Rated, SeatRated, SeatStakes, Stakes

T = TypeVar("T")

LOOK_S: Final = 0.2
"""Seconds between two looks while a game waits: players hear of their ratings within a second of the end."""

TROUBLE_S: Final = 5.0
"""Seconds until the next look after trouble of the database."""

PATIENCE_S: Final = 60.0
"""Seconds after which nothing more is said of a game: all ratings are being made anew, or nobody rates."""

AT_ONCE: Final = 200
"""Games of one question, those first that wait longest."""

MOST: Final = 10_000
"""Games that wait at once; more are not told."""

WORDS: Final = MappingProxyType({**NOT_COUNTED, **REASONS})
"""All codes of games that do not count, in words for people."""


class Followed(Protocol):
    """A table, as far as it is told something."""

    @property
    def subscribers(self) -> Subscribers: ...


class _Waiting(NamedTuple):
    until: float
    names: Sequence[str]


class RatingNews:
    """The news of one server's tables. ``table`` is the running table of a number; None: it has none."""

    def __init__(self, table: Callable[[int], Followed | None]) -> None:
        self._table = table
        self._begun: deque[Result] = deque(maxlen=MOST)
        self._waiting: dict[tuple[int, int], _Waiting] = {}
        self._some = trio.Event()
        self._threads = trio.CapacityLimiter(1)
        self._views: RatingViews | None = None

    def began(self, game: Result) -> None:
        """A rated game has begun, and this is its result as it is known then: its table hears what it may change."""
        self._begun.append(game)
        self._some.set()

    def ended(self, result: Result) -> None:
        """A game has ended, and that is stored. Where it was rated its table hears of its ratings later."""
        if result.rated and len(self._waiting) < MOST:
            names = [player.name for player in result.players]
            self._waiting[result.table, result.number] = _Waiting(trio.current_time() + PATIENCE_S, names)
            self._some.set()

    async def run(self, views: RatingViews) -> None:
        """Tell the tables until cancelled."""
        self._views = views
        while True:
            await self._some.wait()
            try:
                await self.round(views)
                await trio.sleep(LOOK_S)
            except SQLAlchemyError:  # the rater says so
                await trio.sleep(TROUBLE_S)

    async def rating_of(self, account: str, played: Played) -> int:
        """The rating of an account for a game of two, in whole points: that of a beginner where it has played none.

        Refused (OVERLOAD): it cannot be read just now.
        """
        if self._views is None:  # nothing is rated here
            return round(START.rating)
        player, pool = Player(account.casefold(), ""), pool_of_two(played)
        try:
            found = await self._ask(partial(self._views.of, account, time.time()))
        except SQLAlchemyError:
            raise Refused(Why.OVERLOAD, "ratings cannot be read just now, try again") from None
        mine = (each.rating for each in found if (each.pool, each.player) == (pool, player))
        return round(next(mine, START.rating))

    async def side_of(self, one: str, other: str, played: Played) -> int | None:
        """The seat that is due to an account against another by their last rated games; None: it is to be drawn."""
        if self._views is None:
            return None
        pair = (Player(name.casefold(), "") for name in (one, other))
        with suppress(SQLAlchemyError):  # it is drawn then
            return await self._ask(partial(self._views.side, pool_of_two(played), *pair))
        return None

    async def round(self, views: RatingViews) -> None:
        """Tell the tables of all games that are rated by now. SQLAlchemyError: the database is in trouble."""
        if self._begun:
            begun = [replace(self._begun.popleft(), at=time.time()) for _ in range(min(AT_ONCE, len(self._begun)))]
            for game, stakes in zip(begun, await self._ask(partial(views.stakes, begun)), strict=True):
                self._tell_stakes(game, stakes)
        if asked := list(islice(self._waiting, AT_ONCE)):
            found = await self._ask(partial(views.of_games, asked))
            for key, steps in groupby(found, attrgetter("table", "number")):
                self._tell(*key, self._waiting.pop(key).names, list(steps))
        self._forget(trio.current_time())

    async def _ask(self, question: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(question, abandon_on_cancel=True, limiter=self._threads)

    def _forget(self, now: float) -> None:
        for game, waiting in list(self._waiting.items()):
            if waiting.until > now:
                break
            del self._waiting[game]
        if not (self._waiting or self._begun):
            self._some = trio.Event()

    def _tell_stakes(self, game: Result, stakes: Sequence[Stake]) -> None:
        if (found := self._table(game.table)) is None:
            return
        players = () if game.why else tuple(_stakes(stake, game.players[stake.seat].name) for stake in stakes)
        told = Stakes(game.table, game.number, players, game.why, WORDS.get(game.why, game.why))
        found.subscribers.tell([told])

    def _tell(self, table: int, number: int, names: Sequence[str], steps: Sequence[Change]) -> None:
        if (found := self._table(table)) is None:
            return
        found.subscribers.tell([told_of(table, number, names, steps)])


def told_of(table: int, number: int, names: Sequence[str], steps: Sequence[Change]) -> Rated:
    """The news that the steps of a game make; ``names`` are by seat."""
    why = steps[0].why
    players = () if why else tuple(_seat(step, names[step.seat]) for step in steps)
    return Rated(table, number, players, why, WORDS.get(why, why))


def _seat(step: Change, name: str) -> SeatRated:
    return SeatRated(step.seat, name, points(step.pool, step.before), points(step.pool, step.after))


def _stakes(stake: Stake, name: str) -> SeatStakes:
    before = points(stake.pool, stake.before)
    return SeatStakes(stake.seat, name, before, *(round(after.rating) - before.rating for after in stake.after))
