"""A room joins its two members and ends: no sockets, no clock."""

from __future__ import annotations

import pytest

from gateway.config import Relay
from gateway.relay.rendezvous import GUESSES, Refusal, Room, Rooms, Stage, Step

A, B, C = b"a" * 32, b"b" * 32, b"c" * 32
LIMITS = Relay(expires_s=600.0, grace_s=60.0)
MET = [Stage.MET, Stage.MET]


def room(*sides: bytes) -> Room:
    """A room in which these have said MEET, at second 0."""
    made = Room("k7fq9xbc", "192.0.2.1", 0.0)
    for side in sides:
        made.meet(side, 0.0)
    return made


def test_the_first_waits_and_the_second_brings_both_together() -> None:
    here = room()
    assert here.meet(A, 0.0) == (0, [(0, Step.WAIT)])
    assert here.meet(B, 0.0) == (1, [(1, Step.WAIT), (1, Step.PEER), (0, Step.PEER)])
    assert (here.stages, here.met) == (MET, True)


def test_a_third_is_refused() -> None:
    """ "A room works once: it is bound to the first two SIDEs"."""
    here = room(A, B)
    with pytest.raises(Refusal, match="this code is in use by two others") as caught:
        here.meet(C, 0.0)
    assert caught.value.reason == "in_use"
    here.gone(0, 0.0)
    with pytest.raises(Refusal, match="in use"):
        here.meet(C, 0.0)


def test_a_helper_that_was_started_anew_before_anybody_came_is_not_a_third() -> None:
    here = room(A)
    here.gone(0, 1.0)
    assert here.meet(C, 2.0) == (0, [(0, Step.WAIT)])
    assert here.meet(B, 3.0)[0] == 1


def test_the_relay_begins_when_both_want_it() -> None:
    """ "when both have, the server sends JOINED to both"."""
    here = room(A, B)
    assert here.join(1) == []
    assert here.join(0) == [(0, Step.JOINED), (1, Step.JOINED)]


def test_a_join_that_crosses_the_others_direct_is_forgotten() -> None:
    here = room(A, B)
    assert here.direct(0) == [(1, Step.DIRECT)]
    assert here.join(1) == []
    assert here.stages == [Stage.DIRECT, Stage.DIRECT]


def test_direct_counts_also_for_one_that_wanted_the_relay() -> None:
    here = room(A, B)
    here.join(0)
    assert here.direct(1) == [(0, Step.DIRECT)]
    assert here.direct(0) == [(1, Step.DIRECT)]


def test_who_says_direct_while_the_other_is_gone_tells_nobody() -> None:
    here = room(A, B)
    here.direct(0)
    here.gone(1, 0.0)
    assert here.direct(0) == []


def test_a_newer_connection_of_a_side_that_waits_replaces_the_older() -> None:
    here = room(A)
    assert here.meet(A, 1.0) == (0, [(0, Step.CLOSE), (0, Step.WAIT)])
    assert here.stages == [Stage.WAITING, Stage.AWAY]


@pytest.mark.parametrize("choose", [lambda here: None, lambda here: here.join(1), lambda here: here.direct(1)])
def test_a_newer_connection_of_a_side_closes_both_older_ones(choose: object) -> None:
    """ "a newer connection of a side replaces the older, whose partner is told by closing"."""
    here = room(A, B)
    assert callable(choose)
    choose(here)
    assert here.meet(B, 1.0) == (1, [(1, Step.CLOSE), (0, Step.CLOSE), (1, Step.WAIT)])
    assert here.stages == [Stage.AWAY, Stage.WAITING]
    assert here.meet(A, 2.0) == (0, [(0, Step.WAIT), (0, Step.PEER), (1, Step.PEER)])


def test_places_are_kept_when_both_come_back_in_another_order() -> None:
    here = room(A, B)
    here.gone(0, 1.0)
    assert here.meet(B, 2.0)[0] == 1
    assert here.meet(A, 3.0)[0] == 0


