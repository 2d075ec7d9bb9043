"""The writer thread commits before it delivers, groups waiting steps, and handles every kind of failure."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, make_url
from sqlalchemy.exc import OperationalError

from gateway.store import engine, writer
from gateway.store.log import SqlLog
from gateway.store.records import Append, MaybeStored, SeatRow
from tests import peers
from tests.store.conftest import Desk, connected, hosted, sqlite
from tests.store.steps import later, opening, words


@pytest.fixture
def file(tmp_path: Path) -> str:
    return sqlite(tmp_path)


def stored(url: str) -> set[tuple[int, int]]:
    """(table, seq) of every event, read by a connection that knows nothing of ours."""
    plain = create_engine(url)
    try:
        with plain.connect() as connection:
            found = connection.exec_driver_sql("SELECT table_id, seq FROM events")
            return {(table, seq) for table, seq in found}
    finally:
        plain.dispose()


def test_what_is_delivered_is_in_the_database_already(url: str) -> None:
    seen: list[bool] = []

    def deliver(batch: list[Append]) -> None:
        there = stored(url)
        seen.extend((append.table, row.seq) in there for append in batch for row in append.rows)

    log = SqlLog(url, deliver)
    for table in range(1, 40):
        log.submit(opening(table, "a", "b"))
    log.close()
    assert seen == [True] * 78


def batches_of(url: str, count: int, names: str) -> list[int]:
    """The sizes of the batches of one step, and of ``count`` steps handed in while that one was stored."""
    busy, free = threading.Event(), threading.Event()
    batches: list[int] = []

    def deliver(batch: list[Append]) -> None:
        batches.append(len(batch))
        busy.set()
        assert free.wait(20)

    log = SqlLog(url, deliver)
    log.submit(opening(1, "a"))
    assert busy.wait(20)
    for table in range(2, 2 + count):
        log.submit(opening(table, *names))
    free.set()
    log.close()
    assert len(stored(url)) == 1 + count * len(names)
    return batches


def test_what_gathers_while_the_writer_is_busy_is_one_batch(url: str) -> None:
    assert batches_of(url, 100, "a") == [1, 100]


def test_a_batch_has_a_greatest_size(url: str) -> None:
    assert batches_of(url, writer.BATCH_STEPS + 10, "abcd") == [1, writer.BATCH_STEPS, 10]


def test_close_stores_what_is_queued(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CLOSE_S", 60.0)  # a busy machine connects to a database in seconds
    log = SqlLog(url, lambda batch: None)
    for table in range(1, 301):
        log.submit(opening(table, "a"))
    log.close()
    assert len(stored(url)) == 300


def test_a_value_that_the_database_cannot_hold_fails_its_own_step_only(url: str) -> None:
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    bad = opening(2, "a", seats=[SeatRow(0, 3, "half a character: \ud800")])
    errors = desk.store(opening(1, "a"), bad, opening(3, "a"))
    desk.log.close()
    assert [type(error) for error in errors] == [type(None), UnicodeEncodeError, type(None)]
    assert stored(url) == {(1, 1), (3, 1)}


def test_a_locked_database_fails_the_steps_and_the_next_ones_are_stored(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.store.engine.BUSY_S", 0.01)
    desk = Desk(lambda deliver: SqlLog(file, deliver))
    first = opening(1, "a")
    desk.store(first)
    other = sqlite3.connect(make_url(file).database or "", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    errors = desk.store(later(first, "b"), opening(2, "a"), opening(3, "a"))
    assert [type(error) for error in errors] == [OperationalError] * 3
    assert all("locked" in str(error) for error in errors)
    other.execute("ROLLBACK")
    other.close()
    assert desk.store(later(first, "b"), opening(2, "a")) == [None, None]
    desk.log.close()
    assert stored(file) == {(1, 1), (1, 2), (2, 1)}


@contextmanager
def pages_at_most(pages: int) -> Iterator[None]:
    """Every connection made inside finds the disk full beyond so many pages."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(Engine, "connect", limit)
    try:
        yield
    finally:
        event.remove(Engine, "connect", limit)


