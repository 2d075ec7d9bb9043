"""A batch of many steps stores what each of them alone would store, and only the guilty of them fail."""

from __future__ import annotations

import random
import time

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import DataError

from gateway.store import batch, writer
from gateway.store.log import SqlLog
from gateway.store.records import Append, Conflict, EventRow
from tests import peers
from tests.store.conftest import PATIENCE_S, Desk, connected, hosted
from tests.store.steps import AT, later, opening, words

MANY = 40
"""Steps enough for several statements on SQLite."""

TEXTS = (
    "",
    "NULL",
    "null",
    "{}",
    '{"a",b}',
    '"',
    "\\",
    "\\x41",
    "'; --",
    "%s %b %%",
    "\t\n\r\x01\x7f",
    " blanks ",
    "(,)",
)
LETTERS = "aZ09,;{}[]()\"'\\%$ \n\x01äß€Ωжא中文\u2003\u200b\ufeff\U0001f600\U0010ffff"
TIMES = (AT, 0.0, 0.1, -1.5, 5e-324, 1.7976931348623157e308, 1_770_000_000.123457, 2.0**53)


def rows_of(connection_url: str) -> dict[int, list[tuple[object, ...]]]:
    """Every event as the database has it, by table."""
    found: dict[int, list[tuple[object, ...]]] = {}
    with connected(connection_url) as connection:
        asked = "SELECT table_id, seq, at, kind, body, digest, served FROM events ORDER BY table_id, seq"
        for table, *rest in connection.exec_driver_sql(asked):
            found.setdefault(table, []).append(tuple(rest))
    return found


def values(step: Append) -> list[tuple[object, ...]]:
    return [(row.seq, row.at, row.kind, row.body, row.digest, row.served) for row in step.rows]


def at_once(desk: Desk, *steps: Append) -> list[BaseException | None]:
    """Store these steps as one batch; their errors."""
    desk.log.submit(*steps)
    assert len(desk.batches.get(timeout=PATIENCE_S)) == len(steps)
    return [step.error for step in steps]


def all_at_once(desk: Desk, *steps: Append) -> None:
    """Store these steps in one transaction, at the first try."""
    assert at_once(desk, *steps) == [None] * len(steps)
    assert desk.log.tally.failed == 0


def with_body(step: Append, body: str) -> Append:
    """The step with another body in its last row."""
    *before, last = step.rows
    step.rows = (*before, EventRow(last.seq, last.at, last.kind, body, last.digest))
    return step


def drawn(chance: random.Random, table: int, count: int) -> Append:
    """The opening of a table with rows of any contents."""

    def text() -> str:
        if chance.random() < 0.3:
            return chance.choice(TEXTS)
        return "".join(chance.choices(LETTERS, k=chance.choice((1, 7, 40, 3000))))

    step = opening(table)
    step.rows = tuple(
        EventRow(
            *(seq, chance.choice(TIMES), text(), text(), chance.randbytes(chance.choice((0, 1, 32)))),
            chance.choice((0, (7 << 40) + 5, (1 << 63) - 1)),
        )
        for seq in range(1, count + 1)
    )
    return step


@pytest.mark.parametrize("seed", range(6))
def test_a_batch_is_stored_to_the_last_byte(sql: Desk, url: str, seed: int) -> None:
    chance = random.Random(seed)
    steps, table = [], 0
    for _ in range(chance.choice((8, 9, 150, batch.STATEMENT_ROWS, 700))):
        table += chance.choice((1, 1, 1, 40_000, 3_000_000_000))
        steps.append(drawn(chance, table, chance.choice((0, 1, 1, 1, 3))))
    all_at_once(sql, *steps)
    assert rows_of(url) == {step.table: values(step) for step in steps if step.rows}


def test_a_batch_of_any_size_is_stored_whole(sql: Desk) -> None:
    table = 0
    for size in (*range(1, 24), batch.STATEMENT_ROWS - 1, batch.STATEMENT_ROWS, batch.STATEMENT_ROWS + 1):
        steps = [opening(table + number, "a") for number in range(1, size + 1)]
        table += size
        more = [later(step, "b", "c") for step in steps]
        all_at_once(sql, *steps, *more)
        assert {len(loaded.rows) for loaded in sql.log.load([step.table for step in steps if step.table])} == {3}
    assert sql.log.last_table() == table


def test_steps_of_one_table_in_one_batch_follow_each_other(sql: Desk) -> None:
    steps = [opening(1, "0")]
    for number in range(1, MANY):
        steps.append(later(steps[-1], str(number)))
    all_at_once(sql, *steps)
    assert words(sql.log.read(1)) == [str(number) for number in range(MANY)]


def test_steps_without_events_prove_their_epoch_as_others_do(sql: Desk) -> None:
    first = [opening(table, "a") for table in range(1, MANY + 1)]
    at_once(sql, *first)
    silent = [later(step, status="playing") for step in first]
    silent[7] = later(first[7], status="playing", epoch=2)
    silent[8] = later(later(first[8], "never stored"), status="playing")
    errors = at_once(sql, *silent)
    assert [table for table, error in enumerate(errors, 1) if error is not None] == [8, 9]
    assert isinstance(errors[7], Conflict)
    assert str(errors[7]) == "table 8 stands at event 1 of epoch 1, not at 1 of 2"
    assert str(errors[8]) == "table 9 stands at event 1 of epoch 1, not at 2 of 1"


def test_large_bodies_share_a_batch(sql: Desk, url: str) -> None:
    steps = [with_body(opening(table, "a"), chr(0x4E00 + table) * 1_000_000) for table in range(1, 13)]
    all_at_once(sql, *steps)
    assert rows_of(url) == {step.table: values(step) for step in steps}


