"""Arimaa: sixteen pieces a side, four steps a turn, four traps, a rabbit to run for the far rank.

Gold is seat 0, sets up first on ranks 1 and 2, then silver on 7 and 8: sixteen placements each, in any order. Every
step is a move of its own; the turn ends with the fourth or, earlier, with a pass. A push is the enemy piece's step and
then the pusher's, a pull the puller's and then the enemy piece's. Only such steps are legal after which the turn can be
completed.

Source: Arimaa Game Rules and the step notation by Omar Syed (arimaa.com).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Final

from gateway.games.arimaa import text as written
from gateway.games.arimaa.animals import ANIMALS, ROUND, SQUARE
from gateway.games.arimaa.guide import GUIDE
from gateway.games.arimaa.steps import (
    ARMIES,
    EMPTY,
    NEIGHBOURS,
    STEPS_A_TURN,
    TARGETS,
    TRAPS,
    Position,
    begun,
    candidates,
    changed,
    completable,
    ended,
    legal_steps,
    may_end,
    moved,
    pullable,
    pushers,
    stepped,
    third_time,
)
from gateway.games.base import Game, Turn, Variant, counted, missing, not_available, not_written
from gateway.games.look import Look, Piece
from gateway.games.parts import Placement
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Settings, Tally

PIECES: Final = ("elephant", "camel", "horse", "dog", "cat", "rabbit")
"""The strongest first, as the letters of steps.ARMIES."""

_SIDES: Final = ("gold", "silver")
_NAMES: Final = {
    letter: f"{side} {piece}"
    for side, army in zip(_SIDES, ARMIES, strict=True)
    for letter, piece in zip(army, PIECES, strict=True)
}
_FULL: Final = [{_NAMES[letter]: many for letter, many in zip(army, written.NUMBERS, strict=True)} for army in ARMIES]
"""By seat, its whole army in the words of ``board``."""

_HOMES: Final = (range(48, 64), range(16))
_DIRECTIONS: Final = {-8: "n", 8: "s", 1: "e", -1: "w"}

_USUAL: Final = (
    ("rabbit horse dog elephant camel dog horse rabbit", "rabbit rabbit rabbit cat cat rabbit rabbit rabbit"),
    ("rabbit rabbit rabbit cat cat rabbit rabbit rabbit", "rabbit horse dog camel elephant dog horse rabbit"),
)
"""By seat, a usual set-up in the order of _HOMES: the strong in front, and each elephant faces the other camel."""

_WORTH: Final = (14.0, 9.0, 5.0, 3.0, 2.0, 1.0)  # in rabbits
_RUN: Final = (0.0, 0.0, 0.05, 0.1, 0.25, 0.6, 1.5, 3.0)  # a rabbit's bonus by ranks gone
_GUARD: Final = 0.12  # of a piece beside a trap


class Arimaa(Game[Position], Placement[Position]):
    name = "arimaa"
    title = "Arimaa"
    guide = GUIDE
    variants = (Variant("official", 8, 8, "The official rules: set-up, four steps a turn, push and pull, traps."),)
    sides = _SIDES
    passing = "Finish turn"

    def look(self, settings: Settings) -> Look:
        pieces = {}
        for kind, letters in zip(PIECES, ("El", "Ca", "Ho", "Do", "Ct", "Ra"), strict=True):
            gold, silver = f"{ROUND} {kind}", f"{SQUARE} {kind}"
            pieces[f"gold {kind}"] = Piece("disc", "#ffd700", letters[0], letters, gold, "#edc23f")
            pieces[f"silver {kind}"] = Piece("square", "#e4e4e4", letters[0].lower(), letters, silver, "#dfe4e8")
        return Look(
            ground="#5f875f",
            line="#444444",
            squares=dict.fromkeys(TRAPS, "#5f0000"),
            sides=_SIDES,
            pieces=pieces,
            figures=ANIMALS,
            marks=dict.fromkeys(TRAPS, Piece("hatch", "#af5f5f", "×")),
            files="abcdefgh",
            turned=frozenset({1}),
        )

    def start(self, settings: Settings) -> Position:
        if not settings.start:
            return Position(EMPTY * 64, 0, setup=True)
        try:
            return written.read(settings.start)
        except ValueError as error:
            raise Refused(Why.BAD_OPTION, f"{error}: {settings.start!r}") from error

    def to_move(self, position: Position) -> Turn:
        return None if position.over else position.turn

    def outcome(self, position: Position) -> Outcome | None:
        return position.over

    def play(self, position: Position, move: Move) -> Position:
        if position.over:
            raise IllegalMove("the game is over", Why.NOT_PLAYING)
        if position.setup:
            return _placed(position, move)
        if move == PASS and may_end(position):
            return ended(position)
        step = _step(position, move)
        if step not in candidates(position, step[:1]):
            raise _refused_step(position, *step)
        after = stepped(position, *step)
        if not completable(after):
            raise IllegalMove(_dead_end(after))
        return ended(after) if after.steps == STEPS_A_TURN else after

    def usual_setup(self, position: Position) -> list[Move]:
        """_USUAL, as far as squares and pieces are left for it; the other pieces on the first squares that are."""
        if position.over or not position.setup:
            return []
        wanted = {
            Move(None, at, piece)
            for at, piece in zip(_HOMES[position.turn], " ".join(_USUAL[position.turn]).split(), strict=True)
        }
        seat, placed = position.turn, []
        while position.setup and position.turn == seat:
            legal = self.legal_moves(position)
            placed.append(next((move for move in legal if move in wanted), legal[0]))
            position = _placed(position, placed[-1])
        return placed

    def hands(self, position: Position) -> tuple[Mapping[str, int], ...]:
        """The pieces that are still to be set up."""
        return tuple(_left(position, seat) for seat in range(len(_SIDES)))

    def tally(self, position: Position) -> tuple[Tally, ...]:
        """Losses in traps, and the steps that the seat to move has left."""
        gone = [missing(_army(position, seat), _FULL[seat]) if not position.setup else {} for seat in (1, 0)]
        steps = "" if position.setup or position.over else f"{counted(STEPS_A_TURN - position.steps, 'step')} left"
        return tuple(Tally(taken, steps if seat == position.turn else "") for seat, taken in enumerate(gone))

    def decisive(self, position: Position) -> tuple[int, ...]:
        """The rabbits on their goal."""
        won = position.over.winner if position.over else None
        if won is None:
            return ()
        goal = (range(8), range(56, 64))[won]
        return tuple(at for at in goal if position.cells[at] == ARMIES[won][-1])

    def normal(self, position: Position, move: Move) -> Move:
        """A placement in the rules' own word ("Elephant", "gold elephant", "E"); steps and passes without a piece."""
        if move.target is None and move.source is None:
            return PASS
        if move.source is not None:
            return Move(move.source, move.target)
        return Move(None, move.target, _word(position, move.piece))

    def legal_moves(self, position: Position) -> list[Move]:
        if position.over:
            return []
        if position.setup:
            free = [at for at in _HOMES[position.turn] if position.cells[at] == EMPTY]
            return [Move(None, at, piece) for piece in _available(position) for at in free]
        moves = [Move(source, target) for source, target in legal_steps(position)]
        return [*moves, PASS] if may_end(position) else moves

    def board(self, position: Position) -> dict[int, str]:
        return {at: _NAMES[letter] for at, letter in enumerate(position.cells) if letter != EMPTY}

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        pairs = enumerate(zip(position.cells, self.play(position, move).cells, strict=True))
        return [(at, _NAMES.get(letter)) for at, (earlier, letter) in pairs if letter != earlier]

    def text(self, position: Position) -> str:
        return written.write(position)

    def brief(self, position: Position) -> str:
        return written.write(position, history=False)

    def diagram(self, position: Position) -> str:
        return "\n".join(written.rows(position.cells))

    def notation(self, position: Position, move: Move) -> str:
        """ "Ee2" for a placement, "Rc2n" or "Rc2n Rc3x" for a step and what a trap takes, "pass"."""
        if move == PASS:
            return "pass"
        if move.source is None:
            return _letter(position, move.piece) + squares.name(move.target or 0, 8, 8)
        source, target = move.source, move.target or 0
        written = f"{position.cells[source]}{squares.name(source, 8, 8)}{_DIRECTIONS[target - source]}"
        stood = moved(position.cells, source, target)
        for trap in TRAPS:
            before = position.cells[source if trap == target else trap]
            if trap != source and before != EMPTY and stood[trap] == EMPTY:
                written += f" {before}{squares.name(trap, 8, 8)}x"
        return written

    def parse(self, position: Position, text: str) -> Move:
        """As every game's; what a trap takes may be left out."""
        wanted, legal = text.strip().lower(), self.legal_moves(position)
        for move in legal:
            written = self.notation(position, move).lower()
            if wanted in (written, written.partition(" ")[0]):
                return move
        raise not_written(text, [self.notation(position, move) for move in legal])

    def turn(self, position: Position, text: str) -> tuple[Move, ...]:
        """The steps of a turn as they are usually written, one behind the other: "re3e rf3x De2n pass"."""
        seat, found = position.turn, list[Move]()
        for step in _steps_of(text) or [text]:
            if position.turn != seat:
                raise IllegalMove(f"the turn is over before {step!r}")
            found.append(move := self.parse(position, step))
            position = self.play(position, move)
        return tuple(found)

    def evaluate(self, position: Position, seat: int) -> float:
        """Material in rabbits, rabbits on the way and pieces beside traps, gold's less silver's or the other way."""
        cells = position.cells
        total = sum([_VALUES[letter][at] for at, letter in enumerate(cells) if letter != EMPTY])
        for beside in _BESIDE_TRAPS:
            letter = cells[beside]
            if letter != EMPTY:
                total += _GUARD if letter in ARMIES[0] else -_GUARD
        return -total if seat else total


