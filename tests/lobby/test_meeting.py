"""Players with matching options meet: any guests, any options, any order of events."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.lobby.party import MOST_CALLS, Fit, fit
from protocols.core.proposals import Start
from tests.lobby.crowd import ROAMING, TIMES, Crowd, Guest, Kind, settings

MOST_STEPS = 3_000
"""Far more than the largest crowd needs: each guest is called a few times."""

STEPS_EACH = 12
"""Steps of a guest that comes, is called once, and says what it proposes at both tables."""

sides = st.sampled_from((None, 0, 1))
times = st.sampled_from(TIMES)
whims = st.tuples(st.sampled_from(("propose", "propose", "decline", "leave")), st.sampled_from((None, *TIMES)), sides)


@st.composite
def crowds(draw: st.DrawFn) -> list[Guest]:
    count = draw(st.integers(2, 9))
    guests = [_guest(draw, number, count) for number in range(1, count + 1)]
    for one, other in draw(st.lists(st.tuples(st.sampled_from(guests), st.sampled_from(guests)), max_size=3)):
        if one is not other:
            one.blocks |= {other.name}
    return guests


def _guest(draw: st.DrawFn, number: int, count: int) -> Guest:
    kind: Kind = draw(st.sampled_from(("client", "plain", "page", "gui", "person", "person", "engine")))
    if kind == "plain":
        return Guest(number, kind)
    if kind == "client":
        return Guest(number, kind, draw(times))
    if kind == "page":
        return Guest(number, kind, draw(st.sampled_from((None, *TIMES))))
    if kind == "gui":
        return Guest(number, kind, draw(times), draw(st.sampled_from((0, 1))))
    if kind == "person":
        time = draw(st.sampled_from((None, *TIMES)))
        return Guest(number, kind, time, draw(sides), later=draw(st.lists(whims, max_size=2)))
    awaits = draw(st.sampled_from(("", "", f"guest{draw(st.integers(1, count))}")))
    plays = draw(st.lists(times, unique=True).map(tuple))
    return Guest(number, kind, draw(times), None, plays, awaits if awaits != f"guest{number}" else "")


@given(crowds(), st.lists(times, max_size=2), st.randoms(use_true_random=False))
def test_when_it_is_quiet_no_two_wait_who_could_have_played_each_other(
    guests: list[Guest], absent: list[str], random: Random
) -> None:
    """``absent``: the times of registered tables whose named player is not there; no newcomer goes to those."""
    crowd = Crowd(guests, random, absent)
    crowd.settle(MOST_STEPS)
    waiting = crowd.waiting()
    assert all(guest.table not in crowd.registered for guest in guests)
    for guest in guests:
        assert guest.table is not None or guest.gone, f"{guest.name} has no seat"
        assert guest.party.calls < MOST_CALLS, f"{guest.name} is called from table to table"
    for one, other in combinations(guests, 2):
        assert one.table is None or one.table != other.table or not _apart(one, other), f"{one} and {other} have met"
    for one, other in combinations(waiting, 2):
        assert not _begins(crowd, one, other), f"{one} and {other} propose the same game"
        if one.table == other.table:
            assert not _never(one, other), f"{one} and {other} sit together in vain"
        both_alone = not crowd.beside(one) and not crowd.beside(other)
        if both_alone and (one.kind in ROAMING or other.kind in ROAMING):
            may = _may(crowd, one, other) or _may(crowd, other, one)
            assert not may, f"{one} and {other} wait alone"


@pytest.mark.parametrize("kind", ["client", "plain", "page", "gui", "person"])
@pytest.mark.parametrize("count", [2, 40, 400])
def test_a_crowd_that_comes_at_once_is_seated_in_pairs_and_each_is_served_as_often_as_one_of_two(
    kind: Kind, count: int
) -> None:
    """Of 200 Bogaprot clients that came at once 22 were seated: all others were on the way to one table."""
    time = None if kind == "plain" else "60"
    guests = [Guest(number, kind, time, number % 2 if kind in ("gui", "person") else None) for number in range(count)]
    crowd = Crowd(guests, Random(1), most_on_the_way=2)
    crowd.settle(STEPS_EACH * count)
    assert crowd.waiting() == []
    assert len({guest.table for guest in guests}) == count // 2


def _apart(one: Guest, other: Guest) -> bool:
    """Return whether one of these two has blocked the other."""
    return other.name in one.blocks or one.name in other.blocks


def _never(one: Guest, other: Guest) -> bool:
    """Return whether one of these two could leave, and should."""
    return (one.party.roams or other.party.roams) and fit(one.party, other.party) is Fit.NEVER


def _begins(crowd: Crowd, one: Guest, other: Guest) -> bool:
    """Return whether the two proposals match at one table and neither was declined."""
    mine, theirs = crowd.offer(one), crowd.offer(other)
    if mine is None or theirs is None or not _awaited(one, other) or _apart(one, other):
        return False
    if (other.number, theirs) in one.refused or (one.number, mine) in other.refused:
        return False
    return _match(mine, theirs)


def _match(mine: Start, theirs: Start) -> bool:
    same = None in (mine.settings, theirs.settings) or mine.settings == theirs.settings
    return same and (None in (mine.side, theirs.side) or mine.side != theirs.side)


def _may(crowd: Crowd, one: Guest, other: Guest) -> bool:
    """Return whether ``one`` is free to agree, and might agree, to the proposal of ``other``."""
    theirs = crowd.offer(other)
    if theirs is None or not _awaited(one, other) or _apart(one, other) or (other.number, theirs) in one.refused:
        return False
    if one.kind == "engine":
        return theirs.settings is None or any(settings(time) == theirs.settings for time in one.plays)
    return one.kind == "person"


def _awaited(one: Guest, other: Guest) -> bool:
    return one.awaits in ("", other.name) and other.awaits in ("", one.name)


@pytest.mark.parametrize("kind", ["person", "engine"])
def test_a_page_that_insists_on_a_time_is_called_once_to_who_may_agree_to_it(kind: Kind) -> None:
    """It finds a player at a table with another time, and would open a table of its own again and again."""
    crowd = Crowd([Guest(1, kind, "none", plays=("60",))], Random(1))
    crowd.settle(MOST_STEPS)
    crowd.come([page := Guest(2, "page", "60")])
    crowd.settle(MOST_STEPS)
    assert (page.table, page.party.calls) == (1, 1)


@pytest.mark.parametrize("white", [("60", "300"), ("60", "60")])
@pytest.mark.parametrize("seed", range(20))
def test_two_whites_and_then_two_blacks_play_two_games(white: tuple[str, str], seed: int) -> None:
    """The two that come first sit together, and are parted as soon as one of them has another opponent."""
    players = [Guest(number, "person", time, 0) for number, time in enumerate(white, 1)]
    players += [Guest(number, "person", time, 1) for number, time in enumerate(white, 3)]
    crowd = Crowd(players[:2], Random(seed))
    crowd.settle(MOST_STEPS)
    assert len({player.table for player in players[:2]}) == 1
    crowd.come(players[2:])
    crowd.settle(MOST_STEPS)
    assert crowd.waiting() == []
    for table in {player.table for player in players}:
        assert {player.side for player in players if player.table == table} == {0, 1}
        assert len({player.time for player in players if player.table == table}) == 1
