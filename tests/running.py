"""Runs ``boardgate serve`` as a process of its own, on free ports, with its data in a directory of the test's.

The process is stopped by its id when the block ends, however the test ends. It is forked from one that has imported the
server: a fresh interpreter would need three times the processor time to start.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing.reduction import DupFd
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gateway.cli import main
from migrations import upgrade
from tests.deploy.namespaces import enter

START_S: Final = 60.0
STOP_S: Final = 10.0
RECORD: Final = "boardgate.db"

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["gateway.cli.serve"])


class Forked:
    """A ``boardgate`` command in a process of its own, with the methods of Popen that tests use."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], log: Path, table_secret: str = "") -> None:
        read, write = os.pipe()
        self.stdout = os.fdopen(read, encoding="utf-8")
        try:
            network = Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/ns/net")
            given = words, dict(environment), DupFd(write), network, log, table_secret, _change
            self._process = _FORKS.Process(target=_run, args=given)
            self._process.start()
        finally:
            os.close(write)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, limit_s: float) -> int:
        self._process.join(limit_s)
        assert self._process.exitcode is not None, f"still running after {limit_s} s"
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """A process that has ended is sent none, as with Popen: whoever asks may not know yet."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


_change: Callable[[], None] | None = None
"""Called in each process before its command."""


@contextmanager
def changed(change: Callable[[], None]) -> Iterator[None]:
    """Each process that is started in this block calls ``change``, a function of a module, before its command."""
    global _change
    _change = change
    try:
        yield
    finally:
        _change = None


def _run(
    words: Sequence[str],
    environment: Mapping[str, str],
    output: Any,
    network: Path,
    log: Path,
    table_secret: str,
    change: Callable[[], None] | None,
) -> None:
    """Run the command in the forked process, on the ``network`` of whoever starts it, where systems have several;
    ``output`` is the pipe that its standard output goes to."""
    if network.exists() and not network.samefile("/proc/self/ns/net"):
        with network.open() as space:
            enter(space.fileno())
    os.environ.clear()
    os.environ.update(environment)
    if change is not None:
        change()
    if table_secret:
        secrets.token_bytes = partial(_known, bytes.fromhex(table_secret))
    for number, goes_to in ((1, output.detach()), (2, os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND))):
        os.dup2(goes_to, number)
        os.close(goes_to)
    main(words, prog_name="boardgate")


def _known(secret: bytes, size: int) -> bytes:
    """``secret`` for what is as long, which is the secret of a table alone; tickets, say, stay different."""
    return secret if size == len(secret) else os.urandom(size)


@dataclass(slots=True)
class RunningServer:
    """``ports`` are those of the listeners, in the order given; ``log`` is where its standard error goes."""

    process: Forked | subprocess.Popen[str]
    data: Path
    log: Path
    ports: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def kill(self) -> None:
        """SIGKILL, as a power cut would."""
        self.process.kill()
        self.process.wait(STOP_S)

    def stop(self) -> int:
        """SIGTERM, as a service manager does; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_S)


@contextmanager
def server(
    data: Path,
    *listeners: str,
    host: str = "127.0.0.1",
    ports: Mapping[int, int] | None = None,
    table_secret: str = "",
    program: str = "",
    **settings: str,
) -> Iterator[RunningServer]:
    """A server listening on ``listeners`` ("bogaprot", "bogaprot,game=ludo"), all on free ports of ``host``.

    ``table_secret`` is that of every table, 32 bytes in hexadecimal: the rolls of all first games are then the same.
    ``ports`` fixes the ports of some listeners by their index, so that clients find a server that starts again.
    ``program`` is the ``boardgate`` of another environment, which is not forked and makes its own record.
    ``settings`` are variables of the environment without their prefix: ``SEATS_GRACE="1s"``.
    """
    command = ["serve", "--data", str(data)]
    for index, listener in enumerate(listeners):
        dialect, _, options = listener.partition(",")
        port = (ports or {}).get(index, 0)
        command += ["--listen", f"{dialect}={host}:{port}" + (f",{options}" if options else "")]
    environment = {**os.environ, **{f"BOARDGATE_{key}": text for key, text in settings.items()}}
    data.mkdir(parents=True, exist_ok=True)
    log = data / "server.log"
    process: Forked | subprocess.Popen[str]
    if not program:
        if not (record := data / RECORD).exists() and "SERVER_DATABASE" not in settings:
            record.write_bytes(empty_record())
        process = Forked(command, environment, log, table_secret)
    else:
        with log.open("a") as said:
            whole = [program, *command]
            process = subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=said, env=environment, cwd=data, text=True)
    running = RunningServer(process, data, log)
    try:
        _wait_until_ready(running)
        yield running
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(STOP_S)
        if process.stdout is not None:
            process.stdout.close()


@cache
def empty_record() -> bytes:
    """An SQLite file of the newest schema: a server that makes its own loads Alembic, a fifth of its start."""
    with TemporaryDirectory() as folder:
        upgrade(f"sqlite:///{folder}/{RECORD}")
        return (Path(folder) / RECORD).read_bytes()


def made_record(path: Path) -> str:
    """The URL of an empty record that is made there, a copy of ``empty_record``."""
    path.write_bytes(empty_record())
    return f"sqlite:///{path}"


def _wait_until_ready(running: RunningServer) -> None:
    assert running.process.stdout is not None
    for line in running.process.stdout:
        running.lines.append(line.strip())
        if line.startswith("listening"):
            running.ports.append(int(line.split()[2].rpartition(":")[2]))
        if line.strip() == "ready":
            return
    raise AssertionError(f"the server did not start: {running.log.read_text()[-2000:]}")
