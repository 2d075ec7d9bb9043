"""Finished games are analysed by the host's engines, in their turn; running ones and their positions are not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from gateway.bots import examining
from gateway.bots.analyst import Analyst
from gateway.bots.engines import Engine
from gateway.store import analyses
from gateway.tables.mover import Mover
from gateway.web import api_analysis
from protocols.core.commands import Resign
from tests import peers
from tests.bots.running_engines import gnugo, scripted, stockfish
from tests.web.club import AnalystOf, Club, club, playing

WON = ("a3", "b3", "a2", "b2", "c1", "b1")
"""x plays c1 and lets o win by the column b."""


def with_engines(*engines: Engine) -> AnalystOf:
    return lambda url: Analyst.open(url, engines)


async def play(here: Club, table: int, tickets: Sequence[str], *moves: str) -> None:
    for ply, text in enumerate(moves):
        auth = f"Ticket {tickets[ply % 2]}"
        answer = await here.ask(f"/api/tables/{table}/moves", {"text": text}, auth=auth)
        assert answer.status == 200, answer.body


async def registered(here: Club, game: str, **more: Any) -> tuple[int, list[str]]:
    """A table of this game where play has begun."""
    answer = await here.register("ann", "bob", game=game, **more)
    guests = [here.hall.dial() for _ in range(2)]
    for guest, ticket in zip(guests, answer.body["tickets"], strict=True):
        await guest.joins(f"{game}#{ticket}")
    await here.hall.until(lambda: here.hall.state(answer.body["id"]).turn == 0)
    return answer.body["id"], answer.body["tickets"]


async def analysed(here: Club, table: int) -> dict[str, Any]:
    """The analysis of a table, once it is done."""
    analyst = here.hall.server.analyst
    assert analyst is not None
    path = f"/api/tables/{table}/analysis"
    assert (await here.ask(path, b"", method="POST")).body["state"] == "waiting"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        told: dict[str, Any] = (await here.ask(path)).body
        while (told := (await here.ask(path)).body)["state"] in ("waiting", "running"):  # noqa: ASYNC110
            await trio.sleep(0.05)
        nursery.cancel_scope.cancel()
    return told


async def test_the_houses_own_search_finds_the_move_that_turned_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With time for the whole tree of a small game, however much else the machine does."""
    monkeypatch.setattr(examining, "MOVE_S", 60.0)
    monkeypatch.setattr(examining, "GAME_S", 600.0)
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        told = await analysed(here, table)
        assert (told["state"], told["done"], told["total"]) == ("done", 7, 7)
        result = told["result"]
        assert result["unit"] == "house"
        looked = result["positions"]
        assert [each["ply"] for each in looked] == list(range(7))
        assert looked[0]["share"] == 0.0  # tic-tac-toe is a draw
        assert looked[4]["best"]["notation"] == "a1"  # x could have won by the column a
        assert (looked[4]["win_in"], looked[5]["win_in"]) == (1, -1)
        assert looked[6] == {"ply": 6, "score": None, "win_in": None, "share": -1.0, "best": None, "turning": False}
        assert [each["ply"] for each in looked if each["turning"]] == [2, 5]


