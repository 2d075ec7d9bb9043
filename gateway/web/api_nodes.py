"""``GET /api/nodes``: the servers that share this one's database; ``/api/nodes/NAME/drain`` steers one. For the host.

``POST`` tells a node to give its tables to the others, ``DELETE`` to serve again. A server on SQLite has no nodes.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.ops.server import GameServer
from gateway.store.nodes import tree
from gateway.web.askers import Askers
from gateway.web.refusals import BadRequest, refusing
from protocols.core.errors import Refused, Why

NO_STORE: Final = {"cache-control": "no-store"}

FOR_THE_HOST: Final = "the nodes are for the host of this server"

NOT_NOW: Final = "the nodes cannot be read just now, try again in a moment"

_log = structlog.get_logger()


class NodesApi:
    """Answers the host about the nodes of ``server``."""

    def __init__(self, server: GameServer, askers: Askers) -> None:
        self._server = server
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/nodes", refusing(self.show), methods=["GET"]),
            Route("/api/nodes/{name:path}/drain", refusing(self.drain), methods=["POST"]),
            Route("/api/nodes/{name:path}/drain", refusing(self.undrain), methods=["DELETE"]),
        ]

    async def show(self, request: Request) -> Response:
        """All that live, by id: the oldest first."""
        await self._askers.host(request, FOR_THE_HOST)
        return await self._answer()

    async def drain(self, request: Request) -> Response:
        return await self._steer(request, on=True)

    async def undrain(self, request: Request) -> Response:
        return await self._steer(request, on=False)

    async def _steer(self, request: Request, *, on: bool) -> Response:
        by, name = await self._askers.host(request, FOR_THE_HOST), str(request.path_params["name"])
        try:
            found = await self._server.node.steer(name, on=on, by=by)
        except SQLAlchemyError as error:
            raise _not_now(error) from None
        if not found:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_node", f"there is no node {name[:64]}")
        return await self._answer()

    async def _answer(self) -> Response:
        try:
            found = await self._server.node.seen()
        except SQLAlchemyError as error:
            raise _not_now(error) from None
        shown: list[dict[str, Any]] = [tree(node, found.lobby) for node in found.living]
        return JSONResponse({"nodes": shown}, headers=NO_STORE)


def _not_now(error: SQLAlchemyError) -> Refused:
    _log.warning("nodes cannot be read", error=str(error))
    return Refused(Why.OVERLOAD, NOT_NOW)
