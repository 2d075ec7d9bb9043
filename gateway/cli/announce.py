"""What ``serve`` tells the service manager that started it: that it is ready, and that it is stopping.

The manager names a socket in NOTIFY_SOCKET; without it nobody is told. Not here: when. Source: sd_notify(3).
"""

from __future__ import annotations

import os
import socket
from typing import Final

import structlog

SOCKET: Final = "NOTIFY_SOCKET"
READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"

ABSTRACT: Final = "@"
"""The first character of a name that is not in the file system; the system has a NUL there."""

_log = structlog.get_logger()


def announce(state: str) -> None:
    """Send it. A manager that cannot be told is a warning in the log: the server can serve without it."""
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
