"""Gives tables to other nodes: a game that has begun to the node of its players, all tables of a node that drains.

A table is given between two steps: its row gets another owner and a new epoch, the receiver replays the record, and the
clients follow by themselves, those of this node as clients of another node's table from then on. Nobody is hung up on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError

from gateway.background import Background
from gateway.cluster import messages
from gateway.cluster.branch import Branch
from gateway.cluster.branches import Branches
from gateway.cluster.gossip import Gossip
from gateway.cluster.links import Links
from gateway.cluster.membership import Membership
from gateway.cluster.outposts import Outposts, RemoteClient
from gateway.cluster.takeover import Takeover
from gateway.commits.commit_queue import CommitQueue
from gateway.store.nodes import Nodes
from gateway.table.state import Status
from gateway.tables.directory import Tables
from gateway.tables.requests import Ask, Gone, Request
from gateway.tables.runner import TableRunner
from protocols.core.errors import Refused

AT_ONCE: Final = 8
"""Tables that are on their way to other nodes at once: each waits for those before it, and its players with it."""

ARRIVES_S: Final = 2.0
"""Seconds that are waited for the word that a table has arrived, before the next is given: it may be lost."""

LOOK_S: Final = 0.5
"""Seconds between two looks whether this node is to drain, and whether all is given."""

LINGERED: Final = "this part of the server is being restarted: connect again to go on, your seat is kept"

HOME_LOOKS: Final = 10
"""Every so many looks the lobby's node looks for games whose players are elsewhere."""

_log = structlog.get_logger()


