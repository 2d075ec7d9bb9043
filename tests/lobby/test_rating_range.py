"""Ranges of ratings: what is one, what is in it, how it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.lobby.rating_range import ANY, Ratings, read
from protocols.core.errors import Refused, Why

points = st.integers(0, 9999)


@given(points, points, points)
def test_what_is_written_is_read_and_has_what_lies_between(lowest: int, highest: int, rating: int) -> None:
    ratings = Ratings(lowest, highest)
    if 0 < highest < lowest:
        with pytest.raises(Refused):
            read(str(ratings))
        return
    assert read(str(ratings)) == ratings
    assert ratings.has(rating) == (lowest <= rating <= (highest or rating))


@pytest.mark.parametrize(
    ("text", "ratings"),
    [("", ANY), ("1400-1600", (1400, 1600)), ("1400 - 1600", (1400, 1600)), ("1400-", (1400, 0)), ("-1600", (0, 1600))],
)
def test_a_range_may_be_open_at_one_end(text: str, ratings: Ratings) -> None:
    assert read(text) == ratings


@pytest.mark.parametrize("text", ["-", "0-0", "1600-1400", "1400", "high", "1400-1600-1800", "14000-", "\u0661-2"])
def test_anything_else_is_refused_and_shown(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.why is Why.BAD_OPTION
    assert refused.value.text.endswith("a range is 1400-1600, 1400- or -1600")
