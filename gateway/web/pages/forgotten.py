"""The page for a person who has forgotten a password: it takes the code of a link, and a new password.

Where mail is set up it sends such a link, and says the same whatever was typed: so it tells nobody which accounts have
an address, or whose one is.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.forgotten import Forgotten
from gateway.accounts.logins import LONGEST, SHORTEST
from gateway.accounts.mail import LONGEST as LONGEST_ADDRESS
from gateway.accounts.mail import Mailing
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.sessions import address_of
from protocols.core.errors import Refused, Why

LONGEST_CODE: Final = 200
"""Characters of the field for a code: a whole link that is pasted there fits in."""


ASKED: Final = (
    "If there is such an account with a mail address, a link is on its way there. It is good for an hour. "
    "If nothing comes, look among unwanted mail, or ask the host of this server."
)


class ForgottenPage:
    """The code stands behind "#" in a link, where no log and no other site sees it. A script puts it into the form."""

    def __init__(self, frame: Frame, forgotten: Forgotten, mailing: Mailing) -> None:
        self._frame = frame
        self._forgotten = forgotten
        self._mailing = mailing

    def routes(self) -> list[Route]:
        asking = [Route("/password/ask", as_page(self._frame, self.ask), methods=["POST"])]
        return [
            Route("/password", as_page(self._frame, self.page), methods=["GET"]),
            Route("/password", as_page(self._frame, self.renew), methods=["POST"]),
            *(asking if self._mailing.on else ()),
        ]

    async def page(self, request: Request) -> Response:
        asked = self._mailing.on and request.query_params.get("done") == "asked"
        return self._page(request, asked=ASKED if asked else "")

    def _page(
        self,
        request: Request,
        code: str = "",
        fault: Refused | None = None,
        *,
        asked: str = "",
        asking: Refused | None = None,
    ) -> Response:
        """``fault`` is that of the form that takes a code, ``asking`` the other's; ``asked`` what is said of that."""
        status, _ = fault_of(fault or asking)
        limits = {"shortest": SHORTEST, "longest": LONGEST, "longest_code": LONGEST_CODE}
        faults = {"fault": fault_of(fault)[1], "ask_fault": fault_of(asking)[1]}
        more = {"mail": self._mailing.on, "longest_address": LONGEST_ADDRESS, "asked": asked}
        return self._frame.page(request, "password.html", status, code=code, **limits, **faults, **more)

    async def ask(self, request: Request) -> Response:
        fields = await form_of(request)
        try:
            await self._mailing.ask(fields["account"], address_of(request))
        except Refused as refused:
            return self._page(request, asking=refused)
        return gone_to("/password?done=asked")

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
