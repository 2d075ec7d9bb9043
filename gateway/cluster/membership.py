"""Keeps this node's lease in the database, buries nodes whose lease has ended, and knows which nodes live.

A lease is an alarm, not a fence: when it ends, others may raise the epochs of this node's tables, and its appends fail
from then on. So a node that was frozen says nothing untrue when it wakes. A renewal that comes late counts unless
somebody has buried the node meanwhile.

    serving  -- no renewal for the lease --> waiting: not ready, nobody new is seated, steps are held
    waiting  -- a renewal                --> serving: nothing has happened
    waiting  -- no renewal for the patience, and there were other nodes --> players are hung up on, once
    any      -- buried                   --> Buried
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.bus.bus import Bus
from gateway.commits.commit_queue import CommitQueue
from gateway.store.nodes import Node, Nodes
from protocols.core.errors import BoardgateError

LOOK_S: Final = 0.5
"""Seconds between two renewals, and between two looks for nodes whose lease has ended."""

JITTER: Final = 0.2
"""The share of that time by which looks of several nodes are spread."""

LEAST_S: Final = 0.1
"""Seconds between two looks at least, where another's lease ends before the usual time."""

SPREAD_S: Final = 0.05
"""Seconds over which looks at one ended lease are spread."""

GIVEN_UP: Final = "the server does not reach its database: connect again to go on, your seat is kept"

_log = structlog.get_logger()


class Joined(NamedTuple):
    """The nodes of this server's database, its own number and name among them, and the bus to the others."""

    nodes: Nodes
    me: int
    bus: Bus
    name: str


class Seen(NamedTuple):
    """The ``living`` nodes of the database, and the id of the one that has the ``lobby``; None: none has."""

    living: list[Node]
    lobby: int | None


class Buried(BoardgateError):
    """Another node has declared this one dead, for its lease had ended: its tables are others' now."""


class Membership:
    """The membership of the node ``me``. ``dead`` is called with each node that lives no more.

    ``tables`` counts this node's. ``send_away`` tells players something and hangs up on them, when the database has
    been silent for ``patience_s``. ``drains`` is called after each renewal: does the host want this node to give its
    tables away? ``heard`` returns the nodes that have said something: one that has spoken and does not live has gone.
    """

    def __init__(
        self,
        nodes: Nodes,
        commits: CommitQueue,
        me: int,
        lease_s: float,
        patience_s: float,
        tables: Callable[[], int],
        dead: Callable[[int], None],
        send_away: Callable[[str], None],
        drains: Callable[[bool], None],
        heard: Callable[[], Collection[int]],
    ) -> None:
        self._nodes = nodes
        self._commits = commits
        self.me = me
        self.lease_s = lease_s
        self._patience_s = patience_s
        self._tables = tables
        self._dead = dead
        self._send_away = send_away
        self._drains = drains
        self._heard = heard
        self._renewed = trio.current_time()
        self._given_up = False
        self._first_end_s = LOOK_S
        """Seconds from the last look until the first of the others' leases ended, if they were not renewed."""
        self.living: Mapping[int, Node] = {}
        """The nodes that lived at the last look, this one among them."""
        self._wish: bool | None = None
        """A host's wish that was said here, until a renewal has written it: the row counts no more meanwhile."""

    @property
    def age_s(self) -> float:
        """Seconds since the last renewal was sent that has counted."""
        return trio.current_time() - self._renewed

    @property
    def waiting(self) -> bool:
        """True while the lease may have ended: others may have taken this node's tables over."""
        return self.age_s > self.lease_s

    def others(self) -> list[Node]:
        """The other living nodes that tables can be given to."""
        return [node for node in self.living.values() if node.id != self.me and not node.draining]

    def reasons(self) -> list[str]:
        """The reasons for GameServer.not_ready."""
        return [f"the lease has not been renewed for {self.age_s:.0f} s"] if self.waiting else []

    def wish(self, on: bool) -> None:
        """A host has said here that this node is to drain, or is to stop. The next renewal writes it."""
        self._wish = on

    async def run(self) -> None:
        """Renew and look until cancelled. Buried: this node is dead."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch_patience)
            while True:
                await self.look()
                await trio.sleep(self._until_look_s())

    def _until_look_s(self) -> float:
        """Seconds until the usual time, or until the first of the others' leases ends if that is before."""
        usual_s, spread_s = LOOK_S * random.uniform(1 - JITTER, 1 + JITTER), random.uniform(0.0, SPREAD_S)  # no secret
        return min(usual_s, max(LEAST_S, self._first_end_s) + spread_s)

    async def look(self) -> None:
        """Renew the lease, bury the dead, learn who lives. Buried: this node is dead."""
        sent, wish, self._first_end_s = trio.current_time(), self._wish, LOOK_S
        try:
            renewal = await self._commits.call(self._nodes.renew, self.me, self._tables(), wish)
            if renewal is None:
                raise Buried("this node was declared dead: its lease had ended, or another was started under its name")
            self._renewed, self._given_up = sent, False
            if self._wish is wish:
                self._wish = None
                self._drains(renewal.draining)
            known = {*self.living, *self._heard()}
            living = {node.id: node for node in await self._commits.call(self._nodes.living)}
            late = any(node.lease_s < 0 for node in living.values())
            buried = await self._commits.call(self._nodes.bury, self.me) if late else []
        except SQLAlchemyError as error:
            _log.warning("the lease could not be renewed", age_s=round(self.age_s, 1), error=str(error))
            return
        for node in buried:
            dead = living.pop(node, None) or self.living.get(node)
            _log.warning("a node is dead: its lease had ended", node=node, name="" if dead is None else dead.name)
        gone = [node for node in sorted(known) if node not in living]
        self.living = living
        self._first_end_s = min((node.lease_s for node in living.values() if node.id != self.me), default=LOOK_S)
        for node in gone:
            self._dead(node)

    async def _watch_patience(self) -> None:
        while True:
            await trio.sleep(max(LOOK_S, self._patience_s - self.age_s))
            if self.age_s > self._patience_s and len(self.living) > 1 and not self._given_up:
                self._given_up = True
                _log.error("the database is silent: players are sent to other nodes", seconds=round(self.age_s))
                self._send_away(GIVEN_UP)
