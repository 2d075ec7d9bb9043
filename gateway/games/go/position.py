"""One position of Go, with what rules of repetition need, and the positions that moves lead to.

Nothing is copied for a move but two integers of stones, the list of moves (two bytes each) and at most BLOCK keys: the
keys of older boards are in a set that BLOCK positions share.

Ko. "positional": a stone may not bring back any board of this game. "situational": nor a board with the same seat
to move, after a pass too. "simple": a single stone that has just taken a single stone may not be retaken at once; a
board with the same seat to move that comes up for the third time makes the game void. Passing is never forbidden.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from gateway.games.go.choices import LARGEST, Rules
from gateway.games.go.grid import COLOURS, Grid
from protocols.core.errors import IllegalMove, Why, naming
from protocols.core.model import Move
from protocols.go_words.rule_sets import POSITIONAL, SIMPLE, SITUATIONAL

BLOCK: Final = 16
"""Keys kept in order before they join the set: half of them are compared with each new board."""

THIRD_TIME: Final = "no result: the same position for the third time"
TOO_LONG: Final = "no result: too many moves"

PASSED: Final = b"\xff\xff"
RESUMED: Final = b"\xff\xfe"
"""Codes in the list of moves that are no points: a pass, and that play went on after two."""

CODES: Final = tuple(point.to_bytes(2) for point in range(LARGEST * LARGEST))
"""The points in the list of moves."""

NOTHING_TAKEN: Final = (0, 0)

SHOWN: Final = 20
"""Characters of a piece's name that an error shows."""


class Fault(Enum):
    """Why no stone may be placed on a point."""

    OCCUPIED = "occupied"
    SUICIDE = "suicide"
    KO = "ko"
    REPEATED = "repeated"


class Position(msgspec.Struct, frozen=True, dict=True):
    """``black`` and ``white`` are bits as in grid.py, ``key`` their Zobrist number.

    ``ko`` is the point that may not be retaken at once under simple ko. ``taken`` are the prisoners each seat has
    made; stones of a suicide are the other's. ``passes`` are those since the last stone, two at most; ``placing``
    handicap stones are still to be placed. ``void`` says why the game has no result. ``seen`` and ``recent`` are
    the keys of all boards until now, ``moves`` are by two bytes, since the position ``first`` tells ("": the usual).
    What is worked out once is kept in ``__dict__``: no part of the value, and never pickled.
    """

    rules: Rules
    black: int
    white: int
    turn: int
    key: int
    ko: int | None = None
    taken: tuple[int, int] = (0, 0)
    passes: int = 0
    placing: int = 0
    void: str = ""
    seen: frozenset[int] = frozenset()
    recent: tuple[int, ...] = ()
    moves: bytes = b""
    first: str = ""

    def __hash__(self) -> int:
        return self.key ^ self.turn ^ self.passes << 1 ^ len(self.moves)


class Effect(NamedTuple):
    """The effect of a stone: both sides' stones, the strings taken by it and with it, the board's key and mark."""

    own: int
    theirs: int
    taken: int
    lost: int
    key: int
    mark: int


def effect(position: Position, point: int) -> Effect | Fault:
    """The effect of a stone of the seat to move on ``point``, or why it may not stand there."""
    rules, turn = position.rules, position.turn
    grid = rules.grid
    bit = grid.bits[point]
    own, theirs = (position.white, position.black) if turn else (position.black, position.white)
    if (own | theirs) & bit:
        return Fault.OCCUPIED
    if position.ko == point:
        return Fault.KO
    own |= bit
    near, empty = grid.near[point], grid.full ^ (own | theirs)
    key = position.key ^ grid.keys[turn][point]
    taken = grid.captured(point, theirs, empty) if near & theirs else 0
    lost = 0
    if taken:
        theirs ^= taken
        key ^= _key(grid, 1 - turn, taken)
    elif not near & empty and (lost := grid.smothered(bit, own, empty)):
        if not rules.suicide:
            return Fault.SUICIDE
        own ^= lost
        key ^= _key(grid, turn, lost)
    mark = key if rules.ko == POSITIONAL or turn or position.placing > 1 else key ^ grid.side
    if (taken or lost or position.taken != NOTHING_TAKEN) and rules.ko != SIMPLE and is_known(position, mark):
        return Fault.REPEATED
    return Effect(own, theirs, taken, lost, key, mark)


def is_known(position: Position, mark: int) -> bool:
    """True if this mark was a board's of this game."""
    return mark in position.seen or mark in position.recent


def placed(position: Position, point: int) -> Position | Fault:
    """The position after a stone of the seat to move on ``point``, or why it may not stand there."""
    done = effect(position, point)
    if isinstance(done, Fault):
        return done
    own, theirs, taken, lost, key, mark = done
    rules, turn, placing, prisoners = position.rules, position.turn, position.placing, position.taken
    ko = None
    if taken or lost:
        prisoners = _prisoners(prisoners, turn, taken, lost)
        if rules.ko == SIMPLE:
            ko = _ko(rules, point, own, theirs, taken)
    void, mark = _repeated(position, mark) if rules.ko == SIMPLE and prisoners != NOTHING_TAKEN else ("", mark)
    seen, recent = position.seen, position.recent
    if len(recent) == BLOCK:
        seen, recent = seen.union(recent), ()
    moves = position.moves + CODES[point]
    if len(moves) > 2 * rules.longest:
        void = TOO_LONG
    black, white = (theirs, own) if turn else (own, theirs)
    after = turn if placing > 1 else 1 - turn
    placing = placing - 1 if placing else 0
    return Position(
        rules, black, white, after, key, ko, prisoners, 0, placing, void, seen, (*recent, mark), moves, position.first
    )


