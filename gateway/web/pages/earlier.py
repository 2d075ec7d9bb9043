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

from gateway.record.shown import players_of
from gateway.store.records import StoredEvent
from gateway.store.views import TableView
from gateway.web.pages.frame import Frame
from gateway.web.pages.refusing import as_page
from gateway.web.pages.shared import values_shown
from gateway.web.pages.shown_table import beside
from gateway.web.pages.table import Place, gone, place_of
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest
from gateway.web.sharing import shown_until, table_address
from protocols.core.events import GameEnded, GameStarted, SeatsTurned


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
        views = self._reading.views
        points = views.turning_points([view.table])[view.table]
        end = end_of(game, points)
        if end is None:
            return None
        before = None if seat is None else seat_before(seat, points, end, len(view.seats))
        place = Place(table_address(view.table), place_of(view.table).record, shared=True)
        values = values_shown(shown_until(views, view, end), place, before)
        return values | {"beside": beside(view.table, (point.event for point in points), game)}


def end_of(game: int, points: Sequence[StoredEvent]) -> int | None:
    """The event with which the game of this number ended; None: none of it did."""
    number = 0
    for point in points:
        match point.event:
            case GameStarted():
                number = point.event.number
            case GameEnded() if number == game:
                return point.seq
    return None


def seat_before(seat: int, points: Sequence[StoredEvent], end: int, seats: int) -> int | None:
    """The seat that the holder of ``seat`` had until the event ``end``; None: it had none."""
    events = [point.event for point in points]
    earlier = [point.event for point in points if point.seq <= end]
    turned = sum(event.by for event in events[len(earlier) :] if isinstance(event, SeatsTurned))
    before = (seat - turned) % seats
    names = players_of(seats, earlier)[before], players_of(seats, events)[seat]
    return before if names[0].casefold() == names[1].casefold() else None
