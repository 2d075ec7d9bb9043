"""The host's acts on its pages: signs in and out, bans, ends tables, drains servers, closes reports, invites,
makes links for new passwords.

Each act is in the log of acts, by the host's token or account and the address.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.forgotten import new_link
from gateway.accounts.registering import new_invitation
from gateway.config import duration
from gateway.lobby.banned import target_of
from gateway.ops.server import GameServer
from gateway.seating.registrar import Registrant
from gateway.store import acts
from gateway.store.accounts import NoAccount
from gateway.store.bans import LONGEST_REASON, Ban, NoBan
from gateway.store.records import noted
from gateway.web.askers import Askers
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame
from gateway.web.pages.host import parts_of, sign_in
from gateway.web.pages.refusing import Page, as_page, sentence
from gateway.web.refusals import STATUS, BadRequest
from gateway.web.sessions import Kept, address_of, person_of
from protocols.core.errors import Refused, Why
from protocols.core.numbers import whole


class HostActs:
    """The forms of the host's pages."""

    def __init__(self, frame: Frame, server: GameServer, askers: Askers, kept: Kept) -> None:
        self._frame = frame
        self._server = server
        self._askers = askers
        self._kept = kept

    def routes(self) -> list[Route]:
        posts: dict[str, Page] = {
            "sign-in": self.sign_in,
            "sign-out": self.sign_out,
            "ban": self.ban,
            "lift": self.lift,
            "end": self.end,
            "drain": self.drain,
            "close": self.close,
            "invite": self.invite,
            "link": self.link,
        }
        if self._server.node.several:
            posts["node"] = self.node
        return [Route(f"/host/{name}", as_page(self._frame, post), methods=["POST"]) for name, post in posts.items()]

    async def sign_in(self, request: Request) -> Response:
        fields, address = await form_of(request), address_of(request)
        name, fault, status = fields["name"].strip(), "", HTTPStatus.FORBIDDEN
        try:
            if name:
                name = await self._account(name, fields["password"], address)
                fault = "" if name else "Name and password do not go together, or the account may not be the host."
            elif not self._askers.is_host(fields["token"].strip(), address):
                fault = "This is not the admin token of this server."
        except Refused as refused:
            fault, status = sentence(refused.text), STATUS[refused.why]
        if fault:
            return sign_in(self._frame, request, self._askers, self._kept, status, fault)
        await self._note("host.signed_in", _host(name, address), self._server.config.server.name)
        response = gone_to("/host")
        await self._kept.sessions.begin(request, response, "host", name)
        return response

    async def _account(self, name: str, password: str, address: str) -> str:
        """The account with this name and password, if it may be the host; else "". Refused (TOO_FAST, BANNED)."""
        logins = self._askers.logins
        account = None if logins.is_token(password) else await logins.account(name, password, address)
        if account is None or not self._kept.sessions.is_host(account):
            return ""
        self._server.ban_enforcer.check(account)
        return account

    async def sign_out(self, request: Request) -> Response:
        await form_of_host(request)
        response = gone_to("/host")
        await self._kept.sessions.end(request, response, host=True)
        return response

    async def ban(self, request: Request) -> Response:
        fields = await form_of_host(request)
        try:
            kind, target = target_of(fields["target"])
            ban = Ban(kind, target, _reason(fields), _until(fields["lasts"].strip()))
        except Refused as refused:
            return await self._bans(request, fields, refused.text)
        await self._kept.sessions.do(self._server.bans.add, ban, host_of(request))
        await self._server.ban_enforcer.learn()
        return gone_to("/host/bans?done=banned")

    async def _bans(self, request: Request, fields: Mapping[str, str], fault: str) -> Response:
        """The page of bans with what is wrong in its form."""
        current = await self._kept.sessions.do(self._server.bans.current, time.time())
        filled = {"target": fields["target"][:64], "fault": sentence(fault), "bans": current}
        shared: dict[str, Any] = {"parts": parts_of(self._server), "part": "/bans", "done": ""}
        return self._frame.page(request, "host_bans.html", HTTPStatus.BAD_REQUEST, **shared, **filled)

    async def lift(self, request: Request) -> Response:
        fields = await form_of_host(request)
        kind, target = target_of(fields["target"])
        try:
            await self._kept.sessions.do(self._server.bans.remove, kind, target, host_of(request))
        except NoBan as none:
            raise Refused(Why.BAD_OPTION, str(none)) from None
        await self._server.ban_enforcer.learn()
        return gone_to("/host/bans?done=lifted")

    async def end(self, request: Request) -> Response:
        """End a table, running or resting: a game that is not over is void, and its players are told the reason."""
        fields = await form_of_host(request)
        number, reason = whole(fields["table"]), _reason(fields)
        game = await self._ended(number, reason) if number is not None else None
        if game is None:
            raise Refused(Why.BAD_OPTION, f"there is no table {fields['table'][:20]} that is not over")
        await self._note("table.ended", host_of(request), f"table {number}", game=game, reason=reason)
        return gone_to("/host/tables?done=ended")

    async def _ended(self, number: int, reason: str) -> str | None:
        """The game of a table that is ended now; None: it is over already."""
        try:
            return await self._server.tables.asked(number).end_by_host(reason)
        except Refused as refused:
            if refused.why is Why.TABLE_FULL:
                return None
            raise

    async def drain(self, request: Request) -> Response:
        fields = await form_of_host(request)
        if fields["on"] == "yes":
            self._server.drain.begin(host_of(request))
            return gone_to("/host?done=draining")
        self._server.drain.end(host_of(request))
        return gone_to("/host?done=open")

    async def node(self, request: Request) -> Response:
        """Tell a node to drain, or to serve again."""
        fields = await form_of_host(request)
        name, on = fields["name"], fields["on"] == "yes"
        if not await self._server.node.steer(name, on=on, by=host_of(request)):
            raise Refused(Why.BAD_OPTION, f"there is no node {name[:64]}")
        return gone_to(f"/host/nodes?done=node-{'drains' if on else 'serves'}")

    async def close(self, request: Request) -> Response:
        fields = await form_of_host(request)
        if (number := whole(fields["report"])) is not None:
            await self._kept.sessions.do(self._kept.reports.close_report, number, host_of(request))
        return gone_to("/host/reports?done=closed")

    async def invite(self, request: Request) -> Response:
        """A code is shown once: only its hash is stored."""
        await form_of_host(request)
        code, until = await self._kept.sessions.do(new_invitation, self._server.accounts, host_of(request))
        shared: dict[str, Any] = {"parts": parts_of(self._server), "part": "/settings", "done": ""}
        link = f"{request.headers['origin']}/login?invitation={code}"
        return self._frame.page(request, "host_invitation.html", **shared, code=code, link=link, until=until)

    async def link(self, request: Request) -> Response:
        """A link for an account's new password, shown once. An account of the host gets none: its owner would outlast
        this session; the command line makes it."""
        name = (await form_of_host(request))["name"].strip()
        try:
            if self._kept.sessions.is_host(name):
                raise NoAccount(f"{name} may be the host: boardgate account link makes its link")
            made = await self._kept.sessions.do(new_link, self._server.accounts, name, host_of(request))
        except NoAccount as none:
            raise Refused(Why.BAD_OPTION, str(none)) from None
        registered, code, until = made
        shared: dict[str, Any] = {"parts": parts_of(self._server), "part": "/settings", "done": ""}
        link = f"{request.headers['origin']}/password#{code}"
        return self._frame.page(request, "host_link.html", **shared, account=registered, link=link, until=until)

    async def _note(self, kind: acts.Kind, by: str, object_: str, **told: str) -> None:
        await self._server.commits.append(noted(acts.made(time.time(), by, kind, object_, **told)))


