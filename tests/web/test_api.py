"""The API shows games, tables, events from a cursor, and records, without anything secret."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
import trio

from gateway import registry
from gateway.lobby.claims import ticket_digest
from gateway.lobby.registration import Registration
from gateway.sessions.connection import Connection
from gateway.store.views import Views, ndjson_lines
from gateway.tables.directory import Tables
from protocols.core.commands import Say
from protocols.core.model import HouseRules
from tests.hall import alternate
from tests.web.club import TOKEN, club, playing

ROOT = Path(__file__).parents[2]


async def test_every_game_is_listed_with_the_dialects_that_can_play_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        games = {game["game"]: game for game in (await here.ask("/api/games")).body["games"]}
        assert list(games) == list(registry.games())
        assert "chess-p2p" in games["chess"]["dialects"]
        assert "gtp-gui" not in games["chess"]["dialects"]
        assert "gamesman" in games["reversi"]["dialects"]
        assert "gamesman" not in games["ludo"]["dialects"]  # it has no word for dice
        assert {"gtp-engine", "gtp-gui", "bogaprot"} <= set(games["go"]["dialects"])
        assert games["checkers"]["variants"][0]["name"] == "english"
        assert games["chess"]["formats"] == ["ndjson", "pgn"]


async def test_tables_are_listed_newest_first_and_filtered(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        first = (await here.register("ann", "bob")).body["id"]
        second = (await here.register("ann", "bob", game="ludo", auth=f"Bearer {TOKEN}")).body["id"]
        listed = (await here.ask("/api/tables")).body
        assert ([table["id"] for table in listed["tables"]], listed["next"]) == ([second, first], None)
        ludo = (await here.ask("/api/tables?game=LUDO&state=open")).body["tables"]
        assert [table["id"] for table in ludo] == [second]
        assert (await here.ask("/api/tables?state=over")).body["tables"] == []


async def test_a_list_goes_on_from_where_it_ended(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for number in range(3):
            await here.register(f"ann{number}", "bob")
        page = (await here.ask("/api/tables?limit=2")).body
        assert ([table["id"] for table in page["tables"]], page["next"]) == ([3, 2], 2)
        page = (await here.ask("/api/tables?limit=2&before=2")).body
        assert ([table["id"] for table in page["tables"]], page["next"]) == ([1], None)


@pytest.mark.parametrize("query", ["state=lost", "limit=0", "limit=501", "limit=x", "before=-1"])
async def test_a_query_that_makes_no_sense_is_refused(tmp_path: Path, query: str) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask(f"/api/tables?{query}")).error == (400, "bad_request")
        assert (await here.ask("/api/tables?game=mahjong")).error == (404, "unknown_game")


async def test_a_table_shows_its_board_and_moves(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        await alternate(guests, 4, 0)
        shown = (await here.ask(f"/api/tables/{table}")).body
        assert (shown["state"], shown["turn"], shown["players"]) == ("playing", 0, ["ann", "bob"])
        assert [move["seat"] for move in shown["moves"]] == [0, 1]
        assert shown["seats"][1] == {"seat": 1, "kind": "player", "name": "bob", "rating": None}
        assert shown["time"] == "none"


async def test_a_finished_table_is_still_shown(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        await alternate(guests, 0, 3, 1, 4, 2)
        for guest in guests:
            await guest.leaves()
        await here.hall.until(lambda: table not in here.hall.server.tables)
        shown = (await here.ask(f"/api/tables/{table}")).body
        assert (shown["state"], shown["outcome"]["winner"]) == ("over", 0)
        events = (await here.ask(f"/api/tables/{table}/events?wait=60")).body
        assert events["closed"] is True


@pytest.mark.parametrize("path", ["9", "9/events", "9/export", str(1 << 70)])
async def test_a_table_that_is_not_there_is_said_not_to_be(tmp_path: Path, path: str) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask(f"/api/tables/{path}")).error == (404, "no_such_table")


async def test_events_go_on_from_a_cursor(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        first = (await here.ask(f"/api/tables/{table}/events")).body
        assert [event["kind"] for event in first["events"]][:3] == ["TableOpened", "SeatTaken", "SeatTaken"]
        assert first["events"][-1]["seq"] == first["next"]
        assert first["closed"] is False
        await alternate(guests, 4)
        more = (await here.ask(f"/api/tables/{table}/events?after={first['next']}")).body
        assert [event["body"]["move"]["target"] for event in more["events"]] == [4]
        none = (await here.ask(f"/api/tables/{table}/events?after={more['next']}")).body
        assert (none["events"], none["next"]) == ([], more["next"])


async def test_a_request_waits_for_the_next_event(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        after = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        heard: list[Any] = []

        async def wait() -> None:
            heard.append((await here.ask(f"/api/tables/{table}/events?after={after}&wait=30")).body)

        with trio.fail_after(15):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wait)
                await here.hall.until(lambda: here.hall.server.tables[table].subscribers._bell is not None)
                assert heard == []
                await alternate(guests, 4)
        assert [event["kind"] for event in heard[0]["events"]] == ["MoveMade"]


async def test_a_wait_that_nothing_happens_in_ends_empty(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        after = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        begun = trio.current_time()
        answer = (await here.ask(f"/api/tables/{table}/events?after={after}&wait=1")).body
        assert (answer["events"], answer["next"]) == ([], after)
        assert trio.current_time() - begun >= 1


async def test_a_table_that_this_server_has_not_heard_of_is_not_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server of the same database has just opened it: whoever waits here for its next event gets that."""
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        monkeypatch.setattr(Tables, "unfinished", lambda self, number: False)
        monkeypatch.setattr(Tables, "bell", lambda self, number, after: None)
        heard = (await here.ask(f"/api/tables/{table}/events")).body
        assert heard["closed"] is False
        async with trio.open_nursery() as nursery:
            nursery.start_soon(alternate, guests, 4)
            more = (await here.ask(f"/api/tables/{table}/events?after={heard['next']}&wait=30")).body
        assert ([event["kind"] for event in more["events"]], more["closed"]) == (["MoveMade"], False)


