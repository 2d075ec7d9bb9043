"""The pages by which a browser gets a name: log in, make an account, or play as a guest; and log out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.guest_seats import GuestSeats
from gateway.accounts.logins import LONGEST, SHORTEST, Logins, Tries
from gateway.accounts.registering import SelfRegistration
from gateway.admission.authentication import Authenticator
from gateway.lobby.names import LONGEST as LONGEST_NAME
from gateway.lobby.names import Names
from gateway.net.addresses import address_key
from gateway.web.forms import form_of, gone_to, own_address
from gateway.web.pages.frame import Frame
from gateway.web.pages.guest_games import GuestGames
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.sessions import WebSessions, address_of, person_of
from protocols.core.errors import Refused, Why

GUEST_BURST, GUEST_PER_S = 20, 0.05
"""Names of guests from one address at once, and then a second: a school class behind one router."""

TOKEN: Final = "this is a token: programs log in with it. Give the password of the account"


DONE: Final = {
    "password": "Your password is changed. Every browser and program of the account has to log in anew.",
    "confirmed": "The address is confirmed.",
}
"""The sentence about what another page has done, by the word behind ``?done=``."""


class LoginPage:
    """``provider`` is what pages call the OpenID Connect provider whose people may log in; "" there is none."""

    def __init__(
        self,
        frame: Frame,
        sessions: WebSessions,
        authenticator: Authenticator,
        logins: Logins,
        registration: SelfRegistration,
        known: Names,
        guests: GuestGames,
        seats: GuestSeats,
        mail: bool,
        provider: str,
    ) -> None:
        self._frame = frame
        self._sessions = sessions
        self._authenticator = authenticator
        self._logins = logins
        self._registration = registration
        self._known = known
        self._games = guests
        self._seats = seats
        self._mail = mail
        self._provider = provider
        self._guests = Tries()

    def routes(self) -> list[Route]:
        posts = {
            "/login": self.login,
            "/register": self.register,
            "/guest": self.guest,
            "/logout": self.logout,
        }
        shown = Route("/login", as_page(self._frame, self.page), methods=["GET"])
        return [shown, *(Route(path, as_page(self._frame, post), methods=["POST"]) for path, post in posts.items())]

    async def page(self, request: Request) -> Response:
        if person_of(request).account:
            return gone_to(own_address(request.query_params.get("next", ""), "/account"))
        return self._page(request, request.query_params)

    def _page(
        self, request: Request, fields: Mapping[str, str], wrong: str = "", why: Refused | None = None
    ) -> Response:
        """The page with what was filled in, but for passwords. ``wrong`` is the form whose fault ``why`` says."""
        status, fault = fault_of(why)
        return self._frame.page(
            request,
            "login.html",
            status,
            next=own_address(fields.get("next", ""), ""),
            filled=fields.get("name", "")[:LONGEST_NAME],
            invitation=fields.get("invitation", "")[:64],
            how=self._registration.how,
            mail=self._mail,
            provider=self._provider,
            guest=person_of(request).guest,
            done=DONE.get(fields.get("done", ""), ""),
            wrong=wrong,
            fault=fault,
            shortest=SHORTEST,
            longest=LONGEST,
            name_longest=LONGEST_NAME,
        )

    async def login(self, request: Request) -> Response:
        """The account at this browser. It keeps the games of a guest here where the form presents their tickets."""
        fields = await form_of(request)
        own = await self._games.presented(fields["tickets"])
        try:
            if self._logins.is_token(fields["password"]):
                raise Refused(Why.BAD_PASSWORD, TOKEN)
            account = await self._authenticator.account(fields["name"], fields["password"], address_of(request))
        except Refused as refused:
            return self._page(request, fields, "login", refused)
        if own:
            await self._seats.keep(account, own)
        return await self._in(request, fields, account, kept=bool(own))

    async def register(self, request: Request) -> Response:
        fields = await form_of(request)
        address, own = address_key(address_of(request)), await self._games.presented(fields["tickets"])
        try:
            if fields["password"] != fields["again"]:
                raise Refused(Why.BAD_OPTION, "the two passwords differ")
            wanted, password = fields["name"], fields["password"]
            account = await self._registration.register(wanted, password, fields["invitation"], address, own)
        except Refused as refused:
            return self._page(request, fields, "register", refused)
        return await self._in(request, fields, account, kept=bool(own))

    async def _in(self, request: Request, fields: Mapping[str, str], account: str, *, kept: bool) -> Response:
        response = gone_to(own_address(fields["next"], "/account?done=kept" if kept else "/account"))
        await self._sessions.begin(request, response, "account", account)
        return response

    async def guest(self, request: Request) -> Response:
        """A name for a guest. It is no promise: whoever sits down under it first has it."""
        fields = await form_of(request)
        try:
            name = self._known.checked(fields["name"])
            if self._known.owned(name):
                raise Refused(Why.NAME_TAKEN, f"{name} is the name of an account, or looks like one")
            self._guests.count(
                address_key(address_of(request)), GUEST_PER_S, GUEST_BURST, "names were chosen from there"
            )
        except Refused as refused:
            return self._page(request, fields, "guest", refused)
        response = gone_to(own_address(fields["next"]))
        await self._sessions.begin(request, response, "guest", name)
        return response

    async def logout(self, request: Request) -> Response:
        await form_of(request)
        response = gone_to("/")
        await self._sessions.end(request, response)
        return response
