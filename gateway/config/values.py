"""Values of settings: a text from the environment, or any scalar from a file, to what a section's field holds.

Not here: where they come from (source.py), which settings there are (model.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, fields, replace
from typing import Any, Final, get_args, get_type_hints

from gateway.config.durations import duration
from gateway.config.errors import BadSetting, unknown

SWITCH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


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
    """Options as texts: whoever reads them finds the same from a file and from the command line."""
    for key, written in options.items():
        if not isinstance(written, (str, int, float)):
            raise BadSetting(f"{where}: option {key} is neither a text nor a number")
    return {key: str(text).lower() if isinstance(text, bool) else str(text) for key, text in options.items()}
