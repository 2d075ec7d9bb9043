"""GGZBoard's Ludo window: what it draws, and the moves it is told so that it draws the table as well as it can.

The window has eleven columns and reads a position as ``position % 10, position // 10``: nothing it is told leaves from
the eleventh column or goes there, and a move from an empty square ends the client. It takes a piece it is told to
another square, whatever the colour and the way; a piece that stands there, and one that is told to move to its own
square, goes to the first empty square of its depot. Its mouse takes the pieces of one colour: yellow at first, and
after each move it is told the next of four, whichever seats play. A click takes a piece one square on, whatever the die
shows.

So pieces of a colour are taken for alike here, and the window is led from what it draws to what stands on the table.
A piece on the ring's three squares in the eleventh column is drawn where it came from until it leaves them. Blue and
red have two pieces in the eleventh column of their depots that the window can never move. Where all others of the
colour are in use, a piece of an unused colour stands for them; where all four are played, one of the own
colour that is at home; else the piece is not drawn until another of its colour is captured or gets home.

Source: GGZBoard's modules for Ludo, read for facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from protocols.core.squares import coordinates, square

COLUMNS: Final = 10
"""The window multiplies y with this."""

SIZE: Final = 11
"""Columns and rows of the board."""

COLOURS: Final = ("yellow", "blue", "red", "green")
"""In the order in which the window gives turns."""

DEPOTS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "yellow": ((1, 1), (0, 1), (1, 0), (0, 0)),
    "blue": ((9, 0), (10, 0), (9, 1), (10, 1)),
    "red": ((9, 9), (9, 10), (10, 9), (10, 10)),
    "green": ((0, 9), (1, 9), (0, 10), (1, 10)),
}
"""By colour, columns and rows in the order in which captured pieces fill them."""

HOMES: Final[Mapping[str, tuple[int, ...]]] = {
    "yellow": (51, 52, 53, 54),
    "blue": (15, 25, 35, 45),
    "red": (59, 58, 57, 56),
    "green": (95, 85, 75, 65),
}
"""By colour, the positions of its home, in the order in which a piece enters them."""

ASIDE: Final = 22
"""The position of a square that is no field of the game: the window draws nothing there."""


def position(at: int) -> int | None:
    """The window's position of a square of the board; None where it has none."""
    x, y = coordinates(at, SIZE)
    return square(x, y, COLUMNS) if x < COLUMNS else None


NAMED: Final[Mapping[str, tuple[int, ...]]] = {
    colour: tuple(square(x, y, COLUMNS) for x, y in depot if x < COLUMNS) for colour, depot in DEPOTS.items()
}
"""By colour, the depot's positions; the others always hold a piece, for none can leave them."""

_DEPOT_SQUARES: Final = {colour: tuple(square(x, y, SIZE) for x, y in depot) for colour, depot in DEPOTS.items()}


_WAY: Final = (
    *((1, 0, 4), (0, -1, 4), (1, 0, 2), (0, 1, 4), (1, 0, 4), (0, 1, 2)),
    *((-1, 0, 4), (0, 1, 4), (-1, 0, 2), (0, -1, 4), (-1, 0, 4), (0, -1, 2)),
)
"""The ring from yellow's start: columns and rows of a step, and how many of them."""


def _ways() -> dict[str, tuple[int, ...]]:
    """By colour, the squares of its way from its start to the end of its home."""
    x, y = 0, 4
    ring: list[int] = []
    for dx, dy, steps in _WAY:
        for _ in range(steps):
            ring.append(square(x, y, SIZE))
            x, y = x + dx, y + dy
    homes = {colour: [_square(at) for at in home] for colour, home in HOMES.items()}
    return {colour: (*ring[10 * at :], *ring[: 10 * at], *homes[colour]) for at, colour in enumerate(COLOURS)}


def _square(at: int) -> int:
    """The square that the window draws for this position."""
    return square(*coordinates(at, COLUMNS), SIZE)


WAYS: Final = _ways()

_FURTHEST: Final = {"yellow": 43, "blue": 43, "red": 41, "green": 41}
"""By colour, the index on its way where the mouse leaves a piece: the end, for red and green the second of home."""

_SIDES_OF_DIE: Final = 6


