"""Clients with a brain, of every kind, that take turns the same way: ``turn()`` listens, ``move()`` acts.

Each checks what it is told against its own brain, which knows the rest of
the table only from the wire. One thing no legacy wire tells is a placement (Arimaa's set-up): the test lets the others
look over the mover's shoulder (``watched``), so both sides' brains stand for one shared position there.
"""

from __future__ import annotations

from typing import Protocol

from protocols.core.model import Move, Settings
from tests.conformance.brains import Brain
from tests.conformance.ggzboard_emulator import RECENT, BogaprotClient, Era, GGZBoardClient
from tests.conformance.spec_client import SpecClient


class Player(Protocol):
    """Anybody at a table. ``winner`` is the seat that the server named at the end, None before that and for a draw."""

    brain: Brain

    @property
    def seat(self) -> int: ...

    @property
    def winner(self) -> int | None: ...

    def turn(self) -> int | None:
        """Listen until somebody is to move: who; None when the game is over."""

    def move(self) -> Move | None:
        """Make a move; it comes back if a historic client's wire will not tell it."""

    def watched(self, move: Move) -> None:
        """Play a move that no message tells."""

    def close(self) -> None: ...


class SpecPlayer:
    """A client of the document. After each move the board its messages made must be the rules' board."""

    def __init__(self, port: int, settings: Settings, engine: str, seed: int = 1) -> None:
        self.brain = Brain(settings, seed)
        self.client = SpecClient(port, self.brain.usual)
        answer = self.client.handshake(engine)
        assert answer == ("RSP_HANDSHAKE", 0), answer
        self.client.until("MSG_PLAYERS")
        self._move_due = False
        self._told: Move | None = None
        """The move of this turn, whose effects on the board are still being told."""
        self.dice: list[int] = []
        """What was rolled for the last roller since the last move."""

    @property
    def seat(self) -> int:
        return self.client.seat

    @property
    def winner(self) -> int | None:
        return _draw_is_negative(self.client.winner)

    def turn(self) -> int | None:
        while True:
            message = self.client.read()
            if message[0] != "MSG_MOVE":
                self._play_told()
            match message:
                case ("REQ_MOVE", int(seat)):
                    assert self.brain.turn == seat
                    assert self.client.board == self.brain.board, (self.client.board, self.brain.board)
                    self._move_due = True
                    return seat
                case ("MSG_GAMEOVER", _):
                    assert self.client.board == self.brain.board
                    return None
                case ("MSG_DICE", int(value)):
                    self.dice = self.brain.roll(self.dice, value)
                case ("MSG_MOVE", int(source), int(destination), *piece):
                    self._heard(source, destination, str(piece[0]) if piece else "")
                case ("RSP_MOVE", *status):
                    assert status == [0]
                    assert self._move_due, "RSP_MOVE comes before the echo of the move"

    def _heard(self, source: int, destination: int, piece: str) -> None:
        """The first MSG_MOVE of a turn is the move; what follows are its effects on the board."""
        if not self._move_due:
            return
        self._move_due = False
        self._told = Move(_given(source), _given(destination), piece)

    def _play_told(self) -> None:
        """Make the move told last, now that its effects are. What a piece has become is told by them alone."""
        if self._told is None:
            return
        told, self._told, self.dice = self._told, None, []
        squares = (told.source, told.target)
        if None not in squares:
            told = next((move for move in self._becoming(squares) if self._shows(move)), told)
        self.brain.play(told)

    def _becoming(self, squares: tuple[int | None, int | None]) -> list[Move]:
        """The moves between these squares where there are several: they differ in what the piece becomes."""
        found = [move for move in self.brain.legal() if (move.source, move.target) == squares]
        return found if len(found) > 1 else []

    def _shows(self, move: Move) -> bool:
        """True if the client's board is that after this move."""
        game = self.brain.game
        return game.board(game.play(self.brain.position, move)) == self.client.board

    def move(self) -> Move | None:
        return self.plays(self.brain.choose())

    def plays(self, move: Move) -> Move | None:
        """Make this move; a placement comes back."""
        source = -1 if move.source is None else move.source
        destination = -1 if move.target is None else move.target
        word = "pass" if (source, destination) == (-1, -1) else move.piece
        self.client.move(source, destination, word)
        return move if -1 in (source, destination) else None

    def watched(self, move: Move) -> None:
        """Told by messages, so not looked at."""

    def come_back(self, old: SpecPlayer) -> int:
        """Go on for ``old``, whose connection is gone: who is to move. The board told must be the one it had."""
        self.brain = old.brain
        self.client.until("MSG_START")
        dice: list[int] = []
        while True:
            match self.client.read():
                case ("REQ_MOVE", int(seat)):
                    break
                case ("MSG_DICE", int(value)):
                    dice.append(value)
                case message:
                    assert message[0] in ("MSG_MOVE", "MSG_PLAYERS"), message
        assert self.client.board == self.brain.board
        assert dice == old.dice, "the dice told before are told again"
        self.dice, self._move_due = dice, True
        return seat

    def close(self) -> None:
        self.client.close()


