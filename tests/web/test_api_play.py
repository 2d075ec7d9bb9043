"""The API shows the legal moves, and plays a seat's move as its table's other clients do."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from gateway.store.views import Views
from gateway.tables.mover import Mover
from protocols.core import time_text
from protocols.core.commands import PlayMove, Propose
from protocols.core.proposals import Start
from tests.hall import alternate
from tests.web.club import TOKEN, Club, club, playing


async def moves(here: Club, table: int, ticket: str, **body: object) -> tuple[int, object]:
    """Status of a move, and the code of its refusal or the ply after it."""
    answer = await here.ask(f"/api/tables/{table}/moves", body, auth=f"Ticket {ticket}")
    return answer.status, answer.body.get("error", answer.body.get("ply"))


async def test_the_legal_moves_are_shown_with_their_notation(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        await alternate(guests, 4)
        shown = (await here.ask(f"/api/tables/{table}/legal")).body
        assert {name: shown[name] for name in ("table", "state", "ply", "turn", "judged", "claim")} == {
            "table": table,
            "state": "playing",
            "ply": 1,
            "turn": 1,
            "judged": True,
            "claim": "",
        }
        assert len(shown["legal"]) == 8  # nine squares, the centre is taken
        assert shown["legal"][0] == {"move": {"source": None, "target": 0, "piece": "o"}, "notation": "a3"}


async def test_no_move_is_legal_before_and_after_a_game(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        waiting = (await here.register("carl", "dora")).body["id"]
        shown = (await here.ask(f"/api/tables/{waiting}/legal")).body
        assert (shown["state"], shown["turn"], shown["legal"]) == ("open", None, [])
        table, _, guests = await playing(here)
        await alternate(guests, 0, 3, 1, 4, 2)
        for guest in guests:
            await guest.leaves()
        await here.hall.until(lambda: table not in here.hall.server.tables)
        shown = (await here.ask(f"/api/tables/{table}/legal")).body  # by the record: the table has closed
        assert (shown["state"], shown["ply"], shown["legal"]) == ("closed", 5, [])


async def test_a_move_is_stored_before_it_is_answered_and_all_are_told(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        answer = await here.ask(
            f"/api/tables/{table}/moves", {"move": [None, 4, ""], "ply": 0}, auth=f"Ticket {tickets[0]}"
        )
        assert answer.body == {"table": table, "seat": 0, "ply": 1, "turn": 1, "state": "playing"}
        views = Views(f"sqlite:///{tmp_path / 'record.db'}")
        assert [row.kind for row in views.rows(table)][-1] == "MoveMade"
        views.close()
        for guest in guests:  # the seat's own connection has kept its place, and hears of its move as of any other
            assert (await guest.hear("MSG_MOVE")) == (-1, 4, "x")


async def test_a_game_is_played_to_its_end_by_requests_and_notation(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        for ply, square in enumerate(("a3", "a2", "b3", "b2", "c3")):
            assert await moves(here, table, tickets[ply % 2], text=square, ply=ply) == (200, ply + 1)
        shown = (await here.ask(f"/api/tables/{table}")).body
        assert (shown["state"], shown["outcome"]["winner"]) == ("over", 0)
        assert await moves(here, table, tickets[1], text="c2") == (409, "not_playing")


async def test_a_move_is_spelt_as_in_the_record_or_as_an_array(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        legal = (await here.ask(f"/api/tables/{table}/legal")).body["legal"]
        assert await moves(here, table, tickets[0], move=legal[4]["move"]) == (200, 1)
        assert await moves(here, table, tickets[1], move=[None, 0, "o"]) == (200, 2)
        made = [{"source": None, "target": 4, "piece": "x"}, {"source": None, "target": 0, "piece": "o"}]
        shown = (await here.ask(f"/api/tables/{table}")).body["moves"]
        assert [move["move"] for move in shown] == made
        events = (await here.ask(f"/api/tables/{table}/events")).body["events"]
        assert [event["body"]["move"] for event in events if event["kind"] == "MoveMade"] == made


async def test_a_move_that_cannot_be_is_refused_by_its_cause(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        assert await moves(here, table, tickets[0], move=[None, 4, ""], ply=3) == (409, "wrong_ply")
        assert await moves(here, table, tickets[1], move=[None, 4, ""]) == (409, "not_your_turn")
        assert await moves(here, table, tickets[0], text="z9") == (400, "illegal")
        assert await moves(here, table, tickets[0], text="hello") == (400, "syntax")
        assert await moves(here, table, tickets[0], move=[None, 99, ""]) == (400, "out_of_bounds")
        assert await moves(here, table, tickets[0], text="b2", ply=0) == (200, 1)
        assert await moves(here, table, tickets[0], text="b2", ply=0) == (409, "not_your_turn")  # once more
        assert await moves(here, table, tickets[1], move=[None, 4, ""], ply=1) == (400, "illegal")
        assert here.hall.state(table).ply == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"text":"b2","text":"a1"}',
        {},
        {"text": "b2", "move": [None, 4, ""]},
        {"move": [4]},
        {"square": 4},
        {"move": {"source": None}},
        {"move": {"source": None, "target": 4, "peice": "x"}},
    ],
)
async def test_a_body_that_is_no_move_is_refused(tmp_path: Path, body: object) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        answer = await here.ask(f"/api/tables/{table}/moves", body, auth=f"Ticket {tickets[0]}")
        assert answer.error == (400, "bad_request")
        long = await here.ask(f"/api/tables/{table}/moves", {"text": "b" * 2100}, auth=f"Ticket {tickets[0]}")
        assert long.error == (413, "too_long")


async def test_a_move_is_for_those_who_hold_the_seat(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        other = (await here.register("carl", "dora")).body["tickets"][0]
        path, body = f"/api/tables/{table}/moves", {"text": "b2"}
        assert (await here.ask(path, body)).error == (403, "forbidden")
        assert (await here.ask(path, body, auth=f"Ticket {other}")).error == (403, "forbidden")
        assert (await here.ask(path, body, auth=f"Bearer {TOKEN}")).error == (403, "forbidden")
        assert (await here.ask(path, body, auth="Ticket none-of-this-server-at-all")).status == 401
        assert (await here.ask(path, body, kind="text/plain")).error == (415, "no_json")
        assert (await here.ask("/api/tables/999/moves", body)).error == (404, "no_such_table")
        assert here.hall.state(table).ply == 0


async def test_an_account_plays_the_seat_of_its_name(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = here.has_account("ann")
        answer = await here.register("ann", "open", auth=ann)
        one, two = here.hall.dial(), here.hall.dial()
        await one.joins(f"tic_tac_toe#{answer.body['tickets'][0]}")
        await two.joins("tic_tac_toe")
        await here.hall.until(lambda: here.hall.state(answer.body["id"]).turn == 0)
        path = f"/api/tables/{answer.body['id']}/moves"
        assert (await here.ask(path, {"text": "b2"}, auth=ann)).body["ply"] == 1
        assert (await here.ask(path, {"text": "a1"}, auth=here.has_account("bob"))).error == (403, "forbidden")


async def test_a_seat_whose_connection_is_lost_can_still_move_until_it_is_given_up(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        await guests[0].stream.aclose()
        await guests[1].hears_lost(0)
        assert await moves(here, table, tickets[0], text="b2") == (200, 1)


async def test_a_fallen_flag_is_said_not_to_be_a_move(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("ann", "bob", time="600")
        table, tickets = answer.body["id"], answer.body["tickets"]
        guests = [here.hall.dial() for _ in range(2)]
        for guest, ticket in zip(guests, tickets, strict=True):
            await guest.joins(f"tic_tac_toe#{ticket}")
        await here.hall.until(lambda: here.hall.state(table).turn == 0)
        runner = here.hall.server.tables[table]
        clock = runner.state.clock
        assert clock is not None
        assert time_text.read("600") == runner.state.settings.time
        late = dataclasses.replace(clock, since=trio.current_time() - 1000)
        runner.state = replace(runner.state, clock=late)
        status, code = await moves(here, table, tickets[0], text="b2")
        assert (status, code) == (409, "not_playing")


async def test_the_answers_hold_no_ticket(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        answer = await here.ask(f"/api/tables/{table}/moves", {"text": "b2"}, auth=f"Ticket {tickets[0]}")
        legal = await here.ask(f"/api/tables/{table}/legal", auth=f"Ticket {tickets[0]}")
        assert tickets[0] not in json.dumps([answer.body, legal.body])


async def test_a_move_that_waits_while_the_seats_are_exchanged_is_not_the_other_players(tmp_path: Path) -> None:
    """Asked for as seat 0 of the old game, it is served behind a new start, when another player sits there."""
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        for ply, square in enumerate(("a3", "a2", "b3", "b2", "c3")):
            await moves(here, table, tickets[ply % 2], text=square, ply=ply)
        runner, now = here.hall.server.tables[table], trio.current_time()
        mover = Mover(runner, 0, "192.0.2.9", 0)
        with runner.subscribers.asking(mover):
            for seat in (0, 1):
                await runner.ask(Mover(runner, seat, "192.0.2.9", 0), Propose(Start(None, 1 - seat)), now)
            await runner.ask(mover, PlayMove(None, "b2", 0), now)
            await mover.done.wait()
        assert runner.state.games == 2
        assert (runner.state.ply, str(mover.refused)) == (0, "the seats were exchanged before this move was served")
