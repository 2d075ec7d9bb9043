"""``GET /api/tables/ID/bytes``: the conversations of a table's players as transcripts, live, for who writes a client.

For the holder of a seat there, and the host; for everybody, a player whose listener says ``wire_public=yes``. What is
shown is gateway.sessions.wire_tail's: no secret, no private talk. It is kept only while somebody looks. Each node shows
the wires of those who are connected to it (wires_here.py), and is asked for them by the viewer's.
"""

from __future__ import annotations

import json
import math
from http import HTTPStatus
from typing import Any, Final

import msgspec
import trio
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive

from gateway.background import Background
from gateway.cluster.messages import Post
from gateway.ops.server import GameServer
from gateway.web.api_stream import QUIET, QUIET_S, ServerSentEvents, Tell, waited
from gateway.web.reading import Reading
from gateway.web.refusals import BadRequest, log_trouble, refusing
from gateway.web.wires_here import Look, Seen, Wire, WiresHere
from protocols.core.errors import Refused, Why

VIEWERS: Final = 50
"""The number of onlookers at once, of all tables: each is told several times a second while players talk."""

LOOK_S: Final = 0.25
"""Seconds between two looks: for a person that is at once, and bursts cost no more than one line."""

NOBODY_S: Final = 1.0
"""Seconds between two looks at a node where no player of the table is."""

FIRST_S: Final = 2.0
"""Seconds that a stranger waits for other nodes to say whether everybody may look."""

HERE: Final = 0
"""This server, among nodes: no node has this number."""

WIRES: Final = "wires"
"""The name by which nodes ask each other for wires (gateway.cluster.messages.Post)."""


class BytesApi:
    """Shows the wires of the server's tables."""

    def __init__(self, server: GameServer, reading: Reading) -> None:
        self._tables = server.tables
        self._reading = reading
        self.background: Background = server.background
        self.here = WiresHere(server.tables, server.background, server.node.me or HERE)
        self.viewers = 0
        self._posts = server.node.posts
        self._posts.serves(WIRES, self.here.passed_on)
        self.others = self._posts.others

    def routes(self) -> list[Route]:
        return [Route("/api/tables/{table:int}/bytes", refusing(self.show), methods=["GET"])]

    async def look(self, node: int, asked: Look) -> Seen:
        """The wires that another node shows. Refused (OVERLOAD): it lives no more, or cannot say."""
        request = msgspec.json.encode(asked).decode()
        answer = await self._posts.ask(node, Post(WIRES, request, "", "", 0))
        return msgspec.json.decode(answer, type=Seen)

    def goes_on(self, number: int) -> bool:
        """True if the table is known to run or rest, here or at another node."""
        return self._tables.unfinished(number)

    async def ended(self, number: int) -> bool:
        """True if no wire will ever be at the table again, as far as the database answers."""
        try:
            return await self._reading.is_over(self._tables, number, math.inf)
        except SQLAlchemyError as error:
            log_trouble(f"/api/tables/{number}/bytes", error)
            return False

    async def show(self, request: Request) -> Response:
        """Forbidden (403) to those who may see none of the wires that are there."""
        view, seat, asker = await self._reading.found(request)
        every = seat is not None or asker.registrant.admin
        if not every and not await self._may_look(view.table):
            text = "the bytes of a table are shown to its players and the host: present the ticket of a seat"
            raise BadRequest(HTTPStatus.FORBIDDEN, "forbidden", text)
        if self.viewers >= VIEWERS:
            raise Refused(Why.OVERLOAD, "too many look at bytes now: try again later")
        return ByteStream(self, view.table, every=every)

    async def _may_look(self, table: int) -> bool:
        """True if a wire is shown to everybody, or none is there."""
        asked = Look(table, every=False)
        seen = [self.here.look(asked)]

        async def ask(node: int) -> None:
            try:
                seen.append(await self.look(node, asked))
            except Refused:
                return

        with trio.move_on_after(FIRST_S):
            async with trio.open_nursery() as nursery:
                for node in self.others():
                    nursery.start_soon(ask, node)
        return any(one.wires for one in seen) or not any(one.hidden for one in seen)


