"""The page that shares a finished game: its link to copy, and for a private game forms that make it and take it back.

GET  /table/ID/share  the page; without scripts all of it works, with them the table's page has it as a dialog
POST /table/ID/share  makes the link, or with ``end`` takes it back
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame, origin_of
from gateway.web.pages.refusing import as_page
from gateway.web.sharing import Sharing, table_address

PATH = "/table/{table:int}/share"


class SharePage:
    def __init__(self, frame: Frame, sharing: Sharing) -> None:
        self._frame = frame
        self._sharing = sharing

    def routes(self) -> list[Route]:
        return [
            Route(PATH, as_page(self._frame, self.page), methods=["GET"]),
            Route(PATH, as_page(self._frame, self.share), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        link = await self._sharing.link(request)
        address = None if link.address is None else origin_of(request) + link.address
        return self._frame.page(request, "share.html", table=link.table, address=address, hidden=link.hidden)

    async def share(self, request: Request) -> Response:
        fields = await form_of(request)
        if fields["end"]:
            await self._sharing.take_back(request)
        else:
            await self._sharing.share(request)
        return gone_to(f"{table_address(int(request.path_params['table']))}/share")
