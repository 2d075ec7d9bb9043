"""Open: a table without rules, for games that the players' programs know and this server does not.

Seats 0 and 1 move in turn, and nothing else is judged: neither the moves nor the end. A move is what one program wrote
to the other, kept letter by letter, ``Move(None, None, "c7c8n")``; the usual triples and the pass are taken too. The
end is agreed or claimed, which is the table's to do. No piece is ever on the board, because none is known here.

The rule sets are names only, with the size of the board that belongs to them. Source: the variants of XBoard 4.9, of
which those with rules here are in chess/rules.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from gateway.games.base import Game, Turn, Variant
from gateway.games.guide import Guide, RuleSet
from gateway.games.look import Board, Look
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Settings

LONGEST_MOVE: Final = 40
"""Characters: room for a double move of a large board with its promotions, not for a message."""

MOST_SQUARES: Final = 1024
"""Larger square numbers are on no board: 32x32."""

LONGEST_START: Final = 50_000
"""Characters of a start that is read: a thousand of the longest moves."""

SHOWN: Final = 100
"""Characters of a text that an error shows."""

EXAMPLES: Final = (PASS, Move(None, None, "e2e4"), Move(None, None, "O-O"), Move(None, None, "P@f7"))

EIGHT_BY_EIGHT: Final = (
    *("any", "asean", "berolina", "cylinder", "knightmate", "kriegspiel", "lion", "losers", "makruk", "nocastle"),
    *("seirawan", "shatranj", "spartan", "super", "twokings", "wildcastle"),
)
TEN_BY_EIGHT: Final = ("capablanca", "caparandom", "falcon", "gothic", "great", "janus")
OTHERS: Final = {"chu": (12, 12), "courier": (12, 8), "grand": (10, 10), "shogi": (9, 9), "xiangqi": (9, 10)}
SIZES: Final = dict(
    sorted((dict.fromkeys(EIGHT_BY_EIGHT, (8, 8)) | dict.fromkeys(TEN_BY_EIGHT, (10, 8)) | OTHERS).items())
)


@dataclass(frozen=True, slots=True)
class Position:
    """The moves made, by ``first`` and the other seat in turn; ``width`` and ``height`` of the board."""

    width: int
    height: int
    first: int = 0
    moves: tuple[Move, ...] = ()

    @property
    def turn(self) -> int:
        return (self.first + len(self.moves)) % 2


def _sentence(name: str) -> str:
    return "Whatever both programs call a game." if name == "any" else f"What XBoard calls {name}, without rules here."


def _title(name: str) -> str:
    return "Any game" if name == "any" else name.capitalize()


class Open(Game[Position]):
    name = "open"
    title = "Open"
    variants = tuple(Variant(name, width, height, _sentence(name)) for name, (width, height) in SIZES.items())
    sides = ("first", "second")
    judged = False
    cased = True
    guide = Guide(
        goal="Whatever the two players agree on: this board has no rules of its own.",
        play=(
            "Two programs, or two people, play a game that this server does not know. Moves are texts. They are "
            "passed on letter by letter, stored, timed and shown, and never judged.",
        ),
        end=("The players agree on the end, or one claims it and the other accepts. A move can be disputed.",),
        rules={name: RuleSet(_title(name), (_sentence(name),)) for name in SIZES},
        moves=(
            "A move is a text: no squares, and the text in place of the piece. A square to come from, a square to go "
            "to and a piece are taken, too, and so is a pass. The seats move in turn. The server knows no piece, so "
            "its board stays empty and no change is told.",
        ),
        notation=(
            f"The text as it came, of 1 to {LONGEST_MOVE} printing characters, letter case kept. Squares are written "
            'as a program of chess does: "e2e4", "pawn@e4"; "pass" is a pass.',
        ),
    )

    def look(self, settings: Settings) -> Look:
        return Look(Board.CHEQUERED, "#d7af87", "#af875f", sides=self.sides)

    def start(self, settings: Settings) -> Position:
        if not settings.start:
            return Position(settings.width, settings.height)
        try:
            return _read(settings, settings.start)
        except (ValueError, TypeError, RecursionError, IllegalMove) as error:
            shown = f"{settings.start[:SHOWN]!r} on {settings.width}x{settings.height} squares"
            raise Refused(Why.BAD_OPTION, f"a game without rules begins with its moves, not with {shown}") from error

    def to_move(self, position: Position) -> Turn:
        return position.turn

    def play(self, position: Position, move: Move) -> Position:
        """The position after any move that could be one somewhere. IllegalMove for what cannot be kept or shown."""
        _check(move)
        return replace(position, moves=(*position.moves, move))

    def outcome(self, position: Position) -> Outcome | None:
        return None

    def legal_moves(self, position: Position) -> list[Move]:
        """Examples; see ``judged``."""
        return list(EXAMPLES)

    def board(self, position: Position) -> dict[int, str]:
        return {}

    def text(self, position: Position) -> str:
        """The empty board, the seat to move, and the moves made as JSON: a text, or source, target and piece."""
        if not position.moves:
            return self.brief(position)
        moves = [_written(move) for move in position.moves]
        return f"{self.brief(position)} {json.dumps(moves, ensure_ascii=False, separators=(',', ':'))}"

    def brief(self, position: Position) -> str:
        return f"{_rows(position, '/')} {position.turn}"

    def diagram(self, position: Position) -> str:
        return _rows(position, "\n")

    def notation(self, position: Position, move: Move) -> str:
        """A text as it came; a triple in coordinates, "e2e4", "pawn@e4"; "pass"."""
        if move.source is None and move.target is None:
            return move.piece or "pass"
        source, target = (_named(number, position) for number in (move.source, move.target))
        return f"{move.piece}@{target}" if not source else f"{source}{target}{move.piece}"

    def parse(self, position: Position, text: str) -> Move:
        """The text itself is the move. SYNTAX when it is empty, too long, or does not print."""
        word = text.strip()
        if not word or len(word) > LONGEST_MOVE or not word.isprintable():
            raise IllegalMove(
                f"no text of 1 to {LONGEST_MOVE} printing characters: {text[:LONGEST_MOVE]!r}", Why.SYNTAX
            )
        return PASS if word == "pass" else Move(None, None, word)

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        return []


def _rows(position: Position, between: str) -> str:
    return between.join(["." * position.width] * position.height)


def _named(number: int | None, position: Position) -> str:
    """A square's name; its number where it is not on this board."""
    if number is None:
        return ""
    on_board = number < position.width * position.height
    return squares.name(number, position.width, position.height) if on_board else str(number)


