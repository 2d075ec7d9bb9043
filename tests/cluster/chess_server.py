"""A telnet client at the chess server's port of a node of a world."""

from __future__ import annotations

from tests.cluster.lines import Lines
from tests.cluster.world import Member


class ChessServer(Lines):
    """``name`` is what the server calls this guest."""

    def __init__(self, member: Member) -> None:
        super().__init__(member, "ics")
        self.name = ""

    async def comes(self, *lines: str) -> ChessServer:
        """Log in as a guest, and say this; it has been answered then."""
        await self.says("guest", "", "set seek 0", "set style 12", *lines, "date")
        self.name = (await self.hears("**** Starting FICS session as ")).split()[5].removesuffix("(U)")
        await self.hears("Server time")
        return self

    async def _next(self) -> str:
        return (await super()._next()).strip("\r").removeprefix("fics% ")
