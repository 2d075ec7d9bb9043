"""Hnefatafl, the siege of a king: attackers against a smaller side that brings its king away, in four rule sets.

In all of them pieces move along rows and columns, in all but ggzboard any distance over empty squares. A soldier is
captured between two enemies, or an enemy and a hostile square, by a move of the enemy's; the king is armed: he takes
part in captures. The throne is the middle square. It may be passed over while it is empty; only the king may stand
there. A captured king is taken off. A seat without a legal move has lost.

copenhagen
    11x11, attackers first. Corners are the king's alone and hostile to all, the empty throne is hostile to all. The
    king wins in a corner; he is taken with attackers on all four sides, the empty throne standing in for one, and
    never on the edge. Shieldwall: a move to the edge that closes the second end of an edge row of two or more
    enemies, each faced by a piece of the mover's, takes the row; a corner may be one end; a king in the row counts
    but is not taken. Exit fort: the defenders win when the king on the edge can move within a fort that cannot be
    broken (position.py: a proof, so an unclear fort is played on). The attackers win by a ring around all
    defenders, none of whom could reach the edge.
tablut
    9x9, attackers first. The king wins on any edge square; corners are ordinary edge squares. The empty throne is
    hostile to all. On the throne the king is taken from four sides, beside it from the three others, elsewhere
    like a soldier.
brandubh
    7x7, attackers first. Closed and hostile corners and throne as in copenhagen, corner escape, the king taken as in
    tablut (so also between an attacker and a corner). No shieldwall, fort or ring.
ggzboard
    9x9 as the historic client: defenders are seat 0 and first. Every piece, the king too, steps one square. A soldier
    beside the throne may also jump over it, empty or occupied, to the square behind; the king does not jump, but may
    return to the throne. All pieces may enter corners; an empty corner is hostile to both sides. Corner escape. The
    king is taken with attackers on all four sides; edge, empty throne and empty corner stand in for them. Edge and
    throne are hostile to no other piece.

Perpetual repetition: the published rule is that it loses for the king's side, whichever side keeps it up, without a
count. Here, in all rule sets but ggzboard, which has no such rule: at the third occurrence of a position with the same
seat to move among the last MEMORY plies, no capture between, the attackers may claim the game. The fifth ends it.

Sources: "Copenhagen Hnefatafl" as published by Aage Nielsen (rules by Aage Nielsen, Adam Bartley and Tim Millar), his
"Tablut 9x9" and his rules of Brandubh on the 7x7 board; for ggzboard the moves and captures of GGZBoard's own client.
Points they leave open are decided above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gateway.games.base import Game, Turn, Variant, no_step, not_written
from gateway.games.hnefatafl import position as positions
from gateway.games.hnefatafl.board import DIRECTIONS, RULES, Board, board
from gateway.games.hnefatafl.guide import GUIDE
from gateway.games.hnefatafl.position import MEMORY, Position
from gateway.games.hnefatafl.worth import worth
from gateway.games.look import Look, Piece
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why, naming
from protocols.core.model import Move, Outcome, Reason, Settings, Tally

LONGEST_TEXT: Final = 140 + MEMORY * 8
"""Characters: the largest board and the turn, and MEMORY moves of seven characters and a comma; more is no position."""

PIECES: Final = {"A": "attacker", "D": "defender", "K": "king"}

WRITTEN: Final = re.compile(r"([a-z]\d{1,2})-([a-z]\d{1,2})((?:x[a-z]\d{1,2})*)")


class Hnefatafl(Game[Position]):
    name = "hnefatafl"
    title = "Hnefatafl"
    guide = GUIDE
    variants = (
        Variant("copenhagen", 11, 11, "Corner escape, shieldwalls and exit forts; the king is taken on four sides."),
        Variant("tablut", 9, 9, "The king escapes to any edge; away from the throne two attackers take him."),
        Variant("brandubh", 7, 7, "The small board: corner escape; away from the throne two attackers take the king."),
        Variant(
            "ggzboard", 9, 9, "The historic GGZ client: defenders begin, every piece steps one square, corner escape."
        ),
    )
    sides = ("attackers", "defenders")

    def called(self, settings: Settings) -> tuple[str, ...]:
        return self.sides if RULES[settings.variant].attackers == 0 else (self.sides[1], self.sides[0])

    def look(self, settings: Settings) -> Look:
        size = settings.width
        special = (0, size - 1, size * size // 2, size * (size - 1), size * size - 1)
        pieces = {
            "attacker": Piece("disc", "#5f0000", "●", figure="man", paint="#54211c"),
            "defender": Piece("diamond", "#ffffff", "◇", figure="shield", paint="#fbf3e0"),
            "king": Piece("crown", "#00005f", "♚", figure="king man", paint="#1d3a78"),
        }
        return Look(
            ground="#d7af87",
            line="#875f5f",
            squares=dict.fromkeys(special, "#af875f"),
            sides=self.called(settings),
            pieces=pieces,
            marks=dict.fromkeys(special, Piece("hatch", "#5f5f00", "×", figure="knot", paint="#6b4423")),
        )

    def start(self, settings: Settings) -> Position:
        if settings.variant not in RULES:
            raise Refused(Why.BAD_OPTION, f"hnefatafl has no rule set {settings.variant!r}")
        if not settings.start:
            return _placed(settings.variant, list(RULES[settings.variant].layout), 0)
        try:
            position = self._read(settings.variant, settings.start)
        except (ValueError, IllegalMove) as error:
            text = settings.start[:LONGEST_TEXT]
            raise Refused(Why.BAD_OPTION, f"no position of {settings.variant} hnefatafl: {text!r}") from error
        return self.as_written(position, settings.start)

    def _read(self, variant: str, text: str) -> Position:
        """The position of a text; ValueError or IllegalMove when there is none."""
        rows, turn, *rest = text[: LONGEST_TEXT + 1].split(" ")
        if len(text) > LONGEST_TEXT or turn not in ("0", "1") or len(rest) > 1:
            raise ValueError(text)
        position = _placed(variant, rows.split("/"), int(turn))
        return self._replayed(position, rest[0].split(",")) if rest else position

    def _replayed(self, position: Position, quiet: list[str]) -> Position:
        """``position``, but arrived at by these quiet moves: taken back one by one, then played again."""
        tables = board(position.variant)
        sets, moves = [position.attackers, position.defenders, position.king], []
        for written in reversed(quiet):
            gone, there = (tables.bit(name) for name in written.split("-"))
            sets = [pieces & ~there | gone if pieces & there else pieces for pieces in sets]
            moves.append(Move(gone.bit_length() - 1, there.bit_length() - 1))
        position = Position(position.variant, sets[0], sets[1], sets[2], (position.turn + len(moves)) & 1)
        for move in reversed(moves):
            position = self.play(position, move)
        return position

    def to_move(self, position: Position) -> Turn:
        return None if self.outcome(position) else position.turn

    def play(self, position: Position, move: Move) -> Position:
        known: tuple[Move, Position] | None = getattr(position, "after", None)
        if known is not None and (known[0] is move or known[0] == move):
            return known[1]
        tables = board(position.variant)
        path = tables.path(position.king, move)
        if path is None or move.piece or not positions.open_path(tables, position, path) or self.outcome(position):
            raise self._refusal(position, move)
        after = positions.moved(tables, position, path)
        object.__setattr__(position, "after", (move, after))
        return after

    def outcome(self, position: Position) -> Outcome | None:
        known: tuple[Outcome | None] | None = getattr(position, "verdict", None)
        if known is None:
            known = (positions.judged(board(position.variant), position),)
            object.__setattr__(position, "verdict", known)
        return known[0]

    def claim(self, position: Position) -> Outcome | None:
        if self.outcome(position) is not None or not positions.occurred(position, positions.CLAIMED):
            return None
        return Outcome(RULES[position.variant].attackers, Reason.CLAIM, positions.REPETITION)

    def tally(self, position: Position) -> tuple[Tally, ...]:
        """The soldiers taken; the king's end is the game's."""
        rules = RULES[position.variant]
        layout = "".join(rules.layout)
        attackers = layout.count("A") - position.attackers.bit_count()
        defenders = layout.count("D") - position.defenders.bit_count()
        besiege, defend = (
            Tally({"defender": defenders} if defenders else {}),
            Tally({"attacker": attackers} if attackers else {}),
        )
        return (besiege, defend) if rules.attackers == 0 else (defend, besiege)

    def decisive(self, position: Position) -> tuple[int, ...]:
        """The king who has escaped; nothing where he was captured or a side cannot move."""
        ended = self.outcome(position)
        won = ended is not None and ended.winner == 1 - RULES[position.variant].attackers
        return (position.king.bit_length() - 1,) if won and position.king else ()

    def legal_moves(self, position: Position) -> list[Move]:
        return [] if self.outcome(position) else list(positions.moves(board(position.variant), position))

    def board(self, position: Position) -> dict[int, str]:
        return {number: PIECES[cell] for number, cell in enumerate(_cells(position)) if cell != "."}

    def text(self, position: Position) -> str:
        return f"{self.brief(position)} {','.join(position.quiet)}" if position.quiet else self.brief(position)

    def brief(self, position: Position) -> str:
        return f"{self.diagram(position).replace(chr(10), '/')} {position.turn}"

    def diagram(self, position: Position) -> str:
        size, cells = board(position.variant).size, _cells(position)
        return "\n".join("".join(cells[row : row + size]) for row in range(0, size * size, size))

    def notation(self, position: Position, move: Move) -> str:
        tables = board(position.variant)
        taken = _taken(position, self.play(position, move))
        source, target = (squares.name(number or 0, tables.size, tables.size) for number in (move.source, move.target))
        return f"{source}-{target}" + "".join(f"x{tables.name(bit)}" for bit in _bits(taken))

    def parse(self, position: Position, text: str) -> Move:
        """As every game's; what is captured may be left unsaid."""
        found = WRITTEN.fullmatch(text.strip().lower())
        try:
            if found is not None:
                tables = board(position.variant)
                source, target = (tables.bit(found[group]).bit_length() - 1 for group in (1, 2))
                move = Move(source, target)
                if not found[3] or self.notation(position, move) == found[0]:
                    self.play(position, move)
                    return move
        except (ValueError, IllegalMove):
            pass
        raise not_written(text, [self.notation(position, move) for move in self.legal_moves(position)])

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        after = self.play(position, move)
        emptied = _taken(position, after) | 1 << (move.source or 0)
        changed: list[tuple[int, str | None]] = [(bit.bit_length() - 1, None) for bit in _bits(emptied)]
        target = 1 << (move.target or 0)
        piece = "king" if after.king & target else "defender" if after.defenders & target else "attacker"
        return sorted([*changed, (target.bit_length() - 1, piece)])

    def evaluate(self, position: Position, seat: int) -> float:
        tables = board(position.variant)
        lead = worth(tables, position.attackers, position.defenders, position.king)
        return -lead if seat == tables.rules.attackers else lead

    def _refusal(self, position: Position, move: Move) -> IllegalMove:
        """Why ``move``, which is not legal, is not."""
        tables = board(position.variant)
        own = position.attackers if positions.attacking(position) else position.defenders | position.king
        if self.outcome(position):
            return IllegalMove("the game is over", Why.NOT_PLAYING)
        if (fault := no_step(move, tables.size, tables.size)) is not None:
            return fault
        assert move.source is not None
        assert move.target is not None
        if not own >> move.source & 1:
            return IllegalMove(naming("no piece of yours on {}", tables.named, move.source), Why.NOT_YOUR_PIECE)
        if own >> move.target & 1:
            return IllegalMove(naming("a piece of yours is on {}", tables.named, move.target), Why.OWN_PIECE_THERE)
        if move.piece:
            return IllegalMove(f"{move.piece!r} cannot be chosen: pieces do not change", Why.NO_SUCH_PIECE)
        return IllegalMove(_fault(tables, position, 1 << move.source, 1 << move.target))


