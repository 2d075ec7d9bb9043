"""Chess and nine of its relatives, by the rules of python-chess.

Seat 0 is White and moves first; in a set-up position with Black to move seat 1 does.

A move goes from square to square, promotion in words ("queen"); castling is the king's move to its own target square,
and in fischerandom to its rook's square; a drop places a piece. The fifth repetition and 75 moves without progress
end a game, the third and 50 moves can be claimed.

Sources: FIDE's Laws of Chess, and python-chess for the other rule sets; their names are XBoard's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

import chess

from gateway.games.base import Game, Played, Turn, Variant
from gateway.games.chess import end as chess_end
from gateway.games.chess import fen as chess_fen
from gateway.games.chess import worth as chess_worth
from gateway.games.chess.guide import GUIDE
from gateway.games.chess.legal import checked, legal_moves, played
from gateway.games.chess.notation import meant, parse, san
from gateway.games.chess.pgn import pgn
from gateway.games.chess.position import NAMES, Position, changed, hands
from gateway.games.chess.refusal import refusal
from gateway.games.chess.start import ARRAY, begun
from gateway.games.chess.tally import tally
from gateway.games.chess.walls import walled
from gateway.games.look import Board, Look, Piece
from protocols.core.model import Move, Outcome, Settings, Tally

SYNONYMS: Final = {
    "standard": "normal",
    "chess": "normal",
    "chess960": "fischerandom",
    "fischerrandom": "fischerandom",
    "threecheck": "3check",
    "koth": "kingofthehill",
}
"""Other names that programs use for these rule sets."""


GLYPHS: Final = {
    "king": ("♔", "♚"),
    "queen": ("♕", "♛"),
    "rook": ("♖", "♜"),
    "bishop": ("♗", "♝"),
    "knight": ("♘", "♞"),
    "pawn": ("♙", "♟"),
}
"""By kind: White's and Black's."""


class Chess(Game[Position]):
    name = "chess"
    title = "Chess"
    guide = GUIDE
    options = (ARRAY,)
    variants = (
        Variant("normal", 8, 8, "Chess as FIDE plays it."),
        Variant("fischerandom", 8, 8, "Chess960: one of 960 first positions; castling moves the king to its rook."),
        Variant("crazyhouse", 8, 8, "A captured piece changes sides and can be dropped on an empty square."),
        Variant("atomic", 8, 8, "A capture explodes everything around it but pawns; who loses the king has lost."),
        Variant("3check", 8, 8, "The third check wins, and so does mate."),
        Variant("suicide", 8, 8, "Captures are compulsory, no castling; no pieces left, or fewer in stalemate, wins."),
        Variant("giveaway", 8, 8, "Captures are compulsory; a side without pieces or without a move wins."),
        Variant("kingofthehill", 8, 8, "A king on one of the four middle squares wins, and so does mate."),
        Variant("racingkings", 8, 8, "The first king on the eighth rank wins; nobody may ever be in check."),
        Variant("horde", 8, 8, "White has 36 pawns and no king, and loses when all are gone."),
    )
    sides = ("white", "black")
    cased = True
    draw_after_moves = True
    formats: ClassVar[Mapping[str, Callable[[Played], str]]] = {"pgn": pgn}

    def settings(
        self, variant: str = "", seats: int = 0, start: str = "", options: Mapping[str, str] | None = None
    ) -> Settings:
        """As every game's, with SYNONYMS of the rule sets."""
        return super().settings(SYNONYMS.get(variant.lower(), variant), seats, start, options)

    def look(self, settings: Settings) -> Look:
        pieces = {}
        for kind, (white, black) in GLYPHS.items():
            pieces[f"white {kind}"] = Piece(f"open {kind}", "#ffffff", white)
            pieces[f"black {kind}"] = Piece(kind, "#121212", black)
        return Look(
            Board.CHEQUERED,
            "#d7af87",
            "#af875f",
            sides=self.sides,
            pieces=pieces,
            turned=frozenset({1}),
            files="abcdefgh",
        )

    def start(self, settings: Settings) -> Position:
        return begun(settings)

    def to_move(self, position: Position) -> Turn:
        if chess_end.outcome(position) is not None:
            return None
        return 0 if position.board.turn else 1

    def play(self, position: Position, move: Move) -> Position:
        return self._after(position, move)[1]

    def _after(self, position: Position, move: Move) -> tuple[chess.Move, Position]:
        """python-chess's form of a legal move and the position after it, both kept; IllegalMove otherwise."""
        kept = position.__dict__
        known: tuple[Move, tuple[chess.Move, Position]] | None = kept.get("after")
        if known is not None and (known[0] is move or known[0] == move):
            return known[1]
        made = played(position, move) if chess_end.outcome(position) is None else None
        if made is None:
            raise refusal(position, move)
        kept["after"] = (move, made)
        return made

    def normal(self, position: Position, move: Move) -> Move:
        return meant(position, move)

    def outcome(self, position: Position) -> Outcome | None:
        return chess_end.outcome(position)

    def legal_moves(self, position: Position) -> list[Move]:
        known: list[Move] | None = position.__dict__.get("legal")
        if known is None:
            known = [] if chess_end.outcome(position) is not None else legal_moves(position)
            position.__dict__["legal"] = known
        return known.copy()

    def board(self, position: Position) -> dict[int, str]:
        return {number: NAMES[cell] for number, cell in enumerate(chess_fen.cells(position.board)) if cell != "."}

    def text(self, position: Position) -> str:
        return chess_fen.text(position)

    def brief(self, position: Position) -> str:
        return chess_fen.brief(position)

    def diagram(self, position: Position) -> str:
        return chess_fen.rows(chess_fen.cells(position.board), "\n")

    def notation(self, position: Position, move: Move) -> str:
        return san(position, *self._after(position, move))

    def parse(self, position: Position, text: str) -> Move:
        """The one legal move that ``text`` writes in SAN or in coordinates, forgivingly; see chess_notation."""
        return parse(position, text)

    def changes(self, position: Position, move: Move) -> list[tuple[int, str | None]]:
        return changed(position.board, self.play(position, move).board)

    def hands(self, position: Position) -> tuple[Mapping[str, int], ...]:
        """Crazyhouse's pockets."""
        return hands(position.board)

    def alarm(self, position: Position) -> int | None:
        return checked(position)

    def tally(self, position: Position) -> tuple[Tally, ...]:
        return tally(position.rules, position.board)

    def claim(self, position: Position) -> Outcome | None:
        return chess_end.claim(position)

    def can_win(self, position: Position, seat: int) -> bool:
        return not (position.board.has_insufficient_material(seat == 0) or walled(position))

    dead = staticmethod(walled)  # asked after every move, so without a call in between

    def evaluate(self, position: Position, seat: int) -> float:
        lead = chess_worth.worth(position.board)
        return lead if seat == 0 else -lead
