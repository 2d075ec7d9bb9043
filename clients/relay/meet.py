"""The conversation with a relay server: two helpers that name the same room learn of each other there.

    BOARDGATE-RELAY 1 MEET room side address,...    a helper: the room, a secret of its own, where it can be called
    WAIT                                            the other is not there; again every 20 s
    PEER first|second observed address,...          the other is: where the server sees it, where it says it is
    JOIN -> JOINED                                  both want the relay; from then on all bytes are the other's
    DIRECT                                          a direct connection is made
    NO reason in words

Lines of ASCII of at most 300 bytes.
"""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import trio

from clients.joining import Address
from gateway.net.sockets import Stream
from protocols.core.errors import BoardgateError, RemoteProtocolError

LONGEST_LINE: Final = 300
MOST_ADDRESSES: Final = 8
"""Addresses that a side may claim; more are not dialled."""

KEEP_ALIVE_S: Final = 60.0
"""Seconds without a line, of a server that says WAIT every 20, after which it is gone."""


class Lost(BoardgateError):
    """No connection, or none any more; another attempt may succeed."""


class TurnedAway(BoardgateError):
    """The server does not want us; the text is its reason."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The other side is not there yet."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The other is there. ``first`` are we, if we decide which connection is used."""

    first: bool
    observed: Address
    claimed: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """The next bytes on this connection come from the other side."""


@dataclass(frozen=True, slots=True)
class Direct:
    """The other has made a direct connection."""


Answer = Wait | Peer | Joined | Direct


class Meeting:
    """One connection to the server."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._line = bytearray()

    async def meet(self, room: str, side: str, addresses: list[Address]) -> None:
        """Ask for the other in this room."""
        claimed = ",".join(map(str, addresses[:MOST_ADDRESSES])) or "-"
        await self.say(f"BOARDGATE-RELAY 1 MEET {room} {side} {claimed}")

    async def say(self, line: str) -> None:
        """Raises Lost."""
        try:
            await self.stream.send_all(line.encode("ascii") + b"\n")
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise Lost("the relay has closed the connection") from error

    async def hear(self) -> Answer:
        """The next line. Raises Lost, TurnedAway, RemoteProtocolError.

        Read byte by byte: what follows the line JOINED is not the server's, and must stay where it is.
        """
        with trio.move_on_after(KEEP_ALIVE_S):
            while not self._line.endswith(b"\n"):
                await self._hear_byte()
            line, self._line = self._line.decode("ascii", "replace").strip(), bytearray()
            return read(line)
        raise Lost("the relay says nothing any more")

    async def closed(self) -> None:
        """Return when the server has closed; what it says until then is of no use."""
        with suppress(Lost):
            while True:
                await self._hear_byte()
                self._line.clear()

    async def _hear_byte(self) -> None:
        try:
            data = await self.stream.receive_some(1)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise Lost("the connection to the relay is lost") from error
        if not data:
            raise Lost("the relay has closed the connection")
        self._line += data
        if len(self._line) > LONGEST_LINE:
            raise RemoteProtocolError("this is no Boardgate relay: it sends lines without an end")


def read(line: str) -> Answer:
    """Parse a line of the server. Raises TurnedAway for NO, RemoteProtocolError for a line of no relay."""
    match line.split():
        case ["WAIT"]:
            return Wait()
        case ["PEER", ("first" | "second") as side, observed, claimed]:
            others = claimed.split(",")[:MOST_ADDRESSES] if claimed != "-" else []
            return Peer(side == "first", _address(observed), tuple(map(_address, others)))
        case ["JOINED"]:
            return Joined()
        case ["DIRECT"]:
            return Direct()
        case ["NO", *reason]:
            raise TurnedAway("".join(letter if letter.isprintable() else "?" for letter in " ".join(reason)))
    raise RemoteProtocolError(f"this is no Boardgate relay: it says {line[:60]!r}")


def _address(text: str) -> Address:
    """A literal address; names are not looked up for a stranger."""
    host, _, port = text.rpartition(":")
    try:
        ipaddress.ip_address(host.strip("[]"))
        if not 0 < int(port) < 65536:
            raise ValueError(port)
    except ValueError as error:
        raise RemoteProtocolError(f"{text!r} is not an address") from error
    return Address(host.strip("[]"), int(port))
