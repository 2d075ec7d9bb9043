"""Glicko-2 gives the numbers of its paper, of lichess and of OGS, and keeps within the bounds of this server."""

from __future__ import annotations

import pytest

from gateway.ratings.glicko2 import START, Against, Rating, after_game, aged, expected, rated

YEAR_S = 365 * 86_400.0


def test_the_example_of_the_paper() -> None:
    """Printed there: 1464.06, 151.52, 0.05999, from rounded steps."""
    games = [Against(1400, 30, 1.0), Against(1550, 100, 0.0), Against(1700, 300, 0.0)]
    found = rated(Rating(1500, 200, 0.06), games, tau=0.5, periods=1.0)
    assert [round(number, 4) for number in found[:2]] == [1464.0507, 151.5165]
    assert round(found.sigma, 7) == 0.0599960


@pytest.mark.parametrize(
    ("own", "expected_rating", "expected_rd", "expected_sigma"),
    [(Rating(1500, 350, 0.06), 1662.212, 290.2305, 0.0599993), (START, 1741.476, 396.690, 0.0899983)],
)
def test_a_win_against_ones_like_as_lichess_counts_it(
    own: Rating, expected_rating: float, expected_rd: float, expected_sigma: float
) -> None:
    found = rated(own, [Against(own.rating, own.rd, 1.0)])
    assert found.rating == pytest.approx(expected_rating, abs=0.0005)
    assert found.rd == pytest.approx(expected_rd, abs=0.0005)
    assert found.sigma == pytest.approx(expected_sigma, abs=0.00000005)


def test_a_win_against_ones_like_as_ogs_counts_it() -> None:
    found = rated(Rating(1500, 350, 0.06), [Against(1500, 350, 1.0)], tau=0.5, periods=1.0)
    assert [round(number, 4) for number in found[:2]] == [1662.3109, 290.3190]


def test_a_deviation_of_60_after_a_year() -> None:
    assert round(aged(Rating(1500, 60, 0.06), YEAR_S).rd, 2) == 110.00
    assert round(aged(Rating(1500, 60, 0.09), YEAR_S).rd, 1) == 150.7


def test_ageing_in_two_parts_is_ageing_at_once_and_time_does_not_run_back() -> None:
    own = Rating(1700, 80, 0.06)
    assert aged(aged(own, 1000.0), 5000.0).rd == pytest.approx(aged(own, 6000.0).rd)
    assert aged(own, -1.0) == own
    assert aged(own, 1000 * YEAR_S).rd == 500.0


def test_a_game_keeps_the_bounds() -> None:
    best = after_game(Rating(1500, 500, 0.09), Against(4000, 45, 1.0))
    assert best.rating == 2200.0
    assert after_game(Rating(410, 200, 0.09), Against(400, 45, 0.0)).rating == 400.0
    assert after_game(Rating(1500, 45, 0.09), Against(1500, 45, 1.0)).rd == 45.0
    assert after_game(Rating(1500, 45, 0.2), Against(1500, 45, 1.0)).sigma == 0.1


def test_half_a_game_tells_half_as_much() -> None:
    """Two games of half the weight, counted at once, are one."""
    own = Rating(1600, 120, 0.06)
    halves = rated(own, [Against(1500, 80, 1.0, 0.5), Against(1500, 80, 1.0, 0.5)])
    assert halves == pytest.approx(rated(own, [Against(1500, 80, 1.0)]))
    assert rated(own, [Against(1500, 80, 1.0, 0.5)]).rating < halves.rating


def test_no_game_changes_nothing_and_expected_scores_are_each_others_rest() -> None:
    assert rated(START, []) == START
    one, other = Rating(1700, 60, 0.06), Rating(1500, 200, 0.06)
    assert expected(one, other) + expected(other, one) == pytest.approx(1.0)
    assert expected(one, other) > 0.7
