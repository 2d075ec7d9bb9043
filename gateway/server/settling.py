"""A table's house bots while play has stopped: once for each stop they are asked what is dead, and then they say so.

Not here: what they say to whose list (gateway.table.bot_lists), how they come to theirs (gateway.bots).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from gateway.server.requests import Thought
from gateway.table.bot_lists import reply
from gateway.table.state import State, seats_of, settling
from protocols.core.errors import Refused
from protocols.core.model import SeatKind
from protocols.core.proposals import Score

if TYPE_CHECKING:
    from gateway.server.table_task import TableTask


class Settling:
    """At most one saying is on its way; ``dead`` is the bots' list, None where they have none.

    ``known`` is whether they have been heard about the present stop, ``claimed`` are the bots that have proposed a
    list since it.
    """

    def __init__(self, table: TableTask) -> None:
        self._table = table
        self._stop: tuple[int, int] | None = None
        self._dead: tuple[int, ...] | None = None
        self._known = False
        self._claimed: set[int] = set()
        self._saying = False

    def wake(self) -> bool:
        """Something has happened while nobody is to move: the bots are asked, or say what there is to say.

        Whether there is anything to settle for them.
        """
        state = self._table.state
        bots = seats_of(state, SeatKind.BOT)
        if not bots or not settling(state):
            self._stop = None
            return False
        stop = (state.games, state.ply)
        if self._stop != stop:
            self._stop, self._known = stop, False
            self._claimed.clear()
            self._table.house.look_after(self._ask, state, stop)
        lists = (made.seat for made in state.proposals if isinstance(made.proposal, Score))
        self._claimed.update(seat for seat in lists if seat in bots)
        if self._known and not self._saying:
            self._say(state, bots)
        return True

    def over(self) -> None:
        """What was said has been heard."""
        self._saying = False

    def _say(self, state: State, bots: tuple[int, ...]) -> None:
        """One bot after the other: what the first one says may be all there is to say."""
        for seat in bots:
            command = reply(state, seat, self._dead, claimed=seat in self._claimed)
            if command is not None:
                self._saying = True
                self._table.house.look_after(self._table.put_late, Thought(seat, command))
                return

    async def _ask(self, state: State, stop: tuple[int, int]) -> None:
        """What is dead at this stop. When the engines are ended, nothing is said any more: the server stops."""
        try:
            dead = await self._table.house.bots_settle(state)
        except trio.ClosedResourceError:
            return
        if self._stop == stop:
            self._dead, self._known = whole(state, dead), True
            self.wake()


def whole(state: State, dead: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The list as a player may propose it; None where the rules do not have it."""
    if dead is None:
        return None
    try:
        found = state.game.claimed_dead(state.position, dead)
        state.game.scored(state.position, found)
    except Refused:
        return None
    return found
