"""The fair throttle delays expensive work and serves addresses by turns."""

from __future__ import annotations

import time

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from gateway.admission.fair_throttle import MOST_S, REST, FairThrottle, shared


async def test_nobody_waits_where_nothing_was_spent(autojump_clock: MockClock) -> None:
    begun = trio.current_time()
    for _ in range(1000):
        await FairThrottle().turn("here")
    assert trio.current_time() == begun


async def test_a_rest_of_so_many_times_what_was_spent_comes_before_the_next_turn(autojump_clock: MockClock) -> None:
    share, begun = FairThrottle(), trio.current_time()
    share.spent(0.01)
    share.spent(0.02)
    await share.turn("here")
    assert trio.current_time() == pytest.approx(begun + REST * 0.03)


async def test_a_machine_that_stood_still_costs_a_moment_and_no_more(autojump_clock: MockClock) -> None:
    share, begun = FairThrottle(), trio.current_time()
    share.spent(3600.0)
    await share.turn("here")
    assert trio.current_time() == pytest.approx(begun + REST * MOST_S)


async def test_places_take_turns_and_at_one_place_they_come_in_order(autojump_clock: MockClock) -> None:
    share, came = FairThrottle(), []

    async def comes(address: str, number: int) -> None:
        await share.turn(address)
        came.append((address, number))
        share.spent(0.001)

    share.spent(0.001)
    async with trio.open_nursery() as nursery:
        for number in range(4):
            nursery.start_soon(comes, "crowd", number)
            await wait_all_tasks_blocked()
        nursery.start_soon(comes, "alone", 0)
        await wait_all_tasks_blocked()
        nursery.start_soon(comes, "alone too", 0)
    assert came == [("crowd", 0), ("crowd", 1), ("alone", 0), ("alone too", 0), ("crowd", 2), ("crowd", 3)]


@pytest.mark.parametrize("tired", [0, 1, 2])
async def test_whoever_gives_up_waiting_holds_nobody_up(tired: int, autojump_clock: MockClock) -> None:
    share, came = FairThrottle(), []
    scopes = [trio.CancelScope() for _ in range(3)]

    async def comes(number: int) -> None:
        with scopes[number]:
            await share.turn("here")
            came.append(number)

    share.spent(0.01)
    async with trio.open_nursery() as nursery:
        for number in range(3):
            nursery.start_soon(comes, number)
            await wait_all_tasks_blocked()
        scopes[tired].cancel()
    assert came == [number for number in range(3) if number != tired]
    await share.turn("here")


async def test_work_counts_and_what_it_waits_for_does_not(autojump_clock: MockClock) -> None:
    share = FairThrottle()

    async def works() -> str:
        await trio.sleep(1000)
        time.sleep(0.01)  # noqa: ASYNC251  # it is work that is measured
        return "done"

    assert await share.timed(works()) == "done"
    begun = trio.current_time()
    await share.turn("here")
    assert REST * 0.01 <= trio.current_time() - begun <= 2 * REST * MOST_S


async def test_what_work_raises_comes_out_and_it_can_be_cancelled(autojump_clock: MockClock) -> None:
    async def fails() -> None:
        await trio.sleep(1)
        raise KeyError("lost")

    async def sleeps() -> None:
        await trio.sleep(10)

    with pytest.raises(KeyError, match="lost"):
        await FairThrottle().timed(fails())
    with trio.move_on_after(1) as scope:
        await FairThrottle().timed(sleeps())
    assert scope.cancelled_caught


async def test_there_is_one_of_a_loop() -> None:
    assert shared() is shared()
