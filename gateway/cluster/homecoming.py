"""Takes clients away from a branch: to the table itself where it is this node's now, or off where it is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import structlog
import trio

from gateway.cluster.local import NO_SEAT, Local, Place
from gateway.cluster.office import Office
from gateway.cluster.replays import LAST, Replay, StoredStep
from gateway.table.refusals import TableClosed
from gateway.table.state import State, Status
from gateway.tables.runner import TableRunner
from gateway.tables.subscribers import EVERYBODY
from protocols.core import events as ev
from protocols.core.commands import Command
from protocols.core.errors import Refused, Why

WAITS: Final = "a part of the server is silent just now: the game waits, and goes on by itself"
GOES_ON: Final = "the game goes on"

AGAIN_S: Final = 0.5
"""Seconds until the record is read again that could not be read."""

_log = structlog.get_logger()


class Leaving(Place, Protocol):
    """A branch, as its clients leave it."""

    here: dict[int, Local]
    reading: bool
    said_waits: bool

    @property
    def state(self) -> State: ...

    async def replayed(self, until: int) -> Replay:
        """The record up to the event ``until``. Refused (OVERLOAD): not just now."""

    def stand_at(self, replay: Replay) -> None:
        """The state is that, unless it is further already."""

    def retell(self, steps: Iterable[StoredStep], to: Sequence[Local]) -> None:
        """Tell clients steps of the record that they have missed."""

    def detach(self, local: Local, replay: Replay | None = None) -> None:
        """The client is at no table any more. What it has missed until then is told it."""

    def forget(self, local: Local) -> None:
        """The client is not here any more, and is told nothing of what it has asked."""


class Homecoming:
    """The end of ``branch``. ``due``: the table was heard to be this node's, and to go nowhere else since."""

    def __init__(self, branch: Leaving, office: Office) -> None:
        self._branch = branch
        self._office = office
        self._on_the_way = False
        self.due = False

    def begin(self) -> None:
        """The table is this node's now: its clients here become its own, with what they have asked."""
        self.due = True
        if not self._on_the_way and not self._branch.reading:
            self._on_the_way = True
            self._office.start(self._go_home)

    async def _go_home(self) -> None:
        try:
            while self._branch.here and not self._branch.reading:
                local = next(iter(self._branch.here.values()))
                table = await self._home()
                if table is None and not await self._end(local):
                    self.due = False
                    self._office.settle(self._branch)  # it has gone to another node again
                    return
                if table is not None:
                    await self._bring_home(local, table)
        finally:
            self._on_the_way = False

    async def _home(self) -> TableRunner | None:
        while True:
            try:
                seats = [local.seat for local in self._branch.here.values() if local.seat is not None]
                return await self._office.home(self._branch.number, seats)
            except Refused:
                await trio.sleep(AGAIN_S)

    async def _end(self, local: Local) -> bool:
        """The table is over: the client is told what it has missed, and is at no table. False: it is not over."""
        try:
            replay = await self._branch.replayed(LAST)
        except Refused:
            await trio.sleep(AGAIN_S)
            return True  # and once more
        if not self._is_here(local):
            return True  # it has left meanwhile
        if replay.state.status is not Status.CLOSED:
            return False
        self._branch.detach(local, replay)
        local.subscriber.released()
        return True

    async def _bring_home(self, local: Local, table: TableRunner) -> None:
        async def catch_up(seq: int) -> Sequence[tuple[Command, float]]:
            replay = await self._branch.replayed(seq)
            if not self._is_here(local):
                raise Refused(Why.NOT_SEATED, NO_SEAT)  # it has left meanwhile
            self._branch.stand_at(replay)
            self._branch.retell(replay.after(local.told), [local])
            if self._branch.said_waits:
                local.subscriber.tell([ev.Said(None, EVERYBODY, GOES_ON)])
            return self._taken_away(local, replay)

        try:
            await table.back(local.subscriber, local.seat, local.name, catch_up)
        except TableClosed:  # it goes on at another node, or is over
            await trio.sleep(AGAIN_S)  # and once more
        except Refused as refused:
            if refused.why is Why.OVERLOAD:
                await trio.sleep(AGAIN_S)  # and once more
            elif self._is_here(local):
                _log.info("a client has lost its place", table=self._branch.number, why=refused.text)
                local.subscriber.close()
                self._branch.forget(local)

    def _taken_away(self, local: Local, replay: Replay) -> Sequence[tuple[Command, float]]:
        """The client is not the branch's any more: what it has asked and the record does not have, and since when."""
        asked = []
        if local.open is not None:
            if local.asked in replay.served:
                local.subscriber.answered()
            else:
                asked.append(local.open)
        asked += local.waiting
        self._branch.forget(local)
        return asked

    def _is_here(self, local: Local) -> bool:
        return self._branch.here.get(local.number) is local
