"""Checkers: English draughts as the World Checkers Draughts Federation plays it.

Opening ballots are not drawn.

Seat 0 has the black men, squares 1 to 12 at the top, and moves first. Captures are compulsory, the choice among them
is free, a man that reaches the far row is crowned and the turn ends there. Each hop is a Move of its own: while the
piece that captured can capture again its seat keeps the turn and may move nothing else. Without a move a seat has
lost. A draw may be claimed at the third occurrence of a position with the same seat to move, and after 40 moves of each
seat without a capture or a man's move. The fifth occurrence ends the game drawn.

Squares are named by their numbers in PDN: y * 4 + x // 2 + 1, y = 0 the top row. Source: the rules of the WCDF and
the PDN 3.0 standard. The WCDF leaves both draws to a player, who demonstrates them; that the fifth occurrence ends the
game by itself is ours, as in chess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

import msgspec

from gateway.games.base import Game, Played, Turn, Variant, no_step
from gateway.games.checkers import board as geometry
from gateway.games.checkers import pdn
from gateway.games.checkers.board import HOPS, NUMBER, NUMBERS, PIECES, SPOTS, Hop, Sources, turns
from gateway.games.checkers.guide import GUIDE
from gateway.games.checkers.turns import WholeTurn, meant, shortest
from gateway.games.look import Board, Look, Piece
from protocols.core.errors import IllegalMove, Refused, Why, naming
from protocols.core.model import Move, Outcome, Reason, Settings, Tally

THREEFOLD: Final = 3
FIVEFOLD: Final = 5
"""Occurrences of a position: what a draw may be claimed at, and what ends the game."""

QUIET_LIMIT: Final = 80
"""Plies without a capture or a man's move after which a draw may be claimed: 40 moves of each seat."""

MEMORY: Final = 160
"""Plies without progress that are remembered: kings may shuffle for ever, and the text of a position stays short."""

LONGEST_TEXT: Final = 80 + MEMORY * 6
"""Characters: the board and the turn, and MEMORY moves of five characters and a comma; more is no position."""

MEN: Final = ("black man", "white man")
KINGS: Final = ("black king", "white king")
"""The names of a seat's pieces."""

MATERIAL: Final = (1.0, 1.5)
"""The worth of a man and a king; the other weights of ``evaluate`` are fractions of a man."""


class Position(msgspec.Struct, frozen=True, dict=True):
    """Bits as in board.py: ``black`` and ``white`` pieces, the ``kings`` of both.

    ``hopper`` is the bit of the piece that must go on capturing, 0 between turns. ``quiet`` are the moves since the
    last capture or man's move, as ``notation`` writes them, at most MEMORY; ``seen`` the boards (``_key``) they were
    made in. What is worked out once about a position is kept in its ``__dict__``: no part of its value, and never
    pickled.
    """

    black: int = geometry.BLACK_HOME
    white: int = geometry.WHITE_HOME
    kings: int = 0
    turn: int = 0
    hopper: int = 0
    quiet: tuple[str, ...] = ()
    seen: tuple[int, ...] = ()


