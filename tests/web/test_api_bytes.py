"""The wires of a table are shown live to its players and the host, and to others where the listener says so."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gateway.sessions.connection import Connection
from gateway.sessions.wire_tail import WireTail, tail_of
from gateway.table import seating
from gateway.web import api_bytes
from protocols.core.commands import Say
from tests.hall import alternate
from tests.web.club import TOKEN, Club, club, playing
from tests.web.serving import connect
from tests.web.test_api_stream import Source


class Viewer(Source):
    """Who looks at the bytes of a table."""

    async def wires(self) -> list[dict[str, Any]]:
        """The next list of wires."""
        while True:
            block = await self.block()
            assert block is not None, "the stream has ended"
            if block[0] == "event: wires":
                found: list[dict[str, Any]] = json.loads(block[1].removeprefix("data: "))
                return found

    async def until(self, word: str) -> str:
        """All lines up to one with this word in it."""
        seen: list[str] = []
        while not any(word in line for line in seen):
            block = await self.block()
            assert block is not None, "the stream has ended"
            if block[0].startswith("data: "):
                seen += json.loads(block[0].removeprefix("data: "))["lines"]
        return "\n".join(seen)


@asynccontextmanager
async def viewer(here: Club, table: int, auth: str) -> AsyncIterator[Viewer]:
    async with await connect(here.port) as tcp:
        found = Viewer(tcp)
        await found.ask(f"/api/tables/{table}/bytes", ("Authorization", auth))
        yield found


def connections(here: Club, table: int) -> list[Connection]:
    at = [here.hall.server.tables[table].subscribers.at(seat) for seat in (0, 1)]
    return [client for client in at if isinstance(client, Connection)]


async def test_a_player_sees_both_wires_as_they_speak(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        async with viewer(here, table, f"Ticket {tickets[0]}") as looks:
            assert [(wire["seat"], wire["name"], wire["dialect"]) for wire in await looks.wires()] == [
                (0, "ann", "bogaprot"),
                (1, "bob", "bogaprot"),
            ]
            await alternate(guests, 4)
            seen = await looks.until("<< MSG_MOVE")
            assert ">> MSG_MOVE" in seen
            assert "=> PlayMove(Move(None, 4" in seen or "=> PlayMove" in seen
            assert "<< RSP_MOVE" in seen


async def test_the_wires_follow_who_comes_and_goes_and_are_forgotten_when_nobody_looks(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        async with viewer(here, table, f"Bearer {TOKEN}") as looks:
            before = await looks.wires()
            again = here.hall.dial()
            await again.joins(f"tic_tac_toe#{tickets[0]}")
            after = await looks.wires()
            assert (before[1], before[0]["wire"]) != (after[1], after[0]["wire"])
            assert [wire["seat"] for wire in after] == [0, 1]
            assert all(tail_of(one) is not None for one in connections(here, table))
        await here.hall.until(lambda: all(one.wire_log is None for one in connections(here, table)))


async def test_no_ticket_and_no_private_talk_is_shown(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        async with viewer(here, table, f"Ticket {tickets[1]}") as looks:
            await looks.wires()
            again = here.hall.dial()
            await again.joins(f"tic_tac_toe#{tickets[0]}")
            await looks.wires()
            speaker = connections(here, table)[0]
            await speaker._do([Say("players", "between us two"), Say("all", "hello all")], speaker.heard)
            await alternate([again, guests[1]], 4)
            seen = await looks.until("PlayMove")
        assert tickets[0] not in seen
        assert "between us" not in seen


async def test_others_see_nothing_unless_the_listener_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        assert (await here.ask(f"/api/tables/{table}/bytes")).error == (403, "forbidden")
        other = (await here.register("carl", "dora")).body["tickets"][0]
        assert (await here.ask(f"/api/tables/{table}/bytes", auth=f"Ticket {other}")).error == (403, "forbidden")
        opened = connections(here, table)[1]
        opened.wire_log = WireTail(None, type(opened.dialect), {}, public=True)  # as of a listener with wire_public=yes
        async with viewer(here, table, "") as looks:
            assert [wire["seat"] for wire in await looks.wires()] == [1]
            await alternate(guests, 4)
            assert ">>" not in await looks.until("MSG_MOVE")  # seat 0 moved: only what seat 1 was told


async def test_there_are_so_many_viewers_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_bytes, "VIEWERS", 1)
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        async with viewer(here, table, f"Ticket {tickets[0]}") as first:
            await first.wires()
            refused = await here.ask(f"/api/tables/{table}/bytes", auth=f"Ticket {tickets[1]}")
            assert refused.error == (503, "overload")


async def test_it_ends_with_the_table(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, guests = await playing(here)
        async with viewer(here, table, f"Ticket {tickets[0]}") as looks:
            await looks.wires()
            await alternate(guests, 0, 3, 1, 4, 2)
            for guest in guests:
                await guest.leaves()
            last: list[str] = []
            while (block := await looks.block()) is not None:
                last = block
            assert last == ["event: closed", "data: {}"]
        async with viewer(here, table, "") as late:
            assert (late.status, await late.block(), await late.block()) == (200, ["event: closed", "data: {}"], None)


async def test_a_table_that_waits_has_no_wires_until_its_players_come(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.register("ann", "bob")
        table, tickets = answer.body["id"], answer.body["tickets"]
        async with viewer(here, table, f"Ticket {tickets[1]}") as player, viewer(here, table, "") as stranger:
            assert await player.wires() == []
            assert await stranger.wires() == []
            await here.hall.dial().joins(f"tic_tac_toe#{tickets[0]}")
            assert [(wire["seat"], wire["name"]) for wire in await player.wires()] == [(0, "ann")]
            opened = connections(here, table)[0]
            opened.wire_log = WireTail(None, type(opened.dialect), {}, public=True)
            assert [wire["seat"] for wire in await stranger.wires()] == [0]


async def test_it_ends_with_a_table_whose_players_never_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_bytes, "QUIET_S", 0.5)
    async with club(tmp_path) as here:
        table = (await here.register("ann", "bob")).body["id"]
        async with viewer(here, table, "") as looks:
            assert await looks.wires() == []
            found = await here.hall.server.tables.local(table)
            assert found is not None
            await found.end(partial(seating.end_by_host, reason="the hall closes"))
            last: list[str] = []
            while (block := await looks.block()) is not None:
                last = block
            assert last == ["event: closed", "data: {}"]
