"""Builds a client's request for a seat: the words of its handshake, its own ticket, and the server's address."""

from __future__ import annotations

import secrets
import shlex
from dataclasses import dataclass, field, replace
from urllib.parse import quote

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 5700
HTTP_PORT = 8080
"""Default ports of ``boardgate serve`` for Bogaprot clients that send a handshake, and for HTTP."""

TICKET_BYTES = 18
"""Random bytes of a ticket of our own: 24 characters, above the 22 that make a word a ticket."""

TLS = "tls://"
"""Prefix of the host of a server with TLS."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; written as people type it. ``ca`` is for ``tls``: the file of the authority that is trusted
    instead of those the system trusts."""

    host: str
    port: int
    tls: bool = False
    ca: str = ""

    def __str__(self) -> str:
        host_port = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        return f"{TLS}{host_port}" if self.tls else host_port

    def typed(self) -> str:
        """With the option that goes with it, as the same user would type it again."""
        return f"{self} --tls-ca {shlex.quote(self.ca)}" if self.ca else str(self)

    def url(self) -> str:
        """The URL of HTTP at this address."""
        return f"https://{str(self).removeprefix(TLS)}" if self.tls else f"http://{self}"


@dataclass(frozen=True, slots=True)
class Wish:
    """A game to play and how. "" and 0 leave the choice to the server; ``ticket`` takes one certain seat.

    ``options`` are the game's own, by name: ("size", "9"). ``clocks``: be told what they show. ``talk``: be told what
    the others say, and why a game ended. ``secret`` is the password or a token of the account ``name``; ``exact`` wants
    that name or no seat. ``kept`` wants the seat of ``ticket`` or none; else an unknown ticket becomes a new seat's.
    """

    game: str
    name: str = ""
    variant: str = ""
    seats: int = 0
    against: str = ""
    ticket: str = ""
    time: str = ""
    options: tuple[tuple[str, str], ...] = ()
    clocks: bool = False
    talk: bool = False
    secret: str = field(default="", repr=False)
    exact: bool = False
    kept: bool = False

    def engine(self) -> str:
        """The first field of REQ_HANDSHAKE: ``game?option=value&...#ticket``."""
        asked = [("name", self.name), ("variant", self.variant), ("seats", str(self.seats or ""))]
        asked += [("against", self.against), ("time", self.time), ("clocks", "yes" if self.clocks else "")]
        asked += [("chat", "yes"), ("reasons", "yes")] if self.talk else []
        asked += [("secret", self.secret), ("exact", "yes" if self.exact else "")]
        asked += [("kept", "yes" if self.kept else "")]
        asked += self.options
        options = "&".join(f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in asked if value)
        return self.game + (f"?{options}" if options else "") + (f"#{self.ticket}" if self.ticket else "")

    def without(self, option: str) -> Wish | None:
        """The same for a server that does not know this option of a handshake; None where it cannot be left out."""
        match option:
            case "clocks" if self.clocks:
                return replace(self, clocks=False)
            case "chat" | "reasons" if self.talk:
                return replace(self, talk=False)
            case "exact" if self.exact:
                return replace(self, exact=False)
            case "kept" if self.kept:
                return replace(self, kept=False)
        return None

    def choices(self) -> str:
        """The options as one types them: " --option size=9"; "" where there are none."""
        return "".join(f" --option {shlex.quote(f'{name}={value}')}" for name, value in self.options)


def new_ticket() -> str:
    """A secret of our own: the server keeps it as the ticket of the seat it gives us."""
    return secrets.token_urlsafe(TICKET_BYTES)


def address(text: str, usual: int = DEFAULT_PORT, ca: str = "", host: str = DEFAULT_HOST, least: int = 1) -> Address:
    """Read ``HOST``, ``HOST:PORT``, ``[V6]:PORT``, ``:PORT`` or "", with ``tls://`` before it for TLS.

    ``usual`` and ``host`` are used where the text has none, ``least`` is the lowest port. ValueError shows a bad text.
    """
    host_port, tls = text.removeprefix(TLS), text.startswith(TLS)
    if ca and not tls:
        raise ValueError(f"a certificate is looked at with TLS only: write {TLS}{host_port or host}")
    with_port = host_port.count(":") == 1 or "]:" in host_port
    name, colon, port = host_port.rpartition(":") if with_port else (host_port, "", "")
    if colon and not (port.isascii() and port.isdigit() and least <= int(port) < 65536):
        raise ValueError(f"{port!r} is not a port number")
    return Address(name.strip("[]") or host, int(port) if port else usual, tls, ca)
