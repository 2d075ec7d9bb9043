"""The pages of a link to a private game that is over: as its table shows it, and nothing can be done there.

    GET /shared/KEY         the page of the table, drawn up to the end of the game
    GET /shared/KEY/proof   the proof of the record until then
    GET /shared/KEY/export  that record, ``?format=`` as in the API

What was said is not shown. Search engines are asked to leave these pages out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.record.audit import NONSENSE
from gateway.record.exported import RECORD, written
from gateway.record.shown import replayed
from gateway.store import codec
from gateway.store.records import Unreadable
from gateway.tables.presence import Presence
from gateway.web.api import exported
from gateway.web.pages import shown_table
from gateway.web.pages.frame import Frame, origin_of
from gateway.web.pages.refusing import Page, as_page
from gateway.web.pages.table import UNREADABLE, Found, Place, values_of
from gateway.web.reading import Reading
from gateway.web.refusals import refusing
from gateway.web.sharing import Sharing, Shown, shared_address, unsaid
from protocols.core.errors import Refused, Why

ROBOTS: Final = ("x-robots-tag", "noindex")


class SharedPages:
    def __init__(self, frame: Frame, reading: Reading, sharing: Sharing) -> None:
        self._frame = frame
        self._reading = reading
        self._sharing = sharing

    def routes(self) -> list[Route]:
        answers = {
            "": as_page(self._frame, self.page),
            "/proof": as_page(self._frame, self.proof),
            "/export": refusing(self.export),
        }
        return [Route(f"/shared/{{key}}{part}", unlisted(answer), methods=["GET"]) for part, answer in answers.items()]

    async def page(self, request: Request) -> Response:
        shown = await self._sharing.shown(request)
        place = shared_place(request)
        values = await self._reading.do(values_shown, shown, place)
        return self._frame.page(request, "table.html", card=origin_of(request) + place.page, **values)

    async def proof(self, request: Request) -> Response:
        shown, place = await self._sharing.shown(request), shared_place(request)
        data = shown_table.page_data(table=shown.view.table, record=place.record)
        return self._frame.page(request, "proof.html", table=shown.view.table, place=place, data=data)

    async def export(self, request: Request) -> Response:
        shown = await self._sharing.shown(request)
        form = request.query_params.get("format", RECORD)
        return exported(shown.view.table, form, await self._reading.do(_written, shown, form, self._frame.site))


def shared_place(request: Request) -> Place:
    """The addresses of a shared game."""
    page = shared_address(str(request.path_params["key"]))
    return Place(page, f"{page}/export", shared=True)


def unlisted(page: Page) -> Page:
    """``page``, which search engines leave out."""

    async def answered(request: Request) -> Response:
        answer = await page(request)
        answer.headers[ROBOTS[0]] = ROBOTS[1]
        return answer

    return answered


def found_of(shown: Shown) -> Found:
    """The table as its pages draw it. Refused (OVERLOAD): its record makes no sense."""
    rows = [row for row in shown.rows if unsaid(row)]
    try:
        events = [codec.decode(row.kind, row.body) for row in rows]
        return Found(shown.view, replayed(shown.view, events), rows, events, False, False, Presence(), None, None)
    except NONSENSE as error:
        raise Refused(Why.OVERLOAD, UNREADABLE) from error


def values_shown(shown: Shown, place: Place, seat: int | None = None) -> dict[str, Any]:
    """The values of the templates table.html and embed.html, from this seat and without ratings. Blocks."""
    found = replace(found_of(shown), seat=seat)
    return values_of(found, place, lambda state, _: [""] * len(state.seats))


def _written(shown: Shown, form: str, site: str) -> str:
    try:
        return "".join(f"{line}\n" for line in written(shown.rows, shown.view, form, site, unsaid))
    except Unreadable as error:
        raise Refused(Why.OVERLOAD, UNREADABLE) from error
