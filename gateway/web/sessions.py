"""Recognises browsers by their cookies: an account, a guest with a name, the host.

A cookie is 128 random bits; its SHA-256 is stored. Under TLS its name begins with ``__Host-``: no other host of the
same domain can set it. Sources: RFC 6265bis, sections 4.1.2 and 4.1.3; OWASP Session Management.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, TypeVar

import structlog
import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request, cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.config import Config
from gateway.store.account_views import AccountViews
from gateway.store.acts import ActLog
from gateway.store.linking import Linking
from gateway.store.mail import Letters
from gateway.store.notices import Notices
from gateway.store.personal import PersonalRows
from gateway.store.rating_views import RatingViews
from gateway.store.reports import Reports
from gateway.store.results import Results
from gateway.store.scores import Scores
from gateway.store.sessions import LONGEST_S, Kind, Preferences, Session, Sessions, begun
from gateway.store.shares import Shares
from gateway.web.forwarded import PROXIED
from gateway.web.origin import is_ours
from protocols.core.errors import Refused, Why

T = TypeVar("T")

COOKIE: Final = "boardgate"
HOST_COOKIE: Final = "boardgate-host"
"""The host's is another one: whoever is the host may be a player, too, and each ends by itself."""

COOKIE_BYTES: Final = 16
"""Random bytes of a cookie."""

READERS: Final = 4
"""Sessions that are looked up at once: more would take the tables' processor away."""

SAFE: Final = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing; any other needs a page of ours."""

PERSON: Final = "boardgate.person"
OURS: Final = "boardgate.ours"
"""Keys of the ASGI scope: the Person that asks, and whether a page of ours does."""

NOT_NOW: Final = "your login cannot be looked up just now, try again in a moment"

_log = structlog.get_logger()


USUAL: Final = Preferences()


@dataclass(frozen=True, slots=True)
class Person:
    """The person at the browser: an ``account``, or a guest called so; "" neither. ``host`` has signed in as the
    host, with the admin token, or as ``host_account``.

    ``digest`` and ``host_digest`` name the sessions, b"" where there is none. ``unread``: a player's cookie was shown
    that could not be looked up, so this may be an account's.
    """

    account: str = ""
    guest: str = ""
    host: bool = False
    host_account: str = ""
    preferences: Preferences = USUAL
    digest: bytes = b""
    host_digest: bytes = b""
    unread: bool = False

    @property
    def name(self) -> str:
        return self.account or self.guest

    def known_account(self) -> str:
        """The account, "" none. Refused (OVERLOAD): that cannot be looked up just now."""
        if self.unread:
            raise Refused(Why.OVERLOAD, NOT_NOW)
        return self.account


STRANGER: Final = Person()


def person_of(request: Request) -> Person:
    """The person who asks."""
    found = request.scope.get(PERSON, STRANGER)
    assert isinstance(found, Person)
    return found


def address_of(request: Request) -> str:
    """The asker's address; "" where a proxy does not say it."""
    return request.client.host if request.client is not None else ""


def from_our_page(request: Request) -> bool:
    """True if a page of this server sends the request."""
    return bool(request.scope.get(OURS, False))


