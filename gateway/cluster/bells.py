"""Rings the bells of tables of other nodes: readers of the record wait here for events that are stored there.

A node that waits says so to the table's (Follow), which answers once (Rung): with the next event, or after a while
without one. Whoever waits still asks again. So a table that nobody follows costs nothing, and no reader waits for long
after a lost message or a node's death.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import trio

from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.links import Links
from gateway.tables.directory import Tables

QUIET_S: Final = 60.0
"""Seconds after which Follow is answered at a table where nothing happens: its followers may have gone."""

NOT_HERE_S: Final = 0.5
"""Seconds after which it is answered for a table that is not here: the follower will have heard where it is."""

SETTLED_S: Final = 5.0
"""Seconds behind a node's death until those of its tables that go on have another one, with a game or without."""


@dataclass(slots=True)
class _Bell:
    """``after`` is the lowest event that the table's ``node`` was asked for news behind."""

    node: int
    after: int
    rung: trio.Event = field(default_factory=trio.Event)


class Bells:
    """This node's bells for tables of others, by ``node_of``; and the nodes that follow this node's ``tables``."""

    def __init__(
        self, links: Links, tables: Tables, background: Background, node_of: Callable[[int], int | None]
    ) -> None:
        self._links = links
        self._tables = tables
        self._background = background
        self._node_of = node_of
        self._bells: dict[int, _Bell] = {}
        self._followers: dict[int, set[int]] = {}
        self._settled_at = -math.inf

    @property
    def followed(self) -> int:
        """Number of this node's tables that others follow."""
        return len(self._followers)

    @property
    def settled(self) -> bool:
        """False if a table that seems over may go on, because its node has just died."""
        return trio.current_time() >= self._settled_at

    def bell(self, table: int, after: int) -> trio.Event:
        """Set when the table may have an event behind ``after``."""
        node = self._node_of(table)
        bell = self._bells.get(table)
        if node is None:  # it has just ended
            rung = trio.Event()
            rung.set()
            return rung
        if bell is None or bell.node != node:
            self.ring(table)
            bell = self._bells[table] = _Bell(node, after)
        elif bell.after <= after:
            return bell.rung
        bell.after = after
        self._links.send(node, messages.Follow(table, after))
        return bell.rung

    def ring(self, table: int) -> None:
        """Something has happened at a table of another node, or it has another owner, or none."""
        if (bell := self._bells.pop(table, None)) is not None:
            bell.rung.set()

    def missed(self, node: int) -> None:
        """Messages of this node may be lost."""
        for table in [table for table, bell in self._bells.items() if bell.node == node]:
            self.ring(table)

    def dead(self, node: int) -> None:
        """The node follows nothing any more."""
        self._settled_at = trio.current_time() + SETTLED_S
        for followers in self._followers.values():
            followers.discard(node)

    def heard(self, sender: int, message: messages.Follow | messages.Rung) -> None:
        """Serve a message of another node."""
        if isinstance(message, messages.Rung):
            self.ring(message.table)
        else:
            self._follow(sender, message.table, message.after)

    def _follow(self, sender: int, table: int, after: int) -> None:
        if self._last(table) > after:
            self._links.send(sender, messages.Rung(table))
        elif table in self._followers:
            self._followers[table].add(sender)
        else:
            self._followers[table] = {sender}
            here = table in self._tables or table in self._tables.recovery
            bell = self._tables.bell(table) if here else None  # at once: the next event is not missed
            self._background.start_soon(self._watch, table, bell)

    def _last(self, table: int) -> int:
        """The last event of this node's table, as far as that is known without reading the record."""
        running = self._tables.get(table)
        return self._tables.recovery.last(table) if running is None else running.seq

    async def _watch(self, table: int, bell: trio.Event | None) -> None:
        with trio.move_on_after(NOT_HERE_S if bell is None else QUIET_S):
            await (trio.Event() if bell is None else bell).wait()
        for node in self._followers.pop(table):
            self._links.send(node, messages.Rung(table))
