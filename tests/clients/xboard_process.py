"""``boardgate xboard`` as a process, driven by the lines of a GUI.

async with running("--listen", f"127.0.0.1:{port}") as gui:
    await gui.sends("xboard", "protover 2")
    await gui.until("feature done=1")
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

PATIENCE_S = 20.0
"""Seconds an answer may take: starting Python on a busy machine is most of it."""

SOON_S = 5.0
"""Seconds an end may take on a busy machine: longer than ours, shorter than any time-out of the other end."""


class Gui:
    """The GUI's end of the pipes. ``lines`` is all that was read."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.lines: list[str] = []
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._rest = b""
        self._unread: list[str] = []

    async def sends(self, *lines: str) -> None:
        await self._stdin.send_all("".join(f"{line}\n" for line in lines).encode())

    async def until(self, words: str) -> str:
        """The next line that has these words; those before it are passed over."""
        with trio.fail_after(PATIENCE_S):
            while True:
                while self._unread:
                    line = self._unread.pop(0)
                    if words in line:
                        return line
                data = bytes(await self._stdout.receive_some(65536))
                assert data, f"it ended before {words!r}: {self.lines[-20:]}"
                *lines, self._rest = (self._rest + data).split(b"\n")
                self._unread += [unbroken(line.decode()) for line in lines]
                self.lines += [unbroken(line.decode()) for line in lines]

    async def shows(self, words: str) -> None:
        """Some line has these words, an earlier one or one that comes."""
        if not any(words in line for line in self.lines):
            await self.until(words)

    async def introduce(self) -> None:
        """As XBoard begins, up to the moment when it may play."""
        await self.sends("xboard", "protover 2", "accepted debug", "new", "random", "level 40 5 0", "post", "hard")
        await self.until("feature done=1")

    async def ends(self) -> float:
        """Wait until the process is gone; how long that took, in seconds."""
        since = trio.current_time()
        with trio.fail_after(PATIENCE_S):
            await self.process.wait()
        return trio.current_time() - since

    async def closes_its_pipe(self) -> None:
        await self._stdin.aclose()


@asynccontextmanager
async def running(*options: str, before: Sequence[str] = ()) -> AsyncIterator[Gui]:
    """``before`` stands before the command, to run it somewhere else."""
    command = [*before, sys.executable, "-m", "gateway.cli", "xboard", *options]
    process = await trio.lowlevel.open_process(command, stdin=-1, stdout=-1)
    try:
        yield Gui(process)
    finally:
        if process.returncode is None:
            process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    await pipe.aclose()


def unbroken(line: str) -> str:
    """A text for the user as a person reads it, its lines joined."""
    start = "telluser \\\\"
    return f"telluser {line.removeprefix(start)}".replace("\\n", " ") if line.startswith(start) else line