class Checkers(Game[Position]):
    name = "checkers"
    title = "Checkers"
    guide = GUIDE
    variants = (Variant("english", 8, 8, "English draughts: captures are compulsory, kings step one square."),)
    sides = ("black", "white")
    formats: ClassVar[Mapping[str, Callable[[Played], str]]] = {"pdn": lambda played: _pdn(played)}

    def look(self, settings: Settings) -> Look:
        pieces = {
            "black man": Piece("disc", "#121212", "●", figure="man", paint="#262322"),
            "white man": Piece("ring", "#ffffff", "○", figure="open man", paint="#fbf3e0"),
            "black king": Piece("crown", "#121212", "♛", figure="king man", paint="#262322"),
            "white king": Piece("open crown", "#ffffff", "♕", figure="open king man", paint="#fbf3e0"),
        }
        numbers = {square: str(at) for at, square in enumerate(NUMBERS, 1)}
        return Look(
            Board.CHEQUERED,
            "#d7af87",
            "#80573c",
            "#d7af87",
            sides=self.sides,
            pieces=pieces,
            turned=frozenset({0}),
            numbers=numbers,
        )

    def settings(
        self, variant: str = "", seats: int = 0, start: str = "", options: Mapping[str, str] | None = None
    ) -> Settings:
        """As every game's; ``start`` may also be a position or a game in PDN, of which the last position is meant."""
        if pdn.is_fen(start) or pdn.is_game(start):
            try:
                start = self.text(self._of_pdn(start))
            except (ValueError, IllegalMove) as error:
                raise Refused(Why.BAD_OPTION, f"no position of checkers: {start[:100]!r} ({error!s:.100})") from error
        return super().settings(variant, seats, start, options)

    def _of_pdn(self, text: str) -> Position:
        """The position of a FEN, or the last of a game; ValueError or IllegalMove when there is none."""
        game = pdn.read(text) if pdn.is_game(text) else pdn.PdnGame(text, (), "*")
        position = Position()
        if game.fen:
            rows, turn = pdn.read_fen(game.fen)
            position = Position(*geometry.read(rows), turn)
        for word in game.turns:
            for move in self.turn(position, word):
                position = self.play(position, move)
        if not game.fits(self.outcome(position)):
            raise ValueError(f"the moves end the game, and not as {game.result}")
        return position

    def start(self, settings: Settings) -> Position:
        if not settings.start:
            return Position()
        try:
            position = self._read(settings.start)
        except (ValueError, IllegalMove) as error:
            raise Refused(Why.BAD_OPTION, f"no position of checkers: {settings.start[:LONGEST_TEXT]!r}") from error
        if self.text(position) != settings.start:
            raise Refused(Why.BAD_OPTION, f"written {self.text(position)!r}, not {settings.start!r}")
        return position

    def _read(self, text: str) -> Position:
        """The position of a text; ValueError or IllegalMove when there is none."""
        rows, turn, *rest = text[: LONGEST_TEXT + 1].split(" ")
        black, white, kings = geometry.read(rows.split("/"))
        extra = rest[0] if rest else ""
        if len(text) > LONGEST_TEXT or turn not in ("0", "1") or len(rest) > 1:
            raise ValueError(text)
        if extra.startswith("x"):
            return _mid_capture(Position(black, white, kings, int(turn), 1 << geometry.spot(extra[1:])))
        return self._replayed(Position(black, white, kings, int(turn)), extra.split(",") if extra else [])

    def _replayed(self, position: Position, quiet: list[str]) -> Position:
        """``position``, but arrived at by these quiet moves: taken back one by one, then played again."""
        kings, colours = position.kings, [position.black, position.white]
        moves: list[Move] = []
        for turn, written in enumerate(reversed(quiet), position.turn + 1):
            source, _, target = written.partition("-")
            gone, there = 1 << geometry.spot(source), 1 << geometry.spot(target)
            colours[turn & 1] = colours[turn & 1] & ~there | gone
            kings = kings & ~there | gone
            moves.append(Move(NUMBER[gone], NUMBER[there]))
        position = Position(colours[0], colours[1], kings, (position.turn + len(moves)) & 1)
        for move in reversed(moves):
            position = self.play(position, move)
        return position

    def to_move(self, position: Position) -> Turn:
        return position.turn if _legal(position) else None

    def play(self, position: Position, move: Move) -> Position:
        hop, legal = HOPS.get((move.source, move.target)), _legal(position)
        if hop is None or not legal or not legal[hop.way] & hop.source or move.piece:
            raise _refusal(position, move)
        return _captured(position, hop) if hop.over else _stepped(position, hop)

    def outcome(self, position: Position) -> Outcome | None:
        if _legal(position):
            return None
        if not _sources(position):
            return Outcome(1 - position.turn, Reason.RULES, f"{self.sides[position.turn]} cannot move")
        return Outcome(None, Reason.RULES, "fifth repetition")

    def claim(self, position: Position) -> Outcome | None:
        if not _legal(position):
            return None
        if _occurred(position, THREEFOLD):
            return Outcome(None, Reason.CLAIM, "third repetition")
        idle = len(position.quiet) >= QUIET_LIMIT
        return Outcome(None, Reason.CLAIM, "forty moves without progress") if idle else None

    def tally(self, position: Position) -> tuple[Tally, ...]:
        """The pieces taken, all as men: a king was one."""
        left = (position.white, position.black)
        gone = [geometry.BLACK_HOME.bit_count() - pieces.bit_count() for pieces in left]
        return tuple(Tally({MEN[1 - seat]: many} if many > 0 else {}) for seat, many in enumerate(gone))

    def legal_moves(self, position: Position) -> list[Move]:
        return [hop.move for hop in geometry.hops(_legal(position))]

    def board(self, position: Position) -> dict[int, str]:
        cells = self.diagram(position).replace("\n", "")
        return {number: PIECES[cell] for number, cell in enumerate(cells) if cell != "."}

    def text(self, position: Position) -> str:
        return f"{self.brief(position)} {','.join(position.quiet)}" if position.quiet else self.brief(position)

    def brief(self, position: Position) -> str:
        rows = "/".join(geometry.rows(position.black, position.white, position.kings))
        hopper = f" x{geometry.name(position.hopper)}" if position.hopper else ""
        return f"{rows} {position.turn}{hopper}"

    def diagram(self, position: Position) -> str:
        return "\n".join(geometry.rows(position.black, position.white, position.kings))

    def notation(self, position: Position, move: Move) -> str:
        return HOPS[move.source, move.target].written

    def parse(self, position: Position, text: str) -> Move:
        """As every game's; a word of several hops is a whole ``turn`` and no move."""
        moves = self.turn(position, text)
        if len(moves) > 1:
            raise IllegalMove(f"{text!r} is a turn of {len(moves)} moves", Why.SYNTAX)
        return moves[0]

    def turn(self, position: Position, text: str) -> tuple[Move, ...]:
        """The hops of a word in PDN: "9-14", "1x10x19", "1x19"."""
        return meant(_turns(position), text)

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        hop = HOPS[move.source, move.target]
        king = (position.kings & hop.source) or hop.target & geometry.FAR[position.turn]
        return hop.changes[(KINGS if king else MEN)[position.turn]].copy()

    def evaluate(self, position: Position, seat: int) -> float:
        lead = _worth(position.black, position.kings, 0) - _worth(position.white, position.kings, 1)
        return lead if seat == 0 else -lead


