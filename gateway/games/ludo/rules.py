"""Ludo, two to four seats on a ring of forty squares with one die: the rule sets ``maedn`` and ``ggzboard``.

A position waits for the die (CHANCE) or for a seat that has something to play; a roll without a legal move moves the
position on by itself. A piece moves from its square to the square the roll takes it to; depots are squares like any
other. A captured piece goes back to the first empty depot square in the order of DEPOTS, which is where GGZBoard's
clients put it; pieces leave it in the order of EXITS, whichever of them was named.

``maedn``: a six brings a piece out and must do so while one is in the depot, unless a piece of one's own stands on
the start square; that one then moves first, with any roll that lets it. A six rolls again, once. Three tries when
nothing is on the ring and no piece at home can move on. ``ggzboard``: a one brings a piece out, nothing is
compulsory, every turn has up to three tries, a six is a roll like another.

Source: the published rules of Mensch ärgere dich nicht (J. F. Schmidt), and for ``ggzboard`` the behaviour of that
client's Ludo module.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gateway.games.base import CHANCE, Game, Route, Turn, Variant, not_available
from gateway.games.look import Look
from gateway.games.ludo.board import COLOURS, DEPOTS, EXITS, HOMES, LANES, RING, SIZE, STARTS, colours, look
from gateway.games.ludo.guide import GUIDE
from gateway.games.parts import Chance, Roll
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import Move, Outcome, Reason, Settings

__all__ = ["COLOURS", "DEPOTS", "EXITS", "HOMES", "RING", "SIZE", "STARTS", "Ludo", "Position", "colours"]

SIDES_OF_DIE: Final = 6

_STEPS: Final = {colour: {square: at for at, square in enumerate(lane)} for colour, lane in LANES.items()}
_LETTERS: Final = {colour: colour[0] for colour in COLOURS}
_AT_HOME: Final = {colour: tuple(sorted(home)) for colour, home in HOMES.items()}
_OUT_VALUE: Final = 10.0  # what a piece on its start square is worth to a bot, in squares walked


@dataclass(frozen=True, slots=True)
class Position:
    """``pieces`` are each seat's squares, rising; a seat that gave up has none.

    ``roll`` is what the seat to move has rolled and can play, None while the die is due; ``tries`` is how often it
    may still roll, the due roll included, 0 otherwise. When the game is over ``roll`` is None and ``tries`` 0.
    """

    variant: str
    pieces: tuple[tuple[int, ...], ...]
    turn: int
    tries: int
    roll: int | None = None

    @property
    def colours(self) -> tuple[str, ...]:
        return colours(self.variant, len(self.pieces))


class Ludo(Game[Position], Chance[Position]):
    name = "ludo"
    title = "Ludo"
    guide = GUIDE
    variants = (
        Variant("maedn", SIZE, SIZE, "Mensch ärgere dich nicht: out on a six, a six rolls again.", (2, 3, 4)),
        Variant("ggzboard", SIZE, SIZE, "As GGZBoard plays it: out on a one, three tries a turn.", (2, 3, 4)),
    )
    sides = COLOURS

    def called(self, settings: Settings) -> tuple[str, ...]:
        return colours(settings.variant, settings.seats)

    def look(self, settings: Settings) -> Look:
        return look()

    def routes(self, settings: Settings) -> tuple[Route, ...]:
        return tuple(
            Route(EXITS[colour], DEPOTS[colour], LANES[colour], len(HOMES[colour])) for colour in self.called(settings)
        )

    def start(self, settings: Settings) -> Position:
        if settings.start:
            return self._read(settings)
        playing = colours(settings.variant, settings.seats)
        pieces = tuple(tuple(sorted(DEPOTS[colour])) for colour in playing)
        return Position(settings.variant, pieces, 0, tries=3)

    def to_move(self, position: Position) -> Turn:
        if position.roll is not None:
            return position.turn
        return CHANCE if position.tries else None

    def chance(self, position: Position) -> Roll:
        if self.to_move(position) != CHANCE:
            raise ValueError("no roll is due")
        return Roll(position.turn, SIDES_OF_DIE)

    def rolled(self, position: Position, value: int) -> Position:
        if self.to_move(position) != CHANCE:
            raise ValueError("no roll is due")
        if not 1 <= value <= SIDES_OF_DIE:
            raise ValueError(f"a die has no side {value}")
        shown = replace(position, roll=value, tries=0)
        if _playable(shown):
            return shown
        if position.tries > 1:
            return replace(position, tries=position.tries - 1)
        return _after(shown)

    def play(self, position: Position, move: Move) -> Position:
        if self.to_move(position) is None:
            raise IllegalMove("the game is over", Why.NOT_PLAYING)
        if position.roll is None:
            raise IllegalMove("the die is rolled first", Why.NOT_NOW)
        if move.source is None and move.target is not None:
            raise not_available(move.piece)
        if move.source is None or move.target is None or move.piece:
            raise IllegalMove("a move takes one of your pieces to another square")
        if (move.source, move.target) not in _playable(position):
            raise _refusal(position, move.source, move.target)
        moved = _moved(position, move.source, move.target)
        if _winner(moved) is not None:
            return replace(moved, roll=None, tries=0)
        return _after(moved)

    def normal(self, position: Position, move: Move) -> Move:
        """Any piece of one's own in the depot stands for the one that leaves it first (``EXITS``)."""
        if move.source is None or move.target is None:
            return move
        colour, mine = position.colours[position.turn], position.pieces[position.turn]
        leaves = move.source in mine and move.source in DEPOTS[colour] and move.target == STARTS[colour]
        return Move(_first_out(colour, mine) if leaves else move.source, move.target)

    def outcome(self, position: Position) -> Outcome | None:
        winner = _winner(position)
        if winner is not None:
            return Outcome(winner, Reason.RULES, "all four pieces home")
        left = [seat for seat, mine in enumerate(position.pieces) if mine]
        return Outcome(left[0], Reason.RESIGNATION, "all others gave up") if len(left) == 1 else None

    def legal_moves(self, position: Position) -> list[Move]:
        if position.roll is None:
            return []
        return [Move(source, target) for source, target in _playable(position)]

    def withdraw(self, position: Position, seat: int) -> Position | None:
        if self.to_move(position) is None or not position.pieces[seat]:
            return position
        pieces = (*position.pieces[:seat], (), *position.pieces[seat + 1 :])
        rest = replace(position, pieces=pieces)
        if self.outcome(rest):
            return replace(rest, turn=next(s for s, mine in enumerate(pieces) if mine), roll=None, tries=0)
        return _next_seat(rest) if seat == position.turn else rest

    def board(self, position: Position) -> dict[int, str]:
        owned = {at: colour for colour, mine in zip(position.colours, position.pieces, strict=True) for at in mine}
        return dict(sorted(owned.items()))

    def text(self, position: Position) -> str:
        rows = self.diagram(position).replace("\n", "/")
        if position.roll is not None:
            return f"{rows} {position.turn} roll {position.roll}"
        return f"{rows} {position.turn} {f'tries {position.tries}' if position.tries else 'over'}"

    def diagram(self, position: Position) -> str:
        board = self.board(position)
        cells = "".join(_LETTERS[board[at]] if at in board else "." for at in range(SIZE * SIZE))
        return "\n".join(cells[row : row + SIZE] for row in range(0, SIZE * SIZE, SIZE))

    def notation(self, position: Position, move: Move) -> str:
        """The two squares, "x" between them for a capture: "a7-b7", "a7xb7"."""
        source, target = (squares.name(at or 0, SIZE, SIZE) for at in (move.source, move.target))
        taken = any(move.target in mine for mine in position.pieces)
        return f"{source}{'x' if taken else '-'}{target}"

    def evaluate(self, position: Position, seat: int) -> float:
        """Squares walked by own pieces less the best other seat's, each piece discounted by its risk of capture."""
        walked = [_walked(position, other) for other in range(len(position.pieces))]
        own = walked.pop(seat)
        return own - max(walked)

    def _read(self, settings: Settings) -> Position:
        """The position written in ``settings.start``."""
        rows, _, tail = settings.start.partition(" ")
        turn, _, dice = tail.partition(" ")
        cells = rows.replace("/", "")
        pieces = tuple(
            tuple(at for at, letter in enumerate(cells) if letter == _LETTERS[colour])
            for colour in colours(settings.variant, settings.seats)
        )
        word, _, figure = dice.partition(" ")
        number = int(figure) if figure in set("123456") else 0
        position = Position(
            settings.variant,
            pieces,
            int(turn) if turn in set("0123") else 0,
            tries=number if word == "tries" else 0,
            roll=number if word == "roll" else None,
        )
        if not _possible(position):
            raise Refused(Why.BAD_OPTION, f"no position of ludo for {settings.seats} seats: {settings.start!r}")
        self.as_written(position, settings.start)
        if (self.to_move(position) is None) != (self.outcome(position) is not None):
            raise Refused(Why.BAD_OPTION, f"over or not, the squares say otherwise: {settings.start!r}")
        return position


