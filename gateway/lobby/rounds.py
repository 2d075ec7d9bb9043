"""Pairs engines that play game after game: opponents near in rating, with a little chance, and not the same again.

A round is drawn now and then among those who wait. Each has its rating and a chance added to it, whose range is as wide
as the widest gap between two of them needs; neighbours by the sum play each other. Who met somebody last meets
him again only when both have rested, or quick ones would play each other for ever. Source: the public server of CGOS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gateway.lobby.party import folded

RANGE_LEAST: Final = 500.0
"""Points of chance at least: half of a class of players."""

GAPS: Final = 1.5
"""How many times the widest gap the chance is, so that nobody is left alone at an end."""

MOST_KNOWN: Final = 10_000
"""Players whose last opponent is remembered; of more, the oldest is forgotten."""


@dataclass(frozen=True, slots=True)
class Waits:
    """A player who waits for a round: the number of its connection, its name, rating, and whether it has rested.

    ``blocks`` are the names, folded, from which a block keeps it apart.
    """

    number: int
    name: str
    rating: float
    rested: bool = False
    blocks: frozenset[str] = frozenset()

    def apart(self, other: Waits) -> bool:
        """True if a block keeps the two apart."""
        return folded(other.name) in self.blocks or folded(self.name) in other.blocks


class Rounds:
    """Draws rounds, and remembers who met whom last. ``chance`` gives numbers from 0 to 1."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._last: dict[str, str] = {}

    def drawn(self, waiting: Iterable[Waits]) -> list[tuple[Waits, Waits]]:
        """The pairs of a round; who is in none waits for the next one."""
        by_rating = sorted(waiting, key=lambda one: (one.rating, one.number))
        gap = max((above.rating - below.rating for below, above in pairwise(by_rating)), default=0.0)
        spread = max(RANGE_LEAST, GAPS * gap)
        sums = {one.number: one.rating + spread * self._chance() for one in by_rating}
        left, pairs = sorted(by_rating, key=lambda one: sums[one.number]), []
        while len(left) > 1:
            one = left.pop(0)
            if (at := self._opponent(one, left)) is not None:
                pairs.append((one, left.pop(at)))
        for one, other in pairs:
            self._met(one.name, other.name)
            self._met(other.name, one.name)
        return pairs

    def forget(self, name: str) -> None:
        """A player has met somebody else since."""
        self._last.pop(name, None)

    def _opponent(self, one: Waits, others: Sequence[Waits]) -> int | None:
        """The place of the nearest whom it has not met last; else of the nearest to meet again, if both have rested."""
        may = [at for at, other in enumerate(others) if not one.apart(other)]
        fresh = (at for at in may if not self._have_met(one, others[at]))
        again = (at for at in may if one.rested and others[at].rested)
        return next(fresh, next(again, None))

    def _have_met(self, one: Waits, other: Waits) -> bool:
        return self._last.get(one.name) == other.name or self._last.get(other.name) == one.name

    def _met(self, name: str, other: str) -> None:
        self._last.pop(name, None)
        self._last[name] = other
        if len(self._last) > MOST_KNOWN:
            del self._last[next(iter(self._last))]
