"""Runs a relay helper in the test's process, and records its program's bytes and the lines told to its user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from clients.joining import Address
from clients.relay.code import Code
from clients.relay.ends import Given
from clients.relay.transport import Rendezvous
from clients.relay.tunnel import Patience, Tunnel
from protocols.core.errors import BoardgateError

QUICK = Patience(grace_s=3, linger_s=1, silence_s=1, ping_s=0.3, doubt_s=0.5)
PATIENCE_S = 20.0


class Helper:
    """``program`` is the connection of the program at this end; ``why`` is how the tunnel failed, None: it has not."""

    def __init__(self, code: Code, server: Address, *, direct: bool = False, patience: Patience = QUICK) -> None:
        ours, theirs = trio.socket.socketpair()
        self.program = trio.SocketStream(ours)
        self.told: list[str] = []
        self.why: BoardgateError | None = None
        self.over = trio.Event()
        self._end = Given(trio.SocketStream(theirs))
        self._news = trio.Event()
        self.tunnel = Tunnel(Rendezvous(code, server, self._tell, direct=direct), self._end, self._tell, patience)

    async def run(self) -> None:
        try:
            await self.tunnel.run()
        except BoardgateError as error:
            self.why = error
        finally:
            with trio.CancelScope(shield=True):
                await self._end.close()
        self.over.set()

    async def is_told(self, words: str, times: int = 1) -> None:
        """Wait until its user has been told this so often."""
        with trio.fail_after(PATIENCE_S):
            while sum(words in told for told in self.told) < times:
                await self._news.wait()

    async def fails(self) -> str:
        """Return the error that it ends with."""
        with trio.fail_after(PATIENCE_S):
            await self.over.wait()
        assert self.why is not None
        return str(self.why)

    async def ends(self) -> None:
        """It ends by itself, with everything delivered."""
        with trio.fail_after(PATIENCE_S):
            await self.over.wait()
        assert self.why is None, self.told

    async def hears_all(self) -> bytes:
        """Everything its program gets, to the end."""
        heard = bytearray()
        with trio.fail_after(PATIENCE_S):
            while data := bytes(await self.program.receive_some(65536)):
                heard += data
        return bytes(heard)

    async def says(self, data: bytes, pause: Callable[[int], float] = lambda at: 0) -> None:
        """Its program says this and no more; ``pause`` are seconds before the piece at this byte."""
        for at in range(0, len(data), 4096):
            await trio.sleep(pause(at))
            await self.program.send_all(data[at : at + 4096])
        await self.program.send_eof()

    def _tell(self, words: str) -> None:
        self.told.append(words)
        self._news.set()
        self._news = trio.Event()


@asynccontextmanager
async def running(*helpers: Helper) -> AsyncIterator[trio.Nursery]:
    """Helpers that run until the block ends."""
    try:
        async with trio.open_nursery() as nursery:
            for helper in helpers:
                nursery.start_soon(helper.run)
            yield nursery
            nursery.cancel_scope.cancel()
    finally:
        for helper in helpers:
            helper.program.socket.close()


async def exchange(one: Helper, two: Helper, said: tuple[bytes, bytes], pause: float = 0) -> tuple[bytes, bytes]:
    """Let both programs send at once; return the bytes that each has received."""
    heard = {}

    async def hear(helper: Helper) -> None:
        heard[helper] = await helper.hears_all()

    async with trio.open_nursery() as nursery:
        for helper, data in zip((one, two), said, strict=True):
            nursery.start_soon(helper.says, data, lambda at: pause)
            nursery.start_soon(hear, helper)
    return heard[one], heard[two]
