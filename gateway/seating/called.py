"""Watches tables of offers for players who were called there: where one has come and the other does not, it leaves, and
what it has offered stands again.

Players are known to be there by the seats of the table, at whichever node it is. Pure state plus methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gateway.lobby.party import same_name
from gateway.seating.entering import Speaker
from gateway.table.state import State, Status
from protocols.core.model import Seat, SeatKind
from protocols.core.notifications import Uncalled

COMES_S: Final = 60.0
"""Seconds that who has come to a table by an offer waits for the other: a page needs a moment, and its person, too."""

CLOSES_S: Final = 10.0
"""Seconds longer that the table itself waits: who has come is told to leave before it closes."""

Again = Callable[[int, str], None]


@dataclass(slots=True)
class CalledPlayer:
    """A player who was called to ``table``: its ``client``, None where it comes by a ticket over HTTP.

    ``until`` is the time, on trio's clock, that the other has to come. Where it does not, ``again`` is called with the
    table and the other's name; None: it has offered nothing itself. ``leaves``: it has been told so.
    """

    table: int
    name: str
    client: Speaker | None
    until: float
    again: Again | None
    leaves: str = ""


class CalledPlayers:
    """The players whom this node has called. ``state_of`` are tables of any node, as far as is heard of them."""

    def __init__(self, state_of: Callable[[int], State | None]) -> None:
        self._state_of = state_of
        self._players: list[CalledPlayer] = []

    def called(self, player: CalledPlayer) -> None:
        """A player is on its way to the table of an offer."""
        self._players.append(player)

    def look(self, now: float) -> None:
        """Part those who have waited long enough from their tables."""
        self._players = [player for player in self._players if self._is_awaited(player, now)]

    def _is_awaited(self, player: CalledPlayer, now: float) -> bool:
        """False: nothing is left to be done for this player."""
        if player.client is not None and player.client.ended:
            return False
        if not player.leaves and not self._is_alone(player):
            return now < player.until
        if now < player.until:
            return True
        if not player.leaves:
            self._part(player)
        if player.client is not None and player.client.table is not None:
            return now < player.until + CLOSES_S
        if player.again is not None:
            player.again(player.table, player.leaves)
        return False

    def _part(self, player: CalledPlayer) -> None:
        """Tell a player who has come that the other has not."""
        player.leaves = next(seat.name for seat in self._seats(player) if not same_name(seat.name, player.name))
        if player.client is not None:
            player.client.tell([Uncalled(f"{player.leaves} has not come: you have left the table")])

    def _is_alone(self, player: CalledPlayer) -> bool:
        """True if this player sits at its table, and the other does not. Who stays without a seat sits there by another
        connection."""
        client = player.client
        if (
            client is not None
            and not client.dialect.stays
            and (client.table is None or client.table.state.table != player.table)
        ):
            return False
        return [same_name(seat.name, player.name) for seat in self._seats(player) if _is_there(seat)] == [True]

    def _seats(self, player: CalledPlayer) -> tuple[Seat, ...]:
        """The seats of its table until a game has begun there."""
        state = self._state_of(player.table)
        return () if state is None or state.status is not Status.OPEN else state.seats


def _is_there(seat: Seat) -> bool:
    return seat.kind in (SeatKind.PLAYER, SeatKind.BOT)
