"""Two who play by HTTP at the nodes of a world, each request at any of them, and hold what they are told to the record.

Their moves are numbered, and so are their turns: the answer to a move is the next one. A request whose connection ends,
because its node has died or its client hung up, is sent again, to any node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, Final

import trio
from starlette.requests import Request

from gateway import registry
from gateway.lobby.registration import Registration
from gateway.store import codec
from gateway.store.records import pair_of
from gateway.store.schema import OVER
from protocols.core.errors import Refused, Why
from protocols.core.events import GameEnded, MoveMade, TableClosed
from tests.cluster.history import History
from tests.cluster.world import Member

PATIENCE: Final = (0.05, 1.0, 5.0, 300.0, float("inf"))
"""Seconds after which a client hangs up, and asks again."""

LOOK_S: Final = 1.0
"""Seconds between two looks at whether a house bot has played for one of the two."""

THINKS: Final = (0.0, 0.3, 2.0)
"""Seconds that a player thinks, or waits before it asks again."""


@dataclass
class HttpPair:
    """``progress`` counts registrations and answers."""

    history: History
    nodes: Callable[[], Sequence[Member]]
    random: Random
    tables: list[int] = field(default_factory=list)
    progress: int = 0
    waiting: dict[str, str] = field(default_factory=dict)
    """The requests that are not answered, and what they were told last."""

    async def run(self) -> None:
        """Play one game after another until cancelled."""
        for number in count(1):
            names = f"gina-{number}", f"fred-{number}"
            table = await self._register(names)
            self.tables.append(table)
            self.progress += 1
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._plays, table, names[0], names[1], 0)
                nursery.start_soon(self._plays, table, names[1], names[0], 1)
                while not self._bot_has_moved(table) and nursery.child_tasks:  # noqa: ASYNC110  # virtual time
                    await trio.sleep(LOOK_S)
                nursery.cancel_scope.cancel()
            self.waiting.clear()

    async def _register(self, names: tuple[str, str]) -> int:
        asked = Registration(registry.game("open").settings(), names)
        tried: list[trio.Event] = []
        while True:
            made = trio.Event()
            tables: list[int] = []
            tried.append(made)

            async def register(member: Member, made: trio.Event = made, tables: list[int] = tables) -> None:
                try:
                    tables.append((await member.server.registrar.register(asked)).table)
                except Refused as refused:
                    if refused.why is Why.NAME_TAKEN and made is tried[0]:
                        self.history.fails(f"{names} cannot be registered: {refused.text}")
                    if refused.why is Why.NAME_TAKEN:  # by the last try, whose node died before it could answer
                        tables += self._registered(names)
                finally:
                    made.set()

            if await self._at_a_node(register, made) and tables:
                return tables[0]
            await trio.sleep(0.5)

    def _registered(self, names: tuple[str, str]) -> list[int]:
        return [number for number, kept in self.history.record.tables.items() if kept.row.pair == pair_of(names)]

    async def _at_a_node(self, run: Callable[[Member], Any], done: trio.Event) -> bool:
        """Have a node's process run this; False: it runs no more."""
        able = [member for member in self.nodes() if self._takes(member)]
        if not able:
            await trio.sleep(0.5)
            return False
        member = self.random.choice(able)
        member.server.background.start_soon(run, member)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancels, nursery, done)
            nursery.start_soon(_cancels, nursery, member.over)
        return done.is_set()

    @staticmethod
    def _takes(member: Member) -> bool:
        nursery = member.server.background.nursery
        return nursery is not None and not nursery.cancel_scope.cancel_called

    async def _plays(self, table: int, name: str, opponent: str, seat: int) -> None:
        """One player, until it is told that the game is over, or it is not between the two any more."""
        for turn in count(1 - seat):
            number = 2 * turn - 1 + seat
            answer = await self._asks(table, name, opponent, number, turn)
            if answer is None or self._bot_has_moved(table):
                return
            if answer.get("type") != "SendMove" or answer.get("Move") == "null":
                if not any(isinstance(event, (GameEnded, TableClosed)) for event in self._events(table)):
                    self.history.fails(f"{name} is told {answer}, and table {table} goes on")
                return
            if answer.get("Move") != f"m{number + 1}":
                self.history.fails(f"{name} has played m{number} and is told {answer}")
                return
            if self.moves(table) < number + 1:
                self.history.fails(f"{name} is told m{number + 1}, which table {table} has not")
            await trio.sleep(self.random.choice(THINKS))

    async def _asks(self, table: int, name: str, opponent: str, number: int, turn: int) -> dict[str, str] | None:
        """The answer to a move; it is asked for until there is one. None: the game is over, or a house bot's."""
        said = {"type": "SendMove", "SrcPlayer": name, "DestPlayer": opponent, "Turn": str(turn)}
        if number > 0:
            said["Move"] = f"m{number}"
        waits = f"{name} {said.get('Move')}"
        self.waiting[waits] = ""
        while True:
            answer = await self._request(said)
            if answer and "error_code" not in answer:
                break
            if self._is_over(table):
                answer = None
                break
            self.waiting[waits] = str(answer)
            if answer and answer["error_message"].startswith("no game") and self._status(table) != OVER:
                self.history.fails(f"{name} is told {answer['error_message']}, and table {table} goes on")
            await trio.sleep(self.random.choice(THINKS) if answer is None else 0.5)
        del self.waiting[waits]
        self.progress += 1
        return answer

    async def _request(self, said: dict[str, str]) -> dict[str, str] | None:
        """The headers of the answer; None: the connection has ended before."""
        done, gone = trio.Event(), trio.Event()
        answers: list[dict[str, str]] = []

        async def receive() -> dict[str, object]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def ask(member: Member) -> None:
            headers = [(name.lower().encode(), value.encode()) for name, value in said.items()]
            scope = {"type": "http", "method": "POST", "headers": headers, "client": ("192.0.2.99", 1), "state": {}}
            try:
                response = await member.serve_http(Request(scope, receive))
                answers.append({name.decode(): value.decode() for name, value in response.raw_headers})
            finally:
                done.set()

        try:
            with trio.move_on_after(self.random.choice(PATIENCE)):
                await self._at_a_node(ask, done)
        finally:
            gone.set()
        if not (answers and done.is_set()):
            return None
        return {name: value for name, value in answers[0].items() if name not in ("content-length", "cache-control")}

    def _is_over(self, table: int) -> bool:
        """True if the game has ended, or is not between the two any more."""
        return self._bot_has_moved(table) or any(
            isinstance(event, (GameEnded, TableClosed)) for event in self._events(table)
        )

    def _bot_has_moved(self, table: int) -> bool:
        """True if a house bot has played for one of the two: it passes."""
        return any(isinstance(event, MoveMade) and not event.move.piece for event in self._events(table))

    def _status(self, table: int) -> str:
        found = self.history.record.tables.get(table)
        return "" if found is None else found.row.status

    def _events(self, table: int) -> list[Any]:
        return [codec.decode(row.kind, row.body) for row in self.history.rows(table)]

    def moves(self, table: int) -> int:
        """How many moves its record has."""
        return sum(isinstance(event, MoveMade) for event in self._events(table))

    def check(self) -> None:
        """Each move is in the record once, in its place."""
        for table in self.tables:
            made = [event.move.piece for event in self._events(table) if isinstance(event, MoveMade)]
            theirs = [move for move in made if move]  # a house bot passes
            if theirs != [f"m{number}" for number in range(1, len(theirs) + 1)]:
                self.history.fails(f"the moves of table {table} are {made}")
            if table not in self.history.record.tables:
                self.history.fails(f"table {table} was registered, and is not in the record")


async def _cancels(nursery: trio.Nursery, event: trio.Event) -> None:
    await event.wait()
    nursery.cancel_scope.cancel()
