"""Measures the cost of storing: ``python -m tests.store.bench_writer``.

A main thread plays the part of the server's: every delivered step is answered with its table's next one, through a
socket pair, with some work and a short system call a step. Printed are events a second, what the writer's thread costs
an event (all its processor time, SQLite's and the kernel's included, but not that of PostgreSQL's own processes), what
encoding and linking cost, how long a step waits for its delivery, and what of the writer's time the preparing of
statements is, from a run that executes none.
"""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import cast

from sqlalchemy import Connection

import migrations
from bench.postgresql import NotInstalled, cluster
from gateway.store import batch, codec, records
from gateway.store.log import SqlLog
from protocols.core import events as ev
from protocols.core.model import Clock, Move, Reading

SECONDS = 4.0
AT = 1_770_000_000.25

MOVE = ev.MoveMade(
    0,
    Move(8, 17, "man"),
    1,
    "9-13",
    ((8, None), (17, "black man")),
    "b.b.b.b./.b.b.b.b/b.b.b.b./......../......../.w.w.w.w/w.w.w.w./.w.w.w.w 1 0 0",
)
TURN = ev.TurnStarted(1, Clock((Reading(300.0), Reading(298.12345)), 1, 123456.789012))


def best(work: Callable[[], object], times: int = 20_000) -> float:
    """Microseconds of one call, the best of five runs."""
    found = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times):
            work()
        found.append((time.perf_counter() - start) / times * 1e6)
    return min(found)


def first(table: int) -> records.Append:
    row = records.TableRow(table, 1, "playing", "checkers", "english", bytes(32), AT)
    return records.Append(table, 1, 0, codec.rows(codec.GENESIS, table, 0, AT, (MOVE, TURN)), opened=row)


def following(append: records.Append) -> records.Append:
    last = append.rows[-1]
    assert append.table is not None
    return records.Append(append.table, 1, last.seq, codec.rows(last.digest, append.table, last.seq, AT, (MOVE, TURN)))


class Unexecuted:
    """A connection whose every statement does at once what was expected of it."""

    class dialect:
        name = "sqlite"
        paramstyle = "qmark"

    rowcount = 0

    def exec_driver_sql(self, statement: str, values: tuple[object, ...]) -> Unexecuted:
        self.rowcount = len(values) // len(batch.Span._fields)
        return self


def prepared(steps: int) -> float:
    """Microseconds an event of a batch of so many steps before anything is executed."""
    appends = [following(first(table)) for table in range(1, steps + 1)]
    connection = cast(Connection, Unexecuted())
    return best(lambda: batch.write(connection, appends), 200) / (steps * 2)


def load(url: str, tables: int, spin_us: float) -> None:
    done: SimpleQueue[tuple[list[records.Append], float]] = SimpleQueue()

    def deliver(stored_steps: list[records.Append]) -> None:
        done.put((stored_steps, time.thread_time()))

    log = SqlLog(url, deliver)
    begun = log.last_table()
    for table in range(begun + 1, begun + tables + 1):
        log.submit(first(table))
    here, there = socket.socketpair()
    waiting, sizes, stored, waits = tables, [], 0, []
    sent: dict[int, float] = {}
    main = time.thread_time()
    start = time.perf_counter()
    spent = 0.0
    while waiting:
        steps, spent = done.get()
        now = time.perf_counter()
        waiting -= len(steps)
        sizes.append(len(steps))
        for append in steps:
            if append.error is not None:
                raise append.error
            stored += len(append.rows)
            assert append.table is not None
            if append.table in sent:
                waits.append(now - sent[append.table])
            until = time.perf_counter() + spin_us / 1e6
            while time.perf_counter() < until:
                pass
            here.send(b"move")
            there.recv(16)
            if now - start < SECONDS:
                sent[append.table] = time.perf_counter()
                log.submit(following(append))
                waiting += 1
    wall = time.perf_counter() - start
    main = time.thread_time() - main
    log.close()
    waits.sort()
    print(
        f"{tables:6} tables, {spin_us:3.0f} us of work a step: {stored / wall:9,.0f} events/s, "
        f"{sum(sizes) / len(sizes):6.1f} steps a batch; writer {spent / stored * 1e6:5.1f} us, "
        f"main {main / stored * 1e6:5.1f} us an event; wait p50 {waits[len(waits) // 2] * 1e3:5.2f} ms, "
        f"p99 {waits[len(waits) * 99 // 100] * 1e3:6.2f} ms"
    )


def databases(stack: ExitStack) -> Iterator[tuple[str, str]]:
    """SQLite and, where it is installed, a PostgreSQL with its own settings: the name and the URL of each."""
    made = {"SQLite": f"sqlite:///{Path(stack.enter_context(tempfile.TemporaryDirectory())) / 'bench.db'}"}
    try:
        made["PostgreSQL"] = stack.enter_context(cluster()).create("bench")
    except NotInstalled as missing:
        print(f"PostgreSQL is not measured: {missing}")
    for name, url in made.items():
        migrations.upgrade(url)
        yield name, url


if __name__ == "__main__":
    rows = codec.rows(codec.GENESIS, 1, 0, AT, (MOVE, TURN))
    print(
        f"encode MoveMade {best(lambda: codec.encode(MOVE)):.2f} us, TurnStarted {best(lambda: codec.encode(TURN)):.2f}"
    )
    print(f"link MoveMade {best(lambda: codec.link(codec.GENESIS, 1, 1, AT, rows[0].kind, rows[0].body)):.2f} us")
    print(f"rows of both {best(lambda: codec.rows(codec.GENESIS, 1, 0, AT, (MOVE, TURN))):.2f} us")
    print(f"preparing a batch of 50 steps {prepared(50):.2f} us an event")
    with ExitStack() as stack:
        for name, url in databases(stack):
            print(name)
            for tables in (1, 10, 100, 1000):
                for spin_us in (0, 20):
                    load(url, tables, spin_us)