async def test_a_wait_ends_when_the_table_does(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        await alternate(guests, 0, 3, 1, 4, 2)
        after, closed = 0, False
        with trio.fail_after(15):
            async with trio.open_nursery() as nursery:
                for guest in guests:
                    nursery.start_soon(guest.leaves)
                while not closed:
                    answer = (await here.ask(f"/api/tables/{table}/events?after={after}&wait=60")).body
                    after, closed = answer["next"], answer["closed"]
        assert closed


@pytest.mark.parametrize("query", ["after=-1", "after=x", "wait=61", "wait=1.5"])
async def test_a_cursor_or_wait_that_makes_no_sense_is_refused(tmp_path: Path, query: str) -> None:
    async with club(tmp_path) as here:
        table = (await here.register("ann", "bob")).body["id"]
        assert (await here.ask(f"/api/tables/{table}/events?{query}")).error == (400, "bad_request")


async def test_the_record_is_exported_as_it_is_stored(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        await alternate(guests, 4)
        answer = await here.ask(f"/api/tables/{table}/export")
        views = Views(f"sqlite:///{tmp_path / 'record.db'}")
        assert answer.body.splitlines() == list(ndjson_lines(table, views.rows(table)))
        views.close()
        assert f'filename="table-{table}.ndjson"' in answer.head


async def test_a_game_is_exported_in_its_own_form_and_in_no_other(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        chess = (await here.register("ann", "open", game="chess")).body
        ann, eve = here.hall.dial(), here.hall.dial()
        await ann.joins(f"chess#{chess['tickets'][0]}")
        await eve.joins("chess")
        await here.hall.until(lambda: here.hall.state(chess["id"]).turn == 0)
        pgn = (await here.ask(f"/api/tables/{chess['id']}/export?format=pgn")).body
        assert '[White "ann"]' in pgn
        refused = await here.ask(f"/api/tables/{chess['id']}/export?format=sgf")
        assert refused.error == (400, "bad_option")
        assert refused.body["message"] == "Chess is not written as 'sgf'; it has ndjson, pgn"


async def test_what_players_say_to_each_other_is_for_those_with_a_ticket(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        task = here.hall.server.tables[table]
        speaker = task.subscribers.at(0)
        assert isinstance(speaker, Connection)
        await speaker._do([Say("players", "between us"), Say("all", "hello everybody")], speaker.heard)
        await here.hall.until(
            lambda: "hello everybody" in Path(tmp_path / "record.db-wal").read_bytes().decode("latin-1")
        )
        for path in ("events", "export"):
            everybody = json.dumps((await here.ask(f"/api/tables/{table}/{path}")).body)
            seated = json.dumps((await here.ask(f"/api/tables/{table}/{path}", auth=f"Ticket {tickets[1]}")).body)
            assert ("hello everybody" in everybody, "between us" in everybody) == (True, False)
            assert "between us" in seated


async def test_what_is_not_for_the_asker_is_shown_by_its_digest_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        speaker = here.hall.server.tables[table].subscribers.at(0)
        assert isinstance(speaker, Connection)
        last = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        await speaker._do([Say("players", "between us")], speaker.heard)
        await here.ask(f"/api/tables/{table}/events?after={last}&wait=30")
        whole = (await here.ask(f"/api/tables/{table}/events", auth=f"Ticket {tickets[1]}")).body["events"]
        shown = (await here.ask(f"/api/tables/{table}/events")).body["events"]
        assert shown[:-1] == whole[:-1]
        assert whole[-1]["body"]["text"] == "between us"
        assert shown[-1] == {name: value for name, value in whole[-1].items() if name != "body"}
        exported = (await here.ask(f"/api/tables/{table}/export")).body.splitlines()
        assert json.loads(exported[-1]) == shown[-1]
        check = runpy.run_path(str(ROOT / "docs" / "check_record.py"))["check"]
        assert f"{len(whole)} events in one chain" in check(exported)


async def test_a_private_table_is_there_for_its_tickets_and_the_host_only(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        settings = registry.game("tic_tac_toe").settings()
        asked = Registration(settings, ("ann", "bob"), HouseRules(private=True))
        made = await here.hall.server.registrar.register(asked)
        assert (await here.ask("/api/tables")).body["tables"] == []
        for path in ("", "/events", "/export"):
            there = f"/api/tables/{made.table}{path}"
            assert (await here.ask(there)).error == (404, "no_such_table")
            assert (await here.ask(there, auth=f"Ticket {made.tickets[0]}")).status == 200
            assert (await here.ask(there, auth=f"Bearer {TOKEN}")).status == 200
        other = (await here.register("carl", "dora")).body["tickets"][0]
        assert (await here.ask(f"/api/tables/{made.table}", auth=f"Ticket {other}")).error == (404, "no_such_table")


async def test_an_account_sees_the_private_tables_where_its_name_has_a_seat(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann, bob = here.has_account("ann"), here.has_account("bob")
        settings = registry.game("tic_tac_toe").settings()
        made = await here.hall.server.registrar.register(
            Registration(settings, ("ann", "carl"), HouseRules(private=True))
        )
        for auth, listed, status in ((ann, [made.table], 200), (bob, [], 404)):
            tables = (await here.ask("/api/tables", auth=auth)).body["tables"]
            assert [table["id"] for table in tables] == listed
            for path in ("", "/events", "/export"):
                assert (await here.ask(f"/api/tables/{made.table}{path}", auth=auth)).status == status


async def test_no_answer_holds_a_secret(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("carl")
        answer = await here.register("ann", "bot", "bot", "bot", game="ludo")
        table, ticket = answer.body["id"], answer.body["tickets"][0]
        ann = here.hall.dial()
        await ann.joins(f"ludo#{ticket}")
        await here.hall.until(lambda: here.hall.state(table).games == 1)
        secret = here.hall.state(table).secret.hex()
        paths = ["/api/games", "/api/tables", *(f"/api/tables/{table}{end}" for end in ("", "/events", "/export"))]
        answers = [json.dumps((await here.ask(path, auth=f"Ticket {ticket}")).body) for path in paths]
        hidden = [secret, ticket, ticket_digest(ticket).hex(), "argon2id", TOKEN]
        assert [word for word in hidden for text in answers if word in text] == []


async def test_a_method_that_a_path_does_not_have_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask("/api/games", {})).error == (405, "method_not_allowed")
