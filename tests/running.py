"""A real server for tests: ``boardgate serve`` as a process of its own, on free ports, in a directory of the test's.

Stopped by its process id when the block ends, however the test ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

START_S: Final = 60.0
STOP_S: Final = 10.0


@dataclass(slots=True)
class RunningServer:
    """``ports`` are by listener, in the order given; ``log`` is where its standard error goes."""

    process: subprocess.Popen[str]
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
    data: Path, *listeners: str, ports: Mapping[int, int] | None = None, **settings: str
) -> Iterator[RunningServer]:
    """A server listening on ``listeners`` ("bogaprot", "bogaprot,game=ludo"), all on free ports of 127.0.0.1.

    ``ports`` fixes the port of some listeners by their place (to start again where clients look for it). ``settings``
    are variables of the environment without their prefix: ``SEATS_GRACE="1s"``.
    """
    command = [sys.executable, "-m", "gateway.cli", "serve", "--data", str(data)]
    for place, listener in enumerate(listeners):
        dialect, _, options = listener.partition(",")
        port = (ports or {}).get(place, 0)
        command += ["--listen", f"{dialect}=127.0.0.1:{port}" + (f",{options}" if options else "")]
    environment = {**os.environ, **{f"BOARDGATE_{key}": text for key, text in settings.items()}}
    data.mkdir(parents=True, exist_ok=True)
    log = data / "server.log"
    with log.open("a") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
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


def _wait_until_ready(running: RunningServer) -> None:
    assert running.process.stdout is not None
    for line in running.process.stdout:
        running.lines.append(line.strip())
        if line.startswith("listening"):
            running.ports.append(int(line.split()[2].rpartition(":")[2]))
        if line.strip() == "ready":
            return
    raise AssertionError(f"the server did not start: {running.log.read_text()[-2000:]}")
