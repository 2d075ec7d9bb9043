"""Two sockets joined: every byte, both ways, in order, with half-closes, within bounds of memory and rate."""

from __future__ import annotations

import hashlib
import random
import socket
import struct

import pytest
import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Limits
from gateway.net import readiness
from gateway.relay import ends
from gateway.relay.counters import Counters
from gateway.relay.ends import BUFFER
from gateway.relay.splice import Splice
from gateway.relay.visitor import Visitor
from tests.relay.relaying import Client, relaying

MILLION = 1_000_000
LINGER_NOT = struct.pack("ii", 1, 0)
"""SO_LINGER: closing breaks the connection off."""


class Joined:
    """A splice of two socket pairs; ``ends`` are those of the clients, which do not block."""

    def __init__(self, rate: int = 10**12) -> None:
        self.connection_limits = ConnectionLimiter(Limits())
        self.counters = Counters()
        self.pauses: list[float] = []
        self.ended = 0
        self.ends: list[socket.socket] = []
        visitors = []
        for host in ("192.0.2.1", "192.0.2.2"):
            ours, theirs = socket.socketpair()
            for sock in (ours, theirs):
                sock.setblocking(False)
            assert self.connection_limits.take(host)
            visitors.append(Visitor(ours, host, f"{host}:1", self.connection_limits, readiness.shared()))
            self.ends.append(theirs)
        self.splice = Splice(
            (visitors[0], visitors[1]), rate, self.counters, self._count, lambda wait_s, _: self.pauses.append(wait_s)
        )
        self.splice.start((b"", b""), (False, False))

    def _count(self) -> None:
        self.ended += 1

    def close(self) -> None:
        self.splice.close()
        for end in self.ends:
            end.close()


async def pump(client: Client, data: bytes) -> None:
    await client.stream.send_all(data)
    await client.stream.send_eof()


async def test_a_million_random_bytes_each_way_at_the_same_time_arrive_as_they_were() -> None:
    chance = random.Random(5)
    sent = [chance.randbytes(MILLION), chance.randbytes(MILLION)]
    async with relaying() as desk:
        pair = await desk.joined(desk.open().code)
        async with trio.open_nursery() as nursery:
            for client, data in zip(pair, sent, strict=True):
                nursery.start_soon(pump, client, data)
            received = [await pair[1].rest(), b""]
            received[1] = await pair[0].rest()
        counters = desk.relay.counters
    assert [hashlib.sha256(data).hexdigest() for data in received] == [
        hashlib.sha256(data).hexdigest() for data in sent
    ]
    assert (counters.bytes_from_first, counters.bytes_from_second, counters.pairs_now) == (MILLION, MILLION, 0)


async def test_half_closes_are_kept() -> None:
    """ "copies bytes verbatim both ways, half-closes kept"."""
    async with relaying() as desk:
        anna, bert = await desk.dialled()
        await pump(anna, b"a question")
        assert await bert.rest() == b"a question"
        await bert.say(b"an answer, later")
        assert await anna.some() == b"an answer, later"
        await bert.stream.send_eof()
        assert await anna.rest() == b""
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_what_was_sent_before_a_close_arrives_though_the_other_reads_late() -> None:
    data = random.Random(6).randbytes(3 * MILLION)
    async with relaying() as desk:
        anna, bert = await desk.dialled()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, anna, data)
            await trio.sleep(0.05)
            assert await bert.rest() == data


async def test_a_side_that_breaks_off_is_passed_on_as_a_close() -> None:
    async with relaying() as desk:
        anna, bert = await desk.dialled()
        await anna.say(b"last words")
        assert await bert.some() == b"last words"
        anna.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        anna.stream.socket.close()
        assert await bert.rest() == b""
        await desk.until(lambda: desk.connection_limits.inside == 0)
        assert desk.relay.counters.pairs_now == 0


async def test_what_a_side_said_before_it_went_is_delivered_though_it_takes_nothing_more() -> None:
    async with relaying() as desk:
        anna, bert = await desk.dialled()
        await anna.say(b"bye")
        anna.stream.socket.close()
        await bert.say(b"x" * 1000)
        assert await bert.rest() == b"bye"
        await bert.stream.send_eof()
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_a_side_that_does_not_read_stops_the_other_and_costs_one_buffer() -> None:
    """ "back-pressure instead of memory"."""
    joined = Joined()
    sender, receiver = joined.ends
    data = memoryview(random.Random(7).randbytes(8 * MILLION))
    sent, still = 0, 0
    while still < 20:
        try:
            sent += sender.send(data[sent : sent + BUFFER])
            still = 0
        except BlockingIOError:
            still += 1
        await trio.sleep(0.001)
    waiting = len(joined.splice.ends[1].waiting)
    assert 0 < waiting <= BUFFER
    assert sent < len(data)
    received = b""
    while len(received) < sent:
        with trio.fail_after(10):
            await trio.lowlevel.wait_readable(receiver)
        received += receiver.recv(BUFFER)
    assert received == data[:sent]
    assert joined.splice.ends[1].waiting == b""
    joined.close()


async def test_a_reader_of_small_sips_gets_everything_in_order() -> None:
    joined = Joined()
    sender, receiver = joined.ends
    data = random.Random(8).randbytes(MILLION)
    received = b""

    async def send() -> None:
        left = memoryview(data)
        while left:
            await trio.lowlevel.wait_writable(sender)
            left = left[sender.send(left) :]
        sender.shutdown(socket.SHUT_WR)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        while part := await _sip(receiver):
            received += part
    assert received == data
    joined.close()


async def _sip(sock: socket.socket) -> bytes:
    with trio.fail_after(10):
        await trio.lowlevel.wait_readable(sock)
    return sock.recv(997)


async def test_an_idle_pair_holds_nothing_that_waits() -> None:
    joined = Joined()
    assert [end.waiting for end in joined.splice.ends] == [b"", b""]
    assert len(ends.buffer) == BUFFER, "one for all pairs"
    joined.close()
    assert (joined.ended, joined.connection_limits.inside, joined.counters.pairs_now) == (1, 0, 0)
    joined.close()
    assert joined.ended == 1


async def test_beyond_its_rate_a_pair_is_paused_and_not_read() -> None:
    joined = Joined(rate=1000)
    sender, receiver = joined.ends
    sender.send(b"x" * 3000)  # two seconds' worth may go at once
    await trio.lowlevel.wait_readable(receiver)
    assert len(receiver.recv(5000)) == 3000
    assert joined.pauses == [pytest.approx(1.0, abs=0.2)]
    sender.send(b"more")
    with trio.move_on_after(0.05) as silence:
        await trio.lowlevel.wait_readable(receiver)
    assert silence.cancelled_caught
    joined.close()


async def test_the_rate_holds_over_time() -> None:
    clock_began = trio.current_time()
    async with relaying(bytes_per_second=1_000_000) as desk:
        anna, bert = await desk.dialled()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, anna, bytes(2_500_000))
            assert await bert.rest() == bytes(2_500_000)
    assert trio.current_time() - clock_began > 0.4, "two million at once, the rest in half a second"


async def test_a_pair_without_a_byte_is_parted_after_the_idle_time() -> None:
    async with relaying(idle_s=1.0) as desk:
        anna, bert = await desk.dialled()
        assert (await anna.rest(), await bert.rest()) == (b"", b"")
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_a_pair_that_speaks_is_not_idle() -> None:
    async with relaying(idle_s=1.5) as desk:
        anna, bert = await desk.dialled()
        for _ in range(5):
            await trio.sleep(0.6)
            await bert.say(b"!")
            assert await anna.some() == b"!"
