"""The pages that links in messages lead to: one confirms an address, the other ends notices.

Opening a link changes nothing, for programs that look at mail open links, too: each page has one button. The button of
a mail program sends what that of the second page does (RFC 8058); neither asks who is logged in.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.mail import Mailing
from gateway.push.vapid import from_base64url
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.forgotten import LONGEST_CODE
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.refusals import BadRequest
from gateway.web.sessions import address_of, person_of
from protocols.core.errors import Refused

TITLE: Final = "Confirm your address"

UNKNOWN: Final = "No account is told by this link: the address was changed or removed since."

ENDED: Final = "You are told no more by mail. Your account's page has a button to turn it on again."


class MailPages:
    """The code of the first stands behind "#", as that of a link for a new password (forgotten.py)."""

    def __init__(self, frame: Frame, mailing: Mailing) -> None:
        self._frame = frame
        self._mailing = mailing

    def routes(self) -> list[Route]:
        if not self._mailing.on:
            return []
        return [
            Route("/mail", as_page(self._frame, self.page), methods=["GET"]),
            Route("/mail", as_page(self._frame, self.confirm), methods=["POST"]),
            Route("/mail/off", as_page(self._frame, self.off_page), methods=["GET"]),
            Route("/mail/off", as_page(self._frame, self.end), methods=["POST"]),
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

    async def off_page(self, request: Request) -> Response:
        return self._frame.page(request, "mail_off.html", code=_written(request))

    async def end(self, request: Request) -> Response:
        """The code is in the address, so no form is read: what mail programs send besides it varies."""
        code = _written(request)
        try:
            known = bool(code) and await self._mailing.tell_no_more(from_base64url(code))
        except ValueError:
            known = False
        if not known:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", UNKNOWN)
        return self._frame.error(request, HTTPStatus.OK, "Done", ENDED)


def _written(request: Request) -> str:
    return request.query_params.get("code", "")[:LONGEST_CODE]
