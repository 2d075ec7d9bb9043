"""Offers over HTTP: made, shown, taken and ended by accounts; players of other dialects take them, and are taken."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import trio

from gateway.store.ties import Blocks
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

CHESS = {"game": "chess", "time": "300+5", "rated": True}
TERMS = {"game": "chess", "variant": "normal", "time": {"kind": "fischer", "main_s": 300, "increment_s": 5}}


def auth(here: Club, name: str) -> str:
    """The words by which this account asks, which is made."""
    here.has_account(name)
    return basic(name, PASSWORD)


async def offered(here: Club, who: str = "") -> list[dict[str, Any]]:
    """The offers that this asker is shown."""
    found: list[dict[str, Any]] = (await here.ask("/api/offers", auth=who)).body["offers"]
    return found


async def test_a_challenge_is_seen_by_whom_it_is_for_and_taken_by_nobody_else(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert, carl = (auth(here, name) for name in ("anna", "bert", "carl"))
        made = await here.ask("/api/offers", CHESS | {"to": "BERT", "side": 1}, auth=anna)
        number = made.body["id"]
        assert (made.status, made.body["by"], made.body["state"], made.body["seat"]) == (201, "anna", "stands", None)
        (shown,) = await offered(here, bert)
        told = {name: shown[name] for name in ("by", "to", "game", "variant", "time", "rated", "side")}
        wanted = {"by": "anna", "to": "BERT", "game": "chess", "variant": "normal", "time": "300+5", "rated": True}
        assert told == wanted | {"side": 1}
        assert await offered(here, anna) == [shown]
        assert await offered(here, carl) == await offered(here) == []
        assert (await here.ask(f"/api/offers/{number}/take", {}, auth=carl)).error == (409, "not_now")
        assert (await here.ask(f"/api/offers/{number}/take", {})).status == 401
        assert (await here.ask(f"/api/offers/{number}", auth=carl)).status == 404
        assert (await here.ask(f"/api/offers/{number}", auth=anna)).body == {"id": number, "state": "stands"}
        taken = (await here.ask(f"/api/offers/{number}/take", {}, auth=bert)).body
        assert (taken["table"], taken["seat"]) == (number, 0)
        assert (await here.ask(f"/api/offers/{number}", auth=anna)).body == {"id": number, "state": "taken"}
        assert (await here.ask(f"/api/offers/{number}/take", {}, auth=bert)).error == (409, "not_now")
        pages = [await opens(here), await opens(here)]
        for page, ticket in zip(pages, (taken["ticket"], made.body["ticket"]), strict=True):
            await page.say("join", game="chess", ticket=ticket)
        assert [(await page.until("seated"))["seat"] for page in pages] == [0, 1]
        for page in pages:
            await page.until("turn")
        table = (await here.ask(f"/api/tables/{number}")).body
        assert ([seat["name"] for seat in table["seats"]], table["rated"]) == (["bert", "anna"], True)


async def test_who_asks_while_an_offer_is_taken_is_told_that_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The names that are apart from the asker are read slowly; meanwhile the offer is taken."""
    reads, go = threading.Event(), threading.Event()
    told = []
    async with club(tmp_path) as here:
        anna, bert = (auth(here, name) for name in ("anna", "bert"))
        number = (await here.ask("/api/offers", CHESS | {"to": "bert"}, auth=anna)).body["id"]
        blocks = here.hall.server.accounts.blocks

        def slowly(name: str) -> Blocks:
            if name == "anna":
                reads.set()
                assert go.wait(20.0)
            return blocks(name)

        monkeypatch.setattr(here.hall.server.accounts, "blocks", slowly)

        async def asks() -> None:
            told.append((await here.ask(f"/api/offers/{number}", auth=anna)).body)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(asks)
            assert await trio.to_thread.run_sync(reads.wait, 20.0)
            assert (await here.ask(f"/api/offers/{number}/take", {}, auth=bert)).status == 200
            go.set()
    assert told == [{"id": number, "state": "taken"}]


async def test_who_offers_what_is_offered_takes_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = auth(here, "anna"), auth(here, "bert")
        made = (await here.ask("/api/offers", CHESS | {"side": 0}, auth=anna)).body
        refused = await here.ask("/api/offers", CHESS | {"side": 0}, auth=bert)
        assert refused.body["state"] == "stands"  # both want to begin
        taken = (await here.ask("/api/offers", CHESS, auth=bert)).body
        assert (taken["id"], taken["state"], taken["seat"]) == (made["id"], "taken", 1)


