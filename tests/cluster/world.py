"""Runs several nodes in one trio run, over one record in memory and a bus that loses and doubles by its seed.

    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial(), two.dial()

A node can be killed, frozen, cut from the database or from the bus, and its database can refuse, wait, or lose an
answer. Everything happens under the test's clock.
"""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

import trio
from sqlalchemy.exc import OperationalError
from starlette.requests import Request
from starlette.responses import Response

from gateway import registry
from gateway.cluster.membership import Buried, Joined
from gateway.cluster.node import ClusterNode
from gateway.commits.commit_queue import CommitQueue
from gateway.config import Config
from gateway.ops.server import GameServer
from gateway.store.records import Append, MaybeStored
from gateway.store.writer import Deliver
from gateway.tables.bots import Thinker
from gateway.web.http_dialects import http_dialect_routes
from tests.bus.memory_bus import Switchboard
from tests.cluster.witness import Asked, Witness
from tests.hall import PATIENCE_S, Hall, bogaprot_listener, config, thinking
from tests.store.accounts_memory import MemoryAccounts
from tests.store.bans_memory import MemoryBans
from tests.store.memory import MemoryLog, MemoryRecord
from tests.store.nodes_memory import MemoryNodes

T = TypeVar("T")

GAMESMAN = {"gamesman": registry.dialects()["gamesman"]}

LINE = (0, 3, 1, 4, 2)
"""Squares of tic-tac-toe that two play in turn, until the first has a line."""


@dataclass(frozen=True, slots=True)
class Written:
    """One stored step: its table, its last event, under which epoch, by which node, and whose the table was then.

    ``asked`` is the command that led to it.
    """

    table: int
    seq: int
    epoch: int
    node: int
    owner: int | None
    asked: Asked | None


class NodeLog(MemoryLog):
    """A node's way to the shared record.

    While ``away`` steps wait for ``back``. The next ``failures`` steps are refused, the next ``unsure`` are stored and
    their answers lost.
    """

    def __init__(
        self, deliver: Deliver, record: MemoryRecord, me: int, written: list[Written], witness: Witness
    ) -> None:
        super().__init__(deliver, record)
        self._witness = witness
        self._answer = deliver
        self._me = me
        self._written = written
        self.away = False
        self.failures = self.unsure = 0
        self._later: list[Append] = []

    def submit(self, *appends: Append) -> None:
        if self._closed:
            super().submit(*appends)
        for append in appends:
            if self.away:
                self._later.append(append)
            elif self.failures:
                self.failures -= 1
                if not isinstance(append.error, MaybeStored):  # of such a step it is unknown still, as the writer says
                    append.error = OperationalError("INSERT", {}, OSError("the database is away"))
                self._answer([append])
            elif self.unsure and append.rows:
                self.unsure -= 1
                self._lose_answer(append)
            else:
                super().submit(append)

    def _lose_answer(self, append: Append) -> None:
        try:
            self._store(append)
        except Exception as error:
            append.error = error
        else:
            append.error = MaybeStored("the connection was lost in the commit")
        self._answer([append])

    def back(self) -> None:
        """The database is there again."""
        self.away, self.failures, self.unsure = False, 0, 0
        later, self._later = self._later, []
        if later and not self._closed:
            self.submit(*later)

    def _store(self, append: Append) -> None:
        kept = self._tables.get(append.table or 0)
        before = 0 if kept is None else len(kept.events)
        super()._store(append)
        kept = self._tables.get(append.table or 0)
        if kept is not None and len(kept.events) > before:
            owner = kept.row.node if append.rows[-1].kind != "TableClosed" else self._me
            step = kept.row.table, len(kept.events), append.epoch, self._me, owner
            self._written.append(Written(*step, self._witness.asked(append)))


class NodeCommits(CommitQueue):
    """A commit queue whose reads wait, too, while the database is away."""

    def __init__(self, make_log: Callable[[Deliver], NodeLog]) -> None:
        super().__init__(make_log, blocking=False)
        self.log: NodeLog
        self.there = trio.Event()
        self.there.set()

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        if not self.there.is_set():
            await self.there.wait()
        return await super().call(function, *arguments)

    def away(self) -> None:
        """Nothing is stored or read until ``back``."""
        self.log.away = True
        if self.there.is_set():
            self.there = trio.Event()

    def back(self) -> None:
        """The database is there again."""
        self.there.set()
        self.log.back()


