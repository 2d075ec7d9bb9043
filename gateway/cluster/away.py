"""Asks tables of other nodes for what requests ask that come from no client there."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import trio

from gateway.cluster import messages
from gateway.cluster.bells import Bells
from gateway.cluster.branches import Branches
from gateway.cluster.calls import Calls
from gateway.cluster.messages import Request
from gateway.cluster.office import Where
from gateway.cluster.whispering import whisper
from gateway.lobby.claims import Ticket
from gateway.tables.asked import AskedTable, Moved
from gateway.tables.elsewhere import Player
from gateway.tables.numbering import Blocks
from gateway.tables.presence import Attendance, Presence
from gateway.tables.requests import Request as Requested
from gateway.tables.runner import TableRunner
from protocols.core.commands import PlayMove
from protocols.core.events import Said


class Away:
    """A gateway.tables.elsewhere.Elsewhere. ``node_of`` is the node that a table was heard of last."""

    several = True

    def __init__(
        self,
        me: int,
        numbers: Blocks,
        bells: Bells,
        node_of: Callable[[int], int | None],
        where: Where,
        branches: Branches,
        hand_on: Callable[[TableRunner, list[Requested]], list[Requested]],
    ) -> None:
        self.me = me
        self.numbers = numbers
        self.hand_on = hand_on
        self.find = branches.find
        self._bells = bells
        self._branches = branches
        self._node_of = node_of
        self._where = where
        self._calls = branches.calls
        self.next_id = self._calls.next_id

    def knows(self, table: int) -> bool:
        return self._node_of(table) is not None

    @property
    def settled(self) -> bool:
        return self._bells.settled

    def bell(self, table: int, after: int) -> trio.Event:
        return self._bells.bell(table, after)

    async def asked(self, table: int, *, anew: bool) -> AskedTable | None:
        node = await self._where(table, anew=anew)
        return None if node is None else AskedAway(table, node, self._calls)

    def players(self, table: int) -> list[Player]:
        branch = self._branches.get(table)
        clients = [] if branch is None else branch.here.values()
        return [(client.seat, client.name, client.subscriber) for client in clients if client.seat is not None]

    async def presence(self, table: int) -> Presence:
        found = await self.attendance(table)
        return Presence(found.seats, found.watching)

    async def attendance(self, table: int) -> Attendance:
        node = self._node_of(table)
        if node is None:
            return Attendance()
        return msgspec.json.decode(await self._calls.call(node, messages.Attend(table)), type=Attendance)


class AskedAway:
    """A gateway.tables.asked.AskedTable that ``node`` had when it was looked for."""

    def __init__(self, table: int, node: int, calls: Calls) -> None:
        self._table = table
        self._node = node
        self._calls = calls

    async def move(self, seat: int, address: str, move: PlayMove, since: float, id: int) -> Moved:
        command, age_s = messages.coded(move), trio.current_time() - since
        answer = await self._ask(messages.Move(self._table, seat, address, age_s, command, id))
        return msgspec.json.decode(answer, type=Moved)

    async def reissue(self, name: str, ticket: Ticket) -> int:
        return int(await self._ask(messages.Reissue(self._table, name, ticket.digest.hex())))

    async def supersede(self, game: str) -> None:
        await self._ask(messages.Supersede(self._table, game))

    async def end_by_host(self, reason: str) -> str:
        return await self._ask(messages.EndByHost(self._table, reason))

    async def whisper(self, words: Said) -> None:
        await self._ask(whisper(words, table=self._table))

    async def _ask(self, request: Request) -> str:
        return await self._calls.call(self._node, request)
