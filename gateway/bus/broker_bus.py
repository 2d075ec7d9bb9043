"""BrokerBus: a bus over one session with a broker, which it makes anew whenever it is lost.

While a notification is on its way, and until trio has run every task that is ready, messages gather; then they leave
together. A session that has said nothing for QUIET looks, though it was asked at each, is lost: so a partition without
a word is noticed within four seconds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Final, Protocol, TypeAlias

import structlog
import trio

from gateway.bus.bus import Counts, Heard, require_another, require_carried
from gateway.bus.envelope import Arrivals, Outbox, Post

CONNECT_S: Final = 5.0
"""Seconds that a session may take to be made."""

PING_S: Final = 1.0
"""Seconds between two looks at whether the broker has said anything."""

QUIET: Final = 3
"""Looks in a row without a word after which a session is lost. Looks, not seconds: a process that was stopped itself
has not looked."""

RETRY_S: Final = 0.1
"""Seconds before the first attempt to connect again; each further one waits twice as long, until a session lasts."""

MOST_RETRY_S: Final = 2.0
"""Seconds between two attempts at most: cross-node moves wait for it."""

AT_ONCE: Final = 64
"""Envelopes that are given to the broker together: half a megabyte."""

_log = structlog.get_logger()


class LineLost(Exception):
    """A session could not be made, or has ended; says why, without a password."""


class Line(Protocol):
    """One session with a broker. Every method but ``aclose`` raises LineLost when it has ended."""

    async def receive(self) -> Sequence[bytes]:
        """Wait for a sign of life, and return the envelopes that came with it, maybe none."""

    async def send(self, posts: Sequence[Post]) -> None:
        """Give envelopes to the broker, in order; returns when there is room for more. One caller at a time."""

    async def ping(self) -> None:
        """Ask for a sign of life. Not while ``send`` runs."""

    async def aclose(self) -> None:
        """End the session at once, without waiting for the broker. The other methods must not be running."""


Dial: TypeAlias = Callable[[], Awaitable[Line]]
"""Makes a session that hears what is for this node and for all. LineLost; closes what it has begun when cancelled."""


class BrokerBus:
    """A ``Bus``. ``chance`` spreads the attempts of many nodes to connect again."""

    def __init__(self, me: int, dial: Dial, chance: Random) -> None:
        self.counts = Counts()
        self.connected = False
        self._me = me
        self._dial = dial
        self._chance = chance
        self._outbox = Outbox(me)
        self._arrivals = Arrivals(me)
        self._wake = trio.Event()
        self._soon: list[Callable[[], None]] = []
        self._ping = False
        self._quiet = 0  # looks since the broker's last word
        self._lost: LineLost | None = None

    def send(self, to: int, message: bytes) -> None:
        """See Bus."""
        require_another(to, self._me)
        self._put(to, message)

    def publish(self, message: bytes) -> None:
        """See Bus."""
        self._put(None, message)

    def _put(self, to: int | None, message: bytes) -> None:
        require_carried(message)
        if not self.connected or not self._outbox.put(to, message):
            self.counts.dropped += 1
            return
        self._wake.set()

    def soon(self, call: Callable[[], None]) -> None:
        """See Bus."""
        self._soon.append(call)
        if self.connected:
            self._wake.set()
        else:
            trio.lowlevel.current_trio_token().run_sync_soon(self._gather)

    def _gather(self) -> None:
        calls, self._soon = self._soon, []
        for call in calls:
            call()

    async def run(self, heard: Heard, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """See Bus."""
        wait_s, told, first = RETRY_S, False, True
        while True:
            begun = trio.current_time()
            try:
                with trio.fail_after(CONNECT_S):
                    line = await self._dial()
            except (LineLost, trio.TooSlowError) as error:
                if not told:
                    _log.warning("the bus cannot be reached", error=str(error) or f"no answer in {CONNECT_S:g} s")
                told = True
            else:
                _log.info("the bus is connected")
                self.connected, told = True, False
                if first:
                    task_status.started()
                self.counts.reconnects += not first
                first = False
                await self._serve(line, heard)
                if trio.current_time() - begun > MOST_RETRY_S:
                    wait_s = RETRY_S
            await trio.sleep(wait_s * self._chance.uniform(0.5, 1.0))
            wait_s = min(2 * wait_s, MOST_RETRY_S)

    async def _serve(self, line: Line, heard: Heard) -> None:
        """Until the session is lost."""
        self._lost, self._quiet, self._ping = None, 0, False
        try:
            async with trio.open_nursery() as nursery:
                for part in (partial(self._listen, line, heard), partial(self._deliver, line), self._watch):
                    nursery.start_soon(self._until_lost, part, nursery.cancel_scope)
        finally:
            self.connected = False
            self._gather()
            self.counts.dropped += self._outbox.clear()
            await line.aclose()
        _log.warning("the bus is lost", error=str(self._lost))

    async def _until_lost(self, part: Callable[[], Awaitable[None]], session: trio.CancelScope) -> None:
        try:
            await part()
        except LineLost as lost:
            self._lost = self._lost or lost
            session.cancel()

    async def _listen(self, line: Line, heard: Heard) -> None:
        while True:
            for text in await line.receive():
                sender, messages = self._arrivals.open(text)
                self.counts.received += len(messages)
                for message in messages:
                    heard(sender, message)
            self.counts.garbled = self._arrivals.garbled
            self._quiet = 0

    async def _deliver(self, line: Line) -> None:
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            while self._outbox or self._ping or self._soon:
                if self._ping:  # first, or a busy sender would never ask
                    self._ping = False
                    await line.ping()
                self._gather()
                await self._give(line, self._outbox.take(AT_ONCE))

    async def _give(self, line: Line, posts: Sequence[Post]) -> None:
        if not posts:
            return
        messages = sum(post.messages for post in posts)
        try:
            await line.send(posts)
        except (LineLost, trio.Cancelled):
            self.counts.dropped += messages
            raise
        self.counts.sent += messages
        self.counts.notifications += len(posts)

    async def _watch(self) -> None:
        while self._quiet < QUIET:
            self._quiet += 1
            self._ping = True
            self._wake.set()
            await trio.sleep(PING_S)
        raise LineLost(f"silent for {QUIET * PING_S:g} s")
