"""A guest at the end of a stream without any buffer: nothing leaves the server that is not being read.

Not here: what such a guest asks; it is a Guest like any other.
"""

from __future__ import annotations

from typing import Any

import trio
from trio.testing import lockstep_stream_pair

from gateway.server.peer import Serve
from tests.server.hall import ADDRESS, Guest, Hall


class StreamPeer:
    """A Peer over a stream that cannot send without blocking: what it is told waits until the other end reads."""

    def __init__(self, stream: trio.StapledStream[Any, Any]) -> None:
        self._stream = stream

    async def receive(self, most: int, serve: Serve) -> None:
        while serve(await self._next(most)):
            pass

    async def _next(self, most: int) -> bytes:
        try:
            return bytes(await self._stream.receive_some(most))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    def send_now(self, data: bytes) -> int:
        return 0

    async def send_rest(self, data: bytes) -> None:
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise OSError("gone") from None

    def acknowledge_at_once(self) -> None:
        """There is no TCP here."""

    def lag_s(self) -> float:
        return 0.0

    def close(self) -> None:
        self._stream.send_stream.close()
        self._stream.receive_stream.close()


def narrow(here: Hall) -> Guest:
    """Somebody who connects by a stream without any buffer: nothing is sent that is not being read."""
    ours, theirs = lockstep_stream_pair()
    here.house.enter(here.door, StreamPeer(theirs), ADDRESS)
    return Guest(ours, None, here.patience_s)
