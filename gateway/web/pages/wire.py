"""The page that shows a table's wires live. What it shows comes from the API, by the browser's own ticket."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.pages.frame import Frame
from gateway.web.pages.shown_table import page_data


def wire_routes(frame: Frame) -> list[Route]:
    """``GET /table/ID/bytes``: the same page for every table, so that it says nothing of private ones."""

    async def page(request: Request) -> Response:
        table = int(request.path_params["table"])
        origin = f"{request.url.scheme}://{request.url.netloc}"
        return frame.page(request, "bytes.html", table=table, origin=origin, data=page_data(table=table))

    return [Route("/table/{table:int}/bytes", page, methods=["GET"])]
