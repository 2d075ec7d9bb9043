"""The relay's listeners: their sockets and options, and TLS's handshakes."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import trio

from gateway.admission.fair_throttle import shared
from gateway.config import BadSetting, Listen
from gateway.net.addresses import address_key
from gateway.net.proxy_reader import PROXY_OPTIONS, ProxyReader, has_proxy_protocol
from gateway.net.sockets import Enter, Opening, open_socket, take_in
from gateway.net.tls import TLS_OPTIONS, Certificate, certificate
from gateway.relay.relay import Relay
from gateway.relay.secured import SecuredVisitor

RELAY: Final = "relay"
"""Such a listener's name in the settings: it is not a dialect of tables."""

OPTIONS: Final = {"wire_log": "yes: write every joined pair's bytes as a transcript", **TLS_OPTIONS, **PROXY_OPTIONS}
"""Name to one line of help."""

NoTls = Callable[[str, str, str], object]
"""Told of a failed TLS handshake: at which listener, from which host, and why."""


@dataclass(frozen=True, slots=True)
class RelayListener:
    """One open listener. ``certificate`` None: its lines and what follows them are not encrypted.

    ``proxy_protocol``: connections begin with a PROXY header.
    """

    sock: socket.socket
    shown: Listen
    wire_log: bool
    certificate: Certificate | None = None
    proxy_protocol: bool = False

    def line(self) -> str:
        """``listening relay HOST:PORT [KEY=VALUE ...]`` with the port that was found."""
        options = (f"{key}={text}" for key, text in self.shown.options.items())
        return " ".join([f"listening {RELAY} {self.shown.address}", *options])


def open_relay_listener(listen: Listen, opening: Opening = open_socket) -> RelayListener:
    """BadSetting says what is wrong with its address, options or certificate."""
    for key in listen.options:
        if key not in OPTIONS:
            raise BadSetting(f"listener {listen}: {RELAY} has no option {key!r}; it has {', '.join(OPTIONS)}")
    wire_log = listen.options.get("wire_log", "no")
    if wire_log not in ("yes", "no"):
        raise BadSetting(f"listener {listen}: wire_log is yes or no, not {wire_log!r}")
    secure, proxied = certificate(listen), has_proxy_protocol(listen)
    sock, shown = opening(listen)
    return RelayListener(sock, shown, wire_log == "yes", secure, proxied)


async def accept(relay: Relay, listener: RelayListener, no_tls: NoTls, proxies: ProxyReader | None = None) -> None:
    """Let callers in until cancelled; closes the socket then.

    ``no_tls`` is for listeners with a certificate, ``proxies`` for those behind proxies.
    """
    shown = str(listener.shown)
    enter: Enter = relay.enter
    async with trio.open_nursery() as nursery:
        if listener.certificate is not None:
            enter = partial(_enter_secured, relay, listener, listener.certificate, no_tls, nursery)
        if listener.proxy_protocol:
            assert proxies is not None
            enter = proxies.before(enter, nursery, shown)
        await take_in(listener.sock, shown, enter, relay.lines)


def _enter_secured(
    relay: Relay,
    listener: RelayListener,
    certificate: Certificate,
    no_tls: NoTls,
    nursery: trio.Nursery,
    sock: socket.socket,
    address: Any,
) -> bool:
    visitor = relay.admit_secured(sock, address, certificate.context)
    if visitor is not None:
        nursery.start_soon(_secured, relay, visitor, partial(no_tls, str(listener.shown), visitor.host))
    return visitor is not None


async def _secured(relay: Relay, visitor: SecuredVisitor, no_tls: Callable[[str], object]) -> None:
    """A caller without TLS in time never comes in; meanwhile it counts like one inside."""
    within_s = relay.config.limits.handshake_s
    entered = False
    try:
        with trio.fail_after(within_s):
            await visitor.shake_hands(shared(), address_key(visitor.host))
        entered = True
        relay.enter_secured(visitor)
    except trio.TooSlowError:
        no_tls(f"took more than {within_s:g} s")
    except OSError as error:
        no_tls(str(getattr(error, "reason", None) or error))
    finally:
        if not entered:
            visitor.close()
