"""A Peer that speaks TLS over a SocketPeer, so that a table tells it as directly as any other.

What TLS makes of bytes goes through two buffers in memory, and the socket is driven as without TLS: no task of its own
and no wait for a send that fits. A record's length is what is read from the socket, and encrypted, at once. TLS itself
is gateway.net.tls.
"""

from __future__ import annotations

import contextlib
import ssl
import time
from typing import Final

from gateway.admission.fair_throttle import shared
from gateway.net.tls import RECORD, TlsEnd
from gateway.sessions.peer import Serve, SocketPeer

WAITING_BYTES: Final = 65536
"""Encrypted bytes that may wait unsent: one record of ours, and TLS's own answers to a peer that reads none of them."""


class TlsPeer:
    """The Peer at the other end of a TLS connection; it owns the socket.

    What ``send_now`` has not taken must be the beginning of what is offered next: TLS may have encrypted it already.
    Hands are shaken at the turn of ``key``, the other end's address key (gateway.admission.fair_throttle).
    """

    def __init__(self, peer: SocketPeer, context: ssl.SSLContext, key: str = "") -> None:
        self._peer = peer
        self._key = key
        self._end = TlsEnd(context)
        self._tls, self._out = self._end.tls, self._end.out
        self._most = RECORD
        self._serve: Serve = bool
        self._waiting = bytearray()
        """Encrypted, and not taken by the system yet."""
        self._early = b""
        self._owed = 0
        """Bytes of the next send that are in ``_waiting``, or were."""

    async def shake_hands(self) -> None:
        """Come to a conversation, before anything else is called. OSError: the other end does not speak TLS as we do.

        ssl.SSLError, which is one, has the reason. The peer must be closed then.
        """
        while not self._shaken():
            await self._peer.send_rest(self._out.read())
            await self._peer.receive(RECORD, self._take_in)
            await shared().turn(self._key)
        await self._peer.send_rest(self._out.read())

    def _shaken(self) -> bool:
        begun = time.perf_counter()
        try:
            return self._end.shake()
        except ssl.SSLError:
            with contextlib.suppress(OSError):
                self._push()  # it is told why
            raise
        finally:
            shared().spent(time.perf_counter() - begun)

    def _take_in(self, data: bytes) -> bool:
        self._end.take_in(data)
        return False

    def put_back(self, early: bytes) -> None:
        """Serve these bytes, which were received already, before all others."""
        self._early = early

    async def receive(self, most: int, serve: Serve) -> None:
        while self._early:
            data, self._early = self._early[:most], self._early[most:]
            if not serve(data):
                return
        self._most, self._serve = most, serve
        try:
            if self._decrypt():  # what came with what was served last
                await self._peer.receive(RECORD, self._heard)
        finally:
            self._serve = bool  # as SocketPeer does

    def _heard(self, data: bytes) -> bool:
        self._end.take_in(data)
        return self._decrypt()

    def _decrypt(self) -> bool:
        """Give everything that is complete to ``serve``; whether there is more to wait for."""
        while True:
            try:
                data = self._tls.read(self._most)
            except ssl.SSLWantReadError:
                self._answer()
                if len(self._waiting) <= WAITING_BYTES:
                    return True
                data = b""
            except ssl.SSLError:  # the end, said or not, or broken: all the same to whom it serves
                self._answer()
                data = b""
            if not self._serve(data) or not data:
                return False

    def _answer(self) -> None:
        """Send TLS's own messages. A broken connection shows when it is read."""
        if self._out.pending:
            with contextlib.suppress(OSError):
                self._push()

    def _push(self) -> None:
        """Hand over what is encrypted, behind what waits. OSError when the connection is broken."""
        data = self._out.read()
        if not self._waiting:
            data = data[self._peer.send_now(data) :]
        self._waiting += data

    def send_now(self, data: bytes) -> int:
        if self._waiting:
            del self._waiting[: self._peer.send_now(bytes(self._waiting))]
            if self._waiting:
                return 0
        taken, self._owed = self._owed, 0
        while taken < len(data):
            record = data[taken : taken + RECORD]
            self._tls.write(record)
            self._push()
            if self._waiting:
                self._owed = len(record)
                break
            taken += len(record)
        return taken

    async def send_rest(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            if self._waiting:
                await self._send_waiting()
            left = left[self.send_now(left) :]  # type: ignore[arg-type]  # TLS takes any buffer

    async def _send_waiting(self) -> None:
        """Half of it sent again would be no TLS: a connection that cannot send all of it ends."""
        waiting = bytes(self._waiting)
        try:
            await self._peer.send_rest(waiting)
        except BaseException:
            self._peer.close()
            raise
        del self._waiting[: len(waiting)]

    def acknowledge_at_once(self) -> None:
        self._peer.acknowledge_at_once()

    def lag_s(self) -> float:
        return self._peer.lag_s()

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it wants the other end to agree, and that is not awaited
            if not self._waiting:
                self._tls.unwrap()
        with contextlib.suppress(OSError):
            self._push()
        self._peer.close()
