"""Gives memory back to the system after a burst of connections: glibc keeps what was freed until it is asked for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final

import structlog

BURST: Final = 500
"""Connections that have ended, of those there were at once, until it is worth to look: some megabytes."""

CALM_S: Final = 10.0
"""Seconds without a new most until memory is given back: in the middle of a burst it would be taken again at once."""

_log = structlog.get_logger()


def trim() -> None:
    """glibc's ``malloc_trim``; nothing where the C library has none. It takes some two milliseconds after a burst."""
    function = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if function is not None:
        function(0)


class MemoryRelease:
    """``look`` is called now and then with how many connections there are; ``give`` is called once after each burst."""

    def __init__(self, give: Callable[[], None] = trim) -> None:
        self._give = give
        self._most = 0
        self._since = 0.0

    def look(self, now: float, inside: int) -> None:
        """``inside`` connections at ``now``, in seconds."""
        if inside > self._most:
            self._most, self._since = inside, now
        elif self._most - inside >= max(BURST, self._most // 2) and now - self._since >= CALM_S:
            _log.debug("memory is given back", connections=inside, before=self._most)
            self._give()
            self._most, self._since = inside, now