@dataclass(slots=True)
class Member(Hall):
    """One node; ``dial`` connects a client to it. ``over`` is set when its process has ended, ``buried``: by itself."""

    me: int = 0
    name: str = ""
    commits: NodeCommits = field(init=False)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    over: trio.Event = field(default_factory=trio.Event)
    serve_http: Callable[[Request], Awaitable[Response]] = field(init=False)
    """Answers GAMESMAN's requests."""
    killed: bool = False
    frozen: bool = False
    buried: bool = False

    @property
    def node(self) -> ClusterNode:
        assert isinstance(self.server.node, ClusterNode)
        return self.server.node

    @property
    def living(self) -> bool:
        return not (self.killed or self.over.is_set())


@dataclass(slots=True)
class World:
    """The nodes of one database. ``written`` are all stored steps, in order."""

    nursery: trio.Nursery
    record: MemoryRecord
    nodes: MemoryNodes
    board: Switchboard
    settings: Config
    members: list[Member] = field(default_factory=list)
    accounts: MemoryAccounts = field(default_factory=MemoryAccounts)
    bans: MemoryBans = field(default_factory=MemoryBans)
    written: list[Written] = field(default_factory=list)
    witness: Witness = field(default_factory=Witness)

    async def node(self, name: str, bots: Thinker | None = None, **options: Any) -> Member:
        """Start a node and wait until it serves."""
        me = self.nodes.join(name, "1")
        commits = NodeCommits(lambda deliver: NodeLog(deliver, self.record, me, self.written, self.witness))
        joined = Joined(self.nodes, me, self.board.bus(me), name)
        settings = replace(thinking(self.settings, bots), cluster=replace(self.settings.cluster, node=name))
        server = GameServer(settings, commits, self.accounts, self.bans, bots, joined)
        member = Member(server, bogaprot_listener(server, **options), PATIENCE_S, me=me, name=name)
        member.commits = commits
        member.serve_http = http_dialect_routes(server, GAMESMAN)[0].endpoint
        self.members.append(member)
        await self.nursery.start(self._run, member)
        return member

    async def _run(self, member: Member, task_status: trio.TaskStatus[None]) -> None:
        """The process of a node: one that finds itself buried ends, and its connections with it."""
        try:
            with member.scope:
                await member.server.run(task_status)
        except* Buried:
            member.buried = True
        finally:
            self._end(member)
            member.over.set()

    def _end(self, member: Member) -> None:
        self.board.cut(member.me)
        member.commits.log.close()
        for end in member.ends:
            end.close()

    @property
    def living(self) -> list[Member]:
        """The nodes whose processes run."""
        return [member for member in self.members if member.living]

    def kill(self, member: Member) -> None:
        """End a node as SIGKILL does: its connections end, and nothing more is said or stored by it."""
        member.killed = True
        member.commits.there.set()  # nothing waits for a database any more
        self._end(member)
        member.scope.cancel()

    async def stop(self, member: Member) -> None:
        """End a node as SIGTERM does: it stores what it was given, and gives up what it owns."""
        member.scope.cancel()
        await member.over.wait()
        self.nodes.leave(member.me)

    def freeze(self, member: Member) -> None:
        """Neither the database nor the other nodes hear of it, nor it of them; nothing is lost."""
        member.frozen = True
        self.board.hold(member.me)
        member.commits.away()

    def thaw(self, member: Member) -> None:
        """It goes on: what it sent and what was sent to it arrives now."""
        member.frozen = False
        self.board.release(member.me)
        member.commits.back()


@asynccontextmanager
async def world(settings: Config | None = None, seed: int = 0, **bus: Any) -> AsyncIterator[World]:
    """No node yet; ``bus`` are the Switchboard's delays and chances."""
    record = MemoryRecord()
    async with trio.open_nursery() as nursery:
        board = Switchboard(Random(seed), **bus)
        here = World(nursery, record, MemoryNodes(record, trio.current_time), board, settings or config())
        here.accounts.lives = here.nodes.renewable
        nursery.start_soon(board.run)
        try:
            with here.witness.watching():
                yield here
        finally:
            nursery.cancel_scope.cancel()
            for member in here.members:
                member.commits.back()
                for closing in (member.listener.sock, *(listener.sock for listener in member.listeners), *member.ends):
                    assert isinstance(closing, socket.socket)
                    closing.close()


async def three(here: World) -> list[Member]:
    """Three nodes that know each other; the first has the lobby."""
    members = [await here.node(name) for name in ("one", "two", "three")]
    await members[0].until(lambda: len(members[0].node.membership.living) == 3)
    return members
