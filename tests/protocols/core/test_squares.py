"""Square numbers and names."""

from __future__ import annotations

import pytest

from protocols.core import squares


@pytest.mark.parametrize(
    ("at", "width", "height", "name"),
    [(0, 8, 8, "a8"), (7, 8, 8, "h8"), (56, 8, 8, "a1"), (63, 8, 8, "h1"), (120, 11, 11, "k1"), (0, 19, 19, "a19")],
)
def test_a1_is_the_bottom_left_square_and_0_the_top_left(at: int, width: int, height: int, name: str) -> None:
    assert squares.name(at, width, height) == name
    assert squares.number(name.upper(), width, height) == at


@pytest.mark.parametrize("width", [3, 8, 11, 25])
def test_every_square_comes_back_from_its_name_and_its_coordinates(width: int) -> None:
    for at in range(width * width):
        assert squares.number(squares.name(at, width, width), width, width) == at
        assert squares.square(*squares.coordinates(at, width), width) == at


@pytest.mark.parametrize("text", ["", "a", "a0", "a9", "i1", "1a", "a-1", "a1 ", "ä1", "a¹"])
def test_what_is_no_square_of_the_board_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="no square"):
        squares.number(text, 8, 8)
