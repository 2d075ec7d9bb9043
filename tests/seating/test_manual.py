"""A manual offer: a taker asks its maker by another offer; the first one stands until the maker accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.seating.offerers import Offerer
from protocols.core.errors import Refused, Why
from protocols.core.proposals import Start
from tests.cluster.test_offers import all_know
from tests.cluster.world import world
from tests.hall import FirstMove, config, hall
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.test_account_page import logged_in

CHESS: dict[str, Any] = {"game": "chess", "time": "300+5", "side": 0, "manual": True}
ANNA, BERT, CARL = (basic(name, PASSWORD) for name in ("anna", "bert", "carl"))
MANUAL = Start(registry.game("tic_tac_toe").settings(), 0, confirms=True)


def account(name: str) -> Offerer:
    return Offerer(name, True, "192.0.2.7")


async def offered(here: Club) -> int:
    """The number of anna's manual offer; bert and carl have accounts, too."""
    for name in ("anna", "bert", "carl"):
        here.has_account(name)
    made = (await here.ask("/api/offers", CHESS, auth=ANNA)).body
    assert made["state"] == "stands"
    return int(made["id"])


async def asked(here: Club, number: int, auth: str) -> int:
    """The number of the offer by which this account asks the maker."""
    taken = (await here.ask(f"/api/offers/{number}/take", {}, auth=auth)).body
    assert taken["seat"] is None
    assert taken["table"] != number
    return int(taken["table"])


async def standing(here: Club, auth: str) -> list[int]:
    return [one["id"] for one in (await here.ask("/api/offers", auth=auth)).body["offers"]]


async def test_a_taker_asks_the_maker_who_accepts_one_of_them(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        number = await offered(here)
        of_bert, of_carl = await asked(here, number, BERT), await asked(here, number, CARL)
        shown = {one["id"]: one for one in (await here.ask("/api/offers", auth=ANNA)).body["offers"]}
        assert [(one["by"], one["manual"], one["side"]) for one in shown.values()] == [
            ("anna", True, 0),
            ("bert", False, 1),
            ("carl", False, 1),
        ]
        again = await here.ask(f"/api/offers/{number}/take", {}, auth=BERT)
        assert again.body["message"] == "you have asked anna already: wait for the answer"
        accepted = (await here.ask(f"/api/offers/{of_bert}/take", {}, auth=ANNA)).body
        assert (accepted["table"], accepted["seat"]) == (of_bert, 0)
        assert (await here.ask(f"/api/offers/{of_bert}", auth=BERT)).body["state"] == "taken"
        for auth in (ANNA, BERT, CARL):
            assert await standing(here, auth) == []
        assert (await here.ask(f"/api/offers/{of_carl}", auth=CARL)).status == 404


async def test_the_offer_stands_when_one_is_declined_and_its_askers_end_with_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        number = await offered(here)
        of_bert = await asked(here, number, BERT)
        await here.ask(f"/api/offers/{of_bert}", method="DELETE", auth=ANNA)
        assert await standing(here, CARL) == [number]
        of_carl = await asked(here, number, CARL)
        assert await standing(here, CARL) == [number, of_carl]
        await here.ask(f"/api/offers/{number}", method="DELETE", auth=ANNA)
        assert await standing(here, CARL) == []


async def test_one_who_offers_the_same_does_not_play_by_that_nor_does_the_computer(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=5.0)), bots=FirstMove()) as here:
        here.server.lobby.names.own(["anna", "bert"])
        offering = here.server.offering
        number = (await offering.make(account("anna"), MANUAL, "", 10)).offer.number
        made = await offering.make(account("bert"), Start(MANUAL.settings, 1), "", 10)
        assert made.seat is None
        await here.until(lambda: made.offer.number in here.server.tables)  # the computer plays bert
        await trio.sleep(30)
        assert [offer.number for offer in here.server.lobby.offers] == [number]
        with pytest.raises(Refused) as refused:
            await offering.make(account("anna"), MANUAL, "bert", 10)
        assert (refused.value.why, refused.value.text) == (
            Why.BAD_OPTION,
            "manual: an offer to one player is taken as it is",
        )


async def test_a_taker_at_another_node_is_accepted_there(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        for member in (one, two):
            member.server.lobby.names.own(["anna", "bert", "carl"])
        made = await one.server.offering.make(account("anna"), MANUAL, "", 10)
        await all_know(1, one, two)
        ask = await two.server.offering.take_as(account("bert"), made.offer.number, None)
        await two.server.offering.take_as(account("carl"), made.offer.number, None)
        await all_know(3, one, two)
        accepted = await one.server.offering.take_as(account("anna"), ask.offer.number, None)
        assert (accepted.offer.number, accepted.seat) == (ask.offer.number, 0)
        await all_know(0, one, two)


async def test_the_page_asks_and_accepts(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = await logged_in(here, "anna"), await logged_in(here, "bert")
        await anna.send("/challenges", to="", game="chess", time="300+3", manual="yes")
        (offer,) = here.hall.server.lobby.offers
        words = checked(await bert.get("/challenges")).words()
        assert "anna confirms who plays" in words
        assert "Ask" in words
        sent = await bert.send("/challenges/take", offer=str(offer.number))
        assert sent.headers["location"] == "/challenges"
        assert "you confirm who plays" in checked(await anna.get("/challenges")).words()
        (answer,) = here.hall.server.lobby.offers.answers(offer.number)
        accepted = await anna.send("/challenges/take", offer=str(answer.number))
        assert accepted.headers["location"] == f"/table/{answer.number}#play"
