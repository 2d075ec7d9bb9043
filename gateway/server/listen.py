"""Sockets that accept, and who is let in. Not here: what a connection does, HTTP."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import structlog
import trio

from gateway import registry
from gateway.config import BadSetting, Listen
from gateway.lobby.wishes import BOT, house_rules, wanted
from gateway.net.addresses import place_of
from gateway.net.sockets import open_socket, take_in
from gateway.net.tls import TLS_OPTIONS, Certificate, certificate
from gateway.server.peer import SocketPeer
from gateway.server.tls_peer import TlsPeer
from protocols.core.commands import Join
from protocols.core.dialect import Dialect
from protocols.core.model import HouseRules

if TYPE_CHECKING:
    from gateway.server.house import House

_log = structlog.get_logger()

COMMON_OPTIONS: Final = {
    "game": "the game of this port, for clients that cannot ask for one",
    "bot_after": 'house bots take open seats so long after the first player sat down: "10s", "0s", "never"',
    "deserted": "the last person leaves a game: it waits for the seat's ticket (adjourn) or is lost (loss)",
    "wire_log": "yes: write every connection's conversation as a transcript",
    **TLS_OPTIONS,
}
"""Options of every listener of a dialect: name to one line of help."""


@dataclass(slots=True)
class Entrance:
    """How somebody comes in: the dialect spoken there with its options, and how tables opened from there are run."""

    dialect: type[Dialect]
    options: Mapping[str, str]
    house_rules: HouseRules
    wire_log: bool = False


@dataclass(slots=True, kw_only=True)
class Door(Entrance):
    """One open listener, with its socket. ``certificate`` None: what is spoken there is not encrypted."""

    sock: socket.socket
    shown: Listen = field(default=Listen("", "", 0))
    certificate: Certificate | None = None

    def line(self) -> str:
        """``listening DIALECT HOST:PORT [KEY=VALUE ...]`` with the port that was found."""
        return f"listening {self.shown.dialect} {self.shown.address}" + "".join(
            f" {key}={text}" for key, text in self.shown.options.items()
        )


GREETING: Final = "greeting"
"""The option of dialects that greet: what the server calls itself, unless the listener says otherwise."""


def open_door(listen: Listen, house: HouseRules, name: str = "") -> Door:
    """An open listener of the server called ``name``. BadSetting says what is unknown or makes no sense."""
    dialect = registry.dialects().get(listen.dialect)
    if dialect is None or not dialect.public:
        known = ", ".join(name for name, found in registry.dialects().items() if found.public)
        raise BadSetting(f"listener {listen}: there is no dialect {listen.dialect!r}; there are {known}")
    own = {key: text for key, text in listen.options.items() if key in dialect.options}
    if GREETING in dialect.options and name:
        own.setdefault(GREETING, name)
    for key in listen.options:
        if key not in dialect.options and key not in COMMON_OPTIONS:
            known = ", ".join(sorted({*dialect.options, *COMMON_OPTIONS}))
            raise BadSetting(f"listener {listen}: {listen.dialect} has no option {key!r}; it has {known}")
    try:
        if "game" in listen.options:
            registry.game(listen.options["game"])
        rules = house_rules(listen.options, house)
        for join in dialect(own).connected():
            if isinstance(join, Join):
                wanted(join, rules, lambda game: (BOT,))
    except Exception as error:
        raise BadSetting(f"listener {listen}: {error}") from None
    wire_log = listen.options.get("wire_log", "no")
    if wire_log not in ("yes", "no"):
        raise BadSetting(f"listener {listen}: wire_log is yes or no, not {wire_log!r}")
    secure = certificate(listen)
    sock, shown = open_socket(listen)
    return Door(dialect, own, rules, wire_log == "yes", sock=sock, shown=shown, certificate=secure)


async def accept(house: House, door: Door) -> None:
    """Let clients in at ``door`` until cancelled; closes its socket then."""
    house.metrics.expects(door.dialect.name)
    async with trio.open_nursery() as nursery:

        def enter(sock: socket.socket, address: Any) -> bool:
            host = str(address[0])
            if not house.threshold.admits(host):  # before anything is made that costs time
                sock.close()
                return False
            if door.certificate is None:
                house.enter(door, SocketPeer(sock), host)
            else:
                house.doors.take(host)  # there is a place, as has just been asked
                secured = TlsPeer(SocketPeer(sock), door.certificate.context, place_of(host))
                nursery.start_soon(_enter_secured, house, door, secured, host)
            return True

        await take_in(door.sock, str(door.shown), enter, house.lines)


async def _enter_secured(house: House, door: Door, peer: TlsPeer, host: str) -> None:
    """Who does not come to TLS in time never comes in; until then it has the place of somebody inside."""
    secured = False
    try:
        secured = await _secured(house, door, peer, host)
    finally:
        house.doors.release(host)
        if not secured:
            peer.close()
    if secured:
        house.enter(door, peer, host)


async def _secured(house: House, door: Door, peer: TlsPeer, host: str) -> bool:
    """Whether there is TLS with this peer now; the log has the reason where there is none."""
    within_s = house.config.limits.handshake_s
    try:
        with trio.fail_after(within_s):
            await peer.shake_hands()
    except trio.TooSlowError:
        why = f"took more than {within_s:g} s"
    except OSError as error:
        why = str(getattr(error, "reason", None) or error)
    else:
        return True
    house.threshold.no_tls(str(door.shown), host, why)
    return False
