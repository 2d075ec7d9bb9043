"""Boardgate's own commands on the hosts of a small network: a server that both reach, and a helper at each end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import trio

from tests.conformance.relay_networks.networks import SERVER, Host

BOARDGATE: Final = [sys.executable, "-m", "gateway.cli"]
PATIENCE_S: Final = 40.0
"""Seconds an exchange may take on a busy machine, with a cut of five seconds in it."""

STOP_S: Final = 10.0


@contextmanager
def serving(host: Host, data: Path) -> Iterator[None]:
    """``boardgate serve`` on this host, with its relay and its web address."""
    listeners = ["--listen", f"relay={SERVER}:5030", "--listen", f"http={SERVER}:8080"]
    command = [*host.prefix(), *BOARDGATE, "serve", "--data", str(data), *listeners]
    with (data / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        assert "ready\n" in process.stdout, (data / "server.log").read_text()
        yield
    finally:
        process.kill()
        process.wait(STOP_S)
        process.stdout.close()


def new_code(host: Host) -> str:
    """``boardgate relay open`` at this host: the code, as it is shown to a person."""
    return next(line.strip() for line in _opened(host).splitlines() if line.startswith("    "))


def new_port(host: Host) -> int:
    """The same: the one-time port."""
    return int(json.loads(_opened(host, "--json"))["port"])


def _opened(host: Host, *options: str) -> str:
    command = [*host.prefix(), *BOARDGATE, "relay", "open", "--server", f"http://{SERVER}:8080", *options]
    return subprocess.check_output(command, text=True)


class Program:
    """A program on a host. ``heard`` is its standard output so far, ``told`` its standard error."""

    def __init__(self, process: trio.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.heard = bytearray()
        self.told = ""
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._stderr = process.stderr
        self._news = trio.Event()

    async def listen(self) -> None:
        """Collect both outputs until they end."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._collect_told)
            while data := bytes(await self._stdout.receive_some(65536)):
                self.heard += data
                self._tell()

    async def says(self, data: bytes) -> None:
        await self._stdin.send_all(data)

    async def says_no_more(self) -> None:
        await self._stdin.aclose()

    async def is_told(self, words: str) -> None:
        await self._until(lambda: words in self.told)

    async def hears(self, count: int) -> None:
        """Wait until it has heard so many bytes."""
        await self._until(lambda: len(self.heard) >= count)

    async def ends(self) -> int:
        """Wait until it exits; its status."""
        with trio.fail_after(PATIENCE_S):
            return await self.process.wait()

    async def _until(self, so: Callable[[], bool]) -> None:
        with trio.move_on_after(PATIENCE_S):
            while not so():
                await self._news.wait()
            return
        raise AssertionError(f"after {len(self.heard)} bytes, told: {self.told}")

    async def _collect_told(self) -> None:
        while data := bytes(await self._stderr.receive_some(65536)):
            self.told += data.decode()
            self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()


@asynccontextmanager
async def helper(host: Host, code: str, *options: str) -> AsyncIterator[Program]:
    """``boardgate relay CODE`` on this host, on standard input and output; gone when the block ends."""
    async with program(host, *BOARDGATE, "relay", code, "--server", SERVER, *options) as found:
        yield found


@asynccontextmanager
async def program(host: Host, *command: str) -> AsyncIterator[Program]:
    """Any program on this host; gone when the block ends."""
    process = await trio.lowlevel.open_process([*host.prefix(), *command], stdin=-1, stdout=-1, stderr=-1)
    found = Program(process)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.listen)
            yield found
            nursery.cancel_scope.cancel()
    finally:
        if process.returncode is None:
            process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    await pipe.aclose()
