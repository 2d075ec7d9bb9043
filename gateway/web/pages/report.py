"""The page that tells the host of a table or a player: a short text, kept until the host has read it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.logins import Tries
from gateway.lobby.names import LONGEST as LONGEST_NAME
from gateway.net.addresses import address_key
from gateway.store.reports import NewsWay, Report
from gateway.web.forms import form_of
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.sessions import Kept, address_of, person_of
from protocols.core.errors import Refused, Why
from protocols.core.numbers import whole

LONGEST: Final = 1000
"""Characters of a report: a screen of text says what happened."""

BURST, PER_S = 5, 1 / 600
"""Reports from one address at once, and then a second: a bad evening; more are read by nobody."""

THANKS: Final = "The host of this server will read it. Thank you."


class ReportPage:
    """The host is told in these ``ways``, beside its own page."""

    def __init__(self, frame: Frame, kept: Kept, ways: Sequence[NewsWay] = ()) -> None:
        self._frame = frame
        self._kept = kept
        self._ways = ways
        self._tries = Tries()

    def routes(self) -> list[Route]:
        return [
            Route("/report", as_page(self._frame, self.page), methods=["GET"]),
            Route("/report", as_page(self._frame, self.report), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page(request, request.query_params)

    def _page(self, request: Request, fields: Mapping[str, str], fault: Refused | None = None) -> Response:
        status, said = fault_of(fault)
        return self._frame.page(
            request,
            "report.html",
            status,
            table=whole(fields.get("table", "")),
            player=fields.get("player", "")[:LONGEST_NAME],
            text=fields.get("text", ""),
            longest=LONGEST,
            name_longest=LONGEST_NAME,
            fault=said,
        )

    async def report(self, request: Request) -> Response:
        fields, address = await form_of(request), address_of(request)
        text, player = fields["text"].strip(), fields["player"].strip()
        try:
            if not 1 <= len(text) <= LONGEST or len(player) > LONGEST_NAME:
                raise Refused(Why.BAD_OPTION, f"say what happened in 1 to {LONGEST} characters")
            self._tries.count(address_key(address), PER_S, BURST, "reports came from your address")
            made = Report(time.time(), _by(request), address, whole(fields["table"]), player, text)
            if not await self._kept.sessions.do(self._kept.reports.add, made, self._ways):
                raise Refused(Why.OVERLOAD, "too many reports wait for the host; try again another day")
        except Refused as refused:
            return self._page(request, fields, refused)
        return self._frame.error(request, HTTPStatus.OK, "Reported", THANKS)


def _by(request: Request) -> str:
    person = person_of(request)
    return person.account or (f"{person.guest} (a guest)" if person.guest else "a guest")
