"""A game's board and pieces as the browser is told them: one JSON text for game, rule set and size, named by its hash.

A page names the hash, and the browser fetches the text once (``looks_routes``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.games.base import Game
from gateway.games.figures import HOOP, figures
from gateway.games.look import SIDES, Board, Look, Part, Piece, belongs
from gateway.games.parts import Chance
from gateway.web.headers import accepts_gzip, packed
from protocols.core.model import Settings

Key = TypeVar("Key")

MOST: Final = 512
"""Descriptions that are kept, the latest asked for: at some 8 KB each, more rule sets and sizes than pages show."""

KEY_LENGTH: Final = 16
"""Hexadecimal digits of a SHA-256: 64 bits, for at most MOST texts that this server wrote itself."""

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""``ground`` names the colours of the palette by these; "." is no square."""

NO_SQUARE: Final = "."

FOREVER: Final = "public, max-age=31536000, immutable"

KINDS: Final[Mapping[Board, str]] = {Board.LINES: "crossings"}
"""By the way a board is drawn; all others are ``cells``."""


class Shown(msgspec.Struct, frozen=True):
    """A piece: a figure, the colours of it, its outline and what is drawn on it; letters; spoken words; its seat."""

    figure: str
    fill: str
    edge: str
    detail: str
    label: str
    says: str
    side: int | None


class Description(msgspec.Struct, frozen=True, dict=True):
    """All that a browser knows of a game.

    kind       ``cells``, ``crossings``, or ``text``: no rules and no board, a move is what was written
    passing    the words of a button that moves no piece
    style      how the board is drawn, by the names of look.Board
    sides      the seats' names; ``turned`` are the seats that see the board the other way round
    palette    the board's colours, the second that of dark squares; ``ground`` has a digit of one a square, row by row
    round      squares are round fields; ``track`` is a closed line under them, by squares
    yards      fields of colour under squares: the first, the last, the colour
    corners    by seat, "far" or "near" and "left" or "right", where a yard says so
    names      of the squares, row by row from the top left; ``numbered``: they are written on the squares, in ``ink``
    files      of the columns from the left, ``ranks`` of the rows from the top; "" where there are none
    marks      square, figure and colour of what is drawn on empty squares; ``goals`` by side, the squares to reach
    pieces     by their words; one that is not listed gets its side's of ``plain`` and letters of its last word
    figures    by name, the parts in a box of 45x45: path and role (gateway/games/figures.py)
    """

    game: str
    variant: str
    title: str
    kind: str
    style: str
    width: int
    height: int
    sides: tuple[str, ...]
    turned: tuple[int, ...]
    judged: bool
    dice: bool
    passing: str
    pockets: bool
    palette: tuple[str, ...]
    ground: str
    lines: str
    patch: str
    around: str
    round: bool
    track: tuple[int, ...]
    yards: tuple[tuple[int, int, str], ...]
    corners: tuple[tuple[str, str], ...]
    ink: str
    names: tuple[str, ...]
    numbered: bool
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    marks: tuple[tuple[int, str, str], ...]
    goals: dict[str, tuple[int, ...]]
    pieces: dict[str, Shown]
    plain: tuple[Shown, ...]
    figures: dict[str, tuple[Part, ...]]

    @cached_property
    def json(self) -> str:
        """The text that the browser gets."""
        return msgspec.json.encode(self).decode()

    @cached_property
    def packed(self) -> bytes | None:
        """The same text compressed by gzip; None where that gains nothing."""
        return packed(self.json.encode())

    @cached_property
    def key(self) -> str:
        """The name of the text: the beginning of its SHA-256."""
        return sha256(self.json.encode()).hexdigest()[:KEY_LENGTH]

    def piece(self, words: str) -> Shown:
        """A piece by its words."""
        if listed := self.pieces.get(words):
            return listed
        side = next((at for at, name in enumerate(self.sides) if belongs(words, name)), 0)
        kind = words.split(" ")[-1]
        label = kind[:2].title() if kind != words else ""
        return msgspec.structs.replace(self.plain[side % len(self.plain)], label=label, says=words, side=side)

    def in_words(self, board: Mapping[int, str]) -> str:
        """The pieces and where they stand, for those who cannot see them: "white king e1, black king e8"."""
        return ", ".join(f"{self.piece(piece).says} {self.names[at]}" for at, piece in sorted(board.items()))


_known: OrderedDict[str, Description] = OrderedDict()
"""By key, the last descriptions that pages were made with. A key names what the text says, on whichever server."""

_of_settings: OrderedDict[tuple[object, ...], Description] = OrderedDict()


def described(game: Game[Any], settings: Settings) -> Description:
    """The description of a table's game; ``/api/looks/KEY`` serves it from then on."""
    asked = (settings.game, settings.variant, settings.width, settings.height, settings.seats, settings.options)
    found = _of_settings.get(asked) or _describe(game, settings)
    _keep(_of_settings, asked, found)
    _keep(_known, found.key, found)
    return found


def _keep(kept: OrderedDict[Key, Description], key: Key, found: Description) -> None:
    """Remember this one; the one asked for longest ago is forgotten beyond MOST."""
    kept[key] = found
    kept.move_to_end(key)
    while len(kept) > MOST:
        kept.popitem(last=False)


