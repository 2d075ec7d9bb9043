"""Downtime credit: time in which a table could not be served is charged to no seat.

Pure: when it stood still is told. A table that another process takes over starts its clocks anew (seating.adopt).
"""

from __future__ import annotations

from dataclasses import replace

from gateway.table.draft import Draft
from gateway.table.state import State, Status
from protocols.core import events as ev
from protocols.core.model import SeatKind


def stood_still(state: State, since: float, now: float, *, clock: bool = True) -> Draft:
    """Nothing could happen from ``since`` until ``now``: that is added to the running clock and to lost seats' graces.

    Without ``clock`` the graces alone: players who do not need the server to think go on thinking.
    """
    draft = Draft(state)
    running = state.clock
    if clock and state.status is Status.PLAYING and running is not None and running.running is not None:
        draft.add(ev.ClockSet(replace(running, since=running.since + now - max(since, running.since))))
    for seat, until in enumerate(state.until):
        if until > since:
            draft.add(ev.SeatLeft(seat, SeatKind.RESERVED, until + now - since))
    return draft
