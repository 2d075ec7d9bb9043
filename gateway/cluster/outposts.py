"""Stands at a table for clients of other nodes: a Subscriber for each, whose calls become messages to its node.

What one step tells several clients of a node is one message. Every call reaches the client's node in the order in which
the table made it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final

import msgspec
import trio

from gateway import registry
from gateway.cluster import messages
from gateway.cluster.links import Links
from gateway.cluster.messages import Guest, Here
from gateway.lobby.party import Party
from gateway.table.state import Status
from gateway.tables.seams import Table
from protocols.core.dialect import Dialect
from protocols.core.errors import Refused, Why, numbered
from protocols.core.events import Event, Said, is_stored
from protocols.core.model import HouseRules
from protocols.core.notifications import Notification, Seated

KNOWN: Final = 200
"""Clients in one message: some 20 bytes each."""

NODE_BITS: Final = 32
"""A client's number among all nodes': its node above so many bits, its number there below."""


class _Step(msgspec.Struct):
    """A step as a table has told it to clients ``to`` of a node, with the ``answers`` behind it."""

    node: int
    table: int
    seq: int
    said: Sequence[Notification]
    to: list[int]
    answers: list[messages.Answer] = []


class RemoteClient:
    """A client of another node; a gateway.tables.seams.Subscriber, and a newcomer to gateway.seating."""

    def __init__(self, posts: Outposts, node: int, guest: Guest) -> None:
        self._posts = posts
        self.node = node
        self.guest = guest.number
        self.number = (node << NODE_BITS) + guest.number
        self.address = guest.address
        self.account = guest.account
        self.rules: HouseRules = guest.rules
        self.speaks = guest.dialect
        self.dialect: type[Dialect] = registry.dialects()[guest.dialect]
        self.program = guest.program
        self.called_away: trio.Event | None = None
        self.table: Table | None = None
        self.seat: int | None = None
        self.ready = guest.ready
        self.name = ""
        self.party: Party | None = None
        self.ended = False
        self.asking = 0
        self._answer: messages.Answer | None = None
        """The answer to its last command; None before there is one."""
        self.seeks = 0
        """The number of its last request for a seat."""
        self._sitting = trio.Lock()
        self.moves = 0
        """Times that it has left a table or asked for another: what it had said before to be at counts no more."""
        self.movable = False
        """Its node could pass its connection on, as it said when it asked for a seat."""
        self.sat_down: messages.Seated | None = None
        """The answer to that; None before there is one."""
        self.here: Here | None = None
        """Its last word on the table where it is, until it leaves that."""
        self._delay_s = guest.lag_s
        self._moved = False
        self.stood = False
        """True if it has been at a table of this node."""
        self._refused: tuple[tuple[str, str] | None, str] = None, ""

    def refresh(self, guest: Guest) -> None:
        """Its node describes it so now."""
        self.account, self.rules, self._delay_s = guest.account, guest.rules, guest.lag_s
        self.program = guest.program

    def asks(self, n: int, lag_s: float) -> None:
        """A command of it has come, and says how long its network takes; 0.0: that was not measured again."""
        self.asking, self._answer = n, None
        self._moved, self._refused = False, (None, "")
        self._delay_s = lag_s or self._delay_s

    @asynccontextmanager
    async def seeks_by(self, n: int, *, movable: bool = False) -> AsyncIterator[None]:
        """The client asks for a seat by request ``n``: it sits nowhere else, as far as its node knows.

        One is served at a time: its node gives a request up, and makes another, while the first is served still.
        Refused: it has asked again since, or has been seated by another node that was asked.
        """
        async with self._sitting:
            if n < self.seeks or (self.here is not None and n <= self.here.seated):
                raise Refused(Why.OVERLOAD, "another seat was asked for since")
            self.seeks, self.sat_down, self.movable = n, None, movable
            self.moves += 1
            if self.table is not None:
                await self.table.leave(self)
            yield

    def seated(self, table: Table, seat: int | None, *, ready: bool = False, name: str = "") -> None:
        self.table, self.seat, self.ready, self.name = table, seat, ready, name
        self.stood = True

    def turned(self, seat: int) -> None:
        """Its node finds that in the step."""
        self.seat = seat

    def released(self) -> None:
        self._says("released" if self.called_away is None else "called away")
        self.table = self.seat = None

    def displaced(self) -> None:
        self._says("displaced")
        self.table = self.seat = None

    def close(self) -> None:
        """Hang up, unless its table goes on, at another node or at this one's next start: its own node finds that."""
        if self.table is None or self.table.state.status is Status.CLOSED:
            self._says("close")
        self.ended = True

    def tell(self, said: Sequence[Notification], seq: int = 0) -> None:
        if said and type(said[0]) is Seated:
            self._posts.seated(self, said[0])
            said = said[1:]
        if said and self.table is not None:  # called away, it was told so as it left
            self._posts.told(self, said, seq)

    async def hears(self, words: Said) -> None:
        await self._posts.whisper(self.node, self.guest, words)

    def refuse(self, refused: Refused) -> None:
        self._refused = (refused.why.value, str(refused.text)), numbered(refused.text)

    def answered(self) -> None:
        """Nothing is said where its table goes on at another node, which is asked anew."""
        if self.ended:
            return
        self._answer = messages.Answer(self.guest, self.at, self.asking, self._moved, *self._refused)
        self._posts.answer(self.node, self._answer)

    def answers_again(self) -> None:
        """Its last command has come again: the answer may be lost, if there is one."""
        if self._answer is not None:
            self._posts.answer(self.node, self._answer)

    def moved(self, took_s: float) -> None:
        self._moved = True

    def lag_s(self) -> float:
        return self._delay_s

    def _says(self, what: str) -> None:
        self._posts.send(self.node, messages.Said(self.guest, self.at, what, self._seq))

    @property
    def at(self) -> int:
        """The number of its table, 0 without one."""
        return 0 if self.table is None else self.table.state.table

    @property
    def epoch(self) -> int:
        """Its table's, 0 without one."""
        return 0 if self.table is None else self.table.epoch

    @property
    def _seq(self) -> int:
        return 0 if self.table is None else self.table.seq


