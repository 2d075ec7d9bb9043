"""The board as the text that showboard answers with: letters and numbers around it, X for Black, O for White.

Not here: anything but drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.gtp.vertices import LARGEST, LETTERS

_STONES: Final = {"black": "X", "white": "O"}


def diagram(board: Mapping[int, str], size: int) -> str:
    """Row 1 at the bottom; no line of it is empty, for that would end the answer."""
    size = min(size, LARGEST)
    letters = "   " + " ".join(LETTERS[:size])
    rows = [
        f"{size - y:2} " + " ".join(_STONES.get(board.get(y * size + x, ""), ".") for x in range(size)) + f" {size - y}"
        for y in range(size)
    ]
    return "\n".join([letters, *rows, letters])
