"""The members of a cluster on PostgreSQL: nodes and their leases, the owners of tables, and roles.

A node is one start of a process. It renews its lease; a node whose lease has ended is buried by another, for good, and
its tables and roles may be claimed. The epoch is the fence: a claim raises it, and the record takes nothing more from
the owner before. The lease is the alarm that says when somebody may do so. Only the database's clock is read.

A process that is frozen inside a transaction holds its rows, and claims pass locked rows over. So burying ends the
sessions of the dead node, which all bear its name (engine.session_of), in the same statement: who buries may die, too.
Renewing and burying wait for no row, and hold none: who waits renews no lease.

What every node asks twice a second is built once: building it was half of what it cost.

A node that could not renew for a while, and then can, does not bury others before it has held its lease for a whole
one: they may be coming back from the same trouble.

Methods block, and may be called from several threads. SQLAlchemyError where the database fails.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple, Protocol

from sqlalchemy import (
    CTE,
    BigInteger,
    BindParameter,
    Boolean,
    ColumnElement,
    Double,
    Engine,
    Exists,
    Select,
    Text,
    Update,
    bindparam,
    case,
    cast,
    column,
    delete,
    exists,
    extract,
    func,
    insert,
    literal_column,
    or_,
    select,
    table,
    true,
    union_all,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql.dml import ReturningUpdate

from gateway.release import Release
from gateway.store import acts
from gateway.store.engine import SESSION, is_sqlite, session_of, writer_engine
from gateway.store.log import PAGE, ROW
from gateway.store.records import TableRow
from gateway.store.schema import NUMBERS, OPEN, OVER, nodes, roles, table_ids, tables
from gateway.store.views import moment

Standing = Literal["serving", "draining", "late"]
"""A node's state in the database. ``late``: its lease has ended, and nobody has buried it yet."""

LEASE_S: Final = 3.0
"""Seconds that a renewal lasts: six of them may be lost."""

CLAIM: Final = 256
"""Tables claimed at once: some 50 ms of the database."""

FORGET_S: Final = 3600.0
"""Seconds after which a buried node that has left nothing behind is deleted: claims look at each buried node."""

JOINS: Final = 10
"""Tries to join: each but the last was lost to another process that joined under this name at the same moment."""

# A lease alone needs no disk: after a crash of the database the nodes renew it. The setting holds until the commit.
_UNHURRIED: Final = func.set_config("synchronous_commit", "off", True)

# Literals: a partial index serves a statement only where its plan knows the values.
_UNFINISHED: Final = tables.c.status != literal_column(f"'{OVER}'")
_OVER: Final = tables.c.status == literal_column(f"'{OVER}'")
_BEGUN: Final = _UNFINISHED & (tables.c.status != literal_column(f"'{OPEN}'"))


def _clock() -> ColumnElement[float]:
    """Unix time in seconds when the statement runs, not when its transaction began."""
    return cast(extract("epoch", func.clock_timestamp()), Double)


def _unburied() -> ColumnElement[bool]:
    return nodes.c.buried.is_(False)


def _lives(node: int | BindParameter[int]) -> Exists:
    return exists().where(nodes.c.id == node, _unburied())


_ME: Final = bindparam("me", type_=BigInteger)
_ROLE: Final = bindparam("of_role", type_=Text)

_FORGET: Final = delete(nodes).where(
    nodes.c.buried,
    nodes.c.until < _clock() - FORGET_S,
    ~exists().where(tables.c.node == nodes.c.id, _UNFINISHED),
    ~exists().where(roles.c.node == nodes.c.id),
)

_LIVING: Final = (
    select(nodes.c.id, nodes.c.name, nodes.c.version, (nodes.c.until - _clock()).label("lease_s"))
    .add_columns(nodes.c.draining, nodes.c.tables, nodes.c.started_at)
    .where(_unburied())
    .order_by(nodes.c.id)
)

