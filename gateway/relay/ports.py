"""One-time ports: the first two programs that dial one are joined, then it is closed.

What the first sends before the second comes is kept, as far as it is short; the rest waits in the system. A first one
that leaves without a word, or breaks off, leaves its place to another.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from gateway.config import BadSetting
from gateway.net.readiness import Readiness
from gateway.net.sockets import Enter, bound
from gateway.relay.visitor import Visitor, guarded

EARLY: Final = 4096
"""Bytes of the first that are kept until the second comes: a greeting or a request; more waits in its own system."""

BACKLOG: Final = 8
"""Connections the system may hold for us: two are expected."""

ANY: Final = "any"
NONE: Final = "none"

Admit = Callable[[socket.socket, Any], Visitor | None]
"""Makes a visitor of an accepted socket and its address; None when there is no place, and the socket is closed."""


def read_range(text: str) -> range | None:
    """The ports of the setting ``relay.ports``; None for any free one, an empty range for none. BadSetting."""
    if text == ANY:
        return None
    if text == NONE:
        return range(0)
    found = re.fullmatch(r"(\d{1,5})-(\d{1,5})", text, re.ASCII)
    if found is None or not 0 < int(found[1]) <= int(found[2]) < 65536:
        raise BadSetting(f'relay ports: {text!r} is neither "any" nor "none" nor a range such as "5040-5099"')
    return range(int(found[1]), int(found[2]) + 1)


def open_port(host: str, ports: Iterable[int] | None) -> socket.socket | None:
    """A listening socket on the first of ``ports`` that is free (None: on any); None when none is."""
    for port in (0,) if ports is None else ports:
        try:
            return bound(host, port, BACKLOG)
        except OSError:
            continue
    return None


class Guest:
    """A caller, and the bytes it has sent so far; ``silent`` when it has closed its half."""

    __slots__ = ("early", "silent", "visitor")

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.early = b""
        self.silent = False

    def hear(self) -> bool:
        """Read what there is, as far as it is kept; whether it is still of use."""
        if self.visitor.sock.fileno() < 0:
            return True
        try:
            data = self.visitor.sock.recv(EARLY - len(self.early))
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.early += data
        self.silent = not data
        if self.silent or len(self.early) == EARLY:
            self.visitor.unwatch()
        return bool(self.early)


class OneTimePort:
    """Owns its listening socket, and the guests until they are two; ``joined`` is given both.

    ``first_read`` is given the function that lets a connection in, and the port; it may put something before it.
    """

    def __init__(
        self,
        sock: socket.socket,
        readiness: Readiness,
        admit: Admit,
        joined: Callable[[Guest, Guest], None],
        first_read: Callable[[Enter, int], Enter],
    ) -> None:
        self.port = int(sock.getsockname()[1])
        self._sock = sock
        self._readiness = readiness
        self._admit = admit
        self._joined = joined
        self._first: Guest | None = None
        self._first_read = first_read
        readiness.watch(sock, guarded(self._accept, self.close))

    def _accept(self) -> None:
        for sock, address in self._dialled():
            self._first_read(self._enter, self.port)(sock, address)

    def _enter(self, sock: socket.socket, address: Any) -> bool:
        """Called by the port, or later by the task that waited for a PROXY header."""
        guarded(partial(self._let_in, sock, address), self.close)()
        return True

    def _let_in(self, sock: socket.socket, address: Any) -> None:
        """The port may be closed by now, if a PROXY header was waited for."""
        if self._sock.fileno() < 0:
            sock.close()
        elif (visitor := self._admit(sock, address)) is not None:
            self._come(Guest(visitor))

    def _dialled(self) -> Iterator[tuple[socket.socket, Any]]:
        """One connection; when the process has no file descriptor left the system closes nothing, so the port does."""
        if self._sock.fileno() < 0:
            return
        try:
            yield self._sock.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError:
            self.close()

    def _come(self, guest: Guest) -> None:
        first = self._first
        if first is None:
            self._first = guest
            guest.visitor.watch(self._hear)
            return
        self._first = None
        self.close()
        self._joined(first, guest)

    def _hear(self) -> None:
        """The first has sent something, or left."""
        if self._first is not None and not self._first.hear():
            self._hang_up()

    def send_away(self, banned: Callable[[str], str]) -> None:
        """Hang up on a guest who is still alone, where ``banned`` has a reason against the address."""
        if self._first is not None and banned(self._first.visitor.host):
            self._hang_up()

    def _hang_up(self) -> None:
        """On a guest who is still alone."""
        if self._first is not None:
            self._first.visitor.close()
            self._first = None

    def close(self) -> None:
        """Accept no more callers; hangs up on a guest who is still alone. Idempotent."""
        self._hang_up()
        if self._sock.fileno() >= 0:
            self._readiness.forget(self._sock)
            self._sock.close()
