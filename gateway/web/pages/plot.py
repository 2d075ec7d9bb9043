"""Draws figures over time as a small SVG: one line, its highest value, and when it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 320, 72
"""The drawing in its own units; the page scales it."""


@dataclass(frozen=True, slots=True)
class Plot:
    """``now`` and ``most`` are the last and the highest value."""

    title: str
    now: int
    most: int
    svg: Markup


def plotted(title: str, values: Sequence[int], minutes: int) -> Plot:
    """``values`` by time, the last one now; ``minutes`` between the first and the last."""
    most = max(values, default=0)
    text = f"{title}: {values[-1] if values else 0} now, at most {most} in {minutes} minutes"
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _points(values, most))
    line = (
        f'<polyline points="{path}" class="line"/><polygon points="0,{HEIGHT} {path} {WIDTH},{HEIGHT}" class="area"/>'
    )
    return Plot(
        title,
        values[-1] if values else 0,
        most,
        Markup(
            f'<svg class="plot" viewBox="0 -2 {WIDTH} {HEIGHT + 4}" role="img" aria-label="{escape(text)}" '
            f'preserveAspectRatio="none">{line if len(values) > 1 else ""}'
            f'<line x1="0" y1="{HEIGHT}" x2="{WIDTH}" y2="{HEIGHT}" class="axis"/></svg>'
        ),
    )


def _points(values: Sequence[int], most: int) -> list[tuple[float, float]]:
    last = max(1, len(values) - 1)
    return [(WIDTH * at / last, HEIGHT - HEIGHT * value / max(1, most)) for at, value in enumerate(values)]
