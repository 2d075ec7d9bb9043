"""Boards as they are drawn in a terminal: cells, marks, pieces told apart without colour."""

from __future__ import annotations

import pytest

from clients import chessmen, shapes
from clients.drawing import CURSOR, INK, MARGIN, Scene, layout, line
from gateway import registry
from gateway.games.look import Board, Look

FLAT = [(game, variant) for game in registry.games().values() if game.judged for variant in game.variants]
"""Games without rules here: their boards stay empty."""

BOARD_AT_80X24 = (80 - 33, 24 - 1)
"""The room that the side panel and the line of keys leave of the smallest terminal."""

MOST_ROWS_OF_TWO = 11
"""Rows of squares that have two rows of the terminal each there: more do not fit, one is for the files' letters."""


def scene(name: str, options: dict[str, str] | None = None, **shown: object) -> Scene:
    game = registry.game(name)
    settings = game.settings(options=options)
    return Scene(settings.width, settings.height, game.look(settings), game.board(game.start(settings)), **shown)  # type: ignore[arg-type]


def drawn(scene: Scene, columns: int, rows: int) -> list[str]:
    where = layout(scene, columns, rows)
    return ["".join(text for text, _, _ in line(where, y)) for y in range(rows)]


@pytest.mark.parametrize(("game", "variant"), FLAT, ids=[f"{g.name}-{v.name}" for g, v in FLAT])
def test_every_board_fits_beside_the_panel_of_the_smallest_terminal(game: object, variant: object) -> None:
    size = (variant.width, variant.height)  # type: ignore[attr-defined]
    look = game.look(game.settings(variant.name))  # type: ignore[attr-defined]
    shown = Scene(*size, look, {})
    lines = drawn(shown, *BOARD_AT_80X24)
    assert max(map(len, lines)) <= BOARD_AT_80X24[0]
    assert look.numbers or any(row.split() == list(look.files)[: size[0]] for row in lines)
    assert layout(shown, *BOARD_AT_80X24).cell >= (2 if size[1] <= MOST_ROWS_OF_TWO else 1)


def test_small_squares_show_a_glyph_each() -> None:
    board = drawn(scene("chess"), 20, 9)
    assert board[0] == " 8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ "
    assert board[6] == " 2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ "
    assert board[8].split() == list("abcdefgh")


def test_numbered_squares_have_their_numbers_on_them_and_none_at_the_edge() -> None:
    board = drawn(scene("checkers"), 20, 9)
    assert board[0] == "     ●   ●   ●   ● "
    assert board[3] == "   13  14  15  16  "
    assert board[7] == "   ○   ○   ○   ○   "
    assert board[8].split() == []


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
    flipped = scene("chess", flipped=True)
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
    assert row[1] == (" ▸ ", INK, CURSOR)
    assert list(line(layout(scene("chess", cursor=0), 20, 9), 0))[1] == (" 8 ", INK, CURSOR)
    assert [run for run in line(layout(scene("checkers", cursor=2), 20, 9), 8) if run[0].strip()] == [
        ("▴ ", INK, CURSOR)
    ]


def test_a_game_that_declares_no_look_gets_a_plain_one_without_chequers() -> None:
    look = Look(sides=("white", "black"))
    assert (look.piece("white king").letters, look.piece("black pawn").letters) == ("Ki", "Pa")
    assert look.piece("white king").shape != look.piece("black king").shape
    assert look.piece("black").letters == ""
    assert {look.ground_of(at, 8) for at in range(64)} == {look.ground}


def test_a_stone_game_of_a_plug_in_stands_on_lines_when_it_says_so() -> None:
    stones = Scene(5, 5, Look(Board.LINES, sides=("black", "white")), {0: "black", 6: "white"})
    assert drawn(stones, 13, 6)[:2] == [" 5 ●─┬─┬─┬─┐ ", " 4 ├─○─┼─┼─┤ "]


def test_cells_have_lines_between_them_and_none_around_them() -> None:
    rows = drawn(scene("tic_tac_toe"), MARGIN + 12, 7)
    assert rows[:2] == [" 3    ▕   ▕    ", "   ▁▁▁▕▁▁▁▕▁▁▁▁"]
    assert rows[5] == "      ▕   ▕    "


def test_a_rack_has_a_hole_wherever_no_disc_is() -> None:
    assert drawn(scene("connect_four"), 17, 7)[0] == "   · · · · · · · "


def test_squares_that_won_the_game_have_a_ground_of_their_own() -> None:
    plain, won = scene("tic_tac_toe"), scene("tic_tac_toe", won=frozenset({0, 1, 2}))
    grounds = [[behind for text, _, behind in line(layout(shown, 9, 4), 0) if text.strip()] for shown in (plain, won)]
    assert len(set(grounds[1][1:])) == 1
    assert grounds[0][1:] != grounds[1][1:]


def test_tic_tac_toe_is_drawn_with_crosses_and_noughts() -> None:
    look = scene("tic_tac_toe").look
    assert [look.piece(side).shape for side in "xo"] == ["cross", "ring"]
    assert drawn(Scene(3, 3, look, {0: "x", 4: "o"}), 9, 4)[:2] == [" 3 X▕ ▕  ", " 2  ▕O▕  "]


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
    drawn = shapes.rows("rook", 4, 2)
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
    shown = Scene(9, 9, plain.look, stones, dead=frozenset({2}))
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
    assert len(scene("go", {"size": size}).look.marks) == stars


def test_squares_are_called_as_their_players_do() -> None:
    go, chess, checkers, rack = (scene(name).look for name in ("go", "chess", "checkers", "connect_four"))
    assert [go.name(at, 19, 19) for at in (0, 8, 18, 19 * 18)] == ["A19", "J19", "T19", "A1"]
    assert chess.name(63, 8, 8) == "h1"
    assert [checkers.name(at, 8, 8) for at in (0, 1, 8, 62)] == ["", "1", "5", "32"]
    assert rack.name(38, 7, 6) == "d"


def test_rows_that_players_count_from_the_top_are_numbered_so_either_way_round() -> None:
    upright, turned = (drawn(scene("reversi", flipped=flipped), 20, 9) for flipped in (False, True))
    assert upright[3] == " 4  ▕ ▕ ▕○▕●▕ ▕ ▕  "
    assert [row[:2].strip() for row in upright] == ["1", "2", "3", "4", "5", "6", "7", "8", ""]
    assert [row[:2].strip() for row in turned] == ["8", "7", "6", "5", "4", "3", "2", "1", ""]
    assert [scene("reversi").look.name(at, 8, 8) for at in (0, 19, 63)] == ["a1", "d3", "h8"]
    pointed = list(line(layout(scene("reversi", cursor=19), 20, 9), 2))
    assert pointed[1] == (" 3 ", INK, CURSOR)
