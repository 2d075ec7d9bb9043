"""The routes of the JSON API, wired together. Not here: what they answer (api.py, api_register.py)."""

from __future__ import annotations

from starlette.routing import Route

from gateway.accounts.logins import Logins
from gateway.accounts.token import AdminToken
from gateway.server.house import House
from gateway.store.views import Views
from gateway.web.api import LookingApi
from gateway.web.api_drain import DrainingApi
from gateway.web.api_register import RegisteringApi
from gateway.web.api_tokens import TokenApi
from gateway.web.askers import Askers


def askers_of(house: House, token: AdminToken, logins: Logins | None = None) -> Askers:
    """Recognises who asks over HTTP: one for all routes, for it counts wrong secrets. ``logins`` are the server's."""
    return Askers(house, logins or Logins(house.accounts, house.config.registration.logins_at_once), token)


def api_routes(house: House, views: Views, askers: Askers) -> list[Route]:
    """What to give to ``make_app``. ``views`` are of the house's own record; whoever opened them closes them."""
    return [
        *LookingApi(house, views, askers).routes(),
        *RegisteringApi(house, askers).routes(),
        *DrainingApi(house.drain, askers).routes(),
        *TokenApi(askers).routes(),
    ]
