"""The writer thread: the steps that gathered during one transaction form the next.

What it promises:

* a step is handed to ``deliver`` after its commit returned, never before;
* steps are stored in the order they were submitted;
* a batch that fails is stored again step by step, so that only the guilty fail, each with its own error; all that is
  left of it fails together when the database itself is the cause (locked, full, gone);
* nothing a step or the database does ends the thread: an error is the step's, an error of ``deliver`` is raised by
  ``close``.

When a remote database fails during a commit, it is unknown whether it took effect: such a step is MaybeStored until it
was handed in again and the database has answered. What is there already is found there, and not stored twice. SQLite's
own commit that fails took no effect, but for one whose last write may have reached the disk (UNSURE).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter
from typing import Final, TypeAlias

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError

from gateway.store import batch
from gateway.store.records import Append, Conflict, MaybeStored
from gateway.store.wrong_server import is_wrong_server
from gateway.tally import StoreTally

Deliver: TypeAlias = Callable[[list[Append]], None]
"""Called in the writer's thread, once a batch, with each step's ``error`` set. Must not block."""

BATCH_STEPS: Final = 512
"""Steps after which a transaction takes no more in. A step waits for the whole batch it is in: some ten
milliseconds at this size, and the fixed cost of a commit is already below a microsecond a step."""

CLOSE_S: Final = 2.0
"""Time that ``close`` waits for one batch: no client was told of it, and a server that stops is not to wait for a
database that has fallen silent."""

UNSURE: Final = frozenset({"SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC"})
"""SQLite's errors after all of a commit was written: a crash may find it on the disk. Any other error of its COMMIT, a
full disk's above all, leaves the transaction incomplete, and SQLite rolls it back. Source: sqlite.org/rescode.html."""

ERROR: Final = "ERROR"
"""PostgreSQL's severity of what ends a transaction alone: FATAL ends the session, and PANIC the server, at whatever
moment of a commit."""

_TROUBLE: Final = (MaybeStored, OperationalError, InterfaceError, InternalError, OSError)


def database_trouble(error: BaseException | None) -> bool:
    """True if the database is the cause (gone, locked, full, read-only), and not what it was to store."""
    return isinstance(error, _TROUBLE) or is_wrong_server(error)


class Writer:
    """The queue, the thread and its connection. The queue holds at most one step a waiting table, so it has no cap."""

    def __init__(self, engine: Engine, deliver: Deliver, tally: StoreTally) -> None:
        """Connects at once, so that a database that cannot be opened is an error here and not a dead thread."""
        self._deliver = deliver
        self._tally = tally
        self._connection: Connection = engine.connect()
        self._commits_alone = engine.dialect.name == "postgresql"  # see record_engine
        self._queue: SimpleQueue[tuple[Append, ...] | None] = SimpleQueue()
        self._defect: Exception | None = None
        self._batches = 0
        self._closing = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name="record writer", daemon=True)
        self._thread.start()

    def submit(self, *appends: Append) -> None:
        """Queue steps; never blocks. RuntimeError after ``close``."""
        if self._closed:
            raise RuntimeError(f"the record is closed: nothing more of table {appends[0].table} can be stored")
        self._queue.put(appends)

    def close(self) -> None:
        """Store what is queued, then stop. Idempotent. Raises what ``deliver`` raised first, if it ever did.

        TimeoutError when a batch was not stored within CLOSE_S.
        """
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
            before = -1
            while self._thread.is_alive() and before != self._batches:
                before = self._batches
                self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            raise TimeoutError(f"the database has not answered within {CLOSE_S:g} s: what nobody was told of is lost")
        if self._defect is not None:
            raise self._defect

    def _run(self) -> None:
        queue = self._queue
        first = queue.get()
        while first is not None:
            gathered = list(first)
            while len(gathered) < BATCH_STEPS and not queue.empty():
                more = queue.get()
                if more is None:
                    queue.put(None)
                    break
                gathered += more
            self._store(gathered)
            self._tell(gathered)
            self._batches += 1
            first = queue.get()
        self._connection.close()

    def _store(self, gathered: list[Append]) -> None:
        """Set every step's error: all in one transaction, else each in its own.

        Once the database itself refuses a single step there is no sense in waiting for it with each of the others.
        """
        error = self._commit(gathered)
        unsure = isinstance(error, MaybeStored)
        alone = error is not None and len(gathered) > 1
        for append in gathered:
            if alone:
                error = self._commit([append])
                alone = not database_trouble(error)
            doubt = database_trouble(error) and (unsure or isinstance(append.error, MaybeStored))
            append.error = _maybe_stored(error) if doubt else error

    def _commit(self, steps: Sequence[Append]) -> Exception | None:
        plain, begun = batch.is_plain(steps), perf_counter()
        write, committing = batch.write_events if plain else batch.write, plain and self._commits_alone
        try:
            with self._connection.begin():
                if self._commits_alone and not committing:
                    self._connection.exec_driver_sql("BEGIN")
                write(self._connection, steps)
                committing = True
        except Conflict as conflict:
            self._tally.failed += 1
            return self._found(steps[0], conflict) if len(steps) == 1 else conflict
        except Exception as error:  # it is the answer to these steps; the thread serves all the others
            self._tally.failed += 1
            return _maybe_stored(error) if committing and _may_have_taken_effect(error) else error
        self._tally.stored(perf_counter() - begun, len(steps))
        return None

    def _found(self, step: Append, conflict: Conflict) -> Exception | None:
        """None where the step is in the way of itself: it was stored before, and its answer was lost.

        A conflict that says where the step's table stands, where that is why.
        """
        try:
            with self._connection.begin():
                return None if batch.ends_with(self._connection, step) else conflict
        except Exception as error:  # as above
            return error

    def _tell(self, gathered: list[Append]) -> None:
        try:
            self._deliver(gathered)
        except Exception as error:  # a defect of the listener must not stop the storing of what others submit
            self._defect = self._defect or error


def _may_have_taken_effect(error: Exception) -> bool:
    """True if a commit that ended so may be in the database all the same.

    PostgreSQL that answers with an ERROR has taken everything back.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return cause.sqlite_errorname in UNSURE
    said = getattr(cause, "diag", None)
    return database_trouble(error) and (said is None or said.severity_nonlocalized != ERROR)


def _maybe_stored(error: Exception | None) -> MaybeStored:
    if isinstance(error, MaybeStored):
        return error
    unsure = MaybeStored(str(error))
    unsure.__cause__ = error
    return unsure