class LudoWindow:
    """One window, from the moment it opens; several games may be played in it.

    ``told`` collects the moves to tell, pairs of positions, until they are taken with ``take``.
    """

    def __init__(self) -> None:
        self.drawn: dict[int, str] = {at: colour for colour, named in NAMED.items() for at in named}
        """Colours by position, without the eleventh column."""
        self.shown: dict[int, int] = {}
        """For each piece that has left its depot, by its square: the position of the piece that is drawn for it."""
        self.told: list[tuple[int, int]] = []
        self.board: dict[int, str] = {}
        """The pieces on the table, by square."""
        self._playing: tuple[str, ...] = COLOURS
        self._moves = 0

    def take(self) -> list[tuple[int, int]]:
        """The moves to tell, in order; they count as told from now on."""
        told, self.told = self.told, []
        return told

    def begin(self, start: Mapping[int, str], board: Mapping[int, str]) -> None:
        """A game that began with ``start`` stands at ``board``."""
        colours = set(start.values())
        self._playing = tuple(colour for colour in COLOURS if colour in colours)
        self.settle(board)

    def moved(self, source: int, target: int, board: Mapping[int, str]) -> None:
        """A piece has gone from one square to another, and ``board`` is what stands now."""
        drawn = self.shown.pop(source, None)
        taken = self.shown.pop(target, None)
        self.board = dict(board)
        if drawn is not None:
            named = position(target)
            if named is not None and named != drawn:
                self._tell(drawn, named)
            self.shown[target] = drawn if named is None else named
        self._lead([] if taken is None else [taken])

    def settle(self, board: Mapping[int, str]) -> None:
        """The board is another one: a game began, a seat gave up, moves were taken back."""
        gone = [at for at in self.shown if board.get(at) != self.board.get(at)]
        loose = [self.shown.pop(at) for at in gone]
        self.board = dict(board)
        self._lead(loose)

    def give_turn(self, seat: int) -> None:
        """Lead the mouse to this seat's colour: some piece goes out of sight and comes back, each a move."""
        if seat < len(self._playing):
            wanted = COLOURS.index(self._playing[seat])
            while self._moves % len(COLOURS) != wanted:
                self._pass(COLOURS[wanted])

    def meant(self, at: int) -> list[tuple[int, int]]:
        """The moves, source and target, that a click at this position may mean; the die tells which.

        First those of the piece drawn there, then those of its colour's pieces that the mouse cannot take now.
        """
        found = [own for own, drawn in self.shown.items() if drawn == at]
        depots = [colour for colour, named in NAMED.items() if at in named and self.drawn.get(at) == colour]
        depots += [colour for colour, squares in _DEPOT_SQUARES.items() if self._eleventh(at) in squares]
        for colour in depots:
            found += [own for own in _DEPOT_SQUARES[colour] if self.board.get(own) == colour][:1]
        for colour in dict.fromkeys([*(self.board[own] for own in found), *depots]):
            found += [own for own in self._out(colour) if own not in found and self._stuck(own)]
        return [(own, target) for own in found for target in self._ahead(own)]

    def _eleventh(self, at: int) -> int | None:
        """The square of the eleventh column that this position may mean as well; None if it means one square."""
        return square(COLUMNS, at // COLUMNS - 1, SIZE) if at >= COLUMNS and at % COLUMNS == 0 else None

    def _ahead(self, at: int) -> tuple[int, ...]:
        """The squares that the piece of this square can reach."""
        way = WAYS[self.board[at]]
        return way[way.index(at) + 1 :][:_SIDES_OF_DIE] if at in way else way[:1]

    def _stuck(self, at: int) -> bool:
        """True if the mouse cannot take this square's piece: it is not drawn, or one of its colour is before it."""
        colour, drawn = self.board[at], self.shown.get(at)
        if drawn is None or self.drawn[drawn] != colour:
            return True
        step = WAYS[colour].index(_square(drawn))
        following = None if step >= _FURTHEST[colour] else position(WAYS[colour][step + 1])
        return step >= _FURTHEST[colour] or (following is not None and self.drawn.get(following) == colour)

    def _lead(self, loose: list[int]) -> None:
        """Draw what is missing, then send home what is drawn for no piece; that may serve for what is still missing."""
        self._draw()
        for at, drawn in list(self.shown.items()):
            if position(at) is None and _square(drawn) in self.board:
                del self.shown[at]  # it was left where it came from, and another piece stands there that is not drawn
                loose.append(drawn)
        for at in loose:
            if at in self.drawn and at not in self.shown.values() and at not in NAMED[self.drawn[at]]:
                self._tell(at, at)
        self._draw()

    def _draw(self) -> None:
        """A piece for every square that has none drawn, as far as there are some; those on the ring come first."""
        missing = [at for colour in self._playing for at in self._out(colour) if at not in self.shown]
        for at in sorted(missing, key=self._at_home):
            named = position(at)
            source = None if named is None else self._spare(at)
            if named is not None and source is not None:
                self._tell(source, named)
                self.shown[at] = named

    def _out(self, colour: str) -> list[int]:
        """The squares of the colour's pieces that are not in the depot."""
        depot = _DEPOT_SQUARES[colour]
        return sorted(at for at, owner in self.board.items() if owner == colour and at not in depot)

    def _at_home(self, at: int) -> bool:
        return position(at) in HOMES[self.board[at]]

    def _spare(self, at: int) -> int | None:
        """The position of a piece that can be drawn at this square; None if there is none."""
        colour = self.board[at]
        unplayed = [other for other in COLOURS if other not in self._playing]
        for owner in (colour, *unplayed):
            for spare in (*NAMED[owner], ASIDE):
                if self.drawn.get(spare) == owner:
                    return spare
        if self._at_home(at):
            return None
        return next((home for home in HOMES[colour] if self.drawn.get(home) == colour), None)

    def _pass(self, turn: str) -> None:
        """A move that changes as little as possible, towards the ``turn`` of this colour."""
        if ASIDE in self.drawn:
            depot = NAMED[self.drawn[ASIDE]]
            undrawn = [at for at in self._out(self.drawn[ASIDE]) if at not in self.shown]
            named_at = {named: at for at in undrawn if (named := position(at)) is not None}
            back = next(iter([*named_at, *(at for at in depot if at not in self.drawn)]))
            self._tell(ASIDE, back)
            self.shown |= {named_at[back]: back} if back in named_at else {}
            return
        others = [at for at, owner in self.drawn.items() if owner != turn]
        self._tell(min(others, key=self._use), ASIDE)

    def _use(self, at: int) -> tuple[bool, bool, bool]:
        """The use of a drawn piece: one in a depot, of an unused colour or at home has the least."""
        owner = self.drawn[at]
        return at not in NAMED[owner], owner in self._playing, at not in HOMES[owner]

    def _tell(self, source: int, target: int) -> None:
        """A move, which the window makes."""
        self.told.append((source, target))
        self._moves += 1
        self.shown = {at: drawn for at, drawn in self.shown.items() if drawn not in (source, target)}
        colour, beaten = self.drawn[source], self.drawn.get(target)
        if beaten is not None:
            self.drawn[next(at for at in NAMED[beaten] if at not in self.drawn)] = beaten
        self.drawn[target] = colour
        del self.drawn[source]
