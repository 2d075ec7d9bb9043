"""Numbers new tables: one after the other, or from blocks of the database where other nodes have it, too."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from gateway.background import Background
from gateway.commits.commit_queue import CommitQueue
from protocols.core.errors import Refused, Why

FULL: Final = "server overload, try again later"

FEW: Final = 20
"""Numbers for new tables below which more are asked for."""

_log = structlog.get_logger()


class Counted:
    """The numbering of a server that has its database alone: it counts on behind the record's last."""

    def __init__(self, commits: CommitQueue) -> None:
        self._commits = commits
        self._last = 0

    def next(self) -> int:
        """A number that no table has had."""
        self._last += 1
        return self._last

    async def count_on(self) -> None:
        """Go on behind the numbers that others have taken. SQLAlchemyError: they cannot be read."""
        highest = await self._commits.call(self._commits.log.last_table)
        self._last = max(self._last, highest)  # others may have counted on meanwhile


class Blocks:
    """The numbering of a node; ``read`` gets a block of numbers that no other node has."""

    def __init__(self, background: Background, read: Callable[[], Awaitable[Sequence[int]]]) -> None:
        self._background = background
        self._read = read
        self._block: deque[int] = deque()
        self._counting = False

    def next(self) -> int:
        """A number that no table has had. Refused (OVERLOAD): the database has given none for a while."""
        if len(self._block) <= FEW:
            self._background.start_soon(self.count_on)
        if not self._block:
            raise Refused(Why.OVERLOAD, FULL)
        return self._block.popleft()

    async def count_on(self) -> None:
        """Get a block, once at a time; what fails is tried with the next table."""
        if len(self._block) <= FEW and not self._counting:
            self._counting = True
            try:
                self._block += await self._read()
            except SQLAlchemyError as error:
                _log.warning("no numbers for new tables", error=str(error))
            finally:
                self._counting = False
