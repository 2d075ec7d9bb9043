"""Listeners in the settings: DIALECT=HOST:PORT[,KEY=VALUE...], and the listeners of a fresh install."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gateway.config.values import BadSetting

MAX_PORT: Final = 65535

_ADDRESS: Final = re.compile(r"(?:\[(?P<six>[^\[\]]+)\]|(?P<four>[^:\[\]\s]+)):(?P<port>\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Listen:
    """One listener. ``port`` 0 is any free port, ``host`` has no brackets, ``options`` are texts, "game" among them."""

    dialect: str
    host: str
    port: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """HOST:PORT, an IPv6 host in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def switch(self, option: str) -> bool:
        """True if this option is yes; it is no where nothing is said. BadSetting: it is neither."""
        written = self.options.get(option, "no")
        if written not in ("yes", "no"):
            raise BadSetting(f"listener {self}: {option} is yes or no, not {written!r}")
        return written == "yes"

    def line(self) -> str:
        """``listening DIALECT HOST:PORT [KEY=VALUE ...]``, which a server says of a listener that it has opened."""
        options = (f"{key}={text}" for key, text in self.options.items())
        return " ".join([f"listening {self.dialect} {self.address}", *options])

    def __str__(self) -> str:
        """The form of ``--listen``."""
        return ",".join([f"{self.dialect}={self.address}", *(f"{key}={text}" for key, text in self.options.items())])


DEFAULT_LISTENERS: Final = (
    Listen("http", "127.0.0.1", 8080),
    Listen("bogaprot", "127.0.0.1", 5700),
    Listen("bogaprot", "127.0.0.1", 5701, {"game": "ludo", "variant": "ggzboard", "width": "10"}),
    Listen("bogaprot", "127.0.0.1", 5702, {"game": "arimaa"}),
    Listen("ggzboard", "127.0.0.1", 5703, {"game": "checkers"}),
    Listen("ggzboard", "127.0.0.1", 5704, {"game": "hnefatafl", "variant": "ggzboard"}),
    Listen("chess-p2p", "127.0.0.1", 27015),
    Listen("miniature", "127.0.0.1", 5010),
    Listen("ics", "127.0.0.1", 5000),
    Listen("igs", "127.0.0.1", 6969),
    Listen("gtp-engine", "127.0.0.1", 5020),
    Listen("gtp-gui", "127.0.0.1", 5021),
    Listen("cgos", "127.0.0.1", 6819),
    Listen("relay", "127.0.0.1", 5030),
)


def parse_listener(text: str) -> Listen:
    """The listener written as DIALECT=HOST:PORT[,KEY=VALUE...]. BadSetting shows what is wrong with it."""
    where, *pairs = text.strip().split(",")
    dialect, equals, address = where.partition("=")
    if not equals or not dialect:
        raise BadSetting(f"listener {text!r}: write DIALECT=HOST:PORT[,KEY=VALUE...]")
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, option = pair.partition("=")
        if not equals or not key:
            raise BadSetting(f"listener {text!r}: {pair!r} is not KEY=VALUE")
        if key in options:
            raise BadSetting(f"listener {text!r}: {key} is given twice")
        options[key] = option
    return Listen(dialect, *parse_address(address), options)


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of HOST:PORT or [IPV6]:PORT."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise BadSetting(f"address {text!r}: write HOST:PORT, an IPv6 host in brackets as in [::1]:5700")
    port = int(found["port"])
    if port > MAX_PORT:
        raise BadSetting(f"address {text!r}: ports go up to {MAX_PORT}")
    return found["six"] or found["four"], port
