"""Shows what players say and are told who are connected to this server, wherever their table is.

Viewers of this server and of other nodes ask for it again and again, each for the lines behind those it knows. A wire's
lines are kept from the first time until KEPT_S behind the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Final

import msgspec
import trio

from gateway.background import Background
from gateway.cluster.messages import Post
from gateway.sessions.connection import Connection
from gateway.sessions.wire_tail import WireTail, looked_at, tail_of
from gateway.tables.directory import Tables

KEPT_S: Final = 5.0
"""Seconds behind the last look for which lines are kept: a viewer at another node asks each second at least."""

MOST_BYTES: Final = 4_500
"""Bytes of the lines of one answer to another node, as they are written there: of the 7,000 that a bus carries."""

NODE_SHIFT: Final = 32
"""Bits by which a node's number stands before the numbers of its connections: a wire's number is one of the server."""


class Look(msgspec.Struct):
    """A viewer's request for the wires of ``table``, ``every`` one or only those that everybody may look at.

    ``told`` is the last line that it knows of each wire.
    """

    table: int
    every: bool
    told: dict[int, int] = {}


class Wire(msgspec.Struct):
    """The wire of a seat's player, and the ``lines`` that its viewer does not know, each with its number."""

    seat: int
    number: int
    name: str
    dialect: str
    lines: list[tuple[int, str]] = []


class Seen(msgspec.Struct):
    """The answer; ``hidden``: there are wires that this viewer may not see."""

    wires: list[Wire] = []
    hidden: bool = False


class _Held:
    """A tail that is kept until the deadline of ``kept``."""

    def __init__(self, connection: Connection) -> None:
        self.kept = trio.CancelScope()
        self.stack = ExitStack()
        self.tail = self.stack.enter_context(looked_at(connection))


class WiresHere:
    """The wires of players of ``tables`` who are connected to this server, which has the number ``me`` among nodes."""

    def __init__(self, tables: Tables, background: Background, me: int) -> None:
        self._me = me
        self._tables = tables
        self._background = background
        self._held: dict[Connection, _Held] = {}

    def look(self, asked: Look) -> Seen:
        """The wires of players who are connected here, and their new lines."""
        found, hidden = [], False
        for seat, name, client in self._tables.players(asked.table):
            if not isinstance(client, Connection):
                continue
            if asked.every or ((tail := tail_of(client)) and tail.public):
                found.append((Wire(seat, self._number(client), name, client.dialect.name), self._tail(client)))
            else:
                hidden = True
        for wire, tail in found:
            told = asked.told.get(wire.number, 0)
            wire.lines = tail.lines.after(told if told <= tail.lines.last else 0)  # forgotten meanwhile: all
        return Seen([wire for wire, _ in found], hidden)

    async def passed_on(self, post: Post) -> str:
        """The answer to another node's look, as JSON. Lines that do not fit come with the next look."""
        seen = self.look(msgspec.json.decode(post.request, type=Look))
        for wire in seen.wires:
            wire.lines = list(_fitting(wire.lines, MOST_BYTES / len(seen.wires)))
        return msgspec.json.encode(seen).decode()

    def _number(self, connection: Connection) -> int:
        return self._me << NODE_SHIFT | connection.number

    def _tail(self, connection: Connection) -> WireTail:
        held = self._held.get(connection)
        if held is None:
            held = self._held[connection] = _Held(connection)
            self._background.start_soon(self._keep, connection, held)
        held.kept.deadline = trio.current_time() + KEPT_S
        return held.tail

    async def _keep(self, connection: Connection, held: _Held) -> None:
        try:
            with held.stack, held.kept:
                await trio.sleep_forever()
        finally:
            del self._held[connection]


def _fitting(lines: Iterable[tuple[int, str]], most: float) -> Iterator[tuple[int, str]]:
    """The first of them, in so many bytes; at least one, which is cut where it is longer."""
    room = most
    for number, line in lines:
        size = _size(line)
        if size > room and room < most:
            return
        yield number, _cut(line, most)
        room -= size


def _cut(line: str, most: float) -> str:
    shown = line
    while _size(shown) > most:
        shown = f"{shown[: len(shown) // 2]}…"
    return shown


def _size(line: str) -> int:
    """Bytes of a line as it is written in JSON that is written in JSON."""
    return len(msgspec.json.encode(msgspec.json.encode((0, line)).decode()))
