"""A token bucket limits the rate of requests."""

from __future__ import annotations

import pytest

from gateway.admission.token_bucket import TokenBucket, TokenBuckets


def test_what_is_asked_within_the_burst_waits_for_nothing() -> None:
    allowance = TokenBucket(rate=10.0, burst=5, now=0.0)
    assert [allowance.wait_s(1, 0.0) for _ in range(5)] == [0.0] * 5


def test_beyond_the_burst_one_waits_as_long_as_the_rate_needs() -> None:
    allowance = TokenBucket(rate=10.0, burst=5, now=0.0)
    assert allowance.wait_s(7, 0.0) == pytest.approx(0.2)
    assert allowance.wait_s(1, 0.2) == pytest.approx(0.1)


def test_time_fills_the_bucket_up_to_the_burst_and_no_further() -> None:
    allowance = TokenBucket(rate=10.0, burst=5, now=0.0)
    allowance.wait_s(5, 0.0)
    assert allowance.wait_s(5, 1000.0) == 0.0
    assert allowance.wait_s(1, 1000.0) == pytest.approx(0.1)


def test_what_is_refused_takes_nothing() -> None:
    allowance = TokenBucket(rate=1.0, burst=2, now=0.0)
    assert [allowance.refuses_s(0.0) for _ in range(4)] == [0.0, 0.0, 1.0, 1.0]
    assert allowance.refuses_s(1.0) == 0.0


def test_a_rate_that_changes_gives_nothing_back() -> None:
    allowance = TokenBucket(rate=1.0, burst=10, now=0.0)
    allowance.wait_s(8, 0.0)
    allowance.adapt(rate=2.0, burst=5)
    assert [allowance.refuses_s(0.0) for _ in range(3)] == [0.0, 0.0, 0.5]
    assert allowance.full(2.5)


def test_a_burst_that_gets_smaller_holds_at_once() -> None:
    allowance = TokenBucket(rate=1.0, burst=10, now=0.0)
    allowance.adapt(rate=1.0, burst=2)
    assert [allowance.refuses_s(0.0) for _ in range(3)] == [0.0, 0.0, 1.0]


def test_buckets_of_old_and_new_keys_change_alike() -> None:
    buckets: TokenBuckets[str] = TokenBuckets(1.0, 1)
    buckets.bucket("old", 0.0).refuses_s(0.0)
    buckets.adapt(4.0, 2)
    assert [buckets.bucket("old", 0.0).refuses_s(0.0) for _ in range(2)] == [0.25, 0.25]
    assert [buckets.bucket("new", 0.0).refuses_s(0.0) for _ in range(3)] == [0.0, 0.0, 0.25]