def _fault(tables: Board, position: Position, source: int, target: int) -> str:
    """The fault of a move of one's own piece from ``source`` to a square without a piece of one's own."""
    king, start, end = source == position.king, source.bit_length() - 1, target.bit_length() - 1
    if (position.attackers | position.defenders | position.king) & target:
        return naming("{} is occupied", tables.named, end)
    if not any(target in tables.line(source, dx, dy) for dx, dy in DIRECTIONS):
        return "pieces move along rows and columns"
    if not king and target & tables.closed:
        return naming("only the king may enter {}", tables.named, end)
    if tables.path(position.king, Move(start, end)) is None:
        return "the king steps one square" if king else "soldiers step one square, or jump over the throne"
    return naming("the way from {} to {} is not free", tables.named, start, end)


def _placed(variant: str, rows: list[str], turn: int) -> Position:
    """The position with these rows; ValueError where pieces cannot stand so."""
    tables = board(variant)
    cells = "".join(rows)
    if [len(row) for row in rows] != [tables.size] * tables.size or set(cells) - set("AKD."):
        raise ValueError("not the rows of this board")
    sets = {piece: sum(1 << number for number, cell in enumerate(cells) if cell == piece) for piece in "ADK"}
    layout = "".join(tables.rules.layout)
    if any(cells.count(piece) > layout.count(piece) for piece in "ADK"):
        raise ValueError("more pieces than the game has")
    if (sets["A"] | sets["D"]) & tables.closed:
        raise ValueError("a soldier where only the king may stand")
    return Position(variant, sets["A"], sets["D"], sets["K"], turn)


def _taken(before: Position, after: Position) -> int:
    """The squares of the pieces that the move between two positions captured."""
    if positions.attacking(before):
        return (before.defenders | before.king) & ~(after.defenders | after.king)
    return before.attackers & ~after.attackers


def _bits(area: int) -> Iterator[int]:
    """The squares of a set, rising."""
    while area:
        bit = area & -area
        area ^= bit
        yield bit


def _cells(position: Position) -> list[str]:
    """A letter a square: A, D, K and "."."""
    size = board(position.variant).size
    cells = ["."] * (size * size)
    for letter, pieces in (("A", position.attackers), ("D", position.defenders), ("K", position.king)):
        for bit in _bits(pieces):
            cells[bit.bit_length() - 1] = letter
    return cells
