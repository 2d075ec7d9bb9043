"""Carries what is said to everybody who is here and listens, at all nodes: one channel beyond tables, in no record.

Whoever speaks hears it, too. One task tells the listeners of its server, so all of them read the lines in one order.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import trio

from gateway.accounts.circle import Circle
from gateway.admission.address_costs import EVERYBODY, AddressCosts
from gateway.admission.token_bucket import TokenBucket, TokenBuckets
from gateway.background import Background
from gateway.config import Config, Limits
from gateway.lobby.party import folded
from gateway.net.addresses import address_key
from gateway.table.decide import one_line
from gateway.tables.seams import Subscriber
from protocols.core.errors import Refused, Why
from protocols.core.events import CHANNEL, Said

MINUTE_S: Final = 60.0

BURST: Final = 3
"""Lines of one speaker at once: a thought of some lines."""

ALL_BURST, ALL_PER_S = 20, 1.0
"""Lines of all speakers of one server at once, and then a second: more of them nobody reads, from whoever they come."""

WAITING: Final = 100
"""Lines that wait for listeners to be told; further ones of other nodes are dropped."""

IN_A_ROW: Final = 50
"""Clients that are told before others have their turn."""


class Line(msgspec.Struct, frozen=True):
    """Words to everybody: the speaker's name, and its ``account``, "" of a guest."""

    account: str
    name: str
    text: str


class Everybody:
    """The channel at one server. ``clients`` are its connections; ``tell_others`` hands a line to the other nodes."""

    def __init__(
        self,
        limits: Limits,
        clients: Callable[[], Iterable[Subscriber]],
        circle: Circle,
        background: Background,
        tell_others: Callable[[Line], None],
        costs: AddressCosts,
    ) -> None:
        self._costs = costs
        self._open = limits.everybody_per_minute > 0
        self._said: TokenBuckets[str] = TokenBuckets(limits.everybody_per_minute / MINUTE_S, BURST)
        self._all = TokenBucket(ALL_PER_S, ALL_BURST, 0.0)
        self._clients = clients
        self._circle = circle
        self._background = background
        self._tell_others = tell_others
        self._waiting: deque[tuple[Line, frozenset[str] | None]] = deque()
        self._telling = False
        self.forget = self._said.forget

    def reread(self, config: Config) -> None:
        """Let everybody say as much as these settings allow, from now on."""
        self._open = config.limits.everybody_per_minute > 0
        self._said.adapt(config.limits.everybody_per_minute / MINUTE_S, BURST)

    def check(self, speaker: Subscriber) -> None:
        """Refused (NOT_NOW): the host has switched the channel off, or the speaker does not listen itself."""
        if not self._open:
            raise Refused(Why.NOT_NOW, "nobody speaks to everybody here: the host has switched that off")
        if not speaker.dialect.hears_everybody:
            raise Refused(Why.NOT_NOW, "you do not listen to what is said to everybody, so you do not speak there")

    async def say(self, speaker: Subscriber, name: str, text: str) -> None:
        """Say it under this name. Refused: as by ``check``; (SYNTAX) too long, or nothing; (TOO_FAST); (OVERLOAD)."""
        self.check(speaker)
        line = Line(speaker.account, name, one_line(text))
        self._count(speaker)
        apart = (await self._circle.blocks(speaker.account)).apart
        self._tell_others(line)
        self._tell_soon(line, apart)

    def heard(self, line: Line) -> None:
        """Tell those who listen here what was said at another node."""
        if self._open:
            self._tell_soon(line, None)

    def _count(self, speaker: Subscriber) -> None:
        """Refused (TOO_FAST): by its account or its address it has said more than others should have to read."""
        now = trio.current_time()
        for who in [address_key(speaker.address), *([f"account {folded(speaker.account)}"] if speaker.account else [])]:
            if wait_s := self._said.bucket(who, now).refuses_s(now):
                self._costs.refused(speaker.address, EVERYBODY)
                raise Refused(Why.TOO_FAST, f"you say too much to everybody; try again in {math.ceil(wait_s)} s")
        if self._all.refuses_s(now):
            raise Refused(Why.TOO_FAST, "many speak to everybody just now; try again in a moment")

    def _tell_soon(self, line: Line, apart: frozenset[str] | None) -> None:
        if len(self._waiting) >= WAITING:
            return
        self._waiting.append((line, apart))
        if not self._telling:
            self._telling = True
            self._background.start_soon(self._tell)

    async def _tell(self) -> None:
        """Tell what waits, and end. Words are for nobody whom a block keeps apart from the speaker's account."""
        try:
            while self._waiting:
                line, apart = self._waiting.popleft()
                try:
                    found = (await self._circle.blocks(line.account)).apart if apart is None else apart
                except Refused:
                    continue  # whom a block keeps apart is not known: nobody hears it, and the circle has logged why
                await self._to_listeners(line, found)
        finally:
            self._telling = False

    async def _to_listeners(self, line: Line, apart: frozenset[str]) -> None:
        words = [Said(None, CHANNEL, line.text, line.name)]
        for count, client in enumerate(list(self._clients())):
            if count % IN_A_ROW == IN_A_ROW - 1:
                await trio.lowlevel.checkpoint()
            if client.dialect.hears_everybody and not client.ended and folded(client.account) not in apart:
                client.tell(words)
