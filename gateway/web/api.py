"""The JSON API that looks: games, tables, their events from a cursor, their records. docs/registration.md explains it.

Not here: registering (api_register.py). What is shown is read from the record; secrets are not in it, and what was
said to the players alone is shown to nobody but who presents the ticket of a seat.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeVar

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.audit import NONSENSE
from gateway.exported import RECORD, forms, written
from gateway.server.cursors import meant_for
from gateway.server.house import House
from gateway.shown import agreed, game_tree, moves_of, players_of, replayed, tree
from gateway.store import codec
from gateway.store.records import EventRow, Unreadable
from gateway.store.schema import STATUSES
from gateway.store.views import TableView, Views, ndjson_lines
from gateway.web.askers import Askers
from gateway.web.refusals import Answer, BadRequest, refusing
from protocols.core.errors import Refused, Why
from protocols.core.events import Said

T = TypeVar("T")

READERS: Final = 4
"""Requests that read the record at once: more would take the tables' processor away."""

LONGEST_WAIT_S: Final = 60.0
"""Seconds a request may wait for the next event: shorter than what proxies and guard.py allow."""

EVENTS: Final = 1000
"""Events of one answer at most."""

MOST_TABLES: Final = 500
"""Tables of one answer at most."""

NO_STORE: Final = {"cache-control": "no-store"}


class LookingApi:
    """Answers from ``views``; ``house`` knows which tables run and rings when something happens at one."""

    def __init__(self, house: House, views: Views, askers: Askers) -> None:
        self._house = house
        self._views = views
        self._askers = askers
        self._readers = trio.CapacityLimiter(READERS)

    def routes(self) -> list[Route]:
        answers: dict[str, Answer] = {
            "/api/games": games,
            "/api/tables": self.tables,
            "/api/tables/{table:int}": self.table,
            "/api/tables/{table:int}/events": self.events,
            "/api/tables/{table:int}/export": self.export,
        }
        return [Route(path, refusing(answer), methods=["GET"]) for path, answer in answers.items()]

    async def tables(self, request: Request) -> Response:
        """The newest first; ``next`` is for ``before`` of the request that goes on, null at the end."""
        state, game = request.query_params.get("state", ""), request.query_params.get("game", "")
        if state and state not in STATUSES:
            raise bad(f"state {state[:40]!r}: it is {', '.join(STATUSES)}")
        limit = number(request, "limit", 100, 1, MOST_TABLES)
        before = number(request, "before", 0, 0) or None
        found = await self._read(self._views.tables, state, registry.game(game).name if game else "", limit, before)
        shown = [_listed(view) for view in found if not view.private]
        further = found[-1].table if len(found) == limit else None
        return JSONResponse({"tables": shown, "next": further}, headers=NO_STORE)

    async def table(self, request: Request) -> Response:
        view, _ = await self._found(request)
        return JSONResponse(await self._read(self._whole, view), headers=NO_STORE)

    def _whole(self, view: TableView) -> dict[str, Any]:
        running = self._house.tables.get(view.table)
        try:
            events = [codec.decode(row.kind, row.body) for row in self._views.rows(view.table)]
            state = replayed(view, events) if running is None else running.state
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error
        shown = _listed(view) | {"players": players_of(len(state.seats), events)}
        return shown | game_tree(state, moves_of(events)) | {"formats": list(forms(view.game))}

    async def events(self, request: Request) -> Response:
        """Events after a cursor, waiting for some where there are none; ``next`` is the cursor that goes on.

        ``closed``: nothing more will happen at this table.
        """
        view, seat = await self._found(request)
        after = number(request, "after", 0, 0)
        deadline = trio.current_time() + number(request, "wait", 0, 0, int(LONGEST_WAIT_S))
        while True:
            bell = self._house.bell(view.table)  # before the record is read: nothing is missed
            rows = await self._read(self._page, view.table, after)
            heard = [row for row in rows if hears(row, seat)]
            after = rows[-1].seq if rows else after
            if heard or not (rows or await _rung(bell, deadline)):
                break
        lines = ",".join(ndjson_lines(view.table, heard))
        closed = json.dumps(self._house.bell(view.table) is None and len(heard) < EVENTS)
        return Response(f'{{"events":[{lines}],"next":{after},"closed":{closed}}}', 200, NO_STORE, "application/json")

    def _page(self, table: int, after: int) -> list[EventRow]:
        rows = self._views.rows(table, after)
        return [row for row, _ in zip(rows, range(EVENTS), strict=False)]

    async def export(self, request: Request) -> Response:
        view, seat = await self._found(request)
        form = request.query_params.get("format", RECORD)
        lines = await self._read(self._written, view, form, partial(hears, seat=seat))
        media_type = "application/x-ndjson" if form == RECORD else "text/plain"
        name = f'attachment; filename="table-{view.table}.{form}"'
        return PlainTextResponse(lines, headers={**NO_STORE, "content-disposition": name}, media_type=media_type)

    def _written(self, view: TableView, form: str, heard: Callable[[EventRow], bool]) -> str:
        try:
            return "".join(f"{line}\n" for line in written(self._views, view, form, self._site, heard))
        except Unreadable as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error

    @property
    def _site(self) -> str:
        return self._house.config.server.name

    async def _found(self, request: Request) -> tuple[TableView, int | None]:
        """The table that is asked for, and the asker's seat there. BadRequest (404): there is none for this asker."""
        asker, table = await self._askers.of(request), int(request.path_params["table"])
        view = await self._read(self._views.table, table) if table < 1 << 62 else None
        seat = asker.seat_at(table)
        if view is None or (view.private and seat is None and not asker.registrant.admin):
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_table", f"there is no table {table}")
        return view, seat

    async def _read(self, function: Callable[..., T], *arguments: Any) -> T:
        return await trio.to_thread.run_sync(function, *arguments, limiter=self._readers)


async def _rung(bell: trio.Event | None, deadline: float) -> bool:
    """Whether something happened before ``deadline``; None: nothing will."""
    if bell is None:
        return False
    with trio.move_on_at(deadline):
        await bell.wait()
    return bell.is_set()


def hears(row: EventRow, seat: int | None) -> bool:
    """Whether who holds ``seat`` (None: nobody) is shown this event."""
    if row.kind != Said.__name__:
        return True
    said = codec.decode(row.kind, row.body)
    return isinstance(said, Said) and meant_for(said, seat)


async def games(request: Request) -> Response:
    """What can be played here, and in which dialects."""
    shown = [
        {
            "game": name,
            "title": game.title,
            "judged": game.judged,
            "variants": [
                {"name": v.name, "width": v.width, "height": v.height, "seats": list(v.seats), "text": v.text}
                for v in game.variants
            ],
            "formats": list(forms(name)),
            "dialects": list(registry.dialects_for(game)),
        }
        for name, game in registry.games().items()
    ]
    return JSONResponse({"games": shown})


def _listed(view: TableView) -> dict[str, Any]:
    shown = tree(view) | agreed(view)
    return {"id": shown.pop("table")} | shown


def number(request: Request, name: str, usual: int, least: int, most: int = 1 << 62) -> int:
    """A whole number of the query. BadRequest: it is none, or not between these."""
    text = request.query_params.get(name, str(usual))
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise bad(f"{name} {text[:40]!r}: a whole number from {least} to {most}")
    return int(text)


def bad(text: str) -> BadRequest:
    return BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", text)