def _steps_of(text: str) -> list[str]:
    """The steps of a turn, each with what a trap takes by it."""
    steps = list[str]()
    for word in text.split():
        if steps and word.lower().endswith("x"):
            steps[-1] += f" {word}"
        else:
            steps.append(word)
    return steps


def _value(kind: int, ranks: int, file: int) -> float:
    """The worth of the ``kind``-th piece after so many ranks: rabbits want to run, the strong to stand in front."""
    if kind == len(PIECES) - 1:
        return _WORTH[kind] + _RUN[ranks]
    return _WORTH[kind] + 0.02 * sqrt(_WORTH[kind]) * (min(ranks, 7 - ranks) + min(file, 7 - file))


_VALUES: Final = {
    **{letter: [_value(kind, 7 - at // 8, at % 8) for at in range(64)] for kind, letter in enumerate(ARMIES[0])},
    **{letter: [-_value(kind, at // 8, at % 8) for at in range(64)] for kind, letter in enumerate(ARMIES[1])},
}
_BESIDE_TRAPS: Final = [near for trap in TRAPS for near in NEIGHBOURS[trap]]


def _letter(position: Position, piece: str) -> str:
    return ARMIES[position.turn][PIECES.index(piece)]


def _available(position: Position) -> list[str]:
    """The pieces the seat to move has still to set up, the strongest first."""
    return list(_left(position, position.turn))


def _left(position: Position, seat: int) -> dict[str, int]:
    """The pieces of a seat that are still to be set up, by kind, the strongest first."""
    if not position.setup:
        return {}
    counts = [position.cells.count(letter) for letter in ARMIES[seat]]
    kinds = zip(PIECES, counts, written.NUMBERS, strict=True)
    return {piece: all_of - placed for piece, placed, all_of in kinds if placed < all_of}


def _army(position: Position, seat: int) -> dict[str, int]:
    """The pieces of a seat on the board, in the words of ``board``."""
    return {_NAMES[letter]: position.cells.count(letter) for letter in ARMIES[seat]}


def _word(position: Position, piece: str) -> str:
    """The rules' word for a piece as a peer names it; the last kind to be placed need not be named."""
    name = piece.strip().lower().removeprefix(f"{_SIDES[position.turn]} ")
    left = _available(position) if position.setup else []
    if not name and len(left) == 1:
        return left[0]
    if len(name) == 1 and name in ARMIES[1]:
        return PIECES[ARMIES[1].index(name)]
    return name if name in PIECES else piece


def _placed(position: Position, move: Move) -> Position:
    """The position after a placement of the set-up."""
    turn, target = position.turn, move.target
    if move.source is not None or target is None:
        raise IllegalMove("cannot move, must finish placements first", Why.PLACEMENTS_FIRST)
    if not 0 <= target < 64:
        raise IllegalMove("movement out of bounds", Why.OUT_OF_BOUNDS)
    if move.piece not in _available(position):
        raise not_available(move.piece)
    if target not in _HOMES[turn]:
        raise IllegalMove(f"{_SIDES[turn]} is set up on ranks {'7 and 8' if turn else '1 and 2'}")
    if position.cells[target] != EMPTY:
        raise _own_piece_there()
    cells = position.cells[:target] + _letter(position, move.piece) + position.cells[target + 1 :]
    if EMPTY in (cells[at] for at in _HOMES[turn]):
        return Position(cells, turn, setup=True)
    return begun(cells, 0) if turn else Position(cells, 1, setup=True)


def _step(position: Position, move: Move) -> tuple[int, int]:
    """Source and target of a move that is a step within the board; IllegalMove for anything else."""
    if move == PASS:
        raise IllegalMove(_no_end(position))
    if move.source is None:
        raise not_available(move.piece)
    if move.target is None:
        raise IllegalMove("only a trap takes a piece off the board")
    if not (0 <= move.source < 64 and 0 <= move.target < 64):
        raise IllegalMove("movement out of bounds", Why.OUT_OF_BOUNDS)
    if move.piece:
        raise IllegalMove("a step names no piece")
    return move.source, move.target


def _refused_step(position: Position, source: int, target: int) -> IllegalMove:
    """Why the piece on ``source`` cannot step to ``target``, whatever comes after."""
    cells, own = position.cells, ARMIES[position.turn]
    piece = cells[source]
    if piece == EMPTY or (piece not in own and not _near_stronger(position, source)):
        return IllegalMove("not your piece", Why.NOT_YOUR_PIECE)
    if cells[target] in own:
        return _own_piece_there()
    if target not in NEIGHBOURS[source]:
        return IllegalMove("a step goes to a neighbouring square")
    if cells[target] != EMPTY:
        return IllegalMove("the square is occupied")
    if position.push:
        return IllegalMove("the push must be completed")
    if piece not in own:
        return IllegalMove(_no_push(position, source))
    if target not in TARGETS[piece][source]:
        return IllegalMove("rabbits do not step backwards")
    return IllegalMove("the piece is frozen")


def _near_stronger(position: Position, source: int) -> bool:
    """True if the enemy piece on ``source`` stands where it could be pushed or pulled at some time."""
    piece = position.cells[source]
    stronger = ARMIES[position.turn][: ARMIES[1 - position.turn].index(piece)]
    return pullable(position, source) or any(position.cells[near] in stronger for near in NEIGHBOURS[source])


def _no_push(position: Position, source: int) -> str:
    if not pushers(position.cells, source):
        return "the piece that could push is frozen"
    return "a push takes two steps, one is left"


def _no_end(position: Position) -> str:
    """Why the turn may not end here."""
    if not position.steps:
        return "a turn has at least one step"
    if position.push:
        return "the push must be completed"
    return "the turn must change the position" if not changed(position) else _THIRD


def _dead_end(after: Position) -> str:
    """Why the step that led to ``after`` is not allowed although the piece could make it."""
    if after.steps < STEPS_A_TURN:
        return "the turn could not be completed after this step"
    return _THIRD if third_time(after) else "the turn must change the position"


_THIRD: Final = "the position would occur for the third time"


def _own_piece_there() -> IllegalMove:
    return IllegalMove("cannot move to field which is occupied by another piece of yours", Why.OWN_PIECE_THERE)