class WebSessions:
    """Begins sessions, finds them, ends them.

    ``banned`` says of a name why it may not be used, "" when it may. ``hosts`` are the accounts that may be the host.
    """

    def __init__(
        self, store: Sessions, banned: Callable[[str], str] = lambda name: "", hosts: Collection[str] = ()
    ) -> None:
        self.store = store
        self._banned = banned
        self._hosts = _folded(hosts)
        self._readers = trio.CapacityLimiter(READERS)

    def reread(self, config: Config) -> None:
        """Let the accounts of these settings be the host. The others are no more, signed in or not."""
        self._hosts = _folded(config.registration.host_accounts.split())

    async def person(self, cookies: Mapping[str, str], *, secure: bool) -> Person:
        """The person who has these cookies. Nobody is known while the database cannot be read."""
        values = [cookies.get(_name(name, secure), "") for name in (COOKIE, HOST_COOKIE)]
        if not any(values):
            return STRANGER
        try:
            found = await self.do(self._person, *values)
        except SQLAlchemyError as error:
            _log.warning("sessions cannot be read", error=str(error))
            return Person(unread=bool(values[0]))
        return found if not self._banned(found.name) else replace(found, account="", guest="", digest=b"")

    async def account(self, cookie: str, *, secure: bool) -> str:
        """The account of a Cookie header, "" for any other. Refused as by ``Person.known_account``."""
        return (await self.person(cookie_parser(cookie), secure=secure)).known_account() if cookie else ""

    async def do(self, function: Callable[..., T], *arguments: Any) -> T:
        """Call what blocks on the database."""
        return await trio.to_thread.run_sync(function, *arguments, limiter=self._readers)

    def _person(self, cookie: str, host_cookie: str) -> Person:
        now, found = time.time(), STRANGER
        digest = digest_of(cookie)
        if cookie and (session := self.store.find(digest, now)) is not None:
            match session.kind:
                case "account":
                    chosen = self.store.preferences(session.name)
                    found = Person(account=session.name, preferences=chosen, digest=digest)
                case "guest":
                    found = Person(guest=session.name, digest=digest)
        digest = digest_of(host_cookie)
        session = self.store.find(digest, now) if host_cookie else None
        if session is None or session.kind != "host" or not self._may_be_host(session.name):
            return found
        return replace(found, host=True, host_account=session.name, host_digest=digest)

    def _may_be_host(self, account: str) -> bool:
        """True for "", who had the token, and for accounts that the settings still name."""
        return not account or (self.is_host(account) and not self._banned(account))

    def is_host(self, account: str) -> bool:
        """True if the settings let this account be the host."""
        return account.casefold() in self._hosts

    @property
    def has_hosts(self) -> bool:
        """True if the settings let any account be the host."""
        return bool(self._hosts)

    async def begin(self, request: Request, response: Response, kind: Kind, name: str = "") -> None:
        """A session of this kind, told to the browser by ``response``; the one it had ends."""
        cookie, before = secrets.token_urlsafe(COOKIE_BYTES), person_of(request)
        if ended := before.host_digest if kind == "host" else before.digest:
            await self.do(self.store.end, ended)
        await self.do(self.store.add, digest_of(cookie), begun(kind, name, time.time()))
        self._set(request, response, kind, cookie, int(LONGEST_S[kind]))

    async def end(self, request: Request, response: Response, *, host: bool = False) -> None:
        """The browser's session is over: as the host, or as a player."""
        person = person_of(request)
        if digest := person.host_digest if host else person.digest:
            await self.do(self.store.end, digest)
        self._set(request, response, "host" if host else "account", "", 0)

    def _set(self, request: Request, response: Response, kind: Kind, cookie: str, lasts_s: int) -> None:
        secure = request.url.scheme == "https"
        name, site = (HOST_COOKIE, "strict") if kind == "host" else (COOKIE, "lax")
        response.set_cookie(
            _name(name, secure),
            cookie,
            lasts_s,
            path="/",
            secure=secure,
            httponly=True,
            samesite=site,  # type: ignore[arg-type]
        )

    async def age_s(self, person: Person) -> float:
        """Seconds since this browser's session began, which somebody has logged in for; none: for ever."""
        now = time.time()
        found = await self.do(self.store.find, person.digest, now) if person.digest else None
        return math.inf if found is None else now - found.created_at

    async def others(self, person: Person) -> list[Session]:
        """The account's sessions, this one among them."""
        return await self.do(self.store.of, person.account, time.time())


def _folded(names: Collection[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names)


class Recognised:
    """The application, told who asks. ``names`` are the server's own host names.

    ``asks`` is called with the session and the account of each request of one.
    """

    def __init__(
        self, app: ASGIApp, sessions: WebSessions, names: Collection[str], asks: Callable[[bytes, str], None]
    ) -> None:
        self._asks = asks
        self._app = app
        self._sessions = sessions
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/static/"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        secure, proxied = scope["scheme"] == "https", bool(scope.get(PROXIED, False))
        origin, host = headers.get(b"origin", ""), headers.get(b"host", "")
        ours = is_ours(origin, host, self._names, secure=secure, proxied=proxied)
        person = STRANGER
        if (cookie := headers.get(b"cookie", "")) and (ours or scope["method"] in SAFE):
            person = await self._sessions.person(cookie_parser(cookie), secure=secure)
        if person.account:
            self._asks(person.digest, person.account)
        await self._app({**scope, PERSON: person, OURS: ours}, receive, send)


def names_session(header: str) -> bool:
    """True if a Cookie header has a cookie of ours; a proxy may have set others."""
    ours = {_name(name, secure) for name in (COOKIE, HOST_COOKIE) for secure in (False, True)}
    return not ours.isdisjoint(cookie_parser(header))


def digest_of(cookie: str) -> bytes:
    """The stored form of a cookie. It has too many random bits for a slow hash to make a difference."""
    return sha256(cookie.encode()).digest()


def _name(name: str, secure: bool) -> str:
    return f"__Host-{name}" if secure else name


@dataclass(frozen=True, slots=True)
class Kept:
    sessions: WebSessions
    reports: Reports
    acts: ActLog
    notices: Notices
    shares: Shares
    letters: Letters
    personal: PersonalRows
    scores: Scores
    ratings: RatingViews
    results: Results
    accounts: AccountViews
    linking: Linking


@contextmanager
def kept(url: str, banned: Callable[[str], str], hosts: Collection[str] = ()) -> Iterator[Kept]:
    """All of it, as long as the block; ``banned`` and ``hosts`` as in WebSessions."""
    with (
        closing(Sessions(url)) as sessions,
        closing(Reports(url)) as reports,
        closing(ActLog(url)) as acts,
        closing(Notices(url)) as notices,
        closing(Shares(url)) as shares,
        closing(Letters(url)) as letters,
        closing(PersonalRows(url)) as personal,
        closing(Scores(url)) as scores,
        closing(RatingViews(url)) as ratings,
        closing(Results(url)) as results,
        closing(AccountViews(url)) as accounts,
        closing(Linking(url)) as linking,
    ):
        recognised = WebSessions(sessions, banned, hosts)
        rows = (personal, scores, ratings, results, accounts, linking)
        yield Kept(recognised, reports, acts, notices, shares, letters, *rows)
