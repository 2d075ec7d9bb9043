"""The page that proves a table's record in the browser; without scripts it explains the formulas and links the record.

What it checks comes from the API, by the browser's own ticket where it holds one: so the page is the same for all.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.pages.shown_table import page_data
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest


class ProofPage:
    def __init__(self, frame: Frame, reading: Reading) -> None:
        self._frame = frame
        self._reading = reading

    async def page(self, request: Request) -> Response:
        """404 where there is no table for an asker without a ticket; its script asks with one."""
        status, table = HTTPStatus.OK, int(request.path_params["table"])
        try:
            await self._reading.found(request)
        except BadRequest as refused:
            status = refused.status
        return self._frame.page(request, "proof.html", status, table=table, data=page_data(table=table))


def proof_routes(frame: Frame, reading: Reading) -> list[Route]:
    return [Route("/table/{table:int}/proof", as_page(frame, ProofPage(frame, reading).page), methods=["GET"])]
