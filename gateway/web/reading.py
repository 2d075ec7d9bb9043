"""Reads the record for requests: the table that is asked for, and the rows that its asker is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

import trio
from starlette.requests import Request

from gateway.record.people import own_seat, seat_of
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.store.views import SeatView, TableView, Views
from gateway.table.state import Status
from gateway.tables.directory import Tables
from gateway.tables.subscribers import meant_for
from gateway.web.askers import Asker, Askers
from gateway.web.refusals import BadRequest
from protocols.core.events import Said
from protocols.core.model import SeatKind
from protocols.core.numbers import whole

T = TypeVar("T")

READERS: Final = 4
"""Requests that read the record at once: more would take the tables' processor away."""

EVENTS: Final = 1000
"""Events of one answer at most."""


class Reading:
    """Reads ``views`` for all requests of a server; ``askers`` says who asks."""

    def __init__(self, views: Views, askers: Askers) -> None:
        self.views = views
        self.askers = askers
        self._readers = trio.CapacityLimiter(READERS)

    async def do(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of ``function``, computed in a thread."""
        return await trio.to_thread.run_sync(function, *arguments, limiter=self._readers)

    async def found(self, request: Request) -> tuple[TableView, int | None, Asker]:
        """The table that the path names, the asker's seat there, the asker.

        BadRequest (404): there is no such table for this asker.
        """
        asker, table = await self.askers.of(request), int(request.path_params["table"])
        view = await self.do(self.views.table, table) if table < 1 << 62 else None
        seat = None if view is None else (await self.seats([view], asker)).get(table)
        if view is not None and seat is None and view.status == Status.OVER and (name := asker.registrant.account):
            seat = (await self.do(self.past_seats, [table], name)).get(table)
        if view is None or (view.hidden and seat is None and not asker.registrant.admin):
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_table", f"there is no table {table}")
        return view, seat, asker

    async def seats(self, shown: Sequence[TableView], asker: Asker) -> dict[int, int]:
        """The asker's seats at these tables, by table: those of its ticket and of its account."""
        by_ticket = {view.table: seat for view in shown if (seat := asker.ticket_seat(view)) is not None}
        return await self.account_seats(shown, asker.registrant.account) | by_ticket

    async def account_seats(self, shown: Sequence[TableView], account: str) -> dict[int, int]:
        """The seats that an account ("" none) may take, wherever it is logged in: also those where a house bot plays on
        for it."""
        if not account:
            return {}
        found = {view.table: seat for view in shown if (seat := _held(view, account)) is not None}
        away = [view.table for view in shown if view.table not in found and any(map(_given_up, view.seats))]
        for table, events in (await self.do(self.views.seating, away, account) if away else {}).items():
            if (seat := own_seat(account, events)) is not None:
                found[table] = seat
        if ended := [view.table for view in shown if view.table in found and view.status == Status.OVER]:
            past = await self.do(self.past_seats, ended, account)
            found = {table: seat for table, seat in found.items() if table not in ended or table in past}
        return found | await self.do(
            self.kept_seats, [view.table for view in shown if view.table not in found], account
        )

    def kept_seats(self, numbers: Sequence[int], account: str) -> dict[int, int]:
        """The seats at these tables that an account has kept from its time as a guest, by table. Blocks."""
        return {kept.table: kept.seat for kept in self.views.kept_seats(account, numbers)}

    def past_seats(self, numbers: Sequence[int], account: str) -> dict[int, int]:
        """The seats that an account has had at these tables since it was made, or has kept, by table. Blocks."""
        since = self.views.account_since(account)
        if since is None:
            return {}
        points = self.views.turning_points(numbers)
        seats = {table: seat_of(account, events, since) for table, events in points.items()}
        return self.kept_seats(numbers, account) | {table: seat for table, seat in seats.items() if seat is not None}

    async def is_over(self, tables: Tables, table: int, after: float) -> bool:
        """True if nothing will happen behind the event ``after``. A table may end after its record was read."""
        if tables.unfinished(table):
            return False
        view = await self.do(self.views.table, table)  # another node may have it, and not have been heard
        if view is None:
            return True
        ended = view.status == Status.CLOSED or (view.status == Status.OVER and tables.settled)
        return ended and view.events <= after

    async def page(self, table: int, after: int) -> list[EventRow]:
        """At most EVENTS rows behind the event ``after``."""
        return await self.do(self._page, table, after)

    def _page(self, table: int, after: int) -> list[EventRow]:
        return [row for row, _ in zip(self.views.rows(table, after), range(EVENTS), strict=False)]


def _held(view: TableView, name: str) -> int | None:
    """The seat of a player of this name who is there, or waited for."""
    held = (seat for seat in view.seats if seat.kind in (SeatKind.PLAYER, SeatKind.RESERVED))
    return next((seat.seat for seat in held if seat.name.casefold() == name.casefold()), None)


def _given_up(seat: SeatView) -> bool:
    """True where a house bot may play on for an absent player, or nobody does."""
    return seat.kind in (SeatKind.BOT, SeatKind.ABANDONED)


def hears(row: EventRow, seat: int | None) -> bool:
    """True if the holder of ``seat`` (None: the public) is shown all of this event."""
    if row.kind != Said.__name__:
        return True
    said = codec.decode(row.kind, row.body)
    return isinstance(said, Said) and meant_for(said, seat)


def number(request: Request, name: str, usual: int, least: int, most: int = 1 << 62) -> int:
    """A whole number of the query. BadRequest: it is none, or not between these."""
    text = request.query_params.get(name, str(usual))
    found = whole(text, 19)
    if found is None or not least <= found <= most:
        raise bad(f"{name} {text[:40]!r}: a whole number from {least} to {most}")
    return found


def bad(text: str) -> BadRequest:
    """The refusal of a request that makes no sense."""
    return BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", text)
