"""Boards as they are drawn in a terminal: cells, marks, pieces told apart without colour."""

from __future__ import annotations

import pytest

from gateway import registry
from gateway.clients import chessmen, looks, shapes
from gateway.clients.drawing import CURSOR, MARGIN, Scene, layout, line

FLAT = [(game, variant) for game in registry.games().values() if game.judged for variant in game.variants]
"""Where nobody here knows the rules, nothing is ever on the board."""

BOARD_AT_80X24 = (80 - 33, 24 - 1)
"""What the side panel and the line of keys leave of the smallest terminal."""

MOST_ROWS_OF_TWO = 11
"""Rows of squares that have two rows of the terminal each there: more do not fit, one is for the files' letters."""


def scene(name: str, options: dict[str, str] | None = None, **shown: object) -> Scene:
    game = registry.game(name)
    settings = game.settings(options=options)
    theme = looks.theme(name, settings.variant, game.sides, settings.width, settings.height)
    return Scene(settings.width, settings.height, theme, game.board(game.start(settings)), **shown)  # type: ignore[arg-type]


def drawn(scene: Scene, columns: int, rows: int) -> list[str]:
    where = layout(scene, columns, rows)
    return ["".join(text for text, _, _ in line(where, y)) for y in range(rows)]


@pytest.mark.parametrize(("game", "variant"), FLAT, ids=[f"{g.name}-{v.name}" for g, v in FLAT])
def test_every_board_fits_beside_the_panel_of_the_smallest_terminal(game: object, variant: object) -> None:
    name, size = game.name, (variant.width, variant.height)  # type: ignore[attr-defined]
    theme = looks.theme(name, variant.name, game.sides, *size)  # type: ignore[attr-defined]
    shown = Scene(*size, theme, {})
    lines = drawn(shown, *BOARD_AT_80X24)
    assert max(map(len, lines)) <= BOARD_AT_80X24[0]
    assert any(row.split() == list(theme.files)[: size[0]] for row in lines)
    assert layout(shown, *BOARD_AT_80X24).cell >= (2 if size[1] <= MOST_ROWS_OF_TWO else 1)


def test_small_squares_show_a_glyph_each() -> None:
    board = drawn(scene("checkers"), 20, 9)
    assert board[0] == " 8   ●   ●   ●   ● "
    assert board[7] == " 1 ○   ○   ○   ○   "
    assert board[8].split() == list("abcdefgh")


def test_squares_grow_with_the_room() -> None:
    sizes = [
        layout(scene("checkers"), columns, rows).cell for columns, rows in ((20, 9), (40, 20), (60, 30), (300, 90))
    ]
    assert sizes == [1, 2, 3, 6]


def test_a_point_of_the_window_names_the_square_drawn_there() -> None:
    where = layout(scene("tic_tac_toe"), MARGIN + 12, 7)
    assert (where.cell, where.left, where.top) == (2, 0, 0)
    assert where.square_at(MARGIN, 0) == 0
    assert where.square_at(MARGIN + 11, 5) == 8
    assert where.square_at(MARGIN - 1, 0) is None
    assert where.square_at(MARGIN, 6) is None


def test_a_flipped_board_has_the_last_square_first_and_names_it_so() -> None:
    flipped = scene("checkers", flipped=True)
    assert layout(flipped, 20, 9).square_at(MARGIN, 0) == 63
    board = drawn(flipped, 20, 9)
    assert board[0].startswith(" 1 ")
    assert board[8].split() == list("hgfedcba")


def test_cursor_selection_targets_and_last_move_each_colour_their_square() -> None:
    plain = scene("checkers")
    marked = scene("checkers", cursor=0, source=2, targets=frozenset({4}), movable=frozenset({6}), last=frozenset({9}))
    rows = [list(line(layout(shown, 20, 9), y)) for shown in (plain, marked) for y in (0, 1)]
    grounds = [[ground for text, _, ground in row][2:] for row in rows]
    changed = [x for x in range(8) if grounds[0][x] != grounds[2][x]]
    assert changed == [0, 2, 4, 6]
    assert grounds[2][0] == CURSOR
    assert [x for x in range(8) if grounds[1][x] != grounds[3][x]] == [1]


def test_the_cursor_is_named_at_the_edge_for_those_who_do_not_see_its_colour() -> None:
    row = list(line(layout(scene("checkers", cursor=0), 20, 9), 0))
    assert row[1] == (" 8 ", CURSOR, "")


def test_pieces_of_different_sides_differ_in_shape_as_well_as_in_colour() -> None:
    for game in registry.games().values():
        settings = game.settings(seats=max(game.variants[0].seats))
        theme = looks.theme(game.name, settings.variant, game.sides, settings.width, settings.height)
        found = [{look.shape for piece, look in theme.pieces.items() if looks.belongs(piece, s)} for s in game.sides]
        for one in range(len(found)):
            for other in range(one):
                assert not found[one] & found[other], game.name


