"""Connects to an address, with TLS or without, and has the system notice a silent end; in trio.

xboard/link.py notices a network that acknowledges and delivers nothing.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

import trio

from clients.joining import Address
from gateway.net.calling import NoTls, context, why_not
from gateway.net.sockets import Secured, Stream


async def dial(address: Address, within_s: float) -> Stream:
    """OSError without an answer in time; NoTls, which is one, when the answering host cannot be trusted."""
    try:
        with trio.fail_after(within_s):
            stream = await trio.open_tcp_stream(address.host, address.port)
            return await secured(stream, address) if address.tls else stream
    except trio.TooSlowError:
        raise TimeoutError(f"no answer in {within_s:g} s") from None


async def secured(stream: trio.SocketStream, address: Address) -> Secured:
    """The stream encrypted, its other end being who it should be. NoTls otherwise; it is closed then."""
    found = trio.SSLStream(stream, context(address.ca), server_hostname=address.host, https_compatible=True)
    try:
        await found.do_handshake()
    except trio.BrokenResourceError as error:
        stream.socket.close()
        raise NoTls(why_not(error.__cause__)) from error
    except trio.Cancelled:
        stream.socket.close()
        raise
    return found


PARTING_S: Final = 3.0
"""Seconds that a server may take to let a player go."""

REST: Final = 65536
"""Bytes read at a time of what is not looked at any more."""


async def hang_up(stream: Stream) -> None:
    """Say that nothing more comes, and wait until the server has let the player go: the name is free then."""
    transport = stream.transport_stream if isinstance(stream, trio.SSLStream) else stream
    with trio.move_on_after(PARTING_S), suppress(trio.BrokenResourceError):
        await transport.send_eof()
        while await stream.receive_some(REST):
            pass


SILENCE_S: Final = 20
"""Seconds after which the system gives a connection up that confirms nothing."""


def notice_silence(stream: trio.SocketStream) -> None:
    """Keep-alive and TCP_USER_TIMEOUT, as far as the system has them: give up a peer that confirms nothing."""
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", SILENCE_S // 2),
        ("TCP_KEEPINTVL", SILENCE_S // 4),
        ("TCP_KEEPCNT", 2),
        ("TCP_USER_TIMEOUT", SILENCE_S * 1000),
    ):
        if hasattr(socket, name):
            with suppress(OSError):
                stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
