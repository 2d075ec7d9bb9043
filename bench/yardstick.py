"""The yardsticks, in bare trio: a relay of lines for tables, a splice of bytes for relayed pairs, sends that do not
block for observers. No rules, no record.

``python -m bench.yardstick relay|splice|sends`` prints its port and serves until standard input closes.
"""

from __future__ import annotations

import socket
import sys
from typing import Final

import trio

CHUNK: Final = 65_536
"""Bytes a read: what trio's streams take by themselves."""

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
    """Seats each client at the waiting table, or at a new one; a line from one is told to both, under a lock."""

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


class Splice:
    """Joins each new client with the waiting one."""

    def __init__(self) -> None:
        self._waiting: trio.SocketStream | None = None

    async def serve(self, stream: trio.SocketStream) -> None:
        other, self._waiting = self._waiting, None
        if other is None:
            self._waiting = stream
            await trio.sleep_forever()  # returning would close it
        else:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(copy, stream, other)
                nursery.start_soon(copy, other, stream)


class Sends:
    """Sends each client so many bytes, by one call that does not block, when the first one says how many."""

    def __init__(self) -> None:
        self._listeners: list[socket.socket] = []
        self._spoken_for = False

    async def serve(self, stream: trio.SocketStream) -> None:
        await stream.send_all(b"!")
        if self._spoken_for:
            self._listeners.append(socket.socket(fileno=stream.socket.detach()))
            return
        self._spoken_for = True
        async for line in stream:
            data = bytes(int(line))
            for listener in self._listeners:
                listener.send(data)


async def copy(source: trio.SocketStream, target: trio.SocketStream) -> None:
    """All bytes one way, and the end of them."""
    try:
        while data := await source.receive_some(CHUNK):
            await target.send_all(data)
        await target.send_eof()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # one that has gone takes its pair along


async def main(yardstick: Relay | Splice | Sends) -> None:
    """Serve until standard input closes."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(listeners[0].socket.getsockname()[1], flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, yardstick.serve, listeners)
        await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    KINDS: Final[dict[str, type[Relay | Splice | Sends]]] = {"relay": Relay, "splice": Splice, "sends": Sends}
    trio.run(main, KINDS[sys.argv[1]]())
