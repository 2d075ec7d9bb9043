"""A visitor that speaks TLS, and such an end of a joined pair: what is relayed is decrypted and encrypted here.

``close_notify`` is what an end says when it says no more (RFC 8446, 6.1): it may go on reading, and so may we. TCP's
own end counts as one, as without TLS. What waits is encrypted already, so that nothing is encrypted twice.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from typing import Final

import trio

from gateway.admission.fair_throttle import FairThrottle
from gateway.net.readiness import Readiness
from gateway.net.tls import LONGEST_RECORD, RECORD, TlsEnd
from gateway.relay.ends import BUFFER, ROUNDS, End, Pair, buffer, view
from gateway.relay.visitor import ConnectionCounter, Visitor

INTAKE: Final = BUFFER - LONGEST_RECORD
"""Encrypted bytes read at once: with the beginning of a record that came before, decrypted they fit the buffer."""

ANSWERS: Final = BUFFER
"""Bytes of TLS's own answers, more than the longest that waits, that one may leave unread: no peer asks for so many."""


class SecuredVisitor(Visitor):
    """Owns ``sock`` and the TLS over it; ``shake_hands`` comes first."""

    __slots__ = ("tls",)

    def __init__(
        self,
        sock: socket.socket,
        host: str,
        shown: str,
        counter: ConnectionCounter,
        readiness: Readiness,
        context: ssl.SSLContext,
    ) -> None:
        super().__init__(sock, host, shown, counter, readiness)
        self.tls = TlsEnd(context)

    async def shake_hands(self, share: FairThrottle, key: str) -> None:
        """OSError: the other end does not speak TLS as we do; ssl.SSLError has the reason. It must be closed then.

        Received bytes are worked on at the turn of ``key`` in ``share``.
        """
        while not self._shaken(share):
            await trio.lowlevel.wait_readable(self.sock)
            with contextlib.suppress(BlockingIOError):
                self.tls.take_in(self.sock.recv(RECORD))
            await share.turn(key)

    def _shaken(self, share: FairThrottle) -> bool:
        begun = time.perf_counter()
        try:
            return self.tls.shake()
        finally:
            self._send(self.tls.out.read())  # also why there will be none
            share.spent(time.perf_counter() - begun)

    def hear(self, most: int) -> bytes | None:
        """All received bytes; ``most`` is no limit here."""
        while not (count := self.tls.open_into(view)):
            if self.tls.ended:
                return b""
            try:
                came = self.sock.recv_into(buffer, INTAKE)
            except BlockingIOError:
                return None
            except OSError:
                came = 0
            if not came:
                return b""
            self.tls.take_in(view[:came])
        self._send(self.tls.out.read())
        return bytes(view[:count])

    def say(self, line: bytes) -> None:
        with contextlib.suppress(ssl.SSLError):  # as a peer that is gone
            self._send(self.tls.sealed(line))

    def _send(self, data: bytes) -> None:
        """Handshakes and lines fit, as without TLS."""
        with contextlib.suppress(OSError):
            self.sock.send(data)

    def close(self, *, cut: bool = False) -> None:
        if self.sock.fileno() >= 0 and self.tls.shaken and not cut:
            self._send(self.tls.farewell())
        super().close()


class SecuredEnd(End):
    """``waiting`` is encrypted, and TLS's own answers are in it, too."""

    __slots__ = ("_tls",)

    def __init__(self, pair: Pair, at: int, visitor: SecuredVisitor) -> None:
        super().__init__(pair, at, visitor)
        self._tls = visitor.tls

    def _forward(self) -> None:
        source, tls = self.visitor.sock, self._tls
        for _ in range(ROUNDS):
            try:
                came = source.recv_into(buffer, INTAKE)
            except BlockingIOError:
                return
            except OSError:
                self._broken()
                return
            if came:
                tls.take_in(view[:came])
            if count := tls.open_into(view):
                self.pair.passed(self.at, count)
                self.other.send(view[:count])
            self._answer()
            if tls.ended or not came:
                self._over()
                return
            if count < BUFFER // 2 or not self.may_read():
                return

    def _answer(self) -> None:
        """Send TLS's own messages: an alert, or a library's immediate answer to new keys."""
        if self._tls.out.pending:
            self._push(self._tls.out.read())
            if len(self.waiting) > BUFFER + ANSWERS:
                self._broken()

    def _over(self) -> None:
        """The end says no more."""
        self.pair.passed(self.at, 0)
        self.silent = True
        if self._tls.broken:
            self._broken()

    def send(self, data: memoryview | bytes) -> None:
        try:
            self._push(self._tls.sealed(data))
        except ssl.SSLError:
            self.refuse()

    def _push(self, data: bytes) -> None:
        """Send what is encrypted, behind what waits."""
        if self.waiting:
            self.waiting += data
        elif data:
            super().send(data)

    def say_end(self) -> None:
        self._push(self._tls.farewell())
