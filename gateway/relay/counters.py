"""Counters of the relay, as plain numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

REASONS: Final = (
    *("bad_line", "banned", "draining", "full", "guessing", "idle", "in_use", "late"),
    *("no_answer", "no_port", "over", "too_many", "unknown_code"),
)
"""Why something is refused."""


@dataclass(slots=True)
class Counters:
    """All since the start, but for ``rooms_now`` and ``pairs_now``. Bytes are those taken from a side and sent on."""

    rooms: int = 0
    rooms_now: int = 0
    pairs: int = 0
    """Joined by the relay; ``direct`` pairs needed it only to meet."""
    pairs_now: int = 0
    direct: int = 0
    passed_on: int = 0
    """Callers whose room another node has."""
    expired: int = 0
    """Rooms that no two ever met in."""
    bytes_from_first: int = 0
    bytes_from_second: int = 0
    refusals: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(REASONS, 0)))
    """By reason, all from the start: Prometheus does not see the first of something that was not there before."""
