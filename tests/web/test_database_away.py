"""While the database is away requests are answered 503, streams wait, and no account turns into a guest."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from gateway.store.accounts import SqlAccounts
from gateway.store.former import PublicViews
from gateway.store.sessions import Sessions
from gateway.tables.directory import Tables
from gateway.web import api_bytes, api_stream
from gateway.web.takeover import takeover_of
from protocols.core.model import SeatKind
from protocols.web.dialect import Web
from protocols.web.frames import client_frame
from tests.hall import alternate
from tests.web.browsing import asked, checked
from tests.web.club import PASSWORD, Club, basic, club, playing
from tests.web.person import Person
from tests.web.serving import connect, served
from tests.web.test_api_bytes import viewer
from tests.web.test_api_stream import source, streams_of
from tests.web.test_lines import HELLO, Page, opens
from tests.web.test_upgrade import OPENING, error, head


@contextmanager
def away(monkeypatch: pytest.MonkeyPatch, owner: type, *names: str) -> Iterator[list[int]]:
    """These methods fail as where PostgreSQL cannot be reached; each call adds one to what is given."""
    calls: list[int] = []

    def fails(*_: object) -> Any:
        calls.append(1)
        raise OperationalError("SELECT", {}, OSError("connection refused"))

    with monkeypatch.context() as broken:
        for name in names:
            broken.setattr(owner, name, fails)
        yield calls


PATHS = [
    "/api/tables",
    *(f"/api/tables/1{part}" for part in ("", "/events", "/legal", "/stream", "/presence", "/bytes")),
]


@pytest.mark.parametrize("path", PATHS)
async def test_who_reads_by_the_api_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    async with club(tmp_path) as here:
        await playing(here)
        with away(monkeypatch, PublicViews, "table", "tables"), capture_logs() as lines:
            answer = await here.ask(path)
        assert answer.error == (503, "overload")
        assert "connection refused" not in answer.body["message"]
        assert [(line["event"], line["path"]) for line in lines if line["log_level"] != "debug"] == [
            ("a request cannot read or store", path)
        ]
        assert (await here.ask("/api/tables/1")).status == 200


@pytest.mark.parametrize("path", ["/table/1", "/table/1/proof"])
async def test_who_opens_the_page_of_a_table_is_told_so_by_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    async with club(tmp_path) as here:
        await playing(here)
        with away(monkeypatch, PublicViews, "table"):
            answer = await asked(here.port, path, accept="text/html")
        assert answer.status == 503
        assert "The server cannot read or store just now, try again in a moment." in checked(answer).words()


async def test_a_stream_waits_for_the_database_and_goes_on_with_what_was_stored_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_stream, "AGAIN_S", 0.05)
    async with club(tmp_path) as here:
        table, _, guests = await playing(here)
        last = (await here.ask(f"/api/tables/{table}/events")).body["next"]
        async with source(here, table, query=f"?after={last}") as stream:
            assert await stream.block() == ["retry: 3000"]
            with away(monkeypatch, PublicViews, "rows"), capture_logs() as lines:
                await alternate(guests, 4)
                assert [await stream.block() for _ in range(3)] == [[":"], [":"], [":"]]
            assert (await stream.event())["body"]["move"]["target"] == 4
            await alternate(guests[::-1], 0)
            assert (await stream.event())["body"]["move"]["target"] == 0
    assert [line["event"] for line in lines].count("a request cannot read or store") == 1


async def test_a_stream_that_waits_for_the_database_ends_when_its_asker_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_stream, "AGAIN_S", 0.05)
    streams = streams_of(monkeypatch)
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        with away(monkeypatch, PublicViews, "rows"):
            async with source(here, table) as stream:
                assert [await stream.block() for _ in range(2)] == [["retry: 3000"], [":"]]
                assert streams[0].open == 1
            await here.hall.until(lambda: streams[0].open == 0)


async def test_a_viewer_of_bytes_waits_for_the_database_and_sees_the_players_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_bytes, "QUIET_S", api_bytes.LOOK_S)
    async with club(tmp_path) as here:
        made = (await here.register("ann", "bob")).body
        ticket = made["tickets"][0]
        async with viewer(here, made["id"], f"Ticket {ticket}") as looks:
            assert await looks.wires() == []
            monkeypatch.setattr(Tables, "unfinished", lambda tables, number: False)  # no node is known to have it
            with away(monkeypatch, PublicViews, "table") as calls:
                while not calls:
                    assert await looks.block() == [":"]
                assert await looks.block() == [":"]
            await here.hall.dial().joins(f"tic_tac_toe#{ticket}")
            assert [wire["name"] for wire in await looks.wires()] == ["ann"]


async def test_who_logs_in_by_a_wire_is_refused_in_words_and_may_try_again_on_the_same_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        page = await opens(here)
        with away(monkeypatch, SqlAccounts, "find"):
            await page.say("login", name="anna", secret=PASSWORD, id=7)
            refused = await page.until("rejected", "logged_in", "goodbye")
        assert (refused["type"], refused["id"], refused["why"]) == ("rejected", 7, "overload")
        await page.say("login", name="anna", secret=PASSWORD, id=8)
        assert (await page.until("rejected", "logged_in"))["type"] == "logged_in"


async def test_a_request_with_a_password_or_a_token_is_told_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        password = here.has_account("anna")
        token = "Bearer " + (await here.ask("/api/tokens", method="POST", auth=password)).body["token"]
        with away(monkeypatch, SqlAccounts, "find", "token"):
            for auth in (password, token, basic("nobody", PASSWORD)):
                assert (await here.ask("/api/tables", auth=auth)).error == (503, "overload")
        with away(monkeypatch, SqlAccounts, "add_token", "end_token"):
            for method, auth in (("POST", password), ("DELETE", token)):
                assert (await here.ask("/api/tokens", method=method, auth=auth)).error == (503, "overload")
        assert (await here.ask("/api/tables", auth=token)).status == 200


async def logged_in(here: Club, name: str) -> str:
    """The cookie of a browser that has logged in to a new account."""
    here.has_account(name)
    browser = Person(here.port)
    await browser.send("/login", name=name, password=PASSWORD)
    return f"boardgate={browser.cookies['boardgate']}"


async def test_a_line_of_a_browser_that_is_logged_in_is_refused_and_is_its_accounts_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that was opened as a guest's would be one as long as it is there."""
    async with club(tmp_path) as here:
        browser = [f"Cookie: {await logged_in(here, 'anna')}", "Origin: http://here"]
        with away(monkeypatch, Sessions, "find"):
            assert (await here.ask("/api/lines", HELLO, headers=browser)).error == (503, "overload")
            assert (await here.ask("/api/lines", HELLO, headers=browser[1:])).status == 201
        page = Page(here, (await here.ask("/api/lines", HELLO, headers=browser)).body["line"])
        await page.until("welcome")
        await page.say("join", game="tic_tac_toe")
        await page.until("seated")
        assert [seat.name for seat in here.hall.state().seats] == ["anna", ""]


