"""Asks the other nodes which of them has a room of the relay, and answers where this one has it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol

import msgspec
import trio

from gateway.cluster import messages
from gateway.relay.passing import Pass, no_answer
from protocols.core.errors import Refused, Why

ASK_S: Final = 2.0
"""Seconds that a node gets to say whether it has a room: long for a message there and back, short for who waits."""


class Request(Protocol):
    """Sends what is made of a new number to a node, and returns the answer. Refused as the node says, or for none."""

    def __call__(self, to: int, make: Callable[[int], messages.Message], within_s: float) -> Awaitable[str]: ...


class FarRooms:
    """The rooms of all ``others``."""

    def __init__(self, others: Callable[[], Iterable[int]], request: Request) -> None:
        self._others = others
        self._request = request
        self._invite: Callable[[str, tuple[str, int]], Pass | None] = lambda code, client: None

    def invite_by(self, invite: Callable[[str, tuple[str, int]], Pass | None]) -> None:
        """The relay of this node gives a pass for a room that it has; None: it has no such room."""
        self._invite = invite

    async def find(self, code: str, client: tuple[str, int]) -> Pass | None:
        """As gateway.relay.passing.Elsewhere. All are asked at once; the first that has it counts."""
        found: list[Pass] = []
        silent = False

        async def ask(node: int) -> None:
            nonlocal silent
            try:
                answer = await self._request(node, lambda n: messages.Call(code, *client, n), ASK_S)
            except Refused as refused:
                silent |= refused.why is Why.OVERLOAD
                return
            found.append(msgspec.json.decode(answer, type=Pass))
            nursery.cancel_scope.cancel()

        async with trio.open_nursery() as nursery:
            for node in self._others():
                nursery.start_soon(ask, node)
        if not found and silent:
            raise no_answer()
        return found[0] if found else None

    async def serve(self, call: messages.Call) -> str:
        """A pass as JSON. Refused: there is no such room here."""
        given = self._invite(call.code, (call.host, call.port))
        if given is None:
            raise Refused(Why.NOT_NOW, "no such room here")
        return msgspec.json.encode(given).decode()
