"""Program: a process of another program, which is talked to in lines; at low priority, gone with the server.

Its standard error goes nowhere, its standard output nowhere but here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import trio

from gateway.bots.worker import NICENESS
from protocols.core.errors import RemoteProtocolError

LAUNCH: Final = Path(__file__).with_name("launch.py")

LINE_MAX: Final = 16_384
"""Bytes: an engine that shows its whole thought in one line stays below two thousand."""

READ_MAX: Final = 65_536
"""Bytes read at a time: as much as a pipe holds."""

QUIT_S: Final = 0.5
"""Seconds for a program to end by itself when told so; for what it may want to write down."""

PRIVATE: Final = "BOARDGATE_"
"""Variables of the environment that begin so are the server's alone: a database's password may be among them."""


class Program:
    """Made by ``start``. Its starter owns it and ends it with ``end`` or ``leave``. ``heard`` is bytes."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: int, stdout: int) -> None:
        self._process = process
        self._stdin = trio.lowlevel.FdStream(stdin)
        self._stdout = trio.lowlevel.FdStream(stdout)
        self.heard = 0
        self._received = bytearray()
        self._reaped = False

    @classmethod
    def start(cls, command: Sequence[str], niceness: int = NICENESS) -> Program:
        """Start ``command``, its first word an executable's path. OSError: it could not be started.

        Blocks for the few milliseconds of a fork. trio would fork in a thread that it ends when it is not used for ten
        seconds, and the program with it: the server's death is the death of the thread that forked.
        """
        words = [sys.executable, "-I", "-S", str(LAUNCH), str(os.getpid()), str(niceness), *command]
        environment = {name: text for name, text in os.environ.items() if not name.startswith(PRIVATE)}
        hears, says = os.pipe()
        listens, speaks = os.pipe()
        try:
            process = subprocess.Popen(
                words,
                stdin=hears,
                stdout=speaks,
                stderr=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is the server's, and all its processes can be killed at once
            )
        except OSError:
            os.close(says)
            os.close(listens)
            raise
        finally:
            os.close(hears)
            os.close(speaks)
        return cls(process, says, listens)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def say(self, data: bytes) -> None:
        """BrokenResourceError: it reads no more."""
        await self._stdin.send_all(data)

    async def line(self) -> str:
        """Its next line. BrokenResourceError: it has ended. RemoteProtocolError: the line is longer than LINE_MAX."""
        while (end := self._received.find(b"\n")) < 0:
            if len(self._received) > LINE_MAX:
                raise RemoteProtocolError(f"a line of more than {LINE_MAX} bytes")
            received = await self._stdout.receive_some(READ_MAX)
            if not received:
                raise trio.BrokenResourceError("it ended")
            self.heard += len(received)
            self._received += received
        if end > LINE_MAX:
            raise RemoteProtocolError(f"a line of {end} bytes, more than {LINE_MAX}")
        line = self._received[:end].decode("utf-8", "replace")
        del self._received[: end + 1]
        return line.strip()

    async def leave(self, farewell: bytes) -> None:
        """Tell it to quit and give it QUIT_S for that, then ``end`` it."""
        try:
            with trio.move_on_after(QUIT_S, shield=True):
                await self._stdin.send_all(farewell)
                await self._stdin.aclose()
                while await self._stdout.receive_some(READ_MAX):
                    pass
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            pass  # it has ended already, or another task is talking to it
        finally:
            await self.end()

    async def end(self) -> None:
        """Kill it and its children at once; idempotent. A task that waits for a line gets ClosedResourceError."""
        if self._reaped:
            return
        self._reaped = True
        os.killpg(self._process.pid, signal.SIGKILL)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(self._process.wait)
            await self._stdin.aclose()
            await self._stdout.aclose()
