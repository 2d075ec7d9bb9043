"""The page of the person at the browser: games, preferences, password, tokens, browsers, deletion.

A guest sees its name and preferences, which its browser keeps.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.accounts.circle import Circle
from gateway.accounts.issuing import LONGEST_LABEL, issue
from gateway.accounts.logins import LONGEST, SHORTEST, Logins
from gateway.accounts.mail import LONGEST as LONGEST_ADDRESS
from gateway.accounts.mail import Mailing
from gateway.lobby import names
from gateway.store.accounts import Accounts, RatedAlready
from gateway.store.former import PublicViews
from gateway.store.mail import MailAddress
from gateway.store.sessions import MOST_MUTED, Preferences
from gateway.store.tokens import SCOPES, TokenNamed, TooManyTokens
from gateway.web.forms import form_of, gone_to
from gateway.web.headers import secured
from gateway.web.pages.frame import THEMES, Frame
from gateway.web.pages.notices import NoticesPages
from gateway.web.pages.openid import OpenIdPages
from gateway.web.pages.ownership import Ownership
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.pages.yours import Yours, figures_of_cards
from gateway.web.refusals import BadRequest
from gateway.web.sessions import Person, WebSessions, address_of, person_of
from protocols.core.errors import Refused, Why

BOARDS: Final = ("wood", "slate", "green", "contrast", "print")
"""Themes of boards; "" is what the game has by itself."""

PIECES: Final = ("club", "forms")
"""Sets of chessmen beside the usual one, each a script of its name."""

OWN_BOARDS: Final = 24
RECENT: Final = 10
"""Games on this page that go on, and that are over; the rest are on ``/yours``."""

DONE: Final = {
    "kept": "You are logged in. The games that were played in this browser are this account's now.",
    "preferences": "Your preferences are kept.",
    "password": "The password is changed. Other browsers, and programs that had logged in by it, have to log in anew.",
    "token": "The token is ended.",
    "bot": "This account is a program's now.",
    "person": "This account is a person's now.",
    "browsers": "All other browsers are logged out.",
    "mail": "A message is on its way to the address. Open the link in it within a day.",
    "confirmed": "Your mail address is confirmed.",
    "unmailed": "Your account has no mail address any more.",
    "told": "You are told by mail from now on.",
    "untold": "You are told no more by mail.",
    "linked": "You log in to this account with that login, too, from now on.",
    "unlinked": "That login opens this account no more.",
    "anew": "You have logged in anew. What asks for that can be done now.",
    "notices": "None of your browsers is told any more.",
}
"""The sentence about a form's success, by the word behind ``?done=``."""


