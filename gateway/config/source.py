"""Where settings come from: command line over environment over file over defaults, into one Config.

A setting in the environment is BOARDGATE_SECTION_KEY; listeners are BOARDGATE_LISTEN, separated by blanks. Variables of
other names that begin with BOARDGATE_ are left alone, for Kubernetes sets some for a service of that name.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from gateway.config.durations import duration
from gateway.config.errors import BadSetting, unknown
from gateway.config.listeners import Listen, parse_address, parse_listener
from gateway.config.model import Config

DEFAULT_FILE: Final = Path("boardgate.toml")
PREFIX: Final = "BOARDGATE_"
LISTEN_KEYS: Final = ("dialect", "address", "game", "options")
SWITCH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def load(
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    data: str | None = None,
    listen: Sequence[str] = (),
) -> Config:
    """The settings of this server. ``data`` and ``listen`` are the command line's.

    ``file`` None reads ./boardgate.toml where it exists. BadSetting names what is wrong and where it stands; OSError
    for a file that cannot be read.
    """
    config = Config()
    if file is not None or DEFAULT_FILE.exists():
        config = _of_file(config, file or DEFAULT_FILE)
    config = _of_environment(config, environ or {})
    if data is not None:
        config = replace(config, server=replace(config.server, data=data))
    if listen:
        config = replace(config, listen=tuple(parse_listener(text) for text in listen))
    return config


def key_of(entry: Field[Any]) -> str:
    """The name of a setting in files: durations are written without their unit."""
    return entry.name.removesuffix("_s")


def sections(config: Config) -> dict[str, Any]:
    """The sections by name, in the order people read them; listeners are not one."""
    return {entry.name: getattr(config, entry.name) for entry in fields(config) if entry.name != "listen"}


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
        elif name not in known:
            raise unknown(str(file), name, [*known, "listen"])
        elif not isinstance(part, dict):
            raise BadSetting(f"{file}: {name} is a section; write [{name}] on a line of its own")
        else:
            changed[name] = _section(known[name], part, f"{file}: [{name}]")
    return replace(config, **changed)


def _of_environment(config: Config, environ: Mapping[str, str]) -> Config:
    changed: dict[str, Any] = {}
    for name, section in sections(config).items():
        prefix = f"{PREFIX}{name.upper()}_"
        part = {key.removeprefix(prefix).lower(): text for key, text in environ.items() if key.startswith(prefix)}
        changed[name] = _section(section, part, f"environment, {prefix}*")
    if written := environ.get(f"{PREFIX}LISTEN", "").split():
        changed["listen"] = tuple(parse_listener(text) for text in written)
    return replace(config, **changed)


def _section(section: Any, part: Mapping[str, Any], where: str) -> Any:
    """The section with the settings of ``part`` put in."""
    known = {key_of(entry): entry for entry in fields(section)}
    hints = get_type_hints(type(section))
    changed = {}
    for key, written in part.items():
        if key not in known:
            raise unknown(where, key, known)
        entry = known[key]
        try:
            changed[entry.name] = _value(entry, hints[entry.name], written)
        except ValueError as error:
            raise BadSetting(f"{where} {key}: {error}") from None
    return replace(section, **changed)


def _value(entry: Field[Any], kind: Any, written: Any) -> Any:
    """The setting's value of what is written: a text from the environment, any scalar from a file."""
    if entry.name.endswith("_s"):
        return _seconds(entry, kind, written)
    if kind is bool:
        return _switch(written)
    if kind in (int, float):
        return _number(entry, kind, written)
    if not isinstance(written, str) or not written:
        raise ValueError(f"{written!r} is not a text in quotes")
    if (choices := get_args(kind)) and written not in choices:
        raise ValueError(f"{written!r} is none of {', '.join(choices)}")
    return written


def _seconds(entry: Field[Any], kind: Any, written: Any) -> float | None:
    seconds = duration(written if isinstance(written, str) else str(written))
    if seconds is None and kind is float:
        raise ValueError('"never" is not possible here')
    if seconds is not None and seconds < entry.metadata["least"]:
        raise ValueError(f"{written!r} is less than {entry.metadata['least']} s")
    return seconds


def _number(entry: Field[Any], kind: type[int] | type[float], written: Any) -> float:
    try:
        number = kind(written) if isinstance(written, (str, int, kind)) and not isinstance(written, bool) else None
    except ValueError:
        number = None
    if number is None or not math.isfinite(number):
        raise ValueError(f"{written!r} is not a {'whole number' if kind is int else 'number'}")
    least, most = entry.metadata["least"], entry.metadata["most"]
    if not least <= number <= most:
        raise ValueError(f"{number} is {f'less than {least}' if number < least else f'more than {most}'}")
    return number


def _switch(written: Any) -> bool:
    found = SWITCH.get(str(written).lower()) if isinstance(written, (bool, str)) else None
    if found is None:
        raise ValueError(f"{written!r} is neither true nor false")
    return found


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
        return Listen(dialect, *parse_address(address), dict(_options({**game, **written}.items(), where)))
    except BadSetting as error:
        raise BadSetting(f"{where}: {error}" if where not in str(error) else str(error)) from None


def _options(pairs: Iterable[tuple[str, Any]], where: str) -> Iterable[tuple[str, str]]:
    """Options as texts: what a dialect reads is the same from a file and from the command line."""
    for key, written in pairs:
        if not isinstance(written, (str, int, float)):
            raise BadSetting(f"{where}: option {key} is neither a text nor a number")
        yield key, str(written).lower() if isinstance(written, bool) else str(written)
