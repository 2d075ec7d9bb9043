"""What one client knows of its table: the server's messages folded into a picture of seats, board, turn and dice.

Not here: bytes (session.py), drawing, or any judgement about moves: the server judges, and where it contradicts the
rules known here, the server is right. Pure.

The conversation is Bogaprot's: REQ_MOVE names the seat to move, the MSG_MOVE after it is that seat's move, and the
MSG_MOVEs after that one are its consequences (captures, crownings). Between MSG_START and the first REQ_MOVE,
placements and removals rebuild the board of a game that is already going on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gateway.clients import rebuild
from gateway.clients.news import News, Tone, arrival
from gateway.games.base import CHANCE, Game
from protocols.core import squares
from protocols.core.errors import Refused
from protocols.core.model import PASS, Move, Seat, Settings

UNKNOWN_SIZE = (8, 8)
"""Columns and rows of a board nobody told us about: Bogaprot has no word for it."""

LONGEST_NEWS = 500
"""Lines kept for a screen that has not fetched them."""


class Phase(StrEnum):
    """Where a table is in its life, as a client sees it."""

    JOINING = "joining"
    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Roll:
    """The last roll of the dice, and for whom it was; None while nobody can tell."""

    seat: int | None
    value: int


class _Stage(StrEnum):
    REBUILDING = "rebuilding"  # after MSG_START: placements and removals tell the board
    ASKED = "asked"  # after REQ_MOVE: the next movement is a move
    TOLD = "told"  # after a move: placements and removals are its consequences


class Mirror:
    """The picture. Its attributes are for reading; the methods are the server's messages, by name."""

    def __init__(self, game: Game[Any] | None, variant: str = "", size: tuple[int, int] | None = None) -> None:
        """``game`` is None where its rules are not installed here; ``size`` (columns, rows) is used only then.

        Refused (BAD_OPTION) when the game has no such rule set.
        """
        self.game = game
        self.variant = variant
        self.settings: Settings | None = game.settings(variant) if game else None
        self.width, self.height = size or UNKNOWN_SIZE
        if self.settings:
            self.width, self.height = self.settings.width, self.settings.height
        self.phase = Phase.JOINING
        self.seat: int | None = None
        self.players: tuple[Seat, ...] = ()
        self.board: dict[int, str] = {}
        self.first_board: dict[int, str] = {}
        self.turn: int | None = None
        self.roll: Roll | None = None
        self.last: tuple[int, ...] = ()
        self.pending: Move | None = None
        self.winner: int | None = None
        self.draw_offered = False
        self.offering = False
        """Whether an offer of a draw of ours is on its way."""
        self.position: Any | None = None
        self.news: deque[News] = deque(maxlen=LONGEST_NEWS)
        self._before: Any | None = None
        self._stage = _Stage.REBUILDING
        self._open_roll: int | None = None
        self._behind = False

    # what a screen asks

    @property
    def my_turn(self) -> bool:
        """Whether a move of ours is awaited and none is on its way."""
        return self.phase is Phase.PLAYING and self.turn is not None and self.turn == self.seat and self.pending is None

    def legal_moves(self) -> list[Move]:
        """Our legal moves now; empty when it is not our turn or the position is not known."""
        if not self.my_turn or self.game is None or self.position is None:
            return []
        return self.game.legal_moves(self.position)

    def side(self, seat: int) -> str:
        """What this seat is called on the board: "yellow"; its number from 1 where the rules are not known."""
        sides = self.game.called(self.settings) if self.game and self.settings else ()
        return sides[seat] if seat < len(sides) else f"seat {seat + 1}"

    def who(self, seat: int) -> str:
        """The name in this seat, or what the seat is called."""
        name = self.players[seat].name if seat < len(self.players) else ""
        return name or self.side(seat)

    def tell(self, tone: Tone, text: str) -> None:
        """Add a line to the news."""
        self.news.append(News(tone, text))

    def lost(self) -> None:
        """The connection is gone: nobody is asked for a move until the server tells the table anew."""
        self.turn = self.pending = None

    # the server's messages

    def seated(self, seat: int) -> None:
        """MSG_SEAT."""
        self.seat = seat
        if self.phase is Phase.JOINING:
            self.phase = Phase.WAITING

    def listed(self, players: tuple[Seat, ...]) -> None:
        """MSG_PLAYERS: tells who came, went, was lost or came back since the last one."""
        before, self.players = self.players, players
        if self.game and self.settings and len(players) != self.settings.seats:
            self.settings = _or_none(lambda: self._settings(len(players))) or self.settings
        for new in players:
            old = before[new.index] if new.index < len(before) else None
            if old != new and (text := arrival(old, new, self.side(new.index), new.index == self.seat)):
                self.tell(Tone.PEOPLE, text)

    def started(self) -> None:
        """MSG_START: the start position stands until the server says otherwise."""
        again = self.phase is Phase.PLAYING
        self._before = self.position if again else None
        self.phase, self._stage = Phase.PLAYING, _Stage.REBUILDING
        self.turn = self.pending = self.roll = self.winner = self._open_roll = None
        self.last, self.board, self.position, self.draw_offered = (), {}, None, False
        if self.game and self.settings:
            self.position = self.game.start(self.settings)
            self.board = self.game.board(self.position)
        self.first_board = dict(self.board)
        self.tell(Tone.GAME, "The game goes on." if again else "The game begins.")

    def asked(self, seat: int) -> None:
        """REQ_MOVE: a turn begins, or goes on, or a refused move is asked for again."""
        self._stage, self.turn, self.pending = _Stage.ASKED, seat, None
        if self.roll and self.roll.seat is None:
            self.roll = Roll(seat, self.roll.value)
        self._fit()

    def settle(self) -> None:
        """To be called when the messages of one piece of wire are folded in: corrections of the board among them may
        have left the rules position behind."""
        if self._behind and self._stage is _Stage.ASKED:
            self._fit()

    def answered(self, status: int, text: str) -> None:
        """RSP_MOVE: a refusal is told in the server's own words."""
        if status:
            self.pending = None
            self.tell(Tone.REFUSAL, text or f"refused with status {status}")

    def rolled(self, value: int) -> None:
        """MSG_DICE."""
        self._open_roll, seat = value, None
        if self.game and self.position is not None:
            due = rebuild.awaiting_roll(self.game, self.position)
            if due is not None:
                seat = self.game.chance(due).seat
                self.position = _or_none(lambda: self._after_roll(due, value))
        self.roll = Roll(seat, value)
        self.tell(Tone.MOVE, f"{self.who(seat)} rolls {value}" if seat is not None else f"rolled {value}")

    def moved(self, move: Move) -> None:
        """MSG_MOVE: a move, a consequence of one, a part of a rebuilt board, or the words resign and draw."""
        if move.source is None and move.target is None and move.piece in ("resign", "draw"):
            self._declared(move.piece)
            return
        moved = Move(None, None) if move.source is None and move.target is None else move
        plain = moved.source is not None and moved.target is not None
        told_only = not plain and moved != PASS
        if told_only and self._stage is _Stage.REBUILDING:
            self._place(moved)
            self.position = None
        elif told_only and self._stage is _Stage.TOLD and self._shows(moved):
            return
        elif (after := self._after(moved)) is not None:
            self._commit(moved, after)
        elif not told_only or (self._stage is _Stage.ASKED and self.position is None):
            self._commit(moved, None)
        else:  # a correction: moves were taken back, or a seat has given up
            self._place(moved)
            self._behind = True

    def ended(self, winner: int | None) -> None:
        """MSG_GAMEOVER; None is a draw."""
        self.phase, self.winner = Phase.OVER, winner
        self.turn = self.pending = None
        if winner is None:
            self.tell(Tone.GAME, "The game is drawn.")
        elif winner == self.seat:
            self.tell(Tone.GAME, "You win!")
        else:
            self.tell(Tone.GAME, f"{self.who(winner)} wins.")

    # how they are folded

    def _fit(self) -> None:
        """Find the rules position of the board as it was told, with ``turn`` to move."""
        if self.game and self.settings and self.turn is not None:
            known = [p for p in (self.position, self._before) if p is not None]
            self.position = rebuild.fitting(self.game, self.settings, known, self.board, self.turn, self._open_roll)
        self._before, self._behind = self.position, False

    def _declared(self, word: str) -> None:
        """Bogaprot does not say who: with an offer of our own on its way it is ours."""
        if word == "resign":
            self.tell(Tone.GAME, "A player resigns.")
        elif self.draw_offered:
            self.tell(Tone.GAME, "The draw is agreed to.")
        else:
            self.draw_offered = True
            self.tell(Tone.GAME, "You offer a draw." if self.offering else "A draw is offered: d accepts it.")
        self.offering = False

    def _after(self, move: Move) -> tuple[Any, str] | None:
        """The position after a legal ``move`` and how it is written; None where the rules do not know it."""
        game, position = self.game, self.position
        if game is None or position is None or game.to_move(position) in (CHANCE, None):
            return None
        meant = game.normal(position, move)
        if meant not in game.legal_moves(position):
            # a wire may say the piece of a movement, or leave it out: the squares decide then
            same = [m for m in game.legal_moves(position) if (m.source, m.target) == (move.source, move.target)]
            if len(same) != 1 or (move.source is None and move != PASS):
                return None
            meant = same[0]
        return game.play(position, meant), game.notation(position, meant)

    def _commit(self, move: Move, after: tuple[Any, str] | None) -> None:
        mover = self.turn
        if mover is None and self.game and self.position is not None:
            turn = self.game.to_move(self.position)
            mover = turn if isinstance(turn, int) else None
        if after is None:
            self._place(move)
            self.position = None
        elif self.game:
            self.position = after[0]
            self.board = self.game.board(self.position)
        self._stage, self.turn, self.pending, self._open_roll = _Stage.TOLD, None, None, None
        self.draw_offered = False
        if move != PASS:
            self.last = tuple(at for at in (move.source, move.target) if at is not None)
        name = f"{self.who(mover)}: " if mover is not None else ""
        self.tell(Tone.MOVE, name + (after[1] if after else self._spelled(move)))

    def _place(self, move: Move) -> None:
        piece = move.piece
        if move.source is not None:
            piece = self.board.pop(move.source, piece)
        if move.target is not None and piece:
            self.board[move.target] = piece

    def _shows(self, move: Move) -> bool:
        """Whether the board already looks as this placement or removal will make it."""
        if move.source is not None:
            return move.source not in self.board
        return move.target is not None and self.board.get(move.target) == move.piece

    def _after_roll(self, position: Any, value: int) -> Any:
        assert self.game is not None
        return self.game.rolled(position, value)

    def _settings(self, seats: int) -> Settings:
        assert self.game is not None
        return self.game.settings(self.variant, seats)

    def _spelled(self, move: Move) -> str:
        if move == PASS:
            return "pass"
        names = [
            squares.name(at, self.width, self.height)
            for at in (move.source, move.target)
            if at is not None and at < self.width * self.height
        ]
        return " ".join([move.piece, "-".join(names)]).strip() + ("" if move.target is not None else " taken off")


def _or_none(asked: Callable[[], Any]) -> Any | None:
    try:
        return asked()
    except (Refused, ValueError):
        return None
