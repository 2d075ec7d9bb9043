"""The names of chess variants as XBoard writes them, and which game here plays each.

Not here: their rules. Source: the variants of XBoard 4.9.
"""

from __future__ import annotations

from typing import Final

from protocols.chess_p2p.table import RULES

OPEN: Final = "open"
"""The game without rules, for variants that the other one does not have."""

JUDGED: Final = frozenset(
    (
        "normal",
        "fischerandom",
        "crazyhouse",
        "atomic",
        "3check",
        "suicide",
        "giveaway",
        "kingofthehill",
        "racingkings",
        "horde",
    )
)
"""The variants that are played with rules here."""

OTHERS: Final = frozenset(
    (
        "any",
        "asean",
        "berolina",
        "capablanca",
        "caparandom",
        "chu",
        "courier",
        "cylinder",
        "falcon",
        "gothic",
        "grand",
        "great",
        "janus",
        "knightmate",
        "kriegspiel",
        "lion",
        "losers",
        "makruk",
        "nocastle",
        "seirawan",
        "shatranj",
        "shogi",
        "spartan",
        "super",
        "twokings",
        "wildcastle",
        "xiangqi",
    )
)
"""The variants that are played without rules here."""


def game_of(variant: str) -> str | None:
    """The game whose table plays this variant; None for a name that no table knows."""
    if variant in JUDGED:
        return RULES
    return OPEN if variant in OTHERS else None
