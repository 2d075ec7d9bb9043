"""Reads values of settings: texts of the environment, scalars of a file, durations, files of secrets."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from protocols.core.errors import BoardgateError

SWITCH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
NEVER: Final = "never"

_WRITTEN: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", re.ASCII)


class BadSetting(BoardgateError):
    """A setting that does not exist or makes no sense. The text names where it stands, the key and the value."""


def unknown(where: str, key: str, known: Iterable[str]) -> BadSetting:
    """The refusal of an unknown key, with the nearest one that exists, or all of them when none is near."""
    names = list(known)
    near = get_close_matches(key, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    return BadSetting(f"{where}: there is no setting {key}; {hint}")


def first_line(file: str, where: str) -> str:
    """The first line of a file that holds a secret. BadSetting, which begins with ``where``: it cannot be read."""
    try:
        return Path(file).read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{where} {file}: {error}") from None


def duration(text: str) -> float | None:
    """Seconds of a written duration; None for "never". ValueError shows what is not one."""
    if text == NEVER:
        return None
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError(f'{text!r} is no duration; write "500ms", "60s", "10m", "6h", "2d" or "never"')
    return float(found[1]) * UNITS[found[2]]


def written(seconds: float | None) -> str:
    """The shortest way to write a duration: the largest unit that leaves a whole number."""
    if seconds is None:
        return NEVER
    for unit in ("d", "h", "m", "s"):
        if seconds and seconds % UNITS[unit] == 0:
            return f"{int(seconds / UNITS[unit])}{unit}"
    return "0s" if not seconds else f"{seconds * 1000:.15g}ms"


def key_of(entry: Field[Any]) -> str:
    """The name of a setting in files: durations are written without their unit."""
    return entry.name.removesuffix("_s")


def section_of(section: Any, part: Mapping[str, Any], where: str) -> Any:
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
    if not isinstance(written, str) or not (written or entry.metadata.get("optional")):
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


def texts(options: Mapping[str, Any], where: str) -> dict[str, str]:
    """Options as texts, the same from a file and from the command line."""
    for key, written in options.items():
        if not isinstance(written, (str, int, float)):
            raise BadSetting(f"{where}: option {key} is neither a text nor a number")
    return {key: str(text).lower() if isinstance(text, bool) else str(text) for key, text in options.items()}
