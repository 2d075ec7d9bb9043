"""Counting connections."""

from __future__ import annotations

from gateway.config import Limits
from gateway.server.limits import SPOILT, Doors


def test_a_few_more_than_the_limit_come_in_to_be_told_that_it_is_full() -> None:
    doors = Doors(Limits(connections=20, connections_per_address=1000))
    assert all(doors.take("192.0.2.1") for _ in range(20))
    assert not doors.crowded
    assert all(doors.take("192.0.2.1") for _ in range(16))
    assert doors.crowded
    assert not doors.take("192.0.2.1")
    assert doors.inside == 36


def test_a_large_server_lets_a_sixteenth_more_in() -> None:
    doors = Doors(Limits(connections=320, connections_per_address=1000))
    assert sum(doors.take("192.0.2.1") for _ in range(400)) == 340


def test_a_place_that_is_given_back_is_free() -> None:
    doors = Doors(Limits(connections=1, connections_per_address=1000))
    for _ in range(17):
        assert doors.take("192.0.2.1")
    doors.release("192.0.2.1")
    assert doors.take("192.0.2.1")
    for _ in range(16):
        doors.release("192.0.2.1")
    assert not doors.crowded


def test_one_address_does_not_take_the_places_of_another() -> None:
    doors = Doors(Limits(connections_per_address=2))
    assert [doors.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert doors.take("192.0.2.2")
    doors.release("192.0.2.1")
    assert doors.take("192.0.2.1")
    assert doors.inside == 3


def test_the_addresses_of_one_home_are_one() -> None:
    doors = Doors(Limits(connections_per_address=2))
    assert [doors.take(f"2001:db8:1:2::{host}") for host in (1, 2, 3)] == [True, True, False]
    doors.release("2001:db8:1:2::2")
    assert doors.take("::ffff:192.0.2.1")
    assert [doors.take("192.0.2.1"), doors.take("192.0.2.1")] == [True, False]


def test_an_address_may_come_as_often_in_a_second_as_it_may_be_here_at_once() -> None:
    doors = Doors(Limits(connections_per_address=3))
    assert [doors.admits("192.0.2.1", 10.0 + number / 10) for number in range(5)] == [True] * 3 + [False] * 2
    assert doors.admits("192.0.2.2", 10.5)
    assert doors.admits("192.0.2.1", 11.0)
    assert doors.inside == 0, "whoever may come in is not inside yet"


def test_who_has_all_its_places_is_not_admitted_however_seldom_it_comes() -> None:
    doors = Doors(Limits(connections_per_address=2))
    assert doors.take("192.0.2.1")
    assert doors.take("192.0.2.1")
    assert not doors.admits("192.0.2.1", 1.0)
    doors.release("192.0.2.1")
    assert doors.admits("192.0.2.1", 1.0)


def test_who_speaks_nonsense_may_come_less_often() -> None:
    doors = Doors(Limits(connections_per_address=2 * (1 + SPOILT)))
    for _ in range(2):
        assert doors.admits("192.0.2.1", 1.0)
        doors.spoilt("192.0.2.1")
    assert not doors.admits("192.0.2.1", 1.9)
    assert doors.admits("192.0.2.2", 1.9)
    assert doors.admits("192.0.2.1", 2.0)
