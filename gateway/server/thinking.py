"""A table's house bot: when it begins to think, and about which moment. Not here: what it plays (gateway.bots)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.server.requests import Thought
from gateway.table.state import State, Status
from protocols.core.model import SeatKind

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask


class Thinking:
    """At most one thought a table at a time; whoever thinks about a moment that has passed is not listened to."""

    def __init__(self, table: TableTask) -> None:
        self._table = table
        self._moment: tuple[int, int, int] | None = None

    def wake(self) -> None:
        """If a house bot is to move and does not think yet, it begins to."""
        state = self._table.state
        if state.turn is None or state.seats[state.turn].kind is not SeatKind.BOT:
            return
        moment = (state.games, state.ply, state.rolls)
        if state.status is Status.PLAYING and self._moment != moment:
            self._moment = moment
            self._table.house.look_after(self._think, state)

    def over(self) -> None:
        """The thought has been heard."""
        self._moment = None

    async def _think(self, state: State) -> None:
        command = await self._table.house.bot_move(state)
        if command is not None and state.turn is not None:
            await self._table.put_late(Thought(state.turn, command))
