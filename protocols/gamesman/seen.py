"""A game as one GAMESMAN player's end knows it, folded from what it was told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols.core import events as ev
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import Outcome, Reason
from protocols.gamesman import wire
from protocols.gamesman.answers import Word

GIVEN_UP: Final = (Reason.RESIGNATION, Reason.ABANDONMENT, Reason.FORFEIT, Reason.TIME)
"""Ends that the winner hears of as the other's resignation, the only word there is for them."""


@dataclass(slots=True)
class Seen(FollowedTable):
    """``incoming`` are the opponent's steps that the player has not been told. ``past``: what is folded now happened
    before the player came. ``away``: its seat is empty at that point, ``missed``: it was when the opponent spoke last.
    """

    incoming: list[str] = field(default_factory=list)
    past: bool = False
    away: bool = False
    missed: bool = False

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @property
    def own_turn(self) -> int:
        """The number of the player's turn that it is, counted from 1; of several steps in a row it is one turn."""
        seats = [made.seat for made in self.moves]
        begun = sum(seat == self.seat != before for before, seat in zip([None, *seats], seats, strict=False))
        return begun if seats and seats[-1] == self.seat else begun + 1

    @property
    def told(self) -> bool:
        """True if what the opponent said last had reached the player's end at the time."""
        return self.past and not self.missed

    @property
    def adjourned(self) -> bool:
        """True if the game is interrupted."""
        return self.status is Status.ADJOURNED

    def _started(self, event: ev.GameStarted) -> None:
        self.incoming = []

    def _moved(self, event: ev.MoveMade) -> None:
        if event.seat == self.seat:
            self.incoming, self.away = [], False
        else:
            self.incoming.append(event.notation)
            self.missed = self.away

    def _ended(self, event: ev.GameEnded) -> None:
        self.missed = self.away

    def _came_or_went(self, event: ev.SeatTaken | ev.SeatLeft) -> None:
        if event.seat == self.seat:
            self.away = isinstance(event, ev.SeatLeft)

    def last_word(self, asked: str, outcome: Outcome) -> Word:
        """The word for the end to this player, whose last request was of the kind ``asked``, "" for none."""
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


Seen.steps = {
    ev.GameStarted: Seen._started,
    ev.MoveMade: Seen._moved,
    ev.GameEnded: Seen._ended,
    ev.SeatTaken: Seen._came_or_went,
    ev.SeatLeft: Seen._came_or_went,
}
