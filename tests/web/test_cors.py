"""Pages of other sites ask the API where the host allows them to, and never with a visitor's cookies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gateway.config import Config
from tests.hall import config
from tests.web.club import club

SITE = "https://example.org"


def allowing(origins: str) -> Config:
    usual = config()
    return replace(usual, server=replace(usual.server, api_origins=origins))


async def test_no_other_site_is_allowed_unless_the_host_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await here.ask("/api/games", headers=[f"Origin: {SITE}"])
        assert "access-control" not in answer.head
        preflight = await here.ask("/api/games", method="OPTIONS", headers=[f"Origin: {SITE}"])
        assert preflight.error == (405, "method_not_allowed")


@pytest.mark.parametrize("origins", [SITE, f"https://example.net {SITE}"])
async def test_a_named_site_may_ask_and_another_may_not(tmp_path: Path, origins: str) -> None:
    async with club(tmp_path, allowing(origins)) as here:
        answer = await here.ask("/api/games", headers=[f"Origin: {SITE}"])
        assert f"access-control-allow-origin: {SITE}\r\n" in f"{answer.head}\r\n"
        assert "vary: origin" in answer.head
        assert "allow-credentials" not in answer.head
        other = await here.ask("/api/games", headers=["Origin: https://elsewhere.example"])
        assert "access-control-allow-origin" not in other.head
        refused = await here.ask("/api/tables/99", headers=[f"Origin: {SITE}"])
        assert refused.status == 404
        assert f"access-control-allow-origin: {SITE}" in refused.head


async def test_a_browser_is_told_before_it_sends_a_ticket(tmp_path: Path) -> None:
    async with club(tmp_path, allowing(SITE)) as here:
        wants = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization, content-type"]
        told = await here.ask("/api/tables/1/moves", method="OPTIONS", headers=[f"Origin: {SITE}", *wants])
        assert told.status == 200
        assert "access-control-max-age: 600" in told.head
        assert "authorization" in told.head
        assert "allow-credentials" not in told.head
        other = ["Origin: https://elsewhere.example", *wants]
        assert (await here.ask("/api/tables/1/moves", method="OPTIONS", headers=other)).status == 400


async def test_every_site_may_ask_where_the_host_says_all(tmp_path: Path) -> None:
    async with club(tmp_path, allowing("*")) as here:
        answer = await here.ask("/api/games", headers=[f"Origin: {SITE}"])
        assert "access-control-allow-origin: *" in answer.head
        assert "allow-credentials" not in answer.head


async def test_what_is_not_the_api_is_for_our_own_pages(tmp_path: Path) -> None:
    async with club(tmp_path, allowing("*")) as here:
        answer = await here.ask("/healthz", headers=[f"Origin: {SITE}"])
        assert answer.status == 200
        assert "access-control" not in answer.head
