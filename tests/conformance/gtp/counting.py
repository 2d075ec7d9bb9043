"""An independent count of a finished game: its SGF played through and scored by flood fill, knowing no project code.

Both players' moves, captures, and the dead stones that the last comment names; area or territory, and White's points
for handicap stones, by RU; komi by KM.
Source: the FF[4] SGF text; the usual definitions of both scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

Point = tuple[int, int]
_PROPERTY: Final = re.compile(r"([A-Z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)", re.DOTALL)
_VALUE: Final = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_LETTERS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


@dataclass(slots=True)
class Game:
    """``stones`` by point, colours "B" and "W"; ``taken`` are the prisoners each colour has made."""

    size: int
    komi: float
    rules: str
    result: str
    handicap: int = 0
    comment: str = ""
    moves: int = 0
    stones: dict[Point, str] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=lambda: {"B": 0, "W": 0})

    def play(self, colour: str, at: Point) -> None:
        self.stones[at] = colour
        for near in self._near(at):
            if self.stones.get(near, colour) != colour:
                self._take_if_caught(near, colour)
        self._take_if_caught(at, _other(colour))

    def _take_if_caught(self, at: Point, by: str) -> None:
        string = self._region(at)
        if any(near not in self.stones for point in string for near in self._near(point)):
            return
        self.taken[by] += len(string)
        for point in string:
            del self.stones[point]

    def _near(self, at: Point) -> Iterator[Point]:
        x, y = at
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= near[0] < self.size and 0 <= near[1] < self.size:
                yield near

    def _region(self, at: Point) -> set[Point]:
        """All points of one colour, or of none, that hang together with this one."""
        colour, found, new = self.stones.get(at), {at}, [at]
        while new:
            for near in self._near(new.pop()):
                if near not in found and self.stones.get(near) == colour:
                    found.add(near)
                    new.append(near)
        return found

    def count(self) -> str:
        """The result: "B+3.5", "W+12", "0"."""
        for point in self._dead():
            self.taken[_other(self.stones.pop(point))] += 1
        has = {colour: float(points) for colour, points in self._surrounded().items()}
        for colour in has:
            area = self.rules != "Japanese"
            has[colour] += list(self.stones.values()).count(colour) if area else self.taken[colour]
        given = {"Chinese": self.handicap, "AGA": self.handicap - 1}.get(self.rules, 0) if self.handicap else 0
        lead = has["B"] - has["W"] - self.komi - given
        return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"

    def _surrounded(self) -> dict[str, int]:
        found, seen = {"B": 0, "W": 0}, set[Point]()
        for at in ((x, y) for x in range(self.size) for y in range(self.size)):
            if at in self.stones or at in seen:
                continue
            region = self._region(at)
            seen |= region
            edge = {self.stones[near] for point in region for near in self._near(point) if near in self.stones}
            if len(edge) == 1:
                found[edge.pop()] += len(region)
        return found

    def _dead(self) -> list[Point]:
        said = re.search(r"^Settled: (.*) dead\.$", self.comment, re.MULTILINE)
        assert said is not None, f"nothing was settled: {self.comment!r}"
        names = [] if said[1] == "nothing" else said[1].split()
        return [(_LETTERS.index(name[0]), self.size - int(name[1:])) for name in names]


def read(sgf: str) -> Game:
    """The game of an SGF with one line of play, played to its end."""
    properties = [(found[1], [value[1] for value in _VALUE.finditer(found[2])]) for found in _PROPERTY.finditer(sgf)]
    first = {name: values[0] for name, values in reversed(properties)}
    game = Game(int(first["SZ"]), float(first["KM"]), first["RU"], first["RE"], int(first.get("HA", "0")))
    for name, values in properties:
        if name in ("AB", "AW"):
            game.stones.update(dict.fromkeys(map(_point, values), name[1]))
        elif name in ("B", "W"):
            game.moves += 1
            if values[0]:
                game.play(name, _point(values[0]))
        elif name == "C":
            game.comment = values[0]
    return game


def _point(text: str) -> Point:
    return ord(text[0]) - ord("a"), ord(text[1]) - ord("a")


def _other(colour: str) -> str:
    return "W" if colour == "B" else "B"
