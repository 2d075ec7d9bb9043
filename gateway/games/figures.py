"""The figures of SHAPES (look.py) as SVG paths in a box of 45x45, for clients that draw with vectors.

A figure is parts, drawn in order, each a path and its role: ``body`` is filled with the piece's colour and outlined,
``thin`` the same with a fine outline, ``edge`` is a line of the outline's colour; ``line``, ``fill`` and ``spot``
(filled and outlined) have the colour that stands out on the body, ``trace`` is a faint line in it; ``shade`` is the
shadow under the body, ``sheen`` the light on it, from the upper left. Chess pieces are those of the package ``chess``
(by Colin M.L. Burnett; GFDL, BSD or GPL), whose ``style`` attributes a content security policy would drop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final
from xml.etree import ElementTree

from chess import svg

from gateway.games.look import Part, circle

HOOP: Final = "hoop"
"""A ring that is open in the middle, for dark rings; a bright one is a disc with a ring on it, as stones are."""

_DISC: Final = circle(17)
_STAR: Final = "M22.5 9.5L26.1 18.0L35.3 18.8L28.4 24.9L30.4 33.9L22.5 29.2L14.6 33.9L16.6 24.9L9.7 18.8L18.9 18.0z"
_CROWN: Final = "M13.5 29.5l-2-13 6.3 5.5 4.7-8.5 4.7 8.5 6.3-5.5-2 13z"

_SHADE: Final[Part] = (circle(17, y=24.5), "shade")
_TURNED: Final[tuple[Part, ...]] = (_SHADE, (_DISC, "body"), (_DISC, "sheen"))
_STONE: Final[tuple[Part, ...]] = (
    (circle(17.6, x=23.3, y=24.4), "shade"),
    (circle(17.6), "thin"),
    (circle(17.6), "sheen"),
)
_SHIELD: Final = "M22.5 5.5l17 17-17 17-17-17z"

_KING: Final[tuple[Part, ...]] = (
    (circle(17, y=26), "shade"),
    (circle(17, y=24.5), "body"),
    (circle(17, y=20.5), "body"),
    (circle(17, y=20.5), "sheen"),
    ("M12 27.5l-2-14.5 7 6 5.5-9.5 5.5 9.5 7-6-2 14.5z", "fill"),
)
"""Two men, one on the other, with a crown."""


def _peg(sign: str) -> tuple[Part, ...]:
    return ((circle(16, y=24.5), "shade"), (circle(16), "body"), (circle(16), "sheen"), (sign, "fill"))


TURNED: Final[Mapping[str, tuple[Part, ...]]] = {
    "man": (*_TURNED, (circle(11), "trace")),
    "open man": (*_TURNED, (circle(13.5), "trace"), (circle(8), "trace")),
    "stone": _STONE,
    "counter": _TURNED,
    "open counter": (*_TURNED, (circle(13), "trace")),
    "star counter": (*_TURNED, (_STAR, "line")),
    "ring counter": (*_TURNED, (circle(12), "line"), (circle(8), "line")),
    "king man": _KING,
    "open king man": (*_KING, (circle(14.5, y=20.5), "trace")),
    "shield": (
        (_SHIELD.replace("5.5l", "7.5l", 1), "shade"),
        (_SHIELD, "body"),
        (_SHIELD, "sheen"),
        ("M22.5 13l9.5 9.5-9.5 9.5-9.5-9.5z", "trace"),
    ),
    "peg": _peg(circle(6)),
    "square peg": _peg("M16.5 16.5h12v12h-12z"),
    "triangle peg": _peg("M22.5 13.5l7.5 13h-15z"),
    "diamond peg": _peg("M22.5 14l8.5 8.5-8.5 8.5-8.5-8.5z"),
    "knot": (("M6 6h33v33h-33zM22.5 6l16.5 16.5-16.5 16.5-16.5-16.5zM14.25 14.25h16.5v16.5h-16.5z", "line"),),
}
"""Figures of turned and carved wood, which a look names for clients that draw with vectors."""

PLAIN: Final[Mapping[str, tuple[Part, ...]]] = {
    "disc": ((_DISC, "body"),),
    "ring": ((_DISC, "body"), (circle(10.5), "trace")),
    HOOP: ((f"{_DISC}{circle(9)}", "body"),),
    "square": (
        (
            "M8 10a2 2 0 0 1 2-2h25a2 2 0 0 1 2 2v25a2 2 0 0 1-2 2h-25a2 2 0 0 1-2-2z",
            "body",
        ),
    ),
    "diamond": (("M22.5 4.5l18 18-18 18-18-18z", "body"),),
    "triangle": (("M22.5 5.5l18 32h-36z", "body"),),
    "cross": (
        ("M6 12l6-6 10.5 10.5 10.5-10.5 6 6-10.5 10.5 10.5 10.5-6 6-10.5-10.5-10.5 10.5-6-6 10.5-10.5z", "body"),
    ),
    "dot": ((circle(6), "fill"),),
    "hatch": (("M8 8l29 29M37 8l-29 29", "line"),),
    "crown": ((_DISC, "body"), (_CROWN, "fill")),
    "open crown": ((_DISC, "body"), (circle(14.5), "line"), (_CROWN, "fill")),
}

_LETTERS: Final = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"}


@dataclass(frozen=True, slots=True)
class _Style:
    """The attributes of an element that it inherits."""

    fill: str = ""
    stroke: str = ""
    join: str = "round"


@cache
def figures() -> Mapping[str, tuple[Part, ...]]:
    """The parts of every shape, of HOOP and of TURNED, by name."""
    men = {kind: tuple(_parts(letter)) for kind, letter in _LETTERS.items()}
    opened = {f"open {kind}": tuple(_parts(letter.upper())) for kind, letter in _LETTERS.items()}
    return {**PLAIN, **TURNED, **men, **opened}


def _parts(letter: str) -> Iterator[Part]:
    """A piece of chess; its letter is a capital for the open figure, which is white."""
    body = "#fff" if letter.isupper() else "#000"
    yield from _read(ElementTree.fromstring(svg.PIECES[letter]), _Style(), body)


def _read(element: ElementTree.Element, outer: _Style, body: str) -> Iterator[Part]:
    style = _styled(element, outer)
    path = _path(element)
    if path:
        yield path, _role(style, body)
    for child in element:
        yield from _read(child, style, body)


def _styled(element: ElementTree.Element, outer: _Style) -> _Style:
    own = dict(element.attrib)
    own |= dict(pair.strip().split(":") for pair in own.get("style", "").split(";") if pair.strip())
    fill, stroke = (own.get(key, getattr(outer, key)) for key in ("fill", "stroke"))
    short = {"#000000": "#000", "#ffffff": "#fff", "#ececec": "#fff"}
    return replace(
        outer,
        fill=short.get(fill, fill),
        stroke=short.get(stroke, stroke),
        join=own.get("stroke-linejoin", outer.join),
    )


def _role(style: _Style, body: str) -> str:
    if style.fill == body:
        return "body"
    if style.fill != "none":
        return "fill" if style.stroke == "none" else "spot"
    return "edge" if style.stroke == "#000" else "line"


def _path(element: ElementTree.Element) -> str:
    """The element as a path; "" for one that draws nothing itself."""
    if element.tag == "circle":
        x, y, radius = (float(element.attrib[key]) for key in ("cx", "cy", "r"))
        return circle(radius, x, y)
    path = " ".join(element.get("d", "").split())
    turned = re.fullmatch(r"matrix\((.*)\)", element.get("transform", ""))
    return _turned(path, *map(float, turned[1].split(","))) if turned else path


def _turned(path: str, a: float, b: float, c: float, d: float, e: float, f: float) -> str:
    """A path of absolute moves and arcs, turned by a rotation of 30 degrees, which the knight's eye has."""
    words, done = path.replace(",", " ").split(), ""
    while words:
        command = words.pop(0)
        if command in "zZ":
            return f"{done}z"
        rest = [words.pop(0) for _ in range(7 if command == "A" else 2)]
        x, y = float(rest[-2]), float(rest[-1])
        arc = f"{rest[0]} {rest[1]} 30 {rest[3]} {rest[4]} " if command == "A" else ""
        done += f"{command}{arc}{a * x + c * y + e:.2f} {b * x + d * y + f:.2f}"
    return done
