"""The wall: boards that are played, told to scripts by what they know; ended games once more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateway import registry
from gateway.web.pages.frame import clock_face
from tests.hall import alternate
from tests.web.browsing import asked, checked, links
from tests.web.club import Club, club


async def told(here: Club, query: str = "") -> Any:
    answer = await asked(here.port, f"/api/boards{query}", accept="application/json")
    assert answer.status == 200, answer.text
    return json.loads(answer.text)


async def test_an_empty_wall_says_what_to_do(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/tv"))
        nothing = await told(here)
    assert "Nothing is being played just now" in page.words()
    assert {"/", "/connect"} <= set(links(page))
    assert nothing == {"order": [], "boards": []}


async def test_every_game_that_goes_on_is_there_the_newest_first_and_one_game_by_its_name(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.hall.seat("Tic_tac_toe")
        await here.hall.seat("Checkers")
        await here.hall.seat("Checkers")
        everything, checkers = await told(here), await told(here, "?game=checkers")
        page = checked(await asked(here.port, "/tv?game=checkers"))
        first = checked(await asked(here.port, "/tv?table=1"))
    assert (everything["order"], checkers["order"]) == ([3, 2, 1], [3, 2])
    assert [card["title"] for card in everything["boards"]] == ["Checkers", "Checkers", "Tic-Tac-Toe"]
    assert [item.attributes["data-table"] for item in page.all("li") if "data-table" in item.attributes] == ["3", "2"]
    assert next(item.attributes["data-table"] for item in first.all("li") if "data-table" in item.attributes) == "1"


async def test_a_wall_of_ones_own_has_the_games_and_rule_sets_of_its_address(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for wish in ("Tic_tac_toe", "Chess?variant=atomic", "Chess", "Hnefatafl?variant=ggzboard", "Go?size=9"):
            await here.hall.seat(wish)
        orders = {}
        for query in (
            "?game=chess",
            "?game=chess&game=go",
            "?variant=chess.atomic",
            "?game=chess&variant=chess.atomic&game=go",
            "?variant=ludo.ggzboard",
            "?game=&variant=",
        ):
            orders[query] = (await told(here, query))["order"]
        page = checked(await asked(here.port, "/tv?game=go&variant=chess.atomic"))
    assert list(orders.values()) == [[3, 2], [5, 3, 2], [2], [5, 2], [], [5, 4, 3, 2, 1]]
    assert [item.attributes["data-table"] for item in page.all("li") if "data-table" in item.attributes] == ["5", "2"]
    assert next(page.all("h1")).words() == "Watch Chess (Atomic), Go"
    (boards,) = [each for each in page.all("ul") if each.attributes.get("id") == "boards"]
    assert boards.attributes["data-asks"] == "game=go&variant=chess.atomic"
    boxes = [each.attributes for each in page.all("input")]
    assert {box["value"] for box in boxes if "checked" in box} == {"go", "chess.atomic"}
    assert {box["value"] for box in boxes if box["name"] == "game"} == set(registry.games())
    assert "/tv?table=2&game=go&variant=chess.atomic" in links(page)


async def test_a_wall_without_games_says_what_it_is_a_wall_of(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/tv?variant=chess.atomic"))
    assert "Nothing of Chess (Atomic) is being played just now" in page.words()
    assert {"/", "/tv", "/connect"} <= set(links(page))


async def test_a_card_tells_seats_position_last_move_and_whose_turn_it_is(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guests = [here.hall.dial() for _ in range(2)]
        for guest, name in zip(guests, ("ann", "ben"), strict=True):
            await guest.joins(f"Tic_tac_toe?name={name}&time=60")
        await alternate(guests, 4, 0)
        (card,) = (await told(here))["boards"]
    assert (card["table"], card["address"], card["rules"], card["moves"]) == (1, "/table/1", "1 min", 2)
    fills = [seat["fill"] for seat in card["seats"]]
    assert card["seats"] == [
        {"seat": 0, "side": "x", "fill": fills[0], "name": "ann", "program": "bogaprot", "turn": True},
        {"seat": 1, "side": "o", "fill": fills[1], "name": "ben", "program": "bogaprot"},
    ]
    assert (card["board"], card["last"]) == ([[0, "o"], [4, "x"]], [0])
    assert card["clock"]["running"] == 0
    assert all(55 < left <= 60 for left in card["clock"]["left"])


async def test_a_page_that_knows_a_card_is_told_it_again_only_when_it_has_changed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guests = await here.hall.seat("Tic_tac_toe")
        (card,) = (await told(here))["boards"]
        known = f"?known=1:{card['version']}"
        assert await told(here, known) == {"order": [1], "boards": []}
        await guests[0].puts(4)
        assert await told(here, "?known=1:-") == {"order": [1], "boards": []}
        (after,) = (await told(here, known))["boards"]
        assert after["board"] == [[4, "x"]]
        assert after["version"] != card["version"]


async def test_a_game_that_has_ended_is_told_with_its_result_to_those_who_know_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guests = await here.hall.seat("Tic_tac_toe")
        await alternate(guests, 0, 3, 1, 4, 2)
        await here.hall.until(lambda: here.hall.state().outcome is not None)
        assert await told(here) == {"order": [], "boards": []}
        ended = await told(here, "?known=1:0")
    assert (ended["order"], [card["outcome"] for card in ended["boards"]]) == ([], ["X wins, three in a row"])


@pytest.mark.parametrize(
    "query",
    [
        "?known=-1:x",
        "?known=x:1",
        "?known=" + "1:a," * 2000,
        "?most=0",
        "?most=61",
        "?most=x",
        "?game=chess2",
        "?variant=atomic",
        "?variant=chess.normals",
        "?variant=.",
    ],
)
async def test_nonsense_is_not_found(tmp_path: Path, query: str) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, f"/api/boards{query}")
    assert answer.status == 404


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "0:00.0"),
        (9.97, "0:09.9"),
        (10.0, "0:10"),
        (59.9, "0:59"),
        (3599, "59:59"),
        (3723, "1:02:03"),
        (86399, "23:59:59"),
        (100_800, "1 day 4 h"),
        (259_201, "3 days"),
    ],
)
def test_a_clock_shows_what_is_left_and_tenths_at_the_end(seconds: float, shown: str) -> None:
    assert clock_face(seconds) == shown
