"""Loads the settings: command line over environment over file over defaults, into one Config.

A setting in the environment is BOARDGATE_SECTION_KEY; listeners are BOARDGATE_LISTEN, separated by blanks, engines
are BOARDGATE_BOT, separated by semicolons. Variables of other names that begin with BOARDGATE_ are left alone, for
Kubernetes sets some for a service of that name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from gateway.config.engine_bots import engine_bots, parse_engine_bots
from gateway.config.listeners import Listen, parse_address, parse_listener
from gateway.config.model import LISTS, Config
from gateway.config.values import BadSetting, first_line, section_of, texts, unknown

DEFAULT_FILE: Final = Path("boardgate.toml")
PREFIX: Final = "BOARDGATE_"
LISTEN_KEYS: Final = ("dialect", "address", "game", "options")

_WITH_USER: Final = re.compile(r"(?P<scheme>[a-z0-9+]+://)(?P<user>[^:@/?#]+)(?P<rest>@.*)", re.ASCII | re.DOTALL)
"""A database's URL with a user and no password (RFC 3986, 3.2.1, userinfo)."""


def load(
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    data: str | None = None,
    listen: Sequence[str] = (),
    workers: int | None = None,
) -> Config:
    """The settings of this server. ``data``, ``listen`` and ``workers`` are the command line's.

    ``file`` None reads ./boardgate.toml where it exists. BadSetting names what is wrong and where it stands; OSError
    for a file that cannot be read.
    """
    config = Config()
    if file is not None or DEFAULT_FILE.exists():
        config = _of_file(config, file or DEFAULT_FILE)
    config = _of_environment(config, environ or {})
    if data is not None:
        config = replace(config, server=replace(config.server, data=data))
    if workers is not None:
        config = replace(config, server=section_of(config.server, {"workers": workers}, "command line,"))
    if listen:
        config = replace(config, listen=tuple(parse_listener(text) for text in listen))
    if file_of_password := config.server.database_password_file:
        url = with_password(config.server.database, file_of_password)
        config = replace(config, server=replace(config.server, database=url))
    return config


def sections(config: Config) -> dict[str, Any]:
    """The sections by name, in the order people read them; listeners and engines are none."""
    return {entry.name: getattr(config, entry.name) for entry in fields(config) if entry.name not in LISTS}


def _of_file(config: Config, file: Path) -> Config:
    try:
        tree = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file}: not TOML: {error}") from None
    known = sections(config)
    changed: dict[str, Any] = {}
    for name, part in tree.items():
        if name == "listen":
            changed["listen"] = _listeners(part, str(file))
        elif name == "bot":
            changed["bot"] = engine_bots(part, str(file))
        elif name not in known:
            raise unknown(str(file), name, [*known, *LISTS])
        elif not isinstance(part, dict):
            raise BadSetting(f"{file}: {name} is a section; write [{name}] on a line of its own")
        else:
            changed[name] = section_of(known[name], part, f"{file}: [{name}]")
    return replace(config, **changed)


def _of_environment(config: Config, environ: Mapping[str, str]) -> Config:
    changed: dict[str, Any] = {}
    for name, section in sections(config).items():
        prefix = f"{PREFIX}{name.upper()}_"
        part = {key.removeprefix(prefix).lower(): text for key, text in environ.items() if key.startswith(prefix)}
        changed[name] = section_of(section, part, f"environment, {prefix}*")
    if written := environ.get(f"{PREFIX}LISTEN", "").split():
        changed["listen"] = tuple(parse_listener(text) for text in written)
    if engines := environ.get(f"{PREFIX}BOT", "").strip():
        changed["bot"] = parse_engine_bots(engines, f"{PREFIX}BOT")
    return replace(config, **changed)


def _listeners(part: Any, where: str) -> tuple[Listen, ...]:
    if not isinstance(part, list) or not all(isinstance(entry, dict) for entry in part):
        raise BadSetting(f"{where}: listen is a list; begin each listener with a line [[listen]]")
    return tuple(_listener(entry, f"{where}: [[listen]] number {number}") for number, entry in enumerate(part, 1))


def _listener(part: Mapping[str, Any], where: str) -> Listen:
    for key in part:
        if key not in LISTEN_KEYS:
            raise unknown(where, key, LISTEN_KEYS)
    dialect, address = part.get("dialect"), part.get("address")
    if not isinstance(dialect, str) or not isinstance(address, str) or not dialect:
        raise BadSetting(f"{where}: dialect and address are needed, as texts")
    written = part.get("options", {})
    if not isinstance(written, dict):
        raise BadSetting(f"{where}: options is a section; write [listen.options]")
    game = {"game": part["game"]} if "game" in part else {}
    if game and "game" in written:
        raise BadSetting(f"{where}: game is given twice")
    try:
        return Listen(dialect, *parse_address(address), texts({**game, **written}, where))
    except BadSetting as error:
        raise BadSetting(f"{where}: {error}" if where not in str(error) else str(error)) from None


def with_password(url: str, file: str) -> str:
    """The URL of a database with the first line of ``file`` as its user's password. No error shows the password.

    BadSetting: the file cannot be read or is empty, or the URL has no user, or a password already.
    """
    found = _WITH_USER.fullmatch(url)
    if found is None:
        raise BadSetting(
            "[server] database_password_file: database must name a user and no password, as in "
            "postgresql+psycopg://user@host/name"
        )
    password = first_line(file, "[server] database_password_file")
    if not password:
        raise BadSetting(f"[server] database_password_file {file}: its first line is empty")
    return f"{found['scheme']}{found['user']}:{quote(password, safe='')}{found['rest']}"