class LegacyPlayer:
    """GGZBoard's Bogaprot client: Ludo and Arimaa. ``width`` is what it multiplies y with."""

    def __init__(
        self,
        port: int,
        settings: Settings,
        era: Era = RECENT,
        *,
        width: int = 0,
        seed: int = 1,
        host: str = "127.0.0.1",
    ) -> None:
        self.brain = Brain(settings, seed)
        self.client = BogaprotClient(port, era, host)
        self._width = width or settings.width
        while self.client.read()[0] != "MSG_PLAYERS":
            pass
        self.heard: list[tuple[int, int]] = []
        """Every MSG_MOVE of the game."""
        self.dice: list[int] = []
        """What was rolled for the last roller since the last move."""

    @property
    def seat(self) -> int:
        return self.client.seat

    @property
    def winner(self) -> int | None:
        return _draw_is_nobodys_seat(self.client.winner, self.brain)

    def turn(self) -> int | None:
        while True:
            match self.client.read():
                case ("REQ_MOVE", int(seat)):
                    assert self.brain.turn == seat
                    return seat
                case ("MSG_GAMEOVER", _):
                    return None
                case ("MSG_DICE", int(value)):
                    self.dice = self.brain.roll(self.dice, value)
                case ("MSG_MOVE", int(source), int(destination)):
                    self.dice = []
                    self.heard.append((source, destination))
                    self.brain.play(self._meant(source, destination))
                case ("RSP_MOVE", int(status), text):
                    assert status == 0, text

    def come_back(self, old: LegacyPlayer) -> int:
        """Go on for ``old``, whose connection is gone: who is to move. All moves are told again, and the last dice."""
        self.brain = old.brain
        dice: list[int] = []
        while True:
            match self.client.read():
                case ("REQ_MOVE", int(seat)):
                    break
                case ("MSG_DICE", int(value)):
                    dice.append(value)
                case ("MSG_MOVE", int(source), int(destination)):
                    self.heard.append((source, destination))
                case message:
                    assert message[0] in ("MSG_START", "MSG_PLAYERS"), message
        assert self.heard == old.heard
        assert dice == old.dice, "the dice told before are told again"
        self.dice = dice
        return seat

    def _position(self, at: int) -> int:
        y, x = divmod(at, self.brain.settings.width)
        return y * self._width + x

    def _meant(self, source: int, destination: int) -> Move:
        """The only legal move with these two positions: a width of 10 names two squares alike."""
        found = [
            move
            for move in self.brain.legal()
            if move.source is not None
            and move.target is not None
            and (self._position(move.source), self._position(move.target)) == (source, destination)
        ]
        assert len(found) == 1, f"{source} {destination} means {found}"
        return found[0]

    def move(self) -> Move | None:
        move = self.brain.choose(may_pass=False)
        assert move.target is not None
        if move.source is None:
            self.client.place(self._position(move.target), move.piece)
            return move
        self.client.move(self._position(move.source), self._position(move.target))
        return None

    def watched(self, move: Move) -> None:
        self.brain.play(move)

    def close(self) -> None:
        self.client.close()


class OldBoardPlayer:
    """GGZBoard's older client: Checkers and Hnefatafl. Nobody tells it whose turn it is: it knows by the rules.

    ``replayed`` is how many moves it is told at once when it comes back to a running game.
    """

    def __init__(
        self,
        port: int,
        settings: Settings,
        era: Era = RECENT,
        *,
        seed: int = 1,
        host: str = "127.0.0.1",
        replayed: int = 0,
    ) -> None:
        self.brain = Brain(settings, seed)
        self.client = GGZBoardClient(port, era, host)
        self._awaited = replayed
        while self.client.read()[0] != "PLAYERS":
            pass

    @property
    def seat(self) -> int:
        return self.client.seat

    @property
    def winner(self) -> int | None:
        return _draw_is_nobodys_seat(self.client.winner, self.brain)

    def turn(self) -> int | None:
        while not self.client.started:
            self.client.read()
        while self._awaited:
            self._listen()
        self._awaited = 1
        if self.brain.outcome is not None:
            while self.client.winner is None:
                self.client.read()
            return None
        assert isinstance(self.brain.turn, int)
        return self.brain.turn

    def _listen(self) -> None:
        match self.client.read():
            case ("MOVE", int(source), int(destination)):
                self.brain.play(Move(source, destination))
                self._awaited -= 1
            case ("GAMEOVER", *_) | ("START",):
                raise AssertionError("told that the game is over, or begins, while it goes on")

    def move(self) -> Move | None:
        move = self.brain.choose()
        assert move.source is not None
        assert move.target is not None
        self.client.move(move.source, move.target)
        return None

    def watched(self, move: Move) -> None:
        raise AssertionError(f"this protocol has no placements: {move}")

    def close(self) -> None:
        self.client.close()


def _given(position: int) -> int | None:
    """A negative position value means that the position is not given."""
    return None if position < 0 else position


def _draw_is_negative(winner: int | None) -> int | None:
    return None if winner is None or winner < 0 else winner


def _draw_is_nobodys_seat(winner: int | None, brain: Brain) -> int | None:
    """Historic clients would read a negative winner as 4294967295: they are told a seat that does not exist."""
    return None if winner is None or winner >= brain.settings.seats else winner
