"""``/api/tables/ID/share``: the link to a finished game. docs/api.md explains it.

``GET`` answers with the link, ``POST`` makes it where there is none, ``DELETE`` takes it back: for those who played.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.web.api import NO_STORE
from gateway.web.refusals import refusing
from gateway.web.shapes import LinkShown
from gateway.web.sharing import Link, Sharing

PATH = "/api/tables/{table:int}/share"


class SharingApi:
    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing

    def routes(self) -> list[Route]:
        answers = {"GET": self.link, "POST": self.share, "DELETE": self.take_back}
        return [Route(PATH, refusing(answer), methods=[method]) for method, answer in answers.items()]

    async def link(self, request: Request) -> Response:
        return _answer(await self._sharing.link(request))

    async def share(self, request: Request) -> Response:
        return _answer(await self._sharing.share(request))

    async def take_back(self, request: Request) -> Response:
        await self._sharing.take_back(request)
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)


def _answer(link: Link) -> Response:
    shown: LinkShown = {"table": link.table, "address": link.address, "private": link.hidden}
    return JSONResponse(shown, headers=NO_STORE)
