"""Connects a client by a stream without any buffer: the server sends only bytes that are being read."""

from __future__ import annotations

from typing import Any

import trio
from trio.testing import lockstep_stream_pair

from gateway.sessions.peer import Serve
from tests.hall import ADDRESS, Guest, Hall


class StreamPeer:
    """A Peer over a stream that cannot send without blocking: its bytes wait until the other end reads."""

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
    """Connect a client by a stream without any buffer: nothing is sent that is not being read."""
    ours, theirs = lockstep_stream_pair()
    here.server.enter(here.listener, StreamPeer(theirs), ADDRESS)
    return Guest(ours, None, here.patience_s)
