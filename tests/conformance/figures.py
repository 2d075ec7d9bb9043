"""Reads GET /metrics as numbers, and waits for expected values, without project code."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final, TypeVar
from urllib.request import urlopen

PATIENCE_S: Final = 30.0
"""Seconds until what should be shown counts as missing: far beyond anything a loaded machine needs."""

LOOK_S: Final = 0.1

Figures = dict[tuple[str, ...], float]
"""By name and then the values of the labels."""

Seen = TypeVar("Seen")


def figures(port: int) -> Figures:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE_S) as answer:
        return numbers(answer.read().decode())


def numbers(text: str) -> Figures:
    """What the server has answered to that."""
    found = {}
    for line in [line for line in text.splitlines() if not line.startswith("#")]:
        name, value = line.rsplit(" ", 1)
        found[name.partition("{")[0], *re.findall(r'="([^"]*)"', name)] = float(value)
    return found


def until(look: Callable[[], Seen], wanted: Callable[[Seen], bool], patience_s: float = PATIENCE_S) -> Seen:
    """Look again and again until what is seen is what is wanted; that."""
    deadline = time.monotonic() + patience_s
    while not wanted(seen := look()):
        assert time.monotonic() < deadline, f"after {patience_s:g} s still {seen}"
        time.sleep(LOOK_S)
    return seen
