"""Wires the pages: builds the frame, hands every page its collaborators, and makes HTTP's application."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from gateway.accounts.forgotten import Forgotten
from gateway.accounts.mail import Mailing
from gateway.accounts.registering import SelfRegistration, pages_of
from gateway.config import Listen
from gateway.openid.provider import provider_of
from gateway.ops.server import GameServer
from gateway.push.to_host import named_ways
from gateway.record.archive import Archives
from gateway.store.former import PublicViews
from gateway.web.api_webhook import WebhookApi
from gateway.web.app import CountedRequests, Unbanned, make_app
from gateway.web.askers import Askers
from gateway.web.board.description import looks_routes
from gateway.web.cors import AcrossOrigins
from gateway.web.finished import FinishedGames
from gateway.web.pages.account import AccountPage
from gateway.web.pages.api import api_routes_of_pages
from gateway.web.pages.assets import Assets
from gateway.web.pages.challenges import ChallengesPage
from gateway.web.pages.connect import connect_routes
from gateway.web.pages.download import DownloadPage
from gateway.web.pages.earlier import EarlierPage
from gateway.web.pages.embed import EmbedPages
from gateway.web.pages.every_table import cards_of
from gateway.web.pages.forgotten import ForgottenPage
from gateway.web.pages.frame import NAVIGATION, Frame
from gateway.web.pages.games import Games
from gateway.web.pages.guest_games import GuestGames
from gateway.web.pages.host import HostPages
from gateway.web.pages.host_accounts import HostAccounts
from gateway.web.pages.host_acts import HostActs
from gateway.web.pages.installable import Installable
from gateway.web.pages.lobby import Lobby
from gateway.web.pages.login import LoginPage
from gateway.web.pages.mail import MailPages
from gateway.web.pages.notices import NoticesPages
from gateway.web.pages.openid import OpenIdPages
from gateway.web.pages.own_games import OwnGamesFinder
from gateway.web.pages.ownership import Ownership
from gateway.web.pages.people import PeoplePages
from gateway.web.pages.play import play_routes
from gateway.web.pages.play_form import PlayForm
from gateway.web.pages.preview import PreviewPages
from gateway.web.pages.ratings import RatingsPages
from gateway.web.pages.refusing import error_pages
from gateway.web.pages.report import ReportPage
from gateway.web.pages.seat import SeatPage
from gateway.web.pages.share import SharePage
from gateway.web.pages.shared import SharedPages
from gateway.web.pages.table import TablePage
from gateway.web.pages.variation import VariationPage
from gateway.web.pages.wall import Wall
from gateway.web.pages.yours import Yours
from gateway.web.profiles import Profiles
from gateway.web.ratings import Ratings
from gateway.web.reading import Reading
from gateway.web.routes import Readers, api_routes
from gateway.web.sessions import Kept, Recognised
from gateway.web.sharing import Sharing


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
    frame = Frame(server.config.server.name, Assets())
    reading = Reading(views, askers)
    sharing, profiles = Sharing(reading, kept.shares), Profiles(server.accounts, views, kept.scores)
    ratings = Ratings(kept.ratings, kept.results, views)
    readers = Readers(reading, sharing, profiles, FinishedGames(server.tables, reading), ratings)
    pages = page_routes(frame, server, views, readers, kept, listening, pids)
    has = {route.path for route in pages}
    frame.navigation = tuple((path, words) for path, words in NAVIGATION if path in has)
    telling = server.config.notices
    webhook = WebhookApi(askers, kept.notices, private=telling.private_services).routes() if telling.webhooks else []
    routes = [*api_routes(server, readers), *webhook, *pages, *more]
    pages_about_errors = error_pages(frame)
    app: ASGIApp = make_app(server.not_ready, routes, pages_about_errors)
    across = AcrossOrigins(app, server.config.server.api_origins, pages_about_errors)
    server.rereads(across)
    server.rereads(kept.sessions)
    app = Recognised(across, kept.sessions, {server.config.server.public_host}, server.entering.asked_page)
    app = CountedRequests(app, server.costs.heard)
    return Unbanned(app, server.ban_enforcer.address, pages_about_errors)


def page_routes(
    frame: Frame,
    server: GameServer,
    views: PublicViews,
    readers: Readers,
    kept: Kept,
    listening: Sequence[Listen],
    pids: Callable[[], Sequence[int]],
) -> list[Route]:
    """Every page, one line each."""
    reading, sharing = readers.reading, readers.sharing
    tables, cards, askers = *cards_of(server), reading.askers
    bots, names, accounts = server.house_bots.names, server.lobby.names, server.accounts
    logins, sessions, rules = server.logins, kept.sessions, server.config.registration
    hosts = rules.host_accounts.split()

    guests = GuestGames(reading, views, names)
    registration = SelfRegistration(
        rules.accounts,
        accounts,
        logins,
        names.owned,
        names.own,
        server.learn_names,
        guests.plays,
        hosts,
        server.words.filter,
    )
    finder, telling = OwnGamesFinder(reading, views, server.tables), server.config.notices
    archives = Archives(kept.personal, views, frame.site)
    mailing = Mailing(kept.letters, on=bool(server.config.mail.host))
    notices = NoticesPages(
        frame, sessions, kept.notices, mailing, finder, on=telling.push, private=telling.private_services
    )
    provider = provider_of(server.config, pages_of(server.config))
    ownership = Ownership(server.authenticator, logins, sessions, accounts)
    openid = OpenIdPages(
        frame, provider, sessions, kept.linking, registration, ownership, server.ban_enforcer.check, guests
    )
    yours = Yours(frame, finder, cards.ratings, notices.shown)
    form = PlayForm(bots, server.config.bots.level, server.house_rules.bot_after_s)
    lobby = Lobby(frame, cards, yours, tables, server.node.counted, form)
    server.rereads(lobby)
    server.rereads(registration)
    return [
        *yours.routes(),
        *LoginPage(
            frame,
            sessions,
            server.authenticator,
            logins,
            registration,
            names,
            guests,
            server.guest_seats,
            mailing.on,
            provider.name if provider is not None else "",
        ).routes(),
        *openid.routes(),
        *ForgottenPage(frame, Forgotten(accounts, logins), mailing).routes(),
        *MailPages(frame, mailing).routes(),
        *AccountPage(
            frame,
            sessions,
            accounts,
            ownership,
            logins,
            views,
            yours,
            notices,
            mailing,
            server.circle,
            openid,
            server.learn_names,
        ).routes(),
        *DownloadPage(frame, archives).routes(),
        *notices.routes(),
        *PeoplePages(
            frame,
            views,
            accounts,
            sessions,
            readers.profiles,
            readers.ratings,
            server.people,
            server.circle,
            server.seat_ratings,
            lambda account, takes: server.entering.says_challenges(account, takes=takes),
        ).routes(),
        *RatingsPages(frame, sessions, readers.ratings).routes(),
        *ChallengesPage(
            frame, server.offering, server.lobby.offers, server.tables.unfinished, server.circle, server.seat_ratings
        ).routes(),
        *ReportPage(frame, kept, named_ways(server.config)).routes(),
        *HostPages(frame, server, askers, kept, pids).routes(),
        *HostActs(frame, server, askers, kept).routes(),
        *HostAccounts(frame, server, askers, kept, archives).routes(),
        *frame.assets.routes(),
        *Installable(frame).routes(),
        *looks_routes(),
        *lobby.routes(),
        *TablePage(frame, reading, server.tables, server.seat_ratings, kept.ratings).routes(),
        *EarlierPage(frame, reading).routes(),
        *VariationPage(readers.finished, reading).routes(),
        *SharePage(frame, sharing).routes(),
        *SharedPages(frame, reading, sharing).routes(),
        *EmbedPages(frame, reading, sharing).routes(),
        *PreviewPages(reading, sharing).routes(),
        *play_routes(frame),
        *SeatPage(frame, reading, server.tables).routes(),
        *Wall(frame, cards).routes(),
        *Games(frame, cards, tables, bots).routes(),
        *connect_routes(frame, listening, server.config.server.public_host),
        *api_routes_of_pages(frame),
    ]
