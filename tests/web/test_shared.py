"""Links to finished games: who makes them and takes them back, what they show, and for how long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.web import sharing
from tests.hall import alternate
from tests.web.browsing import asked, checked, links
from tests.web.club import PASSWORD, TOKEN, Answered, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import played, with_key
from tests.web.test_lines import opens

SHARE = "/api/tables/1/share"
PARTS = ("", "/proof", "/export", "/export?format=ndjson")


async def asks(here: Club, method: str, ticket: str = "") -> Answered:
    return await here.ask(SHARE, method=method, auth=f"Ticket {ticket}" if ticket else "")


async def opened(here: Club, address: str) -> list[int]:
    """The status of each page of a link, for a stranger."""
    return [(await asked(here.port, address + part)).status for part in PARTS]


async def test_a_guest_makes_a_link_that_everybody_can_open_and_takes_it_back(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
        assert (await asks(here, "GET", ticket)).body == {"table": 1, "address": None, "private": True}
        made = (await asks(here, "POST", ticket)).body
        assert (made["table"], made["private"]) == (1, True)
        assert len(made["address"]) >= len("/shared/") + 22
        assert (await asks(here, "POST", ticket)).body == (await asks(here, "GET", ticket)).body == made
        assert await opened(here, made["address"]) == [200] * len(PARTS)
        assert (await asked(here.port, "/table/1")).status == 404
        assert (await asks(here, "DELETE", ticket)).status == 204
        assert (await asks(here, "DELETE", ticket)).status == 204
        assert await opened(here, made["address"]) == [404] * len(PARTS)
        assert await opened(here, "/shared/x") == [404] * len(PARTS)
        again = (await asks(here, "POST", ticket)).body
        assert again["address"] != made["address"]
        assert await opened(here, made["address"]) == [404] * len(PARTS)


async def test_a_link_shows_the_game_its_proof_and_nothing_to_do(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        address = (await asks(here, "POST", await played(here, name="zoe"))).body["address"]
        answer = await asked(here.port, address)
        page = checked(answer)
        assert "zoe" in answer.text
        assert "resignation" in page.words()
        found = links(page)
        assert f"{address}/proof" in found
        assert f"{address}/export?format=ndjson" in found
        assert not [link for link in found if link.startswith(("/table/", "/api/tables/", "/report"))]
        proof = checked(await asked(here.port, f"{address}/proof"))
        assert f"{address}/export" in links(proof)
        record = (await asked(here.port, f"{address}/export")).text.splitlines()
        assert '"GameEnded"' in record[-1]


async def test_search_engines_leave_every_part_of_it_out_and_no_other_site_is_told_the_address(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        address = (await asks(here, "POST", await played(here))).body["address"]
        for part in PARTS:
            answer = await asked(here.port, address + part)
            assert answer.headers["x-robots-tag"] == "noindex"
            assert answer.headers["cache-control"] == "no-store"
        assert (await asked(here.port, address)).headers["referrer-policy"] == "same-origin"
        assert "x-robots-tag" not in (await asked(here.port, "/games")).headers


async def test_nothing_of_what_was_said_is_shown(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await opens(here)
        await page.say("join", game="tic_tac_toe", against="bot")
        ticket = str((await page.until("seated"))["ticket"])
        await page.until("moves")
        await page.say("say", to="all", text="my-secret-plan")
        await page.until("Said")
        await page.say("resign")
        await page.until("GameEnded")
        address = (await asks(here, "POST", ticket)).body["address"]
        texts = [(await asked(here.port, address + part)).text for part in PARTS]
        assert not [text for text in texts if "my-secret-plan" in text]
        assert '"kind":"Said"' in texts[-1]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_strangers_neither_make_nor_end_one(tmp_path: Path, method: str) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
        address = (await asks(here, "POST", ticket)).body["address"]
        assert (await asks(here, method)).error == (404, "no_such_table")
        assert (await here.ask(SHARE, method=method, auth=here.has_account("bert"))).error == (404, "no_such_table")
        assert (await here.ask(SHARE, method=method, auth=f"Bearer {TOKEN}")).error == (403, "forbidden")
        assert await opened(here, address) == [200] * len(PARTS)


async def test_the_player_of_an_account_has_forms_for_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await played(here, basic("anna", PASSWORD))
        assert "/table/1/share" in links(checked(await anna.get("/table/1")))
        assert "Make a link" in checked(await anna.get("/table/1/share")).words()
        page = checked(await anna.sends("/table/1/share"))
        address, frame = [code.text for code in page.all("code")]
        path = address.removeprefix(f"http://127.0.0.1:{here.port}")
        assert path.startswith("/shared/")
        assert frame.startswith(f'<iframe src="{address}/embed"')
        assert await opened(here, path) == [200] * len(PARTS)
        assert "Make a link" in checked(await anna.sends("/table/1/share", end="1")).words()
        assert await opened(here, path) == [404] * len(PARTS)
        assert (await Person(here.port).get("/table/1/share")).status == 404
        assert (await Person(here.port).send("/table/1/share")).status == 404
        evil = {"origin": "http://evil.example"}
        assert (await anna.send("/table/1/share", evil)).status == 403


async def test_a_guest_has_the_forms_by_the_cookie_of_its_seat(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guest = with_key(here, await played(here))
        page = checked(await guest.sends("/table/1/share"))
        assert ["/shared/" in code.text for code in page.all("code")] == [True, True]


async def test_it_ends_with_the_account_that_made_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await logged_in(here, "anna")
        await played(here, basic("anna", PASSWORD))
        address = (await here.ask(SHARE, method="POST", auth=basic("anna", PASSWORD))).body["address"]
        here.hall.server.accounts.delete("anna", "anna")
        assert await opened(here, address) == [404] * len(PARTS)


async def test_the_link_to_a_public_game_is_its_page(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await alternate(await here.hall.seat("Tic_tac_toe"), 0, 3, 1, 4, 2)
        for method in ("GET", "POST", "DELETE", "POST"):
            found = await asks(here, method)
            assert found.body == ("" if method == "DELETE" else {"table": 1, "address": "/table/1", "private": False})
        page = checked(await asked(here.port, "/table/1/share"))
        assert f"http://127.0.0.1:{here.port}/table/1" in [code.text for code in page.all("code")]
        assert not list(page.all("form"))
        assert here.kept is not None
        assert here.kept.shares.of_table(1) is None


async def test_a_game_is_shared_when_it_is_over(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await opens(here)
        await page.say("join", game="tic_tac_toe", against="bot")
        ticket = str((await page.until("seated"))["ticket"])
        await page.until("moves")
        for method in ("GET", "POST"):
            assert (await asks(here, method, ticket)).error == (409, "not_now")
        assert (await with_key(here, ticket).get("/table/1/share")).status == 409


async def rematch(page: Any) -> None:
    await page.say("propose", what="rematch")
    await page.until("GameStarted")
    await page.until("moves")


async def test_a_game_that_begins_there_later_is_not_shown(tmp_path: Path) -> None:
    """Neither while it is played nor afterwards; its players may share it, too, and then the earlier link has ended."""
    async with club(tmp_path) as here:
        page = await opens(here)
        await page.say("join", game="tic_tac_toe", against="bot")
        ticket = str((await page.until("seated"))["ticket"])
        await page.until("moves")
        await page.say("resign")
        await page.until("GameEnded")
        first = (await asks(here, "POST", ticket)).body["address"]
        shown = (await asked(here.port, f"{first}/export")).text
        await rematch(page)
        assert (await asks(here, "POST", ticket)).error == (409, "not_now")
        assert (await asked(here.port, f"{first}/export")).text == shown
        assert "resignation" in checked(await asked(here.port, first)).words()
        await page.say("resign")
        await page.until("GameEnded")
        assert (await asks(here, "GET", ticket)).body["address"] is None
        second = (await asks(here, "POST", ticket)).body["address"]
        assert await opened(here, first) == [404] * len(PARTS)
        assert len((await asked(here.port, f"{second}/export")).text) > len(shown)


async def test_an_address_makes_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "BURST", 2)
    async with club(tmp_path) as here:
        ticket = await played(here)
        assert [(await asks(here, "POST", ticket)).status for _ in range(3)] == [200, 200, 429]


async def test_it_is_there_after_a_restart_too(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        address = (await asks(here, "POST", await played(here))).body["address"]
    async with club(tmp_path) as here:
        assert await opened(here, address) == [200] * len(PARTS)
