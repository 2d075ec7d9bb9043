"""Durations as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.config import duration, written


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("500ms", 0.5), ("60s", 60.0), ("1.5s", 1.5), ("10m", 600.0), ("1h", 3600.0), ("2d", 172_800.0), ("0s", 0.0)],
)
def test_a_duration_is_a_number_and_a_unit(text: str, seconds: float) -> None:
    assert duration(text) == seconds


def test_never_is_no_number() -> None:
    assert duration("never") is None


@pytest.mark.parametrize("text", ["", "60", "s", "-1s", "1 s", "1S", "1w", "1h30m", "1e3s", "nans", "٣s", "60s\n"])
def test_anything_else_is_refused_and_shown(text: str) -> None:
    with pytest.raises(ValueError, match="is no duration") as refusal:
        duration(text)
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "never"), (0.0, "0s"), (0.25, "250ms"), (60.0, "1m"), (90.0, "90s"), (43_200.0, "12h"), (86_400.0, "1d")],
)
def test_a_duration_is_written_in_the_largest_whole_unit(seconds: float | None, text: str) -> None:
    assert written(seconds) == text


@given(st.integers(min_value=0, max_value=10**9))
def test_every_number_of_milliseconds_comes_back(milliseconds: int) -> None:
    assert duration(written(milliseconds / 1000)) == pytest.approx(milliseconds / 1000, rel=1e-12)
