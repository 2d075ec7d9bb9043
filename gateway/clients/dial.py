"""A connection to an address, encrypted where the address says so; in trio. Not here: calling again."""

from __future__ import annotations

import trio

from gateway.clients.joining import Address
from gateway.clients.secure import NoTls, context, why_not
from gateway.net.streams import Secured, Stream


async def dial(address: Address, within_s: float) -> Stream:
    """OSError when nobody answers in time; NoTls, which is one, when whoever does cannot be trusted."""
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
