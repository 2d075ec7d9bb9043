"""``GET /api/tables/ID/stream``: a table's events as they are stored, as server-sent events.

Each event is a line of JSON as in /events, its ``seq`` the id, so that a browser's EventSource goes on by itself where
it was cut off. Source: the WHATWG's HTML standard, section 9.2, server-sent events.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from functools import partial
from http import HTTPStatus
from typing import Final

import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from gateway.store.records import EventRow
from gateway.store.views import TableView, ndjson_lines
from gateway.tables.directory import Tables
from gateway.web.guard import PATIENCE
from gateway.web.reading import Reading, bad, hears, number
from gateway.web.refusals import log_trouble, refusing
from protocols.core.errors import Refused, Why
from protocols.core.numbers import whole

STREAMS: Final = 1000
"""Streams at once: each costs a task, and a reading of the record for each event."""

QUIET_S: Final = 15.0
"""Seconds without an event, until a comment shows that the stream lives: proxies close a silent one after 60."""

AGAIN_S: Final = 1.0
"""Seconds until the record is read again that could not be read, or where nobody rings."""

RETRY_MS: Final = 3000
"""Milliseconds until a browser asks again after a lost connection, as most do anyway."""

KIND: Final = "text/event-stream"

QUIET: Final = ":\n\n"
"""A comment."""

Tell = Callable[[str], Awaitable[None]]


class StreamingApi:
    """Streams of ``tables``, read by ``reading``."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self.tables = tables
        self.reading = reading
        self.open = 0

    def routes(self) -> list[Route]:
        return [Route("/api/tables/{table:int}/stream", refusing(self.stream), methods=["GET"])]

    async def stream(self, request: Request) -> Response:
        """Events behind ``Last-Event-ID``, or ``after``; 204 where there will be none, which ends an EventSource."""
        view, seat, _ = await self.reading.found(request)
        last = request.headers.get("last-event-id", "")
        after = whole(last, 19) if last else number(request, "after", 0, 0)
        if after is None:
            raise bad(f"Last-Event-ID {last[:40]!r}: a whole number")
        if self.open >= STREAMS:
            raise Refused(Why.OVERLOAD, "too many streams are open: try again later, or ask /events")
        if after >= view.events and await self.reading.is_over(self.tables, view.table, after):
            return Response(status_code=HTTPStatus.NO_CONTENT, headers={"cache-control": "no-store"})
        return EventStream(self, view, seat, after)


class ServerSentEvents(Response):
    """An answer that stays open. Its client is noticed to be gone by what it does not take, or by its closing."""

    def __init__(self) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}  # nginx would hold events back
        super().__init__(None, 200, headers, KIND)
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = scope.get("state", {}).get(PATIENCE, nullcontext)

        async def tell(text: str) -> None:
            await send({"type": "http.response.body", "body": text.encode(), "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        with patience():
            await self.flow(receive, tell)
        await send({"type": "http.response.body", "body": b""})

    @abstractmethod
    async def flow(self, receive: Receive, tell: Tell) -> None:
        """Tell what there is, until the client has gone or nothing more will happen."""


class EventStream(ServerSentEvents):
    """The events of one table."""

    def __init__(self, api: StreamingApi, view: TableView, seat: int | None, after: int) -> None:
        super().__init__()
        self._api = api
        self._view = view
        self._hears = partial(hears, seat=seat)
        self._after = after
        self._away = False
        """True while the record cannot be read."""

    async def flow(self, receive: Receive, tell: Tell) -> None:
        self._api.open += 1
        try:
            await self._flow(receive, tell)
        finally:
            self._api.open -= 1

    async def _flow(self, receive: Receive, tell: Tell) -> None:
        text = f"retry: {RETRY_MS}\n\n"
        while True:
            if text:
                await tell(text)
            bell = self._api.tables.bell(self._view.table, self._after)  # before the record is read: nothing is missed
            rows, over = await self._read()
            if rows:
                text, self._after = self._written(rows), rows[-1].seq
            elif over:
                last = json.dumps({"table": self._view.table, "seq": self._after})
                await tell(f"id: {self._after}\nevent: closed\ndata: {last}\n\n")
                return
            else:
                rings = bell is not None and not self._away
                rung = await waited(bell if rings else None, receive, QUIET_S if rings else AGAIN_S)
                if rung is None:
                    return
                text = "" if rung else QUIET

    async def _read(self) -> tuple[list[EventRow], bool]:
        """The rows that are new, and True if there will be none any more. Neither while the database is away."""
        reading, table = self._api.reading, self._view.table
        try:
            rows = await reading.page(table, self._after)
            over = not rows and await reading.is_over(self._api.tables, table, self._after)
        except SQLAlchemyError as error:
            if not self._away:
                log_trouble(f"/api/tables/{table}/stream", error)
            self._away = True
            return [], False
        self._away = False
        return rows, over

    def _written(self, rows: Iterable[EventRow]) -> str:
        told = zip(rows, ndjson_lines(self._view.table, rows, self._hears), strict=True)
        return "".join(f"id: {row.seq}\ndata: {line}\n\n" for row, line in told)


async def waited(bell: trio.Event | None, receive: Receive, within_s: float) -> bool | None:
    """True if ``bell`` rang, False if it did not in time; None: the client has gone. A bell of None never rings."""
    gone = False

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        nursery.cancel_scope.cancel()

    with trio.move_on_after(within_s):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await (trio.Event() if bell is None else bell).wait()
            nursery.cancel_scope.cancel()
    if gone:
        return None
    return bell is not None and bell.is_set()
