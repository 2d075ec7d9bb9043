"""Storage limits: what an address may add to the record in any minute."""

from __future__ import annotations

from itertools import accumulate

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from gateway.admission.table_limits import MINUTE_S, StorageLimits
from gateway.config import Limits
from protocols.core.errors import Refused, Why

MOST = 6_000


def refused(limits: StorageLimits, address: str) -> bool:
    try:
        limits.check(address)
    except Refused as refusal:
        return refusal.why is Why.TOO_FAST
    return False


@given(st.lists(st.tuples(st.floats(0.0, 20.0), st.integers(1, 900)), max_size=60))
def test_no_minute_has_more_than_all_of_its_bytes_and_one_step(steps: list[tuple[float, int]]) -> None:
    async def play() -> list[tuple[float, int]]:
        limits, stored = StorageLimits(Limits(stored_per_minute=MOST)), []
        for wait_s, size in steps:
            await trio.sleep(wait_s)
            if not refused(limits, "192.0.2.1"):
                limits.charge("192.0.2.1", size)
                stored.append((trio.current_time(), size))
        return stored

    stored = trio.run(play, clock=MockClock(autojump_threshold=0.0))
    for end, _ in stored:
        minute = [size for at, size in stored if end - MINUTE_S < at <= end]
        assert max(accumulate(minute)) <= MOST + max(minute)


async def test_a_refusal_says_when_and_then_it_is_so(autojump_clock: MockClock) -> None:
    limits = StorageLimits(Limits(stored_per_minute=MOST))
    limits.charge("192.0.2.1", MOST // 2 + 100)
    with pytest.raises(Refused, match=r"^too much of your address is stored just now; try again in 2 s$"):
        limits.check("192.0.2.1")
    await trio.sleep(2.0)
    limits.check("192.0.2.1")


async def test_the_addresses_of_one_home_are_one_and_others_notice_nothing() -> None:
    limits = StorageLimits(Limits(stored_per_minute=MOST))
    limits.charge("2001:db8::1", MOST)
    assert refused(limits, "2001:db8::2")
    assert not refused(limits, "2001:db8:0:1::1")
