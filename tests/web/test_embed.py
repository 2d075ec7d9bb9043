"""The page for frames of other sites: it alone may be framed, it has nothing that acts, and it knows nobody."""

from __future__ import annotations

import json
from pathlib import Path

from gateway.web.headers import FRAMED, POLICY, SECURITY
from tests.hall import alternate
from tests.web.browsing import Element, asked, read
from tests.web.club import club, playing
from tests.web.test_every_answer import address, all_routes
from tests.web.test_finished_private import played, with_key
from tests.web.test_shared import asks

ACTING = ("form", "input", "select", "textarea", "iframe")


def data_of(page: Element) -> dict[str, object]:
    (script,) = [one for one in page.all("script") if one.attributes.get("id") == "page-data"]
    found: dict[str, object] = json.loads(script.text)
    return found


async def test_no_page_but_this_one_may_be_framed(tmp_path: Path) -> None:
    """Asked of every route, with a table in it that is there."""
    async with club(tmp_path, more=all_routes) as here:
        await playing(here)
        framed, pages = set(), 0
        for route in here.routes:
            path = address(route)
            if "GET" not in (route.methods or ()) or path.endswith(("/stream", "/bytes", ".png")):
                continue
            answer = await asked(here.port, path)
            if not answer.headers.get("content-type", "").startswith("text/html"):
                continue
            pages += 1
            policy = answer.headers["content-security-policy"]
            assert policy in (POLICY, FRAMED), path
            if policy == FRAMED:
                framed.add(path)
        assert pages > 20
        assert framed == {"/table/1/embed"}
    assert "frame-ancestors 'none'" in POLICY
    assert FRAMED.count("frame-ancestors *") == 1


async def test_a_public_game_is_shown_with_its_moves_and_a_link_to_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await alternate(await here.hall.seat("Tic_tac_toe"), 0, 3, 1, 4, 2)
        answer = await asked(here.port, "/table/1/embed")
        others = {name: text for name, text in SECURITY.items() if name != "content-security-policy"}
        assert others.items() <= answer.headers.items()
        assert answer.headers["x-robots-tag"] == "noindex"
        page = read(answer.text)
        assert not list(page.all(*ACTING))
        assert [link.attributes["href"] for link in page.all("a")] == ["/table/1"]
        kinds = [event["kind"] for event in data_of(page)["events"]]  # type: ignore[attr-defined]
        assert kinds.count("MoveMade") == 5
        assert "set-cookie" not in answer.headers


async def test_a_game_that_goes_on_is_shown_as_it_stands(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await playing(here)
        answer = await asked(here.port, f"/table/{table}/embed")
        assert "Watch it on" in read(answer.text).words()
        assert (await asked(here.port, "/table/9/embed")).status == 404
        assert (await asked(here.port, f"/table/{1 << 62}/embed")).status == 404


async def test_a_private_game_is_framed_by_its_link_alone(tmp_path: Path) -> None:
    """Not by the cookie of its player, which a page of another site would have sent along."""
    async with club(tmp_path) as here:
        ticket = await played(here)
        assert (await with_key(here, ticket).get("/table/1")).status == 200
        assert (await with_key(here, ticket).get("/table/1/embed")).status == 404
        link = (await asks(here, "POST", ticket)).body["address"]
        answer = await asked(here.port, f"{link}/embed")
        assert answer.headers["content-security-policy"] == FRAMED
        assert [one.attributes["href"] for one in read(answer.text).all("a")] == [link]
        await asks(here, "DELETE", ticket)
        gone = await asked(here.port, f"{link}/embed")
        assert (gone.status, gone.headers["content-security-policy"]) == (404, POLICY)
