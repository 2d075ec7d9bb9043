"""What ``serve`` does on SIGHUP: certificates are read anew, and everything else goes on.

Not here: how a certificate is read (gateway.net.tls). Settings are read at the start only.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence

import structlog
import trio

from gateway.net.tls import Certificate, reload_all

STDIN = 0

_log = structlog.get_logger()


async def reload_on_hangup(
    certificates: Sequence[Certificate], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Until cancelled. Where the signal means that the terminal of this process is gone, the server stops."""
    number = getattr(signal, "SIGHUP", None)
    if number is None:  # not on this system
        task_status.started()
        return
    at_a_terminal = os.isatty(STDIN)
    with trio.open_signal_receiver(number) as signals:
        task_status.started()
        async for _ in signals:
            if at_a_terminal and not os.isatty(STDIN):
                signal.raise_signal(signal.SIGTERM)
                continue
            bad = reload_all(certificates)
            _log.info("reloaded", certificates=len(certificates) - bad, refused=bad)
