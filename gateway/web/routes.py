"""The routes of the JSON API, wired together; those for draining.

``POST /api/drain`` opens no more tables until the server is stopped, ``DELETE`` takes that back: for the admin token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import trio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.accounts.tokens import AdminToken
from gateway.lobby.lobby import Destination
from gateway.ops.drain import Drain
from gateway.ops.server import GameServer
from gateway.store.views import Views
from gateway.web.api import NO_STORE, LookingApi
from gateway.web.api_addresses import AddressesApi
from gateway.web.api_analysis import AnalysisApi
from gateway.web.api_bytes import BytesApi
from gateway.web.api_circle import CircleApi
from gateway.web.api_game import game_routes
from gateway.web.api_nodes import NodesApi
from gateway.web.api_offers import OffersApi
from gateway.web.api_people import PeopleApi
from gateway.web.api_play import PlayingApi
from gateway.web.api_ratings import RatingsApi
from gateway.web.api_register import RegisteringApi
from gateway.web.api_share import SharingApi
from gateway.web.api_stream import StreamingApi
from gateway.web.api_tokens import TokensApi
from gateway.web.askers import Askers
from gateway.web.finished import FinishedGames
from gateway.web.lichess import LichessApi
from gateway.web.lines import LinesApi
from gateway.web.openapi import openapi_routes
from gateway.web.profiles import Profiles
from gateway.web.ratings import Ratings
from gateway.web.reading import READERS, Reading
from gateway.web.refusals import refusing
from gateway.web.sharing import Sharing

FOR_THE_HOST: Final = "only the host of this server drains it"


class DrainingApi:
    """Both answer ``{"draining": ..., "running": N}``: whether it drains now, and how many games are played."""

    def __init__(self, drain: Drain, askers: Askers) -> None:
        self._drain = drain
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/drain", refusing(self.begin), methods=["POST"]),
            Route("/api/drain", refusing(self.end), methods=["DELETE"]),
        ]

    async def begin(self, request: Request) -> Response:
        self._drain.begin(await self._askers.host(request, FOR_THE_HOST))
        return self._answer()

    async def end(self, request: Request) -> Response:
        self._drain.end(await self._askers.host(request, FOR_THE_HOST))
        return self._answer()

    def _answer(self) -> Response:
        shown = {"draining": self._drain.on, "running": self._drain.running()}
        return JSONResponse(shown, headers=NO_STORE)


def askers_of(server: GameServer, token: AdminToken, views: Views) -> Askers:
    """The askers of all routes: one object, for it counts wrong secrets."""
    readers = trio.CapacityLimiter(READERS)

    async def stood_for(digest: bytes) -> Destination | None:
        found = await trio.to_thread.run_sync(views.stood_for, digest, limiter=readers)
        return None if found is None else Destination(*found)

    return Askers(server.tickets, server.ban_enforcer, server.logins, token, stood_for)


@dataclass(frozen=True, slots=True)
class Readers:
    """Readers of the server's own record, for the pages and the API alike; whoever opened its views closes them."""

    reading: Reading
    sharing: Sharing
    profiles: Profiles
    finished: FinishedGames
    ratings: Ratings


def api_routes(server: GameServer, readers: Readers) -> list[Route]:
    """The routes for ``make_app``."""
    reading, askers = readers.reading, readers.reading.askers
    return [
        *game_routes(),
        *LookingApi(server.tables, server.config.server.name, reading, server.seat_ratings).routes(),
        *PlayingApi(server.tables, reading).routes(),
        *AnalysisApi(server.analyst, readers.finished, reading).routes(),
        *PeopleApi(reading, server.accounts, readers.profiles, server.people, server.seat_ratings).routes(),
        *CircleApi(server.circle, askers, server.people).routes(),
        *RatingsApi(reading, server.accounts, readers.ratings).routes(),
        *OffersApi(
            server.offering,
            server.lobby.offers,
            server.tables.unfinished,
            askers,
            server.circle,
            server.seat_ratings,
            server.entering,
        ).routes(),
        *BytesApi(server, reading).routes(),
        *StreamingApi(server.tables, reading).routes(),
        *SharingApi(readers.sharing).routes(),
        *LinesApi(server, askers).routes(),
        *RegisteringApi(server.registrar, askers).routes(),
        *DrainingApi(server.drain, askers).routes(),
        *NodesApi(server, askers).routes(),
        *AddressesApi(server, askers).routes(),
        *TokensApi(server.accounts, askers).routes(),
        *LichessApi(server, reading).routes(),
        *openapi_routes(),
    ]
