"""Tells what tables ask of the other nodes of their server. gateway.cluster answers, also where there are none."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import trio

from gateway.tables.asked import AskedTable
from gateway.tables.numbering import Blocks, Counted
from gateway.tables.presence import Attendance, Presence
from gateway.tables.requests import Request
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber, Table

Player: TypeAlias = tuple[int, str, Subscriber]
"""A seat, the name of its player, and its client."""


class Elsewhere(Protocol):
    """The tables of other nodes."""

    @property
    def several(self) -> bool:
        """True if other servers may have this one's database: then each tells of the tables that it takes."""

    @property
    def me(self) -> int | None:
        """This server's number among the nodes of its database; None: it is the only one."""

    @property
    def numbers(self) -> Counted | Blocks:
        """Numbers for new tables."""

    def next_id(self) -> int:
        """An id for a command, that no other of any node has; 0: no other node can be asked for it."""

    def hand_on(self, table: TableRunner, left: list[Request]) -> list[Request]:
        """See to the clients of a table that was given to another node, and its requests; those to turn away."""

    async def find(self, table: int, anew: bool) -> Table | None:
        """The table of another node; ``anew``: by the database, whatever was heard. None: no other node has it.

        Refused (OVERLOAD): it cannot be read just now.
        """

    def knows(self, table: int) -> bool:
        """True if another node was heard to have this table, unfinished."""

    @property
    def settled(self) -> bool:
        """False if a table that no node is heard to have may go on at one, because its own has just died."""

    def bell(self, table: int, after: int) -> trio.Event:
        """Set when its owner may have an event behind ``after``, or it has another owner, or ends."""

    async def asked(self, table: int, *, anew: bool) -> AskedTable | None:
        """None: no other node has it, or it is over. Refused (OVERLOAD): that cannot be found out just now.

        ``anew``: by the database, whatever was heard.
        """

    def players(self, table: int) -> list[Player]:
        """The players of a table of another node who are connected to this one."""

    async def presence(self, table: int) -> Presence:
        """The presence there. Refused (OVERLOAD): its node does not answer just now."""

    async def attendance(self, table: int) -> Attendance:
        """The same with observers' names."""
