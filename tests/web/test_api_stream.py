"""A table's events come as server-sent events, once each, and go on where they were cut off."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import h11
import pytest
import trio

from gateway.sessions.connection import Connection
from gateway.web import api_stream
from protocols.core.commands import Say
from tests.hall import alternate
from tests.web.club import Club, club, playing
from tests.web.serving import connect

PATIENCE_S = 15.0


class Source:
    """The asking end of one stream, as a browser's EventSource. ``status`` and ``headers`` are the answer's."""

    def __init__(self, tcp: trio.SocketStream) -> None:
        self.tcp = tcp
        self._http = h11.Connection(h11.CLIENT)
        self._text = ""
        self.status = 0
        self.headers: dict[bytes, bytes] = {}

    async def ask(self, path: str, *headers: tuple[str, str]) -> None:
        request = h11.Request(method="GET", target=path, headers=[("Host", "here"), *headers])
        await self.tcp.send_all((self._http.send(request) or b"") + (self._http.send(h11.EndOfMessage()) or b""))
        response = await self._next()
        assert isinstance(response, h11.Response)
        self.status, self.headers = response.status_code, dict(response.headers)

    async def _next(self) -> Any:
        with trio.fail_after(PATIENCE_S):
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self.tcp.receive_some(4096))
        return event

    async def block(self) -> list[str] | None:
        """The lines of the next block; None at the end of the answer."""
        while "\n\n" not in self._text:
            event = await self._next()
            if not isinstance(event, h11.Data):
                return None
            self._text += bytes(event.data).decode()
        block, _, self._text = self._text.partition("\n\n")
        return block.splitlines()

    async def event(self) -> dict[str, Any]:
        """The next event of the table; comments and the time to wait are passed over."""
        while True:
            block = await self.block()
            assert block is not None, "the stream has ended"
            fields = dict(line.split(": ", 1) for line in block if ": " in line)
            if "id" in fields:
                event: dict[str, Any] = json.loads(fields["data"])
                assert fields["id"] == str(event["seq"])
                return event

    async def kinds(self, number: int) -> list[str]:
        return [(await self.event())["kind"] for _ in range(number)]


@asynccontextmanager
async def source(here: Club, table: int, *headers: tuple[str, str], query: str = "") -> AsyncIterator[Source]:
    async with await connect(here.port) as tcp:
        found = Source(tcp)
        await found.ask(f"/api/tables/{table}/stream{query}", *headers)
        yield found


async def test_events_come_as_they_are_stored(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        before = (await here.ask(f"/api/tables/{table}/events")).body["events"]
        async with source(here, table) as stream:
            assert stream.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
            assert await stream.block() == ["retry: 3000"]
            assert [await stream.event() for _ in before] == before
            await alternate(guests, 4)
            assert (await stream.event())["body"]["move"]["target"] == 4
            await alternate(guests[::-1], 0)
            assert (await stream.event())["body"]["move"]["target"] == 0


async def test_a_stream_goes_on_behind_the_last_event(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        last = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        await alternate(guests, 4)
        async with source(here, table, ("Last-Event-ID", str(last))) as stream:
            assert (await stream.event())["seq"] == last + 1
        async with source(here, table, query=f"?after={last - 1}") as stream:
            assert (await stream.event())["seq"] == last


async def test_a_finished_table_ends_its_stream_and_has_none_any_more(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        async with source(here, table) as stream:
            await alternate(guests, 0, 3, 1, 4, 2)
            for guest in guests:
                await guest.leaves()
            seen: list[list[str]] = []
            while (block := await stream.block()) is not None:
                seen.append(block)
        assert seen[-1][1] == "event: closed"
        assert seen[-1][0] == seen[-2][0], "the id of the last event"
        last = seen[-2][0].removeprefix("id: ")
        assert json.loads(seen[-2][1].removeprefix("data: "))["kind"] == "TableClosed"
        async with source(here, table, ("Last-Event-ID", last)) as stream:
            assert stream.status == 204
        async with source(here, table, ("Last-Event-ID", str(int(last) - 1))) as stream:
            assert await stream.kinds(1) == ["TableClosed"]


async def test_a_silent_stream_shows_that_it_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_stream, "QUIET_S", 0.05)
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        last = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        async with source(here, table, query=f"?after={last}") as stream:
            assert [await stream.block() for _ in range(3)] == [["retry: 3000"], [":"], [":"]]


def streams_of(monkeypatch: pytest.MonkeyPatch) -> list[api_stream.StreamingApi]:
    """A list of the streaming APIs that are made from now on."""
    streams: list[api_stream.StreamingApi] = []
    init = api_stream.StreamingApi.__init__

    def noted(api: api_stream.StreamingApi, *arguments: Any) -> None:
        init(api, *arguments)
        streams.append(api)

    monkeypatch.setattr(api_stream.StreamingApi, "__init__", noted)
    return streams


async def test_a_client_that_goes_leaves_no_stream_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = streams_of(monkeypatch)
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        async with source(here, table) as stream:
            await stream.event()
            assert streams[0].open == 1
        await here.hall.until(lambda: streams[0].open == 0)


async def test_there_are_so_many_streams_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_stream, "STREAMS", 1)
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        async with source(here, table) as first:
            await first.event()
            refused = await here.ask(f"/api/tables/{table}/stream")
            assert refused.error == (503, "overload")


async def test_talk_of_the_players_is_streamed_to_them_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, tickets, _ = await playing(here)
        last = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        speaker = here.hall.server.tables[table].subscribers.at(0)
        assert isinstance(speaker, Connection)
        await speaker._do([Say("players", "between us")], speaker.heard)
        async with source(here, table, query=f"?after={last}") as stream:
            assert "body" not in await stream.event()
        async with source(here, table, ("Authorization", f"Ticket {tickets[1]}"), query=f"?after={last}") as stream:
            assert (await stream.event())["body"]["text"] == "between us"


@pytest.mark.parametrize("last", ["x", "-1", "1" * 21])
async def test_a_last_event_that_makes_no_sense_is_refused(tmp_path: Path, last: str) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        answer = await here.ask(f"/api/tables/{table}/stream", headers=[f"Last-Event-ID: {last}"])
        assert answer.error == (400, "bad_request")
        assert (await here.ask("/api/tables/99/stream")).error == (404, "no_such_table")