def looks_routes() -> list[Route]:
    """``GET /api/looks/KEY``: a description that a page has named, for browsers to keep; 404 for any other key."""
    return [Route("/api/looks/{key}", _answer)]


async def _answer(request: Request) -> Response:
    found = _known.get(request.path_params["key"])
    if found is None:
        refused = {"error": "not_found", "message": "this server has not named such a look"}
        return JSONResponse(refused, status_code=404, headers={"cache-control": "no-store"})
    headers = {"cache-control": FOREVER, "vary": "accept-encoding"}
    if accepts_gzip(request) and (small := found.packed) is not None:
        return Response(small, media_type="application/json", headers={**headers, "content-encoding": "gzip"})
    return Response(found.json, media_type="application/json", headers=headers)


def _describe(game: Game[Any], settings: Settings) -> Description:
    look, size = game.look(settings), settings.width * settings.height
    first = game.start(settings)
    board = game.board(first)
    sides = game.called(settings)
    palette, ground = _grounds(look, settings.width, size)
    pieces = {words: _shown(look.piece(words), words, sides) for words in sorted({*look.pieces, *board.values()})}
    plain = tuple(_shown(piece, name, sides) for piece, name in zip(SIDES, sides, strict=False))
    marks = tuple(
        (at, piece.figure or piece.shape, piece.paint or piece.colour)
        for at, piece in sorted(look.marks.items())
        if at < size
    )
    used = {piece.figure for piece in (*pieces.values(), *plain)} | {figure for _, figure, _ in marks}
    known = {**figures(), **look.figures}
    return Description(
        game=settings.game,
        variant=settings.variant,
        title=game.title,
        kind="text" if not game.judged and not board else KINDS.get(look.board, "cells"),
        style=look.board.value,
        width=settings.width,
        height=settings.height,
        sides=sides,
        turned=tuple(sorted(look.turned)),
        judged=game.judged,
        dice=isinstance(game, Chance),
        passing=game.passing,
        pockets=bool(game.hands(first)),
        palette=palette,
        ground=ground,
        lines=look.line,
        patch=look.patch,
        around=look.around,
        round=look.round,
        track=look.track,
        yards=tuple(look.yards.values()),
        corners=_corners(look, sides, settings),
        ink=colours_on(look.patch)[1],
        names=tuple(_name(look, at, settings) for at in range(size)),
        numbered=bool(look.numbers),
        files=tuple(look.file(column) for column in range(settings.width)),
        ranks=tuple(look.rank(row, settings.height) for row in range(settings.height)),
        marks=marks,
        goals={side: tuple(sorted(squares)) for side, squares in sorted(look.goals.items()) if side in sides},
        pieces=pieces,
        plain=plain,
        figures={name: known[name] for name in sorted(used)},
    )


def _corners(look: Look, sides: tuple[str, ...], settings: Settings) -> tuple[tuple[str, str], ...]:
    """By seat, the corner of the board that its yard is next to; none where a seat has no yard."""
    if not all(side in look.yards for side in sides):
        return ()
    firsts = (divmod(look.yards[side][0], settings.width) for side in sides)
    return tuple(
        ("near" if 2 * row >= settings.height else "far", "right" if 2 * column >= settings.width else "left")
        for row, column in firsts
    )


def _grounds(look: Look, width: int, size: int) -> tuple[tuple[str, ...], str]:
    """The palette, and a digit of it for each square. Ground and dark come first, wherever they are used."""
    palette = [look.ground, look.dark or look.ground]
    digits = ""
    for at in range(size):
        colour = look.ground_of(at, width)
        if not colour:
            digits += NO_SQUARE
            continue
        if colour not in palette:
            palette.append(colour)
        digits += DIGITS[palette.index(colour)]
    return tuple(palette), digits


def _name(look: Look, at: int, settings: Settings) -> str:
    """The players' name of a square. One without is called by its column and row, counted from the top left with 1."""
    column, row = at % settings.width, at // settings.width
    return look.full_name(at, settings.width, settings.height) or f"column {column + 1} row {row + 1}"


def _shown(piece: Piece, words: str, sides: tuple[str, ...]) -> Shown:
    side = next((at for at, name in enumerate(sides) if belongs(words, name)), None)
    colour = piece.paint or piece.colour
    edge, detail = colours_on(colour)
    plain = HOOP if piece.shape == "ring" and not _bright(colour) else piece.shape
    label = "" if piece.figure else piece.letters
    return Shown(piece.figure or plain, colour, edge, detail, label, words, side)


def colours_on(fill: str) -> tuple[str, str]:
    """The outline of a piece of this colour, and what is drawn on it: dark on bright pieces, white on dark ones."""
    if _bright(fill):
        return _darker(fill, 0.15), _darker(fill, 0.15)
    return _darker(fill, 0.5), "#f4f4f4"


def _bright(colour: str) -> bool:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red * 0.3 + green * 0.59 + blue * 0.11 > 120


def _darker(colour: str, share: float) -> str:
    return "#" + "".join(f"{round(int(colour[at : at + 2], 16) * share):02x}" for at in (1, 3, 5))
