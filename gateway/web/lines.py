"""Carries the dialect ``web`` by requests where a network lets no WebSocket through. docs/protocols/web.md explains it.

A line has a connection like that of a WebSocket; the other end of it is a mailbox. A POST puts one message in, a long
poll takes out what the connection has said. So a seat is there as long as its page asks, and is lost like any other's.
A ping of the WebSocket is an answer without messages here, and the page's next request is its pong.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Final

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.ops.server import GameServer
from gateway.sessions.listener import EntryPoint
from gateway.sessions.mailbox import Mailbox
from gateway.web.api import JSON, LONGEST_WAIT_S, NO_STORE
from gateway.web.api_stream import waited
from gateway.web.askers import Askers
from gateway.web.guard import PAGES
from gateway.web.reading import number
from gateway.web.refusals import BadRequest, body_of, check_type, refusing
from gateway.web.sessions import digest_of
from protocols.core.errors import Refused, Why
from protocols.web.dialect import Web
from protocols.web.frames import LONGEST_MESSAGE, PONG, client_frame, pings, texts

STAYS_S: Final = 10.0
"""Seconds after an answer until a line that is not asked again ends: a browser on a bad network takes less, and a page
that has vanished is told of while its seat is kept. Pages of a player are asked sooner (``beat``)."""

PONG_FRAME: Final = client_frame(b"", PONG)

MOST_KEPT: Final = 65_536
"""Bytes that a line keeps for the next answer, unless one message is longer; what is more waits at its connection."""

KEY_BYTES: Final = 16
"""Random bytes of a line's key."""

FULL: Final = "there is no room for another connection now: try again later"


class Line(Mailbox):
    """A connection's other end, which keeps what the connection says until it is asked for."""

    def __init__(self, first: bytes = b"") -> None:
        super().__init__(self._keep, self._over)
        self._first = first
        """The message that opens it: not served before its page asks, for the answer with its key may be lost."""
        self._pinged = False
        self._kept: list[bytes] = []
        self._size = 0
        self._news = trio.Event()
        self._taken = trio.Event()
        self._asked = 0
        """Counts the requests that have asked, and so names the last of them."""
        self._asking = 0
        self.lease = trio.CancelScope(deadline=trio.current_time() + STAYS_S)
        """Cancelled when the line was not asked for too long."""
        self.ended = False

    def send_now(self, data: bytes) -> int:
        return super().send_now(data) if self._has_room(data) else 0

    async def send_rest(self, data: bytes) -> None:
        while not self._has_room(data):
            await self._taken.wait()
        await super().send_rest(data)

    def _has_room(self, data: bytes) -> bool:
        return self.ended or not self._size or self._size + len(data) <= MOST_KEPT

    def _keep(self, data: bytes) -> None:
        if not self.ended:
            self._kept += texts(data)
            self._size += len(data)
            self._pinged |= pings(data)
            self._news.set()

    def begin(self) -> None:
        """The page has the line's key: its first message is served. Idempotent."""
        first, self._first = self._first, b""
        if first:
            self.put(first)

    def _over(self) -> None:
        self.ended = True
        self._news.set()
        self._taken.set()

    @contextmanager
    def asking(self) -> Iterator[int]:
        """While a request asks what is new: its number. An older one that still waits is answered."""
        self._asked += 1
        self._asking += 1
        self.lease.deadline = math.inf
        if self._pinged:
            self._pinged = False
            self.put(PONG_FRAME)
        self._ring()
        try:
            yield self._asked
        finally:
            self._asking -= 1
            if not self._asking:
                self.lease.deadline = trio.current_time() + STAYS_S

    def _ring(self) -> None:
        """Wake the request that waits, and begin anew."""
        self._news.set()
        self._news = trio.Event()
        if self._kept or self.ended:
            self._news.set()

    @property
    def news(self) -> trio.Event:
        """Set when there is something to take, or nothing more will be."""
        return self._news

    def take(self, asked: int) -> list[bytes]:
        """The messages since the last time; none for a request that is not the last one."""
        if asked != self._asked:
            return []
        found, self._kept, self._size = self._kept, [], 0
        self._taken.set()
        self._taken = trio.Event()
        return found


class LinesApi:
    """The lines of ``server``. ``askers`` say as which account a line speaks."""

    def __init__(self, server: GameServer, askers: Askers) -> None:
        self._server = server
        self._askers = askers
        self._entrance = EntryPoint(Web, {}, server.house_rules)
        server.rereads(self._entrance)
        self._lines: dict[bytes, Line] = {}

    def routes(self) -> list[Route]:
        return [
            Route("/api/lines", refusing(self.open), methods=["POST"]),
            Route("/api/line", refusing(self.hear), methods=["GET"]),
            Route("/api/line", refusing(self.say), methods=["POST"]),
            Route("/api/line", refusing(self.close), methods=["DELETE"]),
        ]

    async def open(self, request: Request) -> Response:
        """A new line, whose first message is the body. Its key is the only way to it."""
        asker = await self._askers.of(request)
        message = await self._message(request)
        address = asker.registrant.address
        if not self._server.admission.admits(address):
            raise Refused(Why.OVERLOAD, FULL)
        line, key = Line(message), secrets.token_urlsafe(KEY_BYTES)
        pages = request.scope["state"][PAGES]
        at = replace(self._entrance, wire_log=pages.wire_log, wire_public=pages.wire_public)
        self._server.enter(at, line, address, asker.registrant.account)
        if line.ended:
            raise Refused(Why.OVERLOAD, FULL)
        self._lines[digest_of(key)] = line
        self._server.background.start_soon(self._end_unasked, line, digest_of(key))
        return JSONResponse({"line": key}, HTTPStatus.CREATED, NO_STORE)

    async def _message(self, request: Request) -> bytes:
        """The request's body as a frame; whether it is a message is the dialect's to say, by the line."""
        check_type(request)
        return client_frame(await body_of(request, LONGEST_MESSAGE))

    async def _end_unasked(self, line: Line, digest: bytes) -> None:
        """Hang up when the line was not asked for too long: the seat of its page is lost then."""
        with line.lease:
            await trio.sleep_forever()
        line.leave()
        self._lines.pop(digest, None)

    def _line(self, request: Request) -> Line:
        """BadRequest: there is none with the key that is presented."""
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "line":
            raise BadRequest(HTTPStatus.UNAUTHORIZED, "unauthorized", "present the key of a line")
        line = self._lines.get(digest_of(key.strip()))
        if line is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_line", "this line has ended: open another one")
        line.begin()
        return line

    async def say(self, request: Request) -> Response:
        """One message more. What comes of it is heard by the line."""
        line = self._line(request)
        message = await self._message(request)
        if not line.open:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_line", "this line has ended: open another one")
        if not line.put(message):
            raise Refused(Why.TOO_FAST, "too many messages wait to be read: send the next one later")
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)

    async def hear(self, request: Request) -> Response:
        """The messages since the last time, waiting for some where there are none."""
        line = self._line(request)
        wait_s = number(request, "wait", 0, 0, int(LONGEST_WAIT_S))
        with line.asking() as asked:
            gone = await waited(line.news, request.receive, wait_s) is None
        told = [] if gone else line.take(asked)
        answer = b'{"messages":[%b],"open":%b}' % (b",".join(told), b"false" if line.ended else b"true")
        return Response(answer, 200, NO_STORE, JSON)

    async def close(self, request: Request) -> Response:
        """Hang up: the seat is lost, and its ticket takes it back."""
        self._line(request).leave()
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
