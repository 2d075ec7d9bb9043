"""What ``serve`` does on SIGUSR1: it is drained. Not here: what that is (gateway.server.drain)."""

from __future__ import annotations

import signal

import trio

from gateway.server.drain import Drain


async def drain_on_signal(drain: Drain, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
    """Until cancelled. The signal says "begin" only: sent twice, it must not mean the opposite."""
    number = getattr(signal, "SIGUSR1", None)
    if number is None:  # not on this system
        task_status.started()
        return
    with trio.open_signal_receiver(number) as signals:
        task_status.started()
        async for _ in signals:
            drain.begin(f"signal {signal.Signals(number).name}")
