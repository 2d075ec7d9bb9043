"""A table as a connection follows it, playing or looking on: what moves took, which were told, what is dead."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from protocols.core import events as ev
from protocols.core.notifications import ListedTable
from protocols.core.proposals import Score
from protocols.go_words.table import Table, result
from protocols.go_words.vertices import COLOURS, read_vertex, write_vertex, write_vertices
from protocols.go_words.wish import komi_of, wish_of
from protocols.igs import words
from protocols.igs.score import points, string

REMOVING: Final = "Removing @ "
RESTORED: Final = "Board is restored to what it was when you started scoring"
"""Words of players to each other on dead stones: it is what all clients here show, and it is in the record."""


@dataclass(slots=True)
class Seen(Table):
    """``number`` is the table's. ``taken`` are the stones that each move took, ``untold`` the first move not yet told,
    -1 before what stood there from the start has been.

    ``marks`` are stones that a player has called dead since play stopped; ``dismissed`` is the other side's claim as
    the board was restored. ``speaks``: onlookers may speak to the players.
    """

    number: int = 0
    taken: list[tuple[int, ...]] = field(default_factory=list)
    untold: int = -1
    marks: frozenset[int] = frozenset()
    dismissed: tuple[int, ...] = ()
    speaks: bool = False

    @property
    def carried(self) -> bool:
        """True if there are words for what is played here."""
        return self.settings is not None and words.carries(self.settings)

    def _house(self, event: ev.TableOpened) -> None:
        self.speaks = event.house.observers_speak

    def _began(self, event: ev.GameStarted) -> None:
        self._started(event)
        self.taken.clear()
        self.untold = -1

    def _moved(self, event: ev.MoveMade) -> None:
        self.taken.append(tuple(sorted(square for square, piece in event.changes if piece is None)))

    def _shorter(self, event: ev.MovesTakenBack) -> None:
        self._back(event)
        del self.taken[event.ply :]
        self.untold = min(self.untold, event.ply)

    def _stops(self, event: ev.GameSettling) -> None:
        self._settling(event)
        self.marks, self.dismissed = frozenset(), ()

    def _heard(self, event: ev.Said) -> None:
        """A player calls a string dead, or takes that back."""
        self._said(event)
        if event.seat is None or event.to != "players" or not self.settling:
            return
        if event.text == RESTORED:
            self.marks, self.dismissed = frozenset(), self._claimed()
        elif event.text.startswith(REMOVING):
            self.marks |= self._string(event.text.removeprefix(REMOVING))

    def _string(self, text: str) -> frozenset[int]:
        try:
            square = read_vertex(text, self.size)
        except ValueError:
            return frozenset()
        return frozenset() if square not in self.board else string(square, self.board, self.size)

    def _claimed(self) -> tuple[int, ...]:
        """The stones that were proposed as dead last, by the other side where there is an own one."""
        theirs = self.theirs(Score)
        return () if theirs is None else theirs.dead

    def _claims(self, event: ev.Proposed) -> None:
        """The other side claims anew what is dead, be it the same once more."""
        self._proposed(event)
        if isinstance(event.proposal, Score) and event.seat != self.seat:
            self.dismissed = ()

    @property
    def removed(self) -> frozenset[int]:
        """The stones that are called dead by either side."""
        claimed = self._claimed()
        return self.marks if claimed == self.dismissed else self.marks | set(claimed)

    def strings(self, squares: Collection[int]) -> list[str]:
        """One vertex for each string among these squares."""
        rest, found = set(squares), []
        for square in sorted(squares):
            if square in rest:
                rest -= string(square, self.board, self.size)
                found.append(write_vertex(square, self.size))
        return found

    def listed(self) -> ListedTable:
        """This game as lists have it: the stones on the board and the prisoners stand for the position."""
        assert self.settings is not None
        stones = "".join("XO"[piece == COLOURS[1]] for piece in self.board.values())
        brief = f"{stones} 0 {self.prisoners(0)}-{self.prisoners(1)}"
        return ListedTable(self.number, self.settings, True, tuple(self.names), (None, None), brief)

    # lines

    def heading(self, alias: Callable[[str], str], now: float | None = None) -> str:
        """The line before moves: who plays, and by seat the prisoners, the seconds and the stones left."""
        assert self.settings is not None
        told = []
        for seat in (1, 0):
            seconds, stones = words.left(self.settings, self.clock, seat, now)
            told.append(f"{alias(self.names[seat])} ({self.prisoners(seat)} {seconds} {stones})")
        return f"Game {self.number} I: {told[0]} vs {told[1]}"

    def prisoners(self, seat: int) -> int:
        """The stones that a seat has taken."""
        moves = zip(self.moves, self.taken, strict=True)
        return sum(len(squares) for made, squares in moves if made.seat == seat)

    @property
    def handicap(self) -> int:
        """The stones that stood there before the first move."""
        return len(self.start)

    def moves_told(self, first: int = -1) -> list[str]:
        """Lines of the moves from this one on; with -1 of the handicap stones, too, which are number 0."""
        told = []
        if first < 0 and self.handicap:
            told.append(f"{0:3}(B): Handicap {self.handicap}")
        for at in range(max(0, first), len(self.moves)):
            made = self.moves[at]
            where = "Pass" if made.move.target is None else write_vertex(made.move.target, self.size)
            took = write_vertices([square for square in self.taken[at] if square != made.move.target], self.size)
            told.append(f"{at + bool(self.handicap):3}({words.LETTERS[made.seat]}): {where} {took}".rstrip())
        return told

    def news(self) -> list[str]:
        """The moves that have not been told, which are told then."""
        first, self.untold = self.untold, len(self.moves)
        return self.moves_told(first)

    def undone(self, event: ev.MovesTakenBack, alias: Callable[[str], str]) -> list[str]:
        """Lines of the moves that are about to be taken back, the last one first."""
        black, white = map(alias, self.names)
        points = [made.move.target for made in reversed(self.moves[event.ply :])]
        where = ["Pass" if point is None else write_vertex(point, self.size) for point in points]
        return [f"Undo in game {self.number}: {white} vs {black}:  {each}" for each in where]

    def versus(self, alias: Callable[[str], str]) -> str:
        black, white = map(alias, self.names)
        return f"Game {self.number}: {white} vs {black}"

    def ended(self, alias: Callable[[str], str]) -> str:
        """The end in braces: "{Game 1: alice vs bob : White resigns.}"."""
        assert self.outcome is not None
        scored = self.scored()
        how = words.end(self.outcome) if scored is None else f"W {scored[1]:.1f} B {scored[0]:.1f}"
        return f"{{{self.versus(alias)} : {how}}}"

    def scored(self) -> tuple[float, float] | None:
        """Black's and White's points, which differ by what the server has counted; None for any other end."""
        if self.outcome is None or self.settings is None:
            return None
        letter, _, margin = result(self.outcome).partition("+")
        if letter not in ("0", "B", "W") or margin in ("R", "T", "F") or self.outcome.reason.value == "void":
            return None
        area = wish_of(self.settings).rules.scoring == "area"
        black = float(points(self.board, self.size, self.dead, self.prisoners(0), area=area))
        lead = float(margin or 0) * (-1 if letter == "W" else 1)
        return black, black - lead

    def counted(self) -> tuple[float, float]:
        """Black's and White's points, should the stones be dead that have been called so."""
        assert self.settings is not None
        wish, stones = wish_of(self.settings), self.handicap
        area = wish.rules.scoring == "area"
        black, white = (
            float(points(self.board, self.size, self.removed, self.prisoners(seat), area=area, own=COLOURS[seat]))
            for seat in (0, 1)
        )
        return black, white + float(komi_of(wish)) + wish.rules.points(stones)

    def string_of(self, vertex: str) -> frozenset[int]:
        """The stones of the string at a vertex. ValueError: there is none."""
        found = self._string(vertex)
        if not found:
            raise ValueError(f"There is no stone at {vertex.upper()[:3]}.")
        return found


def colour(seat: int) -> str:
    return COLOURS[seat].capitalize()


Seen.steps = {
    **Table.steps,
    ev.TableOpened: Seen._house,
    ev.GameStarted: Seen._began,
    ev.MoveMade: Seen._moved,
    ev.MovesTakenBack: Seen._shorter,
    ev.GameSettling: Seen._stops,
    ev.Proposed: Seen._claims,
    ev.Said: Seen._heard,
}
