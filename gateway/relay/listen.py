"""The relay's listeners: their sockets and options. Not here: who comes in (relay.py)."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Final

from gateway.config import BadSetting, Listen
from gateway.net.sockets import open_socket, take_in
from gateway.net.tls import TLS_OPTIONS
from gateway.relay.relay import Relay

RELAY: Final = "relay"
"""What settings call such a listener: it is not a dialect of tables."""

OPTIONS: Final = {"wire_log": "yes: write every joined pair's bytes as a transcript"}
"""Name to one line of help."""

ENCRYPTED: Final = (
    f"{RELAY} has no TLS of its own: what two helpers say is encrypted between them, where no server can read it, and "
    "one-time ports forward bytes as they come"
)


@dataclass(frozen=True, slots=True)
class RelayDoor:
    """One open listener."""

    sock: socket.socket
    shown: Listen
    wire_log: bool

    def line(self) -> str:
        """``listening relay HOST:PORT`` with the port that was found."""
        return " ".join([f"listening {RELAY} {self.shown.address}", *("wire_log=yes" for _ in range(self.wire_log))])


def open_relay_door(listen: Listen) -> RelayDoor:
    """BadSetting says what is wrong with its address or options."""
    for key in listen.options:
        if key in TLS_OPTIONS:
            raise BadSetting(f"listener {listen}: {ENCRYPTED}")
        if key not in OPTIONS:
            raise BadSetting(f"listener {listen}: {RELAY} has no option {key!r}; it has {', '.join(OPTIONS)}")
    wire_log = listen.options.get("wire_log", "no")
    if wire_log not in ("yes", "no"):
        raise BadSetting(f"listener {listen}: wire_log is yes or no, not {wire_log!r}")
    sock, shown = open_socket(listen)
    return RelayDoor(sock, shown, wire_log == "yes")


async def accept(relay: Relay, door: RelayDoor) -> None:
    """Let callers in until cancelled; closes the socket then."""
    await take_in(door.sock, str(door.shown), relay.enter)