async def test_what_is_known_is_not_looked_at_again(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        path = f"/api/tables/{table}/analysis"
        assert (await here.ask(path)).body["state"] == "none"
        first = await analysed(here, table)
        again = await here.ask(path, b"", method="POST")
        assert (again.status, again.body) == (202, first)


async def test_a_running_game_is_not_analysed(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        path = f"/api/tables/{table}/analysis"
        assert (await here.ask(path)).error == (409, "not_now")
        await play(here, table, tickets, *WON[:4])
        assert (await here.ask(path, b"", method="POST")).error == (409, "not_now")


async def test_nothing_is_said_of_a_position_at_which_a_running_game_stands(tmp_path: Path) -> None:
    """Reached in another order, it is the same. The first two moves are anybody's."""
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        path = f"/api/tables/{table}/analysis"
        answer = await here.register("carl", "dora")
        other, seats = answer.body["id"], answer.body["tickets"]
        guests = [here.hall.dial() for _ in range(2)]
        for guest, ticket in zip(guests, seats, strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        await here.hall.until(lambda: here.hall.state(other).turn == 0)
        await play(here, other, seats, "a2", "b3")
        told = await analysed(here, table)
        assert told["state"] == "done"
        await here.ask(f"/api/tables/{other}/moves", {"text": "a3"}, auth=f"Ticket {seats[0]}")
        assert (await here.ask(path)).error == (409, "not_now")
        await here.ask(f"/api/tables/{other}/moves", {"text": "c3"}, auth=f"Ticket {seats[1]}")
        assert (await here.ask(path)).body == told


async def test_a_running_game_that_rests_or_is_another_nodes_counts_too(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        answer = await here.register("carl", "dora")
        other, seats = answer.body["id"], answer.body["tickets"]
        guests = [here.hall.dial() for _ in range(2)]
        for guest, ticket in zip(guests, seats, strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        await here.hall.until(lambda: here.hall.state(other).turn == 0)
        await play(here, other, seats, *WON[:3])
        runner = here.hall.server.tables._running.pop(other)
        assert (await here.ask(f"/api/tables/{table}/analysis", b"", method="POST")).error == (409, "not_now")
        here.hall.server.tables._running[other] = runner


async def test_chess_is_left_to_engines(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets = await registered(here, "chess")
        await play(here, table, tickets, "f3", "e5", "g4", "Qh4#")
        assert (await here.ask(f"/api/tables/{table}/analysis")).error == (501, "not_installed")


async def test_a_server_without_engines_analyses_nothing(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        assert (await here.ask(f"/api/tables/{table}/analysis")).error == (501, "not_installed")


async def test_an_engine_that_is_lost_again_and_again_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "LEASE_S", -1.0)
    monkeypatch.setattr("gateway.bots.analyst.LOOK_S", 0.01)
    async with club(tmp_path, analyst=with_engines(scripted("dies"))) as here:
        table, tickets = await registered(here, "chess")
        await play(here, table, tickets, "f3", "e5", "g4", "Qh4#")
        told = await analysed(here, table)
        assert (told["state"], told["why"]) == ("failed", analyses.LOST)


async def test_a_rule_set_that_the_engine_does_not_know_is_refused_from_then_on(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines(scripted("plays"))) as here:
        table, tickets = await registered(here, "chess", variant="atomic")
        await play(here, table, tickets, "Nf3", "f6", "Nd4", "a6", "Ne6", "b6", "Nxd8")
        analyst = here.hall.server.analyst
        assert analyst is not None
        runner = here.hall.server.tables[table]
        assert analyst.engine_of(runner.state.game, "atomic", 2) is not None
        assert runner.state.outcome is not None
        path = f"/api/tables/{table}/analysis"
        await here.ask(path, b"", method="POST")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(analyst.run)
            while (answer := await here.ask(path)).status == 200:  # noqa: ASYNC110
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()
        assert answer.error == (501, "not_installed")


async def test_one_person_and_all_together_ask_for_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "WAITING_MAX", 0)
    monkeypatch.setattr(api_analysis, "BURST", 2)
    async with club(tmp_path, analyst=with_engines()) as here:
        table, tickets, _ = await playing(here)
        await play(here, table, tickets, *WON)
        path = f"/api/tables/{table}/analysis"
        errors = [(await here.ask(path, b"", method="POST")).error for _ in range(3)]
        assert errors == [(503, "overload"), (503, "overload"), (429, "too_fast")]


@peers.needed
async def test_stockfish_shows_the_moves_that_lost_a_game_of_chess(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines(stockfish())) as here:
        table, tickets = await registered(here, "chess")
        await play(here, table, tickets, "f3", "e5", "g4", "Qh4#")
        result = (await analysed(here, table))["result"]
        assert result["unit"] == "centipawns"
        assert result["engine"].startswith("Stockfish")
        looked = result["positions"]
        assert looked[3]["win_in"] == -1
        assert looked[3]["best"]["notation"] == "Qh4#"
        assert [each["ply"] for each in looked if each["turning"]] == [3]
        assert looked[0]["score"] is not None


@peers.needed
async def test_gnugo_says_who_is_ahead_in_a_game_of_go(tmp_path: Path) -> None:
    async with club(tmp_path, analyst=with_engines(gnugo())) as here:
        table, tickets = await registered(here, "go", options={"size": "9"})
        await play(here, table, tickets, "E5", "A1", "E3", "A9", "E7")
        runner = here.hall.server.tables[table]
        mover = Mover(runner, 1, "192.0.2.9", 0)
        with runner.subscribers.asking(mover):
            await runner.ask(mover, Resign(), trio.current_time())
            await here.hall.until(lambda: runner.state.outcome is not None)
        result = (await analysed(here, table))["result"]
        assert result["unit"] == "points"
        assert result["positions"][5]["score"] > 20
        assert result["positions"][5]["best"] is not None