_HOLDER: Final = (
    select(roles.c.node, roles.c.epoch)
    .join(nodes, nodes.c.id == roles.c.node)
    .where(roles.c.role == _ROLE, _unburied())
)

_TAKE_ROLE: Final = (
    update(roles)
    .where(roles.c.role == _ROLE, _lives(_ME))
    .where(or_(roles.c.node.is_(None), roles.c.node.in_(select(nodes.c.id).where(nodes.c.buried))))
    .values(node=_ME, epoch=roles.c.epoch + 1)
    .returning(roles.c.node, roles.c.epoch)
)


def _renewed(lease_s: float) -> ReturningUpdate[tuple[bool, str]]:
    """Renews a lease, and begins it anew if it had ended."""
    unbroken = case((nodes.c.until < _clock(), _clock()), else_=nodes.c.since)
    renewed = update(nodes).where(nodes.c.id == _ME, _unburied())
    said = cast(bindparam("drains"), Boolean)
    drains = func.coalesce(said, nodes.c.draining)
    renewed = renewed.values(since=unbroken, until=_clock() + lease_s, tables=bindparam("serves"), draining=drains)
    return renewed.returning(nodes.c.draining, case((said.is_(None), _UNHURRIED)))


def _claimed(*, opened: bool) -> ReturningUpdate[Any]:
    """Two searches, for each is a walk along the index: nobody's tables, and those of each buried node.

    They must not be one: over the many tables that are over, PostgreSQL would expect to come upon free ones soon.
    """
    limit = bindparam("most", type_=BigInteger)
    wanted = select(tables.c.id).where(_UNFINISHED if opened else _BEGUN).limit(limit)
    wanted = wanted.with_for_update(skip_locked=True)
    free = wanted.where(tables.c.node.is_(None)).order_by(tables.c.node, tables.c.id).cte("free")
    theirs = wanted.where(tables.c.node == nodes.c.id).order_by(tables.c.id).lateral("theirs")
    dead = select(theirs.c.id).select_from(nodes.join(theirs, true())).where(nodes.c.buried)
    left = dead.order_by(nodes.c.id).limit(limit).cte("left_behind")
    return _taken(union_all(select(free.c.id), select(left.c.id)).limit(limit).cte("found"))


def _taken(found: CTE) -> ReturningUpdate[Any]:
    """Takes the tables that were found.

    Two nodes that claim at once get different tables: each passes over what the other has locked.

    What the other has claimed meanwhile is looked at again, in its present version, before it is locked. So what
    says that a table is free must be false for every owner that the statement did not see: "not of a living node"
    would take from a node that has joined since.
    """
    taken = update(tables).where(tables.c.id == found.c.id, _lives(_ME)).values(node=_ME, epoch=tables.c.epoch + 1)
    return taken.returning(*ROW)


def _buried(ended: Update) -> Select[tuple[int, int]]:
    """Buries the nodes that ``ended`` finds, and ends their sessions in this database: another counts its own nodes."""
    dead = ended.values(buried=True).returning(nodes.c.id).cte("dead")
    at = table("pg_stat_activity", column("pid"), column("application_name"), column("datname"), column("usename"))
    theirs = (
        at.c.application_name == func.concat(session_of(""), dead.c.id),
        at.c.datname == func.current_database(),
        at.c.usename == literal_column("current_user"),
        at.c.pid != func.pg_backend_pid(),
    )
    return select(dead.c.id, select(func.count(func.pg_terminate_backend(at.c.pid))).where(*theirs).scalar_subquery())


class Node(NamedTuple):
    """A node that is not buried. ``lease_s`` are the seconds that its lease lasts, negative when it has ended.

    ``version`` is that of its program with the build, as gateway.release writes both. ``tables`` is how many it serves.
    ``started_at`` is Unix time in seconds, by the database's clock.
    """

    id: int
    name: str
    version: str
    lease_s: float
    draining: bool
    tables: int
    started_at: float

    @property
    def standing(self) -> Standing:
        """Its state."""
        if self.lease_s < 0:
            return "late"
        return "draining" if self.draining else "serving"


