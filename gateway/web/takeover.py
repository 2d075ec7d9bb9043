"""Takes a WebSocket over from HTTP: its socket becomes a connection of the server, like that of any other dialect.

From then on back-pressure, limits, sweeps, wire logs and metrics are those of gateway.sessions. The bytes of the
request are read in upgrade.py, frames are the dialect's (``Dialect.websocket`` is its path).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from starlette.routing import BaseRoute, Route, WebSocketRoute

from gateway.net.listening import OpenListener
from gateway.ops.server import GameServer
from gateway.sessions.listener import GREETING, EntryPoint
from gateway.sessions.peer import Peer
from gateway.web.forwarded import forwarded_address, forwarded_proto
from gateway.web.origin import FOREIGN, foreign, is_ours
from gateway.web.refusals import code_of, refusal, status_of
from gateway.web.sessions import names_session
from gateway.web.stream import BoundedStream
from gateway.web.upgrade import Another, NotAccepted, Opening, accepted, opening
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused

Enter = Callable[[EntryPoint, Peer, str, str], None]
"""Makes the peer at this address a connection of an account ("" a guest's), or hangs up."""

AccountOf = Callable[..., Awaitable[str]]
"""The account that a Cookie header has logged in to, "" none; ``secure``: the browser's connection is encrypted.

Refused (OVERLOAD): that cannot be looked up just now."""


async def nobodys(cookie: str, *, secure: bool) -> str:
    """No cookie is an account's."""
    return ""


WhyNot = Callable[[str, bool], NotAccepted | None]
"""Why this address is not served now; None when it is. True: its connection is the proxy's, and was not asked yet."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """A WebSocket that is accepted. ``early`` are bytes that came behind its request."""

    at: EntryPoint
    address: str
    answer: bytes = field(repr=False)
    early: bytes = field(repr=False)
    account: str
    _enter: Enter = field(repr=False)

    def enter(self, peer: Peer) -> None:
        """Answer the request, and let the peer in; its connection closes it from then on."""
        try:
            answered = peer.send_now(self.answer) == len(self.answer)  # into an empty buffer
        except OSError:
            answered = False
        if answered:
            self._enter(self.at, peer, self.address, self.account)
        else:
            peer.close()


class Takeover:
    """``entries`` are the dialects by their paths, ``names`` the server's own host names."""

    def __init__(
        self,
        entries: Mapping[str, EntryPoint],
        names: Collection[str],
        enter: Enter,
        why_not: WhyNot,
        account_of: AccountOf = nobodys,
    ) -> None:
        self._entries = entries
        self._names = names
        self._enter = enter
        self._why_not = why_not
        self._account_of = account_of

    @property
    def paths(self) -> Collection[str]:
        return self._entries.keys()

    async def welcome(self, stream: BoundedStream, pages: OpenListener, peer: str) -> Welcome | None:
        """Read the first request's head. None: it is another request, whose bytes were put back.

        ``peer`` is the address that has connected. NotAccepted: the answer is to be sent, and the connection closed.
        """
        data = b""
        try:
            while (asked := opening(data, self.paths)) is None:
                received = await stream.receive_some()
                if not received:
                    raise Another
                data += received
        except Another:
            stream.put_back(data)
            return None
        return await self._judged(asked, pages, peer)

    async def _judged(self, asked: Opening, pages: OpenListener, peer: str) -> Welcome:
        """NotAccepted: the origin is foreign, the address or its account is not served now, or the request is wrong."""
        answer = accepted(asked)
        self._check_origin(asked, pages)
        address = forwarded_address(asked.headers) if pages.proxied else peer
        if not address:
            text = "X-Forwarded-For does not say who is asking: the reverse proxy has to"
            raise NotAccepted(HTTPStatus.BAD_REQUEST, "bad_request", text)
        if (refused := self._why_not(address, pages.proxied)) is not None:
            raise refused
        at = replace(self._entries[asked.path], wire_log=pages.wire_log, wire_public=pages.wire_public)
        account = await self._account(asked, pages)
        return Welcome(at, address, answer, asked.rest, account, self._enter)

    async def _account(self, asked: Opening, pages: OpenListener) -> str:
        """NotAccepted: its login cannot be looked up just now. As a guest it would stay one as long as it is there."""
        try:
            return await self._account_of(asked.header(b"cookie").decode("latin-1"), secure=_secure(asked, pages))
        except Refused as refused:
            raise NotAccepted(status_of(refused.why), code_of(refused.why), refused.text) from None

    def _check_origin(self, asked: Opening, pages: OpenListener) -> None:
        """A page of another host must not open a WebSocket here. A program sends no Origin, and no cookie of ours."""
        origin = asked.header(b"origin").decode("latin-1")
        if not (origin or names_session(asked.header(b"cookie").decode("latin-1"))):
            return
        secure = _secure(asked, pages)
        names, host = {*self._names, pages.shown.host}, asked.header(b"host").decode("latin-1")
        if not is_ours(origin, host, names, secure=secure, proxied=pages.proxied):
            raise NotAccepted(HTTPStatus.FORBIDDEN, FOREIGN, foreign(origin))


def _secure(asked: Opening, pages: OpenListener) -> bool:
    """True if the browser's connection is encrypted, to us or to the proxy."""
    return pages.certificate is not None or (pages.proxied and forwarded_proto(asked.headers) == "https")


def takeover_of(
    server: GameServer, dialects: Iterable[type[Dialect]], account_of: AccountOf = nobodys
) -> Takeover | None:
    """For those ``dialects`` that WebSockets carry; None when there is none of them."""

    def why_not(address: str, proxied: bool) -> NotAccepted | None:
        if why := server.ban_enforcer.address(address):
            return NotAccepted(HTTPStatus.FORBIDDEN, "banned", why)
        if not server.running or (proxied and not server.admission.admits(address)):
            text, later = "there is no room for another connection now", ("Retry-After: 10",)
            return NotAccepted(HTTPStatus.SERVICE_UNAVAILABLE, "full", text, later)
        return None

    entries = {}
    for dialect in dialects:
        if dialect.websocket:
            server.metrics.expects(dialect.name)
            options = {GREETING: server.config.server.name} if GREETING in dialect.options else {}
            entry = entries[dialect.websocket] = EntryPoint(dialect, options, server.house_rules)
            server.rereads(entry)
    names = {server.config.server.public_host}
    return Takeover(entries, names, server.enter, why_not, account_of) if entries else None


def upgrade_routes(paths: Iterable[str]) -> list[BaseRoute]:
    """The routes that say how these paths are asked for, to requests that are not taken over."""
    text = "this is a WebSocket: ask for it by the first request of a connection, with version 13"
    asked_wrongly = refusal(HTTPStatus.UPGRADE_REQUIRED, "upgrade_required", text)
    asked_wrongly.headers["upgrade"] = "websocket"
    asked_wrongly.headers["sec-websocket-version"] = "13"
    routes: list[BaseRoute] = []
    for path in paths:
        routes += [Route(path, asked_wrongly), WebSocketRoute(path, asked_wrongly)]
    return routes
