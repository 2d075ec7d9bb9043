"""The text of an Arimaa position, and back.

The form::

    ROWS 0 setup
    ROWS 1 steps 2 from BOARD push d5r pull e4M once BOARD:0,BOARD:1 twice BOARD:0

ROWS are eight rows of eight letters joined by "/"; a BOARD is the same with runs of empty squares as digits. ``from``
is the board the turn began with and stands when a step has been made; ``push`` and ``pull`` name the square left and
the piece that left it; ``once`` and ``twice`` are earlier positions with the side to move, sorted, without the one
this turn began from unless it has occurred twice. Words that have nothing to say are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from gateway.games.arimaa.steps import (
    ARMIES,
    EMPTY,
    NEIGHBOURS,
    STEPS_A_TURN,
    TRAPS,
    WEAKER,
    Position,
    abandoned,
    begun,
    completable,
    key,
)
from protocols.core import squares

NUMBERS: Final = (1, 1, 2, 2, 2, 8)
"""The number of each piece in an army, in the order of its letters."""

_FULL: Final = [Counter(dict(zip(army, NUMBERS, strict=True))) for army in ARMIES]
_FORM: Final = re.compile(
    r"(?P<rows>[^ ]+) (?P<turn>[01]) (?:setup|steps (?P<steps>[0-3])(?: from (?P<before>[^ ]+))?"
    r"(?: push (?P<push>[a-h][1-8][A-Za-z]))?(?: pull (?P<pull>[a-h][1-8][A-Za-z]))?"
    r"(?: once (?P<once>[^ ]+))?(?: twice (?P<twice>[^ ]+))?)"
)


def rows(cells: str) -> list[str]:
    """The eight rows of a board, the top one first."""
    return [cells[at : at + 8] for at in range(0, 64, 8)]


def write(position: Position, *, history: bool = True) -> str:
    """The text of ``position``, with or without the positions that only the rule of repetition needs."""
    words = ["/".join(rows(position.cells)), str(position.turn)]
    if position.setup:
        return " ".join([*words, "setup"])
    words += ["steps", str(position.steps)]
    if position.steps:
        words += ["from", _short(position.before)]
    for name, left in (("push", position.push), ("pull", position.pull)):
        if left:
            words += [name, squares.name(left[0], 8, 8) + left[1]]
    if not history:
        return " ".join(words)
    earlier = position.once - {key(position.before, position.turn)}
    for name, keys in (("once", earlier), ("twice", position.twice)):
        if keys:
            words += [name, ",".join(sorted(f"{_short(each[:64])}:{each[64]}" for each in keys))]
    return " ".join(words)


def read(text: str) -> Position:
    """The position of a text. ValueError says what is wrong with it."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError("no position of arimaa")
    cells, turn = _board(found["rows"]), int(found["turn"])
    position = _set_up(cells, turn) if found["steps"] is None else _in_play(cells, turn, found.groupdict())
    if write(position) != text:
        raise ValueError(f"written {write(position)!r}")
    return position


def _set_up(cells: str, turn: int) -> Position:
    counts = [sum(letter in army for letter in cells) for army in ARMIES]
    if counts[1 - turn] != 16 * turn or counts[turn] == 16:
        raise ValueError(f"{counts} pieces are placed, which is not seat {turn}'s set-up")
    if set(cells[16:48]) != {EMPTY} or set(cells[48:]) & set(ARMIES[1]) or set(cells[:16]) & set(ARMIES[0]):
        raise ValueError("a piece is set up outside its two ranks")
    return Position(cells, turn, setup=True)


def _in_play(cells: str, turn: int, words: dict[str, str | None]) -> Position:
    steps, before = int(words["steps"] or 0), cells
    if words["before"]:
        before = _board(words["before"])
    history = [frozenset(_key(each) for each in (words[name] or "").split(",") if each) for name in ("once", "twice")]
    for each in (*history[0], *history[1]):
        if Counter(each[:64]) != Counter(before):
            raise ValueError("an earlier position has other pieces")
    if history[0] & history[1]:
        raise ValueError("a position has occurred once and twice")
    for board in (cells, before):
        if any(board[trap] != EMPTY and abandoned(board, trap) for trap in TRAPS):
            raise ValueError("a piece stands alone in a trap")
    first = begun(before, turn, *history)
    if not steps:
        return first
    push, pull = _left(words["push"]), _left(words["pull"])
    position = Position(cells, turn, False, steps, before, push, pull, first.once, first.twice)
    _check_turn(position, first)
    return position


def _check_turn(position: Position, first: Position) -> None:
    """ValueError when a turn that began as ``first`` cannot be at ``position``."""
    cells, before = position.cells, position.before
    if first.over or position.steps >= STEPS_A_TURN or not completable(position):
        raise ValueError("the turn cannot be completed")
    if Counter(cells.replace(EMPTY, "")) - Counter(before.replace(EMPTY, "")):
        raise ValueError("the turn began without some of the pieces")
    for left, army in ((position.push, ARMIES[1 - position.turn]), (position.pull, ARMIES[position.turn])):
        if left and (cells[left[0]] != EMPTY or left[1] not in army):
            raise ValueError("no such piece can have left an empty square")
    pull = position.pull
    if pull and (position.push or not any(cells[near] in WEAKER[pull[1]] for near in NEIGHBOURS[pull[0]])):
        raise ValueError("nothing can be pulled")


def _board(text: str) -> str:
    """The 64 letters of a board with or without runs as digits."""
    cells = re.sub("[1-8]", lambda run: EMPTY * int(run[0]), text)
    if [len(row) for row in cells.split("/")] != [8] * 8:
        raise ValueError("a board has eight rows of eight squares")
    cells = cells.replace("/", "")
    counts = Counter(cells.replace(EMPTY, ""))
    if counts - (_FULL[0] + _FULL[1]):
        raise ValueError("more pieces than there are")
    return cells


def _key(text: str) -> str:
    board, _, turn = text.partition(":")
    if turn not in ("0", "1"):
        raise ValueError(f"no side to move in {text!r}")
    return key(_board(board), int(turn))


def _left(text: str | None) -> tuple[int, str] | None:
    return (squares.number(text[:2], 8, 8), text[2]) if text else None


def _short(cells: str) -> str:
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows(cells)))
