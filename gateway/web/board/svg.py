"""A position as SVG text, which pages contain before any script runs: ground, marks, pieces, the last move, check.

``picture`` is the drawing as nested shapes; static/js/draw.js makes the same from the same description, and a test
compares the two. Colours are presentation attributes, so style sheets may replace those of the ground; there is no
``style`` attribute, which the content security policy forbids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from math import hypot
from typing import Final, TypeAlias

from markupsafe import Markup

from gateway.games.look import BOX, Part
from gateway.web.board.description import NO_SQUARE, Description, Shown

Attributes: TypeAlias = Mapping[str, str | float]
Shape: TypeAlias = tuple[str, Attributes, "tuple[Shape, ...] | str"]
"""The name of an element, its attributes, and the shapes or the text in it."""

NAMESPACE: Final = "http://www.w3.org/2000/svg"

HALF: Final = BOX / 2
EDGE: Final = 2
"""Free units around the board, so that its frame is not cut."""

DARK, BRIGHT, TINT, ALARM, ALARM_EDGE = "#1d1d1b", "#ffd23f", "#e8c400", "#e5252a", "#8c0012"
STONE: Final = 1.2
"""The size of a piece on a crossing; elsewhere pieces leave a margin in their square."""

CROSSED: Final = "M13 13l19 19M32 13l-19 19"

ROLES: Final[Mapping[str, Attributes]] = {
    "shade": {"fill": DARK, "fill-opacity": 0.3, "stroke": "none"},
    "body": {"fill-rule": "evenodd"},
    "thin": {"stroke-width": 0.8},
    "sheen": {"fill": "url(#sheen)", "stroke": "none"},
    "edge": {"fill": "none"},
    "line": {"fill": "none", "stroke": "currentColor"},
    "trace": {"fill": "none", "stroke": "currentColor", "stroke-opacity": 0.5},
    "fill": {"fill": "currentColor", "stroke": "none"},
    "spot": {"fill": "currentColor", "stroke": "currentColor"},
}
"""The attributes of a figure's parts; fill, stroke and currentColor come from where the figure is used."""

