"""Positions and points of Go as text.

Points are written as GTP writes vertices: a letter without I, then the row, 1 at the bottom. What is read as the start
of a game is one of these, words separated by blanks:

    BOARD                          what ``brief`` writes
    [BOARD] moves D4 Q16 pass ...  from that position, or from the usual one
    BOARD from [BOARD] moves ...   the first position, reached from the second by these moves: what ``text`` writes;
                                   " moves ..." may follow once more

BOARD is the rows with "X" for Black and "O" for White, top row first; the seat to move; the prisoners of Black and of
White ("2-0"); where it matters "ko D4" (may not be retaken at once), "pass" once or twice, and "handicap 3" (stones
that are still to be placed). Among moves "resume" says that play went on after two passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from msgspec.structs import replace

from gateway.games.go.choices import KEPT, Rules, rules
from gateway.games.go.grid import LETTERS, Grid, fixed_handicap
from gateway.games.go.position import PASSED, RESUMED, Position, begun, passed, resumed, stop, with_stone
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Settings
from protocols.go_words.rule_sets import SIMPLE

LONGEST_START: Final = 20_000
"""Characters of a start that is read: two boards of 25x25 and 2,500 moves; reading them takes some 20 ms."""

SHOWN: Final = 100
"""Characters of a text that an error shows."""

PASS: Final = "pass"
RESUME: Final = "resume"
FROM: Final = " from"
MOVES: Final = " moves "

_LETTERS: Final = bytes.maketrans(b"0124", b".XO/")
"""The letters of hexadecimal digits once stones and ends of rows have been added up."""

_BOARD: Final = re.compile(
    r"([.XO/]+) ([01]) (\d{1,4})-(\d{1,4})(?: ko (\w{2,3}))?( pass| pass pass)?(?: handicap ([1-9]))?", re.ASCII
)


def rows(position: Position, between: str = "/") -> str:
    """The board, one letter a point, top row first."""
    board = position.rules.grid
    digits = board.size * board.width
    black, white = int(f"{position.black:b}", 16), int(f"{position.white:b}", 16)
    written = f"{black + 2 * white + _ends(board.size):0{digits}x}".encode().translate(_LETTERS)[:-1].decode()
    return written if between == "/" else written.replace("/", between)


def brief(position: Position) -> str:
    """BOARD of the module's text."""
    taken = position.taken
    written = f"{rows(position)} {position.turn} {taken[0]}-{taken[1]}"
    if position.ko is not None:
        written += f" ko {position.rules.grid.names[position.ko]}"
    if position.passes:
        written += f" {PASS}" * position.passes
    return f"{written} handicap {position.placing}" if position.placing else written


def text(position: Position) -> str:
    """The position with the moves that led to it, which rules of repetition need."""
    if not position.moves:
        return brief(position)
    first = f" {position.first}" if position.first else ""
    return f"{brief(position)}{FROM}{first}{MOVES}{' '.join(written(position))}"


def written(position: Position) -> Iterator[str]:
    """The moves of a position, one word each."""
    names, moves = position.rules.grid.names, position.moves
    for at in range(0, len(moves), 2):
        code = moves[at : at + 2]
        yield PASS if code == PASSED else RESUME if code == RESUMED else names[int.from_bytes(code)]


def point(board: Grid, vertex: str) -> int:
    """The point of a vertex, in any case. IllegalMove: SYNTAX when it is none, OUT_OF_BOUNDS when the board ends."""
    found = re.fullmatch(r"([A-HJ-Z])([1-9]\d?)", vertex.strip().upper(), re.ASCII)
    if found is None:
        raise IllegalMove(f"no point is written {vertex[:SHOWN]!r}", Why.SYNTAX)
    x, y = LETTERS.index(found[1]), board.size - int(found[2])
    if x >= board.size or y < 0:
        raise IllegalMove(f"no point {found[0]} on a board of {board.size}x{board.size}", Why.OUT_OF_BOUNDS)
    return y * board.size + x


