"""Games of a table before its last: after a rematch each stays readable to whoever may see the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway.web.pages.earlier import seat_before
from protocols.core import events as ev
from protocols.core.model import Outcome, Reason
from tests.web.browsing import Answer, asked, checked, links, read
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import with_key
from tests.web.test_lines import opens
from tests.web.test_people import START, stored, taken
from tests.web.test_table_page import part
from tests.web.test_yours import asks

FIRST = "/table/1/game/1"


async def begun(here: Club, auth: str = "") -> tuple[Any, str]:
    """A line with a private game against the computer; its ticket."""
    page = await opens(here, auth=auth)
    await page.say("join", game="tic_tac_toe", against="bot")
    ticket = str((await page.until("seated"))["ticket"])
    await page.until("moves")
    return page, ticket


async def resigns(page: Any) -> None:
    await page.say("resign")
    await page.until("GameEnded")


async def again(page: Any) -> None:
    await page.say("propose", what="rematch")
    await page.until("GameStarted")
    await page.until("moves")


def told(answer: Answer) -> Any:
    """The data of the page's script."""
    return json.loads(part(read(answer.text), "page-data").text)


async def test_a_game_before_a_rematch_has_a_page_for_its_player_alone(tmp_path: Path) -> None:
    """Its moves, its end and the seat that one had there: for the rematch the sides were exchanged."""
    async with club(tmp_path) as here:
        page, ticket = await begun(here)
        guest = with_key(here, ticket)
        seat = told(await guest.get("/table/1"))["seat"]
        assert (await guest.get(FIRST)).status == 404  # it goes on
        await page.say("say", to="all", text="a word")
        await resigns(page)
        assert FIRST not in links(checked(await guest.get("/table/1")))
        await again(page)
        now = await guest.get("/table/1")
        assert FIRST in links(checked(now))
        assert told(now)["seat"] == 1 - seat
        answer = await guest.get(FIRST)
        shown, data = checked(answer), told(answer)
        assert "resignation" in shown.words()
        assert [event["kind"] for event in data["events"]].count("GameStarted") == 1
        assert (data["events"][-1]["kind"], data["seat"], data["live"]) == ("GameEnded", seat, False)
        assert "a word" not in answer.text
        assert "/table/1" in links(shown)
        assert not [link for link in links(shown) if "share" in link or "report" in link]
        assert (await guest.get("/table/1/game/2")).status == 404
        assert (await asked(here.port, FIRST)).status == 404


def test_a_seat_is_that_of_the_same_player_before_seats_turned() -> None:
    end = ev.GameEnded(Outcome(0, Reason.RULES))
    events: list[ev.Event] = [taken(0, "anna"), taken(1, "bert"), START, end, ev.SeatsTurned(1), START]
    assert [seat_before(seat, stored(*events), 3, 2) for seat in (0, 1)] == [1, 0]
    assert [seat_before(seat, stored(*events, taken(0, "carl")), 3, 2) for seat in (0, 1)] == [None, 0]


async def test_every_game_of_a_table_stands_among_the_finished_ones(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        page, _ = await begun(here, basic("anna", PASSWORD))
        await resigns(page)
        await again(page)
        assert FIRST not in links(checked(await anna.get("/yours")))  # the table's page leads there meanwhile
        await resigns(page)
        await page.say("leave")
        await here.hall.until(lambda: 1 not in here.hall.server.tables)
        own = [link for link in links(checked(await anna.get("/yours"))) if link.startswith("/table/")]
        assert own == ["/table/1", FIRST]
        assert (await anna.get(FIRST)).status == 200
        assert (await anna.get("/table/1/game/3")).status == 404


async def test_a_long_evening_at_one_table_fills_no_more_than_its_page(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page, ticket = await begun(here)
        await resigns(page)
        for _ in range(3):
            await again(page)
            await resigns(page)
        await page.say("leave")
        await here.hall.until(lambda: 1 not in here.hall.server.tables)
        other, second = await begun(here)
        await resigns(other)
        await other.say("leave")
        await here.hall.until(lambda: 2 not in here.hall.server.tables)
        both = [1, ticket], [2, second]
        assert [line["address"] for line in (await asks(here.port, *both, past=2))["past"]] == ["/table/2", "/table/1"]
        found = [line["address"] for line in (await asks(here.port, *both, past=5))["past"]]
        assert found == ["/table/2", "/table/1", "/table/1/game/3", "/table/1/game/2", FIRST]
