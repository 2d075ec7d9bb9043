"""The pages by which people log in with an account that they have at an OpenID Connect provider.

A button sends a browser there, by a page of its own: a form that is answered with the address of another server is
stopped by our content security policy. The provider sends it back to /openid/callback. Whoever has no account here yet
chooses a name. What the browser keeps for us meanwhile is sealed, so that any node goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.logins import ADDRESS_BURST, ADDRESS_PER_S, Tries
from gateway.accounts.registering import SelfRegistration
from gateway.lobby import names
from gateway.net.addresses import address_key
from gateway.net.asking import NoAnswer
from gateway.openid.id_tokens import BadToken
from gateway.openid.provider import CALLBACK, Attempt, Known, NotTaken, Provider, word_of
from gateway.openid.sealing import LASTS_S, Broken
from gateway.store.accounts import NoAccount
from gateway.store.identities import Identity, IdentityTaken
from gateway.store.linking import Linking, OnlyWay
from gateway.web.forms import form_of, gone_to, own_address
from gateway.web.pages.frame import Frame
from gateway.web.pages.guest_games import GuestGames
from gateway.web.pages.ownership import Ownership
from gateway.web.pages.refusing import Page, as_page, fault_of, sentence
from gateway.web.refusals import BadRequest
from gateway.web.sessions import Person, WebSessions, address_of, person_of
from protocols.core.errors import Refused, Why

COOKIE: Final = "boardgate-openid"
"""The cookie of what is sealed; under TLS its name begins with ``__Host-``, as that of a session."""

LONGEST_NEXT: Final = 500
"""Characters of an address here that a login leads to: it is kept in a cookie."""

LATER: Final = "{name} does not answer just now. Try again in some minutes, or log in with a password."
STALE: Final = "This login was begun in another browser, or more than ten minutes ago. Begin anew."
DECLINED: Final = "{name} has not let you in, or you have declined. You can try again, or log in with a password."
REFUSED: Final = "{name} has refused the login. Begin anew; if it stays so, tell the host of this server."
DOUBTED: Final = "The answer of {name} cannot be believed, so nobody is logged in. Begin anew."
HOSTS: Final = "This account may be the host of this server, and is opened by its password alone."
DISABLED: Final = "This account is disabled. Ask the host of this server."
CLOSED: Final = (
    "No account here is linked to this login, and the host of this server makes accounts. Log in with the password of "
    "yours, and link it on its page."
)
ANOTHER: Final = "You have been logged out meanwhile, or are somebody else. Log in, and link the account anew."
LINKED: Final = "This login belongs to another account already, or your account has another login of {name}."

_log = structlog.get_logger()


class OpenIdPages:
    """``provider`` None: there is none, and links can be taken away only. ``check_ban``
    refuses names that are banned."""

    def __init__(
        self,
        frame: Frame,
        provider: Provider | None,
        sessions: WebSessions,
        linking: Linking,
        registration: SelfRegistration,
        ownership: Ownership,
        check_ban: Callable[[str], None],
        guests: GuestGames,
    ) -> None:
        self._frame = frame
        self._there = provider
        self._sessions = sessions
        self._linking = linking
        self._registration = registration
        self._ownership = ownership
        self._check_ban = check_ban
        self._guests = guests
        self._tries = Tries()

    def routes(self) -> list[Route]:
        posts: dict[str, Page] = {"/openid/unlink": self.part}
        gets: dict[str, Page] = {}
        if self._there is not None:
            posts |= {"/openid": self.begin, "/openid/link": self.link, "/openid/name": self.choose}
            gets |= {CALLBACK: self.come_back, "/openid/name": self.ask_name}
        return [
            *(Route(path, as_page(self._frame, page), methods=["GET"]) for path, page in gets.items()),
            *(Route(path, as_page(self._frame, page), methods=["POST"]) for path, page in posts.items()),
        ]

    async def of(self, person: Person) -> dict[str, Any]:
        """For the page of an account: its links, the provider's name and issuer, "" none, and whether it may be
        linked there."""
        links = await self._sessions.do(self._linking.links, person.account) if person.account else []
        name, issuer = ("", "") if self._there is None else (self._there.name, self._there.issuer)
        linked = any(link.issuer == issuer for link in links)
        may = bool(name) and not linked and not self._sessions.is_host(person.account)
        return {"links": links, "name": name, "issuer": issuer, "linked": linked, "may": may}

    async def begin(self, request: Request) -> Response:
        """To the provider, to log in; ``anew``: it asks for the person, though it may know."""
        fields = await form_of(request)
        anew = fields["anew"] == "yes"
        to = "/account?done=anew" if anew else own_address(fields["next"][:LONGEST_NEXT], "")
        return await self._sent(request, to, anew=anew)

    async def link(self, request: Request) -> Response:
        """To the provider, to link the account that is logged in here. Whoever has only the browser cannot."""
        fields, person = await form_of(request), _own(request)
        try:
            if self._sessions.is_host(person.account):
                raise Refused(Why.NOT_NOW, HOSTS)
            await self._ownership.check(person, fields["current"], address_of(request))
        except Refused as refused:
            return self._said(request, *fault_of(refused))
        return await self._sent(request, "/account?done=linked", person.account)

    async def part(self, request: Request) -> Response:
        """A login opens the account no more; whoever could not log in any more keeps it."""
        fields, person = await form_of(request), _own(request)
        try:
            await self._ownership.check(person, fields["current"], address_of(request))
            await self._sessions.do(self._linking.part, person.account, fields["issuer"], person.account, time.time())
        except Refused as refused:
            return self._said(request, *fault_of(refused))
        except OnlyWay as only:
            return self._said(request, HTTPStatus.CONFLICT, sentence(str(only)))
        return gone_to("/account?done=unlinked")

    async def _sent(self, request: Request, to: str, account: str = "", *, anew: bool = False) -> Response:
        self._count(request, "begun")
        provider = self._provider
        try:
            address, attempt = await provider.begin(to, account, anew=anew)
        except NoAnswer as error:
            return self._away(request, error)
        response = self._frame.page(request, "openid_going.html", provider=provider.name, address=address)
        response.headers["refresh"] = f"0; url={address}"
        self._keep(request, response, provider.attempts.close(attempt))
        return response

    async def come_back(self, request: Request) -> Response:
        """The provider has sent the browser back: whoever it names is logged in, linked, or asked for a name."""
        self._count(request, "finished")
        provider, said = self._provider, request.query_params
        try:
            attempt = provider.attempts.open(self._kept(request), Attempt)
            if said.get("error") == "access_denied":  # without a state, too: not every provider gives it back then
                return self._said(request, HTTPStatus.FORBIDDEN, DECLINED)
            if not provider.is_of(attempt, said.get("state", ""), said.get("iss", "")):
                raise Broken
        except Broken:
            return self._said(request, HTTPStatus.BAD_REQUEST, STALE)
        if "error" in said or "code" not in said:
            _log.warning("the OpenID provider refuses a login", why=word_of(said.get("error")))
            return self._over(request, HTTPStatus.BAD_REQUEST, REFUSED)
        try:
            known = await provider.finish(attempt, said["code"])
        except NoAnswer as error:
            return self._away(request, error)
        except NotTaken as error:
            _log.warning("the OpenID provider refuses a login", why=str(error))
            return self._over(request, HTTPStatus.BAD_REQUEST, REFUSED)
        except BadToken as error:
            _log.warning("an answer of the OpenID provider is not believed", why=str(error))
            return self._over(request, HTTPStatus.BAD_REQUEST, DOUBTED)
        identity = Identity(provider.issuer, known.subject)
        if attempt.account:
            return await self._linked(request, attempt, identity)
        return await self._entered(request, known, identity)

    async def _linked(self, request: Request, attempt: Attempt, identity: Identity) -> Response:
        account = person_of(request).account
        if account != attempt.account or self._sessions.is_host(account):
            return self._over(request, HTTPStatus.FORBIDDEN, ANOTHER)
        try:
            await self._sessions.do(self._linking.link, account, identity, account, time.time())
        except (IdentityTaken, NoAccount):
            return self._over(request, HTTPStatus.CONFLICT, LINKED)
        return self._done(request, gone_to(attempt.next))

    async def _entered(self, request: Request, known: Known, identity: Identity) -> Response:
        account = await self._sessions.do(self._linking.account, identity)
        if account is None:
            if self._registration.how == "closed":
                return self._over(request, HTTPStatus.FORBIDDEN, CLOSED)
            response = gone_to("/openid/name")
            self._keep(request, response, self._provider.known.close(known))
            return response
        if account.disabled_at is not None:
            return self._over(request, HTTPStatus.FORBIDDEN, DISABLED)
        if self._sessions.is_host(account.name):
            return self._over(request, HTTPStatus.FORBIDDEN, HOSTS)
        self._check_ban(account.name)
        return await self._in(request, account.name, known.next)

    async def ask_name(self, request: Request) -> Response:
        """The form for who has no account yet."""
        try:
            known = self._provider.known.open(self._kept(request), Known)
        except Broken:
            return self._said(request, HTTPStatus.BAD_REQUEST, STALE)
        return self._named(request, {"name": _suggested(known.called)})

    def _named(self, request: Request, fields: Mapping[str, str], why: Refused | None = None) -> Response:
        status, fault = fault_of(why)
        return self._frame.page(
            request,
            "openid_name.html",
            status,
            provider=self._provider.name,
            filled=fields.get("name", "")[: names.LONGEST],
            invitation=fields.get("invitation", "")[:64],
            how=self._registration.how,
            name_longest=names.LONGEST,
            fault=fault,
        )

    async def choose(self, request: Request) -> Response:
        """The account of this name, for the person whom the provider has named a moment ago."""
        fields = await form_of(request)
        try:
            known = self._provider.known.open(self._kept(request), Known)
        except Broken:
            return self._said(request, HTTPStatus.BAD_REQUEST, STALE)
        identity, own = Identity(self._provider.issuer, known.subject), await self._guests.presented(fields["tickets"])
        asks = (fields["name"], identity, fields["invitation"], address_key(address_of(request)), own)
        try:
            self._check_ban(fields["name"])
            account = await self._registration.register_known(*asks)
        except Refused as refused:
            return self._named(request, fields, refused)
        return await self._in(request, account, known.next or ("/account?done=kept" if own else ""))

    async def _in(self, request: Request, account: str, to: str) -> Response:
        response = gone_to(own_address(to, "/account"))
        await self._sessions.begin(request, response, "account", account)
        return self._done(request, response)

    @property
    def _provider(self) -> Provider:
        assert self._there is not None, "there are no pages without it"
        return self._there

    def _count(self, request: Request, what: str) -> None:
        """Refused (TOO_FAST)."""
        key = f"{what} {address_key(address_of(request))}"
        self._tries.count(key, ADDRESS_PER_S, ADDRESS_BURST, f"logins were {what} from your address")

    def _away(self, request: Request, error: NoAnswer) -> Response:
        _log.warning("the OpenID provider does not answer", error=str(error))
        return self._said(request, HTTPStatus.SERVICE_UNAVAILABLE, LATER)

    def _said(self, request: Request, status: int, text: str) -> Response:
        name = self._there.name if self._there is not None else ""
        return self._frame.page(request, "openid_failed.html", status, text=text.replace("{name}", name))

    def _over(self, request: Request, status: int, text: str) -> Response:
        return self._done(request, self._said(request, status, text))

    def _kept(self, request: Request) -> str:
        return request.cookies.get(_cookie(request), "")

    def _keep(self, request: Request, response: Response, sealed: str, lasts_s: int = LASTS_S) -> None:
        """SameSite=Lax: the provider's page leads here."""
        secure = request.url.scheme == "https"
        response.set_cookie(_cookie(request), sealed, lasts_s, path="/", secure=secure, httponly=True, samesite="lax")

    def _done(self, request: Request, response: Response) -> Response:
        """The browser keeps nothing for us any more."""
        self._keep(request, response, "", 0)
        return response


def _cookie(request: Request) -> str:
    return f"__Host-{COOKIE}" if request.url.scheme == "https" else COOKIE


def _own(request: Request) -> Person:
    """The account that asks. BadRequest: nobody is logged in."""
    person = person_of(request)
    if not person.account:
        raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")
    return person


def _suggested(called: str) -> str:
    """The name for the form, of what the provider calls a person: "" where that is none here."""
    try:
        return names.check(called, guest=True)
    except Refused:
        return ""
