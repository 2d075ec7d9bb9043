"""Repeated failures of an address lengthen its wait."""

from __future__ import annotations

from gateway.admission.backoff import FORGOTTEN_S, MOST_S, REMEMBERED, Backoff

FREE = 3
HOME, OTHER = "192.0.2.1", "192.0.2.2"


def failing(times: int, who: str = HOME, now: float = 0.0) -> Backoff:
    backoff = Backoff(FREE)
    for _ in range(times):
        backoff.failed(who, now)
    return backoff


def test_the_first_failures_cost_nothing() -> None:
    assert failing(FREE).wait_s(HOME, 0.0) == 0.0


def test_every_further_failure_doubles_the_wait_up_to_the_most() -> None:
    waits = [failing(FREE + further).wait_s(HOME, 0.0) for further in range(1, 9)]
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, MOST_S, MOST_S]
    assert failing(5000).wait_s(HOME, 0.0) == MOST_S


def test_the_wait_goes_by_and_nobody_else_has_it() -> None:
    backoff = failing(FREE + 3)
    assert [backoff.wait_s(HOME, now) for now in (1.0, 3.5, 4.0, 100.0)] == [3.0, 0.5, 0.0, 0.0]
    assert backoff.wait_s(OTHER, 0.0) == 0.0


def test_failures_are_forgotten_after_a_while_without_one() -> None:
    backoff = failing(FREE + 5)
    backoff.failed(HOME, FORGOTTEN_S)
    assert backoff.wait_s(HOME, FORGOTTEN_S) == 0.0
    later = failing(FREE + 5)
    later.failed(HOME, FORGOTTEN_S - 1.0)
    assert later.wait_s(HOME, FORGOTTEN_S - 1.0) == 32.0


def test_so_many_are_remembered_and_no_more() -> None:
    backoff = failing(FREE + 1)
    for number in range(REMEMBERED - 1):
        backoff.failed(f"host-{number}", 0.0)
    assert backoff.wait_s(HOME, 0.0) == 1.0
    backoff.failed("one-too-many", 0.0)
    assert backoff.wait_s(HOME, 0.0) == 0.0


def test_failures_that_were_made_count_on_when_fewer_are_free() -> None:
    backoff = failing(FREE)
    backoff.adapt(FREE - 1)
    assert backoff.wait_s(HOME, 0.0) == 1.0
    backoff.adapt(FREE)
    assert backoff.wait_s(HOME, 0.0) == 0.0
