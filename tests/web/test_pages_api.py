"""The page of the API names every document and request, and the other pages lead there."""

from __future__ import annotations

from pathlib import Path

from gateway.release import release
from gateway.web.operations import OPERATIONS
from tests.web.browsing import asked, checked, links
from tests.web.club import club

DOCUMENTS = {"/api/openapi.json", "/api/web.schema.json", "/api/events.schema.json"}


async def test_the_page_leads_to_every_document_and_has_every_request(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/api"))
        assert set(links(page)) >= {*DOCUMENTS, "/connect", "/api/games", "/api/tables"}
        words = page.words()
        assert f"Boardgate {release().words}" in words
        for one in OPERATIONS:
            assert one.path in words
            assert one.path in DOCUMENTS or one.summary.replace("`", "") in words


async def test_docs_leads_to_it_and_the_page_connect_names_every_document(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, "/docs")
        assert (answer.status, answer.headers["location"]) == (303, "/api")
        found = set(links(checked(await asked(here.port, "/connect"))))
        assert found >= {"/api", "/api/openapi.json", "/api/web.schema.json"}


async def test_what_lies_below_is_the_api_itself(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert (await here.ask("/api/games")).status == 200
        assert (await here.ask("/api/nothing")).error == (404, "not_found")
