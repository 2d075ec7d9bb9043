"""A bus over a broker that a test plays: gathering, backing off, and what counts as silence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from gateway.bus.broker_bus import MOST_RETRY_S, PING_S, QUIET, RETRY_S, BrokerBus, LineLost
from gateway.bus.envelope import Post


class PlayedLine:
    """A session that answers each ping at once, or loses itself; ``gate`` holds what is sent."""

    def __init__(self, *, lasts: bool = True) -> None:
        self.sent: list[Sequence[Post]] = []
        self.gate = trio.Event()
        self.closed = False
        self._lasts = lasts
        self._pinged, self._signs = trio.open_memory_channel[None](1_000)

    async def receive(self) -> Sequence[bytes]:
        if not self._lasts:
            raise LineLost("played")
        await self._signs.receive()
        return []

    async def send(self, posts: Sequence[Post]) -> None:
        self.sent.append(posts)
        await self.gate.wait()

    async def ping(self) -> None:
        self._pinged.send_nowait(None)

    async def aclose(self) -> None:
        self.closed = True
        self._pinged.close()
        self._signs.close()


def ignore(_sender: int, _message: bytes) -> None: ...


async def attempts(seed: int, *, refused: bool, seconds: float) -> list[float]:
    """When a bus connects whose sessions are refused, or lost at once; seconds from the start."""
    begun, times = trio.current_time(), []

    async def dial() -> PlayedLine:
        times.append(trio.current_time() - begun)
        if refused:
            raise LineLost("refused")
        return PlayedLine(lasts=False)

    with trio.move_on_after(seconds):
        await BrokerBus(1, dial, Random(seed)).run(ignore)
    return times


async def test_attempts_to_connect_become_rare_and_spread(autojump_clock: MockClock) -> None:
    """Sessions that are lost at once count as attempts."""
    for refused in (True, False):
        times = await attempts(1, refused=refused, seconds=60)
        waits = [later - earlier for earlier, later in pairwise(times)]
        assert RETRY_S / 2 <= waits[0] <= RETRY_S
        assert all(MOST_RETRY_S / 2 <= wait <= MOST_RETRY_S for wait in waits[6:])
        assert len({round(wait, 6) for wait in waits[6:]}) == len(waits[6:])
        assert times != await attempts(2, refused=refused, seconds=60)


async def test_what_is_sent_while_a_notification_is_on_its_way_leaves_together(autojump_clock: MockClock) -> None:
    line = PlayedLine()

    async def dial() -> PlayedLine:
        return line

    async with trio.open_nursery() as nursery:
        bus = BrokerBus(1, dial, Random(1))
        await nursery.start(bus.run, ignore)
        bus.send(2, b"a")
        bus.send(2, b"b")
        await wait_all_tasks_blocked()
        for message in (b"c", b"d", b"e"):
            bus.send(2, message)
            await wait_all_tasks_blocked()
        assert bus.counts.sent == 0, "the broker has taken nothing yet"
        line.gate.set()
        await wait_all_tasks_blocked()
        assert [[post.text for post in posts] for posts in line.sent] == [[b"1 1\na\nb"], [b"1 2\nc\nd\ne"]]
        assert (bus.counts.sent, bus.counts.notifications, bus.counts.dropped) == (5, 2, 0)
        nursery.cancel_scope.cancel()


async def test_a_sender_that_is_never_idle_asks_for_signs_of_life_all_the_same(autojump_clock: MockClock) -> None:
    """Each send takes a while, in which the next message comes."""

    class BusyLine(PlayedLine):
        async def send(self, posts: Sequence[Post]) -> None:
            bus.send(2, b"more")
            await trio.sleep(PING_S / 10)

    async def dial() -> PlayedLine:
        return BusyLine()

    bus = BrokerBus(1, dial, Random(1))
    async with trio.open_nursery() as nursery:
        await nursery.start(bus.run, ignore)
        bus.send(2, b"first")
        await trio.sleep(3 * QUIET * PING_S)
        assert bus.connected
        assert bus.counts.reconnects == 0
        assert bus.counts.sent > 20 * QUIET
        nursery.cancel_scope.cancel()


async def test_a_cancelled_bus_counts_what_it_has_not_sent_and_closes_its_session(autojump_clock: MockClock) -> None:
    line = PlayedLine()

    async def dial() -> PlayedLine:
        return line

    async with trio.open_nursery() as nursery:
        bus = BrokerBus(1, dial, Random(1))
        await nursery.start(bus.run, ignore)
        bus.send(2, b"under way")
        await wait_all_tasks_blocked()
        bus.send(2, b"waiting")
        nursery.cancel_scope.cancel()
    assert (bus.counts.dropped, bus.counts.sent, bus.connected, line.closed) == (2, 0, False, True)


async def test_a_process_that_was_stopped_itself_does_not_take_its_broker_for_silent(mock_clock: MockClock) -> None:
    """A jump of the clock is what a stopped process sees: a deadline long past, and nothing received meanwhile."""

    async def dial() -> PlayedLine:
        return PlayedLine()

    async with trio.open_nursery() as nursery:
        bus = BrokerBus(1, dial, Random(1))
        await nursery.start(bus.run, ignore)
        for _ in range(5):
            await wait_all_tasks_blocked()
            mock_clock.jump(10 * QUIET * PING_S)
        await wait_all_tasks_blocked()
        assert bus.connected
        assert bus.counts.reconnects == 0
        nursery.cancel_scope.cancel()
