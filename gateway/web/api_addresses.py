"""``GET /api/addresses``: which addresses cost this server most, in the last minute. For the host."""

from __future__ import annotations

from typing import Any, Final

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.admission.address_costs import Cost
from gateway.ops.server import GameServer
from gateway.web.askers import Askers
from gateway.web.refusals import refusing

SHOWN: Final = 50
"""Addresses of an answer, and of the host's page."""

FOR_THE_HOST: Final = "what addresses cost is for the host of this server"


class AddressesApi:
    def __init__(self, server: GameServer, askers: Askers) -> None:
        self._server = server
        self._askers = askers

    def routes(self) -> list[Route]:
        return [Route("/api/addresses", refusing(self.show), methods=["GET"])]

    async def show(self, request: Request) -> Response:
        """The dearest first, at most SHOWN."""
        await self._askers.host(request, FOR_THE_HOST)
        found: list[dict[str, Any]] = [
            {
                "address": cost.address,
                "here": here,
                "opened": cost.opened,
                "commands": cost.commands,
                "stored_bytes": cost.stored,
                "refused": dict(cost.refused),
            }
            for cost, here in busiest(self._server)
        ]
        return JSONResponse({"addresses": found}, headers={"cache-control": "no-store"})


def busiest(server: GameServer) -> list[tuple[Cost, int]]:
    """The addresses that cost this process most, each with its number of connections now."""
    found = server.costs.busiest(SHOWN, trio.current_time())
    return [(cost, server.connection_limits.here(cost.address)) for cost in found]
