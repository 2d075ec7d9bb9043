"""Says in a person's words which pool of ratings is meant: "Chess", "Chess, Atomic, with engines", "Go, 9x9"."""

from __future__ import annotations

from typing import Final

from gateway import registry
from gateway.ratings.pools import BY_BOARD, ENGINES, MIXED, TABLES

WHO: Final = {TABLES: "three and more players", MIXED: "with engines", ENGINES: "engines alone"}
"""The ends of pools' names."""


def pool_title(pool: str) -> str:
    """The game, the rule set where it is not the usual one, and who plays; a pool of a game that is not installed here
    keeps its name."""
    game, *rest = pool.split("/")
    known = registry.games().get(game)
    if known is None or not rest:
        return pool
    kind, *ends = rest
    if game in BY_BOARD:
        rules = [f"{kind}x{kind}"]
    else:
        rules = [] if kind == known.variants[0].name else [known.guide.title(kind)]
    return ", ".join([known.title, *rules, *(WHO.get(f"/{end}", end) for end in ends)])
