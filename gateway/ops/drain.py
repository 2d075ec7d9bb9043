"""Drains a server before a restart: opens no new tables and no new rooms of the relay; running ones go on.

What still runs when the server is stopped is taken over by the next one (recovery.py). Where the server is one of
several nodes, it gives its tables to the others instead (gateway.cluster.giving): players notice nothing, and are told
nothing.

Both ends are acts and noted as such, but the server does not wait for that: a server whose database is in trouble is
one that its host may want to drain. A note waits with the moves until the database can be written, and is lost with
them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import structlog

from gateway.commits.commit_queue import HOLD_S, CommitQueue
from gateway.store import acts
from gateway.store.records import Append, noted
from protocols.core.errors import Refused, Why

NO_TABLE: Final = "the server is about to be restarted: no new tables are opened; come back in a while"
NO_ROOM: Final = "the server opens no new rooms: it is about to be restarted; come back in a while"
BEGUN: Final = "the server is about to be restarted: no new tables are opened; games that run go on"
ENDED: Final = "the server is not restarted after all: new tables are opened again"

TOLD: Final = "the database, where it was said"

UNWRITTEN: Final = 100
"""Acts that may wait for a database in trouble: begun and ended every few seconds for as long as a note is tried."""

_log = structlog.get_logger()


class Drain:
    """``on`` between ``begin`` and ``end``; a new process begins without it. ``name`` is the log of acts' for it.

    ``running`` counts the games that are being played; ``tell`` says something to all clients at tables. ``alone`` says
    whether no other node can take the tables; ``wished`` is called when a host begins or ends a drain here.
    """

    def __init__(
        self,
        commits: CommitQueue,
        name: str,
        running: Callable[[], int],
        tell: Callable[[str], None],
        alone: Callable[[], bool],
        wished: Callable[[bool], None],
    ) -> None:
        self._commits = commits
        self._name = name
        self.running = running
        self._tell = tell
        self._alone = alone
        self._tell_of = wished
        self._noted = False
        self._unwritten = 0
        self.on = False

    def begin(self, by: str) -> None:
        """Open no more tables, and tell all clients at tables. Idempotent.

        ``by`` is the asking host, "" where the act is noted already.
        """
        if self.on:
            return
        self.on, self._noted = True, False
        _log.info("draining", by=by or TOLD, running=self.running())
        self._wished("drain.begun", by)
        if self._alone():
            self._tell(BEGUN)

    def end(self, by: str) -> None:
        """Open tables again; ``by`` is who asked for it, "" as in ``begin``. Idempotent."""
        if not self.on:
            return
        self.on = False
        _log.info("no longer draining", by=by or TOLD)
        self._wished("drain.ended", by)
        if self._alone():
            self._tell(ENDED)

    def check(self) -> None:
        """Before a table is opened. Refused (OVERLOAD): none is."""
        if self.on and self._alone():
            raise Refused(Why.OVERLOAD, NO_TABLE)

    def reasons(self) -> list[str]:
        """The reasons for GameServer.not_ready."""
        return [f"draining, games that run: {self.running()}"] if self.on else []

    def look(self) -> None:
        """To be called now and then: notes in the log, once, that no game runs any more."""
        if self.on and not self._noted and not self.running():
            self._noted = True
            _log.info("drained: no game runs")

    def _wished(self, act: acts.Kind, by: str) -> None:
        """Noted in the log of acts, when the database takes it."""
        if not by:
            return
        self._tell_of(self.on)
        if self._unwritten >= UNWRITTEN:
            _log.error("an act was not noted", act=act, by=by, error=f"{UNWRITTEN} wait for the database already")
            return
        self._unwritten += 1
        made = acts.made(time.time(), by, act, self._name, running=self.running())
        self._commits.submit(noted(made), self._written_down, hold_s=HOLD_S)

    def _written_down(self, step: Append) -> None:
        self._unwritten -= 1
        if step.error is not None:
            _log.error("an act was not noted", act=step.acts[0].act, by=step.acts[0].by, error=str(step.error))
