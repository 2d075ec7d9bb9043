"""A stream of the lichess API: an answer of HTTP whose lines come as they are told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

import trio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.web.guard import PATIENCE

ALIVE_S: Final = 6.0
"""Seconds between two lines of a stream: lichess-bot takes one that is silent for 15 for dead."""

MOST_UNREAD: Final = 500
"""Lines of a stream that its program has not taken: a whole game. Then the stream ends."""


class Stream(Response):
    """Lines of JSON as they come, an empty one where none does. ``ended`` is called once, when the program has gone."""

    def __init__(self, still: Callable[[], None], ended: Callable[[Stream], None]) -> None:
        super().__init__(None, 200, {"cache-control": "no-store", "x-accel-buffering": "no"}, "application/x-ndjson")
        del self.headers["content-length"]
        self._still = still
        self._ended = ended
        self._lines: deque[bytes] = deque()
        self._news = trio.Event()
        self.open = True

    def put(self, line: bytes) -> None:
        """Tell a line."""
        if len(self._lines) >= MOST_UNREAD:
            self.close()
        if self.open:
            self._lines.append(line)
            self._news.set()

    def close(self) -> None:
        """Nothing more comes. What was told already still leaves."""
        self.open = False
        self._news.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = scope.get("state", {}).get(PATIENCE, nullcontext)
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            with patience():
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._watch, receive, nursery.cancel_scope)
                    await self._flow(send)
                    nursery.cancel_scope.cancel()
            await send({"type": "http.response.body", "body": b""})
        finally:
            self.left()

    async def _watch(self, receive: Receive, scope: trio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _flow(self, send: Send) -> None:
        ends = False
        while not ends:
            told, ends = await self.next()
            if told:
                await send({"type": "http.response.body", "body": told, "more_body": True})

    async def next(self) -> tuple[bytes, bool]:
        """The next lines, an empty one after a while without any, and whether they are the last."""
        with trio.move_on_after(ALIVE_S):
            while self.open and not self._lines:
                self._news = trio.Event()
                await self._news.wait()
        told, ends = b"".join(self._lines), not self.open
        self._lines.clear()
        self._still()
        return told or (b"" if ends else b"\n"), ends

    def left(self) -> None:
        """End it: its reader has gone. Idempotent."""
        self.open = False
        self._ended(self)