class Outposts:
    """The clients of other nodes that sit or look on here, or look for a seat here.

    ``whisper`` says words to the client of that number at its node. Refused: it does not hear them.
    """

    def __init__(
        self,
        links: Links,
        ended: Callable[[Party | None], None],
        whisper: Callable[[int, int, Said], Awaitable[None]],
    ) -> None:
        self._links = links
        self._ended = ended
        self.whisper = whisper
        self._clients: dict[tuple[int, int], RemoteClient] = {}
        self._step: _Step | None = None
        self._flushing = False

    def __len__(self) -> int:
        return len(self._clients)

    def client(self, node: int, guest: Guest) -> RemoteClient:
        """The client of that number, new or known."""
        found = self._clients.get((node, guest.number))
        if found is None or found.ended:
            found = self._clients[node, guest.number] = RemoteClient(self, node, guest)
        else:
            found.refresh(guest)
        return found

    def known(self, node: int, number: int) -> RemoteClient | None:
        """The same, where it has come before."""
        return self._clients.get((node, number))

    def gone(self, node: int, number: int) -> None:
        """A client's connection has ended."""
        client = self._clients.pop((node, number), None)
        if client is None:
            return
        client.ended = True
        if client.table is not None:
            client.table.gone(client)
        self._ended(client.party)

    def forget(self, client: RemoteClient) -> None:
        """Its table has gone to another node, and it with it."""
        self._clients.pop((client.node, client.guest), None)
        client.table = None

    def say_known(self, node: int) -> None:
        """Tell a node which of its clients are known here: word that one has ended may be lost."""
        known = [(number, client.at) for (of, number), client in self._clients.items() if of == node]
        for first in range(0, len(known), KNOWN):
            self.send(node, messages.Known(tuple(known[first : first + KNOWN])))

    def dead(self, node: int) -> None:
        """A node is dead: its connections have ended."""
        for of, number in [key for key in self._clients if key[0] == node]:
            self.gone(of, number)

    def send(self, node: int, message: messages.Message) -> None:
        """Behind everything that was told before."""
        self.flush()
        self._links.send(node, message)

    def seated(self, client: RemoteClient, seated: Seated) -> None:
        """The client belongs to its table now; its node reads the past in the record."""
        table = client.table
        assert table is not None
        present = tuple(messages.coded(event) for event in _present(seated))
        place = client.guest, table.state.table, table.epoch, seated.seat, client.ready, client.name
        now = trio.current_time()
        client.sat_down = messages.Seated(*place, seated.seq, present, now, client.seeks, bool(seated.ticket))
        self.send(client.node, client.sat_down)

    def told(self, client: RemoteClient, said: Sequence[Notification], seq: int) -> None:
        """Tell it a step, in one message with the other clients of its node that are told the same."""
        step, table = self._step, client.at
        if step is not None and step.said is said and (step.node, step.table, step.seq) == (client.node, table, seq):
            step.to.append(client.guest)
            if len(step.to) == KNOWN:
                self.flush()
            return
        self.flush()
        if not self._flushing:
            self._flushing = True
            self._links.soon(self._flush_soon)
        self._step = _Step(client.node, table, seq, said, [client.guest])

    def answer(self, node: int, answer: messages.Answer) -> None:
        """A command has been answered: in one message with the step that it led to, if that is still here."""
        step = self._step
        if step is not None and (step.node, step.table) == (node, answer.table):
            step.answers.append(answer)
        else:
            self.send(node, answer)

    def _flush_soon(self) -> None:
        self._flushing = False
        self.flush()

    def flush(self) -> None:
        """Send the step that was told last. One that is too long for the bus is read from the record."""
        if self._step is None:
            return
        step, self._step = self._step, None
        coded = tuple(messages.coded(message) for message in step.said)
        told = messages.Told(step.table, tuple(step.to), step.seq, trio.current_time(), coded, tuple(step.answers))
        if not self._links.send(step.node, told):
            told.seq += sum(map(is_stored, step.said)) if told.seq else 0
            told.step = ()
            self._links.send(step.node, told)


def _present(seated: Seated) -> Sequence[Event]:
    """The notifications behind the record's in a newcomer's past: the turn or the clocks as they are."""
    stored = seated.seq - len(seated.unheard)
    for at, event in enumerate(seated.past):
        if stored == 0:
            return seated.past[at:]
        stored -= is_stored(event)
    return ()
