"""The page of a game for frames of other sites: its board, buttons that go through the moves, a link to the game.

    GET /table/ID/embed    a game that strangers see; one that goes on as it stood when the frame was loaded
    GET /shared/KEY/embed  a private game that is over, by its link

It knows nobody: neither cookies nor tickets show more. No other page can be shown in a frame.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.headers import FRAMED
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.pages.shared import shared_place, unlisted, values_shown
from gateway.web.pages.table import Place, place_of
from gateway.web.reading import Reading
from gateway.web.sharing import Sharing, Shown


class EmbedPages:
    def __init__(self, frame: Frame, reading: Reading, sharing: Sharing) -> None:
        self._frame = frame
        self._reading = reading
        self._sharing = sharing

    def routes(self) -> list[Route]:
        answers = {"/table/{table:int}/embed": self.public, "/shared/{key}/embed": self.shared}
        return [
            Route(path, unlisted(as_page(self._frame, answer)), methods=["GET"]) for path, answer in answers.items()
        ]

    async def public(self, request: Request) -> Response:
        shown = await self._sharing.public(request)
        return await self._page(request, shown, place_of(shown.view.table))

    async def shared(self, request: Request) -> Response:
        return await self._page(request, await self._sharing.shown(request), shared_place(request))

    async def _page(self, request: Request, shown: Shown, place: Place) -> Response:
        answer = self._frame.page(request, "embed.html", **await self._reading.do(values_shown, shown, place))
        answer.headers["content-security-policy"] = FRAMED
        return answer
