"""One connection to a peer, direct or through a relay: bytes out in the background, bytes in, a check for silence.

A line that is cut says nothing: a router forgets it, a cable is out. The system notices only what it sends itself and
is not confirmed (TCP_USER_TIMEOUT, keep-alive), and not everywhere. So a silent peer is asked (``ping``), which is no
word of the document: a peer that has answered before and does not now is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from clients.dial import notice_silence
from clients.joining import Address
from clients.relay.code import Code
from clients.relay.ends import Given
from clients.relay.transport import Rendezvous
from clients.relay.tunnel import Tunnel
from gateway.net.sockets import Stream, tcp
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import wire
from protocols.core.errors import BoardgateError

CONNECT_S: Final = 10.0
"""Seconds to wait for a connection, and then for the other end's first word: who answers a call says Hallo."""

QUIET_S: Final = 5.0
"""Seconds without a word in a game after which the peer is asked whether it is there: a clock runs meanwhile."""

QUIET_IDLE_S: Final = 30.0
"""The same while no move is awaited; a server has many who sit so."""

ANSWER_S: Final = 5.0
"""Seconds for the answer: a packet that is lost and sent again comes in time."""

DELIVER_S: Final = 0.4
"""Seconds for the last lines to arrive: a GUI allows its engine a second or so between quit and the end."""

CHUNK: Final = 65536


class Link:
    """Bytes to send wait here until ``write`` has sent them. ``heard``: the peer has said something."""

    def __init__(self, stream: Stream) -> None:
        self.heard = False
        self.answers = False
        """True if the peer has answered a ping: only then its silence means anything."""
        self._stream = stream
        self._waiting = bytearray()
        self._wake = trio.Event()
        self._news = trio.Event()
        notice_silence(tcp(stream))

    def send(self, data: bytes) -> None:
        self._waiting += data
        self._wake.set()

    async def read(self) -> bytes:
        """The next bytes; b"" when the connection is over, for any reason."""
        try:
            return bytes(await self._stream.receive_some(CHUNK))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""

    async def write(self) -> None:
        """Send for as long as the connection lasts."""
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            await self._send_waiting()

    async def finish(self) -> None:
        """Send what is left, then close."""
        await self._send_waiting()
        await self._stream.aclose()

    def close(self) -> None:
        """Close at once; a pending read gets b""."""
        tcp(self._stream).socket.close()

    def note(self, message: p2p.Message) -> None:
        """The peer said this: it is there. It may ask the same of us."""
        self.heard = True
        self.answers = self.answers or isinstance(message, p2p.Pong)
        self._news.set()
        self._news = trio.Event()
        if isinstance(message, p2p.Ping):
            self.send(wire.encode(p2p.Pong(message.number)))

    async def hears(self, within_s: float) -> bool:
        """True if the peer says anything in so many seconds; returns as soon as it does."""
        with trio.move_on_after(within_s):
            await self._news.wait()
            return True
        return False

    async def _send_waiting(self) -> None:
        """Send the waiting bytes; a cancelled send leaves the rest waiting."""
        with suppress(OSError, trio.ClosedResourceError, trio.BrokenResourceError):
            while self._waiting:
                sent = await self._send(bytes(self._waiting))
                del self._waiting[:sent]

    async def _send(self, data: bytes) -> int:
        """Number of bytes sent. With TLS it is all or, when cancelled, the end of the connection."""
        if isinstance(self._stream, trio.SocketStream):
            return await self._stream.socket.send(data)
        await self._stream.send_all(data)
        return len(data)


class Friend:
    """A peer that is met by a relay code, through a tunnel. ``stream`` is ours, and ends only with the tunnel.

    The tunnel takes up lost connections, so neither adapter notices more than a pause. A code works once: a tunnel that
    has ended stays so, and ``why`` is the reason.
    """

    def __init__(self, code: Code, server: Address, told: Callable[[str], None], *, direct: bool) -> None:
        ours, theirs = trio.socket.socketpair()
        self.stream = trio.SocketStream(ours)
        self.why = ""
        self._over = False
        self._end = Given(trio.SocketStream(theirs))
        self._tunnel = Tunnel(Rendezvous(code, server, told, direct=direct), self._end, told)

    async def keep(self) -> None:
        """Meet, and carry for as long as that lasts; ``stream`` ends then."""
        try:
            await self._tunnel.run()
        except BoardgateError as error:
            self.why = str(error)
        finally:
            self._over = True
            self._tunnel.met.set()
            with trio.CancelScope(shield=True):
                await self._end.close()

    async def met(self) -> bool | None:
        """Wait for the friend; whether we are the one that answers, as if called. None: the friend will not come."""
        await self._tunnel.met.wait()
        return None if self._over else self._tunnel.first

    async def leave(self) -> None:
        """Deliver what was sent on ``stream``, which is closed, and stop."""
        with trio.move_on_after(DELIVER_S, shield=True):
            await self._tunnel.said()
        await self._tunnel.leave()
