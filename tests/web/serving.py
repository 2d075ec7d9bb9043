"""A served application and raw TCP clients for the tests of gateway.web: real sockets on 127.0.0.1."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import trio
from starlette.types import ASGIApp

from gateway.config import Limits, parse_listener
from gateway.net.log_limiter import LogLimiter
from gateway.web import guard
from gateway.web.app import make_app
from gateway.web.secure import open_pages

PATIENCE_S = 10.0
"""Far longer than anything here takes; a test that waits so long has failed."""


@asynccontextmanager
async def served(
    app: ASGIApp | None = None, limits: Limits | None = None, places: guard.Places | None = None
) -> AsyncIterator[int]:
    """A guard serving ``app``, the real one by default, and counting connections in ``places``; gives the port.

    An exception of the guard's would cancel the body and come out of here.
    """
    pages = open_pages(parse_listener("http=127.0.0.1:0"))
    with trio.fail_after(3 * PATIENCE_S):
        async with trio.open_nursery() as nursery:
            application = app or make_app(list)
            serve = partial(guard.serve, [pages], application, limits=limits or Limits(), places=places)
            nursery.start_soon(partial(serve, lines=LogLimiter()))
            yield pages.shown.port
            nursery.cancel_scope.cancel()


async def connect(port: int) -> trio.SocketStream:
    return await trio.open_tcp_stream("127.0.0.1", port)


async def everything(stream: trio.SocketStream) -> bytes:
    """All bytes until the server closes, in whatever way it does."""
    received = b""
    with trio.fail_after(PATIENCE_S):
        try:
            async for part in stream:
                received += part
        except trio.BrokenResourceError:
            pass
    return received


async def ask(port: int, path: str, method: str = "GET") -> tuple[int, Any]:
    """Status and JSON of one request on a connection of its own."""
    async with await connect(port) as stream:
        await stream.send_all(f"{method} {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".encode())
        head, _, body = (await everything(stream)).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body) if body else None