async def test_a_websocket_of_a_browser_that_is_logged_in_is_refused_and_is_its_accounts_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here, websockets(here) as port:
        browser = OPENING + f"Cookie: {await logged_in(here, 'anna')}\r\nOrigin: http://localhost\r\n\r\n".encode()
        with away(monkeypatch, Sessions, "find"):
            assert await error(port, browser) == (503, "overload")
            assert await opened(port, OPENING + b"Origin: http://localhost\r\n\r\n")
            assert await opened(port, browser.replace(b"boardgate=", b"of-another-server="))
        async with await connect(port) as stream:
            await stream.send_all(browser)
            assert (await head(stream)).startswith(b"HTTP/1.1 101 ")
            for message in (HELLO, {"type": "join", "game": "tic_tac_toe"}):
                await stream.send_all(client_frame(json.dumps(message).encode()))
            tables = here.hall.server.tables
            await here.hall.until(lambda: 1 in tables and here.hall.state().seats[0].kind is SeatKind.PLAYER)
            assert [seat.name for seat in here.hall.state().seats] == ["anna", ""]


async def test_pages_are_drawn_for_a_browser_that_cannot_be_recognised_just_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        await playing(here)
        cookie = await logged_in(here, "anna")
        for path in ("/", "/table/1"):
            with away(monkeypatch, Sessions, "find"):
                shown = await asked(here.port, path, cookie=cookie)
            assert shown.status == 200
            assert "anna" not in checked(shown).words()
            assert "anna" in checked(await asked(here.port, path, cookie=cookie)).words()


@asynccontextmanager
async def websockets(here: Club) -> AsyncIterator[int]:
    """A port of the same server that takes WebSockets, too, as ``boardgate serve`` has them."""
    assert here.kept is not None
    takeover = takeover_of(here.hall.server, [Web], here.kept.sessions.account)
    async with served(here.app, takeover=takeover) as port:
        yield port


async def opened(port: int, asking: bytes) -> bool:
    """True if this request opens a WebSocket."""
    async with await connect(port) as stream:
        await stream.send_all(asking)
        return (await head(stream)).startswith(b"HTTP/1.1 101 ")
