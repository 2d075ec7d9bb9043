"""Nodes on PostgreSQL at the same moment: claims, burials and renewals that race, and processes that are frozen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, Final, TypeVar

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError

from gateway.store.engine import reader_engine, session_of, writer_engine
from gateway.store.nodes import FORGET_S, LEASE_S, Holder, Nodes, SqlNodes
from gateway.store.records import TableRow
from tests import peers
from tests.store.clusters import LATE_S, Hosted, on_postgresql, opened_at
from tests.store.conftest import PATIENCE_S, connected, hosted

pytestmark = peers.needed

T = TypeVar("T")

CLAIMERS: Final = 6
TABLES: Final = 300


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    with on_postgresql(request) as made:
        yield made


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Each in a thread of its own, begun together."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait(PATIENCE_S)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(PATIENCE_S) for future in [pool.submit(run, call) for call in calls]]


def until(found: Callable[[], T | None]) -> T:
    """Ask until there is an answer."""
    end = time.monotonic() + PATIENCE_S
    while (answer := found()) is None:
        assert time.monotonic() < end, "no answer"
        time.sleep(0.01)
    return answer


@contextmanager
def frozen(world: Hosted, node: int, statement: str) -> Iterator[Connection]:
    """A session of that node which has done something in a transaction, and does not go on."""
    engine = writer_engine(world.url, session_of(node))
    connection = engine.connect()
    try:
        connection.exec_driver_sql(statement)
        yield connection
    finally:
        connection.invalidate()
        connection.close()
        engine.dispose()


def run(world: Hosted, statement: str, **values: object) -> Any:
    with connected(world.url) as connection, connection.begin():
        found = connection.execute(text(statement), values)
        return found.all() if found.returns_rows else None


def hold(world: Hosted, nodes: Nodes, me: int) -> None:
    """Let a lease's time pass, without a gap for this node."""
    for _ in range(4):
        world.passes(LEASE_S / 3)
        nodes.renew(me, 0)


def test_nodes_that_claim_at_once_share_no_table_and_leave_none(world: Hosted) -> None:
    """Of nobody, of several dead nodes, and with a node that has joined after the others began."""
    first = world.process()
    dead = [first.join(f"dead {number}", "1") for number in range(3)]
    owners = [None, *dead]
    assert set(world.desk().store(*(opened_at(owners[n % 4], n, "playing") for n in range(1, TABLES + 1)))) == {None}
    for node in dead:
        first.leave(node)
    run(world, "UPDATE tables SET node = :dead WHERE id % 5 = 0", dead=dead[0])
    claimers = [world.process() for _ in range(CLAIMERS)]

    def claims(nodes: Nodes, name: str) -> list[TableRow]:
        me, found = nodes.join(name, "1"), list[TableRow]()
        while rows := nodes.claim(me, 7, opened=False):
            found += rows
        return found

    shares = at_once(*(lambda nodes=nodes, n=n: claims(nodes, str(n)) for n, nodes in enumerate(claimers)))
    left = claims(world.process(), "last")
    taken = [row.table for rows in (*shares, left) for row in rows]
    assert sorted(taken) == list(range(1, TABLES + 1)), "each once"
    assert sum(bool(rows) for rows in shares) > 1, "nobody raced"
    assert run(world, "SELECT min(epoch), max(epoch) FROM tables") == [(2, 2)]


def test_one_table_is_given_to_one_of_those_who_ask_for_it(world: Hosted) -> None:
    nodes = [world.process() for _ in range(CLAIMERS)]
    ids = [one.join(str(number), "1") for number, one in enumerate(nodes)]
    desk = world.desk()
    for table in range(1, 21):
        desk.store(opened_at(None, table))
        asking = (partial(one.claim_table, me, table, opened=True) for one, me in zip(nodes, ids, strict=True))
        found = at_once(*asking)
        assert [row.epoch for row in found if row is not None] == [2]