def test_who_loses_the_other_before_a_choice_is_to_meet_again() -> None:
    here = room(A, B)
    here.join(0)
    assert here.gone(1, 0.0) == [(0, Step.CLOSE)]
    assert here.stages == [Stage.AWAY, Stage.AWAY]


def test_after_direct_a_connection_that_ends_is_nobodys_business() -> None:
    here = room(A, B)
    here.direct(0)
    assert here.gone(0, 0.0) == []
    assert here.over(10_000.0, LIMITS) == ""
    assert here.gone(1, 100.0) == []
    assert here.over(159.0, LIMITS) == ""
    assert here.over(160.0, LIMITS) == "the other side has not come back"


def test_a_code_that_two_have_not_met_by_expires() -> None:
    here = room(A)
    assert here.over(599.0, LIMITS) == ""
    assert here.over(600.0, LIMITS) == "this code has expired"
    here.meet(B, 599.5)
    assert here.over(10_000.0, LIMITS) == ""


def test_the_grace_counts_from_the_last_time_that_both_were_together() -> None:
    here = room(A, B)
    here.gone(0, 1000.0)
    here.meet(B, 1030.0)
    assert here.over(1059.0, LIMITS) == ""
    assert here.over(1060.0, LIMITS) == "the other side has not come back"
    here.meet(A, 1059.5)
    assert here.over(1060.0, LIMITS) == ""


def test_a_room_whose_port_was_used_is_for_nobody_else() -> None:
    here = room()
    here.used = True
    with pytest.raises(Refusal, match="in use by two others"):
        here.meet(A, 0.0)
    assert here.over(10_000.0, LIMITS) == ""


def test_rooms_are_limited_of_all_and_of_each_address() -> None:
    rooms = Rooms(Relay(rooms=3, rooms_per_address=2))
    rooms.open("1", "192.0.2.1", 0.0)
    two = rooms.open("2", "192.0.2.1", 0.0)
    with pytest.raises(Refusal, match="2 codes of this address are in use already"):
        rooms.open("3", "192.0.2.1", 0.0)
    rooms.open("3", "192.0.2.2", 0.0)
    with pytest.raises(Refusal, match="the relay is full"):
        rooms.open("4", "192.0.2.3", 0.0)
    rooms.close(two)
    assert rooms.open("4", "192.0.2.1", 0.0).code == "4"


def test_who_guesses_codes_is_slowed_down_and_nobody_else() -> None:
    rooms = Rooms(LIMITS)
    room = rooms.open("k7fq9xbc", "192.0.2.1", 0.0)
    for _ in range(GUESSES + 1):
        assert rooms.find("aaaaaaaa", "192.0.2.9", 0.0) is None
    with pytest.raises(Refusal, match="too many unknown codes"):
        rooms.find("k7fq9xbc", "192.0.2.9", 0.0)
    assert rooms.find("k7fq9xbc", "192.0.2.1", 0.0) is room
    assert rooms.find("k7fq9xbc", "192.0.2.9", 60.0) is room


def test_a_code_that_another_node_knows_is_no_guess() -> None:
    rooms = Rooms(LIMITS)
    for _ in range(10 * GUESSES):
        assert rooms.find("aaaaaaaa", "192.0.2.9", 0.0) is None
        rooms.excuse("192.0.2.9", 0.0)


def test_guesses_are_forgotten_once_as_many_may_be_made_again() -> None:
    rooms = Rooms(LIMITS)
    for asker in ("192.0.2.8", "192.0.2.9"):
        assert rooms.find("aaaaaaaa", asker, 0.0) is None
    rooms.over(1.0)
    assert all(rooms._guesses.known(asker) for asker in ("192.0.2.8", "192.0.2.9"))
    rooms.over(60.0)
    assert not any(rooms._guesses.known(asker) for asker in ("192.0.2.8", "192.0.2.9"))


def test_rooms_that_are_over_are_given_with_their_reason() -> None:
    rooms = Rooms(LIMITS)
    old = rooms.open("old", "192.0.2.1", 0.0)
    rooms.open("new", "192.0.2.1", 1.0)
    assert rooms.over(600.0) == [(old, "this code has expired")]