def _legal(position: Position) -> Sources:
    """The legal steps and captures, empty when the game is over; worked out once."""
    kept = position.__dict__
    known: Sources | None = kept.get("legal")
    if known is None:
        known = kept["legal"] = () if _occurred(position, FIVEFOLD) else _sources(position)
    return known


def _sources(position: Position) -> Sources:
    """The steps and captures by the rules of movement, in a drawn game, too."""
    black, white, kings, turn = position.black, position.white, position.kings, position.turn
    empty = SPOTS & ~(black | white)
    if not position.hopper:
        return turns(black, black & kings, white, empty) if turn == 0 else turns(white & kings, white, black, empty)
    man, king = position.hopper, position.hopper & kings
    found = turns(man, king, white, empty) if turn == 0 else turns(king, man, black, empty)
    return found if any(found[4:]) else ()


def _turns(position: Position) -> list[WholeTurn]:
    """Every whole turn that begins here: the PDN numbers that it visits, and its moves."""
    found: list[WholeTurn] = []
    for hop in geometry.hops(_legal(position)):
        after = _captured(position, hop) if hop.over else None
        first = int(geometry.name(hop.source))
        if after is None or after.turn != position.turn:
            found.append(((first, int(geometry.name(hop.target))), (hop.move,)))
        else:
            found += [((first, *squares), (hop.move, *moves)) for squares, moves in _turns(after)]
    return found


def _pdn(played: Played) -> str:
    """The game in PDN. A turn that is not over yet is written as far as it goes."""
    position = GAME.start(played.settings)
    start = pdn.fen(position.black, position.white, position.kings, position.turn) if played.settings.start else ""
    turns: list[str] = []
    left = [made.move for made in played.moves]
    while left:
        known = _turns(position)
        made = next((turn for turn in known if list(turn[1]) == left[: len(turn[1])]), None)
        if made is None:
            squares = [geometry.name(HOPS[left[0].source, left[0].target].source)]
            squares += [geometry.name(HOPS[move.source, move.target].target) for move in left]
            turns.append("x".join(squares))
            break
        turns.append(shortest(known, made))
        for move in made[1]:
            position = GAME.play(position, move)
        left = left[len(made[1]) :]
    return pdn.pdn(played, start, turns)


