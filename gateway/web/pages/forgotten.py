"""The page for a person who has forgotten a password: it takes the code of the host's link, and a new password."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.forgotten import Forgotten
from gateway.accounts.logins import LONGEST, SHORTEST
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.sessions import address_of
from protocols.core.errors import Refused, Why

LONGEST_CODE: Final = 200
"""Characters of the field for a code: a whole link that is pasted there fits in."""


class ForgottenPage:
    """The code stands behind "#" in a link, where no log and no other site sees it. A script puts it into the form."""

    def __init__(self, frame: Frame, forgotten: Forgotten) -> None:
        self._frame = frame
        self._forgotten = forgotten

    def routes(self) -> list[Route]:
        return [
            Route("/password", as_page(self._frame, self.page), methods=["GET"]),
            Route("/password", as_page(self._frame, self.renew), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page(request)

    def _page(self, request: Request, code: str = "", fault: Refused | None = None) -> Response:
        status, said = fault_of(fault)
        limits = {"shortest": SHORTEST, "longest": LONGEST, "longest_code": LONGEST_CODE}
        return self._frame.page(request, "password.html", status, code=code, fault=said, **limits)

    async def renew(self, request: Request) -> Response:
        fields = await form_of(request)
        code = fields["code"].strip()[:LONGEST_CODE].rpartition("#")[2]
        try:
            if fields["password"] != fields["again"]:
                raise Refused(Why.BAD_OPTION, "the two passwords differ")
            await self._forgotten.renew(code, fields["password"], address_of(request))
        except Refused as refused:
            return self._page(request, code, refused)
        return gone_to("/login?done=password")
