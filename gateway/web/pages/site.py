"""Wires the pages: builds the frame, hands every page its collaborators, and makes HTTP's application."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from gateway.config import Listen
from gateway.ops.server import GameServer
from gateway.store.former import PublicViews
from gateway.web.app import Unbanned, make_app
from gateway.web.askers import Askers
from gateway.web.board.description import looks_routes
from gateway.web.cors import AcrossOrigins
from gateway.web.kept import Kept
from gateway.web.pages.api import api_routes_of_pages
from gateway.web.pages.assets import Assets
from gateway.web.pages.connect import connect_routes
from gateway.web.pages.errors import error_pages
from gateway.web.pages.every_table import cards_of
from gateway.web.pages.frame import NAVIGATION, Frame
from gateway.web.pages.games import games_routes
from gateway.web.pages.lobby import lobby_routes
from gateway.web.pages.people_routes import routes_of_people
from gateway.web.pages.play import play_routes
from gateway.web.pages.proof import proof_routes
from gateway.web.pages.seat import seat_routes
from gateway.web.pages.table import table_routes
from gateway.web.pages.visitor import visitor
from gateway.web.pages.wall import wall_routes
from gateway.web.pages.wire import wire_routes
from gateway.web.reading import Reading
from gateway.web.routes import api_routes
from gateway.web.sessions import Recognised


def site(
    server: GameServer,
    views: PublicViews,
    askers: Askers,
    kept: Kept,
    listening: Sequence[Listen] = (),
    more: Sequence[BaseRoute] = (),
    pids: Callable[[], Sequence[int]] = tuple,
) -> ASGIApp:
    """The whole application: pages, API, and these further routes; banned addresses get a page that says so.

    ``listening`` are the open listeners, with the ports that they got; ``pids`` the processes that think for the house.
    """
    frame = Frame(server.config.server.name, Assets(), visitor)
    pages = page_routes(frame, server, views, askers, kept, listening, pids)
    has = {route.path for route in pages}
    frame.navigation = tuple((path, words) for path, words in NAVIGATION if path in has)
    routes = [*api_routes(server, views, askers), *pages, *more]
    pages_about_errors = error_pages(frame)
    app: ASGIApp = make_app(server.not_ready, routes, pages_about_errors)
    app = AcrossOrigins(app, server.config.server.api_origins, pages_about_errors)
    app = Recognised(app, kept.sessions, {server.config.server.public_host})
    return Unbanned(app, server.ban_enforcer.address, pages_about_errors)


def page_routes(
    frame: Frame,
    server: GameServer,
    views: PublicViews,
    askers: Askers,
    kept: Kept,
    listening: Sequence[Listen],
    pids: Callable[[], Sequence[int]],
) -> list[Route]:
    """Every page, one line each."""
    reading = Reading(views, askers)
    tables, cards = cards_of(server)
    bots = server.house_bots.names
    return [
        *routes_of_people(frame, server, views, askers, kept, pids),
        *frame.assets.routes(),
        *looks_routes(),
        *lobby_routes(
            frame,
            cards,
            tables,
            server.node.counted,
            bots,
            server.house_rules.bot_after_s,
        ),
        *table_routes(frame, reading, server.tables),
        *proof_routes(frame, reading),
        *wire_routes(frame),
        *play_routes(frame),
        *seat_routes(frame, reading, server.tables),
        *wall_routes(frame, cards),
        *games_routes(frame, cards, tables, bots),
        *connect_routes(frame, listening, server.config.server.public_host),
        *api_routes_of_pages(frame),
    ]
