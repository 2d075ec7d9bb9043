"""A server's end of one TLS connection as bytes in, bytes out: no socket, no wait.

What came from the other end is taken in; what is to be sent to it is what comes out. Not here: certificates (tls.py),
sockets (gateway.server.tls_peer for players, gateway.relay.secured for the relay). Sources: RFC 8446; Python's
ssl.SSLObject, whose reads and writes these are.
"""

from __future__ import annotations

import contextlib
import ssl
from typing import Any, Final

RECORD: Final = 16_384
"""Bytes of a TLS record at most, as its sender counts them (RFC 8446, 5.1)."""

LONGEST_RECORD: Final = RECORD + 2048 + 5
"""The same on the wire: TLS 1.2 lets encryption add so many (RFC 5246, 6.2.3), and there is a head."""


class TlsEnd:
    """``ended``: the other end says no more; ``broken``: what it says is no TLS any more, and nobody reads ours.

    ``tls`` and ``out`` are for those who encrypt and decrypt themselves; whatever is done leaves bytes in ``out``.
    """

    __slots__ = ("_in", "broken", "ended", "out", "shaken", "tls")

    def __init__(self, context: ssl.SSLContext) -> None:
        self._in, self.out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._in, self.out, server_side=True)
        self.shaken = self.ended = self.broken = False

    def take_in(self, data: bytes | memoryview) -> None:
        """This came, b"": no more will."""
        if data:
            self._in.write(data)
        else:
            self._in.write_eof()

    def shake(self) -> bool:
        """Go on with the handshake; whether it is over. OSError: there will be none; ssl.SSLError has the reason."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            if self._in.eof:
                raise OSError("closed during the handshake") from None
        else:
            self.shaken = True
        return self.shaken

    def open_into(self, room: memoryview) -> int:
        """Decrypt all that is complete; how many bytes that were. ``room`` is for more than was taken in last, and
        LONGEST_RECORD, so that nothing stays inside, where no selector would see it."""
        count = 0
        try:
            while not self.ended and count < len(room):
                found: Any = self.tls.read(len(room) - count, room[count:])  # with a buffer it is a number
                self.ended = not found
                count += found
        except ssl.SSLWantReadError:
            pass
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self.ended = True
        except ssl.SSLError:
            self.ended = self.broken = True
        return count

    def sealed(self, data: bytes | memoryview) -> bytes:
        """All of it encrypted, behind whatever else is to be sent. ssl.SSLError: this end has closed, or is broken.

        By records: the buffers of TLS keep the size of the largest piece that went through them.
        """
        if len(data) <= RECORD:
            self.tls.write(data)
            return self.out.read()
        return b"".join([self.sealed(data[at : at + RECORD]) for at in range(0, len(data), RECORD)])

    def farewell(self) -> bytes:
        """close_notify: this end says no more, and may go on reading. b"" where that was said, or makes no sense."""
        with contextlib.suppress(
            ssl.SSLError
        ):  # it also looks whether the other end has said so, and mostly it has not
            self.tls.unwrap()
        return self.out.read()
