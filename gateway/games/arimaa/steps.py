"""Steps of an Arimaa turn: legal steps, captures by traps, the end of a turn and of the game.

A board is a string of 64 letters, rank 8 first: EMHDCR gold, emhdcr silver, "." empty. Push and pull are told apart by
what was stepped before; where an enemy piece steps into the square a stronger piece has just left, it is a pull, which
allows all that beginning a push would.

Source: Arimaa Game Rules by Omar Syed (arimaa.com). As they say, a piece may step into a trap, be lost there and
still complete its pull; who completes a push does not pull with the same step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from protocols.core.model import Outcome, Reason

ARMIES: Final = ("EMHDCR", "emhdcr")
"""The letters of each seat, the strongest first."""

STEPS_A_TURN: Final = 4
EMPTY: Final = "."
TRAPS: Final = (18, 21, 42, 45)  # c6 f6 c3 f3
ALL: Final = range(64)


def _near(at: int) -> tuple[int, ...]:
    x, y = at % 8, at // 8
    steps = ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
    return tuple(v * 8 + u for u, v in steps if 0 <= u < 8 and 0 <= v < 8)


NEIGHBOURS: Final = tuple(_near(at) for at in ALL)
FRIENDS: Final = {letter: army for army in ARMIES for letter in army}
STRONGER: Final = {  # by letter: the other army's letters that freeze, push and pull it
    letter: other[: own.index(letter)] for own, other in (ARMIES, ARMIES[::-1]) for letter in own
}
WEAKER: Final = {letter: other[own.index(letter) + 1 :] for own, other in (ARMIES, ARMIES[::-1]) for letter in own}
_TRAP_BY: Final = tuple(next((trap for trap in TRAPS if trap in NEIGHBOURS[at]), None) for at in ALL)
_BACKWARDS: Final = {"R": 8, "r": -8}
TARGETS: Final = {
    letter: tuple(tuple(to for to in NEIGHBOURS[at] if to - at != _BACKWARDS.get(letter)) for at in ALL)
    for letter in FRIENDS
}
"""By letter and square: where the piece steps on an empty board."""


@dataclass(frozen=True, slots=True)
class Position:
    """``steps`` of the turn of seat ``turn`` have been made since the board was ``before``.

    ``push`` is the square an own piece must enter next and the enemy piece that was pushed from it; ``pull`` the
    square an own piece has just left and that piece, while an enemy piece can be pulled there. ``once`` and ``twice``
    are the positions (``key``) that turns have begun from since the last capture, this turn's among them. ``over``
    follows from the rest. During the ``setup`` only ``cells`` and ``turn`` count.
    """

    cells: str
    turn: int
    setup: bool = False
    steps: int = 0
    before: str = ""
    push: tuple[int, str] | None = None
    pull: tuple[int, str] | None = None
    once: frozenset[str] = frozenset()
    twice: frozenset[str] = frozenset()
    over: Outcome | None = field(default=None, compare=False)


def key(cells: str, turn: int) -> str:
    """A position as repetitions count it: the board and the side to move."""
    return f"{cells}{turn}"


def begun(cells: str, turn: int, once: frozenset[str] = frozenset(), twice: frozenset[str] = frozenset()) -> Position:
    """The beginning of a turn, or the end of the game. The position counts as one that has occurred."""
    if key(cells, turn) not in twice:
        once |= {key(cells, turn)}
    fresh = Position(cells, turn, before=cells, once=once, twice=twice)
    over = _outcome(fresh)
    return Position(cells, turn, False, 0, cells, None, None, once, twice, over) if over else fresh


def frozen(cells: str, at: int) -> bool:
    """True if the piece on ``at`` stands beside a stronger enemy piece and no friend."""
    piece = cells[at]
    friends, feared = FRIENDS[piece], STRONGER[piece]
    held = False
    for near in NEIGHBOURS[at]:
        other = cells[near]
        if other in friends:
            return False
        if other in feared:
            held = True
    return held


def moved(cells: str, source: int, target: int) -> str:
    """The board after one step, what stands alone in a trap then taken off."""
    piece = cells[source]
    if source < target:
        cells = cells[:source] + EMPTY + cells[source + 1 : target] + piece + cells[target + 1 :]
    else:
        cells = cells[:target] + piece + cells[target + 1 : source] + EMPTY + cells[source + 1 :]
    trap = _TRAP_BY[source]  # the only trap whose piece or whose guards a step from here changes for the worse
    if trap is not None and cells[trap] != EMPTY and abandoned(cells, trap):
        return cells[:trap] + EMPTY + cells[trap + 1 :]
    return cells


def abandoned(cells: str, trap: int) -> bool:
    """True if the piece on ``trap`` has no friend beside it."""
    friends = FRIENDS[cells[trap]]
    return all(cells[near] not in friends for near in NEIGHBOURS[trap])


def candidates(position: Position, sources: Iterable[int] = ALL) -> Iterator[tuple[int, int]]:
    """The steps (source, target) that pieces can make from ``sources``, in their order.

    How the turn could end after them is not looked at.
    """
    cells = position.cells
    if position.push:
        entered, pushed = position.push
        for at in sources:
            if at in NEIGHBOURS[entered] and cells[at] in STRONGER[pushed] and not frozen(cells, at):
                yield at, entered
        return
    own = ARMIES[position.turn]
    for at in sources:
        piece = cells[at]
        if piece == EMPTY:
            continue
        if piece not in own:
            yield from _dislodged(position, at)
        elif not frozen(cells, at):
            for to in TARGETS[piece][at]:
                if cells[to] == EMPTY:
                    yield at, to


def _dislodged(position: Position, at: int) -> Iterator[tuple[int, int]]:
    """The steps of the enemy piece on ``at``: pushed anywhere, or pulled into the square just left."""
    if position.steps + 2 <= STEPS_A_TURN and pushers(position.cells, at):
        for to in NEIGHBOURS[at]:
            if position.cells[to] == EMPTY:
                yield at, to
    elif pullable(position, at):
        assert position.pull
        yield at, position.pull[0]


def pushers(cells: str, at: int) -> list[int]:
    """The squares of the pieces that can push the piece on ``at`` away."""
    strong = STRONGER[cells[at]]
    return [near for near in NEIGHBOURS[at] if cells[near] in strong and not frozen(cells, near)]


def pullable(position: Position, at: int) -> bool:
    """True if the piece on ``at`` can be pulled into the square just left."""
    pull = position.pull
    return pull is not None and pull[0] in NEIGHBOURS[at] and position.cells[at] in WEAKER[pull[1]]


def stepped(position: Position, source: int, target: int) -> Position:
    """The position after a candidate step, the turn not ended even after the fourth."""
    piece = position.cells[source]
    cells = moved(position.cells, source, target)
    push = pull = None
    if piece not in ARMIES[position.turn]:
        if not (pullable(position, source) and position.pull and position.pull[0] == target):
            push = (source, piece)
    elif not position.push and any(cells[near] in WEAKER[piece] for near in NEIGHBOURS[source]):
        pull = (source, piece)
    once, twice = position.once, position.twice
    return Position(cells, position.turn, False, position.steps + 1, position.before, push, pull, once, twice)


def changed(position: Position) -> bool:
    """True if the turn has changed the board so far."""
    return position.cells != position.before


def third_time(position: Position) -> bool:
    """True if the position would occur for the third time if the turn ended here."""
    return bool(position.twice) and key(position.cells, 1 - position.turn) in position.twice


def may_end(position: Position) -> bool:
    """True if the turn may end here."""
    return position.steps > 0 and not position.push and changed(position) and not third_time(position)


def completable(position: Position) -> bool:
    """True if the turn may end here or after further steps."""
    if may_end(position):
        return True
    if position.steps == STEPS_A_TURN:
        return False
    return any(completable(stepped(position, *step)) for step in candidates(position))


def legal_steps(position: Position) -> Iterator[tuple[int, int]]:
    """The steps after which the turn can still be completed, by rising source."""
    # A first step, or a first push, changes the board: only a repetition could forbid the turn to end after it.
    free = not position.steps and not position.twice
    for step in candidates(position):
        if free or _may_end_after(position, *step) or completable(stepped(position, *step)):
            yield step


def _may_end_after(position: Position, source: int, target: int) -> bool:
    """True if the turn may end right after this step of an own piece; the common case, quickly."""
    if position.cells[source] not in ARMIES[position.turn]:
        return False
    cells = moved(position.cells, source, target)
    return cells != position.before and not (position.twice and key(cells, 1 - position.turn) in position.twice)


def ended(position: Position) -> Position:
    """The other seat's turn after this one was ended."""
    cells, turn = position.cells, 1 - position.turn
    if cells.count(EMPTY) != position.before.count(EMPTY):
        return begun(cells, turn)  # fewer pieces than before: no earlier position can occur again
    now = key(cells, turn)
    if now in position.once:
        return begun(cells, turn, position.once - {now}, position.twice | {now})
    return begun(cells, turn, position.once, position.twice)


def _outcome(position: Position) -> Outcome | None:
    """The winner when the turn begins, in the order of the published rules."""
    cells, mover = position.cells, 1 - position.turn
    goals = ("R" in cells[:8], "r" in cells[56:])
    for seat in (mover, position.turn):
        if goals[seat]:
            return Outcome(seat, Reason.RULES, "goal")
    for seat in (mover, position.turn):
        if ARMIES[1 - seat][-1] not in cells:
            return Outcome(seat, Reason.RULES, "elimination")
    if next(legal_steps(position), None) is None:
        return Outcome(mover, Reason.RULES, "immobilisation")
    return None