def test_a_game_without_a_look_of_its_own_gets_a_plain_one() -> None:
    theme = looks.theme("no such game", "", ("white", "black"), 8, 8)
    assert (theme.look("white king").label, theme.look("black pawn").label) == ("Ki", "Pa")
    assert theme.look("white king").shape != theme.look("black king").shape
    assert len(theme.grounds) == 64


def test_every_shape_has_the_size_asked_for() -> None:
    for shape in shapes.SHAPES:
        for cell in (1, 2, 3, 4, 6):
            rows = shapes.rows(shape, 2 * cell, cell)
            assert [len(row) for row in rows] == [2 * cell] * cell


def test_a_disc_is_round() -> None:
    assert [[letter for letter, _ in row] for row in shapes.rows("disc", 4, 2)] == [list("▗▆▆▖"), list("▝▂▂▘")]
    assert [turned for _, turned in shapes.rows("disc", 4, 2)[1]] == [False, True, True, False]


def test_figures_drawn_by_hand_fill_squares_of_two_three_and_four_rows() -> None:
    for figures in chessmen.BY_HAND.values():
        assert [(len(rows), {len(row) for row in rows}) for rows in figures] == [(4, {8}), (6, {12}), (8, {16})]


def test_chess_pieces_differ_at_every_size() -> None:
    for cell in (2, 3, 4, 5, 6):
        drawn = {piece: shapes.rows(piece, 2 * cell, cell) for piece in chessmen.OUTLINES}
        assert len(set(drawn.values())) == 12, cell


def test_a_rook_is_drawn_by_quarters_of_a_cell() -> None:
    drawn = shapes.rows("black rook", 4, 2)
    assert ["".join(letter for letter, _ in row) for row in drawn] == ["▗▖▗▖", "▐██▌"]


def test_a_king_in_check_stands_on_a_square_of_its_own_colour() -> None:
    calm, checked = scene("chess"), scene("chess", alarm=4, last=frozenset({4}))
    grounds = [[ground for _, _, ground in line(layout(shown, 20, 9), 0)][2:] for shown in (calm, checked)]
    assert [x for x in range(8) if grounds[0][x] != grounds[1][x]] == [4]


def test_a_board_of_crossings_has_lines_stars_and_letters_without_i() -> None:
    board = drawn(scene("go", {"size": "9"}), 21, 10)
    assert board[0] == " 9 ┌─┬─┬─┬─┬─┬─┬─┬─┐ "
    assert board[2] == " 7 ├─┼─╋─┼─┼─┼─╋─┼─┤ "
    assert board[8] == " 1 └─┴─┴─┴─┴─┴─┴─┴─┘ "
    assert board[9].split() == list("ABCDEFGHJ")


def test_stones_stand_on_the_lines_and_dead_ones_are_crossed_out_in_their_own_colour() -> None:
    plain = scene("go", {"size": "9"})
    stones = {0: "black", 1: "white", 2: "white"}
    shown = Scene(9, 9, plain.theme, stones, dead=frozenset({2}))
    row = list(line(layout(shown, 21, 10), 0))
    assert "".join(text for text, _, _ in row) == " 9 ●─○─×─┬─┬─┬─┬─┬─┐ "
    colours = {text: colour for text, colour, _ in row}
    assert colours["×"] == colours["○"] != colours["●"]


def test_lines_cross_in_the_middle_of_larger_cells() -> None:
    assert drawn(scene("go", {"size": "5"}), 33, 16)[:4] == [
        "                                 ",
        " 5   ┌─────┬─────┬─────┬─────┐   ",
        "     │     │     │     │     │   ",
        "     │     │     │     │     │   ",
    ]


@pytest.mark.parametrize(("size", "stars"), [("5", 0), ("8", 4), ("9", 5), ("13", 5), ("19", 9), ("25", 9)])
def test_star_points_are_the_usual_ones(size: str, stars: int) -> None:
    assert len(scene("go", {"size": size}).theme.marks) == stars


def test_where_stones_may_be_placed_is_not_drawn_on_a_board_of_crossings() -> None:
    assert looks.theme("go", "area", ("black", "white"), 19, 19).lines
    assert not looks.theme("chess", "normal", ("white", "black"), 8, 8).lines


def test_go_calls_its_squares_as_go_players_do() -> None:
    assert [looks.square_name("go", at, 19, 19) for at in (0, 8, 18, 19 * 18)] == ["A19", "J19", "T19", "A1"]
    assert looks.square_name("chess", 63, 8, 8) == "h1"


def test_rows_that_players_count_from_the_top_are_numbered_so_either_way_round() -> None:
    upright, turned = (drawn(scene("reversi", flipped=flipped), 20, 9) for flipped in (False, True))
    assert upright[3] == " 4       ○ ●       "
    assert [row[:2].strip() for row in upright] == ["1", "2", "3", "4", "5", "6", "7", "8", ""]
    assert [row[:2].strip() for row in turned] == ["8", "7", "6", "5", "4", "3", "2", "1", ""]
    assert [looks.square_name("reversi", at, 8, 8) for at in (0, 19, 63)] == ["a1", "d3", "h8"]
    pointed = list(line(layout(scene("reversi", cursor=19), 20, 9), 2))
    assert pointed[1] == (" 3 ", CURSOR, "")
