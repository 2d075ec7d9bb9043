"""PostgreSQL fails over behind one address, and connections to the old primary stay open, read-only: games go on."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest
import trio
from sqlalchemy import make_url, text

import migrations
from gateway.bus.postgres_bus import postgres_bus
from gateway.store.engine import reader_engine
from gateway.store.log import SqlLog
from gateway.store.records import MaybeStored
from gateway.store.views import Views
from gateway.store.writer import database_trouble
from tests import peers
from tests.bus.brokers import until
from tests.conformance.servers import fast
from tests.faults.crossing import Load, checked
from tests.faults.databases import DEFECT
from tests.faults.standbys import Standby, standby
from tests.postgresql import Cluster, cluster, run_outside
from tests.proxy import Wire, wire
from tests.store.conftest import Desk
from tests.store.steps import later, opening, words

pytestmark = peers.needed

PAIRS: Final = 4

RELOAD: Final = "SELECT pg_reload_conf()"

REFUSING: Final = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{}'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON events EXECUTE FUNCTION refuse()"""


class Pair:
    """A primary, its synchronous standby, and the one address that servers know."""

    def __init__(self, primary: Cluster, second: Standby, between: Wire) -> None:
        self.primary, self.second, self._between = primary, second, between
        self.own = primary.create("games")
        migrations.upgrade(self.own)
        self.url = make_url(self.own).set(port=between.port).render_as_string(hide_password=False)

    def fail_over(self) -> None:
        """As a manager does: the old primary takes no writes, then the standby is promoted and the address leads there.

        Connections that are open stay open.
        """
        self._tell("ALTER SYSTEM SET default_transaction_read_only = on", RELOAD)
        self.hand_over()

    def hand_over(self, code: str = "") -> None:
        """Promote the standby, and lead there; the old primary refuses every event with this SQLSTATE."""
        self.second.promote()
        if code:
            self._tell("ALTER SYSTEM RESET synchronous_standby_names", RELOAD, REFUSING.format(code))
        self.lead()

    def lead(self) -> None:
        """New connections come to the standby."""
        self._between.lead(("127.0.0.1", self.second.port))

    def _tell(self, *statements: str) -> None:
        for statement in statements:
            run_outside(self.own, statement)


@pytest.fixture
def pair() -> Iterator[Pair]:
    with cluster() as primary, standby(primary) as second, wire(("127.0.0.1", primary.port)) as between:
        yield Pair(primary, second, between)


@contextmanager
def servers(folder: Path, url: str, count: int) -> Iterator[list[int]]:
    """So many nodes, their ports; none of them has a defect in its log."""
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                fast(folder / str(place), "bogaprot", ports=None, SERVER_DATABASE=url, CLUSTER_NODE=f"node-{place}")
            )
            for place in range(count)
        ]
        yield [port for server in running for port in server.ports]
        for server in running:
            log = server.log.read_text()
            assert re.search(DEFECT, log) is None, log[-3000:]
            assert server.process.poll() is None


@pytest.mark.parametrize("nodes", [1, 2])
def test_games_go_on_at_the_new_primary_and_nothing_told_is_lost(tmp_path: Path, pair: Pair, nodes: int) -> None:
    """With two nodes the bus goes over, too: moves cross between them."""
    with servers(tmp_path, pair.url, nodes) as ports, Load(ports, PAIRS, random.Random(1)) as playing:
        playing.play(0.0, least=20 * PAIRS)
        pair.fail_over()
        playing.everyone_plays()
        playing.play(0.0, least=20 * PAIRS)
    assert checked(pair.second.url("games"), playing.games) >= playing.moves
    assert elsewhere(pair) == 0


def elsewhere(pair: Pair) -> int:
    """The tables that only the old primary has."""
    old, new = Views(pair.own), Views(pair.second.url("games"))
    try:
        return len({view.table for view in old.tables()} - {view.table for view in new.tables()})
    finally:
        old.close()
        new.close()


@pytest.mark.parametrize("code", ["25006", "42501", "58030", "58P01"])
def test_readers_leave_the_old_primary_when_a_writer_has_found_that_it_takes_no_writes(pair: Pair, code: str) -> None:
    """It is read-only, has a read-only disk or has taken our rights away, has a failing disk, has lost its disk."""
    views = Views(pair.url)
    desk = Desk(lambda deliver: SqlLog(pair.url, deliver))
    opened = opening(1, "before")
    move = later(opened, "after")
    try:
        assert desk.store(opened) == [None]
        assert words(desk.log.read(1)) == ["before"]
        assert [view.table for view in views.tables()] == [1]
        pair.hand_over(code)
        (error,) = desk.store(move)
        assert database_trouble(error)
        assert desk.store(move) == [None]
        assert words(desk.log.read(1)) == ["before", "after"]
        assert len(list(views.rows(1))) == 2
    finally:
        desk.log.close()
        views.close()


def test_a_commit_that_waits_for_a_standby_that_is_the_primary_now_is_made_there(pair: Pair) -> None:
    """It was begun at the old primary, which waits for the standby to have it, for ever: the answer is in doubt."""
    desk = Desk(lambda deliver: SqlLog(pair.url, deliver))
    opened = opening(1, "before")
    move = later(opened, "after")
    try:
        assert desk.store(opened) == [None]
        pair.second.promote()
        pair.lead()
        (error,) = desk.store(move)
        assert isinstance(error, MaybeStored)
        assert desk.store(move) == [None]
    finally:
        desk.log.close()
    new = SqlLog(pair.second.url("games"), lambda _: None)
    assert words(new.read(1)) == ["before", "after"]
    new.close()


async def test_a_bus_leaves_the_old_primary_by_itself(pair: Pair) -> None:
    """Or nodes that connect later would listen to another server than those that were there."""
    bus = postgres_bus(pair.url, 7, "boardgate/7", random.Random(1))
    sessions = text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'boardgate/7'")
    new = reader_engine(pair.second.url("games"))
    async with trio.open_nursery() as nursery:
        await nursery.start(bus.run, lambda _sender, _message: None)
        await trio.to_thread.run_sync(pair.fail_over)
        await until(lambda: bus.counts.reconnects > 0 and bus.connected)
        with new.connect() as connection:
            assert connection.execute(sessions).scalar_one() == 1
        nursery.cancel_scope.cancel()
    new.dispose()
