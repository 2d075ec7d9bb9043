"""Speaks a dialect of text lines at a node of a world, through a pair of sockets."""

from __future__ import annotations

from collections import deque

import trio

from gateway.config import Listen
from gateway.sessions.listener import open_listener
from tests.cluster.world import Member
from tests.hall import PATIENCE_S


class Lines:
    """A client of text lines at a node. ``moves`` are those of the game that it was told last, in the order told."""

    def __init__(self, member: Member, dialect: str = "chess-p2p") -> None:
        listen = Listen(dialect, "127.0.0.1", 0, {"bot_after": "never"})
        member.listeners.append(open_listener(listen, member.server.house_rules))
        self.stream = member.dial(listener=member.listeners[-1]).stream
        self.moves: list[str] = []
        self._lines: deque[str] = deque()
        self._rest = b""

    async def says(self, *lines: str) -> None:
        await self.stream.send_all("".join(f"{line}\n" for line in lines).encode())

    async def hears(self, start: str) -> str:
        """The next line that begins so; others before it are passed over."""
        while not (line := await self._next()).startswith(start):
            pass
        return line

    async def _next(self) -> str:
        with trio.fail_after(PATIENCE_S):
            while not self._lines:
                data = await self.stream.receive_some(4096)
                assert data, "the server closed"
                *lines, self._rest = (self._rest + data).split(b"\n")
                self._lines.extend(line.decode() for line in lines)
        line = self._lines.popleft()
        word, _, rest = line.partition(" ")
        if word == "new":
            self.moves.clear()
        elif word == "move":
            self.moves.append(rest)
        return line