def _written(move: Move) -> object:
    opaque = move.source is None and move.target is None
    return move.piece if opaque else [move.source, move.target, move.piece]


def _check(move: Move) -> None:
    """IllegalMove: no game has such a move."""
    for number in (move.source, move.target):
        if number is not None and not 0 <= number < MOST_SQUARES:
            raise IllegalMove(f"no square {number} on any board", Why.OUT_OF_BOUNDS)
    if len(move.piece) > LONGEST_MOVE or not move.piece.isprintable() or move.piece != move.piece.strip():
        raise IllegalMove(f"no word for a move or a piece: {move.piece[:LONGEST_MOVE]!r}", Why.SYNTAX)


def _read(settings: Settings, text: str) -> Position:
    """The position whose text this is. ValueError, TypeError or IllegalMove when there is none."""
    if len(text) > LONGEST_START:
        raise ValueError(f"{len(text)} characters")
    _, turn, *rest = text.split(" ", 2)
    moves = tuple(_move(written) for written in json.loads(rest[0])) if rest else ()
    position = Position(settings.width, settings.height, (int(turn) + len(moves)) % 2, moves)
    if Open().text(position) != text:
        raise ValueError("written otherwise, or for another board")
    return position


def _move(written: object) -> Move:
    match written:
        case str():
            move = Move(None, None, written)
        case [int() | None as source, int() | None as target, str() as piece]:
            move = Move(source, target, piece)
        case _:
            raise ValueError(f"no move: {written!r:.{SHOWN}}")
    _check(move)
    return move