def _possible(position: Position) -> bool:
    """True if these pieces can stand so, one seat has the turn and the die shows what can be played."""
    playing = position.colours
    for colour, mine in zip(playing, position.pieces, strict=True):
        if len(mine) not in (0, 4) or any(at not in _STEPS[colour] and at not in DEPOTS[colour] for at in mine):
            return False
    if position.turn >= len(playing) or not position.pieces[position.turn]:
        return False
    if sum(mine == _AT_HOME[colour] for colour, mine in zip(playing, position.pieces, strict=True)) > 1:
        return False
    if position.roll is not None:
        return bool(_playable(position))
    return position.tries <= 1 or position.tries <= _tries(position)


def _reachable(position: Position) -> list[tuple[int, int]]:
    """The steps of own pieces with the roll, compulsory or not: (source, target), by rising source."""
    assert position.roll is not None
    colour, mine = position.colours[position.turn], position.pieces[position.turn]
    lane, steps = LANES[colour], _STEPS[colour]
    out_on = 6 if position.variant == "maedn" else 1
    found = []
    for source in mine:  # a piece that cannot move targets its own square, which the last line drops
        step = steps.get(source)
        if step is None and source != _first_out(colour, mine):
            continue
        if step is None:
            target = lane[0] if position.roll == out_on else source
        else:
            target = lane[step + position.roll] if step + position.roll < len(lane) else source
        if target not in mine:
            found.append((source, target))
    return found


