"""Pictures of ratings stay within their frame, have few points, and name what they show."""

from __future__ import annotations

import re

import pytest

from gateway.web.pages.charts import HEIGHT, POINTS, WIDTH, Column, Point, bars, curve
from gateway.web.pools import pool_title

DAY_S = 86_400.0


def numbers(picture: str, name: str) -> list[float]:
    """The values of an attribute in the picture, of points both coordinates."""
    return [float(number) for found in re.findall(rf' {name}="([^"]*)"', picture) for number in re.split("[ ,]", found)]


@pytest.mark.parametrize("many", [2, 3, POINTS, 1000])
def test_a_curve_keeps_to_its_frame_and_ends_at_the_rating_of_now(many: int) -> None:
    points = [Point(at * DAY_S, 1500.0 + (at * 37) % 400, 60.0 + at % 7) for at in range(many)]
    picture = curve(points, "a rating")
    (line,) = re.findall(r'class="line" points="([^"]*)"', picture)
    places = [tuple(map(float, place.split(","))) for place in line.split()]
    assert 2 <= len(places) <= POINTS
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    assert [places[0][0], places[-1][0]] == [36.0, 316.0]
    (marked,) = zip(numbers(picture, "cx"), numbers(picture, "cy"), strict=True)
    assert marked == places[-1]
    assert all(0 <= number <= WIDTH for number in numbers(picture, "points"))


def test_a_rating_that_never_changed_is_a_line_between_two_others() -> None:
    picture = curve([Point(0.0, 1500.0, 45.0), Point(DAY_S, 1500.0, 45.0)], "the same")
    assert re.findall(r">(\d+)</text>", picture) == ["1500", "1520"]


def test_bars_stand_upon_each_other_and_on_the_ground() -> None:
    picture = bars([Column(2, 0, "first"), Column(1, 3), Column(0, 0, "last")], "numbers <of> it")
    assert 'aria-label="numbers &lt;of&gt; it"' in picture
    rects = re.findall(r'class="(\w+)" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"', picture)
    assert rects == [("lower", "58.0", "50.0"), ("lower", "83.0", "25.0"), ("upper", "8.0", "75.0")]
    assert re.findall(r'text-anchor="(\w+)">(first|last)<', picture) == [("start", "first"), ("end", "last")]


@pytest.mark.parametrize(
    ("pool", "title"),
    [
        ("chess/normal", "Chess"),
        ("chess/atomic/mixed", "Chess, Atomic, with engines"),
        ("go/9/engines", "Go, 9x9, engines alone"),
        ("ludo/maedn/tables", "Ludo, three and more players"),
        ("shogi/standard", "shogi/standard"),
        ("chess", "chess"),
    ],
)
def test_a_pool_has_a_title_for_people(pool: str, title: str) -> None:
    assert pool_title(pool) == title
