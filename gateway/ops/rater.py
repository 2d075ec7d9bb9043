"""Rates results soon after they are stored: one task a server, and of several nodes of one database one does it.

It looks into the database again and again, so a result of any node is seen, and one that was left by a node that died.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.store.nodes import Holder
from gateway.store.ratings import AT_ONCE, NotHeld, SqlRatings, Stale

T = TypeVar("T")

LOOK_S: Final = 0.3
"""Seconds between two looks: a game is rated within a second of its end."""

OTHERS_S: Final = 1.0
"""Seconds between two looks at whether the node that has the role still lives."""

TROUBLE_S: Final = 5.0
"""Seconds until the next look after trouble of the database."""

BREATHER_S: Final = 0.02
"""Seconds of rest after each transaction of a rebuild, about as long as it takes: moves come first."""

_log = structlog.get_logger()


class Rater:
    """Counts what waits in ``ratings`` while this node has the role. ``role`` takes it where it is free, and says under
    which epoch this node has it; None: another has."""

    def __init__(self, ratings: SqlRatings, role: Callable[[], Awaitable[Holder | None]]) -> None:
        self._ratings = ratings
        self._role = role
        self._threads = trio.CapacityLimiter(1)

    async def run(self) -> None:
        """Rate until cancelled."""
        while True:
            try:
                wait_s = await self.round()
            except SQLAlchemyError as error:
                _log.warning("results cannot be rated", error=str(error))
                wait_s = TROUBLE_S
            await trio.sleep(wait_s)

    async def round(self) -> float:
        """Rate all that waits, if it is this node that does it; the seconds until the next look.

        SQLAlchemyError: the database is in trouble.
        """
        held = await self._role()
        if held is None:
            return OTHERS_S
        try:
            look = await self._do(self._ratings.look)
            if look == "stale":
                await self._rebuild(held)
            elif look:
                while await self._do(partial(self._ratings.count, held)) == AT_ONCE:
                    pass
        except Stale:
            return 0.0
        except NotHeld:
            return OTHERS_S
        return LOOK_S

    async def _rebuild(self, held: Holder) -> None:
        """A breather after each transaction. A server that stops waits for none of them."""

        def pause() -> None:
            trio.from_thread.check_cancelled()
            time.sleep(BREATHER_S)

        rebuilt = partial(self._ratings.rebuild, held, time.time(), lambda _done, _all: None, pause)
        version = await self._do(rebuilt)
        _log.info("all ratings were made anew", version=version.version, results=version.ordinal)

    async def _do(self, function: Callable[[], T]) -> T:
        """In a thread that is left behind when the server stops: a database that is away holds nobody up."""
        return await trio.to_thread.run_sync(function, abandon_on_cancel=True, limiter=self._threads)
