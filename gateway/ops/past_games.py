"""Finds the newest games of an account that have ended: what was played, how each ended, and the ratings after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.accounts.logins import NOT_NOW
from gateway.store.former import PublicViews, renamed_result
from gateway.store.rating_views import RatingViews
from gateway.store.records import Result, StoredEvent
from gateway.store.results import Results
from protocols.core.errors import Refused, Why
from protocols.core.events import GameEnded, GameStarted
from protocols.core.notifications import ListedGame

MOST: Final = 10
"""Games of a list."""

LOOKED_AT: Final = 50
"""Games among which those are looked for that strangers may see."""


class PastGames:
    """Knows nothing until ``reading``, and where it has ended."""

    def __init__(self) -> None:
        self._read: Callable[[str, bool], list[ListedGame]] | None = None
        self._threads = trio.CapacityLimiter(1)

    @contextmanager
    def reading(self, results: Results, views: PublicViews, ratings: RatingViews) -> Iterator[None]:
        """Answer from these, until the block ends."""
        self._read = partial(_newest, results, views, ratings)
        try:
            yield
        finally:
            self._read = None

    async def of(self, name: str, *, own: bool) -> list[ListedGame]:
        """The newest games of this account, the oldest first; private ones for the account itself alone (``own``).

        Refused (OVERLOAD) while the database is in trouble.
        """
        if self._read is None:
            return []
        try:
            return await trio.to_thread.run_sync(self._read, name, own, abandon_on_cancel=True, limiter=self._threads)
        except SQLAlchemyError as error:
            raise Refused(Why.OVERLOAD, NOT_NOW) from error


def _newest(results: Results, views: PublicViews, ratings: RatingViews, name: str, own: bool) -> list[ListedGame]:
    found = results.of_player(name, LOOKED_AT)
    opened = views.opened(sorted({result.table for result in found}))
    shown = [each for each in found if each.table in opened and (own or not opened[each.table][1])][:MOST]
    events = views.turning_points(sorted({result.table for result in shown}))
    steps = ratings.others([result.ordinal for result in shown if result.ordinal is not None])
    former, listed = views.former(), []
    for result in reversed(shown):
        after = {step.seat: round(step.after.rating) for step in steps.get(result.ordinal or 0, ())}
        game = _listed(renamed_result(result, former), events[result.table], after)
        listed += [] if game is None else [game]
    return listed


def _listed(result: Result, events: Sequence[StoredEvent], after: dict[int, int]) -> ListedGame | None:
    """The game as its own events tell it; None: the record has lost them."""
    number, settings = 0, None
    for stored in events:
        match stored.event:
            case GameStarted():
                number, settings = number + 1, stored.event.settings
            case GameEnded() if number == result.number and settings is not None:
                names = tuple(player.name for player in result.players)
                rated = tuple(after.get(seat) for seat in range(len(names)))
                return ListedGame(result.table, stored.at, settings, names, stored.event.outcome, rated)
    return None
