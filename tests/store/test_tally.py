"""The writer counts each transaction once, by its result."""

from __future__ import annotations

import threading

from gateway.store.log import SqlLog
from gateway.store.records import Append
from tests.store.steps import opening

WAIT_S = 20.0


def test_every_transaction_is_counted_with_its_time_and_its_steps(url: str) -> None:
    busy, free = threading.Event(), threading.Event()

    def deliver(batch: list[Append]) -> None:
        busy.set()
        assert free.wait(WAIT_S)

    log = SqlLog(url, deliver)
    log.submit(opening(1, "a"))
    assert busy.wait(WAIT_S)
    for table in range(2, 102):
        log.submit(opening(table, "a"))
    free.set()
    log.close()
    assert (log.tally.steps.count, log.tally.steps.total) == (2, 101.0)
    assert log.tally.commit_s.count == 2
    assert 0.0 < log.tally.commit_s.total < WAIT_S
    assert log.tally.failed == 0


def test_a_transaction_that_came_to_nothing_is_counted_and_its_time_is_not(url: str) -> None:
    log = SqlLog(url, lambda batch: None)
    log.submit(opening(1, "a"), opening(2, "a"), opening(1, "b"))
    log.close()
    assert log.tally.failed == 2  # all together, then the guilty one alone
    assert (log.tally.steps.count, log.tally.steps.total) == (2, 2.0)
