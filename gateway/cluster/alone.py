"""Stands for the other nodes where a server has its database alone: it asks nobody, and nobody asks it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NoReturn

import trio

from gateway.cluster.membership import Seen
from gateway.commits.commit_queue import CommitQueue
from gateway.lobby.registration import Registration
from gateway.seating.registrar import Registrant
from gateway.store.nodes import Holder
from gateway.table.refusals import closed_here
from gateway.tables.directory import Tables
from gateway.tables.numbering import Counted
from gateway.tables.presence import Attendance, Presence
from gateway.tables.requests import Request
from gateway.tables.runner import TableRunner


class Alone:
    """The only server of its database, in place of a ClusterNode and of its parts that others use.

    ``take_in`` registers a table, ``counted`` counts connections and onlookers.
    """

    several = False
    alone = settled = True
    me = None

    def __init__(
        self,
        commits: CommitQueue,
        tables: Tables,
        take_in: Callable[[Registration, Registrant, Sequence[bytes]], Awaitable[int]],
        counted: Callable[[], tuple[int, int]],
    ) -> None:
        self.numbers = Counted(commits)
        self._tables = tables
        self.elsewhere = self.posts = self.rooms = self
        self.register = take_in
        self.counted = counted

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Claim every unfinished table; started with the first."""
        await self._tables.recovery.claim(task_status)

    async def is_janitor(self) -> bool:
        return True

    async def rates(self) -> Holder:
        """The row of the role as it was made: nobody has ever taken it."""
        return Holder(0, 0)

    async def seen(self) -> Seen:
        return Seen([], None)

    async def presence(self, table: int) -> Presence:
        return Presence()

    async def attendance(self, table: int) -> Attendance:
        return Attendance()

    def hand_on(self, table: TableRunner, left: list[Request]) -> list[Request]:
        return left

    def next_id(self) -> int:
        return 0

    def name_of(self, table: int) -> str:
        return ""

    def nothing(self, *said: Any) -> Any:
        """A message to other nodes, or a question to them: there are none, so it goes nowhere and has no answer."""

    check = changed = entered = offered = ended = wish = invite_by = serves = node_of = state_of = nearer = say = (
        nothing
    )

    async def find(self, *asked: Any, anew: bool = False) -> Any:
        """No other node has it."""

    learn = recall = load = asked = find

    def nobody(self) -> list[Any]:
        """No node, and nothing of one."""
        return []

    reasons = states = others = nobody

    def players(self, table: int) -> list[Any]:
        return []

    def knows(self, number: int) -> bool:
        """No other node has this table, or lives."""
        return False

    lives = knows

    async def seek(self, *asked: Any, **how: Any) -> bool:
        """No other node does it."""
        return False

    whisper = steer = seek

    def bell(self, table: int, after: int) -> NoReturn:
        """No other node has the table."""
        raise closed_here()

    async def ask(self, *asked: Any) -> NoReturn:
        """A question to another node fails at once: there is none."""
        raise closed_here()
