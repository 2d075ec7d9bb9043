"""The service manager's side of ``serve``: tells it "ready" and "stopping", and obeys its signals.

SIGHUP reads settings and certificates anew, SIGUSR1 drains. The manager names a socket in NOTIFY_SOCKET; without it
nothing is sent. Source: sd_notify(3).
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Sequence
from types import FrameType
from typing import Final

import structlog
import trio

from gateway.cli.rereading import Rereading
from gateway.net.tls import Dated, reload_all
from gateway.ops.drain import Drain

SOCKET: Final = "NOTIFY_SOCKET"
READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"

ABSTRACT: Final = "@"
"""The first character of a name that is not in the file system; the system has a NUL there."""

STDIN: Final = 0

_log = structlog.get_logger()


def announce(state: str) -> None:
    """Send ``state`` to the service manager. Failure is a warning in the log: the server can serve without it."""
    name = os.environ.get(SOCKET, "")
    if not name:
        return
    address = f"\0{name[1:]}" if name.startswith(ABSTRACT) else name
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto(state.encode(), address)
    except OSError as error:
        _log.warning("the service manager was not told", state=state, error=str(error))


class Terminal:
    """The terminal that the server was started at, if it was."""

    def __init__(self) -> None:
        self._was_there = os.isatty(STDIN)

    def gone(self) -> bool:
        """True if it was there and is not: SIGHUP means that."""
        return self._was_there and not os.isatty(STDIN)


def pass_over_signals() -> None:
    """From now on SIGHUP and SIGUSR1 end no server: one that starts, or stops, has nothing to do for them."""
    terminal = Terminal()

    def pass_over(number: int, frame: FrameType | None) -> None:
        if number != getattr(signal, "SIGUSR1", None) and terminal.gone():
            signal.raise_signal(signal.SIGTERM)

    for number in (getattr(signal, name, None) for name in ("SIGHUP", "SIGUSR1")):
        if number is not None:
            signal.signal(number, pass_over)


async def reload_on_hangup(
    certificates: Sequence[Dated],
    settings: Rereading | None = None,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Read settings and certificates anew at each SIGHUP, until cancelled; stop the server where its terminal is gone.

    ``settings`` None: another process reads them.
    """
    number = getattr(signal, "SIGHUP", None)
    if number is None:  # not on this system
        task_status.started()
        return
    terminal = Terminal()
    with trio.open_signal_receiver(number) as signals:
        task_status.started()
        async for _ in signals:
            if terminal.gone():
                signal.raise_signal(signal.SIGTERM)
                continue
            if settings is not None:
                settings.ask()
            bad = reload_all(certificates)
            _log.info("reloaded", certificates=len(certificates) - bad, refused=bad)


async def drain_on_signal(drain: Drain, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
    """Drain at SIGUSR1, until cancelled. A second signal changes nothing."""
    number = getattr(signal, "SIGUSR1", None)
    if number is None:  # not on this system
        task_status.started()
        return
    with trio.open_signal_receiver(number) as signals:
        task_status.started()
        async for _ in signals:
            drain.begin(f"signal {signal.Signals(number).name}")
