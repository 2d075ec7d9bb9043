"""Asks the other nodes which of them has a room of the relay, and answers where this one has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import trio

from gateway.cluster.calls import Caller, Calls
from gateway.cluster.messages import Room
from gateway.relay.passing import Pass, no_answer
from protocols.core.errors import Refused, Why

ASK_S: Final = 2.0
"""Seconds that a node gets to say whether it has a room: long for a message there and back, short for who waits."""


class FarRooms:
    """The rooms of all ``others``."""

    def __init__(self, others: Callable[[], Iterable[int]], calls: Calls) -> None:
        self._others = others
        self._calls = calls
        self._invite: Callable[[str, tuple[str, int]], Pass | None] = lambda code, client: None
        calls.serves(Room, self._serve)

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
                answer = await self._calls.call(node, Room(code, *client), ASK_S)
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

    async def _serve(self, room: Room, caller: Caller) -> str:
        """A pass as JSON, which ends by itself within seconds. Refused: there is no such room here."""
        given = self._invite(room.code, (room.host, room.port))
        if given is None:
            raise Refused(Why.NOT_NOW, "no such room here")
        return msgspec.json.encode(given).decode()
