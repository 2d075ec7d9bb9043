"""Serves an application on 127.0.0.1 and connects raw TCP clients, for the tests of gateway.web."""

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
from gateway.web.forwarded import open_pages
from gateway.web.limiters import WebLimiter
from gateway.web.takeover import Takeover

PATIENCE_S = 10.0
"""Far longer than anything here takes; a test that waits so long has failed."""


@asynccontextmanager
async def served(
    app: ASGIApp | None = None,
    limits: Limits | None = None,
    limiter: WebLimiter | None = None,
    takeover: Takeover | None = None,
    options: str = "",
) -> AsyncIterator[int]:
    """A guard serving ``app``, the real one by default, and counting connections in ``limiter``; gives the port.

    ``takeover`` gets the WebSockets; ``options`` are the listener's. An exception of the guard's would cancel the body
    and come out of here.
    """
    listen = parse_listener(f"http=127.0.0.1:0,{options}" if options else "http=127.0.0.1:0")
    pages = open_pages(listen)
    with trio.fail_after(3 * PATIENCE_S):
        async with trio.open_nursery() as nursery:
            application = app or make_app(list)
            serve = partial(guard.serve, [pages], application, limits=limits or Limits(), limiter=limiter)
            nursery.start_soon(partial(serve, lines=LogLimiter(), takeover=takeover))
            yield pages.shown.port
            nursery.cancel_scope.cancel()


async def connect(port: int) -> trio.SocketStream:
    return await trio.open_tcp_stream("127.0.0.1", port)


async def everything(stream: trio.SocketStream) -> bytes:
    """All bytes until the server closes or resets the connection."""
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
