"""The page that takes the code of a message to a mail address: with it the address is the account's.

Opening the link changes nothing, for programs that look at mail open links, too.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.mail import Mailing
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.forgotten import LONGEST_CODE
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.sessions import address_of, person_of
from protocols.core.errors import Refused

TITLE: Final = "Confirm your address"


class MailPage:
    """The code stands behind "#", as that of a link for a new password (forgotten.py)."""

    def __init__(self, frame: Frame, mailing: Mailing) -> None:
        self._frame = frame
        self._mailing = mailing

    def routes(self) -> list[Route]:
        if not self._mailing.on:
            return []
        return [
            Route("/mail", as_page(self._frame, self.page), methods=["GET"]),
            Route("/mail", as_page(self._frame, self.confirm), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page(request)

    def _page(self, request: Request, code: str = "", fault: Refused | None = None) -> Response:
        status, said = fault_of(fault)
        shown = {"title": TITLE, "code": code, "fault": said, "longest_code": LONGEST_CODE}
        return self._frame.page(request, "mail.html", status, **shown)

    async def confirm(self, request: Request) -> Response:
        fields = await form_of(request)
        code = fields["code"].strip()[:LONGEST_CODE].rpartition("#")[2]
        try:
            await self._mailing.confirm(code, address_of(request))
        except Refused as refused:
            return self._page(request, code, refused)
        if person_of(request).account:
            return gone_to("/account?done=confirmed")
        return gone_to("/login?done=confirmed")
