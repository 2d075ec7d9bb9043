"""Transfers a connection that has only begun to the worker of this machine where its opponents are.

Its moves cross nothing then. The bytes that it has sent so far go with its socket. The other worker lets it in as its
own listener would, and interprets them anew; what it was told in answer it is not told again. The peer notices nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Final

import msgspec

from gateway.net.socket_channel import SocketChannel
from gateway.sessions.listener import EntryPoint, Listener
from gateway.sessions.peer import Peer, SocketPeer

MOST_BYTES: Final = 8 * 1024
"""Bytes that a connection may have sent: programs ask for a seat within some hundred."""


class Transferred(msgspec.Struct, frozen=True):
    """A connection on its way: its listener as settings write it, its client's address, and the bytes it has sent."""

    listener: str
    address: str
    received: bytes


class Beginning:
    """A connection until its first request for a seat is served: it can be transferred until then.

    ``muted``: it is told nothing here, for the other worker tells it, or has told it already.
    """

    __slots__ = ("_channel", "_listener", "_peer", "_received", "muted")

    def __init__(self, channel: SocketChannel, listener: str, peer: SocketPeer | None) -> None:
        """``peer`` None: it comes from another worker, and is not movable."""
        self._channel = channel
        self._listener = listener
        self._peer = peer
        self._received = b""
        self.muted = peer is None

    @property
    def movable(self) -> bool:
        """True if it may be transferred: once at most, and not after much was said."""
        return self._peer is not None

    def received(self, data: bytes) -> None:
        """The peer has sent this."""
        if self._peer is not None:
            self._received += data
            if len(self._received) > MOST_BYTES:
                self._peer, self._received = None, b""

    def pass_on(self, worker: str, address: str) -> bool:
        """Pass it on to this worker; its owner closes it then, unheard. False: it stays here, for ever."""
        peer, self._peer = self._peer, None
        if peer is None:
            return False
        message = msgspec.json.encode(Transferred(self._listener, address, self._received))
        self.muted = self._channel.send(worker, peer.sock, message)
        return self.muted


class Transfers:
    """The connections that go to other workers, and come from them."""

    def __init__(self, channel: SocketChannel) -> None:
        self._channel = channel

    def begin(self, at: EntryPoint, peer: Peer) -> Beginning | None:
        """The beginning of a connection; None: it cannot be transferred, for it is encrypted, or a browser's."""
        if isinstance(peer, TransferredPeer):
            return Beginning(self._channel, "", None)
        if isinstance(at, Listener) and isinstance(peer, SocketPeer):
            return Beginning(self._channel, str(at.shown), peer)
        return None

    async def run(self, listeners: list[Listener], enter: Callable[[EntryPoint, Peer, str], None]) -> None:
        """Let in what comes from other workers, until cancelled; ``enter`` is given each as a listener does."""
        known = {str(listener.shown): listener for listener in listeners}

        def take_in(sock: socket.socket, message: bytes) -> None:
            came = msgspec.json.decode(message, type=Transferred)
            enter(known[came.listener], TransferredPeer(sock, came.received), came.address)

        await self._channel.run(take_in)


class TransferredPeer(SocketPeer):
    """The peer of a connection that has come from another worker, with the bytes that it had sent there."""

    __slots__ = ()
