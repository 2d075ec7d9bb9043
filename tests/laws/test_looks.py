"""The board of every game can be read in 256 colours, on dark and light terminals.

Colours are compared as such a terminal shows them: rich, which writes them for textual, names the nearest of the 256.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any

import pytest
from rich.color import Color, ColorSystem
from textual.theme import BUILTIN_THEMES

from clients import drawing, shapes
from gateway import registry
from gateway.games.base import CHANCE, Game
from gateway.games.look import SHAPES, Board, Look, belongs
from gateway.games.parts import chance_of
from protocols.core.model import PASS, Settings

GAMES = [(game, variant) for game in registry.games().values() for variant in game.variants]
IDS = [f"{game.name}-{variant.name}" for game, variant in GAMES]
each_rule_set = pytest.mark.parametrize(("game", "variant"), GAMES, ids=IDS)

PIECE, LINE = 2.0, 1.4
"""The least contrast, by WCAG 2's formula, of a piece and of a line with its ground; 1 is none, 21 black on white."""

SEEN = 11.0
"""The least distance of two surfaces in CIELAB: some five times what is just noticed side by side."""


def settings_of(game: Game[Any], variant: Any, seats: int = 0) -> Settings:
    return game.settings(variant.name, seats or max(variant.seats))


def look_of(game: Game[Any], variant: Any) -> Look:
    return game.look(settings_of(game, variant))


def few(colour: str) -> tuple[float, float, float]:
    """The linear red, green and blue of the nearest of 256 colours."""
    shown = Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shown.normalized)
    return red, green, blue


def light(colour: str) -> float:
    red, green, blue = few(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def lab(colour: str) -> tuple[float, float, float]:
    red, green, blue = few(colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str) -> float:
    return sqrt(sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)))


def grounds(look: Look, size: int) -> set[str]:
    return {look.ground, look.dark, *(own for at, own in look.squares.items() if at < size)} - {""}


def pieces_of(game: Game[Any], variant: Any) -> dict[str, Any]:
    """Every piece with a look of its own, and those on the first board; a side's where neither is any."""
    look = look_of(game, variant)
    board = game.board(game.start(settings_of(game, variant))).values()
    return {words: look.piece(words) for words in {*look.pieces, *board} or look.sides}


def test_the_measure_is_known() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert distance("#000000", "#ffffff") == pytest.approx(100, abs=0.1)
    assert few("#3f8f5b") == few("#388453"), "two greens that a terminal of 256 colours shows as one"


@each_rule_set
def test_a_piece_can_be_told_from_every_ground(game: Game[Any], variant: Any) -> None:
    look = look_of(game, variant)
    behind = grounds(look, variant.width * variant.height)
    for words, piece in pieces_of(game, variant).items():
        for ground in behind:
            assert contrast(piece.colour, ground) >= PIECE, (words, piece.colour, ground)


@each_rule_set
def test_squares_can_be_told_from_each_other(game: Game[Any], variant: Any) -> None:
    look = look_of(game, variant)
    if look.board is Board.CHEQUERED:
        assert contrast(look.ground, look.dark) >= LINE
    else:
        for ground in grounds(look, variant.width * variant.height):
            assert contrast(look.line, ground) >= LINE, ground


@each_rule_set
@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
def test_the_board_can_be_told_from_the_terminal_around_it(game: Game[Any], variant: Any, theme: str) -> None:
    look, behind = look_of(game, variant), BUILTIN_THEMES[theme].to_color_system().generate()["background"]
    for ground in grounds(look, variant.width * variant.height):
        assert distance(ground, behind) >= SEEN, ground
    assert distance(look.around, behind) >= SEEN


@each_rule_set
def test_every_highlight_can_be_told_from_the_plain_square(game: Game[Any], variant: Any) -> None:
    look, size = look_of(game, variant), variant.width * variant.height
    plain = drawing.Scene(variant.width, variant.height, look, {})
    everywhere = frozenset(range(size))
    for at in everywhere:
        for shown in (
            replace(plain, movable=everywhere),
            replace(plain, last=everywhere),
            replace(plain, won=everywhere),
            replace(plain, cursor=at),
            replace(plain, source=at),
            replace(plain, alarm=at),
        ):
            assert distance(drawing.shown_ground(plain, at), drawing.shown_ground(shown, at)) >= SEEN, at


@each_rule_set
def test_the_dot_on_a_square_to_go_to_can_be_seen(game: Game[Any], variant: Any) -> None:
    everywhere = frozenset(range(variant.width * variant.height))
    scene = drawing.Scene(variant.width, variant.height, look_of(game, variant), {}, targets=everywhere)
    for at in everywhere:
        assert distance(drawing.TARGET, drawing.shown_ground(scene, at)) >= SEEN, at


@each_rule_set
def test_every_shape_and_glyph_can_be_drawn(game: Game[Any], variant: Any) -> None:
    look = look_of(game, variant)
    for piece in (*pieces_of(game, variant).values(), *look.marks.values()):
        assert piece.shape in SHAPES
        assert len(piece.glyph) == 1
        assert len(piece.letters) in (0, 2)


def test_the_terminal_draws_every_shape_that_a_look_may_name() -> None:
    assert set(shapes.SHAPES) == SHAPES


@each_rule_set
def test_pieces_of_different_sides_differ_in_shape_as_well_as_in_colour(game: Game[Any], variant: Any) -> None:
    known = pieces_of(game, variant)
    sides = look_of(game, variant).sides
    shapes_by_side = [{piece.shape for words, piece in known.items() if belongs(words, side)} for side in sides]
    for one in range(len(sides)):
        for other in range(one):
            assert not shapes_by_side[one] & shapes_by_side[other]


@each_rule_set
def test_squares_and_moves_have_one_notation(game: Game[Any], variant: Any) -> None:
    """A move that goes somewhere names a square as the board's labels do; castling has a word of its own."""
    if not game.judged:
        return
    settings, lots = settings_of(game, variant), Random(5)
    look, position = game.look(settings), game.start(settings)
    for _ in range(60):
        turn = game.to_move(position)
        if turn is None:
            break
        if turn is CHANCE:
            position = chance_of(game).rolled(position, lots.randint(1, chance_of(game).chance(position).sides))
            continue
        for move in game.legal_moves(position):
            written = game.notation(position, move)
            if move == PASS or written.startswith("O-O"):
                continue
            names = [
                look.name(at, settings.width, settings.height) for at in (move.source, move.target) if at is not None
            ]
            assert any(name and name in written for name in names), (written, names)
        position = game.play(position, lots.choice(game.legal_moves(position)))


@each_rule_set
def test_squares_that_decided_a_game_are_on_the_board(game: Game[Any], variant: Any) -> None:
    settings, lots = settings_of(game, variant), Random(7)
    position = game.start(settings)
    assert game.decisive(position) == ()
    for _ in range(400):
        turn = game.to_move(position)
        if turn is None or not game.judged:
            break
        if turn is CHANCE:
            position = chance_of(game).rolled(position, lots.randint(1, chance_of(game).chance(position).sides))
        else:
            position = game.play(position, lots.choice(game.legal_moves(position)))
    decisive = game.decisive(position)
    assert list(decisive) == sorted(set(decisive))
    assert set(decisive) <= game.board(position).keys()
