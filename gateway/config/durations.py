"""Durations as people write them ("500ms", "60s", "10m", "6h", "2d", "never") to seconds and back.

Not here: time controls of a game, which every dialect writes in its own way.
"""

from __future__ import annotations

import re
from typing import Final

UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
NEVER: Final = "never"

_WRITTEN: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", re.ASCII)


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
