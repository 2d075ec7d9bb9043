"""PostgreSQL's bus: where it connects, what others say on its channels, what it tells the log."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import trio
from sqlalchemy import URL, make_url
from structlog.testing import capture_logs

from gateway.bus.broker_bus import BrokerBus
from gateway.bus.postgres_bus import postgres_bus
from tests import peers
from tests.bus.brokers import Postgres, until
from tests.bus.test_every_bus import nodes
from tests.certificates import Authority
from tests.postgresql import Cluster, run_outside

pytestmark = peers.needed


@pytest.fixture
def broker(postgresql: Cluster) -> Iterator[Postgres]:
    made = Postgres(postgresql.url())
    yield made
    made.close()


def bus_at(url: URL) -> BrokerBus:
    return postgres_bus(url.render_as_string(hide_password=False), 1, "boardgate/1", Random(1))


async def reached(bus: BrokerBus) -> bool:
    """Whether it connects; False if its first attempts fail."""
    with trio.move_on_after(1.0):
        async with trio.open_nursery() as nursery:
            await nursery.start(bus.run, lambda _sender, _message: None)
            nursery.cancel_scope.cancel()
        return True
    return False


async def test_every_host_and_address_of_the_url_is_tried(broker: Postgres, postgresql: Cluster) -> None:
    """An unknown name, a port where nobody listens, a name with several addresses; and a socket in the file system."""
    here = broker.database
    hosts = ("unknown.invalid:1", "127.0.0.1:1", f"localhost:{here.port}")
    assert await reached(bus_at(here.set(host=None, port=None).update_query_dict({"host": hosts})))
    assert not await reached(bus_at(here.set(host=None, port=None).update_query_dict({"host": hosts[:2]})))
    folder = str(postgresql.data.parent)
    assert await reached(bus_at(here.set(host=None).update_query_dict({"host": folder})))


async def test_an_outage_is_logged_once_and_shows_no_password(broker: Postgres) -> None:
    with capture_logs() as logs:
        assert not await reached(bus_at(broker.database.set(password="s3cret")))
    assert [line["event"] for line in logs] == ["the bus cannot be reached"]
    assert "password authentication failed" in logs[0]["error"]
    assert "s3cret" not in str(logs)


async def test_a_lost_session_is_logged_with_its_reason(broker: Postgres) -> None:
    with capture_logs() as logs:
        async with nodes(broker, 1) as (one,):
            broker.lose(1)
            await until(lambda: one.bus.counts.reconnects == 1 and one.bus.connected)
    assert [line["event"] for line in logs] == ["the bus is connected", "the bus is lost", "the bus is connected"]
    assert "terminating connection due to administrator command" in logs[1]["error"]


async def test_a_cancelled_bus_leaves_no_session_behind(broker: Postgres) -> None:
    """Nor does it wait for the garbage collector."""
    sessions = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{broker.name(1)}'"
    gc.disable()
    try:
        async with nodes(broker, 1):
            assert broker.ask(sessions) == 1
        await until(lambda: broker.ask(sessions) == 0)
    finally:
        gc.enable()


async def test_what_others_say_on_a_channel_is_counted_and_disturbs_nothing(broker: Postgres) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        for text in ("", "hello", "2", "x 1", "2 x"):
            broker.ask(f"SELECT 1 FROM (SELECT pg_notify('{broker.prefix}_all', '{text}')) AS said")
        one.bus.send(2, b"m")
        await until(lambda: two.of(1) == [b"m"] and two.bus.counts.garbled == 5)
        assert len(two.heard) == 1


async def test_what_a_lost_session_still_delivers_is_left_out(broker: Postgres) -> None:
    """An envelope with a number that has been heard already, as if PostgreSQL had been late with it."""
    async with nodes(broker, 1, 2) as (one, two):
        one.bus.send(2, b"new")
        await until(lambda: bool(two.heard))
        broker.ask(f"SELECT 1 FROM (SELECT pg_notify('{broker.prefix}_2', E'1 1\\nlate')) AS said")
        one.bus.send(2, b"newer")
        await until(lambda: len(two.heard) == 2)
        assert two.of(1) == [b"new", b"newer"]


async def test_a_statement_that_fails_costs_a_session(broker: Postgres) -> None:
    with capture_logs() as logs:
        broker.prefix = "p" * 60
        async with nodes(broker, 1) as (one,):
            one.bus.send(1_000_000, b"to a channel whose name is too long")
            await until(lambda: one.bus.counts.reconnects == 1 and one.bus.connected)
            assert (one.bus.counts.sent, one.bus.counts.dropped) == (0, 1)
    assert any("channel name too long" in line.get("error", "") for line in logs)


@pytest.fixture
def secured(tmp_path: Path, postgresql: Cluster) -> Iterator[Postgres]:
    """The server speaks TLS from here on, and is certified for localhost."""
    club = Authority(tmp_path)
    club.issues("localhost")
    for file, name in ((club.cert, "server.crt"), (club.key, "server.key")):
        placed = Path(shutil.copy(file, postgresql.data / name))
        placed.chmod(0o600)
        shutil.chown(placed, postgresql.data.owner())
    run_outside(postgresql.url(), "ALTER SYSTEM SET ssl = on")
    postgresql.stop()
    postgresql.start()
    words = {"sslmode": "verify-full", "sslrootcert": str(club.file)}
    url = make_url(postgresql.url()).set(host="localhost").update_query_dict(words)
    made = Postgres(url.render_as_string(hide_password=False))
    yield made
    made.close()


async def test_over_tls_messages_pass_and_the_server_is_checked(secured: Postgres) -> None:
    async with nodes(secured, 1, 2) as (one, two):
        assert secured.ask(f"SELECT ssl FROM pg_stat_ssl WHERE pid = {secured.session(1)}") is True
        for _ in range(200):
            one.bus.send(2, b"x" * 7_000)
            two.bus.send(1, b"y" * 7_000)
        await until(lambda: len(one.heard) == len(two.heard) == 200)
    assert not await reached(bus_at(secured.database.set(host="127.0.0.1")))