@pytest.mark.parametrize("claim", [SqlNodes.claim, partial(SqlNodes.claim_table, table=1)], ids=["all", "one"])
def test_a_claim_that_meets_another_in_the_middle_takes_nothing_from_it(
    world: Hosted, claim: Callable[..., object]
) -> None:
    """The claim has seen the table free, waits for nobody, and looks at it again before it locks it.

    The other one's node joined after the claim began: it is in no snapshot of it.
    """
    nodes = world.process()
    me = nodes.join("me", "1")
    world.desk().store(opened_at(None, 1, "playing"))
    run(world, GATED)
    with connected(world.url) as gate, ThreadPoolExecutor(1) as pool, gate.begin():
        gate.exec_driver_sql("SELECT pg_advisory_xact_lock(77)")
        event.listen(nodes._engine, "before_cursor_execute", _through_the_gate, retval=True)
        claiming = pool.submit(claim, nodes, me, opened=False)
        until(lambda: run(world, WAITING)[0][0] or None)
        other = world.process()
        its = other.join("other", "1")
        assert other.claim_table(its, 1, opened=False) is not None
        gate.commit()
        assert not claiming.result(PATIENCE_S)
    owner = nodes.owner(1)
    assert owner is not None
    assert (owner.node, owner.epoch) == (its, 2)


GATED: Final = (
    "CREATE FUNCTION gate() RETURNS boolean LANGUAGE plpgsql VOLATILE AS"
    " $$ BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN true; END $$"
)
WAITING: Final = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"


def _through_the_gate(
    connection: Connection, cursor: object, statement: str, values: object, context: object, many: bool
) -> tuple[str, object]:
    """The claim's search waits after its snapshot was taken, before the first row is locked."""
    return statement.replace("tables.node IS NULL", "tables.node IS NULL AND gate()", 1), values


def test_a_renewal_and_a_burial_of_one_node_are_ordered_by_its_row(world: Hosted) -> None:
    """Whichever comes first: either it is renewed and not buried, or buried and told so."""
    nodes, other = world.process(), world.process()
    me = nodes.join("me", "1")
    for number in range(40):
        late = other.join(f"late {number}", "1")
        run(world, "UPDATE nodes SET until = until - 100, since = since - 100 WHERE id = :late", late=late)
        hold(world, nodes, me)
        lives, dead = at_once(partial(renewed, other, late), partial(nodes.bury, me))
        assert lives == (dead == [])
        assert dead in ([], [late])
        other.leave(late)


def renewed(nodes: Nodes, me: int) -> bool:
    """A node that is buried meanwhile may lose its session before it is told."""
    try:
        return nodes.renew(me, 0) is not None
    except DBAPIError:
        assert nodes.renew(me, 0) is None
        return False


def test_a_burial_passes_over_a_node_that_is_being_written_and_waits_for_nobody(world: Hosted) -> None:
    """A node that waits for a lock renews no lease meanwhile: one frozen node would be the end of all."""
    nodes = world.process()
    late, frozen_one, me = nodes.join("late", "1"), nodes.join("frozen", "1"), nodes.join("me", "1")
    hold(world, nodes, me)
    with frozen(world, frozen_one, f"UPDATE nodes SET until = until + 100 WHERE id = {frozen_one}"):
        assert nodes.bury(me) == [late]
        assert nodes.bury(me) == []
    assert until(lambda: nodes.bury(me) or None) == [frozen_one]


