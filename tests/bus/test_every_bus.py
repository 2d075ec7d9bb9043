"""What every bus does: over PostgreSQL, over NATS, in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from gateway.bus.bus import MOST, Bus
from tests.bus.brokers import Broker, until

BURST = 10_000


class Node:
    """A bus that runs, and what it has ``heard``."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[tuple[int, bytes]] = []

    def hear(self, sender: int, message: bytes) -> None:
        self.heard.append((sender, message))

    def of(self, sender: int) -> list[bytes]:
        """What it has heard from one node."""
        return [message for who, message in self.heard if who == sender]


@asynccontextmanager
async def nodes(broker: Broker, *ids: int) -> AsyncIterator[list[Node]]:
    """Nodes of these ids that listen, until the end of the block."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(broker.run)
        made = [Node(broker.bus(me)) for me in ids]
        for node in made:
            assert not node.bus.connected
            await nursery.start(node.bus.run, node.hear)
            assert node.bus.connected
        yield made
        nursery.cancel_scope.cancel()


def numbered(count: int, word: str = "m") -> list[bytes]:
    return [f"{word}{number}".encode() for number in range(count)]


async def test_messages_arrive_in_the_order_they_were_sent_in_both_ways_at_once(broker: Broker) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        for message in numbered(300):
            one.bus.send(2, message)
            two.bus.send(1, message)
            await trio.lowlevel.checkpoint()
        await until(lambda: len(one.heard) == len(two.heard) == 300)
        assert two.of(1) == one.of(2) == numbered(300)


async def test_a_published_message_reaches_every_other_node_and_not_its_sender(broker: Broker) -> None:
    async with nodes(broker, 1, 2, 3) as (one, two, three):
        one.bus.publish(b"to all")
        two.bus.publish(b"all, again")
        two.bus.send(1, b"last")
        one.bus.send(2, b"last")
        await until(lambda: (2, b"last") in one.heard and (1, b"last") in two.heard and len(three.heard) == 2)
        assert one.heard == [(2, b"all, again"), (2, b"last")]
        assert two.heard == [(1, b"to all"), (1, b"last")]
        assert sorted(three.heard) == [(1, b"to all"), (2, b"all, again")]


async def test_a_message_to_one_node_reaches_no_other(broker: Broker) -> None:
    async with nodes(broker, 1, 2, 3) as (one, two, three):
        one.bus.send(2, b"for two")
        one.bus.publish(b"for all")
        await until(lambda: len(two.heard) == 2 and len(three.heard) == 1)
        assert three.of(1) == [b"for all"]


async def test_direct_and_published_messages_of_a_sender_keep_their_order(broker: Broker) -> None:
    async with nodes(broker, 1, 2, 3) as (one, two, three):
        said = numbered(90)
        for number, message in enumerate(said):
            if number % 3 == 1:
                one.bus.publish(message)
            else:
                one.bus.send(2, message)
        await until(lambda: len(two.heard) == 90 and len(three.heard) == 30)
        assert two.of(1) == said
        assert three.of(1) == said[1::3]


async def test_a_burst_of_messages_arrives_whole(broker: Broker) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        for message in numbered(BURST):
            one.bus.send(2, message)
        await until(lambda: len(two.heard) == one.bus.counts.sent == BURST)
        assert two.of(1) == numbered(BURST)
        assert two.bus.counts.received == BURST
        assert one.bus.counts.dropped == 0


async def test_the_longest_message_arrives_as_often_as_it_was_sent(broker: Broker) -> None:
    """PostgreSQL takes equal notifications of one transaction for one."""
    longest = b"x" * MOST
    async with nodes(broker, 1, 2) as (one, two):
        for _ in range(5):
            one.bus.send(2, longest)
            one.bus.publish(longest)
        await until(lambda: len(two.heard) == 10)
        assert two.of(1) == [longest] * 10


async def test_text_of_any_script_arrives_as_it_is(broker: Broker) -> None:
    texts = ['{"name":"Ærøskøbing 囲碁 ♟ 👩‍🚀"}', "tab\tquote\"'\\{},$1", "\r", "", " "]
    async with nodes(broker, 1, 2) as (one, two):
        for text in texts:
            one.bus.send(2, text.encode())
        await until(lambda: len(two.heard) == len(texts))
        assert two.of(1) == [text.encode() for text in texts]


@pytest.mark.parametrize(
    ("message", "why"),
    [(b"x" * (MOST + 1), "7001 bytes"), (b"a\nb", "newline"), (b"a\0b", "NUL"), (b"\xff", "utf-8")],
)
async def test_a_message_that_no_bus_can_carry_is_refused(broker: Broker, message: bytes, why: str) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        with pytest.raises(ValueError, match=why):
            one.bus.send(2, message)
        with pytest.raises(ValueError, match=why):
            one.bus.publish(message)
        one.bus.send(2, b"good")
        await until(lambda: bool(two.heard))
        assert two.of(1) == [b"good"]


async def test_a_node_sends_nothing_to_itself(broker: Broker) -> None:
    with pytest.raises(ValueError, match="node 1 sends a message to itself"):
        broker.bus(1).send(1, b"me")


async def test_an_answer_can_be_sent_while_a_message_is_heard(broker: Broker) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(broker.run)
        one, two = Node(broker.bus(1)), broker.bus(2)
        await nursery.start(one.bus.run, one.hear)
        await nursery.start(two.run, two.send)
        for message in numbered(100):
            one.bus.send(2, message)
        await until(lambda: len(one.heard) == 100)
        assert one.of(2) == numbered(100)
        nursery.cancel_scope.cancel()


async def test_what_is_sent_before_a_session_stands_is_dropped_and_counted(broker: Broker) -> None:
    bus = broker.bus(1)
    bus.send(2, b"early")
    bus.publish(b"early")
    assert bus.counts.dropped == 2
    assert bus.counts.sent == 0


async def test_what_is_called_soon_is_called_once_behind_what_was_sent(broker: Broker) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        one.bus.soon(lambda: one.bus.send(2, b"late"))
        one.bus.send(2, b"first")
        await until(lambda: len(two.heard) == 2)
        one.bus.send(2, b"last")
        await until(lambda: len(two.heard) == 3)
        assert two.of(1) == [b"first", b"late", b"last"]


async def test_what_is_called_soon_is_called_without_a_session_too(broker: Broker) -> None:
    called: list[str] = []
    broker.bus(3).soon(lambda: called.append("never run"))
    await until(lambda: called == ["never run"])
    async with nodes(broker, 1) as (one,):
        one.bus.soon(lambda: called.append("just before"))
        broker.lose(1)
        await until(lambda: called == ["never run", "just before"])
        await until(lambda: not one.bus.connected)
        one.bus.soon(lambda: called.append("lost"))
        await until(lambda: called == ["never run", "just before", "lost"])


async def test_messages_arrive_again_after_a_session_was_lost(broker: Broker) -> None:
    async with nodes(broker, 1, 2) as (one, two):
        one.bus.send(2, b"before")
        await until(lambda: two.of(1) == [b"before"])
        broker.lose(1)
        await until(lambda: not one.bus.connected)
        dropped = one.bus.counts.dropped
        one.bus.send(2, b"meanwhile")
        assert one.bus.counts.dropped == dropped + 1
        broker.find(1)
        await until(lambda: one.bus.connected and two.bus.connected)
        one.bus.send(2, b"after")
        two.bus.send(1, b"back")
        await until(lambda: one.of(2) == [b"back"] and len(two.heard) == 2)
        assert two.of(1) == [b"before", b"after"]
        assert one.bus.counts.reconnects == 1


async def test_a_bus_runs_again_after_it_was_cancelled(broker: Broker) -> None:
    """The other node takes what comes for new: numbers go on where they were."""
    async with nodes(broker, 2) as (two,):
        bus = broker.bus(1)
        for count in (1, 2):
            async with trio.open_nursery() as nursery:
                await nursery.start(bus.run, two.hear)
                bus.send(2, b"again")
                await until(lambda count=count: len(two.heard) == count)  # type: ignore[misc]
                nursery.cancel_scope.cancel()
            assert not bus.connected
