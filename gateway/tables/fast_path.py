"""Serves a move at once, in the task that received it, while its table's task sleeps.

Waking that task twice, to decide and after the commit, cost a seventh of a move. The step is the same (step.py); the
table's inbox is held meanwhile, so that everything else is served after it. Moves where clocks run, and the last move
of a game, wake their table.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol

import trio

from gateway.admission.table_limits import StorageLimits
from gateway.commits.commit_queue import Late, NotStored, require_stored
from gateway.store.records import Append
from gateway.table.decide import decide
from gateway.table.state import State, Status, deadline
from gateway.tables.inbox import Inbox
from gateway.tables.journal import Journal
from gateway.tables.move_times import MoveTimes
from gateway.tables.pause import Pause
from gateway.tables.requests import Request
from gateway.tables.seams import Asker
from gateway.tables.step import Step, plan
from protocols.core.commands import Command, PlayMove
from protocols.core.errors import Refused


class Stepped(Protocol):
    """The side of a table that the fast path uses."""

    state: State
    journal: Journal
    pause: Pause
    late: Late
    addresses: list[str]

    def carry_out(self, step: Step) -> None:
        """A step is stored: take its state over and tell all subscribers."""

    def not_stored(self, asker: Asker, error: NotStored) -> None:
        """Nothing has happened; the asker may ask again."""


class FastPath:
    """Serves one table's moves. A defect on the way is raised in the table's task, as if it had served the move."""

    __slots__ = ("_inbox", "_storage", "_table", "_times")

    def __init__(self, table: Stepped, inbox: Inbox[Request], storage: StorageLimits, times: MoveTimes) -> None:
        self._table = table
        self._inbox = inbox
        self._storage = storage
        self._times = times

    def play(self, asker: Asker, command: Command, since: float) -> bool:
        """Serve a move asked at ``since``; False, and nothing done, when it must be put into the inbox."""
        table, seat = self._table, asker.seat
        state = table.state
        if type(command) is not PlayMove or seat is None or state.settings.time is not None:
            return False
        if not self._inbox.asleep or deadline(state) is not None:
            return False
        try:
            self._storage.check(asker.address)
            draft = decide(state, seat, command, since)
            if draft.state.status is not Status.PLAYING:
                return False  # the end of a game writes more than its events
            step, before = plan(draft, state, table.addresses), table.journal.written
            step.decided = trio.current_time()
            table.journal.write_on(step.events, partial(self._stored, asker, since, step), asker.asking, table.late)
            self._inbox.hold()
            self._storage.charge(asker.address, table.journal.written - before)
        except Refused as refused:
            asker.refuse(refused)
            asker.answered()
        except Exception as defect:
            self._inbox.release(defect)
        return True

    def _stored(self, asker: Asker, since: float, step: Step, append: Append) -> None:
        """The move is on disk, or is not."""
        table = self._table
        try:
            require_stored(append)
            step.append = append
            table.carry_out(step)
            self._times.told(asker, since, step)
        except NotStored as error:
            table.not_stored(asker, error)
        except Exception as defect:
            self._inbox.release(defect)
            return
        table.pause.over()
        self._inbox.release()
        asker.answered()
