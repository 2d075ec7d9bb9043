"""Holds for every route and answer: no page of another site changes anything, and no browser guesses types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from starlette.routing import BaseRoute, Route

from gateway import registry
from gateway.config import Limits
from gateway.ops.server import GameServer
from gateway.web.http_dialects import http_dialect_routes
from gateway.web.sessions import SAFE
from tests.hall import config
from tests.web.club import Club, club, playing, relay_routes
from tests.web.serving import connect, everything, served

EVIL = "http://evil.example"
NOSNIFF = b"\r\nx-content-type-options: nosniff\r\n"


def all_routes(server: GameServer) -> Sequence[BaseRoute]:
    """Those that ``boardgate serve`` adds."""
    return [*relay_routes(server), *http_dialect_routes(server, registry.dialects())]


def address(route: Route) -> str:
    return re.sub(r"\{\w+(:\w+)?\}", "1", route.path)


def changing(here: Club) -> list[tuple[str, str]]:
    """Method and address of every route that is more than a look."""
    return [(method, address(one)) for one in here.routes for method in sorted((one.methods or set()) - {*SAFE})]


async def raw(port: int, *lines: str) -> bytes:
    """Everything that is answered to these lines."""
    async with await connect(port) as stream:
        await stream.send_all("\r\n".join([f"{lines[0]} HTTP/1.1", "Host: here", *lines[1:], "", ""]).encode())
        return await everything(stream)


async def head(stream: trio.SocketStream) -> bytes:
    """What is answered until the end of its headers. AssertionError: the server has closed before."""
    found = b""
    while b"\r\n\r\n" not in found:
        part = await stream.receive_some()
        assert part, found
        found += part
    return found


@pytest.mark.parametrize("origin", [EVIL, "null", "http://here.evil.example", "https://here:81"])
async def test_no_page_of_another_site_sends_anything_but_a_question(tmp_path: Path, origin: str) -> None:
    """A browser sends text/plain, and a POST without a body, to other sites without asking them first."""
    async with club(tmp_path, more=all_routes) as here:
        asked = changing(here)
        paths = {path for _, path in asked}
        assert {"/api/relays", "/api/lines", "/api/tables", "/login", "/GamesmanServlet"} <= paths
        for method, path in asked:
            answer = await here.ask(path, b"{}", kind="text/plain", method=method, headers=[f"Origin: {origin}"])
            assert answer.error == (403, "foreign_origin"), (method, path)
        assert not here.hall.server.tables


async def test_a_page_of_ours_a_program_and_a_site_that_the_host_names_are_served(tmp_path: Path) -> None:
    usual = config()
    open_to_one = replace(usual, server=replace(usual.server, api_origins="https://example.org"))
    async with club(tmp_path, open_to_one, more=all_routes) as here:
        for origins in ([], ["Origin: "], ["Origin: http://here"], ["Origin: https://example.org"]):
            answer = await here.ask("/api/relays", method="POST", headers=origins)
            assert answer.error == (503, "no_relay")
        for method, path in changing(here):
            answer = await here.ask(
                path, b"{}", kind="text/plain", method=method, headers=["Origin: https://example.org"]
            )
            refused = answer.status == 403 and answer.body["error"] == "foreign_origin"
            assert refused is not path.startswith("/api/"), path


async def test_every_answer_says_that_its_type_is_not_to_be_guessed(tmp_path: Path) -> None:
    """Pages, files, JSON, redirects, errors, answers without a body, and those that HTTP itself gives."""
    async with club(tmp_path, more=all_routes) as here:
        await playing(here)
        asked = [(method, address(one)) for one in here.routes for method in sorted(one.methods or set())]
        asked += [("GET", "/nowhere"), ("BREW", "/"), ("OPTIONS", "/api/games"), ("GET", "/ws")]
        for method, path in asked:
            if not path.endswith(("stream", "bytes")):
                found = await raw(here.port, f"{method} {path}", "Connection: close")
                assert NOSNIFF in found.lower(), (method, path, found[:200])
        for path in ("/static/x/css/base.css", "/static/x/js/none.js"):
            assert NOSNIFF in (await raw(here.port, f"GET {path}", "Connection: close")).lower()
        form = ("Origin: http://here", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0")
        found = await raw(here.port, "POST /logout", *form, "Connection: close")
        assert found.startswith(b"HTTP/1.1 303 ")
        assert NOSNIFF in found.lower()


async def test_a_stream_says_so_before_its_first_event(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        for path in ("stream", "bytes"):
            async with await connect(here.port) as stream:
                await stream.send_all(f"GET /api/tables/{table}/{path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
                assert NOSNIFF in (await head(stream)).lower()


@pytest.mark.parametrize(
    "request_",
    [
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
async def test_so_do_refusals_of_what_is_no_request(tmp_path: Path, request_: str) -> None:
    async with club(tmp_path) as here, await connect(here.port) as stream:
        await stream.send_all(request_.encode())
        assert NOSNIFF in (await head(stream)).lower()


async def test_so_does_a_server_that_is_full() -> None:
    async with served(limits=Limits(connections=1)) as port, await connect(port) as first:
        await first.send_all(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert NOSNIFF in await first.receive_some()
        async with await connect(port) as second:
            found = await everything(second)
    assert found.startswith(b"HTTP/1.1 503 ")
    assert NOSNIFF in found.lower()
