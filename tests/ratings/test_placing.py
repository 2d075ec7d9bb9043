"""Tables of three and more: openskill's numbers, on the scale of the other ratings."""

from __future__ import annotations

import pytest

from gateway.ratings.glicko2 import START
from gateway.ratings.placing import POINT, after_table


@pytest.mark.parametrize(
    ("places", "means"),
    [((1, 2, 3, 4), (27.7953, 26.5529, 24.6894, 20.9624)), ((1, 2, 2, 2), (27.7953, 24.0682, 24.0682, 24.0682))],
)
def test_four_newcomers(places: tuple[int, ...], means: tuple[float, ...]) -> None:
    after = after_table([START] * 4, places)
    assert [round((rating.rating - 1500.0) / POINT + 25.0, 4) for rating in after] == list(means)


def test_a_game_of_half_the_weight_moves_everybody_by_half() -> None:
    whole, half = after_table([START] * 3, (2, 1, 3)), after_table([START] * 3, (2, 1, 3), 0.5)
    for full, part in zip(whole, half, strict=True):
        assert part.rating - 1500.0 == pytest.approx((full.rating - 1500.0) / 2)
        assert part.rd - 500.0 == pytest.approx((full.rd - 500.0) / 2)
        assert part.sigma == START.sigma


def test_the_seats_order_decides_nothing() -> None:
    after = after_table([START] * 4, (3, 1, 4, 2))
    turned = after_table([START] * 4, (1, 2, 3, 4))
    assert [after[seat].rating for seat in (1, 3, 0, 2)] == pytest.approx([rating.rating for rating in turned])
