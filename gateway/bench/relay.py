"""The yardstick: a bare trio relay, one line in, told to both, by ``send_all`` under a lock. No rules, no record.

``python -m gateway.bench.relay`` prints its port and serves until standard input closes. Not here: anything Boardgate.
"""

from __future__ import annotations

import sys

import trio

GREETING = b"go\n"


class Table:
    """Two streams; a lock a stream keeps its sends apart."""

    def __init__(self) -> None:
        self.streams: list[tuple[trio.SocketStream, trio.Lock]] = []

    async def tell(self, line: bytes) -> None:
        for stream, lock in self.streams:
            async with lock:
                await stream.send_all(line)


class Relay:
    """Seats whoever comes at the table that waits, or at a new one."""

    def __init__(self) -> None:
        self._waiting: Table | None = None

    async def serve(self, stream: trio.SocketStream) -> None:
        table = self._waiting or Table()
        table.streams.append((stream, trio.Lock()))
        self._waiting = table if len(table.streams) == 1 else None
        try:
            await (table.tell(GREETING) if len(table.streams) == 2 else stream.send_all(GREETING[:-1]))
            await self._forward(stream, table)
        except trio.BrokenResourceError:
            pass  # a client that has gone takes its table along

    async def _forward(self, stream: trio.SocketStream, table: Table) -> None:
        rest = b""
        async for part in stream:
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                await table.tell(line + b"\n")


async def main() -> None:
    """Serve until standard input closes."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(listeners[0].socket.getsockname()[1], flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, Relay().serve, listeners)
        await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(main)
