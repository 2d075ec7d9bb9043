"""Makes one encrypted connection between both helpers, direct or through the relay, after they have met.

Of the two, the server calls one ``first``: that one is TLS's server, and its word decides which connection is used.
"""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final

import trio

from clients.joining import Address
from clients.relay.certificate import context
from clients.relay.code import Code
from clients.relay.direct import DIRECT_S, SLACK_S, Attempts, LocalPort, worth_calling
from clients.relay.meet import Joined, Lost, Meeting, Peer
from gateway.net.sockets import Stream
from protocols.core.errors import BoardgateError

SIDE_LENGTH: Final = 22
SIDE_BYTES: Final = 16
"""A side's claim to its place: 16 random bytes are 22 characters."""

JOIN_S: Final = 20.0
"""Seconds for the other side to want the relay too: it may try to connect directly until then."""

HANDSHAKE_S: Final = 15.0
"""Seconds for TLS through the relay, over a slow line."""

STRANGE: Final = ("CERTIFICATE_VERIFY_FAILED", "UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN", "DECRYPT_ERROR")
"""OpenSSL's names for a certificate that is not of our code; the other end names it in its alert."""

UNKNOWN_CA: Final = bytes([21, 3, 3, 0, 2, 2, 48])
"""TLS's fatal alert unknown_ca (RFC 8446, 6). trio closes without one; the other end should know why."""


class AnotherCode(BoardgateError):
    """The other end does not have our secret."""


@dataclass(frozen=True, slots=True)
class Transport:
    """An encrypted connection to the other helper. ``words`` tell the user which.

    ``line`` is the connection to the server beside a direct one: it keeps the room. None: the relay is in use.
    """

    stream: trio.SSLStream[trio.SocketStream] | trio.SSLStream[Stream]
    words: str
    first: bool
    line: Meeting | None = None

    async def close(self) -> None:
        await trio.aclose_forcefully(self.stream.transport_stream)
        if self.line is not None:
            await trio.aclose_forcefully(self.line.stream)


class Rendezvous:
    """Joins two helpers, again and again. ``told`` gets news for the user."""

    def __init__(self, code: Code, server: Address, told: Callable[[str], None], *, direct: bool = True) -> None:
        self._code = code
        self._server = server
        self._told = told
        self._direct = direct
        self._side = secrets.token_urlsafe(SIDE_BYTES)[:SIDE_LENGTH]
        self._contexts = {first: context(code, server=first) for first in (True, False)}

    async def connect(self, there: Callable[[], None]) -> Transport:
        """Meet and connect. ``there`` is called when the server has answered.

        Raises Lost where another attempt may succeed, TurnedAway, AnotherCode, RemoteProtocolError.
        """
        with closing(LocalPort()) as port:
            meeting = Meeting(await port.call(self._server))
            try:
                return await self._from(meeting, port, there)
            except BaseException:
                await trio.aclose_forcefully(meeting.stream)
                raise

    async def _from(self, meeting: Meeting, port: LocalPort, there: Callable[[], None]) -> Transport:
        own = port.addresses(meeting.stream) if self._direct else []
        await meeting.meet(self._code.room, self._side, own)
        while not isinstance(peer := await meeting.hear(), Peer):
            there()
        there()
        if own and peer.claimed:
            attempts = Attempts(self._contexts[peer.first], first=peer.first)
            addresses = worth_calling([peer.observed, *peer.claimed], own)
            await attempts.run(port, addresses, DIRECT_S if peer.first else DIRECT_S + SLACK_S)
            if attempts.found is not None:
                stream, where = attempts.found
                return await self._go_direct(meeting, stream, where, peer.first)
        return await self._join(meeting, peer.first)

    async def _go_direct(
        self, meeting: Meeting, stream: trio.SSLStream[trio.SocketStream], where: Address, first: bool
    ) -> Transport:
        try:
            with suppress(Lost):  # a direct connection needs no server
                await meeting.say("DIRECT")
        except BaseException:
            await trio.aclose_forcefully(stream.transport_stream)
            raise
        return Transport(stream, f"connected directly to {where}", first, meeting)

    async def _join(self, meeting: Meeting, first: bool) -> Transport:
        self._direct = False  # it was tried: a return to the relay should not wait for it again
        await meeting.say("JOIN")
        with trio.move_on_after(JOIN_S) as patience:
            if not isinstance(await meeting.hear(), Joined):
                raise Lost("the other side has connected directly, and has not reached us")
        if patience.cancelled_caught:
            raise Lost("the other side does not join")
        stream = trio.SSLStream(meeting.stream, self._contexts[first], server_side=first, https_compatible=True)
        await _prove(stream)
        return Transport(stream, f"connected through the relay at {self._server}", first)


async def _prove(stream: trio.SSLStream[Stream]) -> None:
    """TLS's handshake: proves that the other end has the secret. Raises AnotherCode, Lost."""
    try:
        with trio.fail_after(HANDSHAKE_S):
            await stream.do_handshake()
    except trio.TooSlowError as error:
        raise Lost("the other side does not answer") from error
    except trio.BrokenResourceError as error:
        if isinstance(error.__cause__, ssl.SSLError) and any(word in str(error.__cause__).upper() for word in STRANGE):
            with suppress(trio.BrokenResourceError):
                await stream.transport_stream.send_all(UNKNOWN_CA)
            raise AnotherCode("the other side has another secret: compare your codes, symbol by symbol") from error
        raise Lost("the connection broke while it was made") from error
