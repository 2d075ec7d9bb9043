"""The picture of a game that other sites show beside a link to it: the board, and the sides with the winner marked.

It is SVG of paths alone: a server may have no fonts, so the names stand in the page's title and description.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from gateway.web.board.description import Description, Shown
from gateway.web.board.svg import NAMESPACE, drawn, figures_of, icon

WIDTH, HEIGHT = 1200, 630
"""Pixels: the proportions of the large pictures of most sites, 1.91 to 1; ogp.me names none."""

MARGIN: Final = 24

ROOM: Final = 220
"""Pixels from top to bottom for one side where there are few."""

GROUND, FIELD, LINE, GOLD, GATE = "#efeadf", "#faf7f0", "#cfc7b6", "#d9a521", "#2f6b4f"

CROWN: Final = "M-30 18L-36 -14L-16 0L0 -24L16 0L36 -14L30 18z"

GATE_PATH: Final = "M3 21V9a9 9 0 0 1 18 0v12h-6v-9a3 3 0 0 0-6 0v9z"
"""The mark at the head of every page."""


def poster(
    look: Description,
    board: Mapping[int, str],
    pieces: Sequence[Shown],
    *,
    last: Sequence[int] = (),
    alarm: int | None = None,
    won: Collection[int] = (),
    winner: int | None = None,
    turn: int | None = None,
) -> str:
    """The picture as SVG; ``last``, ``alarm`` and ``won`` are those of ``drawn``.

    ``pieces`` are one of each side. The ``winner`` has a crown, the side that is to move a green ring.
    """
    side = HEIGHT - 2 * MARGIN
    inside, middle = "", WIDTH / 2
    if look.kind != "text":
        picture = drawn(look, board, last=last, alarm=alarm, won=won, small=True, figures=False)
        inside, middle = _placed(str(picture), MARGIN, MARGIN, side), (WIDTH + HEIGHT) / 2
    return (
        f'<svg xmlns="{NAMESPACE}" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">{figures_of(look)}'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>{inside}'
        f"{''.join(_sides(pieces, middle, winner, turn))}"
        f'<path d="{GATE_PATH}" fill="{GATE}" transform="translate({WIDTH - 84} {HEIGHT - 78}) scale(2.4)"/></svg>'
    )


def _placed(picture: str, x: float, y: float, side: float) -> str:
    """A picture of its own in a square of this one."""
    return picture.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" ', 1)


def _sides(pieces: Sequence[Shown], middle: float, winner: int | None, turn: int | None) -> Iterator[str]:
    """A piece of each side in a ring, one above the other, the first side lowest, as beside the page's board."""
    step = min(ROOM, (HEIGHT - 2 * MARGIN) / max(len(pieces), 1))
    radius, top = step * 0.42, HEIGHT / 2 + step * (len(pieces) - 1) / 2
    for seat, piece in enumerate(pieces):
        y = top - seat * step
        edge, width = (GOLD, 12) if winner == seat else (GATE, 10) if turn == seat else (LINE, 5)
        ring = f'fill="{FIELD}" stroke="{edge}" stroke-width="{width}"'
        yield f'<circle cx="{middle:g}" cy="{y:g}" r="{radius:g}" {ring}/>'
        yield _placed(str(icon(piece)), middle - radius * 0.75, y - radius * 0.75, radius * 1.5)
        if winner == seat:
            crown = f"translate({middle + radius * 1.9:g} {y:g}) scale({radius / 60:g})"
            yield f'<path d="{CROWN}" fill="{GOLD}" stroke="#8a6510" stroke-width="2" transform="{crown}"/>'
