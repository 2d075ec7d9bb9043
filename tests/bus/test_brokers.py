"""Buses whose broker is stopped, silent, restarted or gone: PostgreSQL and NATS."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest
import trio

from gateway.bus.broker_bus import PING_S, QUIET
from gateway.bus.envelope import MOST_WAITING
from tests import peers
from tests.bus.brokers import Nats, Postgres, until
from tests.bus.test_every_bus import nodes
from tests.proxy import wire

pytestmark = peers.needed

SOON_S = 1.0
"""Seconds within which a cancelled bus has ended, whatever its broker does."""

NOTICED_S = (QUIET - 1) * PING_S, (QUIET + 1) * PING_S + 1.0
"""Seconds after which silence is noticed: not before, and not much later on a loaded machine."""


async def test_a_silent_broker_is_noticed_and_messages_arrive_again(real: Postgres | Nats) -> None:
    async with nodes(real, 1, 2) as (one, two):
        with real.frozen(1):
            since = trio.current_time()
            await until(lambda: not one.bus.connected)
            assert NOTICED_S[0] < trio.current_time() - since < NOTICED_S[1]
        await until(lambda: one.bus.connected and two.bus.connected)
        one.bus.send(2, b"after")
        two.bus.send(1, b"back")
        await until(lambda: one.of(2) == [b"back"] and two.of(1) == [b"after"])


async def test_what_is_called_soon_leaves_with_what_was_sent(real: Postgres | Nats) -> None:
    """A notification costs far more than a message in it."""
    async with nodes(real, 1, 2) as (one, two):
        before = one.bus.counts.notifications
        one.bus.soon(lambda: one.bus.send(2, b"late"))
        one.bus.send(2, b"first")
        await until(lambda: two.of(1) == [b"first", b"late"])
        await until(lambda: one.bus.counts.sent == 2)
        assert one.bus.counts.notifications == before + 1


async def test_a_quiet_session_lasts(real: Postgres | Nats) -> None:
    async with nodes(real, 1) as (one,):
        await trio.sleep((QUIET + 1.5) * PING_S)
        assert one.bus.connected
        assert one.bus.counts.reconnects == 0


async def test_what_a_stopped_broker_does_not_take_is_dropped_beyond_a_size(real: Postgres | Nats) -> None:
    """Whatever the system and the bus hold back is less than what is sent; all of it is counted in the end."""
    message, count = b"x" * 6_000, 4 * MOST_WAITING // 6_000
    async with nodes(real, 1, 2) as (one, _):
        with real.frozen(1):
            for number in range(count):
                one.bus.send(2, message)
                if number % 100 == 0:
                    await trio.lowlevel.checkpoint()
            assert count // 4 < one.bus.counts.dropped < count
            await until(lambda: not one.bus.connected)
            assert one.bus.counts.dropped + one.bus.counts.sent == count


async def test_a_bus_with_a_stopped_broker_is_cancelled_at_once(real: Postgres | Nats) -> None:
    """With bytes of its own under way, and no thread stays behind."""
    before = set(threading.enumerate())
    bus = real.bus(1)
    with ExitStack() as frozen:
        async with trio.open_nursery() as nursery:
            await nursery.start(bus.run, lambda _sender, _message: None)
            frozen.enter_context(real.frozen(1))
            for _ in range(1_000):
                bus.publish(b"x" * 6_000)
            await trio.sleep(0.1)
            assert bus.connected
            assert set(threading.enumerate()) == before
            since = trio.current_time()
            nursery.cancel_scope.cancel()
        took_s = trio.current_time() - since
    assert took_s < SOON_S
    assert not bus.connected
    assert set(threading.enumerate()) == before


async def test_a_bus_that_waits_for_its_first_session_is_cancelled_at_once_and_starts_when_there_is_one(
    real: Postgres | Nats,
) -> None:
    """Nothing raises while the broker cannot be reached."""
    with wire(("127.0.0.1", real.port)) as between:
        between.cut()
        far = real.bus(1, between.port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(far.run, lambda _sender, _message: None)
            await trio.sleep(0.5)
            assert not far.connected
            since = trio.current_time()
            nursery.cancel_scope.cancel()
        assert trio.current_time() - since < SOON_S
        async with trio.open_nursery() as nursery:
            nursery.start_soon(far.run, lambda _sender, _message: None)
            await trio.sleep(0.2)
            between.mend()
            await until(lambda: far.connected)
            nursery.cancel_scope.cancel()


async def test_a_held_line_is_cancelled_at_once_while_a_session_begins(real: Postgres | Nats) -> None:
    """The system accepts the connection, and nobody answers."""
    with wire(("127.0.0.1", real.port)) as between:
        between.hold()
        far = real.bus(1, between.port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(far.run, lambda _sender, _message: None)
            await trio.sleep(0.5)
            assert not far.connected
            since = trio.current_time()
            nursery.cancel_scope.cancel()
        assert trio.current_time() - since < SOON_S


async def test_a_defect_of_who_hears_is_not_hidden(real: Postgres | Nats) -> None:
    def hear(_sender: int, _message: bytes) -> None:
        raise LookupError("a defect")

    async with nodes(real, 1) as (one,):
        with pytest.RaisesGroup(pytest.RaisesExc(LookupError, match="a defect"), flatten_subgroups=True):
            async with trio.open_nursery() as nursery:
                await nursery.start(real.bus(2).run, hear)
                one.bus.send(2, b"m")