def _captured(position: Position, hop: Hop) -> Position:
    """The position after a legal capture: the same seat's turn while the piece can go on."""
    turn = position.turn
    crowned = 0 if position.kings & hop.source else hop.target & geometry.FAR[turn]
    kings = position.kings & ~hop.over
    if kings & hop.source:
        kings ^= hop.source | hop.target
    black, white = position.black, position.white
    if turn == 0:
        black, white = black ^ hop.source ^ hop.target, white ^ hop.over
    else:
        white, black = white ^ hop.source ^ hop.target, black ^ hop.over
    if not crowned:
        onward = Position(black, white, kings, turn, hop.target)
        if _legal(onward):
            return onward
    return Position(black, white, kings | crowned, 1 - turn)


def _stepped(position: Position, hop: Hop) -> Position:
    """The position after a legal move without a capture."""
    turn, kings = position.turn, position.kings
    change = hop.source | hop.target
    black = position.black if turn else position.black ^ change
    white = position.white ^ change if turn else position.white
    if not kings & hop.source:
        return Position(black, white, kings | hop.target & geometry.FAR[turn], 1 - turn)
    quiet, seen = (*position.quiet, hop.written)[-MEMORY:], (*position.seen, _key(position))[-MEMORY:]
    return Position(black, white, kings ^ change, 1 - turn, 0, quiet, seen)


def _key(position: Position) -> int:
    """One number for the board while only kings move: the men are the same then."""
    return position.black << 36 | position.white


def _occurred(position: Position, times: int) -> bool:
    """True if the position stands on the board for the ``times``-th time at least: none comes again in less than four
    plies, or with the other seat to move."""
    seen = position.seen
    return len(seen) >= 4 * times - 4 and seen[-4::-2].count(_key(position)) >= times - 1


def _mid_capture(position: Position) -> Position:
    """``position`` when its hopper can indeed go on capturing; ValueError otherwise."""
    own = (position.black, position.white)[position.turn]
    if not own & position.hopper or not _sources(position):
        raise ValueError("no capture under way")
    return position


def _refusal(position: Position, move: Move) -> IllegalMove:
    """Why ``move``, which is not legal, is not."""
    own, other = (position.black, position.white) if position.turn == 0 else (position.white, position.black)
    if not _legal(position):
        return IllegalMove("the game is over", Why.NOT_PLAYING)
    if (fault := no_step(move, 8, 8)) is not None:
        return fault
    assert move.source is not None
    assert move.target is not None
    source, target = geometry.bit(move.source), geometry.bit(move.target)
    if not source:
        return IllegalMove(_DARK_ONLY, Why.NOT_YOUR_PIECE)
    if not own & source:
        return IllegalMove(naming("no piece of yours on square {}", _name, move.source), Why.NOT_YOUR_PIECE)
    if own & target:
        return IllegalMove(naming("a piece of yours is on square {}", _name, move.target), Why.OWN_PIECE_THERE)
    if move.piece:
        return IllegalMove(f"{move.piece!r} cannot be chosen: a man is crowned on the far row", Why.NO_SUCH_PIECE)
    return IllegalMove(_fault(position, source, target, other))


def _fault(position: Position, source: int, target: int, other: int) -> str:
    """The fault of a move of one's own piece from ``source`` to a square without a piece of one's own."""
    if not target:
        return _DARK_ONLY
    if other & target:
        return naming("square {} is occupied", _name, NUMBER[target])
    if position.hopper and source != position.hopper:
        return naming("the piece on {} must go on capturing", _name, NUMBER[position.hopper])
    if geometry.hops(_sources(position))[0].over:
        return "a capture must be made"
    return naming("this piece cannot go from {} to {}", _name, NUMBER[source], NUMBER[target])


def _name(number: int) -> str:
    """The PDN number of a dark square."""
    return geometry.name(geometry.bit(number))


_DARK_ONLY: Final = "pieces stand on dark squares only"


def _worth(own: int, kings: int, turn: int) -> float:
    """A side's material, how far its men have come, and how well its own row is guarded."""
    men = own & ~kings
    worth = MATERIAL[0] * men.bit_count() + MATERIAL[1] * (own & kings).bit_count()
    for row, weight in geometry.ADVANCED[turn]:
        worth += weight * (men & row).bit_count()
    worth += 0.05 * (men & geometry.FAR[1 - turn]).bit_count()
    return worth + 0.03 * (own & geometry.CENTRE).bit_count()


GAME: Final = Checkers()