class Giving:
    """The tables that the node ``me`` gives away."""

    def __init__(
        self,
        nodes: Nodes,
        commits: CommitQueue,
        me: int,
        tables: Tables,
        links: Links,
        gossip: Gossip,
        branches: Branches,
        takeover: Takeover,
        membership: Membership,
        outposts: Outposts,
        background: Background,
        draining: Callable[[], bool],
        linger_s: float,
        send_away: Callable[[str], None],
    ) -> None:
        self._nodes = nodes
        self._commits = commits
        self._me = me
        self._tables = tables
        self._links = links
        self._gossip = gossip
        self._branches = branches
        self._takeover = takeover
        self._membership = membership
        self._outposts = outposts
        self._background = background
        self._draining = draining
        self._linger_s = linger_s
        self._send_away = send_away
        self.on_their_way: dict[int, int] = {}
        """Tables that are being given away, and their next nodes."""
        self._arriving: dict[int, trio.Event] = {}  # table that was given -> set when its next node has it

    def arrived(self, claimed: messages.Claimed) -> None:
        """A node says that it has these tables."""
        for table, _ in claimed.tables:
            if table in self._arriving:
                self._arriving[table].set()

    def look_at(self, runner: TableRunner) -> None:
        """A table has changed: where its game has begun at the lobby's node, its players' node gets it."""
        if not self._takeover.has_lobby or runner.state.status is not Status.PLAYING:
            return
        home = self._home(runner)
        if home != self._me and runner.state.table not in self.on_their_way:
            self._background.start_soon(self._give_home, runner, home)

    def _home(self, runner: TableRunner) -> int:
        """The living node of most of its players, of the first of them among equals."""
        counted: Counter[int] = Counter()
        for seat in range(len(runner.state.seats)):
            subscriber = runner.subscribers.at(seat)
            if subscriber is not None:
                counted[subscriber.node if isinstance(subscriber, RemoteClient) else self._me] += 1
        for node, _ in counted.most_common(1):
            known = self._membership.living.get(node)
            if known is not None and not known.draining:
                return node
        return self._me

    async def _give_home(self, runner: TableRunner, to: int) -> None:
        await self._give(runner, to)

    async def _give(self, runner: TableRunner, to: int) -> bool:
        """True if the table is that node's now."""
        number = runner.state.table
        if number in self.on_their_way or runner.given:
            return False
        self.on_their_way[number] = to
        try:
            await runner.give(partial(self._stored, number, to))
        except Refused as refused:
            _log.info("a table was not given away", table=number, to=to, why=refused.text)
            del self.on_their_way[number]
            return False
        return True

    async def _stored(self, number: int, to: int, epoch: int, seq: int) -> bool:
        """Give it in the database, which says afterwards whose it is where its answer was lost."""
        try:
            try:
                return await self._commits.call(self._nodes.give, self._me, number, epoch, seq, to)
            except SQLAlchemyError as error:
                _log.warning("a table could not be given away", table=number, error=str(error))
                owner = await self._commits.call(self._nodes.owner, number)
                return owner is not None and (owner.node, owner.epoch) == (to, epoch + 1)
        except SQLAlchemyError:
            return False

    def hand_on(self, runner: TableRunner, left: list[Request]) -> list[Request]:
        """Its clients go with it: those of this node by a branch. What they had asked is asked of the next node."""
        number, to = runner.state.table, self.on_their_way.pop(runner.state.table)
        clock, thought_s = runner.state.clock, 0.0
        if clock is not None and clock.running is not None:
            thought_s = trio.current_time() - clock.since
        self._gossip.gave(runner, to)
        here = []
        for subscriber, seat, name in runner.subscribers.hand_over():
            if isinstance(subscriber, RemoteClient):
                self._outposts.forget(subscriber)
            else:
                here.append((subscriber, seat, name))
        branch = self._branches.stand_in(runner, to, here)
        self._links.send(to, messages.Given(number, runner.epoch + 1, thought_s))
        turned_away: list[Request] = []
        for request in left:
            if isinstance(request, Ask) and branch is not None and request.asker.number in branch.here:
                branch.asks(branch.here[request.asker.number], request.command, request.since)
            elif isinstance(request, Ask) and isinstance(request.asker, RemoteClient):
                pass  # its own node asks the next one
            elif isinstance(request, Gone) and branch is not None and request.subscriber.number in branch.here:
                self._background.start_soon(self._leave, branch, request)
            else:
                turned_away.append(request)
        if branch is not None:
            branch.move(to)
        return turned_away

    async def _leave(self, branch: Branch, request: Gone) -> None:
        await branch.leave(request.subscriber, lost=request.lost)
        if request.subscriber.ended:  # its place in a branch has come behind that
            self._branches.ended(request.subscriber)
        request.done.set()

    async def run(self) -> None:
        """Give to players' nodes what could not be given at once, and everything while this node is to drain."""
        looks, until = 0, math.inf
        while True:
            await trio.sleep(LOOK_S)
            looks += 1
            if not self._draining():
                if not self._takeover.has_lobby:
                    await self._give_all(opened=True)
                elif looks % HOME_LOOKS == 0:
                    for runner in list(self._tables.values()):
                        self.look_at(runner)
                until = math.inf
                continue
            if self._takeover.has_lobby:
                try:
                    await self._takeover.drop_lobby()
                except SQLAlchemyError as error:
                    _log.warning("the lobby could not be given away", error=str(error))
                    continue
            await self._give_all()
            until = min(until, trio.current_time() + self._linger_s)
            if trio.current_time() >= until:
                _log.info("players of a drained node are sent to the others", after_s=self._linger_s)
                self._send_away(LINGERED)
                until = math.inf

    async def _give_all(self, *, opened: bool = False) -> None:
        """Every table, or of those that run the ``opened`` ones: they are for the lobby's node, which this one was."""
        loads = {node.id: node.tables for node in self._membership.others()}
        limit = trio.CapacityLimiter(AT_ONCE)

        async def one(table: int, to: int) -> None:
            async with limit:
                runner = self._tables.get(table)
                arrived = self._arriving[table] = trio.Event()
                if await (self._give_resting(table, to) if runner is None else self._give(runner, to)):
                    with trio.move_on_after(ARRIVES_S):
                        await arrived.wait()
                del self._arriving[table]

        async with trio.open_nursery() as nursery:
            for table in dict.fromkeys(self._tables if opened else (*self._tables, *self._tables.recovery)):
                to = self._next(table, loads, opened=opened)
                if to is not None:
                    loads[to] += 1
                    nursery.start_soon(one, table, to)

    def _next(self, table: int, loads: dict[int, int], *, opened: bool) -> int | None:
        """The node for a table: open ones go to the lobby's, others to the one with the fewest. None: none takes it."""
        runner = self._tables.get(table)
        rest = self._tables.recovery.rest(table)
        status = runner.state.status if runner is not None else None if rest is None else Status(rest.status)
        if status is Status.OPEN:
            return self._takeover.lobby if self._takeover.lobby in loads else None
        if status is None or opened:
            return None
        return min(loads, key=loads.__getitem__, default=None)

    async def _give_resting(self, table: int, to: int) -> bool:
        """True if a table without clients is that node's now: it goes as it is, and rests there."""
        rest = self._tables.recovery.rest(table)
        if rest is None:
            return False
        self._tables.recovery.hand_on(table)  # nobody wakes it meanwhile
        if not await self._stored(table, to, rest.epoch, rest.events):
            if not self._tables.has(table):  # a player who has come back meanwhile may have had it taken in anew
                self._tables.recovery.keep(table, rest)
            return False
        self._gossip.claimed(to, table, rest.epoch + 1)
        self._links.send(to, messages.Given(table, rest.epoch + 1))
        return True