def test_a_process_that_freezes_behind_a_renewal_or_a_burial_holds_no_row(world: Hosted) -> None:
    """Each is one statement, which PostgreSQL commits by itself whatever becomes of the process."""
    nodes = world.process()
    late, me = nodes.join("late", "1"), nodes.join("me", "1")
    hold(world, nodes, me)
    seen = []

    def look(connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        if "UPDATE nodes" in statement:
            seen.append(len(run(world, "SELECT id FROM nodes FOR UPDATE NOWAIT")))

    event.listen(nodes._engine, "after_cursor_execute", look)
    assert nodes.renew(me, 0) is not None
    assert nodes.bury(me) == [late]
    assert seen == [2, 2]


def test_who_buries_a_frozen_node_and_dies_at_once_has_ended_its_sessions(world: Hosted) -> None:
    """A node is buried once, and its transaction keeps its tables locked: no other node would end its sessions."""
    nodes = world.process()
    dead, brief, me = nodes.join("dead", "1"), nodes.join("brief", "1"), nodes.join("me", "1")
    world.desk().store(opened_at(dead, 1, "playing"))
    hold(world, nodes, brief)
    nodes.renew(me, 0)

    class Killed(BaseException):
        pass

    def kill(connection: Connection, cursor: object, statement: str, *rest: object) -> None:
        if "UPDATE nodes" in statement:
            raise Killed

    with frozen(world, dead, "UPDATE tables SET last_seq = last_seq + 1 WHERE id = 1"):
        event.listen(nodes._engine, "after_cursor_execute", kill)
        with pytest.raises(Killed):
            nodes.bury(brief)
        event.remove(nodes._engine, "after_cursor_execute", kill)
        assert [node.id for node in nodes.living()] == [brief, me]
        begun = time.monotonic()
        (row,) = until(lambda: nodes.claim(me, opened=False) or None)
        assert row.table == 1
        assert time.monotonic() < begun + 5, "PostgreSQL itself ends idle transactions after 10 s"


def test_a_process_frozen_inside_a_transaction_loses_its_session_and_its_tables(world: Hosted) -> None:
    """It holds the rows; ended, they are claimed long before PostgreSQL's 10 s for idle transactions."""
    nodes = world.process()
    dead, me = nodes.join("dead", "1"), nodes.join("me", "1")
    world.desk().store(opened_at(dead, 1, "playing"), opened_at(dead, 2, "playing"))
    with frozen(world, dead, "UPDATE tables SET last_seq = last_seq + 1 WHERE id = 1") as session:
        hold(world, nodes, me)
        begun = time.monotonic()
        assert nodes.bury(me) == [dead]
        taken = list[TableRow]()
        while len(taken) < 2 and time.monotonic() < begun + 5:
            taken += nodes.claim(me, opened=False)
        assert sorted(row.table for row in taken) == [1, 2]
        with pytest.raises(DBAPIError):
            session.commit()
    assert run(world, "SELECT last_seq, epoch FROM tables WHERE id = 1") == [(1, 2)]


def test_a_predecessors_sessions_end_when_its_name_is_taken_over(world: Hosted) -> None:
    old = world.process().join("a", "1")
    world.desk().store(opened_at(old, 1, "playing"))
    with frozen(world, old, "SELECT 1 FROM tables WHERE id = 1 FOR UPDATE") as session:
        after = world.process()
        new = after.join("a", "1")
        until(lambda: after.claim_table(new, 1, opened=False))
        with pytest.raises(DBAPIError):
            session.commit()


def test_only_the_dead_nodes_sessions_of_this_database_end(
    world: Hosted, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another database of the same server has a node of the same number, and this one a node 10 where 1 dies."""
    with hosted(request) as elsewhere:
        other = Hosted(elsewhere, world._stack)
        nodes = world.process()
        ids = [nodes.join(str(number), "1") for number in range(11)]
        dead, longer = ids[0], ids[9]
        assert str(longer).startswith(str(dead))
        with (
            frozen(other, dead, "SELECT 1") as foreign,
            frozen(world, longer, "SELECT 1") as living,
            frozen(world, dead, "SELECT 1") as gone,
        ):
            world.process().join("0", "1")
            with pytest.raises(DBAPIError):
                until(lambda: gone.exec_driver_sql("SELECT NULL").scalar())
            assert foreign.exec_driver_sql("SELECT 1").scalar() == 1
            assert living.exec_driver_sql("SELECT 1").scalar() == 1


def test_all_sessions_of_a_node_bear_its_name(world: Hosted) -> None:
    """Its log's, its own, and a reader's; even where the URL has a name for sessions."""
    named = Hosted(f"{world.url}?application_name=mine", world._stack)
    nodes = named.process()
    me = nodes.join("a", "1")
    nodes.renew(me, 0)
    desk = named.desk(me)
    desk.log.holders()
    engine = reader_engine(named.url, session_of(me))
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")
        found = run(world, "SELECT count(*) FROM pg_stat_activity WHERE application_name = :name", name=session_of(me))
        assert found == [(4,)], "nodes, writer, reader of the log, reader"
    engine.dispose()


def test_processes_that_start_under_one_name_at_once_end_as_one_node(world: Hosted) -> None:
    starting = [world.process() for _ in range(CLAIMERS)]
    ids = at_once(*(lambda one=one: one.join("a", "1") for one in starting))
    assert len(set(ids)) == CLAIMERS
    (living,) = world.process().living()
    assert living.id in ids


def test_a_role_that_several_want_at_once_is_one_nodes(world: Hosted) -> None:
    nodes = [world.process() for _ in range(CLAIMERS)]
    ids = [one.join(str(number), "1") for number, one in enumerate(nodes)]
    for epoch in range(1, 11):
        run(world, "UPDATE roles SET node = NULL WHERE role = 'lobby'")
        found = at_once(
            *(lambda one=one, me=me: one.take_role(me, "lobby") for one, me in zip(nodes, ids, strict=True))
        )
        (holder,) = set(found)
        assert holder.epoch == epoch
        assert holder.node in ids


def test_blocks_of_numbers_asked_for_at_once_are_disjoint(world: Hosted) -> None:
    nodes = world.process()
    blocks = at_once(*([nodes.table_numbers] * 8))
    numbers = [number for block in blocks for number in block]
    assert sorted(numbers) == list(range(1, 801))


AT_COMMIT: Final = (
    "CREATE TABLE seen (setting text)",
    "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$",
    "CREATE CONSTRAINT TRIGGER seeing AFTER UPDATE ON nodes DEFERRABLE INITIALLY DEFERRED"
    " FOR EACH ROW EXECUTE FUNCTION see()",
)
"""Notes at the end of each transaction that writes a node whether it will wait for the disk."""


def test_a_renewal_waits_for_no_disk(world: Hosted) -> None:
    """And a burial does."""
    nodes = world.process()
    late, me = nodes.join("late", "1"), nodes.join("me", "1")
    hold(world, nodes, me)
    for statement in AT_COMMIT:
        run(world, statement)
    nodes.renew(me, 0)
    assert nodes.bury(me) == [late]
    assert run(world, "SELECT setting FROM seen") == [("off",), ("on",)]


def test_looking_for_tables_to_claim_reads_none_of_those_that_are_not_to_be_had(world: Hosted) -> None:
    """Every node looks each half second, while a record has millions of finished tables and many of living nodes."""
    nodes = world.process()
    me, other, gone = (nodes.join(name, "1") for name in ("me", "other", "gone"))
    run(world, MANY, other=other, gone=gone)
    run(world, "ANALYZE tables")
    nodes.leave(gone)
    run(world, "UPDATE tables SET node = :gone WHERE id % 1000 = 7", gone=gone)
    said: list[tuple[str, Any]] = []
    event.listen(nodes._engine, "before_cursor_execute", lambda c, cursor, *what: said.append(what[:2]))
    for opened in (True, False):
        said.clear()
        nodes.claim(me, 1, opened=opened)
        with connected(world.url) as connection:
            (plan,) = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {said[-1][0]}", said[-1][1]).one()
        assert _passed_over(plan[0]["Plan"]) < 100


MANY: Final = (
    "INSERT INTO tables (id, epoch, last_seq, status, game, variant, secret, opened_at, node) SELECT n, 1, 9,"
    " CASE WHEN n % 10 = 7 THEN 'playing' ELSE 'over' END, 'chess', 'normal', '', 0,"
    " CASE WHEN n % 1000 = 7 THEN CAST(:gone AS BIGINT) WHEN n % 10 = 7 THEN :other END"
    " FROM generate_series(1, 50000) n"
)


def _passed_over(plan: dict[str, Any]) -> int:
    """Rows that a plan's steps have read and dropped."""
    return int(plan.get("Rows Removed by Filter", 0)) + sum(_passed_over(step) for step in plan.get("Plans", ()))


def test_the_buried_are_forgotten_after_an_hour_unless_they_have_left_something(world: Hosted) -> None:
    nodes = world.process()
    tables, role, nothing, young = (nodes.join(name, "1") for name in ("tables", "role", "nothing", "young"))
    world.desk().store(opened_at(tables, 1))
    assert nodes.take_role(role, "lobby") == Holder(role, 1)
    me = nodes.join("me", "1")
    run(world, "UPDATE nodes SET buried = true WHERE name <> 'me'")
    run(world, "UPDATE nodes SET until = until - :s WHERE id <> :young", s=FORGET_S + LATE_S, young=young)
    new = world.process().join("new", "1")
    assert [row[0] for row in run(world, "SELECT id FROM nodes ORDER BY id")] == [tables, role, young, me, new]
    assert nodes.renew(nothing, 0) is None
    assert nodes.claim_table(new, 1, opened=True) is not None


def test_a_cluster_needs_postgresql() -> None:
    with pytest.raises(ValueError, match="several nodes need PostgreSQL"), closing(SqlNodes("sqlite:///a.db")):
        pass
