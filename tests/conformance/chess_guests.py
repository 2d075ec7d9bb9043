"""Bare clients of the two chess dialects of text lines, for tests that look at single lines and the room they share."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from itertools import count
from typing import Final

from tests.conformance.chess_players import Lines
from tests.running import RunningServer

LISTENERS: Final = ("chess-p2p,bot_after=never", "miniature,bot_after=never", "bogaprot,bot_after=never")
P2P, MINIATURE, BOGAPROT = range(3)

_NUMBERS: Final = count(1)
"""Nobody comes back in the next test by the name of one who played in this."""


class Guest(Lines):
    """``name`` is what it calls itself: the wish with a number of its own."""

    nonsense = ""
    """A line that makes no sense in any state, which is answered when everything before it has been."""
    complaint: tuple[str, ...] = ()
    """What its answer begins with."""

    def __init__(self, port: int, wish: str) -> None:
        super().__init__(port)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.name = f"{wish}{next(_NUMBERS)}"
        self.heard: list[str] = []
        """Every line that came."""

    def next(self) -> str:
        self.heard.append(super().next())
        return self.heard[-1]

    def told(self) -> list[str]:
        """Every line that has come and was not read yet, up to now."""
        self.say(self.nonsense)
        self.until(*self.complaint)
        return self.passed

    def send(self, data: bytes) -> None:
        """Bytes that need not be lines."""
        self._sock.sendall(data)

    def rest(self) -> list[str]:
        """Every line until the server closes, which it must."""
        told: list[str] = []
        with contextlib.suppress(ConnectionError):
            while part := self._sock.recv(65536):
                self._rest += part
        *whole, self._rest = self._rest.split(b"\n")
        told += [line.decode() for line in whole]
        return told

    def hears(self, *lines: str) -> str:
        """Read on to a line that begins with each of these, one after the other; the last."""
        return [self.until(line) for line in lines][-1]

    def hang_up(self) -> None:
        """Close, and wait until the server has let go: whoever comes next finds no trace."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
            while self._sock.recv(65536):
                pass
        self.close()

    def vanish(self) -> None:
        """Close without a word."""
        self.close()


class MiniatureGuest(Guest):
    """A person at telnet; ``ticket`` is what its seat was given."""

    nonsense = "nonsense"
    complaint = ("error unknown-command 'nonsense'",)

    def __init__(self, port: int, wish: str) -> None:
        super().__init__(port, wish)
        self.ticket = ""
        self.until("welcome ")
        self.say(f"tell gateway name {self.name}")
        self.until("tell gateway you sit down as ")

    def told_at_the_table(self) -> list[str]:
        """The same as ``told``, when its table has answered what it asked: this nonsense the table itself refuses."""
        self.say(f"tell #obs {'x' * 401}")
        self.until("error syntax say 1 to 400 characters")
        return self.passed

    def seek(self, seek: str) -> None:
        """Propose a game from a new seat."""
        self.say(f"seek {seek}")
        self.ticket = self.until("tell gateway your ticket is ").split()[5].rstrip(";")


class TelnetGuest(Guest):
    """A person at telnet who has said nothing yet."""

    nonsense = MiniatureGuest.nonsense
    complaint = MiniatureGuest.complaint


class PeerToPeerGuest(Guest):
    """An adapter that knows the words of the document only, and does only what it is told here.

    ``ticket`` is a secret of its own; the word that says it is ours. Without a ``wish`` it gives no name.
    """

    nonsense = "level nonsense"
    complaint = ("text cannot read 'level nonsense'",)

    def __init__(self, port: int, wish: str, ticket: str = "") -> None:
        super().__init__(port, wish)
        self.until("hallo ")
        if wish:
            self.say(*([f"ticket {ticket}"] if ticket else []), f"name {self.name}")

    @property
    def told_ticket(self) -> str:
        """The ticket that it was told in words."""
        words = next(line for line in self.heard if line.startswith("text your ticket is "))
        return words.split()[4].rstrip(":")

    def told_by(self, other: MiniatureGuest) -> list[str]:
        """The same as ``told``, when its table has answered what it asked: ``other`` sits there and hears it."""
        self.say("text so far")
        other.until(f"tell {self.name} so far")
        return self.told()

    def go(self, *state: str) -> None:
        """Set a GUI up so, and start a game."""
        self.say("new", *state, "go")

    def enter(self) -> None:
        """A game has begun: a second Go is answered by Accepted, the own one was answered so."""
        if self.until("go", "accepted") == "go":
            self.say("accepted")

    def echo(self, move: str) -> None:
        """ "(and in that case echo it back to the peer)"."""
        self.until(f"move {move}")
        self.say(f"move {move}")


class Room:
    """Guests of one test at one server."""

    def __init__(self, running: RunningServer) -> None:
        self.running = running
        self.guests: list[Guest] = []

    def miniature(self, wish: str) -> MiniatureGuest:
        guest = MiniatureGuest(self.running.ports[MINIATURE], wish)
        self.guests.append(guest)
        return guest

    def p2p(self, wish: str, ticket: str = "") -> PeerToPeerGuest:
        guest = PeerToPeerGuest(self.running.ports[P2P], wish, ticket)
        self.guests.append(guest)
        return guest

    def telnet(self) -> TelnetGuest:
        guest = TelnetGuest(self.running.ports[MINIATURE], "")
        self.guests.append(guest)
        return guest

    def nameless(self) -> PeerToPeerGuest:
        return self.p2p("")

    def two_miniatures(self, seek: str = "5 0 u w") -> tuple[MiniatureGuest, MiniatureGuest]:
        """Who seeks, and who has taken the seek: a game has begun."""
        seeker, taker = self.miniature("Sara"), self.miniature("Tom")
        seeker.seek(seek)
        taker.say("play")
        for guest in (seeker, taker):
            guest.hears("tell gateway game 1:")
        return seeker, taker

    def mixed(self, seconds: int = 300) -> tuple[PeerToPeerGuest, MiniatureGuest]:
        """An adapter that has played e2e4 as White, and a person at telnet who plays Black."""
        mia, pia = self.miniature("Mia"), self.p2p("Pia")
        mia.seek(f"{seconds // 60} 0 u b")
        pia.say("text hello")
        pia.until("go")
        pia.go(f"level 0 {seconds} 0", "move e2e4")
        pia.enter()
        pia.until("move e2e4")
        mia.hears("tell gateway game 1:", "move e2-e4", "tell gateway clock")
        return pia, mia


@contextlib.contextmanager
def room(running: RunningServer) -> Iterator[Room]:
    """Everybody who came has left at the end."""
    found = Room(running)
    try:
        yield found
    finally:
        for guest in found.guests:
            guest.hang_up()
