"""Nodes in memory, the twin of gateway.store.nodes: the servers of one test are a cluster, under the test's clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gateway.store import acts
from gateway.store.nodes import CLAIM, LEASE_S, Holder, Node, Owner, Renewal
from gateway.store.records import TableRow
from gateway.store.schema import NUMBERS, OPEN, OVER, ROLES
from tests.store.memory import Kept, MemoryRecord


@dataclass(slots=True)
class _Member:
    """One row; times are those of the test's clock."""

    name: str
    version: str
    relay: str
    web: str
    started_at: float
    since: float
    until: float
    buried: bool = False
    draining: bool = False
    tables: int = 0


@dataclass(slots=True)
class _Role:
    node: int | None = None
    epoch: int = 0


class MemoryNodes:
    """nodes.Nodes over a record in memory; all servers of a test share one. ``clock`` gives seconds, trio's or others.

    No sessions are ended: a log in memory has none, and nothing can be frozen inside a step.
    """

    def __init__(self, record: MemoryRecord, clock: Callable[[], float], lease_s: float = LEASE_S) -> None:
        self._record = record
        self._clock = clock
        self._lease_s = lease_s
        self._members: dict[int, _Member] = {}
        self._roles = {role: _Role() for role in ROLES}
        self._next: int | None = None

    def join(self, name: str, version: str, relay: str = "", web: str = "") -> int:
        before = self._named(name)
        if before is not None:
            before.buried = True
        now, me = self._clock(), len(self._members) + 1
        self._members[me] = _Member(name, version, relay, web, now, now, now + self._lease_s)
        return me

    def renew(self, me: int, tables: int, drains: bool | None = None) -> Renewal | None:
        member, now = self._members[me], self._clock()
        if member.buried:
            return None
        if member.until < now:
            member.since = now
        member.until, member.tables = now + self._lease_s, tables
        member.draining = member.draining if drains is None else drains
        return Renewal(member.draining)

    def bury(self, me: int) -> list[int]:
        mine, now = self._members[me], self._clock()
        if mine.buried or mine.until <= now or mine.since > now - self._lease_s:
            return []
        dead = [node for node, member in self._members.items() if not member.buried and member.until < now]
        for node in dead:
            self._members[node].buried = True
        return dead

    def leave(self, me: int) -> None:
        self._members[me].buried = True
        for kept in self._unfinished(opened=True):
            if kept.row.node == me:
                kept.row = replace(kept.row, node=None)
        for role in self._roles.values():
            if role.node == me:
                role.node = None

    def living(self) -> list[Node]:
        now = self._clock()
        return [
            Node(
                *(node, member.name, member.version, member.until - now, member.draining, member.tables),
                member.started_at,
            )
            for node, member in self._members.items()
            if not member.buried
        ]

    def drain(self, name: str, on: bool, by: str = "") -> bool:
        member = self._named(name)
        if member is None:
            return False
        if member.draining != on and by:
            act: acts.Kind = "drain.begun" if on else "drain.ended"
            self._record.acts.append(acts.made(self._clock(), by, act, f"node {name}", tables=member.tables))
        member.draining = on
        return True

    def claim(self, me: int, limit: int = CLAIM, *, opened: bool) -> list[TableRow]:
        if not self._lives(me):
            return []
        free = [kept for kept in self._unfinished(opened) if not self._lives(kept.row.node)]
        nobodys_first = sorted(free, key=lambda kept: (kept.row.node or 0, kept.row.table))
        return sorted((_taken(kept, me) for kept in nobodys_first[:limit]), key=lambda row: row.table)

    def claim_table(self, me: int, table: int, *, opened: bool, over: bool = False) -> TableRow | None:
        kept = self._record.tables.get(table)
        if kept is None or not self._lives(me) or self._lives(kept.row.node):
            return None
        stays = over and kept.row.node is not None
        wanted = stays if kept.row.status == OVER else opened or kept.row.status != OPEN
        return _taken(kept, me) if wanted else None

    def give(self, me: int, table: int, epoch: int, seq: int, to: int) -> bool:
        kept = self._record.tables.get(table)
        if kept is None or not self._lives(to):
            return False
        row = kept.read()
        if (row.node, row.epoch, row.last_seq) != (me, epoch, seq):
            return False
        _taken(kept, to)
        return True

    def owner(self, table: int) -> Owner | None:
        kept = self._record.tables.get(table)
        if kept is None:
            return None
        return Owner(kept.row.node, kept.row.epoch, self._lives(kept.row.node), kept.row.status == OVER)

    def owners(self, numbers: Sequence[int]) -> dict[int, Owner]:
        return {table: owner for table in numbers if (owner := self.owner(table)) is not None}

    def elsewhere(self, me: int) -> list[TableRow]:
        rows = (kept.read() for kept in self._unfinished(opened=True))
        return [row for row in rows if row.node != me and self._lives(row.node)]

    def mine(self, me: int) -> list[int]:
        return [kept.row.table for kept in self._unfinished(opened=True) if kept.row.node == me]

    def drop_role(self, me: int, role: str) -> None:
        if self._roles[role].node == me:
            self._roles[role].node = None

    def take_role(self, me: int, role: str) -> Holder | None:
        if self.role(role) is None and self._lives(me):
            self._roles[role] = _Role(me, self._roles[role].epoch + 1)
        return self.role(role)

    def role(self, role: str) -> Holder | None:
        found = self._roles[role]
        return Holder(found.node, found.epoch) if found.node is not None and self._lives(found.node) else None

    def table_numbers(self) -> range:
        """The first block begins behind the tables there are when it is asked for, as after a migration."""
        first = self._next or max(self._record.tables, default=0) + 1
        self._next = first + NUMBERS
        return range(first, self._next)

    def close(self) -> None:
        """Nothing is held."""

    def renewable(self, me: int) -> bool:
        """True while nobody has buried this node."""
        return not self._members[me].buried

    def _named(self, name: str) -> _Member | None:
        return next((member for member in self._members.values() if member.name == name and not member.buried), None)

    def _lives(self, node: int | None) -> bool:
        return node in self._members and not self._members[node].buried

    def _unfinished(self, opened: bool) -> list[Kept]:
        """By rising id."""
        kept = (kept for _, kept in sorted(self._record.tables.items()) if kept.row.status != OVER)
        return [one for one in kept if opened or one.row.status != OPEN]


def _taken(kept: Kept, node: int) -> TableRow:
    kept.row = replace(kept.row, node=node, epoch=kept.row.epoch + 1)
    return kept.read()
