"""A game whose play has stopped: which stones are marked as dead just now, and what the board is worth so.

What is shown as marked is what a player can agree to: the other side's proposal replaces the marks made here. Not here:
messages, and who has proposed what (mirror.py, offers.py). Pure.
"""

from __future__ import annotations

from gateway.clients import offers
from gateway.clients.reckoning import Reckoning


class Settling:
    """``going_on`` while the players settle; ``marked`` are the squares of stones marked as dead."""

    def __init__(self, rules: Reckoning) -> None:
        self.going_on = False
        self.marked: frozenset[int] = frozenset()
        self._rules = rules

    def begin(self) -> None:
        """Play has stopped: nothing is marked."""
        self.going_on, self.marked = True, frozenset()

    def close(self) -> None:
        """It is settled, or play goes on."""
        self.going_on, self.marked = False, frozenset()

    def turn(self, square: int) -> None:
        """Mark the whole string that stands on this square, or take its mark away; nothing on an empty square."""
        string = frozenset(self._rules.string(square))
        self.marked = self.marked - string if string <= self.marked else self.marked | string

    def said(self, word: str) -> None:
        """Somebody proposes these stones."""
        self.marked = frozenset(offers.dead_of(word) or ())

    def word(self) -> str:
        """The word that proposes what is marked."""
        return " ".join(["dead", *map(str, sorted(self.marked))])

    def worth(self) -> str:
        """How the game ends so ("B+3.5"); "" where that is not known for certain."""
        return self._rules.score(self.marked)
