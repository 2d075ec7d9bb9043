"""Draws what ratings say as small SVG pictures, each with a sentence in its place: a curve over time, bars in a row.

Colours and type are the page's (ratings.css), so a picture fits both themes. Units are those of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from gateway.web.pages.frame import day

WIDTH, HEIGHT = 320, 128
LEFT, RIGHT, TOP, BOTTOM = 36, 4, 8, 20
"""The margins, with the words of the axes."""

POINTS: Final = 120
"""Points of a curve: more than one in three units cannot be told apart."""

LINES: Final = 5
"""Lines across a curve at most."""

STEPS: Final = (20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Distances between them, in points of a rating."""


class Point(NamedTuple):
    """A rating and its deviation at a time, in Unix time."""

    at: float
    rating: float
    rd: float


class Column(NamedTuple):
    """A bar of two parts, one upon the other; ``word`` stands below it, "" none."""

    lower: int
    upper: int
    word: str = ""


def curve(points: Sequence[Point], text: str) -> Markup:
    """A rating by time, with the band of its deviation, of two points or more; ``text`` says the same in words."""
    shown = _thinned(points)
    low, high, lines = _scale([point.rating for point in shown])
    begin, end = shown[0].at, shown[-1].at

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((at - begin) / (end - begin) if end > begin else 1.0)

    def y(rating: float) -> float:
        share = (min(max(rating, low), high) - low) / (high - low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    drawn = [_line(y(line), f"{line}") for line in lines]
    upper = [f"{x(each.at):.1f},{y(each.rating + each.rd):.1f}" for each in shown]
    lower = [f"{x(each.at):.1f},{y(each.rating - each.rd):.1f}" for each in reversed(shown)]
    drawn.append(f'<polygon class="band" points="{" ".join(upper + lower)}"/>')
    path = " ".join(f"{x(each.at):.1f},{y(each.rating):.1f}" for each in shown)
    drawn.append(f'<polyline class="line" points="{path}"/>')
    last = shown[-1]
    drawn.append(f'<circle class="now" cx="{x(last.at):.1f}" cy="{y(last.rating):.1f}" r="3"/>')
    drawn.append(_word(LEFT, day(begin), "start"))
    if day(end) != day(begin):
        drawn.append(_word(WIDTH - RIGHT, day(end), "end"))
    return _picture("curve", drawn, text)


def bars(columns: Sequence[Column], text: str) -> Markup:
    """Numbers side by side; ``text`` says the same in words."""
    most = max((column.lower + column.upper for column in columns), default=0) or 1
    room, wide = HEIGHT - TOP - BOTTOM, (WIDTH - LEFT - RIGHT) / max(1, len(columns))
    drawn = [_line(TOP, f"{most}"), _line(HEIGHT - BOTTOM, "0")]
    for at, column in enumerate(columns):
        x, foot = LEFT + at * wide, HEIGHT - BOTTOM
        for part, kind in ((column.lower, "lower"), (column.upper, "upper")):
            high = room * part / most
            foot -= high  # type: ignore[assignment]  # begins at a whole unit
            if part:
                size = f'width="{max(0.5, wide - 1):.1f}" height="{high:.1f}"'
                drawn.append(f'<rect class="{kind}" x="{x:.1f}" y="{foot:.1f}" {size}/>')
        if column.word:
            first, last = at == 0, at == len(columns) - 1
            anchor = "start" if first else "end" if last else "middle"
            drawn.append(_word(x if first else x + wide if last else x + wide / 2, column.word, anchor))
    return _picture("bars", drawn, text)


def _picture(kind: str, drawn: Sequence[str], text: str) -> Markup:
    return Markup(
        f'<svg class="chart {kind}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(text)}">'
        f"{''.join(drawn)}</svg>"
    )


def _line(y: float, word: str) -> str:
    across = f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
    return f'{across}<text x="{LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{word}</text>'


def _word(x: float, word: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{HEIGHT - 5}" text-anchor="{anchor}">{word}</text>'


def _thinned(points: Sequence[Point]) -> list[Point]:
    """At most POINTS of them, the first and the last among them, the last one of each stretch of time."""
    if len(points) <= POINTS:
        return list(points)
    begin, whole = points[0].at, max(points[-1].at - points[0].at, 1e-9)
    by_stretch = {int((point.at - begin) / whole * (POINTS - 2)): point for point in points[1:]}
    return [points[0], *(by_stretch[stretch] for stretch in sorted(by_stretch))]


def _scale(ratings: Sequence[float]) -> tuple[float, float, list[int]]:
    """The lowest and the highest rating that fit in, and the lines between them."""
    least, most = min(ratings), max(ratings)
    step = next((each for each in STEPS if (most - least) / each <= LINES - 2), STEPS[-1])
    first, last = int(least // step), int(-(-most // step))
    last = max(last, first + 1)
    return first * step, last * step, [line * step for line in range(first, last + 1)]
