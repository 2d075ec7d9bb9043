"""The dead stones, when both have passed: named, restored, and proposed as they are by ``done``.

The server keeps a claim of each player's; these clients know one common list. What a player names or restores is said
to the other in words, which both fold into the same list, with what a player of another dialect claims. ``done`` claims
that list: equal claims end the game. A claim of the peer's own that its list outgrows is withdrawn, but made anew where
an engine has counted so: programs for NNGS say ``done`` once, be it before the engine has counted or behind that.
"""

from __future__ import annotations

from collections.abc import Collection

from protocols.core.commands import Command, Decline, MarkDead, Say
from protocols.core.proposals import Score
from protocols.igs.desk import INFO, REMOVED, Desk
from protocols.igs.seen import REMOVING, RESTORED, Seen


class Settling:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def remove(self, seen: Seen, vertex: str) -> list[Command]:
        """Name the string at a vertex dead; one that is named already stays so, as qGo waits to hear."""
        squares = seen.string_of(vertex)
        if squares <= seen.removed:
            self.tell(seen, squares, self._desk.name)
            return []
        return [Say("players", f"{REMOVING}{vertex.upper()}")]

    def restore(self, seen: Seen) -> list[Command]:
        """Name all stones alive."""
        return [Say("players", RESTORED)]

    def done(self, seen: Seen) -> list[Command]:
        """Claim what has been named."""
        return [MarkDead(tuple(sorted(seen.removed)))]

    def score(self, seen: Seen) -> list[Command]:
        """Tell the points of both as the stones are named so far."""
        black, white = seen.counted()
        self._desk.tell(INFO, f"As the stones are named now: White {white:.1f}, Black {black:.1f}.")
        return []

    def tell(self, seen: Seen, squares: Collection[int], name: str) -> None:
        """Tell that these stones are dead, as ``name`` says: some clients read the one line, some the other."""
        for vertex in seen.strings(squares):
            self._desk.tell(INFO, f"{REMOVING}{vertex}")
            self._desk.tell(REMOVED, f"Game {seen.number} {self._desk.alias(name)} is removing @ {vertex}")

    def follow(self, seen: Seen, before: frozenset[int], name: str) -> None:
        """Tell what has become of the list ``before`` by ``name``, and withdraw the own claim that it is no more."""
        now = seen.removed
        if not seen.settling or now == before:
            return
        self.tell(seen, now - before, name)
        if before - now:
            self._desk.tell(INFO, f"{RESTORED}.")
            if not now - before:
                self.tell(seen, now, name)
        mine, theirs = seen.mine(Score), seen.theirs(Score)
        if mine is None or frozenset(mine.dead) == now:
            return
        counted = theirs is not None and theirs.program and frozenset(theirs.dead) == now
        self._desk.later += self.done(seen) if counted else [Decline(Score.__name__)]
