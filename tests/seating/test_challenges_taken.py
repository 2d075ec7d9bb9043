"""A person who takes no challenges just now is challenged by nobody, is listed so, and takes them again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from gateway import registry
from gateway.lobby.here import Entry, takes_challenges
from gateway.lobby.table_words import at_no_table_line
from gateway.seating.offerers import Offerer
from protocols.core.errors import Refused
from protocols.core.proposals import Start
from tests.cluster.world import world
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

CHESS: dict[str, Any] = {"game": "chess", "to": "bert"}
ANNA, BERT = basic("anna", PASSWORD), basic("bert", PASSWORD)
REFUSED = "bert takes no challenges just now"


async def challenges(here: Club) -> str:
    """The refusal of a challenge to bert, "" where it stands; it is withdrawn then."""
    made = await here.ask("/api/offers", CHESS, auth=ANNA)
    if made.status != 201:
        assert made.error == (409, "not_now")
        return str(made.body["message"])
    await here.ask(f"/api/offers/{made.body['id']}", method="DELETE", auth=ANNA)
    return ""


async def taking(here: Club) -> dict[str, bool]:
    found = (await here.ask("/api/here")).body["here"]
    return {one["name"]: one["challenges"] for one in found}


async def test_the_button_of_the_list_takes_none_and_takes_them_again(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = await logged_in(here, "anna"), await logged_in(here, "bert")
        assert "You take challenges." in (await bert.get("/people")).text
        await bert.send("/people", challenges="no")
        assert await challenges(here) == REFUSED
        refused = await anna.send("/challenges", to="bert", game="chess", time="300+3")
        assert "Bert takes no challenges just now" in refused.text
        words = checked(await bert.get("/people")).words()
        assert "You take no challenges while you are here." in words
        assert "takes no challenges" in checked(await anna.get("/people")).words()
        assert (await taking(here))["bert"] is False
        await bert.send("/people", challenges="perhaps")
        await bert.get("/")
        assert await challenges(here) == REFUSED
        await bert.send("/people", challenges="yes")
        assert await challenges(here) == ""
        assert (await taking(here))["bert"] is True


async def test_a_program_says_it_of_its_account_on_all_its_connections(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        here.has_account("bert")
        assert (await here.ask("/api/challenges", method="DELETE", auth=BERT)).error == (409, "not_now")
        assert (await here.ask("/api/challenges", method="DELETE")).status == 401
        pages = [await opens(here), await opens(here)]
        for page in pages:
            await page.say("login", name="bert", secret=PASSWORD)
            await page.until("logged_in")
        assert (await here.ask("/api/challenges", method="DELETE", auth=BERT)).status == 204
        assert await challenges(here) == REFUSED
        (shown,) = here.hall.server.people()
        assert at_no_table_line(shown, 0.0) == "bert (at no table, takes no challenges)"
        assert (await here.ask("/api/challenges", method="PUT", auth=BERT)).status == 204
        assert await challenges(here) == ""


async def test_a_stranger_cannot_say_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        bert = await logged_in(here, "bert")
        await bert.send("/logout")
        assert (await bert.send("/people", challenges="no")).status == 403


def test_the_newest_word_of_a_name_counts() -> None:
    old = Entry(1, "bert", True, 0.0, challenges=False, said_at=10.0)
    new = Entry(2, "bert", True, 0.0, challenges=True, said_at=20.0)
    silent = Entry(3, "bert", True, 0.0)
    assert takes_challenges([])
    assert takes_challenges([silent])
    assert not takes_challenges([silent, old])
    assert takes_challenges([silent, new, old])


async def test_every_node_hears_of_it(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        for member in (one, two):
            member.server.lobby.names.own(["anna", "bert"])
        one.server.entering.asked_page(b"a session", "bert")
        one.server.entering.says_challenges("bert", takes=False)
        await two.until(lambda: [person.challenges for person in two.server.people()] == [False])
        start = Start(registry.game("chess").settings())
        with pytest.raises(Refused) as refused:
            await two.server.offering.make(Offerer("anna", True, "192.0.2.7"), start, "bert", 10)
        assert refused.value.text == REFUSED
        one.server.entering.says_challenges("bert", takes=True)
        await two.until(lambda: [person.challenges for person in two.server.people()] == [True])
        assert (await two.server.offering.make(Offerer("anna", True, "192.0.2.7"), start, "bert", 10)).seat is None
