"""Tells whole games as a server does: events by the rules, in the words of the real Bogaprot dialect."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gateway.games.base import CHANCE, Game, differences
from gateway.games.parts import Scoring, chance_of, stopped
from protocols.bogaprot.dialect import Bogaprot
from protocols.core import events as ev
from protocols.core.model import HouseRules, Move, SeatKind
from protocols.core.notifications import Seated
from protocols.core.proposals import Proposal, Takeback

NAMES = ("alice", "bob", "carol", "dave")


class ToldGame:
    """One game at one table. ``steps`` of it are played by lot; every event is kept and told to the listeners."""

    def __init__(
        self,
        game: Game[Any],
        variant: str,
        seats: int,
        seed: int,
        start: str = "",
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.game = game
        self.settings = game.settings(variant, seats, start, options)
        self.position = game.start(self.settings)
        self.events: list[ev.Event] = [ev.TableOpened(self.settings, HouseRules())]
        self.ears: list[Bogaprot] = []
        self._lots = Random(seed)
        self._past: list[Any] = []
        self._rolls = 0
        for seat in range(self.settings.seats):
            self.tell(ev.SeatTaken(seat, SeatKind.PLAYER, NAMES[seat]))

    def tell(self, event: ev.Event) -> None:
        self.events.append(event)
        for ear in self.ears:
            ear.send(event)

    def listen(self, opening: bytes, seat: int) -> Bogaprot:
        """A connection of this seat, from its handshake on."""
        dialect = Bogaprot()
        assert dialect.receive_data(opening), "the server understands the handshake"
        dialect.send(Seated(1, seat, tuple(self.events)))
        self.ears.append(dialect)
        return dialect

    def start(self) -> None:
        board = tuple(self.game.board(self.position).items())
        self.tell(ev.GameStarted(self.settings, 1, board, self.game.text(self.position)))
        self._go_on()

    def step(self) -> bool:
        """One move by lot; False when the game is over."""
        moves = self.game.legal_moves(self.position)
        if not moves:
            return False
        self.play(self._lots.choice(moves))
        return True

    def play(self, move: Move) -> None:
        game, before, seat = self.game, self.position, self.game.to_move(self.position)
        assert isinstance(seat, int)
        self._past.append(before)
        self.position = game.play(before, move)
        changes = tuple(game.changes(before, move))
        text = game.brief(self.position)
        self.tell(ev.MoveMade(seat, move, self.ply, game.notation(before, move), changes, text))
        self._go_on()

    @property
    def ply(self) -> int:
        """Return the number of moves made."""
        return len(self._past)

    def propose(self, seat: int, proposal: Proposal) -> None:
        self.tell(ev.Proposed(seat, proposal))

    def play_on(self) -> None:
        """A player refuses to settle it."""
        assert isinstance(self.game, Scoring)
        self.position = self.game.played_on(self.position)
        self.tell(ev.GameResumed())
        self._go_on()

    def take_back(self, plies: int) -> None:
        """Take moves back as all players have agreed."""
        game, after = self.game, self.position
        self.position = self._past[-plies]
        del self._past[-plies:]
        changes = tuple(differences(game.board(after), game.board(self.position)))
        self.tell(ev.Agreed(Takeback(plies)))
        self.tell(ev.MovesTakenBack(plies, self.ply, changes, game.brief(self.position)))
        self._go_on()

    def _go_on(self) -> None:
        """Roll the dice that are due, then tell the turn or the end."""
        while (turn := self.game.to_move(self.position)) is CHANCE:
            chance = chance_of(self.game).chance(self.position)
            self._rolls += 1
            value = self._lots.randint(1, chance.sides)
            self.tell(ev.DiceRolled(chance.seat, self._rolls, value))
            self.position = chance_of(self.game).rolled(self.position, value)
        if isinstance(turn, int):
            self.tell(ev.TurnStarted(turn))
        elif stopped(self.game, self.position):
            self.tell(ev.GameSettling())
        else:
            outcome = self.game.outcome(self.position)
            assert outcome is not None
            self.tell(ev.GameEnded(outcome))
