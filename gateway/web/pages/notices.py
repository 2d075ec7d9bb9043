"""Lets a browser be told of its person's games while no page is open: the part of pages for it, and what it asks.

POST /notices/on      this browser, by the address of its push service; for the account and the tickets presented
POST /notices/off     that browser no more; who knows its address may say so, as its notice does
POST /account/notices no browser of this account any more, from a form
POST /account/told    this account by mail, or no more, from a form
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.logins import Tries
from gateway.accounts.mail import Mailing
from gateway.lobby.claims import ticket_digest
from gateway.net.addresses import address_key
from gateway.net.asking import BadAddress
from gateway.push.encrypted import AUTH_BYTES, read_point
from gateway.push.posting import LONGEST, read_address
from gateway.push.vapid import Vapid, from_base64url
from gateway.store.notices import Notices, Subscription
from gateway.web.forms import form_of, gone_to
from gateway.web.headers import secured
from gateway.web.pages.frame import Frame
from gateway.web.pages.own_games import OwnGamesFinder
from gateway.web.pages.presented import MOST_TICKETS, SHORTEST, Ticket
from gateway.web.pages.refusing import as_page
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, log_trouble, refusing
from gateway.web.sessions import Person, WebSessions, address_of, from_our_page, person_of

BODY_BYTES: Final = 16_384
"""The longest request: an address, two keys, forty tickets."""

ADDRESS_BURST, ADDRESS_PER_S = 40, 1 / 60
"""Browsers from one network address at once, and then a second: a browser says so again with each new game."""

Base64 = Annotated[str, msgspec.Meta(max_length=200)]


class Wanted(msgspec.Struct, forbid_unknown_fields=True):
    """``key`` and ``auth`` as the browser's PushSubscription has them; ``tickets`` are pairs of table and ticket."""

    endpoint: Annotated[str, msgspec.Meta(max_length=LONGEST)]
    key: Base64
    auth: Base64
    tickets: Annotated[list[tuple[int, Ticket]], msgspec.Meta(max_length=MOST_TICKETS)] = []


class Unwanted(msgspec.Struct, forbid_unknown_fields=True):
    endpoint: Annotated[str, msgspec.Meta(max_length=LONGEST)]


@dataclass(frozen=True, slots=True)
class Telling:
    """The part of a page: the server's public ``key``, "" where no browser is told; the account's ``browsers`` that
    are; its mail address, "" none that is confirmed, and whether it is told there."""

    key: str = ""
    browsers: int = 0
    address: str = ""
    mailed: bool = False


class NoticesPages:
    """``on`` is the host's setting for browsers, ``private`` lets push services be anywhere."""

    def __init__(
        self,
        frame: Frame,
        sessions: WebSessions,
        notices: Notices,
        mailing: Mailing,
        finder: OwnGamesFinder,
        *,
        on: bool,
        private: bool,
    ) -> None:
        self._frame = frame
        self._sessions = sessions
        self._notices = notices
        self._mailing = mailing
        self._finder = finder
        self._on = on
        self._private = private
        self._key = ""
        self._tries = Tries()

    def routes(self) -> list[Route]:
        by_push = [
            Route("/notices/on", refusing(self.begin), methods=["POST"]),
            Route("/notices/off", refusing(self.end), methods=["POST"]),
            Route("/account/notices", as_page(self._frame, self.end_all), methods=["POST"]),
        ]
        by_mail = [Route("/account/told", as_page(self._frame, self.tell), methods=["POST"])]
        return [*(by_push if self._on else ()), *(by_mail if self._mailing.on else ())]

    async def shown(self, person: Person) -> Telling:
        """The part for a page of this person, which is there without the database, too."""
        try:
            telling = await self._sessions.do(self._telling, person.account) if self._on else Telling()
            if not (self._mailing.on and person.account):
                return telling
            mail = await self._mailing.of(person.account)
            return replace(telling, address=mail.address, mailed=mail.told)
        except SQLAlchemyError as error:
            log_trouble("/notices", error)
            return Telling()

    def _telling(self, account: str) -> Telling:
        self._key = self._key or Vapid(self._notices.push_key(), "").public
        return Telling(self._key, self._notices.browsers(account, time.time()) if account else 0)

    async def begin(self, request: Request) -> Response:
        check_type(request)
        _check_ours(request)
        asked = decoded(await body_of(request, BODY_BYTES), Wanted)
        person, now = person_of(request), time.time()
        self._tries.count(address_key(address_of(request)), ADDRESS_PER_S, ADDRESS_BURST, "browsers ask for notices")
        presented = {ticket_digest(ticket): table for table, ticket in asked.tickets if len(ticket) >= SHORTEST}
        seats = await self._finder.seats(presented)
        held = [digest for digest, table in presented.items() if table in seats]
        if not person.known_account() and not held:
            raise _bad("Take a seat at a table first: then there is something to tell.")
        await self._sessions.do(self._notices.subscribe, self._subscription(asked, person), held, now)
        return _done()

    def _subscription(self, asked: Wanted, person: Person) -> Subscription:
        try:
            read_address(asked.endpoint, private=self._private)
            key, auth = from_base64url(asked.key), from_base64url(asked.auth)
            read_point(key)
        except (BadAddress, ValueError) as error:
            raise _bad(str(error)) from None
        if len(auth) != AUTH_BYTES:
            raise _bad(f"auth has {AUTH_BYTES} bytes, not {len(auth)}")
        folded, session = (person.account.casefold(), person.digest) if person.account else (None, None)
        return Subscription(_digest(asked.endpoint), asked.endpoint, key, auth, folded, session)

    async def end(self, request: Request) -> Response:
        check_type(request)
        _check_ours(request)
        asked = decoded(await body_of(request, BODY_BYTES), Unwanted)
        await self._sessions.do(self._notices.unsubscribe, _digest(asked.endpoint))
        return _done()

    async def end_all(self, request: Request) -> Response:
        await form_of(request)
        await self._sessions.do(self._notices.unsubscribe_all, _account(request))
        return gone_to("/account?done=notices")

    async def tell(self, request: Request) -> Response:
        fields, account = await form_of(request), _account(request)
        on = fields["on"] == "yes"
        await self._mailing.tell(account, on=on)
        return gone_to(f"/account?done={'told' if on else 'untold'}")


def _account(request: Request) -> str:
    """The account that asks. BadRequest: nobody is logged in."""
    if account := person_of(request).account:
        return account
    raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")


def _check_ours(request: Request) -> None:
    """BadRequest: no page of this server asks."""
    if not from_our_page(request):
        raise BadRequest(HTTPStatus.FORBIDDEN, "foreign_origin", "Only a page of this server may ask for this.")


def _digest(endpoint: str) -> bytes:
    return sha256(endpoint.encode()).digest()


def _bad(text: str) -> BadRequest:
    return BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", text)


def _done() -> Response:
    return secured(Response(status_code=HTTPStatus.NO_CONTENT, headers={"cache-control": "no-store"}))
