"""``GET /api/tables/ID/bytes``: the conversations of a table's players as transcripts, live, for who writes a client.

For the holder of a seat there, and the host; for everybody, a player whose listener says ``wire_public=yes``. What is
shown is gateway.sessions.wire_tail's: no secret, no private talk. It is kept only while somebody looks.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive

from gateway.lobby.registration import UNFINISHED
from gateway.sessions.connection import Connection
from gateway.sessions.wire_tail import WireTail, looked_at, tail_of
from gateway.tables.directory import Tables
from gateway.tables.runner import TableRunner
from gateway.web.api_stream import QUIET, QUIET_S, ServerSentEvents, Tell, waited
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest, log_trouble, refusing
from protocols.core.errors import Refused, Why

VIEWERS: Final = 50
"""The number of onlookers at once, of all tables: each is told several times a second while players talk."""

LOOK_S: Final = 0.25
"""Seconds between two looks: for a person that is at once, and bursts cost no more than one line."""


class BytesApi:
    """Shows the wires of ``tables``."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading
        self.viewers = 0

    def routes(self) -> list[Route]:
        return [Route("/api/tables/{table:int}/bytes", refusing(self.show), methods=["GET"])]

    def runs(self, table: TableRunner) -> bool:
        """True as long as its task serves the table."""
        return self._tables.get(table.state.table) is table

    def running(self, number: int) -> TableRunner | None:
        """The table, if a task serves it."""
        return self._tables.get(number)

    async def ended(self, number: int) -> bool:
        """True if no wire will ever be at the table again, as far as the database answers."""
        try:
            view = await self._reading.do(self._reading.views.table, number)
        except SQLAlchemyError as error:
            log_trouble(f"/api/tables/{number}/bytes", error)
            return False
        return view is None or view.status not in UNFINISHED

    async def show(self, request: Request) -> Response:
        """Forbidden (403) to those who may see none of the wires that are there."""
        view, seat, asker = await self._reading.found(request)
        every = seat is not None or asker.registrant.admin
        table = self._tables.get(view.table)
        there, shown = (wires(table, every=one) if table else {} for one in (True, every))
        if there and not shown:
            text = "the bytes of a table are shown to its players and the host: present the ticket of a seat"
            raise BadRequest(HTTPStatus.FORBIDDEN, "forbidden", text)
        if self.viewers >= VIEWERS:
            raise Refused(Why.OVERLOAD, "too many look at bytes now: try again later")
        return ByteStream(self, view.table, every=every)


def wires(table: TableRunner, *, every: bool) -> dict[int, Connection]:
    """The connections of the players who are there, by seat: all, or only those that everybody may look at."""
    at = {seat.index: table.subscribers.at(seat.index) for seat in table.state.seats}
    connected = {seat: client for seat, client in at.items() if isinstance(client, Connection)}
    return {seat: one for seat, one in connected.items() if every or ((tail := tail_of(one)) and tail.public)}


class ByteStream(ServerSentEvents):
    """One viewer's stream: the wires that are there, whenever they change, and their lines.

    At a table that waits there are none until its players come; from one that is over nothing is told but its end.
    """

    def __init__(self, api: BytesApi, number: int, *, every: bool) -> None:
        super().__init__()
        self._api = api
        self._number = number
        self._table = api.running(number)
        self._every = every
        self._shown: dict[int, Connection] | None = None
        self._tails: dict[Connection, tuple[ExitStack, WireTail]] = {}
        self._told: dict[Connection, int] = {}

    async def flow(self, receive: Receive, tell: Tell) -> None:
        self._api.viewers += 1
        try:
            await self._flow(receive, tell)
        finally:
            self._api.viewers -= 1
            for holding, _ in self._tails.values():
                holding.close()

    async def _flow(self, receive: Receive, tell: Tell) -> None:
        quiet_s = 0.0
        while await self._goes_on(look_up=quiet_s == 0.0):
            news = "".join(self._news())
            quiet_s = 0.0 if news else quiet_s + LOOK_S
            if quiet_s >= QUIET_S:
                news, quiet_s = QUIET, 0.0
            if news:
                await tell(news)
            if await waited(None, receive, LOOK_S) is None:
                return
        await tell("event: closed\ndata: {}\n\n")

    async def _goes_on(self, *, look_up: bool) -> bool:
        """False if no wire will be there any more. A table that does not run is looked up in the record where asked."""
        if self._table is not None and self._api.runs(self._table):
            return True
        stopped = self._table is not None
        self._table = self._api.running(self._number)
        return self._table is not None or not ((look_up or stopped) and await self._api.ended(self._number))

    def _news(self) -> list[str]:
        found = wires(self._table, every=self._every) if self._table is not None else {}
        parts = []
        if found != self._shown:
            self._follow(found)
            parts.append(f"event: wires\ndata: {json.dumps([self._wire(seat) for seat in sorted(found)])}\n\n")
        for seat, connection in found.items():
            _, tail = self._tails[connection]
            if lines := tail.lines.after(self._told[connection]):
                self._told[connection] = lines[-1][0]
                told = {"seat": seat, "wire": connection.number, "lines": [line for _, line in lines]}
                parts.append(f"data: {json.dumps(told, ensure_ascii=False)}\n\n")
        return parts

    def _follow(self, found: dict[int, Connection]) -> None:
        """Look at these connections, and at no other."""
        for connection in self._tails.keys() - set(found.values()):
            self._tails.pop(connection)[0].close()
        for connection in set(found.values()) - self._tails.keys():
            holding = ExitStack()
            self._tails[connection] = holding, holding.enter_context(looked_at(connection))
        self._told = {connection: self._told.get(connection, 0) for connection in found.values()}
        self._shown = found

    def _wire(self, seat: int) -> dict[str, Any]:
        assert self._shown is not None
        assert self._table is not None
        connection, name = self._shown[seat], self._table.state.seats[seat].name
        dialect = connection.dialect
        return {"seat": seat, "wire": connection.number, "name": name, "dialect": dialect.name}