def test_a_full_disk_loses_nothing_that_was_delivered_as_stored(file: str) -> None:
    with pages_at_most(60):
        desk = Desk(lambda deliver: SqlLog(file, deliver))
        steps = [opening(table, "x" * 1000) for table in range(1, 401)]
        errors = desk.store(*steps)
        desk.log.close()
    good = {step.table for step, error in zip(steps, errors, strict=True) if error is None}
    assert 0 < len(good) < 400
    assert all("full" in str(error) for error in errors if error is not None)
    assert {table for table, _ in stored(file)} == good


def test_an_error_shows_no_secret(file: str) -> None:
    with pages_at_most(20):
        desk = Desk(lambda deliver: SqlLog(file, deliver))
        (error,) = desk.store(opening(1, "x" * 100_000))
        desk.log.close()
    assert "full" in str(error)
    assert "\\x1f" not in str(error)  # the last byte of the table's secret


def test_a_row_that_the_database_refuses_is_not_shown_in_the_error(url: str) -> None:
    """PostgreSQL would tell all of it, the secret of the dice included."""
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    step = opening(1, "a")
    assert step.opened is not None
    step.opened = replace(step.opened, status="nonsense")
    (error,) = desk.store(step)
    desk.log.close()
    assert "constraint" in str(error).lower()
    assert "0c0d0e0f" not in str(error)


def test_a_broken_listener_stops_no_storing_and_close_tells_of_it(url: str) -> None:
    told = threading.Event()

    def deliver(batch: list[Append]) -> None:
        told.set()
        raise LookupError(f"nobody waits for table {batch[0].table}")

    log = SqlLog(url, deliver)
    log.submit(opening(1, "a"))
    assert told.wait(20)
    log.submit(opening(2, "a"))
    with pytest.raises(LookupError, match="nobody waits for table 1"):
        log.close()
    log.close()
    assert stored(url) == {(1, 1), (2, 1)}


def test_readers_in_many_threads_see_every_delivered_step(url: str) -> None:
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    step, wrong = opening(1, "0"), []
    desk.store(step)

    def look(count: int) -> None:
        if words(desk.log.read(1)) != [str(number) for number in range(count)]:
            wrong.append(count)

    for number in range(1, 20):
        step = later(step, str(number))
        desk.store(step)
        readers = [threading.Thread(target=look, args=[number + 1]) for _ in range(4)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
    desk.log.close()
    assert wrong == []


@peers.needed
def test_a_locked_row_fails_the_steps_that_need_it_and_they_are_stored_once_it_is_free(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL's counterpart of a locked file: another transaction holds a table's row."""
    monkeypatch.setitem(engine.REACH, "options", "-c lock_timeout=50ms")
    with hosted(request) as url:
        desk = Desk(lambda deliver: SqlLog(url, deliver))
        first = opening(1, "a")
        desk.store(first, opening(2, "a"))
        with connected(url) as other, other.begin():
            other.exec_driver_sql("SELECT * FROM tables WHERE id = 1 FOR UPDATE")
            (error,) = desk.store(later(first, "b"))
            assert writer.database_trouble(error)
            assert not isinstance(error, MaybeStored)
            assert "lock timeout" in str(error)
        assert desk.store(later(first, "b")) == [None]
        desk.log.close()


def test_what_a_step_holds_or_follows_is_no_trouble_of_the_database(url: str) -> None:
    desk = Desk(lambda deliver: SqlLog(url, deliver))
    bad = opening(1, "a", seats=[SeatRow(0, 3, "half a character: \ud800")])
    conflicting = later(opening(9, "never stored"), "x")
    assert [writer.database_trouble(error) for error in desk.store(bad, conflicting)] == [False, False]
    desk.log.close()
