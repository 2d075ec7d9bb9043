"""Ratings beside names where nobody sits: in offers, in the list of who is here, among the games of a player."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import trio

from gateway.store.rating_views import RatingViews
from tests.store.rated import play, won
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

CHESS = {"game": "chess", "time": "300+5", "rated": True}
ANN, BOB = basic("ann", PASSWORD), basic("bob", PASSWORD)


@asynccontextmanager
async def rated(folder: Path) -> AsyncIterator[tuple[Club, dict[str, Person]]]:
    """A club, and its people: ann has beaten bob at chess, in a rated game; it reads ratings as a server does."""
    async with club(folder) as here, trio.open_nursery() as nursery:
        url = here.hall.server.config.server.database
        with closing(RatingViews(url)) as views:
            people = {name: await logged_in(here, name) for name in ("ann", "bob", "cem")}
            play(url, [won(901, "ann", "bob", time.time())])
            nursery.start_soon(here.hall.server.seat_ratings.run, views)
            yield here, people
            nursery.cancel_scope.cancel()


async def test_a_rating_stands_beside_the_makers_name_of_an_offer(tmp_path: Path) -> None:
    """In the API, on the page, in the words of a client; not where the offered game is of another pool."""
    async with rated(tmp_path) as (here, people):
        number = (await here.ask("/api/offers", CHESS | {"to": "bob"}, auth=ANN)).body["id"]
        await here.ask("/api/offers", {"game": "go", "to": "bob"}, auth=ANN)
        told = (await here.ask("/api/offers", auth=BOB)).body["offers"]
        assert [one["rating"] for one in told] == [{"rating": 1741, "provisional": True}, None]
        words = checked(await people["bob"].get("/challenges")).words()
        assert "challenges you ann (1741?) Chess" in words
        assert "challenges you ann Go" in words
        assert "You offer bob (1259?) Chess" in checked(await people["ann"].get("/challenges")).words()
        page = await opens(here)
        await page.say("login", name="bob", secret=PASSWORD)
        await page.until("logged_in")
        await page.say("ask", topic="offers")
        lines: list[str] = (await page.until("answered"))["lines"]
        assert f"{number}: ann (1741?) offers you chess normal 8x8, time 300+5, rated" in lines


async def test_who_is_here_has_the_rating_of_the_game_that_was_rated_last(tmp_path: Path) -> None:
    async with rated(tmp_path) as (here, people):
        for person in people.values():
            await person.get("/")
        page = await opens(here)
        await page.say("enter", name="Otto")
        await page.until("named")

        async def told() -> dict[str, tuple[Any, Any]]:
            found = (await here.ask("/api/here")).body["here"]
            return {one["name"]: (one["rating"], one["pool"]) for one in found}

        assert await told() == {
            "ann": ({"rating": 1741, "provisional": True}, "chess/normal"),
            "bob": ({"rating": 1259, "provisional": True}, "chess/normal"),
            "cem": (None, None),
            "Otto": (None, None),
        }
        words = checked(await people["cem"].get("/people")).words()
        assert "ann (1741?) in the lobby · rated in Chess" in words
        assert "cem in the lobby Otto in the lobby" in words
        url = here.hall.server.config.server.database
        play(url, [won(902, "cem", "ann", time.time(), variant="atomic")])
        with trio.fail_after(20):
            while (await told())["ann"][1] != "chess/atomic":  # noqa: ASYNC110  # only the answer tells of it
                await trio.sleep(0.1)
        assert (await told())["cem"] == ({"rating": 1741, "provisional": True}, "chess/atomic")
        assert (await told())["bob"][1] == "chess/normal"


async def test_opponents_in_a_players_games_have_their_ratings(tmp_path: Path) -> None:
    async with rated(tmp_path) as (here, people):
        made = (await here.ask("/api/offers", CHESS | {"to": "bob", "side": 0}, auth=ANN)).body
        taken = (await here.ask(f"/api/offers/{made['id']}/take", {}, auth=BOB)).body
        for ticket in (made["ticket"], taken["ticket"]):
            page = await opens(here)
            await page.say("join", game="chess", ticket=ticket)
            await page.until("seated")
        assert "bob (1259?)" in checked(await people["ann"].get("/people/ann")).words()
        assert "ann (1741?)" in checked(await people["ann"].get("/people/bob")).words()
