"""Counting connections."""

from __future__ import annotations

import pytest

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import Config, Limits


def test_a_few_more_than_the_limit_come_in_to_be_told_that_it_is_full() -> None:
    connection_limits = ConnectionLimiter(Limits(connections=20, connections_per_address=1000))
    assert all(connection_limits.take("192.0.2.1") for _ in range(20))
    assert not connection_limits.crowded
    assert all(connection_limits.take("192.0.2.1") for _ in range(16))
    assert connection_limits.crowded
    assert not connection_limits.take("192.0.2.1")
    assert connection_limits.inside == 36


def test_a_large_server_lets_a_sixteenth_more_in() -> None:
    connection_limits = ConnectionLimiter(Limits(connections=320, connections_per_address=1000))
    assert sum(connection_limits.take("192.0.2.1") for _ in range(400)) == 340


def test_a_place_that_is_given_back_is_free() -> None:
    connection_limits = ConnectionLimiter(Limits(connections=1, connections_per_address=1000))
    for _ in range(17):
        assert connection_limits.take("192.0.2.1")
    connection_limits.release("192.0.2.1")
    assert connection_limits.take("192.0.2.1")
    for _ in range(16):
        connection_limits.release("192.0.2.1")
    assert not connection_limits.crowded


def test_one_address_does_not_take_the_places_of_another() -> None:
    connection_limits = ConnectionLimiter(Limits(connections_per_address=2))
    assert [connection_limits.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert connection_limits.take("192.0.2.2")
    connection_limits.release("192.0.2.1")
    assert connection_limits.take("192.0.2.1")
    assert connection_limits.inside == 3


def test_the_addresses_of_one_home_are_one() -> None:
    connection_limits = ConnectionLimiter(Limits(connections_per_address=2))
    assert [connection_limits.take(f"2001:db8:1:2::{host}") for host in (1, 2, 3)] == [True, True, False]
    connection_limits.release("2001:db8:1:2::2")
    assert connection_limits.take("::ffff:192.0.2.1")
    assert [connection_limits.take("192.0.2.1"), connection_limits.take("192.0.2.1")] == [True, False]


def test_an_address_may_come_as_often_in_a_second_as_it_may_be_here_at_once() -> None:
    connection_limits = ConnectionLimiter(Limits(connections_per_address=3))
    assert [connection_limits.admits("192.0.2.1", 10.0 + number / 10) for number in range(5)] == [True] * 3 + [
        False
    ] * 2
    assert connection_limits.admits("192.0.2.2", 10.5)
    assert connection_limits.admits("192.0.2.1", 11.0)
    assert connection_limits.inside == 0, "an admitted address is not inside yet"


def test_who_has_all_its_places_is_not_admitted_however_seldom_it_comes() -> None:
    connection_limits = ConnectionLimiter(Limits(connections_per_address=2))
    assert connection_limits.take("192.0.2.1")
    assert connection_limits.take("192.0.2.1")
    assert not connection_limits.admits("192.0.2.1", 1.0)
    connection_limits.release("192.0.2.1")
    assert connection_limits.admits("192.0.2.1", 1.0)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.3.4", "::1", "::ffff:127.0.0.1"])
def test_loopback_may_come_as_often_as_it_likes_while_it_has_places(address: str) -> None:
    connection_limits = ConnectionLimiter(Limits(connections_per_address=2))
    assert all(connection_limits.admits(address, 10.0) for _ in range(50))
    assert [connection_limits.take(address) for _ in range(2)] == [True, True]
    assert not connection_limits.admits(address, 10.0)


def test_connections_without_a_name_yet_count_among_all_and_for_no_address() -> None:
    connection_limits = ConnectionLimiter(Limits(connections=2, connections_per_address=1), spare=0)
    assert [connection_limits.take_unnamed() for _ in range(3)] == [True, True, False]
    assert not connection_limits.take("192.0.2.1")
    connection_limits.release_unnamed()
    assert (connection_limits.take("192.0.2.1"), connection_limits.inside) == (True, 2)


def test_a_connection_that_another_process_has_admitted_counts_and_needs_no_place_of_its_address() -> None:
    limits = Limits(connections=1, connections_per_address=2)
    connection_limits = ConnectionLimiter(limits, {"192.0.2.9": "spam"}.get, spare=3)  # type: ignore[arg-type]
    assert [connection_limits.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert connection_limits.take("192.0.2.1", admitted=True)
    assert not connection_limits.take("192.0.2.9", admitted=True)
    assert connection_limits.take("192.0.2.1", admitted=True)
    assert not connection_limits.take("192.0.2.1", admitted=True)
    assert connection_limits.inside == 4


def test_who_is_inside_stays_and_counts_when_the_limits_get_lower_and_comes_in_when_they_get_higher() -> None:
    limits = ConnectionLimiter(Limits(connections=100, connections_per_address=50))
    assert sum(limits.take("192.0.2.1") for _ in range(60)) == 50
    limits.reread(Config(limits=Limits(connections=20, connections_per_address=40)))
    assert (limits.inside, limits.crowded) == (50, True)
    assert not limits.take("192.0.2.1")
    assert not limits.take("192.0.2.2")
    limits.reread(Config(limits=Limits(connections=1000, connections_per_address=51)))
    assert sum(limits.take("192.0.2.1") for _ in range(60)) == 1
    assert sum(limits.take(f"10.0.{number >> 8}.{number & 255}") for number in range(2000)) == 1000 + 62 - 51