def passed(position: Position) -> Position:
    """The position after a pass of the seat to move."""
    turn, moves = 1 - position.turn, position.moves + PASSED
    seen, recent = position.seen, position.recent
    if position.rules.ko == SITUATIONAL:
        mark = position.key ^ position.rules.grid.side if turn else position.key
        seen, recent = (seen.union(recent), (mark,)) if len(recent) == BLOCK else (seen, (*recent, mark))
    void = TOO_LONG if len(moves) > 2 * position.rules.longest else ""
    return replace(
        position, turn=turn, ko=None, passes=position.passes + 1, seen=seen, recent=recent, moves=moves, void=void
    )


def resumed(position: Position) -> Position:
    """The position when play goes on after two passes: with the seat that did not pass last."""
    return replace(position, passes=0, moves=position.moves + RESUMED)


def begun(rules: Rules, black: int, white: int, turn: int, placing: int = 0) -> Position:
    """A position without a past."""
    grid = rules.grid
    key = _key(grid, 0, black) ^ _key(grid, 1, white)
    mark = key ^ grid.side if turn and rules.ko != POSITIONAL else key
    return Position(rules, black, white, turn, key, placing=placing, recent=(mark,))


def _prisoners(before: tuple[int, int], turn: int, taken: int, lost: int) -> tuple[int, int]:
    """The prisoners after a stone of ``turn`` took and lost these."""
    by_turn, by_other = taken.bit_count(), lost.bit_count()
    return (before[0] + by_other, before[1] + by_turn) if turn else (before[0] + by_turn, before[1] + by_other)


def _ko(rules: Rules, point: int, own: int, theirs: int, taken: int) -> int | None:
    """The point where a single stone was taken by a single stone that could be retaken at once."""
    grid = rules.grid
    near = grid.near[point]
    if not taken or taken & (taken - 1) or near & own or near & ~theirs != taken:
        return None
    return grid.points_of(taken)[0]


def _repeated(position: Position, mark: int) -> tuple[str, int]:
    """Why the game is void when a board with this mark comes up under simple ko, and the mark to keep.

    A board that is there for the second time is marked by the complement of its number.
    """
    if not is_known(position, mark):
        return "", mark
    return (THIRD_TIME, mark) if is_known(position, ~mark) else ("", ~mark)


def _key(grid: Grid, seat: int, stones: int) -> int:
    """The Zobrist number of these stones of one colour."""
    key, keys = 0, grid.keys[seat]
    for point in grid.points_of(stones):
        key ^= keys[point]
    return key


def stop(position: Position) -> IllegalMove | None:
    """Why no seat may move; None where one may."""
    if position.void:
        return IllegalMove(f"the game is over: {position.void}", Why.NOT_PLAYING)
    if position.passes > 1:
        return IllegalMove("both have passed: agree what is dead, or go on playing", Why.NOT_PLAYING)
    return None


def with_stone(position: Position, point: int) -> Position:
    """The position after a stone of the seat to move on a point of the board. IllegalMove says why not."""
    after = placed(position, point)
    if isinstance(after, Fault):
        raise _fault(position, point, after)
    return after


def refusal(position: Position, move: Move) -> IllegalMove:
    """The error for ``move``, which is neither a stone of the right colour on the board nor a pass that is allowed."""
    if (stopped := stop(position)) is not None:
        return stopped
    size, piece = position.rules.size, move.piece[:SHOWN]
    if move.source is not None:
        return IllegalMove("stones are not moved: a move places one, or passes")
    if move.target is None:
        if move.piece:
            return IllegalMove(f"a pass has no piece {piece!r}", Why.NO_SUCH_PIECE)
        return IllegalMove(f"Black has {position.placing} handicap stones to place first", Why.PLACEMENTS_FIRST)
    if not 0 <= move.target < size * size:
        return IllegalMove(f"no square {move.target} on a board of {size}x{size}", Why.OUT_OF_BOUNDS)
    return IllegalMove(f"{COLOURS[position.turn]} is to move, and cannot place {piece!r}", Why.NO_SUCH_PIECE)


def _fault(position: Position, point: int, fault: Fault) -> IllegalMove:
    """The words for a stone that may not stand on ``point``."""
    rules = position.rules

    def words(form: str) -> str:
        return naming(form, rules.grid.names.__getitem__, point)

    if fault is Fault.KO:
        return IllegalMove(words("ko: {} may not be retaken at once"))
    if fault is Fault.SUICIDE:
        return IllegalMove(words("suicide: a stone on {} would have no liberty"))
    if fault is Fault.REPEATED:
        same = "the position" if rules.ko == POSITIONAL else "the position with the same player to move"
        return IllegalMove(words(f"superko: {{}} would bring back {same} of an earlier move"))
    if (position.black, position.white)[position.turn] & rules.grid.bits[point]:
        return IllegalMove(words("a stone of yours is on {}"), Why.OWN_PIECE_THERE)
    return IllegalMove(words("{} is occupied"))
