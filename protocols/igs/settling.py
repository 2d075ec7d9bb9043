"""The dead stones, when both have passed: named, restored, and proposed as they are by ``done``.

The server keeps a claim of each player's; these clients know one common list. What a player names or restores is said
to the other in words, which both fold into the same list, with what a player of another dialect claims. ``done`` claims
that list: equal claims end the game. A claim of the peer's own that its list outgrows is withdrawn, but made anew where
an engine has counted so: programs for NNGS say ``done`` once, be it before the engine has counted or behind that.
"""

from __future__ import annotations

from protocols.core.commands import Command, Decline, MarkDead, Say
from protocols.core.proposals import Score
from protocols.igs.desk import INFO, Desk
from protocols.igs.seen import REMOVING, RESTORED, Seen


class Settling:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def remove(self, seen: Seen, vertex: str) -> list[Command]:
        """Name the string at a vertex dead; one that is named already stays so."""
        return [] if seen.string_of(vertex) <= seen.removed else [Say("players", f"{REMOVING}{vertex.upper()}")]

    def restore(self, seen: Seen) -> list[Command]:
        """Name all stones alive."""
        return [Say("players", RESTORED)]

    def done(self, seen: Seen) -> list[Command]:
        """Claim what has been named."""
        return [MarkDead(tuple(sorted(seen.removed)))]

    def follow(self, seen: Seen, before: frozenset[int]) -> None:
        """Tell what has become of the list ``before``, and withdraw the own claim where it is not the list any more."""
        now = seen.removed
        if not seen.settling or now == before:
            return
        for vertex in seen.strings(now - before):
            self._desk.tell(INFO, f"{REMOVING}{vertex}")
        if before - now:
            self._desk.tell(INFO, f"{RESTORED}.")
            for vertex in seen.strings(now) if now - before == frozenset() else []:
                self._desk.tell(INFO, f"{REMOVING}{vertex}")
        mine, theirs = seen.mine(Score), seen.theirs(Score)
        if mine is None or frozenset(mine.dead) == now:
            return
        counted = theirs is not None and theirs.program and frozenset(theirs.dead) == now
        self._desk.later += self.done(seen) if counted else [Decline(Score.__name__)]