SHEEN: Final[Shape] = (
    "radialGradient",
    {"id": "sheen", "cx": 0.34, "cy": 0.28, "r": 0.8},
    tuple(
        ("stop", {"offset": at, "stop-color": colour, "stop-opacity": opacity}, ())
        for at, colour, opacity in ((0, "#fff", 0.45), (0.5, "#fff", 0), (0.5, "#000", 0), (1, "#000", 0.3))
    ),
)
"""Light on a figure, bright or dark, whichever colour it has: what the role "sheen" is filled with."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing: its viewBox, and the shapes of each layer from the lowest to the highest."""

    view: tuple[int, int, int, int]
    ground: tuple[Shape, ...]
    under: tuple[Shape, ...]
    pieces: tuple[Shape, ...]
    over: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class _Scene:
    look: Description
    turned: bool
    small: bool

    def corner(self, at: int) -> tuple[int, int]:
        """The upper left corner of a square."""
        shown = len(self.look.names) - 1 - at if self.turned else at
        return shown % self.look.width * BOX, shown // self.look.width * BOX

    def middle(self, at: int) -> tuple[str, str]:
        """The middle of a square, as it is written."""
        x, y = self.corner(at)
        return f"{x + HALF:g}", f"{y + HALF:g}"

    @property
    def letters(self) -> int:
        """The size of the letters beside the board: as large on a screen whatever the number of squares."""
        return max(7, 7 * max(self.look.width, self.look.height) // 4)

    def margin(self, labels: Iterable[str]) -> int:
        shown = any(labels) and not self.small and self.look.kind != "text"
        return self.letters + self.letters // 2 if shown else 0


def drawn(
    description: Description,
    board: Mapping[int, str],
    *,
    turned: bool = False,
    last: Sequence[int] = (),
    alarm: int | None = None,
    dead: Collection[int] = (),
    won: Collection[int] = (),
    title: str = "",
    small: bool = False,
    figures: bool = True,
) -> Markup:
    """The position as an ``svg`` element.

    ``turned`` shows it from the other side; ``last`` are source and target of the last move, or its target alone;
    ``dead`` pieces are crossed out, ``won`` are the squares that decided the game. ``title`` is spoken; without one the
    picture is hidden from assistive technology. ``small`` leaves out coordinates. Without ``figures`` the page has
    ``figures_of`` in it elsewhere.
    """
    made = picture(description, board, turned=turned, last=last, alarm=alarm, dead=dead, won=won, small=small)
    spoken = f'role="img" aria-label="{escape(title)}"' if title else 'aria-hidden="true"'
    view = " ".join(map(str, made.view))
    layers = "".join(
        f'<g class="{name}">{"".join(map(_written, shapes))}</g>'
        for name, shapes in (
            *(("ground", made.ground), ("under", made.under)),
            *(("pieces", made.pieces), ("over", made.over)),
        )
    )
    defined = f"<defs>{_defined(description.figures)}</defs>" if figures else ""
    side = ' data-turned=""' if turned else ""
    root = f'xmlns="{NAMESPACE}" class="board-picture" viewBox="{view}" text-anchor="middle"{side} {spoken}'
    return Markup(f"<svg {root}>{defined}{layers}</svg>")


def figures_of(*descriptions: Description) -> Markup:
    """The figures of these, for a page of many boards that are drawn without them."""
    known = {name: parts for look in descriptions for name, parts in look.figures.items()}
    inside = _defined({name: known[name] for name in sorted(known)})
    return Markup(f'<svg xmlns="{NAMESPACE}" width="0" height="0" aria-hidden="true"><defs>{inside}</defs></svg>')


def picture(
    description: Description,
    board: Mapping[int, str],
    *,
    turned: bool = False,
    last: Sequence[int] = (),
    alarm: int | None = None,
    dead: Collection[int] = (),
    won: Collection[int] = (),
    small: bool = False,
) -> Picture:
    """The shapes of a position; ``drawn`` says what the arguments are."""
    scene = _Scene(description, turned, small)
    left, below = scene.margin(description.ranks), scene.margin(description.files)
    width, height = description.width * BOX, description.height * BOX
    view = (-left - EDGE, -EDGE, width + left + 2 * EDGE, height + below + 2 * EDGE)
    if description.kind == "text":
        return Picture(view, tuple(_note(description)), (), (), ())
    return Picture(
        view,
        (*_ground(scene), *_labels(scene)),
        (*_marks(scene, board), *_last(scene, last), *_arrow(scene, last), *_alarmed(scene, alarm)),
        tuple(piece_shape(scene, at, description.piece(words), at in dead) for at, words in sorted(board.items())),
        (*_placed(scene, board, last), *_badge(scene, alarm), *_won(scene, won)),
    )


def _won(scene: _Scene, won: Iterable[int]) -> Iterator[Shape]:
    """The squares that decided the game: a bright frame on a dark one, seen on every ground."""
    for at in sorted(won):
        x, y = scene.corner(at)
        for name, stroke, width in (("dark", DARK, 5), ("bright", BRIGHT, 3)):
            size = {"x": x + 2.5, "y": y + 2.5, "width": 40, "height": 40, "rx": 10}
            yield "rect", {"class": f"won {name}", **size, "fill": "none", "stroke": stroke, "stroke-width": width}, ()


def piece_shape(scene: _Scene, at: int, piece: Shown, dead: bool) -> Shape:
    """A piece on its square."""
    x, y = scene.corner(at)
    where = f"translate({x} {y})"
    if scene.look.kind == "crossings":
        where = f"translate({x - 4.5:g} {y - 4.5:g}) scale({STONE})"
    attributes = {"class": "piece dead" if dead else "piece", "data-at": at, "transform": where}
    return ("g", attributes, (*_figured(piece), *_crossed(piece, dead)))


def icon(piece: Shown) -> Markup:
    """A piece alone, in a picture of its own."""
    inside = "".join(map(_written, _figured(piece)))
    return Markup(f'<svg viewBox="0 0 {BOX} {BOX}" class="icon" text-anchor="middle" aria-hidden="true">{inside}</svg>')


def _figured(piece: Shown) -> Iterator[Shape]:
    used: Attributes = {
        "href": f"#{_id(piece.figure)}",
        "fill": piece.fill,
        "stroke": piece.edge,
        "color": piece.detail,
    }
    yield "use", used, ()
    if piece.label:
        yield "text", {"class": "letters", "x": HALF, "y": 29, "font-size": 18, "fill": piece.detail}, piece.label


def _crossed(piece: Shown, dead: bool) -> Iterator[Shape]:
    if dead:
        yield "path", {"class": "crossed", "d": CROSSED, "stroke": piece.detail, "stroke-width": 4}, ()


def _ground(scene: _Scene) -> Iterator[Shape]:
    look = scene.look
    width, height = look.width * BOX, look.height * BOX
    whole: Attributes = {"x": 0, "y": 0, "width": width, "height": height}
    if look.style in ("lines", "holes"):
        yield "rect", {"class": "a", **whole, "rx": 4 if look.style == "lines" else 14, "fill": look.palette[0]}, ()
        yield from _crossings(scene) if look.style == "lines" else _holes(scene)
        return
    gaps = NO_SQUARE in look.ground
    if gaps:
        yield "rect", {"class": "around", **whole, "rx": 8, "fill": look.around}, ()
    yield from (_yard(scene, first, last, colour) for first, last, colour in look.yards)
    if look.track:
        path = "L".join("{} {}".format(*scene.middle(at)) for at in look.track)
        yield "path", {**_stroked("track", f"M{path}z", look.lines), "stroke-width": 3}, ()
    for index, colour in enumerate(look.palette):
        squares = [at for at, digit in enumerate(look.ground) if digit != NO_SQUARE and int(digit, 36) == index]
        path = "".join(_square(scene, at, gaps) for at in squares)
        if path:
            shown: Attributes = {"class": "ab"[index] if index < 2 else "own", "d": path, "fill": colour}
            yield "path", {**shown, "stroke": look.lines, "stroke-width": 1.5} if look.round else shown, ()
    if not gaps:
        inner = ""
        if look.style == "cells":
            inner = "".join(f"M{x * BOX} 0v{height}" for x in range(1, look.width))
            inner += "".join(f"M0 {y * BOX}h{width}" for y in range(1, look.height))
        yield (
            "path",
            _stroked(
                "lines",
                f"{inner}M0 0h{width}v{height}h-{width}z",
                look.palette[1] if look.style == "chequered" else look.lines,
            ),
            (),
        )


def _square(scene: _Scene, at: int, gap: bool) -> str:
    x, y = scene.corner(at)
    if scene.look.round:
        return f"M{x + 2.5:g} {y + HALF:g}a20 20 0 1 0 40 0a20 20 0 1 0 -40 0z"
    return f"M{x + 2} {y + 2}h41v41h-41z" if gap else f"M{x} {y}h45v45h-45z"


def _yard(scene: _Scene, first: int, last: int, colour: str) -> Shape:
    """A field of colour from one square to another, whichever of them is on the left as the board lies."""
    (x0, y0), (x1, y1) = scene.corner(first), scene.corner(last)
    size: Attributes = {"width": abs(x1 - x0) + BOX, "height": abs(y1 - y0) + BOX}
    return "rect", {"class": "yard", "x": min(x0, x1), "y": min(y0, y1), **size, "rx": 8, "fill": colour}, ()


def _crossings(scene: _Scene) -> Iterator[Shape]:
    look = scene.look
    across, down = (look.width - 1) * BOX, (look.height - 1) * BOX
    path = "".join(f"M{x * BOX + HALF:g} {HALF:g}v{down}" for x in range(look.width))
    path += "".join(f"M{HALF:g} {y * BOX + HALF:g}h{across}" for y in range(look.height))
    yield "path", _stroked("lines", path, look.lines), ()


def _holes(scene: _Scene) -> Iterator[Shape]:
    path = ""
    for at in range(len(scene.look.names)):
        x, y = scene.corner(at)
        path += f"M{x + 4.5:g} {y + HALF:g}a18 18 0 1 0 36 0a18 18 0 1 0 -36 0z"
    yield "path", {"class": "holes", "d": path, "fill": scene.look.lines}, ()


def _stroked(name: str, path: str, colour: str) -> Attributes:
    return {"class": name, "d": path, "fill": "none", "stroke": colour, "stroke-width": 1.5}


def _labels(scene: _Scene) -> Iterator[Shape]:
    """Letters below the columns, numbers left of the rows, or numbers on the squares."""
    look, size = scene.look, scene.letters
    if scene.small:
        return
    if look.numbered:
        for at, name in enumerate(look.names):
            x, y = scene.corner(at)
            if name.isdigit():
                where: Attributes = {"x": x + 2, "y": y + 8, "text-anchor": "start", "font-size": 7.5}
                yield "text", {"class": "number", **where, "fill": look.ink}, name
    for column, name in enumerate(look.files):
        if name:
            where = {"x": scene.corner(column)[0] + HALF, "y": look.height * BOX + size + size // 8}
            yield "text", {"class": "label", **where, "font-size": size, "fill": "currentColor"}, name
    for row, name in enumerate(look.ranks):
        if name:
            where = {"x": -(size // 2 + size // 4), "y": scene.corner(row * look.width)[1] + HALF + size // 3}
            yield "text", {"class": "label", **where, "font-size": size, "fill": "currentColor"}, name


def _marks(scene: _Scene, board: Mapping[int, str]) -> Iterator[Shape]:
    for at, figure, colour in scene.look.marks:
        if at not in board:
            x, y = scene.corner(at)
            where: Attributes = {"transform": f"translate({x} {y})", "href": f"#{_id(figure)}"}
            yield "use", {"class": "mark", **where, "fill": colour, "stroke": colour, "color": colour}, ()


def _last(scene: _Scene, last: Sequence[int]) -> Iterator[Shape]:
    """A soft tint of the squares; on a board of crossings only where the move began, for a stone has a ring on it."""
    shown: Attributes = {"class": "last", "fill": TINT, "fill-opacity": 0.5}
    for at in last[:-1] if scene.look.kind == "crossings" else last:
        x, y = scene.corner(at)
        if scene.look.round or scene.look.style in ("lines", "holes"):
            yield "circle", {**shown, "cx": x + HALF, "cy": y + HALF, "r": 20}, ()
        else:
            yield "rect", {**shown, "x": x, "y": y, "width": BOX, "height": BOX}, ()


def _alarmed(scene: _Scene, alarm: int | None) -> Iterator[Shape]:
    if alarm is not None:
        x, y = scene.corner(alarm)
        circle: Attributes = {
            "cx": x + HALF,
            "cy": y + HALF,
            "r": 20,
            "fill": ALARM,
            "stroke": ALARM_EDGE,
            "stroke-width": 3,
        }
        yield "circle", {"class": "alarm", **circle}, ()


def _placed(scene: _Scene, board: Mapping[int, str], last: Sequence[int]) -> Iterator[Shape]:
    """A ring on the stone that moved last, a dot on any other piece that was placed."""
    stone = scene.look.kind == "crossings"
    if not last or last[-1] not in board or (len(last) > 1 and not stone):
        return
    x, y = scene.corner(last[-1])
    piece = scene.look.piece(board[last[-1]])
    at: Attributes = {"class": "placed", "cx": x + HALF, "cy": y + HALF}
    if stone:
        yield "circle", {**at, "r": 9, "fill": "none", "stroke": piece.detail, "stroke-width": 4}, ()
    else:
        yield "circle", {**at, "r": 5, "fill": piece.detail, "stroke": piece.fill, "stroke-width": 2}, ()


def _arrow(scene: _Scene, last: Sequence[int]) -> Iterator[Shape]:
    """A thin arrow from source to target, which ends before the piece there; pieces on its way stand over it."""
    if len(last) != 2 or last[0] == last[1]:
        return
    (x0, y0), (x1, y1) = (scene.corner(at) for at in last)
    length = hypot(x1 - x0, y1 - y0)
    u, v = (x1 - x0) / length, (y1 - y0) / length
    neck, tip = length - 27, length - 18
    points = ((0, -1.2), (neck, -1.2), (neck, -5), (tip, 0), (neck, 5), (neck, 1.2), (0, 1.2))
    path = "L".join(f"{_tenths(x0 + HALF + a * u - b * v)} {_tenths(y0 + HALF + a * v + b * u)}" for a, b in points)
    yield "path", {"class": "arrow", "d": f"M{path}z", "fill": DARK, "fill-opacity": 0.7}, ()


def _tenths(number: float) -> str:
    """A number to a tenth, halves upwards, as both languages round it."""
    return f"{int(number * 10 + 1000.5) / 10 - 100:.1f}"


def _badge(scene: _Scene, alarm: int | None) -> Iterator[Shape]:
    if alarm is not None:
        x, y = scene.corner(alarm)
        disc: Attributes = {
            "cx": x + 36,
            "cy": y + 9,
            "r": 7.5,
            "fill": ALARM_EDGE,
            "stroke": "#fff",
            "stroke-width": 1.5,
        }
        yield "circle", {"class": "badge-disc", **disc}, ()
        yield "text", {"class": "badge-text", "x": x + 36, "y": y + 13, "font-size": 12, "fill": "#fff"}, "!"


def _note(look: Description) -> Iterator[Shape]:
    width, height = look.width * BOX, look.height * BOX
    yield "rect", {"class": "a", "x": 0, "y": 0, "width": width, "height": height, "rx": 8, "fill": look.palette[0]}, ()
    lines = ("This board is known", "to the players' programs.", "Moves are text.")
    for at, line in enumerate(lines):
        y = height // 2 + 30 * at - 25
        yield "text", {"class": "note", "x": width / 2, "y": y, "fill": DARK, "font-size": 22}, line


def _id(figure: str) -> str:
    return f"f-{figure.replace(' ', '-')}"


@lru_cache(maxsize=512)
def _figure(name: str, parts: tuple[Part, ...]) -> str:
    drawn_parts: tuple[Shape, ...] = tuple(("path", {**ROLES[role], "d": path}, ()) for path, role in parts)
    joined: Attributes = {"stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round"}
    return _written(("g", {"id": _id(name), **joined}, drawn_parts))


def _defined(figures: Mapping[str, tuple[Part, ...]]) -> str:
    return _written(SHEEN) + "".join(_figure(name, parts) for name, parts in figures.items())


def _written(shape: Shape) -> str:
    """The shape as SVG text."""
    tag, attributes, inside = shape
    shown = "".join(f' {name}="{_value(value)}"' for name, value in attributes.items())
    content = escape(inside) if isinstance(inside, str) else "".join(map(_written, inside))
    return f"<{tag}{shown}>{content}</{tag}>" if content else f"<{tag}{shown}/>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:g}"