def _first_out(colour: str, mine: tuple[int, ...]) -> int | None:
    """The square from which the next piece leaves the depot; None when it is empty."""
    return next((at for at in EXITS[colour] if at in mine), None)


def _playable(position: Position) -> list[tuple[int, int]]:
    """The moves the rules leave of the reachable ones."""
    found = _reachable(position)
    if position.variant != "maedn" or not _in_depot(position):
        return found
    start = STARTS[position.colours[position.turn]]
    if start in position.pieces[position.turn]:
        # A start piece whose way is barred by a piece of its own waits; the others are free then.
        return [step for step in found if step[0] == start] or found
    return [step for step in found if step[1] == start] if position.roll == 6 else found


def _in_depot(position: Position) -> bool:
    depot = DEPOTS[position.colours[position.turn]]
    return any(at in depot for at in position.pieces[position.turn])


def _refusal(position: Position, source: int, target: int) -> IllegalMove:
    """Why (source, target) cannot be played."""
    mine = position.pieces[position.turn]
    if not (0 <= source < SIZE * SIZE and 0 <= target < SIZE * SIZE):
        return IllegalMove("movement out of bounds", Why.OUT_OF_BOUNDS)
    if source not in mine:
        return IllegalMove("not your piece", Why.NOT_YOUR_PIECE)
    if target in mine:
        return IllegalMove("cannot move to field which is occupied by another piece of yours", Why.OWN_PIECE_THERE)
    if (source, target) not in _reachable(position):
        return IllegalMove(f"the roll is a {position.roll}")
    if STARTS[position.colours[position.turn]] in mine:
        return IllegalMove("the start field must be cleared")
    return IllegalMove("a piece must leave the depot")


def _moved(position: Position, source: int, target: int) -> Position:
    """The pieces after a move, a captured one back in its depot."""
    pieces = []
    for seat, (colour, mine) in enumerate(zip(position.colours, position.pieces, strict=True)):
        if seat == position.turn:
            mine = tuple(sorted(target if at == source else at for at in mine))
        elif target in mine:
            free = next(at for at in DEPOTS[colour] if at not in mine)
            mine = tuple(sorted(free if at == target else at for at in mine))
        pieces.append(mine)
    return replace(position, pieces=tuple(pieces))


def _after(position: Position) -> Position:
    """The position with the next roll due, once this roll has been played or was of no use."""
    if position.variant == "maedn" and position.roll == 6:
        return replace(position, roll=None, tries=1)
    return _next_seat(position)


def _next_seat(position: Position) -> Position:
    """The turn of the next seat that still plays, before its first roll."""
    seats = len(position.pieces)
    turn = next(s % seats for s in range(position.turn + 1, position.turn + 1 + seats) if position.pieces[s % seats])
    following = replace(position, turn=turn, roll=None)
    return replace(following, tries=_tries(following))


def _tries(position: Position) -> int:
    """The number of rolls that the seat to move has at the start of its turn."""
    if position.variant == "ggzboard":
        return 3
    colour, mine = position.colours[position.turn], position.pieces[position.turn]
    at_home = sorted(_STEPS[colour][at] for at in mine if at in _STEPS[colour])
    end = list(range(len(LANES[colour]) - len(at_home), len(LANES[colour])))
    return 3 if at_home == end else 1


def _winner(position: Position) -> int | None:
    for seat, (colour, mine) in enumerate(zip(position.colours, position.pieces, strict=True)):
        if mine == _AT_HOME[colour]:
            return seat
    return None


def _walked(position: Position, seat: int) -> float:
    """A seat's progress in squares, pieces on the ring discounted by the share of rolls that capture them."""
    steps = _STEPS[position.colours[seat]]
    total = 0.0
    for at in position.pieces[seat]:
        step = steps.get(at)
        if step is None:
            continue
        worth = _OUT_VALUE + step
        total += worth if step >= len(RING) else worth * (1 - min(1.0, _hunters(position, seat, at) / SIDES_OF_DIE))
    return total


def _hunters(position: Position, seat: int, at: int) -> int:
    """The number of other seats' pieces that capture on ``at`` with one particular roll."""
    count = 0
    for other, (colour, theirs) in enumerate(zip(position.colours, position.pieces, strict=True)):
        if other != seat:
            there = _STEPS[colour][at]
            count += sum(1 <= there - _STEPS[colour].get(hunter, there) <= SIDES_OF_DIE for hunter in theirs)
            count += at == STARTS[colour] and any(hunter in DEPOTS[colour] for hunter in theirs)
    return count
