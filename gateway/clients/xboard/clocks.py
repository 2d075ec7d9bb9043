"""The GUI's clock beside the one that decides: the peer's, which at a server is the table's.

A GUI's clock cannot be set by an engine; its user is told when the two are far apart. Not here: who is out of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DRIFT_S: Final = 10.0
"""Seconds by which the clocks may differ more than when the user was told last."""


@dataclass(slots=True)
class Clocks:
    """``user`` is what the GUI showed for its user last, in centiseconds; None where it never said so."""

    user: int | None = None
    told_s: float = 0.0

    def compared(self, left: int) -> str:
        """What to tell the user of the clock at the other end, which shows ``left`` centiseconds; "" for nothing."""
        drift_s = abs((left if self.user is None else self.user) - left) / 100
        if drift_s <= self.told_s + DRIFT_S:
            return ""
        self.told_s = drift_s
        return f"By the other end's clock you have {left / 100:.0f} seconds left."
