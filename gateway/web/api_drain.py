"""``POST /api/drain`` opens no more tables until the server is stopped, ``DELETE /api/drain`` takes that back.

For whoever has the admin token. Not here: what draining is (gateway.server.drain).
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.server.drain import Drain
from gateway.server.registrar import Forbidden
from gateway.web.askers import Askers
from gateway.web.refusals import refusing


class DrainingApi:
    """Both answer ``{"draining": ..., "running": N}``: whether it drains now, and how many games are played."""

    def __init__(self, drain: Drain, askers: Askers) -> None:
        self._drain = drain
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/drain", refusing(self.begin), methods=["POST"]),
            Route("/api/drain", refusing(self.end), methods=["DELETE"]),
        ]

    async def begin(self, request: Request) -> Response:
        self._drain.begin(await self._host(request))
        return self._answer()

    async def end(self, request: Request) -> Response:
        self._drain.end(await self._host(request))
        return self._answer()

    async def _host(self, request: Request) -> str:
        """Who asks. Forbidden: somebody who is not the host."""
        registrant = (await self._askers.of(request)).registrant
        if not registrant.admin:
            raise Forbidden("only the host of this server drains it", known=bool(registrant.account))
        return registrant.host

    def _answer(self) -> Response:
        shown = {"draining": self._drain.on, "running": self._drain.running()}
        return JSONResponse(shown, headers={"cache-control": "no-store"})
