"""The points of a side in a finished position: what surrounds what, without the rules of the game.

The margin is the outcome's; this says only which two numbers it is the difference of.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protocols.go_words.vertices import COLOURS


def neighbours(square: int, size: int) -> list[int]:
    """The squares beside one."""
    y, x = divmod(square, size)
    near = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
    return [row * size + column for row, column in near if 0 <= row < size and 0 <= column < size]


def string(square: int, board: Mapping[int, str], size: int) -> frozenset[int]:
    """The squares that are connected with one and hold the same, stones or nothing."""
    kind, found, edge = board.get(square), {square}, [square]
    while edge:
        for near in neighbours(edge.pop(), size):
            if near not in found and board.get(near) == kind:
                found.add(near)
                edge.append(near)
    return frozenset(found)


def points(
    board: Mapping[int, str], size: int, dead: Collection[int], taken: int, *, area: bool, own: str = COLOURS[0]
) -> int:
    """The points of ``own``: ``taken`` are the stones that it has taken, ``dead`` those that are taken off now.

    With ``area`` stones count and prisoners do not.
    """
    alive = {square: piece for square, piece in board.items() if square not in dead}
    found = 0
    seen: set[int] = set()
    for square in range(size * size):
        if square in alive or square in seen:
            continue
        region = string(square, alive, size)
        seen |= region
        beside = {alive[near] for each in region for near in neighbours(each, size) if near in alive}
        found += len(region) if beside == {own} else 0
    if area:
        return found + sum(piece == own for piece in alive.values())
    return found + taken + sum(board.get(square, own) != own for square in dead)
