"""Variations of a finished game are tried on its page: the server says where moves lead, and what is legal there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.web.pages import variation
from tests.web.club import Answered, Club, club, playing
from tests.web.test_api_analysis import WON, play, registered


async def tries(here: Club, table: int, ply: int, *moves: list[Any], auth: str = "") -> Answered:
    return await here.ask(f"/table/{table}/variation", {"ply": ply, "moves": moves}, auth=auth)


async def test_moves_that_were_not_made_lead_to_positions_with_their_legal_moves(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        told = (await tries(here, table, 4)).body
        assert (told["turn"], told["notations"], told["last"], told["outcome"]) == (0, [], [], None)
        assert (told["pass"], [choice["to"] for choice in told["legal"]]) == (False, ["*"])
        won = (await tries(here, table, 4, [None, 6, ""])).body  # a1 instead of c1
        assert (won["turn"], won["notations"], won["last"]) == (None, ["a1"], [6])
        assert won["outcome"]["winner"] == 0
        assert dict(won["position"]["board"])[6] == "x"
        assert won["legal"] == []


async def test_what_no_rule_allows_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        assert (await tries(here, table, 4, [None, 0, ""])).error == (400, "illegal")
        assert (await tries(here, table, 6, [None, 6, ""])).error == (400, "illegal"), "the game is over there"
        assert (await tries(here, table, 7)).error == (400, "bad_request")
        assert (await tries(here, table, 4, *[[None, 6, ""]] * 201)).error == (400, "bad_request")
        assert (await tries(here, 99, 0)).error == (404, "no_such_table")


async def test_nothing_is_tried_in_a_running_game_nor_where_another_one_stands(tmp_path: Path) -> None:
    """A finished game with the same position is no reason to refuse it: engines looked at that one in its own turn."""
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON[:4])
        assert (await tries(here, table, 2)).error == (409, "not_now")
        await play(here, table, tickets, *WON[4:])
        twin, seats = await registered(here, "tic_tac_toe")
        await play(here, twin, seats, "a2", "b3", "a3")
        assert (await tries(here, table, 2, [None, 3, ""])).error == (409, "not_now")  # the same by another order
        assert (await tries(here, table, 2)).status == 200, "the first two moves are anybody's"
        await play(here, twin, seats[::-1], "b2")
        assert (await tries(here, table, 2, [None, 3, ""])).status == 200, "the running game has gone on"
        assert (await tries(here, table, 2, [None, 3, ""], [None, 4, ""])).error == (409, "not_now")
        await play(here, twin, seats, "a1")
        assert (await tries(here, twin, 4)).status == 200, "both are over"
        assert (await tries(here, table, 4)).status == 200


async def test_a_private_game_is_tried_by_those_who_may_see_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets = await registered(here, "tic_tac_toe", private=True)
        await play(here, table, tickets, *WON)
        assert (await tries(here, table, 4)).error == (404, "no_such_table")
        assert (await tries(here, table, 4, auth=f"Ticket {tickets[0]}")).status == 200


async def test_a_hand_is_not_faster_than_this(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variation, "BURST", 1)
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        assert [(await tries(here, table, 0)).status for _ in range(2)] == [200, 429]