async def form_of_host(request: Request) -> Mapping[str, str]:
    """The form of the host. BadRequest: it is another's, or the session is over."""
    fields = await form_of(request)
    if not person_of(request).host:
        raise BadRequest(HTTPStatus.FORBIDDEN, "not_signed_in", "Sign in as the host first: your session is over.")
    return fields


def host_of(request: Request) -> str:
    """The host in the log of acts."""
    return _host(person_of(request).host_account, address_of(request))


def _host(account: str, address: str) -> str:
    """An account that is the host, or "" with the token."""
    return f"{account} from {address}" if account else Registrant(admin=True, address=address).host


def _reason(fields: Mapping[str, str]) -> str:
    """Refused (BAD_OPTION): it is no line of a dialect."""
    reason = fields["reason"].strip()
    if len(reason) > LONGEST_REASON or not reason.isprintable():
        raise Refused(Why.BAD_OPTION, f"a reason has up to {LONGEST_REASON} printable characters")
    return reason


def _until(lasts: str) -> float | None:
    """Unix time; None: until it is lifted. Refused (BAD_OPTION): it is no duration."""
    if not lasts:
        return None
    try:
        lasts_s = duration(lasts)
    except ValueError as error:
        raise Refused(Why.BAD_OPTION, str(error)) from None
    return None if lasts_s is None else time.time() + lasts_s
