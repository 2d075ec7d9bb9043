"""Rounds of engines that wait: who is paired, by rating and chance, and that nobody meets the same one for ever."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.lobby.rounds import Rounds, Waits


def waiting(*ratings: float, rested: bool = False) -> list[Waits]:
    return [Waits(number, f"engine-{number}", rating, rested) for number, rating in enumerate(ratings, 1)]


@given(ratings=st.lists(st.floats(0.0, 4000.0), max_size=40), seed=st.integers())
def test_nobody_is_in_two_pairs_and_at_most_one_of_strangers_is_left(ratings: list[float], seed: int) -> None:
    pairs = Rounds(random.Random(seed).random).drawn(waiting(*ratings))
    drawn = [each.number for pair in pairs for each in pair]
    assert len(set(drawn)) == len(drawn) == len(ratings) // 2 * 2


def test_two_alone_meet_again_only_when_both_have_rested() -> None:
    """ "wait for all games, or quick engines meet for ever" """
    rounds = Rounds(random.Random(1).random)
    assert len(rounds.drawn(waiting(1500.0, 1600.0))) == 1
    assert rounds.drawn(waiting(1500.0, 1600.0)) == []
    assert len(rounds.drawn(waiting(1500.0, 1600.0, rested=True))) == 1


def test_a_block_keeps_two_apart_in_every_round_and_they_meet_others() -> None:
    rounds = Rounds(random.Random(1).random)
    one, other, third = waiting(1500.0, 1500.0, 3500.0)
    blocks = replace(one, blocks=frozenset({other.name}))
    assert rounds.drawn([blocks, other]) == []
    assert rounds.drawn([replace(one, rested=True, blocks=frozenset({other.name})), replace(other, rested=True)]) == []
    for _ in range(20):
        pairs = Rounds(random.Random().random).drawn([blocks, other, third])
        assert [third in pair for pair in pairs] == [True]


def test_who_has_met_somebody_else_since_may_meet_the_same_again() -> None:
    rounds = Rounds(random.Random(1).random)
    both = waiting(1500.0, 1600.0)
    rounds.drawn(both)
    for each in both:
        rounds.forget(each.name)
    assert len(rounds.drawn(both)) == 1


@pytest.mark.parametrize("count", [3, 4, 5, 10])
def test_no_engine_meets_the_same_one_twice_running_and_all_meet_about_as_often(count: int) -> None:
    rounds = Rounds(random.Random(count).random)
    last: dict[int, int] = {}
    games: Counter[int] = Counter()
    for _ in range(400):
        pairs = rounds.drawn(waiting(*(1500.0 + 10 * at for at in range(count))))
        assert pairs
        for one, other in pairs:
            assert last.get(one.number) != other.number
            assert last.get(other.number) != one.number
            last[one.number], last[other.number] = other.number, one.number
            games.update((one.number, other.number))
    assert min(games.values()) > 0.5 * max(games.values())


def test_the_near_meet_more_often_than_the_far_and_the_best_is_never_left_alone() -> None:
    """ "add rating + random x range (at least 500, at least 1.5 x the widest gap), sort, pair neighbours" """
    met: Counter[tuple[int, int]] = Counter()
    rounds = Rounds(random.Random(7).random)
    for _ in range(1000):
        for pair in rounds.drawn(waiting(1000.0, 1100.0, 1900.0, 2000.0, 3500.0, 3600.0, rested=True)):
            one, other = sorted(each.number for each in pair)
            met[one, other] += 1
    assert met[1, 2] > met[1, 4] > met[1, 6]
    assert sum(count for pair, count in met.items() if 6 in pair) == 1000
