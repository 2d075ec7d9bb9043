"""The programs at this end of a tunnel: a command, a called address, a listening port, or standard input and output.

Each is opened once both helpers have met, and read and written at the same time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

import trio

from clients.joining import Address
from protocols.core.errors import BoardgateError

BROKEN: Final = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
"""Raised by ``write`` and ``read`` when the program is gone."""

DIAL_S: Final = 10.0
"""Seconds for a program at --to to answer; it usually runs beside us."""

EXIT_S: Final = 3.0
"""Seconds for a command to exit by itself after its input has ended, and again after SIGTERM."""


class NoProgram(BoardgateError):
    """The program that should be joined to the tunnel cannot be."""


class End(Protocol):
    """The program at this end."""

    async def open(self) -> None:
        """Start it, or call it. Raises NoProgram."""

    async def read(self, most: int) -> bytes:
        """Its next bytes; b"" at the end. Raises BROKEN."""

    async def write(self, data: bytes) -> None:
        """Raises BROKEN when it does not read any more."""

    async def finish(self) -> None:
        """The end gets no more."""

    async def gone(self) -> None:
        """Return when it reads no more, though nothing was written; may never return."""

    async def close(self) -> int:
        """Let it go, at once; its exit status, 0 where it has none."""


class Connection:
    """A stream: the base of the ends that are connections."""

    stream: trio.SocketStream

    async def open(self) -> None:
        """The connection is there already."""

    async def read(self, most: int) -> bytes:
        return bytes(await self.stream.receive_some(most))

    async def write(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def finish(self) -> None:
        await self.stream.send_eof()

    async def gone(self) -> None:
        await trio.sleep_forever()  # a connection says so when it is written to

    async def close(self) -> int:
        if hasattr(self, "stream"):
            await trio.aclose_forcefully(self.stream)
        return 0


class Given(Connection):
    """A connection that is there already."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream


class Dialled(Connection):
    """``--to``: a program that listens at ``address`` is called."""

    def __init__(self, address: Address) -> None:
        self._address = address

    async def open(self) -> None:
        try:
            with trio.fail_after(DIAL_S):
                self.stream = await trio.open_tcp_stream(self._address.host, self._address.port)
        except (OSError, trio.TooSlowError) as error:
            raise NoProgram(f"nobody answers at {self._address}, where the other side is to be joined to") from error


class Awaited(Connection):
    """``--listen``: the first program that calls ``address``; the port is closed then."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._listeners: list[trio.SocketListener] = []
        self._called = trio.Event()

    async def listen(self) -> Address:
        """Open the port before the other side is met: a port in use is told at once. Its address, or NoProgram."""
        try:
            self._listeners = await trio.open_tcp_listeners(self._address.port, host=self._address.host)
        except OSError as error:
            raise NoProgram(
                f"cannot listen at {self._address}: {os.strerror(error.errno) if error.errno else error}"
            ) from error
        return Address(self._address.host, int(self._listeners[0].socket.getsockname()[1]))

    async def open(self) -> None:
        """Wait for the call."""
        async with trio.open_nursery() as nursery:

            async def take(listener: trio.SocketListener) -> None:
                stream = await listener.accept()
                if self._called.is_set():
                    await trio.aclose_forcefully(stream)
                    return
                self._called.set()
                self.stream = stream
                nursery.cancel_scope.cancel()

            for listener in self._listeners:
                nursery.start_soon(take, listener)
        self._unlisten()

    async def close(self) -> int:
        self._unlisten()
        return await super().close()

    def _unlisten(self) -> None:
        for listener in self._listeners:
            listener.socket.close()


class Command:
    """A program started here, on its standard input and output; what it says on standard error is shown as it is."""

    _process: trio.Process

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    async def open(self) -> None:
        try:
            self._process = await trio.lowlevel.open_process(self._words, stdin=-1, stdout=-1)
        except OSError as error:
            raise NoProgram(f"cannot start {self._words[0]!r}: {error.strerror or error}") from error

    async def read(self, most: int) -> bytes:
        assert self._process.stdout is not None
        return bytes(await self._process.stdout.receive_some(most))

    async def write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        await self._process.stdin.send_all(data)

    async def finish(self) -> None:
        assert self._process.stdin is not None
        await self._process.stdin.aclose()

    async def gone(self) -> None:
        await self._process.wait()

    async def close(self) -> int:
        """Its input ends; if that is not enough, SIGTERM, and then it is killed."""
        if not hasattr(self, "_process"):
            return 0
        process = self._process
        with trio.CancelScope(shield=True):
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    await pipe.aclose()
            for stop in (None, process.terminate, process.kill):
                if stop is not None:
                    stop()
                with trio.move_on_after(EXIT_S):
                    await process.wait()
                    break
        assert process.returncode is not None
        return process.returncode if process.returncode >= 0 else 128 - process.returncode


class Plain:
    """Standard input and output. Both block, so a thread of its own waits for each."""

    async def open(self) -> None:
        """Both are there."""

    async def read(self, most: int) -> bytes:
        return await trio.to_thread.run_sync(os.read, sys.stdin.fileno(), most, abandon_on_cancel=True)

    async def write(self, data: bytes) -> None:
        while data:
            sent = await trio.to_thread.run_sync(os.write, sys.stdout.fileno(), data, abandon_on_cancel=True)
            data = data[sent:]

    async def finish(self) -> None:
        """The reader of our output gets its end, while we may go on reading."""
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)

    async def gone(self) -> None:
        await trio.sleep_forever()

    async def close(self) -> int:
        return 0
