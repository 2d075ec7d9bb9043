"""Finds the seats that a person may keep from its time as a guest: those of the tickets that its browser presents.

A form presents them as JSON in its field ``tickets``, filled by its script (static/js/keep_games.js). Seats that an
account took are not among them.
"""

from __future__ import annotations

from collections.abc import Mapping

from gateway.lobby.names import Names
from gateway.record.people import seat_of, sitting
from gateway.store.former import PublicViews
from gateway.store.guest_seats import GuestTicket
from gateway.store.views import TableView
from gateway.web.pages.own_games import RUNNING
from gateway.web.pages.presented import Tickets, digests_of
from gateway.web.reading import Reading
from gateway.web.refusals import decoded


class GuestGames:
    """``names`` are those that hold seats now."""

    def __init__(self, reading: Reading, views: PublicViews, names: Names) -> None:
        self._reading = reading
        self._views = views
        self._names = names

    async def presented(self, field: str) -> dict[GuestTicket, int]:
        """The seats of guests, by ticket. BadRequest: this is no list of tickets."""
        digests = digests_of(decoded(field.encode(), Tickets)) if field else {}
        return await self._reading.do(self._guests, digests) if digests else {}

    def _guests(self, digests: Mapping[bytes, int]) -> dict[GuestTicket, int]:
        own = [found for found in self._views.seats_of(list(digests)) if digests[found[0]] == found[1]]
        points = self._views.turning_points([table for _, table, _ in own])
        seats: dict[GuestTicket, int] = {}
        for digest, table, seat in own:
            name = sitting(points[table]).get(seat, "")
            since = self._views.account_since(name)
            if since is None or seat_of(name, points[table], since) != seat:
                seats[GuestTicket(table, digest)] = seat
        return seats

    async def plays(self, name: str, own: Mapping[GuestTicket, int]) -> bool:
        """True if a guest has a seat of an unfinished game under a name, but for seats of ``own`` tickets: an account
        of this name would have that seat."""
        views = await self._reading.do(self._unfinished, name)
        seats = await self._reading.account_seats(views, name)
        mine = {ticket.table: seat for ticket, seat in own.items()}
        others = any(mine.get(table) != seat for table, seat in seats.items())
        return others or len(views) > RUNNING or self._names.in_use(name, but=len(seats))

    def _unfinished(self, name: str) -> list[TableView]:
        return self._views.seated(name, over=False, limit=RUNNING + 1)
