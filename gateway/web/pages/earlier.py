"""The page of an earlier game of a table, after a rematch: as it was at its end; nothing can be done there.

    GET /table/ID/game/N   the N-th game of the table, from 1

Whoever may see the table may see it. What was said is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.record.audit import NONSENSE
from gateway.record.shown import players_of, replayed
from gateway.store import codec
from gateway.store.views import TableView
from gateway.tables.presence import Presence
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.pages.shown_table import beside, ends
from gateway.web.pages.table import UNREADABLE, Found, Place, gone, place_of, values_of
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest
from gateway.web.sharing import table_address, unsaid
from protocols.core.errors import Refused, Why
from protocols.core.events import Event, SeatsTurned


class EarlierPage:
    def __init__(self, frame: Frame, reading: Reading) -> None:
        self._frame = frame
        self._reading = reading

    def routes(self) -> list[Route]:
        return [Route("/table/{table:int}/game/{game:int}", as_page(self._frame, self.page), methods=["GET"])]

    async def page(self, request: Request) -> Response:
        try:
            view, seat, _ = await self._reading.found(request)
        except BadRequest:
            return gone(self._frame, request)
        values = await self._reading.do(self._values, view, seat, int(request.path_params["game"]))
        if values is None:
            why = "No game of this number has ended at that table."
            return self._frame.error(request, HTTPStatus.NOT_FOUND, "No such game", why)
        return self._frame.page(request, "table.html", card=None, **values)

    def _values(self, view: TableView, seat: int | None, game: int) -> dict[str, Any] | None:
        """The values of the template table.html. None: there is no such game, or it is not over."""
        rows = [row for row in self._reading.views.rows(view.table) if unsaid(row)]
        try:
            events = [codec.decode(row.kind, row.body) for row in rows]
            numbers = ends(events)
            if game not in numbers:
                return None
            end = numbers[game]
            state = replayed(view, events[:end])
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, UNREADABLE) from error
        held = None if seat is None else seat_at(seat, events, end, len(state.seats))
        found = Found(view, state, rows[:end], events[:end], False, False, Presence(), held, None)
        place = Place(table_address(view.table), place_of(view.table).record, shared=True)
        values = values_of(found, place, lambda state, _: [""] * len(state.seats))
        return values | {"beside": beside(view.table, events, game)}


def seat_at(seat: int, events: Sequence[Event], end: int, seats: int) -> int | None:
    """The seat that the holder of ``seat`` had in the game that ended with so many events; None: it had none."""
    turned = sum(event.by for event in events[end:] if isinstance(event, SeatsTurned))
    before = (seat - turned) % seats
    names = players_of(seats, events[:end])[before], players_of(seats, events)[seat]
    return before if names[0].casefold() == names[1].casefold() else None