class AccountPage:
    """``learned`` is called when an account has become a program's, or a person's again."""

    def __init__(
        self,
        frame: Frame,
        sessions: WebSessions,
        accounts: Accounts,
        ownership: Ownership,
        logins: Logins,
        views: PublicViews,
        yours: Yours,
        notices: NoticesPages,
        mailing: Mailing,
        circle: Circle,
        openid: OpenIdPages,
        learned: Callable[[], Awaitable[None]],
    ) -> None:
        self._learned = learned
        self._circle = circle
        self._frame = frame
        self._sessions = sessions
        self._accounts = accounts
        self._ownership = ownership
        self._logins = logins
        self._views = views
        self._yours = yours
        self._notices = notices
        self._mailing = mailing
        self._openid = openid

    def routes(self) -> list[Route]:
        posts = {
            "preferences": self.prefer,
            "preference": self.choose,
            "password": self.change_password,
            "token": self.end_token,
            "tokens": self.make_token,
            "bot": self.set_bot,
            "browsers": self.end_browsers,
            "delete": self.delete,
            "mute": self.mute,
        }
        if self._mailing.on:
            posts |= {"mail": self.give_address, "mail/remove": self.remove_address}
        return [
            Route("/account", as_page(self._frame, self.page), methods=["GET"]),
            Route("/account/muted", as_page(self._frame, self.muted), methods=["GET"]),
            *(Route(f"/account/{name}", as_page(self._frame, post), methods=["POST"]) for name, post in posts.items()),
        ]

    async def page(self, request: Request) -> Response:
        person = person_of(request)
        if not person.name:
            return gone_to("/login?next=/account")
        return await self._page(request, person)

    async def _page(
        self, request: Request, person: Person, wrong: str = "", fault: Refused | None = None, token: str = ""
    ) -> Response:
        """``wrong`` is the form whose fault it is; ``token`` is a new one, which this page alone shows."""
        shown = await self._sessions.do(self._of_account, person) if person.account else {}
        status, said = fault_of(fault)
        own = await self._yours.shown(request, OWN_BOARDS, RECENT)
        return self._frame.page(
            request,
            "account.html",
            status,
            person=person,
            boards=BOARDS,
            themes=THEMES,
            done=DONE.get(request.query_params.get("done", ""), ""),
            wrong=wrong,
            fault=said,
            shortest=SHORTEST,
            longest=LONGEST,
            own=own,
            telling=await self._notices.shown(person),
            mailing=self._mailing.on,
            mail=await self._mailing.of(person.account) if person.account and self._mailing.on else MailAddress(),
            longest_address=LONGEST_ADDRESS,
            figures=figures_of_cards(own),
            token=token,
            scopes=SCOPES,
            longest_label=LONGEST_LABEL,
            today=date.today().isoformat(),
            openid=await self._openid.of(person),
            secret=await self._ownership.of(person),
            **({"tokens": [], "browsers": 1, "bot": False} | shown),
        )

    def _of_account(self, person: Person) -> dict[str, Any]:
        now, found = time.time(), self._accounts.find(person.account)
        browsers = len(self._sessions.store.of(person.account, now))
        tokens = self._accounts.tokens(person.account, now)
        return {"tokens": tokens, "browsers": browsers, "bot": found is not None and found.bot}

    async def prefer(self, request: Request) -> Response:
        fields, person = await form_of(request), self._own(request)
        await self._sessions.do(self._sessions.store.prefer, person.account, _chosen(fields, person.preferences))
        return gone_to("/account?done=preferences")

    async def choose(self, request: Request) -> Response:
        """One preference, ``name``, is ``value``: a choice made in a table's dialog. The others stay."""
        fields, person = await form_of(request), self._own(request)
        before = _fields(person.preferences)
        if fields["name"] not in before:
            raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", "There is no such preference.")
        chosen = _chosen(before | {fields["name"]: fields["value"]}, person.preferences)
        await self._sessions.do(self._sessions.store.prefer, person.account, chosen)
        return secured(Response(status_code=HTTPStatus.NO_CONTENT, headers={"cache-control": "no-store"}))

    async def change_password(self, request: Request) -> Response:
        fields, person = await form_of(request), self._own(request)
        try:
            if fields["password"] != fields["again"]:
                raise Refused(Why.BAD_OPTION, "the two passwords differ")
            await self._check(request, person, fields)
            hashed = await self._logins.hashed(fields["password"])
        except Refused as refused:
            return await self._page(request, person, "password", refused)
        keep = partial(self._accounts.set_password, keep_tokens=fields["tokens"] != "end")
        await self._sessions.do(keep, person.account, hashed, person.account)
        response = gone_to("/account?done=password")
        await self._sessions.begin(request, response, "account", person.account)
        return response

    async def give_address(self, request: Request) -> Response:
        """A code goes to the address. Whoever has only the browser cannot turn links for a new password to their own
        mail: the password is asked for."""
        fields, person = await form_of(request), self._own(request)
        try:
            await self._check(request, person, fields)
            await self._mailing.want(person.account, fields["address"], address_of(request))
        except Refused as refused:
            return await self._page(request, person, "mail", refused)
        return gone_to("/account?done=mail")

    async def remove_address(self, request: Request) -> Response:
        _, person = await form_of(request), self._own(request)
        await self._mailing.remove(person.account)
        return gone_to("/account?done=unmailed")

    async def end_token(self, request: Request) -> Response:
        fields, person = await form_of(request), self._own(request)
        for token in await self._sessions.do(self._accounts.tokens, person.account, time.time()):
            if token.id == fields["token"]:
                await self._sessions.do(self._accounts.end_token, token.digest, person.account)
        return gone_to("/account?done=token")

    async def make_token(self, request: Request) -> Response:
        """A token with a name. It outlives this browser's session: the password is asked for."""
        fields, person = await form_of(request), self._own(request)
        scopes, account = [scope for scope in SCOPES if fields[scope] == "on"], person.account
        try:
            await self._check(request, person, fields)
            if not (label := fields["label"].strip()):
                raise Refused(Why.BAD_OPTION, "give the token a name")
            asks = (self._accounts, account, account, label, scopes, fields["until"])
            token, _ = await self._sessions.do(issue, *asks)
        except (TokenNamed, TooManyTokens) as error:
            return await self._page(request, person, "tokens", Refused(Why.BAD_OPTION, str(error)))
        except Refused as refused:
            return await self._page(request, person, "tokens", refused)
        return await self._page(request, person, token=token)

    async def set_bot(self, request: Request) -> Response:
        """The account is a program's where ``bot`` is "yes", else a person's."""
        fields, person = await form_of(request), self._own(request)
        bot = fields["bot"] == "yes"
        try:
            mark = partial(self._accounts.set_bot, always=False)
            await self._sessions.do(mark, person.account, bot, person.account)
        except RatedAlready as error:
            return await self._page(request, person, "bot", Refused(Why.NOT_NOW, str(error)))
        await self._learned()
        return gone_to(f"/account?done={'bot' if bot else 'person'}")

    async def end_browsers(self, request: Request) -> Response:
        _, person = await form_of(request), self._own(request)
        await self._sessions.do(self._sessions.store.end_others, person.account, person.digest)
        return gone_to("/account?done=browsers")

    async def delete(self, request: Request) -> Response:
        """The account goes; its name is shown nowhere from now on."""
        fields, person = await form_of(request), self._own(request)
        try:
            await self._check(request, person, fields)
        except Refused as refused:
            return await self._page(request, person, "delete", refused)
        await self._sessions.do(self._accounts.delete, person.account, person.account)
        await self._sessions.do(self._views.learn)
        response = self._frame.error(request, HTTPStatus.OK, "Your account is deleted", GONE)
        await self._sessions.end(request, response)
        return response

    async def _check(self, request: Request, person: Person, fields: Mapping[str, str]) -> None:
        """Refused: nothing shows that the account's owner sends this."""
        await self._ownership.check(person, fields["current"], address_of(request))

    async def muted(self, request: Request) -> Response:
        """The names that this account has muted or blocked, folded, for the page's script."""
        person = person_of(request)
        blocked = await self._circle.tied("blocks", person.account) if person.account else []
        names = [*person.preferences.muted, *(found.name.casefold() for found in blocked)]
        return JSONResponse(names, headers={"cache-control": "no-store"})

    async def mute(self, request: Request) -> Response:
        """``name`` is heard no more, or again where ``on`` is not "yes"."""
        fields, person = await form_of(request), self._own(request)
        name = fields["name"].strip().casefold()[: names.LONGEST]
        others = tuple(muted for muted in person.preferences.muted if muted != name)
        wanted = (*others, name) if fields["on"] == "yes" and name else others
        chosen = msgspec.structs.replace(person.preferences, muted=wanted[-MOST_MUTED:])
        await self._sessions.do(self._sessions.store.prefer, person.account, chosen)
        return gone_to("/account")

    def _own(self, request: Request) -> Person:
        """The account that asks. BadRequest: nobody is logged in."""
        person = person_of(request)
        if not person.account:
            raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")
        return person


def _chosen(fields: Mapping[str, str], before: Preferences) -> Preferences:
    """The preferences of a form with all of their fields; an unknown value leaves the thing to the page."""
    return msgspec.structs.replace(
        before,
        board=fields["board"] if fields["board"] in BOARDS else "",
        pieces=fields["pieces"] if fields["pieces"] in PIECES else "",
        theme=fields["theme"] if fields["theme"] in THEMES else "",
        sound=fields["sound"] == "on",
        confirm=fields["confirm"] == "on",
        animation=fields["animation"] == "on",
    )


def _fields(chosen: Preferences) -> dict[str, str]:
    """The fields of a form that says so."""
    return {
        "board": chosen.board,
        "pieces": chosen.pieces,
        "theme": chosen.theme,
        "sound": "on" if chosen.sound else "",
        "confirm": "on" if chosen.confirm else "",
        "animation": "on" if chosen.animation else "",
    }


GONE: Final = (
    "Your games stay, and name you as a former player. Nobody else can have your name on this server. "
    "A game that still runs goes on for whoever holds its ticket."
)
