"""One connection to a peer: bytes out in the background, bytes in, and whether anybody is still there.

A line that is cut says nothing: a router forgets it, a cable is out. The system notices only what it sends itself and
nobody confirms (TCP_USER_TIMEOUT, keep-alive), and not everywhere. So who has said nothing for a while is asked
(``ping``), if it knows the word: it is no word of the document. One who has answered before and does not now is gone.
Not here: calling again (shell.py), what is said (adapter.py).
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import trio

from gateway.clients.dial import dial
from gateway.clients.joining import Address
from gateway.clients.silence import notice_silence
from gateway.net.streams import Stream, tcp
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import wire

CONNECT_S: Final = 10.0
"""Seconds to wait for a connection, and then for the other end's first word: who answers a call says Hallo."""

QUIET_S: Final = 5.0
"""Seconds without a word in a game after which the peer is asked whether it is there: a clock runs meanwhile."""

QUIET_IDLE_S: Final = 30.0
"""The same while nobody waits for a move; a server has many who sit so."""

ANSWER_S: Final = 5.0
"""Seconds for the answer: a packet that is lost and sent again comes in time."""

CHUNK: Final = 65536


class Link:
    """Bytes to send wait here until ``write`` has sent them. ``heard``: the peer has said something."""

    def __init__(self, stream: Stream) -> None:
        self.heard = False
        self.answers = False
        """Whether the peer has answered a ping: only then its silence means anything."""
        self._stream = stream
        self._waiting = bytearray()
        self._wake = trio.Event()
        self._news = trio.Event()
        notice_silence(tcp(stream))

    def send(self, data: bytes) -> None:
        self._waiting += data
        self._wake.set()

    async def read(self) -> bytes:
        """The next bytes; b"" when the connection is over, for whatever reason."""
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
        """Close at once; whoever reads gets b""."""
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
        """Whether the peer says anything in so many seconds; returns as soon as it does."""
        with trio.move_on_after(within_s):
            await self._news.wait()
            return True
        return False

    async def _send_waiting(self) -> None:
        """What is cancelled in the middle has not been sent, and still waits."""
        with suppress(OSError, trio.ClosedResourceError, trio.BrokenResourceError):
            while self._waiting:
                sent = await self._send(bytes(self._waiting))
                del self._waiting[:sent]

    async def _send(self, data: bytes) -> int:
        """How many bytes were sent. With TLS it is all or, when cancelled, the end of the connection."""
        if isinstance(self._stream, trio.SocketStream):
            return await self._stream.socket.send(data)
        await self._stream.send_all(data)
        return len(data)


async def connected(address: Address) -> Stream:
    """A connection. OSError: nobody answers, or nobody who can be trusted (NoTls)."""
    return await dial(address, CONNECT_S)
