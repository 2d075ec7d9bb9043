"""The relay's listeners: their sockets and options, and TLS's handshakes."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import trio

from gateway.admission.fair_throttle import shared
from gateway.config import BadSetting, Listen
from gateway.net.addresses import address_key
from gateway.net.listening import OpenListener, opened
from gateway.net.proxy_reader import PROXY_OPTIONS, ProxyReader
from gateway.net.sockets import Enter, Opening, open_socket, take_in
from gateway.net.tls import TLS_OPTIONS, Certificate
from gateway.relay.relay import Relay
from gateway.relay.secured import SecuredVisitor

RELAY: Final = "relay"
"""Such a listener's name in the settings: it is not a dialect of tables."""

OPTIONS: Final = {"wire_log": "yes: write every joined pair's bytes as a transcript", **TLS_OPTIONS, **PROXY_OPTIONS}
"""Name to one line of help."""

NoTls = Callable[[str, str, str], object]
"""Told of a failed TLS handshake: at which listener, from which host, and why."""


def open_relay_listener(listen: Listen, opening: Opening = open_socket) -> OpenListener:
    """BadSetting says what is wrong with its address, options or certificate."""
    for key in listen.options:
        if key not in OPTIONS:
            raise BadSetting(f"listener {listen}: {RELAY} has no option {key!r}; it has {', '.join(OPTIONS)}")
    return opened(listen, opening)


async def accept(relay: Relay, listener: OpenListener, no_tls: NoTls, proxies: ProxyReader | None = None) -> None:
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
    listener: OpenListener,
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
