"""Opens listening sockets and accepts clients."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import structlog
import trio

from gateway import registry
from gateway.admission.admission import Admission
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import BadSetting, Config, Listen
from gateway.lobby.join_options import BOT, house_rules, options_of
from gateway.metrics import Metrics
from gateway.net.addresses import address_key
from gateway.net.log_limiter import LogLimiter
from gateway.net.proxy_reader import PROXY_OPTIONS, PROXY_PROTOCOL, ProxyReader
from gateway.net.sockets import Enter, Opening, open_socket, take_in
from gateway.net.tls import TLS_OPTIONS, Certificate, certificate
from gateway.sessions.peer import Peer, SocketPeer
from gateway.sessions.tls_peer import TlsPeer
from protocols.core.commands import Join
from protocols.core.dialect import Dialect
from protocols.core.model import HouseRules

_log = structlog.get_logger()

COMMON_OPTIONS: Final = {
    "game": "the game of this port, for clients that cannot ask for one",
    "bot_after": 'house bots take open seats so long after the first player sat down: "10s", "0s", "never"',
    "deserted": "the last person leaves a game: it waits for the seat's ticket (adjourn) or is lost (loss)",
    "observers_speak": "yes: those who look on may speak to the players, or no",
    "first_move": 'no clock runs during a player\'s first turn, for which the game waits so long: "30s", "never"',
    "wire_log": "yes: write every connection's conversation as a transcript",
    "wire_public": "yes: everybody may look at the bytes of its players, on the table's page",
    **TLS_OPTIONS,
    **PROXY_OPTIONS,
}
"""Options of every listener of a dialect: name to one line of help."""


@dataclass(slots=True)
class EntryPoint:
    """The dialect of a listener with its options, and the house rules of tables opened from it."""

    dialect: type[Dialect]
    options: Mapping[str, str]
    rules: HouseRules
    wire_log: bool = False
    wire_public: bool = False

    def reread(self, config: Config) -> None:
        """Give clients that come from now on the rules of these settings, but for those that its own options say."""
        self.rules = house_rules(self.asked, config.house_rules)

    @property
    def asked(self) -> Mapping[str, str]:
        """The options that it was opened with."""
        return self.options


@dataclass(slots=True, kw_only=True)
class Listener(EntryPoint):
    """One open listener, with its socket. ``certificate`` None: what is spoken there is not encrypted.

    ``proxy_protocol``: connections begin with a PROXY header.
    """

    sock: socket.socket
    shown: Listen = field(default=Listen("", "", 0))
    certificate: Certificate | None = None
    proxy_protocol: bool = False

    @property
    def asked(self) -> Mapping[str, str]:
        return self.shown.options


GREETING: Final = "greeting"
"""The option of dialects that greet: what the server calls itself, unless the listener says otherwise."""


def open_listener(
    listen: Listen, house: HouseRules, name: str = "", opening: Opening = open_socket, beside: Sequence[str] = ()
) -> Listener:
    """An open listener of the server called ``name``. BadSetting says what is unknown or makes no sense.

    ``beside`` are words that other listeners have where these have the name of a dialect.
    """
    dialect = registry.dialects().get(listen.dialect)
    if dialect is None or not dialect.public:
        by_name = (name for name, found in registry.dialects().items() if found.public)
        known = ", ".join(sorted((*by_name, *beside)))
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
                options_of(join, rules, lambda game: (BOT,))
    except Exception as error:
        raise BadSetting(f"listener {listen}: {error}") from None
    logged, public, proxied = (listen.switch(option) for option in ("wire_log", "wire_public", PROXY_PROTOCOL))
    secure = certificate(listen)
    sock, shown = opening(listen)
    return Listener(
        dialect,
        own,
        rules,
        wire_log=logged,
        wire_public=public,
        sock=sock,
        shown=shown,
        certificate=secure,
        proxy_protocol=proxied,
    )


class Acceptor:
    """Lets clients in at every listener. ``enter`` is given the listener, the peer and its address."""

    def __init__(
        self,
        admission: Admission,
        limiter: ConnectionLimiter,
        metrics: Metrics,
        lines: LogLimiter,
        proxies: ProxyReader,
        handshake_s: float,
        enter: Callable[[EntryPoint, Peer, str], None],
    ) -> None:
        self._admission = admission
        self._limiter = limiter
        self._metrics = metrics
        self._lines = lines
        self._proxies = proxies
        self._handshake_s = handshake_s
        self._enter = enter

    async def accept(self, listener: Listener) -> None:
        """Let clients in until cancelled; closes the listener's socket then."""
        self._metrics.expects(listener.dialect.name)
        async with trio.open_nursery() as nursery:

            def enter(sock: socket.socket, address: Any) -> bool:
                host = str(address[0])
                if not self._admission.admits(host):  # before anything is made that costs time
                    sock.close()
                    return False
                if listener.certificate is None:
                    self._enter(listener, SocketPeer(sock), host)
                else:
                    self._limiter.take(host)  # there is room, as has just been asked
                    secured = TlsPeer(SocketPeer(sock), listener.certificate.context, address_key(host))
                    nursery.start_soon(self._enter_secured, listener, secured, host)
                return True

            shown = str(listener.shown)
            first: Enter = enter
            if listener.proxy_protocol:
                first = self._proxies.before(enter, nursery, shown)
            await take_in(listener.sock, shown, first, self._lines)

    async def _enter_secured(self, listener: Listener, peer: TlsPeer, host: str) -> None:
        """A client that does not come to TLS in time never comes in; until then it counts like one inside."""
        secured = False
        try:
            secured = await self._secured(listener, peer, host)
        finally:
            self._limiter.release(host)
            if not secured:
                peer.close()
        if secured:
            self._enter(listener, peer, host)

    async def _secured(self, listener: Listener, peer: TlsPeer, host: str) -> bool:
        """True if there is TLS with this peer now; the log has the reason where there is none."""
        try:
            with trio.fail_after(self._handshake_s):
                await peer.shake_hands()
        except trio.TooSlowError:
            why = f"took more than {self._handshake_s:g} s"
        except OSError as error:
            why = str(getattr(error, "reason", None) or error)
        else:
            return True
        self._admission.no_tls(str(listener.shown), host, why)
        return False
