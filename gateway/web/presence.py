"""``GET /api/tables/ID/presence``: who is at a table now, by dialect, program, state and delay, for everybody."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.tables.directory import Tables
from gateway.tables.presence import Presence, presence
from gateway.web.reading import Reading
from gateway.web.refusals import refusing


class PresenceApi:
    """``tables`` are those that run: at any other there is nobody, and it has no seats here."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading

    def routes(self) -> list[Route]:
        return [Route("/api/tables/{table:int}/presence", refusing(self.presence), methods=["GET"])]

    async def presence(self, request: Request) -> Response:
        view, _, _ = await self._reading.found(request)
        running = self._tables.get(view.table)
        found = Presence() if running is None else presence(running.state, running.subscribers)
        return JSONResponse(asdict(found), headers={"cache-control": "no-store"})
