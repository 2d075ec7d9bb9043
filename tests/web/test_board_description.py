"""Tests of a game's description for the browser: every rule set has one, and it says what people know of the board."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.applications import Starlette

from gateway import registry
from gateway.games.base import Game, Variant
from gateway.web.board import description
from gateway.web.board.description import Description, described, looks_routes
from tests.web.serving import ask, served

RULE_SETS = [(game, variant) for game in registry.games().values() for variant in game.variants]
every_rule_set = pytest.mark.parametrize(
    ("game", "variant"), RULE_SETS, ids=[f"{game.name}-{variant.name}" for game, variant in RULE_SETS]
)


def look(name: str, variant: str = "", seats: int = 0, **options: str) -> Description:
    game = registry.game(name)
    return described(game, game.settings(variant, seats, options=options))


@every_rule_set
def test_a_rule_set_is_described_whole(game: Game[Any], variant: Variant) -> None:
    for seats in variant.seats:
        found = described(game, game.settings(variant.name, seats))
        size = found.width * found.height
        assert len(found.ground) == len(found.names) == size
        assert set(found.ground) - {"."} <= {str(at) for at in range(len(found.palette))}
        assert len(set(found.names)) == size, "every square has a name of its own"
        assert len(found.sides) == seats
        shown = (*found.pieces.values(), *found.plain)
        assert {piece.figure for piece in shown} | {figure for _, figure, _ in found.marks} == set(found.figures)
        assert all(at < size for at, _, _ in found.marks)


@every_rule_set
def test_the_text_is_json_of_the_same_and_the_key_changes_with_it(game: Game[Any], variant: Variant) -> None:
    found = described(game, game.settings(variant.name))
    read = json.loads(found.json)
    assert read["names"] == list(found.names)
    assert len(found.key) == 16
    assert len(found.json) < 20_000


def test_equal_boards_have_equal_keys_and_others_do_not() -> None:
    assert look("go", komi="0.5", size="9").key == look("go", komi="6.5", size="9").key
    assert look("go", size="9").key != look("go", size="13").key


def test_a_chess_board_is_what_people_know() -> None:
    found = look("chess")
    assert (found.names[0], found.names[7], found.names[56], found.names[63]) == ("a8", "h8", "a1", "h1")
    assert (found.ground[0], found.ground[7], found.ground[56]) == ("0", "1", "1"), "h1 is light, a1 is dark"
    assert found.ground[63] == "0"
    assert found.turned == (1,)
    assert found.pieces["white knight"].figure == "open knight"
    assert {piece.side for words, piece in found.pieces.items() if words.startswith("black")} == {1}
    assert not found.pockets


def test_pockets_belong_to_rule_sets_that_have_them() -> None:
    assert look("chess", "crazyhouse").pockets
    assert look("arimaa").pockets
    assert not look("ludo").pockets


def test_go_has_crossings_nine_star_points_and_no_letter_i() -> None:
    found = look("go")
    assert found.kind == "crossings"
    assert {found.names[at] for at, _, _ in found.marks} == {f"{x}{y}" for x in "DKQ" for y in (4, 10, 16)}
    assert "I" not in found.files
    assert (found.names[0], found.names[360]) == ("A19", "T1")


def test_ludo_is_a_cross_with_its_four_homes() -> None:
    found = look("ludo", seats=4)
    assert found.dice
    assert found.ground.count(".") == 11 * 11 - 40 - 16 - 16
    assert {side: len(home) for side, home in found.goals.items()} == dict.fromkeys(found.sides, 4)
    assert look("ludo", seats=2).sides == ("yellow", "red")


def test_checkers_squares_are_called_by_their_numbers() -> None:
    found = look("checkers")
    assert (found.names[1], found.names[62]) == ("1", "32")
    assert found.numbered


def test_a_dark_ring_is_open_in_the_middle_and_a_bright_one_is_a_stone() -> None:
    assert look("tic_tac_toe").pieces["o"].figure == "hoop"
    assert look("open").plain[1].figure == "ring"


def test_a_look_may_name_a_figure_and_a_colour_for_those_who_draw_outlines() -> None:
    yellow = look("ludo").pieces["yellow"]
    assert (yellow.figure, yellow.fill) == ("peg", "#ffc400")
    assert look("ludo").figures["peg"][0][1] == "shade"


def test_names_stand_at_the_corners_where_their_yards_are() -> None:
    shown = look("ludo")
    at = dict(zip(shown.sides, shown.corners, strict=True))
    assert (at["yellow"], at["red"]) == (("far", "left"), ("near", "right"))
    assert look("chess").corners == ()


def test_the_animals_of_arimaa_are_figures_of_its_own_without_letters() -> None:
    found = look("arimaa")
    gold, silver = found.pieces["gold camel"], found.pieces["silver camel"]
    assert (gold.figure, silver.figure, gold.label, silver.label) == ("round camel", "square camel", "", "")
    assert len({found.figures[piece.figure] for piece in found.pieces.values()}) == 12
    assert (found.passing, look("go").passing) == ("Finish turn", "Pass")
    assert "round camel" not in look("chess").figures


def test_without_rules_and_board_moves_are_text() -> None:
    assert look("open", "shogi").kind == "text"


def test_a_piece_that_is_not_listed_looks_like_its_side_and_has_letters() -> None:
    piece = look("open").piece("second dragon")
    assert (piece.figure, piece.label, piece.side) == ("ring", "Dr", 1)


def test_a_board_in_words() -> None:
    assert look("chess").in_words({60: "white king", 4: "black king"}) == "black king e8, white king e1"


async def test_a_named_description_is_served_for_ever_and_no_other() -> None:
    found = look("reversi")
    async with served(Starlette(routes=looks_routes())) as port:
        status, body = await ask(port, f"/api/looks/{found.key}")
        assert (status, body) == (200, json.loads(found.json))
        status, body = await ask(port, "/api/looks/0123456789abcdef")
        assert (status, body["error"]) == (404, "not_found")


async def test_what_is_served_may_be_kept_for_ever() -> None:
    route = looks_routes()[0]
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    key = look("reversi").key
    scope = {"type": "http", "method": "GET", "path": f"/api/looks/{key}", "path_params": {"key": key}, "headers": []}
    await route.app(scope, receive, send)
    assert (b"cache-control", b"public, max-age=31536000, immutable") in sent[0]["headers"]


def test_descriptions_are_forgotten_beyond_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(description, "MOST", 2)
    for size in ("5", "6", "7"):
        look("go", size=size)
    assert [found.width for found in description._known.values()] == [6, 7]
