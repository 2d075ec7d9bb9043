"""Boards of Go as tests draw them, and a second implementation of its rules: slow, plain, and sharing nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gateway.games.go.position import Position
from gateway.games.go.rules import Go
from protocols.core.errors import IllegalMove
from protocols.core.model import Move, Settings

GAME = Go()


def settings(size: int, variant: str = "area", start: str = "", **options: str) -> Settings:
    return GAME.settings(variant, start=start, options={"size": str(size), **options})


def begin(rows: str, turn: str = "black", taken: str = "0-0", variant: str = "area", **options: str) -> Position:
    """The position of a diagram whose points are set apart by blanks."""
    lines = [line.replace(" ", "") for line in rows.strip().splitlines()]
    text = f"{'/'.join(lines)} {GAME.sides.index(turn)} {taken}"
    return GAME.start(settings(len(lines), variant, text, **options))


def played(position: Position, moves: str) -> Position:
    for word in moves.split():
        position = GAME.play(position, GAME.parse(position, word))
    return position


def shows(position: Position, rows: str) -> bool:
    return GAME.diagram(position) == "\n".join(line.replace(" ", "") for line in rows.strip().splitlines())


def square(name: str, size: int) -> int:
    """The square number of a vertex, worked out by GTP's definition."""
    return (size - int(name[1:])) * size + "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(name[0])


def squares(names: str, size: int) -> list[int]:
    return [square(name, size) for name in names.split()]


def points(position: Position, dead: str = "") -> str:
    """The result of a position that both sides have passed in."""
    over = played(position, "pass pass")
    return GAME.scored(over, squares(dead, position.rules.size)).detail


def refused(position: Position, move: Move | str) -> IllegalMove:
    """The refusal of a move, or of a text."""
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(position, move) if isinstance(move, str) else GAME.play(position, move)
    return caught.value


class Plain:
    """Go with lists and sets. ``cells`` are "X", "O" and "."; ``past`` every board so far with the seat to move."""

    def __init__(self, size: int, ko: str, suicide: bool) -> None:
        self.size, self.ko, self.suicide = size, ko, suicide
        self.cells = ["."] * (size * size)
        self.turn = 0
        self.taken = [0, 0]
        self.past = [("".join(self.cells), 0)]

    def neighbours(self, at: int) -> Iterator[int]:
        y, x = divmod(at, self.size)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= x + dx < self.size and 0 <= y + dy < self.size:
                yield (y + dy) * self.size + x + dx

    def string(self, cells: list[str], at: int) -> tuple[set[int], set[str]]:
        """Return the points of one kind connected to a point, and the kinds that they touch."""
        found, border, left = {at}, set(), [at]
        while left:
            for near in self.neighbours(left.pop()):
                if cells[near] != cells[at]:
                    border.add(cells[near])
                elif near not in found:
                    found.add(near)
                    left.append(near)
        return found, border

    def after(self, at: int) -> tuple[list[str], list[int]] | None:
        """Return the board after a stone and the stones that each seat takes; None when it is not legal."""
        if self.cells[at] != ".":
            return None
        cells, own, taken = list(self.cells), "XO"[self.turn], [0, 0]
        cells[at] = own
        for near in self.neighbours(at):
            if cells[near] == "OX"[self.turn]:
                taken[self.turn] += self.lifted(cells, near)
        lost = self.lifted(cells, at)
        taken[1 - self.turn] += lost
        if (lost and not self.suicide) or self.is_repeated("".join(cells)):
            return None
        return cells, taken

    def lifted(self, cells: list[str], at: int) -> int:
        """Take the string at a point off where it has no liberty; how many stones it had."""
        string, border = self.string(cells, at)
        if "." in border:
            return 0
        for point in string:
            cells[point] = "."
        return len(string)

    def is_repeated(self, board: str) -> bool:
        if self.ko == "positional":
            return any(board == earlier for earlier, _ in self.past)
        if self.ko == "situational":
            return (board, 1 - self.turn) in self.past
        return len(self.past) > 1 and board == self.past[-2][0] and board != self.past[-1][0]

    def play(self, at: int | None) -> None:
        if at is not None:
            found = self.after(at)
            assert found is not None
            self.cells, taken = found
            self.taken = [self.taken[seat] + taken[seat] for seat in (0, 1)]
        self.turn = 1 - self.turn
        self.past.append(("".join(self.cells), self.turn))

    def legal(self) -> set[int]:
        return {at for at in range(self.size * self.size) if self.after(at) is not None}

    def area(self) -> tuple[int, int]:
        """Stones and surrounded points of each seat, all stones alive."""
        counts = {"X": 0, "O": 0}
        for at, cell in enumerate(self.cells):
            colours = {cell} if cell != "." else self.string(self.cells, at)[1]
            if len(colours) == 1 and colours != {"."}:
                counts[colours.pop()] += 1
        return counts["X"], counts["O"]
