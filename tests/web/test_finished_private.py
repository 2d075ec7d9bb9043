"""Finished private games stay open to those who played them, and to nobody else: page, replay, export and proof."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway.web.askers import SEAT_COOKIE
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

PATHS = ("/table/1", "/table/1/proof", "/api/tables/1", "/api/tables/1/events", "/api/tables/1/export?format=ndjson")


async def played(here: Club, auth: str = "", **more: Any) -> str:
    """A private game against the computer that is over, and left: table 1; the ticket of its player."""
    page = await opens(here, auth=auth)
    await page.say("join", game="tic_tac_toe", against="bot", **more)
    ticket = str((await page.until("seated"))["ticket"])
    await page.until("moves")
    await page.say("resign")
    await page.until("GameEnded")
    await page.say("leave")
    await here.hall.until(lambda: 1 not in here.hall.server.tables)
    return ticket


def with_key(here: Club, ticket: str) -> Person:
    return Person(here.port, cookies={SEAT_COOKIE: ticket})


async def statuses(person: Person) -> list[int]:
    return [(await person.get(path)).status for path in PATHS]


async def test_a_guest_has_them_by_the_cookie_of_its_seat(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guest = with_key(here, await played(here))
        assert await statuses(guest) == [200] * len(PATHS)
        page = checked(await guest.get("/table/1"))
        assert "resignation" in page.words()
        assert "/table/1/proof" in [link.attributes["href"] for link in page.all("a")]
        assert '"GameEnded"' in (await guest.get(PATHS[-1])).text


async def test_they_are_there_after_a_restart_too(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
    async with club(tmp_path) as here:
        assert await statuses(with_key(here, ticket)) == [200] * len(PATHS)
        assert (await here.ask("/api/tables/1", auth=f"Ticket {ticket}")).status == 200


async def test_an_account_has_them_by_its_login(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await played(here, basic("anna", PASSWORD))
        assert await statuses(anna) == [200] * len(PATHS)
        assert "/table/1" in [link.attributes["href"] for link in checked(await anna.get("/account")).all("a")]


@pytest.mark.parametrize("ticket", ["", "another ticket of nobody's", "x"])
async def test_strangers_have_not(tmp_path: Path, ticket: str) -> None:
    """However often they ask: a browser sends a cookie by itself, so a wrong one is no guess."""
    async with club(tmp_path) as here:
        await played(here)
        stranger = with_key(here, ticket) if ticket else Person(here.port)
        for _ in range(5):
            assert await statuses(stranger) == [404] * len(PATHS)
        assert await statuses(await logged_in(here, "bert")) == [404] * len(PATHS)


async def test_the_ticket_of_a_finished_game_leads_to_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
        told = await here.ask("/api/seat", auth=f"Ticket {ticket}")
        assert told.body == {"table": 1, "state": "over"}


async def test_who_registers_the_name_that_a_guest_had_has_none_of_the_guests_games(tmp_path: Path) -> None:
    async with club(tmp_path, accounts="open") as here:
        await played(here, name="zoe")
        eve = Person(here.port)
        await eve.sends("/register", name="Zoe", password=PASSWORD, again=PASSWORD)
        assert await statuses(eve) == [404] * len(PATHS)
        await played(here, basic("Zoe", PASSWORD))
        links = [link.attributes["href"] for link in checked(await eve.get("/account")).all("a")]
        assert "/table/2" in links
        assert "/table/1" not in links


async def test_a_name_under_which_a_guest_plays_is_nobodys_to_register(tmp_path: Path) -> None:
    """Also while the game rests: its seat is kept for the guest's ticket."""
    async with club(tmp_path, accounts="open") as here:
        page = await opens(here)
        await page.say("join", game="tic_tac_toe", against="bot", name="zoe")
        await page.until("moves")
        answer = await Person(here.port).send("/register", name="Zoe", password=PASSWORD, again=PASSWORD)
        assert "Zoe has a game here that is not over" in answer.text
    async with club(tmp_path, accounts="open") as here:
        answer = await Person(here.port).send("/register", name="Zoe", password=PASSWORD, again=PASSWORD)
        assert answer.status == 409
        assert "Zoe has a game here that is not over" in answer.text
