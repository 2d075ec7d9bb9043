"""A table's house bot: when it begins to think, about which moment, and when it is not needed any more.

Not here: what it plays (gateway.bots), what it says where play has stopped (settling.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.server.requests import Thought
from gateway.server.settling import Settling
from gateway.table.state import State, Status, seats_of
from protocols.core.commands import Command, PlayMove, Say
from protocols.core.model import SeatKind

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask


class Thinking:
    """At most one thought a table at a time; whoever thinks about a moment that has passed is not listened to."""

    def __init__(self, table: TableTask) -> None:
        self._table = table
        self._settling = Settling(table)
        self._moment: tuple[int, int, int] | None = None
        self._game = 0

    def wake(self) -> None:
        """If a house bot is to move and does not think yet, it begins to; where none plays any more, it is let go."""
        state = self._table.state
        if self._game and not _is_played_by_bots(state, self._game):
            self._game = 0
            self._table.house.bots_leave(state.table)
        if state.turn is None:
            if self._settling.wake():
                self._game = state.games
            return
        if state.seats[state.turn].kind is not SeatKind.BOT:
            return
        moment = (state.games, state.ply, state.rolls)
        if state.status is Status.PLAYING and self._moment != moment:
            self._moment, self._game = moment, state.games
            self._table.house.look_after(self._think, state)

    def over(self, command: Command) -> None:
        """A thought has been heard; what is said to the players is only said before it."""
        if isinstance(command, PlayMove):
            self._moment = None
        elif not isinstance(command, Say):
            self._settling.over()

    async def _think(self, state: State) -> None:
        """What the bot has to say comes before its move, so that it is not about a game that the move has ended."""
        sayings: list[str] = []
        command = await self._table.house.bot_move(state, sayings.append)
        if command is None or state.turn is None:
            return
        for text in sayings:
            await self._table.put_late(Thought(state.turn, Say("all", text)))
        await self._table.put_late(Thought(state.turn, command))


def _is_played_by_bots(state: State, game: int) -> bool:
    """Whether this game of the table goes on, and has a house bot."""
    return state.status is Status.PLAYING and state.games == game and bool(seats_of(state, SeatKind.BOT))
