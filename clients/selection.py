"""Tracks the player's selection: the cursor, the selected square, and the move that the next press makes.

Without legal moves (the position is not known here) anything can be selected and the server judges. Where a piece can
be placed or another one moved, a piece to place must be chosen first. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocols.core.model import PASS, Move

FEW = 4
"""Pieces among which the cursor is put on one by itself: as many as a Ludo player has."""


@dataclass(slots=True)
class Selection:
    """The cursor's square, the selected square, and the kind of piece chosen for a placement ("": none)."""

    width: int
    height: int
    cursor: int = 0
    source: int | None = None
    piece: str = ""
    moves: Sequence[Move] = field(default_factory=tuple)
    occupied: frozenset[int] = frozenset()
    free: bool = False

    def offer(self, moves: Sequence[Move], occupied: frozenset[int], *, free: bool) -> None:
        """Set the possible moves: legal ``moves``, or any (``free``); a selection that no longer fits is dropped."""
        if list(moves) != list(self.moves) or free != self.free:
            self.source = None
            self.moves, self.free = tuple(moves), free
            self._go_to_one_of_few()
            if self.sources():
                self.piece = ""
        self.occupied = occupied
        if self.piece not in self.pieces:
            self.piece = self.pieces[0] if self.pieces and not self.sources() else ""

    @property
    def pieces(self) -> list[str]:
        """The kinds of pieces that can be placed now, each once, in the order of the moves."""
        return list(dict.fromkeys(m.piece for m in self.moves if m.source is None and m.target is not None))

    @property
    def can_pass(self) -> bool:
        """True if a pass (the end of a turn of several steps) can be sent."""
        return self.free or PASS in self.moves

    def sources(self) -> set[int]:
        """Squares whose piece can move."""
        return {m.source for m in self.moves if m.source is not None}

    def targets(self) -> set[int]:
        """Squares the selected piece can go to; with nothing selected, where the chosen piece can be placed."""
        return {m.target for m in self._matching() if m.target is not None}

    def step(self, columns: int, rows: int) -> None:
        """Move the cursor, staying on the board."""
        x = min(max(self.cursor % self.width + columns, 0), self.width - 1)
        y = min(max(self.cursor // self.width + rows, 0), self.height - 1)
        self.cursor = y * self.width + x

    def jump(self, way: int) -> None:
        """Put the cursor on the next (1) or previous (-1) square that a press would do something with."""
        useful = sorted(self.targets() or self.sources())
        if not useful:
            return
        ahead = [at for at in useful if (at - self.cursor) * way > 0]
        self.cursor = (min(ahead) if way > 0 else max(ahead)) if ahead else useful[0 if way > 0 else -1]

    def choose(self, piece: str) -> None:
        """Choose the kind of piece to place next."""
        if piece in self.pieces:
            self.piece, self.source = piece, None

    def press(self, square: int) -> Move | None:
        """Select, unselect, or make a move with this square: the move to send, None when none came of it."""
        self.cursor = square
        if square == self.source:
            self.source = None
        elif square in self.targets():
            return self._move_to(square)
        elif square in self.sources() or (self.free and self.source is None and square in self.occupied):
            self.source = square
            only = self.targets()
            if len(only) == 1:
                self.cursor = next(iter(only))
        elif self.free:
            source, self.source = self.source, None
            return Move(source, square)
        else:
            self.source = None
        return None

    def clear(self) -> None:
        """Unselect."""
        self.source = None
        if self.sources():
            self.piece = ""

    def alternatives(self, move: Move) -> list[Move]:
        """All moves with the squares of this one, in their order: they differ in what a piece becomes."""
        same = [m for m in self.moves if (m.source, m.target) == (move.source, move.target)]
        return same if move.source is not None and same else [move]

    def _matching(self) -> list[Move]:
        if self.source is not None:
            return [m for m in self.moves if m.source == self.source]
        return [m for m in self.moves if m.source is None and m.piece == self.piece]

    def _move_to(self, square: int) -> Move:
        found = next(m for m in self._matching() if m.target == square)
        self.source = None
        return found

    def _go_to_one_of_few(self) -> None:
        """With few pieces to move the cursor is put on one, so that two presses play it."""
        sources = self.sources()
        if 0 < len(sources) <= FEW and self.cursor not in sources and not self.pieces:
            self.cursor = min(sources)