def test_a_time_in_whole_seconds_is_stored_beside_others(sql: Desk, url: str) -> None:
    """A list of whole numbers and others has no type of its own in PostgreSQL."""
    steps = [opening(table, "a") for table in range(1, MANY + 1)]
    (row,) = steps[3].rows
    steps[3].rows = (EventRow(row.seq, 1_770_000_001, row.kind, row.body, row.digest),)
    all_at_once(sql, *steps)
    assert rows_of(url)[4][0][1] == 1_770_000_001.0


@pytest.mark.parametrize("after", ["epoch", "seq", "unknown table"])
def test_a_conflict_in_the_middle_of_a_batch_fails_its_own_step_only(sql: Desk, after: str) -> None:
    first = [opening(table, "a") for table in range(1, MANY + 1)]
    at_once(sql, *first)
    steps = [later(step, "b") for step in first]
    if after == "epoch":
        steps[20] = later(first[20], "b", epoch=2)
    elif after == "seq":
        assert sql.store(later(first[20], "written by another")) == [None]
    else:
        steps[20] = later(opening(999, "never stored"), "b")
    errors = at_once(sql, *steps)
    assert [number for number, error in enumerate(errors) if error is not None] == [20]
    assert type(errors[20]) is Conflict
    assert {len(loaded.rows) for loaded in sql.log.load(range(1, MANY + 1)) if loaded.row.table != 21} == {2}


def test_a_table_that_another_has_opened_fails_its_own_step_only(sql: Desk) -> None:
    sql.store(opening(30, "there already"))
    errors = at_once(sql, *(opening(table, "a", "b") for table in range(1, MANY + 1)))
    assert [table for table, error in enumerate(errors, 1) if error is not None] == [30]
    assert type(errors[29]) is Conflict
    assert words(sql.log.read(30)) == ["there already"]
    assert words(sql.log.read(40)) == ["a", "b"]


def test_a_long_step_that_comes_too_late_is_told_where_its_table_stands(sql: Desk) -> None:
    first = opening(1, "a")
    at_once(sql, first, later(first, "b"))
    (error,) = at_once(sql, later(first, *["c"] * MANY))
    assert str(error) == "table 1 stands at event 2 of epoch 1, not at 1 of 1"


@peers.needed
def test_a_batch_waits_for_a_claim_and_fails_the_steps_of_the_table_that_it_took(
    request: pytest.FixtureRequest,
) -> None:
    with hosted(request) as url:
        desk = Desk(lambda deliver: SqlLog(url, deliver))
        first = [opening(table, "a") for table in range(1, MANY + 1)]
        at_once(desk, *first)
        steps = [later(step, "b") for step in first]
        with connected(url) as other, connected(url) as watch:
            with other.begin():
                other.exec_driver_sql("UPDATE tables SET epoch = 2 WHERE id = 21")
                desk.log.submit(*steps)
                until = time.monotonic() + PATIENCE_S
                while not waits_for_a_lock(watch):
                    assert time.monotonic() < until
            desk.batches.get(timeout=PATIENCE_S)
        assert [type(step.error) for step in steps if step.error is not None] == [Conflict]
        assert str(steps[20].error) == "table 21 stands at event 1 of epoch 2, not at 1 of 1"
        assert {table: len(rows) for table, rows in rows_of(url).items() if table != 21} == {
            step.table: 2 for step in steps if step is not steps[20]
        }
        assert len(rows_of(url)[21]) == 1
        desk.log.close()


def waits_for_a_lock(connection: Connection) -> bool:
    with connection.begin():
        asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        return bool(connection.exec_driver_sql(asked).scalar())


@pytest.mark.parametrize("steps", [3, MANY])
def test_half_a_character_fails_its_own_step_only(sql: Desk, steps: int) -> None:
    batch_ = [opening(table, "a") for table in range(1, steps + 1)]
    with_body(batch_[1], "half a character: \ud800")
    errors = at_once(sql, *batch_)
    assert [type(error) for error in errors if error is not None] == [UnicodeEncodeError]
    assert errors[1] is not None
    assert words(sql.log.read(steps)) == ["a"]


@peers.needed
@pytest.mark.parametrize(("steps", "rows"), [(3, 1), (MANY, 1), (3, MANY)])
def test_a_nul_fails_its_own_step_only_and_is_no_trouble_of_the_database(
    request: pytest.FixtureRequest, steps: int, rows: int
) -> None:
    """PostgreSQL's texts hold every character but this one."""
    with hosted(request) as url:
        desk = Desk(lambda deliver: SqlLog(url, deliver))
        batch_ = [opening(table, *["a"] * rows) for table in range(1, steps + 1)]
        with_body(batch_[1], "before \0 behind")
        errors = at_once(desk, *batch_)
        assert [type(error) for error in errors if error is not None] == [DataError]
        assert errors[1] is not None
        assert not writer.database_trouble(errors[1])
        assert "behind" not in str(errors[1])
        assert {table: len(found) for table, found in rows_of(url).items()} == {
            step.table: rows for step in batch_ if step is not batch_[1]
        }
        desk.log.close()


@peers.needed
def test_one_text_serves_batches_of_every_size(request: pytest.FixtureRequest) -> None:
    texts: set[str] = set()
    with hosted(request) as url, connected(url) as connection:
        steps = [opening(table, "a") for table in range(1, 101)]
        with connection.begin():
            batch.write(connection, steps)
        event.listen(connection, "before_cursor_execute", lambda *told: texts.add(told[2]))
        for size in range(1, 101):
            steps[:size] = [later(step, "b") for step in steps[:size]]
            with connection.begin():
                batch.write(connection, steps[:size])
    assert len(texts) == 1
