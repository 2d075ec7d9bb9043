"""A histogram counts each value in one bucket, and is read as counts up to a bound."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest

from gateway.store.writer import BATCH_STEPS
from gateway.tally import SECONDS, SIZES, Histogram


def test_a_value_counts_for_the_first_bound_that_it_does_not_exceed() -> None:
    found = Histogram((1.0, 2.0, 4.0))
    for value in (0.5, 1.0, 1.5, 4.0, 4.1, 100.0):
        found.note(value)
    assert list(found.up_to()) == [(1.0, 2), (2.0, 3), (4.0, 4), (inf, 6)]
    assert found.count == 6
    assert found.total == pytest.approx(111.1)


def test_before_anything_is_noted_everything_is_nothing() -> None:
    assert {count for _, count in Histogram().up_to()} == {0}
    assert (Histogram().count, Histogram().total) == (0, 0.0)


def test_the_largest_transaction_has_a_bound_of_its_own() -> None:
    assert SIZES[-1] == BATCH_STEPS


def test_up_to_five_seconds_a_percentile_is_at_most_two_and_a_half_times_too_large() -> None:
    """A stored move takes from half a millisecond; at five seconds the server counts as not ready."""
    assert (SECONDS[0], 5.0 in SECONDS) == (0.0005, True)
    assert max(above / below for below, above in pairwise(SECONDS) if above <= 5.0) == 2.5


@pytest.mark.parametrize("bounds", [SECONDS, SIZES])
def test_bounds_rise(bounds: tuple[float, ...]) -> None:
    assert list(bounds) == sorted(set(bounds))