def tree(node: Node, lobby: int | None) -> dict[str, Any]:
    """A node for programs; ``lobby`` is the id of the one that has that role, None: none has."""
    return {
        "name": node.name,
        "id": node.id,
        **Release.read(node.version)._asdict(),
        "state": node.standing,
        "tables": node.tables,
        "lease_s": round(node.lease_s, 3),
        "lobby": node.id == lobby,
        "started_at": moment(node.started_at),
    }


class Renewal(NamedTuple):
    """A renewed lease; ``draining``: the host wants this node to give its tables away."""

    draining: bool


class Owner(NamedTuple):
    """The ``node`` of a table, None for none; whether that is ``living``; whether the game is ``over``."""

    node: int | None
    epoch: int
    living: bool
    over: bool = False

    @property
    def closed(self) -> bool:
        """True if nobody will have it any more: one whose game is over has its node until it closes."""
        return self.over and self.node is None


class Holder(NamedTuple):
    """The living node that has a role; the ``epoch`` counts the nodes that have had it."""

    node: int
    epoch: int


class Nodes(Protocol):
    """The cluster as a node uses it: in PostgreSQL, or the twin in memory."""

    def join(self, name: str, version: str) -> int:
        """Begin to live under a name, whose node before is buried at once; the id, which no other node ever has."""

    def renew(self, me: int, tables: int, drains: bool | None = None) -> Renewal | None:
        """Renew the lease of this node, which serves so many tables. None: it is buried, and stays so.

        ``drains``: a host has said there that it is to drain, or to stop draining; None: nothing was said.

        One that is buried at this moment may find its session ended instead: the next try says so.
        """

    def bury(self, me: int) -> list[int]:
        """Bury the nodes whose leases have ended; their ids. None of them while this node's own lease is too new."""

    def leave(self, me: int) -> None:
        """End this node cleanly: its unfinished tables and its roles are nobody's at once."""

    def living(self) -> list[Node]:
        """The nodes that are not buried, by id."""

    def drain(self, name: str, on: bool, by: str = "") -> bool:
        """Tell the node of this name to drain, or to stop draining. False: there is none.

        That ``by`` did so is noted in the log of acts, where it changes anything; not where "" says that it is already.
        """

    def claim(self, me: int, limit: int = CLAIM, *, opened: bool) -> list[TableRow]:
        """Take over unfinished tables that no living node has, under a new epoch each; by rising id.

        ``opened``: those whose game has not begun, too. A buried node gets none.
        """

    def claim_table(self, me: int, table: int, *, opened: bool, over: bool = False) -> TableRow | None:
        """Take over this one, as ``claim`` does; None where it cannot be had, or is being changed just now.

        ``over``: also if its game is over and it is not closed, for its players may sit there still.
        """

    def give(self, me: int, table: int, epoch: int, seq: int, to: int) -> bool:
        """Give a table to another living node, under a new epoch. False: it is not this node's, or not there any more,
        or the other node is buried; nothing has changed."""

    def owner(self, table: int) -> Owner | None:
        """The owner of a table; None where there is no such table."""

    def owners(self, numbers: Sequence[int]) -> dict[int, Owner]:
        """The owners of these tables; those that do not exist are left out."""

    def elsewhere(self, me: int) -> list[TableRow]:
        """The unfinished tables of the other living nodes, by id."""

    def mine(self, me: int) -> list[int]:
        """The unfinished tables of this node, by id."""

    def drop_role(self, me: int, role: str) -> None:
        """The role is nobody's now, if it was this node's."""

    def take_role(self, me: int, role: str) -> Holder | None:
        """The living node that has the role: this one, under a new epoch, if none had. None: this one is buried."""

    def role(self, role: str) -> Holder | None:
        """The living node that has this role; None where none has."""

    def table_numbers(self) -> range:
        """Numbers for new tables, which no other node is given."""

    def close(self) -> None:
        """Idempotent. Ends no life: see ``leave``."""