async def test_an_offer_is_withdrawn_and_declined(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = auth(here, "anna"), auth(here, "bert")
        for ends in (anna, bert):
            number = (await here.ask("/api/offers", CHESS | {"to": "bert"}, auth=anna)).body["id"]
            assert (await here.ask(f"/api/offers/{number}", method="DELETE", auth=ends)).status == 204
            assert await offered(here, anna) == await offered(here, bert) == []
            assert (await here.ask(f"/api/offers/{number}", method="DELETE", auth=ends)).error == (409, "not_now")


async def test_what_cannot_be_offered_is_refused_in_words(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = auth(here, "anna")
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"game": "nogame"}, "nogame"),
            ({"game": "chess", "to": "anna"}, "anna is what you are called yourself"),
            ({"game": "chess", "to": "nobody"}, "nobody called 'nobody' is here"),
            ({"game": "chess", "minutes": 61}, "61 minutes: an offer stands for 1 to 60 minutes"),
            ({"game": "chess", "side": 2}, "side 2: the sides are 0 and 1"),
        ]
        for asked, words in wrong:
            refused = await here.ask("/api/offers", asked, auth=anna)
            assert 400 <= refused.status < 500
            assert words in refused.body["message"].lower() if words == "nogame" else refused.body["message"] == words
        assert (await here.ask("/api/offers", {"game": "chess"})).status == 401
        for minutes in range(1, 9):
            assert (await here.ask("/api/offers", {"game": "chess", "minutes": minutes}, auth=anna)).status == 201
        refused = await here.ask("/api/offers", {"game": "chess"}, auth=anna)
        assert refused.body["message"] == "you have 8 offers that stand: withdraw one"


async def test_a_client_of_the_dialect_web_takes_an_offer_of_a_page_and_is_led_to_its_seat(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = auth(here, "anna")
        otto = await opens(here)
        await otto.say("enter", name="Otto")
        await otto.until("named")
        made = (await here.ask("/api/offers", CHESS | {"rated": False, "to": "otto", "side": 0}, auth=anna)).body
        told = await otto.until("answered")
        assert told["lines"] == [f"{made['id']}: anna offers you chess normal 8x8, time 300+5, and plays white"]
        await otto.say("take", by="anna")
        assert (await otto.until("called"))["text"] == f"you take offer {made['id']} of anna"
        seated = await otto.until("seated")
        assert (seated["table"], seated["seat"]) == (made["id"], 1)


async def test_a_guest_takes_no_rated_offer_and_a_client_offers_as_a_page_does(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = auth(here, "anna")
        number = (await here.ask("/api/offers", CHESS, auth=anna)).body["id"]
        otto = await opens(here)
        await otto.say("take", number=number, name="Otto")
        refused = await otto.until("rejected")
        assert refused["text"].startswith(
            "a rated game is between accounts, and Otto has none: play unrated, or log in"
        )
        await otto.say("offer", settings=TERMS, side=1)
        line = (await otto.until("answered"))["lines"][0]
        assert line.endswith(": you offer everybody chess normal 8x8, time 300+5, and play black")
        shown = (await offered(here, anna))[1]
        assert (shown["by"], shown["account"], shown["rated"]) == ("Otto", False, False)
        taken = (await here.ask(f"/api/offers/{shown['id']}/take", {}, auth=anna)).body
        assert taken["seat"] == 0
        assert (await otto.until("seated"))["seat"] == 1
        await otto.say("withdraw")


async def test_the_page_of_challenges_offers_and_leads_to_the_table_and_shows_what_is_wrong(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        stranger = await Person(here.port).get("/challenges")
        assert stranger.headers["location"] == "/login?next=/challenges"
        guest = Person(here.port)
        for path in ("", "/take", "/end"):
            sent = await guest.send(f"/challenges{path}", offer="1", game="chess", time="none")
            assert sent.headers["location"] == "/login?next=/challenges"
        assert await offered(here) == []
        anna, bert = await logged_in(here, "anna"), await logged_in(here, "bert")
        wrong = await anna.send("/challenges", to="nobody", game="chess", time="300+3")
        assert wrong.status == 409
        assert "Nobody called &#39;nobody&#39; is here." in wrong.text
        assert (await anna.send("/challenges", to="bert", game="chess", time="300+3", side="2")).status == 400
        made = await anna.send("/challenges", to="bert", game="chess", time="300+3", side="1", rated="yes")
        assert made.headers["location"] == "/challenges"
        number = (await offered(here, basic("anna", PASSWORD)))[0]["id"]
        page = checked(await bert.get("/challenges"))
        assert "challenges you" in page.words()
        assert "Chess · 5 min + 3 s · rated · anna as Black" in page.words()
        assert (await anna.get("/challenges?ended=7+x")).status == 200
        taken = await bert.send("/challenges/take", offer=str(number))
        assert taken.headers["location"] == f"/table/{number}#play"
        assert (await anna.get(f"/challenges?ended={number}")).headers["location"] == f"/table/{number}#play"
        assert (await bert.send("/challenges/take", offer=str(number))).status == 409
        assert (await bert.send("/challenges/end", offer=str(number))).status == 409
