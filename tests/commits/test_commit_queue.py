"""The commit queue returns once steps are stored, and raises what the record raises."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from gateway.commits.commit_queue import RETRY_S, CommitQueue, NotStored, say_not_stored
from gateway.store.log import SqlLog
from gateway.store.records import Append, Conflict, Log, MaybeStored
from gateway.store.writer import Deliver
from tests.failing_record import Failing, Waiting
from tests.running import made_record
from tests.store.memory import MemoryLog
from tests.store.steps import later, opening


class Held:
    """A real record on disk that is given nothing before ``go`` is set: what a slow disk looks like."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.held: list[Append] = []

    def submit(self, *appends: Append) -> None:
        self.held += appends

    def go(self) -> None:
        held, self.held = self.held, []
        self.log.submit(*held)

    def __getattr__(self, name: str) -> object:
        return getattr(self.log, name)


def on_disk(folder: Path, deliver: Deliver) -> SqlLog:
    url = made_record(folder / "record.db")
    return SqlLog(url, deliver)


async def test_append_returns_after_the_commit_and_not_before(tmp_path: Path) -> None:
    commits = CommitQueue(lambda deliver: Held(on_disk(tmp_path, deliver)))  # type: ignore[arg-type,return-value]
    held = commits.log
    assert isinstance(held, Held)
    returned: list[int] = []

    async def append(step: Append) -> None:
        await commits.append(step)
        assert step.table is not None
        assert len(await commits.read(step.table)) == len(step.rows)
        returned.append(step.table)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(append, opening(1, "opened"))
        nursery.start_soon(append, opening(2, "opened"))
        with trio.fail_after(10):
            while len(held.held) < 2:  # noqa: ASYNC110  # no event is set for it
                await trio.sleep(0.001)
        assert returned == []
        assert commits.oldest_s() > 0.0
        held.go()
    assert sorted(returned) == [1, 2]
    assert commits.oldest_s() == 0.0
    held.log.close()


async def test_a_wait_for_the_disk_cannot_be_cancelled_half_way(tmp_path: Path) -> None:
    commits = CommitQueue(lambda deliver: on_disk(tmp_path, deliver))
    with trio.CancelScope() as scope:
        scope.cancel()
        await commits.append(opening(1, "opened"))
        after = trio.current_time()
    assert after > 0.0
    assert len(await commits.read(1)) == 1
    commits.log.close()


async def test_a_step_that_somebody_else_has_stored_is_a_conflict(tmp_path: Path) -> None:
    commits = CommitQueue(lambda deliver: on_disk(tmp_path, deliver))
    first = opening(1, "opened")
    await commits.append(first)
    await commits.append(later(first, "a move"))
    with pytest.raises(Conflict):
        await commits.append(later(first, "another move"))
    assert len(await commits.read(1)) == 2
    assert len(await commits.read(1, 1)) == 1
    commits.log.close()


async def test_what_is_handed_over_after_the_end_is_not_stored() -> None:
    commits = CommitQueue(MemoryLog, blocking=False)
    commits.log.close()
    with pytest.raises(NotStored, match="table 1 after 0"):
        await commits.append(opening(1, "opened"))


async def test_steps_that_come_when_the_server_has_stopped_are_one_line_however_many(
    capsys: pytest.CaptureFixture[str],
) -> None:
    commits = CommitQueue(MemoryLog, blocking=False)
    with trio.CancelScope() as tending:
        tending.cancel()
        await commits.tend()
    for table in range(1, 31):
        with pytest.raises(NotStored) as late:
            await commits.append(opening(table, "opened"))
        say_not_stored(late.value, table=table)
    commits.close()
    said = capsys.readouterr().out
    assert said.count("\n") == 1, said
    assert "info" in said
    assert "nobody was told of them" in said
    assert "steps=30" in said


@pytest.mark.parametrize("record", [Failing, Waiting])
async def test_of_a_step_that_may_be_stored_the_end_does_not_say_that_it_is_not(
    autojump_clock: MockClock, record: type[Failing | Waiting]
) -> None:
    """The connection was lost in its commit, or the database has not answered yet."""
    commits = CommitQueue(record, blocking=False)
    if isinstance(commits.log, Failing):
        commits.log.failures, commits.log.error = 1_000_000, MaybeStored("lost in its commit")
    if isinstance(commits.log, Waiting):
        commits.log.waits = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(commits.tend)
        await trio.sleep(RETRY_S)
        nursery.start_soon(_stops_soon, nursery.cancel_scope)
        with pytest.raises(MaybeStored):
            await commits.append(opening(1, "opened"))
    commits.close()


async def _stops_soon(server: trio.CancelScope) -> None:
    await trio.sleep(RETRY_S)
    server.cancel()


async def test_a_step_that_the_database_did_not_take_is_an_error_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    commits = CommitQueue(Failing, blocking=False)
    assert isinstance(commits.log, Failing)
    commits.log.failures = 1
    with pytest.raises(NotStored) as lost:
        await commits.append(opening(1, "opened"))
    say_not_stored(lost.value, table=1)
    commits.close()
    said = capsys.readouterr().out
    assert "error" in said
    assert "no space left" in said
    assert "nobody was told of them" not in said
