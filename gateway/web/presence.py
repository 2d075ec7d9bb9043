"""``GET /api/tables/ID/presence``: who is at a table now, by dialect, program, state and delay, for everybody."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.tables.directory import Tables
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
        found = await self._tables.presence(view.table)
        return JSONResponse(asdict(found), headers={"cache-control": "no-store"})
