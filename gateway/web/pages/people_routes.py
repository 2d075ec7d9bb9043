"""Wires the pages of people: login, account, players, reports, the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.routing import Route

from gateway.accounts.registering import SelfRegistration
from gateway.admission.authentication import Authenticator
from gateway.ops.server import GameServer
from gateway.store.former import PublicViews
from gateway.web.askers import Askers
from gateway.web.kept import Kept
from gateway.web.pages.account import AccountPage
from gateway.web.pages.every_table import every_table
from gateway.web.pages.frame import Frame
from gateway.web.pages.host import HostPages
from gateway.web.pages.host_acts import HostActs
from gateway.web.pages.login import LoginPage
from gateway.web.pages.people import PeoplePages, names_here
from gateway.web.pages.report import ReportPage


def routes_of_people(
    frame: Frame,
    server: GameServer,
    views: PublicViews,
    askers: Askers,
    kept: Kept,
    bots: Callable[[], Sequence[int]] = tuple,
) -> list[Route]:
    """The routes of all of them. ``bots`` are the process ids of those that think for the house."""
    names, accounts, logins, sessions = server.lobby.names, server.accounts, askers.logins, kept.sessions
    authenticator = Authenticator(logins, server.tickets, server.ban_enforcer, server.lobby)
    rules = server.config.registration
    hosts = rules.host_accounts.split()
    registration = SelfRegistration(rules.accounts, accounts, logins, names.owned, names.own, server.learn_names, hosts)
    return [
        *LoginPage(frame, sessions, authenticator, logins, registration, names).routes(),
        *AccountPage(frame, sessions, accounts, authenticator, logins, views).routes(),
        *PeoplePages(frame, views, accounts, sessions, lambda: names_here(every_table(server).values())).routes(),
        *ReportPage(frame, kept).routes(),
        *HostPages(frame, server, askers, kept, bots).routes(),
        *HostActs(frame, server, askers, kept).routes(),
    ]
