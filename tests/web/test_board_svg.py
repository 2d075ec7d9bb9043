"""Tests of boards as SVG: well-formed, without ``style``, and every piece of every playthrough stands on its square."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gateway import registry
from gateway.games.base import CHANCE
from gateway.web.board.description import Description, described
from gateway.web.board.svg import drawn, figures_of
from protocols.core.squares import number
from tests.playthroughs import form

SVG = "{http://www.w3.org/2000/svg}"
BOX = 45

every_playthrough = pytest.mark.parametrize("path", form.files(), ids=lambda path: path.stem)


def look(name: str, variant: str = "", **options: str) -> Description:
    game = registry.game(name)
    return described(game, game.settings(variant, options=options))


def first(name: str, variant: str = "") -> dict[int, str]:
    game = registry.game(name)
    return game.board(game.start(game.settings(variant)))


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def pieces(root: ElementTree.Element) -> dict[int, ElementTree.Element]:
    return {int(node.attrib["data-at"]): node for node in root.iter(f"{SVG}g") if "data-at" in node.attrib}


def corner(piece: ElementTree.Element) -> tuple[float, float]:
    found = re.match(r"translate\(([-0-9.]+) ([-0-9.]+)\)", piece.attrib["transform"])
    assert found is not None
    return float(found[1]), float(found[2])


def layer(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [node for node in root.iter() if name in node.get("class", "").split()]


@every_playthrough
def test_every_piece_of_every_position_stands_on_its_square(path: Path) -> None:
    script = form.read(path.read_text(encoding="utf-8"))
    game, settings = script.rules(), script.settings()
    shown = described(game, settings)
    for position in script.positions()[::5]:
        board = game.board(position)
        root = read(drawn(shown, board, alarm=game.alarm(position)))
        found = pieces(root) if shown.kind != "text" else {}
        assert found.keys() == board.keys()
        for at, piece in found.items():
            x, y = corner(piece)
            inset = 4.5 if shown.kind == "crossings" else 0
            assert (x + inset, y + inset) == (at % settings.width * BOX, at // settings.width * BOX)
            assert piece[0].attrib["href"] == f"#f-{shown.piece(board[at]).figure.replace(' ', '-')}"


@every_playthrough
def test_the_text_has_no_style_no_script_and_only_figures_it_defines(path: Path) -> None:
    script = form.read(path.read_text(encoding="utf-8"))
    game, settings = script.rules(), script.settings()
    position: Any = script.positions()[-1]
    turn = game.to_move(position)
    assert turn == CHANCE or turn is None or turn in range(settings.seats)
    text = drawn(described(game, settings), game.board(position), title=game.title)
    root = read(text)
    assert "style" not in {name for node in root.iter() for name in node.attrib}
    assert not any(name.startswith("on") for node in root.iter() for name in node.attrib)
    defined = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
    assert {node.attrib["href"][1:] for node in root.iter(f"{SVG}use")} <= defined


def test_chess_begins_with_32_pieces_and_knights_on_b1_g1_b8_g8() -> None:
    found = pieces(read(drawn(look("chess"), first("chess"))))
    assert len(found) == 32
    squares = {"open-knight": {"b1", "g1"}, "knight": {"b8", "g8"}, "open-king": {"e1"}, "queen": {"d8"}}
    for figure, names in squares.items():
        on = {at for at, piece in found.items() if piece[0].attrib["href"] == f"#f-{figure}"}
        assert on == {number(name, 8, 8) for name in names}


def test_a_turned_board_has_the_first_square_in_the_last_corner_and_its_labels_too() -> None:
    root = read(drawn(look("chess"), {0: "black rook"}, turned=True))
    assert corner(pieces(root)[0]) == (7 * BOX, 7 * BOX)
    labels = [node for node in layer(root, "label") if node.text == "a"]
    assert [float(node.attrib["x"]) for node in labels] == [7.5 * BOX]


def test_go_has_stones_on_crossings_and_star_points_where_none_stands() -> None:
    shown = look("go", size="9")
    assert len(layer(read(drawn(shown, {})), "mark")) == 5
    middle = 4 * 9 + 4
    assert len(layer(read(drawn(shown, {middle: "black"})), "mark")) == 4


def test_connect_four_is_a_rack_of_42_holes() -> None:
    root = read(drawn(look("connect_four"), {}))
    assert layer(root, "holes")[0].attrib["d"].count("M") == 42


def test_ludo_has_a_table_around_and_its_squares_with_gaps() -> None:
    root = read(drawn(look("ludo"), {}))
    assert len(layer(root, "around")) == 1
    ground = [node for name in ("a", "own") for node in layer(root, name)]
    assert sum(node.attrib["d"].count("M") for node in ground) == 72


def test_ludo_is_a_light_board_of_round_fields_with_a_yard_of_each_colour() -> None:
    root = read(drawn(look("ludo"), {}))
    assert len(layer(root, "yard")) == 4
    assert layer(root, "track")[0].attrib["d"].count("L") == 39
    assert layer(root, "own")[0].attrib["d"].count("a20 20") == 2 * layer(root, "own")[0].attrib["d"].count("M")


def test_a_yard_lies_under_its_squares_from_either_side() -> None:
    for turned in (False, True):
        root = read(drawn(look("ludo"), {0: "yellow"}, turned=turned))
        x, y = corner(pieces(root)[0])
        yard = layer(root, "yard")[0].attrib
        assert float(yard["x"]) <= x <= float(yard["x"]) + float(yard["width"]) - BOX
        assert float(yard["y"]) <= y <= float(yard["y"]) + float(yard["height"]) - BOX


def test_the_last_move_is_a_tint_of_both_squares_and_an_arrow_that_ends_before_the_piece() -> None:
    e2, e4 = number("e2", 8, 8), number("e4", 8, 8)
    root = read(drawn(look("chess"), {e4: "white pawn"}, last=(e2, e4)))
    assert {(float(node.attrib["x"]), float(node.attrib["y"])) for node in layer(root, "last")} == {
        (4 * BOX, 6 * BOX),
        (4 * BOX, 4 * BOX),
    }
    points = re.findall(r"([0-9.]+) ([0-9.]+)", layer(root, "arrow")[0].attrib["d"])
    assert min(float(y) for _, y in points) == 4.5 * BOX + 18
    assert {float(x) for x, _ in points} == {4.5 * BOX + a for a in (-5, -1.2, 0, 1.2, 5)}
    assert layer(root, "placed") == []


def test_a_placement_has_a_tint_and_a_dot_in_the_colour_that_stands_out_and_a_stone_a_ring() -> None:
    shown = look("reversi")
    for words in ("black", "white"):
        root = read(drawn(shown, {0: words}, last=(0,)))
        assert len(layer(root, "last")) == 1
        assert [node.attrib["fill"] for node in layer(root, "placed")] == [shown.piece(words).detail]
    root = read(drawn(look("go"), {0: "black"}, last=(0,)))
    assert layer(root, "last") == []
    assert len(layer(root, "placed")) == 1


def test_a_man_and_a_king_of_checkers_are_told_apart_by_form() -> None:
    found = pieces(read(drawn(look("checkers"), {1: "white man", 3: "white king", 5: "black man", 7: "black king"})))
    assert len({piece[0].attrib["href"] for piece in found.values()}) == 4


def test_check_has_a_badge_beside_its_colour() -> None:
    root = read(drawn(look("chess"), {4: "black king"}, alarm=4))
    assert len(layer(root, "alarm")) == 1
    assert [node.text for node in layer(root, "badge-text")] == ["!"]


def test_dead_stones_are_crossed_out() -> None:
    root = read(drawn(look("go"), {0: "black", 1: "white"}, dead={1}))
    assert [int(node.attrib["data-at"]) for node in layer(root, "dead")] == [1]
    assert len(layer(root, "crossed")) == 1


def test_a_small_board_has_no_labels_and_no_margin() -> None:
    root = read(drawn(look("chess"), {}, small=True))
    assert layer(root, "label") == []
    assert root.attrib["viewBox"] == "-2 -2 364 364"


def test_a_title_is_spoken_and_cannot_leave_its_attribute() -> None:
    root = read(drawn(look("chess"), {}, title='Ann "x" <b> & Bob'))
    assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", 'Ann "x" <b> & Bob')
    assert read(drawn(look("chess"), {})).attrib["aria-hidden"] == "true"


def test_many_boards_share_their_figures() -> None:
    chess, go = look("chess"), look("go")
    shared = read(figures_of(chess, go, chess))
    ids = [node.attrib["id"] for node in shared.iter() if "id" in node.attrib]
    assert len(ids) == len(set(ids)) == len(chess.figures.keys() | go.figures.keys()) + 1, "and the light on them"
    assert "<defs>" not in drawn(chess, first("chess"), figures=False)


def test_a_picture_has_all_that_its_figures_are_filled_with() -> None:
    for root in (read(drawn(look("go"), {0: "black", 1: "white"})), read(figures_of(look("go")))):
        ids = {node.attrib.get("id") for node in root.iter()}
        filled = {node.attrib.get("fill", "") for node in root.iter()}
        named = {fill[len("url(#") : -1] for fill in filled if fill.startswith("url(#")}
        assert named
        assert named <= ids


def test_the_chess_board_weighs_little() -> None:
    assert len(drawn(look("chess"), first("chess"))) < 16_000
    assert len(drawn(look("chess"), first("chess"), small=True, figures=False)) < 8_000
