"""The yardstick of relayed pairs: a bare trio splice. Of those who dial, each two are joined, by a task each way.

``python -m gateway.bench.splice`` prints its port and serves until standard input closes. Not here: anything Boardgate.
"""

from __future__ import annotations

import sys
from typing import Final

import trio

CHUNK: Final = 65_536
"""Bytes a read: what trio's streams take by themselves."""


class Splice:
    """Joins whoever comes with whoever waits."""

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


async def copy(source: trio.SocketStream, target: trio.SocketStream) -> None:
    """All bytes one way, and the end of them."""
    try:
        while data := await source.receive_some(CHUNK):
            await target.send_all(data)
        await target.send_eof()
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass  # one that has gone takes its pair along


async def main() -> None:
    """Serve until standard input closes."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1", backlog=1024)
    print(listeners[0].socket.getsockname()[1], flush=True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, Splice().serve, listeners)
        await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(main)
