"""The page that says how to connect a program: every dialect's commands with this server's hosts and ports, to copy.

A dialect declares its own words (``Dialect.connecting``). Listeners are shown as they were opened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.accounts.registering import LOCAL
from gateway.config import Listen
from gateway.net.addresses import address_key, is_loopback
from gateway.net.listening import PROXY
from gateway.net.proxy_reader import PROXY_PROTOCOL
from gateway.net.tls import CERT, TLS_OPTIONS
from gateway.relay.listen import RELAY
from gateway.web.pages.frame import Frame
from protocols.core.dialect import Connecting, Dialect

HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?", re.ASCII)
"""The form a Host header must have before a page repeats it."""

RELAYED: Final = Connecting(
    "Two programs without a game server",
    "Programs that cannot reach each other, behind routers or firewalls, are joined by a code. "
    "This server carries their bytes, and cannot read what helpers say.",
    (
        ("Get a code, and tell it to your friend", "boardgate relay open --server {http}"),
        ("A program here", "boardgate relay CODE --server {address} -- gnugo --mode gtp"),
        ("Its opponent there", 'gogui -program "boardgate relay CODE --server {address}"'),
    ),
)
"""The relay is no dialect of tables, so its words stand here."""


AT_ONCE: Final = 4
"""Commands of a port that are shown at once; the others are folded under the names of their programs."""


@dataclass(frozen=True, slots=True)
class Port:
    """A listener: where it is, the commands for it, and what is special about it."""

    address: str
    commands: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """The commands that are shown at once."""
        return self.commands[:AT_ONCE]

    @property
    def folded(self) -> tuple[tuple[str, str], ...]:
        """The others."""
        return self.commands[AT_ONCE:]

    @property
    def further(self) -> str:
        """The programs of the others."""
        return ", ".join(dict.fromkeys(program(label) for label, _ in self.folded))


@dataclass(frozen=True, slots=True)
class Way:
    """A dialect with its ports. ``name`` is the dialect's, ``games`` the titles of what can be played over it.

    ``untried`` are programs that should connect as well.
    """

    name: str
    title: str
    text: str
    games: tuple[str, ...]
    every: bool
    ports: tuple[Port, ...]
    untried: tuple[str, ...] = ()


def connect_routes(frame: Frame, listening: Sequence[Listen], public_host: str) -> list[Route]:
    """``listening`` are the open listeners; ``public_host`` is the name that clients have for this machine."""

    async def page(request: Request) -> Response:
        here = host_of(request, public_host)
        http = f"{request.url.scheme}://{_asked(request) or here}"
        shut = bool(listening) and all(_is_shut(listen) for listen in listening)
        return frame.page(request, "connect.html", ways=ways(listening, here, http, shut=shut), shut=shut)

    return [Route("/connect", page, methods=["GET"])]


def ways(listening: Sequence[Listen], here: str, http: str, *, shut: bool = False) -> list[Way]:
    """Every dialect that has a listener, and those that HTTP carries; then the relay.

    ``shut``: no port can be reached from another machine, which the page says once for all.
    """
    by_dialect: dict[str, list[Listen]] = {}
    for listen in listening:
        by_dialect.setdefault(listen.dialect, []).append(listen)
    found = []
    for name, dialect in registry.dialects().items():
        if ports := by_dialect.get(name):
            found.append(_way(name, dialect, tuple(_port(listen, dialect, here, http, shut=shut) for listen in ports)))
        elif dialect.http is not None or dialect.carried:
            found.append(_way(name, dialect, (_by_http(dialect, here, http),)))
    for listen in by_dialect.get(RELAY, ()):
        words = _filled(RELAYED.commands, listen, here, http)
        port = Port(_address(listen, here), words, tuple(_remarks(listen, shut=shut)))
        found.append(Way(RELAY, RELAYED.title, RELAYED.text, (), True, (port,)))
    return found


def host_of(request: Request, public_host: str) -> str:
    """The host name for commands: the one that the host of this server has set, else the one the browser used."""
    if public_host != LOCAL:
        return public_host
    return _host_only(_asked(request)) or LOCAL


def _asked(request: Request) -> str:
    asked = request.headers.get("host", "")
    return asked if HOST.fullmatch(asked) else ""


def _host_only(asked: str) -> str:
    found = HOST.fullmatch(asked)
    return found[1] if found else ""


def _way(name: str, dialect: type[Dialect], ports: tuple[Port, ...]) -> Way:
    words = dialect.connecting or Connecting(name, "")
    games = registry.games()
    titles = tuple(game.title for game in games.values() if name in registry.dialects_for(game))
    return Way(name, words.title, words.text, titles, len(titles) == len(games), ports, words.untried)


def program(label: str) -> str:
    """The program that a command is labelled with, without what its label says of it."""
    return re.split(r"[,;:]| for ", label, maxsplit=1)[0]


def _port(listen: Listen, dialect: type[Dialect], here: str, http: str, *, shut: bool) -> Port:
    words = dialect.connecting or Connecting("", "")
    bound = "game" in listen.options
    commands = words.of_game if bound else words.commands
    usual = (("Host and port", "{address}"),)
    return Port(
        _address(listen, here), _filled(commands or usual, listen, here, http), tuple(_remarks(listen, shut=shut))
    )


def _by_http(dialect: type[Dialect], here: str, http: str) -> Port:
    address = http.partition("://")[2]
    host, _, port = address.rpartition(":")
    listen = Listen(dialect.name, host or address, int(port) if port.isdigit() else 80)
    words = dialect.connecting or Connecting("", "")
    return Port(address, _filled(words.commands, listen, here, http), ())


def _filled(commands: Sequence[tuple[str, str]], listen: Listen, here: str, http: str) -> tuple[tuple[str, str], ...]:
    """The commands with this server's own words in place of the names in braces."""
    game = listen.options.get("game", "")
    values = {
        "host": here.strip("[]"),
        "port": str(listen.port),
        "address": _address(listen, here),
        "http": http,
        "game": registry.game(game).title if game else "",
    }
    return tuple((_fill(what, values), _fill(line, values)) for what, line in commands)


def _fill(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _address(listen: Listen, here: str) -> str:
    return f"{here}:{listen.port}"


def _remarks(listen: Listen, *, shut: bool) -> list[str]:
    """A sentence that helps a person to choose this port."""
    unsaid = (*TLS_OPTIONS, PROXY_PROTOCOL, PROXY)
    options = {key: text for key, text in listen.options.items() if key not in unsaid}
    found = ["TLS"] if CERT in listen.options else []
    if game := options.pop("game", ""):
        found.append(registry.game(game).title)
    found += [f"{key} {text}" for key, text in options.items() if key != "wire_log"]
    if _is_shut(listen) and not shut:
        found.append("from the server's own machine only")
    return found


def _is_shut(listen: Listen) -> bool:
    """True if only the server's own machine reaches this port, and no proxy of it for others."""
    here = listen.host == LOCAL or is_loopback(address_key(listen.host))
    return here and listen.options.get(PROXY_PROTOCOL) != "yes"
