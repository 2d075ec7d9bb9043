"""Admission slows the addresses that break a protocol again and again, and no others."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from gateway.admission.admission import BROKEN_BURST, BROKEN_PER_SECOND, LATEST_S, Admission
from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Limits
from gateway.metrics import PROTOCOL, Metrics
from gateway.net.log_limiter import LogLimiter

HOST, NEIGHBOUR = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def admission() -> Admission:
    return Admission(ConnectionLimiter(Limits()), Metrics(), LogLimiter(), lambda: True)


def breaks(admission: Admission, count: int, address: str = HOST, dialect: str = "miniature") -> None:
    for _ in range(count):
        admission.broken(dialect, address, "no word of it")


async def test_a_few_broken_conversations_slow_nobody(admission: Admission, autojump_clock: MockClock) -> None:
    breaks(admission, BROKEN_BURST)
    assert admission.late_s("miniature", HOST) == 0.0


async def test_who_breaks_a_protocol_again_and_again_waits_longer_each_time_and_8_seconds_at_most(
    admission: Admission, autojump_clock: MockClock
) -> None:
    breaks(admission, BROKEN_BURST)
    waits = []
    for _ in range(20):
        breaks(admission, 1)
        waits.append(admission.late_s("miniature", HOST))
    assert waits[:4] == [0.5, 1.0, 1.5, 2.0]
    assert waits == sorted(waits)
    assert max(waits) == LATEST_S


async def test_other_addresses_and_other_protocols_wait_for_nothing(
    admission: Admission, autojump_clock: MockClock
) -> None:
    breaks(admission, 100)
    assert admission.late_s("miniature", NEIGHBOUR) == 0.0
    assert admission.late_s("bogaprot", HOST) == 0.0
    assert admission.admits(HOST), "it is slowed, and not refused"


async def test_the_addresses_of_one_home_wait_together(admission: Admission, autojump_clock: MockClock) -> None:
    breaks(admission, 100, "2001:db8:1:2::1")
    assert admission.late_s("miniature", "2001:db8:1:2::ffff") == LATEST_S
    assert admission.late_s("miniature", "2001:db8:1:3::1") == 0.0


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.3.4", "::1", "::ffff:127.0.0.1"])
async def test_loopback_never_waits(address: str, admission: Admission, autojump_clock: MockClock) -> None:
    breaks(admission, 1000, address)
    assert admission.late_s("miniature", address) == 0.0
    assert admission._metrics.closed[PROTOCOL] == 1000


async def test_nobody_waits_any_more_8_seconds_after_the_last_one_and_nothing_is_remembered_after_another_8(
    admission: Admission, autojump_clock: MockClock
) -> None:
    breaks(admission, 1000)
    await trio.sleep(LATEST_S / 2)
    assert admission.late_s("miniature", HOST) == pytest.approx(LATEST_S / 2)
    await trio.sleep(LATEST_S / 2)
    assert admission.late_s("miniature", HOST) == 0.0
    await trio.sleep(BROKEN_BURST / BROKEN_PER_SECOND)
    admission.forget(trio.current_time())
    assert admission._broken.known(("miniature", HOST)) is None


async def test_a_program_that_calls_again_a_second_after_each_is_never_slowed(
    admission: Admission, autojump_clock: MockClock
) -> None:
    for _ in range(100):
        assert admission.late_s("miniature", HOST) == 0.0
        breaks(admission, 1)
        await trio.sleep(1.0)