class SqlNodes:
    """Nodes in PostgreSQL. Once ``join`` has returned, the sessions bear the name of that node."""

    def __init__(self, url: str, lease_s: float = LEASE_S, first_s: float = 0.0) -> None:
        """``first_s``: the first lease lasts that long, if longer: a node that starts has nothing that others wait for.

        ValueError for SQLite, which has one process only.
        """
        if is_sqlite(url):
            raise ValueError("several nodes need PostgreSQL: SQLite is written by one process")
        self._url = url
        self._lease_s = lease_s
        self._first_s = max(lease_s, first_s)
        self._renewed = _renewed(lease_s)
        self._claimed = {opened: _claimed(opened=opened) for opened in (False, True)}
        self._connect(SESSION)

    def _connect(self, session: str) -> None:
        """``_single`` is for single statements that are transactions of their own.

        A process that freezes behind one holds no row.
        """
        self._engine: Engine = writer_engine(self._url, session)
        self._single = self._engine.execution_options(isolation_level="AUTOCOMMIT")

    def join(self, name: str, version: str) -> int:
        me = self._entered({"name": name, "version": version})
        self._engine.dispose()
        self._connect(session_of(me))
        return me

    def _entered(self, row: Mapping[str, str]) -> int:
        for _ in range(JOINS - 1):
            with suppress(IntegrityError):  # another has joined under this name since the UPDATE: it is buried in turn
                return self._enter(row)
        return self._enter(row)

    def _enter(self, row: Mapping[str, str]) -> int:
        predecessor = update(nodes).where(nodes.c.name == row["name"], _unburied())
        fresh = {"started_at": _clock(), "since": _clock(), "until": _clock() + self._first_s}
        begun = insert(nodes).values(**row, **fresh, buried=False, draining=False, tables=0).returning(nodes.c.id)
        with self._engine.begin() as connection:
            connection.execute(_FORGET)
            connection.execute(_buried(predecessor))
            me: int = connection.execute(begun).scalar_one()
            return me

    def renew(self, me: int, tables: int, drains: bool | None = None) -> Renewal | None:
        with self._single.connect() as connection:
            found = connection.execute(self._renewed, {"me": me, "serves": tables, "drains": drains}).first()
        return None if found is None else Renewal(found.draining)

    def bury(self, me: int) -> list[int]:
        mine = nodes.alias()
        held = (mine.c.id == me, mine.c.buried.is_(False), mine.c.until > _clock())
        fit = exists().where(*held, mine.c.since <= _clock() - self._lease_s)
        found = select(nodes.c.id).where(_unburied(), nodes.c.until < _clock(), fit)
        late = found.with_for_update(of=nodes, skip_locked=True).cte("late")
        with self._single.connect() as connection:
            return sorted(row.id for row in connection.execute(_buried(update(nodes).where(nodes.c.id == late.c.id))))

    def leave(self, me: int) -> None:
        with self._engine.begin() as connection:
            connection.execute(update(nodes).where(nodes.c.id == me).values(buried=True))
            connection.execute(update(tables).where(tables.c.node == me, _UNFINISHED).values(node=None))
            connection.execute(update(roles).where(roles.c.node == me).values(node=None))

    def living(self) -> list[Node]:
        with self._single.connect() as connection:
            return [Node(*row) for row in connection.execute(_LIVING)]

    def drain(self, name: str, on: bool, by: str = "") -> bool:
        found = select(nodes.c.id, nodes.c.draining, nodes.c.tables).where(nodes.c.name == name, _unburied())
        with self._engine.begin() as connection:
            node = connection.execute(found.with_for_update()).first()
            if node is not None and node.draining != on:
                connection.execute(update(nodes).where(nodes.c.id == node.id).values(draining=on))
                if by:
                    act: acts.Kind = "drain.begun" if on else "drain.ended"
                    acts.note(connection, acts.made(time.time(), by, act, f"node {name}", tables=node.tables))
        return node is not None

    def claim(self, me: int, limit: int = CLAIM, *, opened: bool) -> list[TableRow]:
        return self._take(self._claimed[opened], me=me, most=limit)

    def claim_table(self, me: int, table: int, *, opened: bool, over: bool = False) -> TableRow | None:
        wanted = _UNFINISHED if opened else _BEGUN
        wanted = wanted | (_OVER & tables.c.node.is_not(None)) if over else wanted
        free = (tables.c.id == table, wanted, or_(tables.c.node.is_(None), nodes.c.buried))
        found = select(tables.c.id).select_from(tables.outerjoin(nodes, nodes.c.id == tables.c.node)).where(*free)
        taken = self._take(_taken(found.with_for_update(of=tables, skip_locked=True).cte("found")), me=me)
        return taken[0] if taken else None

    def _take(self, taken: ReturningUpdate[Any], **values: int) -> list[TableRow]:
        with self._single.connect() as connection:
            rows = [TableRow(*row) for row in connection.execute(taken, values)]
        return sorted(rows, key=lambda row: row.table)

    def give(self, me: int, table: int, epoch: int, seq: int, to: int) -> bool:
        here = (tables.c.id == table, tables.c.node == me, tables.c.epoch == epoch, tables.c.last_seq == seq)
        given = update(tables).where(*here, _lives(to)).values(node=to, epoch=epoch + 1)
        with self._engine.begin() as connection:
            return connection.execute(given).rowcount == 1

    def owner(self, table: int) -> Owner | None:
        return self.owners([table]).get(table)

    def owners(self, numbers: Sequence[int]) -> dict[int, Owner]:
        living = func.coalesce(nodes.c.buried.is_(False), False)
        of_tables = select(tables.c.id, tables.c.node, tables.c.epoch, living, tables.c.status == OVER)
        of_tables = of_tables.select_from(tables.outerjoin(nodes, nodes.c.id == tables.c.node))
        found: dict[int, Owner] = {}
        with self._engine.begin() as connection:
            for at in range(0, len(numbers), PAGE):
                rows = connection.execute(of_tables.where(tables.c.id.in_(numbers[at : at + PAGE])))
                found.update((row[0], Owner(*row[1:])) for row in rows)
        return found

    def elsewhere(self, me: int) -> list[TableRow]:
        theirs = select(*ROW).join(nodes, nodes.c.id == tables.c.node).where(_UNFINISHED, _unburied(), nodes.c.id != me)
        with self._engine.begin() as connection:
            return [TableRow(*row) for row in connection.execute(theirs.order_by(tables.c.id))]

    def mine(self, me: int) -> list[int]:
        with self._engine.begin() as connection:
            found = select(tables.c.id).where(tables.c.node == me, _UNFINISHED).order_by(tables.c.id)
            return list(connection.execute(found).scalars())

    def drop_role(self, me: int, role: str) -> None:
        with self._engine.begin() as connection:
            connection.execute(update(roles).where(roles.c.role == role, roles.c.node == me).values(node=None))

    def take_role(self, me: int, role: str) -> Holder | None:
        """Asked for again and again, it writes only where it changes something."""
        return self.role(role) or self._holder(_TAKE_ROLE, role, me=me) or self.role(role)

    def role(self, role: str) -> Holder | None:
        return self._holder(_HOLDER, role)

    def _holder(self, found: Select[Any] | ReturningUpdate[Any], role: str, **values: int) -> Holder | None:
        with self._single.connect() as connection:
            row = connection.execute(found, {"of_role": role, **values}).first()
        return None if row is None else Holder(*row)

    def table_numbers(self) -> range:
        with self._engine.begin() as connection:
            first: int = connection.execute(select(table_ids.next_value())).scalar_one()
        return range(first, first + NUMBERS)

    def close(self) -> None:
        self._engine.dispose()
