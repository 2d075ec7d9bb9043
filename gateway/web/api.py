"""The JSON API that looks: games, tables, who is there, their events from a cursor, their records.

docs/registration.md explains it. What is shown is read from the record; secrets are not in it, and what was said to the
players alone is shown to the holder of a seat: by its ticket, or as the account of its name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.ops.seat_ratings import SeatRatings
from gateway.record.audit import NONSENSE
from gateway.record.exported import RECORD, forms, written
from gateway.record.shown import agreed, game_tree, players_of, replayed, tree
from gateway.store import codec
from gateway.store.records import EventRow, Unreadable
from gateway.store.schema import STATUSES
from gateway.store.views import TableView, ndjson_lines
from gateway.tables.directory import Tables
from gateway.web.reading import EVENTS, Reading, bad, hears, number
from gateway.web.refusals import Answer, refusing
from protocols.core.errors import Refused, Why
from protocols.core.model import Seat
from protocols.core.notifications import Points

LONGEST_WAIT_S: Final = 60.0
"""Seconds a request may wait for the next event: shorter than what proxies and guard.py allow."""

LOOK_S: Final = 1.0
"""Seconds until the record is read again of a table that this node has not heard of."""

MOST_TABLES: Final = 500
"""Tables of one answer at most."""

NO_STORE: Final = {"cache-control": "no-store"}

JSON: Final = "application/json"


def points_shown(found: Points | None) -> dict[str, Any] | None:
    """A rating as it is answered; null where there is none."""
    return None if found is None else {"rating": found.rating, "provisional": found.provisional}


class LookingApi:
    """Answers by ``reading``; ``tables`` are those that run, ``name`` is the server's. ``ratings``: of seats."""

    def __init__(self, tables: Tables, name: str, reading: Reading, ratings: SeatRatings) -> None:
        self._ratings = ratings
        self._tables = tables
        self._name = name
        self._reading = reading
        self._views = reading.views

    def routes(self) -> list[Route]:
        answers: dict[str, Answer] = {
            "/api/games": games,
            "/api/tables": self.tables,
            "/api/tables/{table:int}": self.table,
            "/api/tables/{table:int}/presence": self.presence,
            "/api/tables/{table:int}/events": self.events,
            "/api/tables/{table:int}/export": self.export,
        }
        return [Route(path, refusing(answer), methods=["GET"]) for path, answer in answers.items()]

    async def tables(self, request: Request) -> Response:
        """The newest first; ``next`` is for ``before`` of the request that goes on, null at the end."""
        asker = await self._reading.askers.of(request)
        state, game = request.query_params.get("state", ""), request.query_params.get("game", "")
        if state and state not in STATUSES:
            raise bad(f"state {state[:40]!r}: it is {', '.join(STATUSES)}")
        limit = number(request, "limit", 100, 1, MOST_TABLES)
        before = number(request, "before", 0, 0) or None
        found = await self._reading.do(
            self._views.tables, state, registry.game(game).name if game else "", limit, before
        )
        own = await self._reading.seats([view for view in found if view.private], asker)
        listed = [view for view in found if not view.private or view.table in own]
        shown = [self._listed(view) for view in listed]
        if await self._ratings.learned():
            shown = [self._listed(view) for view in listed]
        further = found[-1].table if len(found) == limit else None
        return JSONResponse({"tables": shown, "next": further}, headers=NO_STORE)

    async def table(self, request: Request) -> Response:
        view, _, _ = await self._reading.found(request)
        shown = await self._reading.do(self._whole, view)
        if await self._ratings.learned():
            shown |= self._listed(view)
        return JSONResponse(shown, headers=NO_STORE)

    async def presence(self, request: Request) -> Response:
        """The people at a table now. At one that does not run there is nobody, and it has no seats here."""
        view, _, _ = await self._reading.found(request)
        return JSONResponse(asdict(await self._tables.presence(view.table)), headers=NO_STORE)

    def _whole(self, view: TableView) -> dict[str, Any]:
        running = self._tables.get(view.table)
        registry.game_of_record(view.game)
        try:
            events = [codec.decode(row.kind, row.body) for row in self._views.rows(view.table)]
            state = replayed(view, events) if running is None else running.state
        except NONSENSE as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error
        shown = self._listed(view) | {"players": players_of(len(state.seats), events)}
        return shown | game_tree(state) | {"formats": list(forms(view.game))}

    def _listed(self, view: TableView) -> dict[str, Any]:
        running, shown = self._tables.get(view.table), tree(view) | agreed(view)
        if running is None:
            held = [Seat(seat.seat, seat.kind, seat.name) for seat in view.seats]
            ratings = self._ratings.of(view.settings, held)
        else:
            ratings = self._ratings.at(running.state)
        for seat in shown["seats"]:
            found = ratings[seat["seat"]] if seat["seat"] < len(ratings) else None
            seat["rating"] = points_shown(found)
        return {"id": shown.pop("table")} | shown

    async def events(self, request: Request) -> Response:
        """Events after a cursor, waiting for some where there are none; ``next`` is the cursor that goes on.

        ``closed``: nothing more will happen at this table.
        """
        view, seat, _ = await self._reading.found(request)
        after = number(request, "after", 0, 0)
        deadline = trio.current_time() + number(request, "wait", 0, 0, int(LONGEST_WAIT_S))
        while True:
            bell = self._tables.bell(view.table, after)  # before the record is read: nothing is missed
            rows = await self._reading.page(view.table, after)
            following = rows[-1].seq if rows else after
            closed = len(rows) < EVENTS and await self._reading.is_over(self._tables, view.table, following)
            if rows or closed or not await _rung(bell, deadline):
                break
        shown = await self._reading.do(_as_stored, view, rows, partial(hears, seat=seat))
        return Response(f'{{"events":{shown},"next":{following},"closed":{json.dumps(closed)}}}', 200, NO_STORE, JSON)

    async def export(self, request: Request) -> Response:
        view, seat, _ = await self._reading.found(request)
        form = request.query_params.get("format", RECORD)
        lines = await self._reading.do(self._written, view, form, partial(hears, seat=seat))
        return exported(view.table, form, lines)

    def _written(self, view: TableView, form: str, heard: Callable[[EventRow], bool]) -> str:
        try:
            return "".join(f"{line}\n" for line in written(self._views.rows(view.table), view, form, self._name, heard))
        except Unreadable as error:
            raise Refused(Why.OVERLOAD, f"the record of table {view.table} cannot be read") from error


def exported(table: int, form: str, lines: str) -> Response:
    """A record as a file."""
    media_type = "application/x-ndjson" if form == RECORD else "text/plain"
    name = f'attachment; filename="table-{table}.{form}"'
    return PlainTextResponse(lines, headers={**NO_STORE, "content-disposition": name}, media_type=media_type)


def _as_stored(view: TableView, rows: Sequence[EventRow], heard: Callable[[EventRow], bool]) -> str:
    return f"[{','.join(ndjson_lines(view.table, rows, heard))}]"


async def _rung(bell: trio.Event | None, deadline: float) -> bool:
    """True if something may have happened before ``deadline``; None: this node has not heard of the table yet."""
    with trio.move_on_at(deadline if bell is not None else min(deadline, trio.current_time() + LOOK_S)):
        await (trio.Event() if bell is None else bell).wait()
    return trio.current_time() < deadline


async def games(request: Request) -> Response:
    """The games, and the dialects of each."""
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
