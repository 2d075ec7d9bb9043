"""A game as one GAMESMAN player's end knows it, folded from what it was told.

Not here: what follows from it for the player's requests (gamesman.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols import gamesman_wire as wire
from protocols.core import events as ev
from protocols.core.model import Outcome, Reason
from protocols.core.picture import Picture
from protocols.core.proposals import Start
from protocols.gamesman_answers import Word

GIVEN_UP: Final = (Reason.RESIGNATION, Reason.ABANDONMENT, Reason.FORFEIT, Reason.TIME)
"""Ends that the winner hears of as the other's resignation, the only word there is for them."""


@dataclass(slots=True)
class Seen:
    """``seat`` is None until the player sits, ``turn`` the seat that was asked to move since the last move.

    ``incoming`` are the opponent's steps that the player has not been told. ``past``: what is folded now happened
    before the player came. ``away``: its seat is empty at that point, ``missed``: it was when the opponent spoke last.
    ``offered``: the table knows that the player wants to begin.
    """

    seat: int | None = None
    turn: int | None = None
    picture: Picture = field(default_factory=Picture)
    incoming: list[str] = field(default_factory=list)
    past: bool = False
    away: bool = False
    missed: bool = False
    offered: bool = False
    adjourned: bool = False

    @property
    def mine(self) -> bool:
        """Whether the player is to move."""
        return self.turn is not None and self.turn == self.seat

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.picture.moves)

    @property
    def told(self) -> bool:
        """Whether what the opponent said last had reached the player's end at the time."""
        return self.past and not self.missed

    def fold(self, event: ev.Event) -> None:
        """Take in what happened."""
        self.picture.fold(event)
        if isinstance(event, ev.TurnStarted | ev.MoveMade) or self.picture.turn is None:
            self.turn = self.picture.turn if isinstance(event, ev.TurnStarted) else None
        match event:
            case ev.GameStarted():
                self.incoming = []
            case ev.MoveMade(seat=seat) if seat == self.seat:
                self.incoming, self.away = [], False
            case ev.MoveMade():
                self.incoming.append(event.notation)
                self.missed = self.away
            case ev.GameEnded():
                self.missed = self.away
            case ev.SeatLeft(seat=seat) | ev.SeatTaken(seat=seat) if seat == self.seat:
                self.away = isinstance(event, ev.SeatLeft)
            case ev.Proposed(seat=seat, proposal=Start()) if seat == self.seat:
                self.offered = True
            case ev.GameAdjourned() | ev.GameResumed():
                self.adjourned = isinstance(event, ev.GameAdjourned)
            case ev.SeatsTurned(by=by) if self.seat is not None and not self.past:
                self.seat = (self.seat + by) % max(2, len(self.picture.seats))

    def last_word(self, asked: str, outcome: Outcome) -> Word:
        """What the end is called for this player, who has ``asked`` this kind of thing last, "" nothing."""
        won = self.seat is not None and outcome.winner == self.seat
        if asked == wire.GAME_OVER:
            return wire.ACK_END, None
        if asked == wire.RESIGN and not won:
            return wire.ACK_RESIGN, None
        if self.incoming:
            return wire.SEND_MOVE, " ".join(self.incoming)
        if won and outcome.reason in GIVEN_UP:
            return wire.RESIGN, None
        return wire.SEND_MOVE, wire.NULL.decode()