def start(settings: Settings) -> Position:
    """The first position of a game with these settings. Refused (BAD_OPTION) when ``start`` is none."""
    asked, by = settings.start, rules(settings)
    if not asked:
        return replace(usual(by))  # a position of its own: what is worked out about one refers to the next
    try:
        if len(asked) > LONGEST_START:
            raise ValueError(asked)
        return _read(by, asked)
    except IllegalMove as error:
        raise Refused(Why.BAD_OPTION, f"no position of go: {asked[:SHOWN]!r}: {error.text}") from error
    except ValueError as error:
        raise Refused(Why.BAD_OPTION, f"no position of go: {asked[:SHOWN]!r}") from error


@lru_cache(KEPT)
def usual(by: Rules) -> Position:
    """The position these rules begin with: empty, or with handicap stones and White to move."""
    if by.handicap and by.free:
        return begun(by, 0, 0, 0, placing=by.handicap)
    stones = sum(by.grid.bits[point] for point in fixed_handicap(by.size, by.handicap))
    return begun(by, stones, 0, 1 if stones else 0)


def _read(by: Rules, asked: str) -> Position:
    """ValueError or IllegalMove when there is no such position."""
    head, *lines = f" {asked}".split(MOVES)
    now, past, first = head.partition(FROM)
    if len(lines) > (2 if past else 1) or (past and not lines):
        raise ValueError(asked)
    position = _board(by, first if past else now)
    if past:
        position = _played(position, lines.pop(0))
        if brief(position) != now.strip() or not position.moves:
            raise ValueError(asked)
    return _played(position, lines[0]) if lines else position


def _played(position: Position, line: str) -> Position:
    """The position after these moves."""
    for word in line.split(" "):
        if word == RESUME and position.passes == 2:
            position = resumed(position)
            continue
        stopped = stop(position)
        if stopped:
            raise stopped
        if word.lower() == PASS and not position.placing:
            position = passed(position)
        else:
            position = with_stone(position, point(position.rules.grid, word))
    return position


def _board(by: Rules, asked: str) -> Position:
    """The position of BOARD; the usual one of nothing. ValueError when there is none."""
    if not asked.strip():
        return usual(by)
    found = _BOARD.fullmatch(asked.strip())
    if found is None:
        raise ValueError(asked)
    cells, turn, by_black, by_white, ko, passes, placing = found.groups()
    black, white = _stones(by.grid, cells)
    position = replace(
        begun(by, black, white, int(turn), int(placing or 0)),
        ko=point(by.grid, ko) if ko else None,
        taken=(int(by_black), int(by_white)),
        passes=(passes or "").count(PASS),
    )
    _check(position)
    again = brief(position)
    if again != asked.strip():
        raise ValueError(asked)
    return position if again == brief(usual(by)) else replace(position, first=again)


def _stones(board: Grid, cells: str) -> tuple[int, int]:
    """Black's and White's stones in these rows; ValueError when they are not this board's."""
    if [len(row) for row in cells.split("/")] != [board.size] * board.size:
        raise ValueError(cells)
    letters = cells.replace("/", "")
    black = sum(bit for bit, letter in zip(board.bits, letters, strict=True) if letter == "X")
    white = sum(bit for bit, letter in zip(board.bits, letters, strict=True) if letter == "O")
    return black, white


def _check(position: Position) -> None:
    """ValueError when no game leads there: a string without a liberty, a ko where there is none."""
    by, black, white = position.rules, position.black, position.white
    empty = by.grid.full ^ (black | white)
    for own in (black, white):
        if any(by.grid.smothered(string, own, empty) for string in by.grid.strings(own)):
            raise ValueError("a string without a liberty")
    if position.ko is not None and (by.ko != SIMPLE or position.passes or not empty & by.grid.bits[position.ko]):
        raise ValueError("no ko")
    if position.placing and (position.turn or position.passes or not by.free):
        raise ValueError("no handicap to place")


@cache
def _ends(size: int) -> int:
    """The marks at the ends of all rows but the last, in hexadecimal digits."""
    return sum(4 << 4 * (size + 1) * row for row in range(1, size))
