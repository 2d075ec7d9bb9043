"""Pages in a test's own process that play, and look on at several tables aside."""

from __future__ import annotations

import json
from typing import Any

import trio

from gateway.sessions.listener import EntryPoint
from protocols.web import frames
from protocols.web.dialect import Web
from tests.hall import ADDRESS, Guest, Hall
from tests.web_messages import was_said, was_told

Message = dict[str, Any]


class Page:
    """A page at a server: ``heard`` is all that it was told, in order."""

    def __init__(self, guest: Guest) -> None:
        self.stream = guest.stream
        self.guest = guest
        self.heard: list[Message] = []
        self._looked = 0
        self._rest = b""

    async def says(self, kind: str, **fields: Any) -> None:
        message = {"type": kind, **fields}
        was_said(message)
        await self.stream.send_all(frames.client_frame(json.dumps(message).encode()))

    async def reads(self) -> bool:
        """More of what it is told; False: the server has hung up."""
        with trio.fail_after(600.0):
            data = bytes(await self.stream.receive_some(1 << 20))
        self._rest += data
        while (whole := _whole(self._rest)) is not None:
            for text in frames.texts(self._rest[:whole]):
                message = json.loads(text)
                was_told(message)
                self.heard.append(message)
            self._rest = self._rest[whole:]
        return bool(data)

    async def until(self, *names: str, table: int | None = None) -> Message:
        """The next message of one of these types, or event of one of these kinds; of a ``table`` that is watched."""
        while True:
            while self._looked < len(self.heard):
                message = self.heard[self._looked]
                self._looked += 1
                if table is not None:
                    if message["type"] != "aside" or message["table"] != table:
                        continue
                    message = message["told"]
                if message["type"] in names or message.get("kind") in names:
                    return message
            assert await self.reads(), "the server has hung up"

    def aside(self, table: int) -> list[Message]:
        """The messages that it was told of a table that it watches."""
        return [message["told"] for message in self.heard if message["type"] == "aside" and message["table"] == table]

    def moves(self, table: int) -> list[tuple[int, str]]:
        """The moves of a table that it watches, each with the number of its event; the numbers leave nothing out."""
        found, last = [], 0
        for message in self.aside(table):
            events = message["events"] if message["type"] == "seated" else [message]
            last = 0 if message["type"] == "seated" else last
            for event in events:
                if "seq" in event:
                    assert event["seq"] == last + 1, f"{event} after {last}"
                    last = event["seq"]
                if event.get("kind") == "MoveMade":
                    found.append((event["seq"], event["notation"]))
        return found

    async def closes(self) -> None:
        await self.stream.aclose()


def _whole(data: bytes) -> int | None:
    """The bytes of the first frame of a server; None: it is not here yet."""
    if len(data) < 2:
        return None
    size, head = data[1], 2
    if size > 125:
        head = 4 if size == 126 else 10
        size = int.from_bytes(data[2:head], "big")
    return head + size if len(data) >= head + size else None


async def page(here: Hall, address: str = ADDRESS, **hello: Any) -> Page:
    """A page without a table; ``hello`` are further fields of its first message."""
    entry = EntryPoint(Web, {}, here.server.house_rules)
    made = Page(here.dial(address, entry))
    await made.says("hello", v=1, **hello)
    await made.until("welcome")
    return made


async def playing(here: Hall, there: Hall | None = None, **wishes: Any) -> tuple[int, list[Page]]:
    """The number of a table where two pages play tic-tac-toe, and these by seat."""
    pages = [await page(here), await page(there or here)]
    seats = []
    for one in pages:
        await one.says("join", game="tic_tac_toe", **wishes)
        seats.append(await one.until("seated"))
    for one in pages:
        await one.until("turn")
    return seats[0]["table"], [pages[0], pages[1]]


async def plays(pages: list[Page], ply: int, square: int) -> None:
    """The page whose turn it is after ``ply`` moves places a piece, and both are told so."""
    await pages[ply % 2].says("play", move=[None, square, "xo"[ply % 2]])
    for one in pages:
        await one.until("MoveMade")


async def watches(watcher: Page, *tables: int) -> None:
    for table in tables:
        await watcher.says("watch", table=table, aside=True)
        await watcher.until("seated", table=table)