class ByteStream(ServerSentEvents):
    """One viewer's stream: the wires that are there, whenever they change, and their lines.

    At a table that waits there are none until its players come; from one that is over nothing is told but its end.
    """

    def __init__(self, api: BytesApi, number: int, *, every: bool) -> None:
        super().__init__()
        self._api = api
        self._number = number
        self._every = every
        self._wires: dict[int, dict[int, Wire]] = {}
        """By node and seat; this server's by HERE."""
        self._told: dict[int, dict[int, int]] = {}
        """By node the last line of each wire there."""
        self._news: list[dict[str, Any]] = []
        self._shown: list[dict[str, Any]] | None = None
        self._asking: dict[int, trio.CancelScope] = {}
        self._look_up_at = -math.inf

    async def flow(self, receive: Receive, tell: Tell) -> None:
        self._api.viewers += 1
        try:
            await self._flow(receive, tell)
        finally:
            self._api.viewers -= 1
            for asking in self._asking.values():
                asking.cancel()

    async def _flow(self, receive: Receive, tell: Tell) -> None:
        quiet_s = 0.0
        while await self._goes_on():
            self._ask_others()
            self._take(HERE, self._api.here.look(self._look(HERE)))
            news = self._text()
            quiet_s = 0.0 if news else quiet_s + LOOK_S
            if quiet_s >= QUIET_S:
                news, quiet_s = QUIET, 0.0
            if news:
                await tell(news)
            if await waited(None, receive, LOOK_S) is None:
                return
        await tell("event: closed\ndata: {}\n\n")

    async def _goes_on(self) -> bool:
        """False if no wire will be there any more. A table that is not known of is looked up now and then."""
        now = trio.current_time()
        if self._api.goes_on(self._number):
            self._look_up_at = -math.inf
        elif now >= self._look_up_at:
            self._look_up_at = now + QUIET_S
            return not await self._api.ended(self._number)
        return True

    def _look(self, node: int) -> Look:
        return Look(self._number, self._every, self._told.get(node, {}))

    def _ask_others(self) -> None:
        for node in self._api.others():
            if node not in self._asking:
                self._asking[node] = trio.CancelScope()
                self._api.background.start_soon(self._ask, node)

    async def _ask(self, node: int) -> None:
        """Look at what is said at another node, until it dies or the viewer has gone."""
        try:
            with self._asking[node]:
                while True:
                    seen = await self._api.look(node, self._look(node))
                    self._take(node, seen)
                    await trio.sleep(LOOK_S if seen.wires else NOBODY_S)
        except Refused:
            await trio.sleep(NOBODY_S)
        finally:
            del self._asking[node]
            self._wires.pop(node, None)

    def _take(self, node: int, seen: Seen) -> None:
        """Make what was seen there the next news."""
        self._wires[node] = {wire.seat: wire for wire in seen.wires}
        before, told = self._told.get(node, {}), dict[int, int]()
        for wire in seen.wires:
            told[wire.number] = wire.lines[-1][0] if wire.lines else before.get(wire.number, 0)
            if wire.lines:
                lines = [line for _, line in wire.lines]
                self._news.append({"seat": wire.seat, "wire": wire.number, "lines": lines})
        self._told[node] = told

    def _text(self) -> str:
        """The wires, where they are others than were told, and the lines."""
        found = {seat: wire for wires in self._wires.values() for seat, wire in wires.items()}
        wires = [_shown(found[seat]) for seat in sorted(found)]
        parts = []
        if wires != self._shown:
            self._shown = wires
            parts.append(f"event: wires\ndata: {json.dumps(wires)}\n\n")
        news, self._news = self._news, []
        parts += [f"data: {json.dumps(told, ensure_ascii=False)}\n\n" for told in news]
        return "".join(parts)


def _shown(wire: Wire) -> dict[str, Any]:
    return {"seat": wire.seat, "wire": wire.number, "name": wire.name, "dialect": wire.dialect}
