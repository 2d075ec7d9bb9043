"""Where handicap stones stand that are not placed freely.

Source: the Go Text Protocol, version 2 draft, section 4.1.1, and GNU Go where it says nothing (boards of 10 to 12).
"""

from __future__ import annotations

from typing import Final

LARGEST: Final = 9
"""Stones, fixed or free."""

_PLACES: Final = "SW NE NW SE W E S N C"
_ORDERS: Final = {
    count: _PLACES.split()[: count - count % 2] + (["C"] if count % 2 else []) for count in range(4, LARGEST + 1)
} | {2: ["SW", "NE"], 3: ["SW", "NE", "NW"]}
"""By the number of stones. An odd one has its last in the middle, except three."""


def most(size: int) -> int:
    """How many stones have a fixed place: four corners from 7x7, nine points on odd boards from 9x9."""
    if size < 7:
        return 0
    return LARGEST if size >= 9 and size % 2 else 4


def fixed(size: int, count: int) -> list[int]:
    """The points of ``count`` stones, at most ``most``, rising; none for none."""
    edge = 3 if size > 11 else 2
    columns = {"W": edge, "E": size - 1 - edge}
    rows = {"N": edge, "S": size - 1 - edge}
    middle = size // 2
    return sorted(
        next((rows[c] for c in place if c in rows), middle) * size
        + next((columns[c] for c in place if c in columns), middle)
        for place in _ORDERS.get(count, [])
    )
