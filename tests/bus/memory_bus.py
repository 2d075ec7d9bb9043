"""Switchboard joins buses in memory; by its seed it delays, loses and doubles messages, and nodes can be parted.

Made for MockClock. The same seed and the same calls give the same deliveries: one task delivers everything, each
message at a moment that was drawn when it was sent.

    board = Switchboard(Random(7), delay_s=(0.0, 0.2), lost=0.05, doubled=0.05)
    nursery.start_soon(board.run)
    await nursery.start(board.bus(1).run, heard)
    board.part([1], [2, 3])                          # without a word, both ways
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import product
from random import Random

import trio

from gateway.bus.bus import Counts, Heard, require_another, require_carried


@dataclass(order=True)
class Delivery:
    """A message under way. Those of one moment arrive as they were sent, by ``number``."""

    at: float
    number: int
    sender: int = field(compare=False)
    to: int = field(compare=False)
    message: bytes = field(compare=False)


class Switchboard:
    """All buses of one world. ``lost`` and ``doubled`` are chances of a message, ``delay_s`` the bounds of its way.

    Messages of one sender stay in order, as on real buses. The second copy of a doubled one may come after later ones:
    real buses do not double, so this is the worst that could be.
    """

    def __init__(
        self, chance: Random, *, delay_s: tuple[float, float] = (0.0, 0.0), lost: float = 0.0, doubled: float = 0.0
    ) -> None:
        self.delay_s = delay_s
        self.lost = lost
        self.doubled = doubled
        self._chance = chance
        self._buses: dict[int, MemoryBus] = {}
        self._under_way: list[Delivery] = []
        self._number = 0
        self._waits = trio.CancelScope()
        self._last: dict[tuple[int, int], float] = {}  # when the last message of a pair arrives
        self._parted: set[tuple[int, int]] = set()
        self._held: dict[int, list[Delivery]] = {}

    def bus(self, me: int) -> MemoryBus:
        """The bus of a node that is new here."""
        if me in self._buses:
            raise ValueError(f"node {me} has a bus already")
        self._buses[me] = MemoryBus(self, me)
        return self._buses[me]

    def part(self, some: Iterable[int], others: Iterable[int], *, one_way: bool = False) -> None:
        """``others`` hear nothing of ``some`` any more, nor the other way round unless ``one_way``; no bus notices."""
        ways = set(product(some, others))
        self._parted |= ways if one_way else ways | {(b, a) for a, b in ways}

    def join(self) -> None:
        """All hear each other again."""
        self._parted.clear()

    def cut(self, node: int) -> None:
        """The node's session is lost, and what is under way to it; its bus notices."""
        self._buses[node].cut = True
        self._under_way = [delivery for delivery in self._under_way if delivery.to != node]
        heapify(self._under_way)

    def mend(self, node: int) -> None:
        """It has a session again."""
        bus = self._buses[node]
        bus.counts.reconnects += bus.cut
        bus.cut = False

    def hold(self, node: int) -> None:
        """Neither deliver what it sends nor what is for it, as if its process was stopped; nothing is lost."""
        self._held.setdefault(node, [])

    def release(self, node: int) -> None:
        """Deliver all that was held back, in order."""
        now = trio.current_time()
        for delivery in self._held.pop(node, []):
            heappush(self._under_way, replace(delivery, at=now))
        self._waits.deadline = min(self._waits.deadline, now)

    async def run(self) -> None:
        """Deliver until cancelled."""
        while True:
            self._waits = trio.CancelScope(deadline=self._under_way[0].at if self._under_way else float("inf"))
            with self._waits:
                await trio.sleep_forever()
            while self._under_way and self._under_way[0].at <= trio.current_time():
                self._deliver(heappop(self._under_way))

    def carry(self, sender: int, to: int, message: bytes) -> None:
        """Send one message on its way, or lose it; every draw happens here."""
        lost, doubled = self._chance.random() < self.lost, self._chance.random() < self.doubled
        now = trio.current_time()
        first, second = (now + self._chance.uniform(*self.delay_s) for _ in range(2))
        if lost:
            return
        at = self._last[sender, to] = max(first, self._last.get((sender, to), 0.0))
        self._push(at, sender, to, message)
        if doubled:
            self._push(max(at, second), sender, to, message)

    def others(self, me: int) -> list[int]:
        """Every node but this one."""
        return [node for node in self._buses if node != me]

    def _push(self, at: float, sender: int, to: int, message: bytes) -> None:
        self._number += 1
        heappush(self._under_way, Delivery(at, self._number, sender, to, message))
        self._waits.deadline = min(self._waits.deadline, at)

    def _deliver(self, delivery: Delivery) -> None:
        """A partition and a hold count at this moment."""
        if (delivery.sender, delivery.to) in self._parted:
            return
        for node in (delivery.sender, delivery.to):
            if node in self._held:
                self._held[node].append(delivery)
                return
        bus = self._buses.get(delivery.to)
        if bus is not None:
            bus.hear(delivery.sender, delivery.message)


class MemoryBus:
    """A ``Bus`` of one Switchboard."""

    def __init__(self, board: Switchboard, me: int) -> None:
        self.counts = Counts()
        self.cut = False
        self._board = board
        self._me = me
        self._heard: Heard | None = None

    @property
    def connected(self) -> bool:
        return self._heard is not None and not self.cut

    def send(self, to: int, message: bytes) -> None:
        require_another(to, self._me)
        self._send([to], message)

    def publish(self, message: bytes) -> None:
        self._send(self._board.others(self._me), message)

    def _send(self, nodes: Iterable[int], message: bytes) -> None:
        require_carried(message)
        if not self.connected:
            self.counts.dropped += 1
            return
        self.counts.sent += 1
        self.counts.notifications += 1
        for node in nodes:
            self._board.carry(self._me, node, message)

    def soon(self, call: Callable[[], None]) -> None:
        trio.lowlevel.current_trio_token().run_sync_soon(call)

    def hear(self, sender: int, message: bytes) -> None:
        """Called by the board; a message that finds nobody listening is lost."""
        if self._heard is not None and not self.cut:
            self.counts.received += 1
            self._heard(sender, message)

    async def run(self, heard: Heard, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        self._heard = heard
        task_status.started()
        try:
            await trio.sleep_forever()
        finally:
            self._heard = None
