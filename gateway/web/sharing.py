"""Links to finished games: their players make them and take them back, and whoever has one sees the game.

The link to a game that strangers see is the address of its table. Any other game gets a key of 128 random bits: it
shows the table up to the end of that game, and nothing of what was said there.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import takewhile
from typing import Final

from starlette.requests import Request

from gateway.accounts.logins import Tries
from gateway.net.addresses import address_key
from gateway.seating.registrar import Registrant
from gateway.store.records import EventRow
from gateway.store.schema import OVER
from gateway.store.shares import Share, Shares
from gateway.store.views import TableView, Views
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest
from protocols.core.errors import Refused, Why
from protocols.core.events import GameEnded, GameStarted, Said

KEY_BYTES: Final = 16
"""Random bytes of a key."""

BURST, PER_S = 20, 1 / 60
"""Links that one address makes at once, and then a second: an evening's games; a link is a row that stays."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as its link shows it."""

    view: TableView
    rows: Sequence[EventRow]


@dataclass(frozen=True, slots=True)
class Link:
    """The link of a table: ``address`` is None where its players have made none. ``hidden``: they can take it back."""

    table: int
    address: str | None
    hidden: bool


class Sharing:
    """Answers by ``reading``; ``shares`` are kept in its database."""

    def __init__(self, reading: Reading, shares: Shares) -> None:
        self._reading = reading
        self._shares = shares
        self._tries = Tries()

    async def link(self, request: Request) -> Link:
        """The link of the table that the path names. BadRequest as in ``_game``; Refused (NOT_NOW): it is not over."""
        view, _, ended = await self._game(request)
        if not view.hidden:
            return Link(view.table, table_address(view.table), False)
        found = await self._reading.do(self._shares.of_table, view.table)
        return Link(view.table, shared_address(found.key) if found is not None and found.seq >= ended else None, True)

    async def share(self, request: Request) -> Link:
        """The same, made where there is none. Refused (TOO_FAST): this address has made too many."""
        view, by, ended = await self._game(request)
        if not view.hidden:
            return Link(view.table, table_address(view.table), False)
        self._tries.count(address_key(by.address), PER_S, BURST, "links came from your address")
        made = Share(secrets.token_urlsafe(KEY_BYTES), view.table, ended)
        found = await self._reading.do(self._shares.share, made, by.account, time.time())
        return Link(view.table, shared_address(found.key), True)

    async def take_back(self, request: Request) -> None:
        """The link is unknown from now on. Idempotent."""
        view, _ = await self._player(request)
        await self._reading.do(self._shares.take_back, view.table)

    async def shown(self, request: Request) -> Shown:
        """The table of the link whose key the path names. BadRequest (404): there is none."""
        found = await self._reading.do(self._found, str(request.path_params["key"]))
        if found is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", "There is no such link, or a player has taken it back.")
        return found

    async def public(self, request: Request) -> Shown:
        """The table that the path names, as strangers see it. BadRequest (404): they see none."""
        found = await self._reading.do(self._public, int(request.path_params["table"]))
        if found is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", "There is no such table, or it is private.")
        return found

    def _public(self, table: int) -> Shown | None:
        views = self._reading.views
        view = views.table(table) if table < 1 << 62 else None
        return None if view is None or view.hidden else Shown(view, list(views.rows(table)))

    def _found(self, key: str) -> Shown | None:
        views, share = self._reading.views, self._shares.find(key)
        view = None if share is None else views.table(share.table)
        if share is None or view is None:
            return None
        return shown_until(views, view, share.seq)

    async def _player(self, request: Request) -> tuple[TableView, Registrant]:
        """The table, and who asks. BadRequest: 404, there is no such table; 403, the asker did not play there."""
        view, seat, asker = await self._reading.found(request)
        if view.hidden and seat is None:
            raise BadRequest(HTTPStatus.FORBIDDEN, "forbidden", "a private game is shared by those who played it")
        return view, asker.registrant

    async def _game(self, request: Request) -> tuple[TableView, Registrant, int]:
        """The same, and the last event of its last game. Refused (NOT_NOW): that is not over."""
        view, by = await self._player(request)
        points = await self._reading.do(self._reading.views.turning_points, [view.table])
        game = [one for one in points[view.table] if isinstance(one.event, GameStarted | GameEnded)]
        if view.status != OVER or not game or isinstance(game[-1].event, GameStarted):
            raise Refused(Why.NOT_NOW, "a game is shared when it is over")
        return view, by, game[-1].seq


def shown_until(views: Views, view: TableView, seq: int) -> Shown:
    """A table up to this event. Blocks."""
    return Shown(view, list(takewhile(lambda row: row.seq <= seq, views.rows(view.table))))


def table_address(table: int, game: int = 0) -> str:
    """The page of a table, or of one of its earlier games, by its number there from 1."""
    return f"/table/{table}/game/{game}" if game else f"/table/{table}"


def shared_address(key: str) -> str:
    return f"/shared/{key}"


def unsaid(row: EventRow) -> bool:
    """True for what a link shows: not what players said to each other."""
    return row.kind != Said.__name__
