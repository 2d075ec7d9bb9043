"""Offers to an account that stand for days: they outlive the server; a game that is not by days waits for both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway import registry
from gateway.lobby import offers as module
from gateway.lobby.here import Entry
from gateway.ops.server import GameServer
from gateway.seating import lasting as module_of_rows
from gateway.seating.offerers import Offerer
from gateway.store.offers import StoredOffer
from protocols.core import time_text
from protocols.core.errors import Refused, Why
from protocols.core.proposals import Start
from tests.hall import config, hall
from tests.store.accounts_memory import MemoryAccounts
from tests.web.club import PASSWORD, basic, club
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

GAME = "tic_tac_toe"
START = Start(registry.game(GAME).settings(), 0)
DAY = 24 * 60
DAYS: dict[str, Any] = {"game": "chess", "time": "3d/move", "to": "bert", "minutes": 3 * DAY, "side": 0}
LIVE: dict[str, Any] = DAYS | {"time": "300+5"}


def account(name: str) -> Offerer:
    return Offerer(name, True, "192.0.2.7")


def known(server: GameServer, *names: str) -> None:
    server.lobby.names.own(names)


async def test_a_challenge_stands_with_its_number_after_a_restart_and_is_taken_while_its_maker_is_away(
    tmp_path: Path,
) -> None:
    """A correspondence game: its table waits for the maker, whose ticket is as good as before."""
    async with club(tmp_path) as here:
        auth = here.has_account("anna")
        here.has_account("bert")
        made = (await here.ask("/api/offers", DAYS, auth=auth)).body
        (before,) = (await here.ask("/api/offers", auth=auth)).body["offers"]
    async with club(tmp_path) as here:
        await here.hall.until(lambda: len(here.hall.server.lobby.offers) == 1)
        bert = basic("bert", PASSWORD)
        assert (await here.ask("/api/offers", auth=bert)).body["offers"] == [before]
        number = made["id"]
        other = (await here.register("zoe", "yann")).body["id"]
        assert other > number, "no table gets an offer's number"
        taken = (await here.ask(f"/api/offers/{number}/take", {}, auth=bert)).body
        assert (taken["table"], taken["seat"]) == (number, 1)
    async with club(tmp_path) as here:
        anna = await opens(here)
        await anna.say("join", game="chess", ticket=made["ticket"])
        assert (await anna.until("seated"))["seat"] == 0
        await here.hall.until(lambda: not here.hall.server.accounts.held_offers(0))
        assert len(here.hall.server.lobby.offers) == 0


async def test_a_game_that_is_not_played_by_days_waits_until_both_are_here(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        auth = here.has_account("anna")
        bert = here.has_account("bert")
        number = (await here.ask("/api/offers", LIVE, auth=auth)).body["id"]
        refused = await here.ask(f"/api/offers/{number}/take", {}, auth=bert)
        assert refused.error == (409, "not_now")
        assert refused.body["message"] == "anna is not here: take it when you both are, it stands until then"
        theirs = (await here.ask("/api/offers", LIVE | {"to": "anna", "side": 1}, auth=bert)).body
        assert theirs["state"] == "stands", "it fits, and its maker is awaited"
        page = await opens(here)
        await page.say("login", name="anna", secret=PASSWORD)
        await page.until("logged_in")
        await here.ask(f"/api/offers/{theirs['id']}", method="DELETE", auth=bert)
        await here.ask(f"/api/offers/{number}/take", {}, auth=bert)
        assert (await page.until("called"))["text"] == f"offer {number} was taken"
        assert (await page.until("seated"))["seat"] == 0


@pytest.mark.parametrize("ends", ["anna", "bert"])
async def test_an_ended_challenge_does_not_stand_after_a_restart(tmp_path: Path, ends: str) -> None:
    async with club(tmp_path) as here:
        auth = here.has_account("anna")
        here.has_account("bert")
        number = (await here.ask("/api/offers", DAYS, auth=auth)).body["id"]
        await here.ask(f"/api/offers/{number}", method="DELETE", auth=basic(ends, PASSWORD))
        assert here.hall.server.accounts.held_offers(0) == [], "its end is stored before it is answered"
    async with club(tmp_path) as here:
        held = here.hall.server.accounts.held_offers(0)
        assert (held, len(here.hall.server.lobby.offers)) == ([], 0)


class Unwilling(MemoryAccounts):
    """A store that cannot store the end of an offer, until it is well."""

    well = False

    def change_offers(self, node: int, new: Sequence[StoredOffer], gone: Collection[int]) -> None:
        if gone and not self.well:
            raise OperationalError("DELETE", {}, Exception("the disk is full"))
        super().change_offers(node, new, gone)


@pytest.mark.parametrize("ends", ["anna", "bert"])
async def test_a_challenge_whose_end_cannot_be_stored_stands_and_who_ends_it_is_told(
    autojump_clock: MockClock, ends: str
) -> None:
    accounts = Unwilling()
    async with hall(accounts=accounts) as here:
        known(here.server, "anna", "bert")
        number = (await here.server.offering.make(account("anna"), START, "bert", DAY)).offer.number
        with pytest.raises(Refused) as refused:
            await here.server.offering.withdraw_as(ends, number)
        assert (refused.value.why, refused.value.text) == (Why.OVERLOAD, module_of_rows.NOT_ENDED)
        await trio.sleep(3 * module_of_rows.HELD_S)
        assert [offer.number for offer in here.server.lobby.offers] == [number]
        accounts.well = True
        await here.server.offering.withdraw_as(ends, number)
        assert (accounts.held_offers(0), len(here.server.lobby.offers)) == ([], 0)


async def test_of_two_who_end_a_challenge_at_once_one_is_told_that_it_stands_no_more(
    autojump_clock: MockClock,
) -> None:
    refusals = []
    async with hall() as here:
        known(here.server, "anna", "bert")
        number = (await here.server.offering.make(account("anna"), START, "bert", DAY)).offer.number

        async def ends(name: str) -> None:
            try:
                await here.server.offering.withdraw_as(name, number)
            except Refused as refused:
                refusals.append(refused.why)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(ends, "anna")
            nursery.start_soon(ends, "bert")
    assert refusals == [Why.NOT_NOW]


async def test_who_blocks_the_maker_of_a_challenge_has_ended_it_by_the_answer(autojump_clock: MockClock) -> None:
    accounts = Unwilling()
    async with hall(accounts=accounts) as here:
        for name in ("anna", "bert"):
            accounts.add(name, "hash", "test")
        known(here.server, "anna", "bert")
        await here.server.offering.make(account("anna"), START, "bert", DAY)
        with pytest.raises(Refused) as refused:
            await here.server.circle.tie("blocks", "bert", "anna")
        assert refused.value.why is Why.OVERLOAD
        accounts.well = True
        await here.server.circle.tie("blocks", "bert", "anna")
        assert accounts.held_offers(0) == []


async def test_a_challenge_that_comes_to_a_game_with_another_one_is_no_row_when_its_maker_is_told(
    autojump_clock: MockClock,
) -> None:
    """They meet when the maker of a game that is not by days is here again."""
    accounts = MemoryAccounts()
    async with hall(accounts=accounts) as here:
        known(here.server, "anna", "bert")
        offering, there = here.server.offering, replace(START, side=1)
        await offering.make(account("anna"), START, "bert", DAY)
        other = await offering.make(account("bert"), there, "anna", DAY)
        assert len(accounts.held_offers(0)) == 2
        for name in ("anna", "bert"):
            here.server.lobby.here.enter(Entry(1 + len(here.server.lobby.here), name, True, 0.0))
        await here.until(lambda: not here.server.lobby.offers.own())
        assert other.offer.number not in [row.number for row in accounts.held_offers(0)]


async def test_a_challenge_of_an_hour_is_no_row(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        auth = here.has_account("anna")
        here.has_account("bert")
        await here.ask("/api/offers", DAYS | {"minutes": 60}, auth=auth)
        assert here.hall.server.accounts.held_offers(0) == []


async def test_only_an_account_offers_another_one_a_game_for_longer_than_an_hour(autojump_clock: MockClock) -> None:
    async with hall() as here:
        offering = here.server.offering
        known(here.server, "anna", "bert")
        wrong = [
            (account("anna"), "", 61, "61 minutes: an offer stands for 1 to 60 minutes"),
            (Offerer("Otto", False, "192.0.2.7"), "bert", 61, "61 minutes: an offer stands for 1 to 60 minutes"),
            (account("anna"), "bert", 7 * DAY + 1, "to another account stands for 1 to 10080 minutes"),
        ]
        for by, to, minutes, words in wrong:
            with pytest.raises(Refused) as refused:
                await offering.make(by, START, to, minutes)
            assert refused.value.why is Why.BAD_OPTION
            assert words in refused.value.text


async def test_a_challenge_ends_with_its_time_and_its_row_too(autojump_clock: MockClock) -> None:
    accounts = MemoryAccounts()
    async with hall(accounts=accounts) as here:
        known(here.server, "anna", "bert")
        await here.server.offering.make(account("anna"), START, "bert", 61)
        assert len(accounts.held_offers(0)) == 1
        await trio.sleep(60 * 60.0)
        assert len(here.server.lobby.offers) == 1
        await here.until(lambda: not accounts.held_offers(0))
        assert len(here.server.lobby.offers) == 0


async def test_lasting_offers_leave_room_for_others(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LASTING", 1)
    async with hall(config()) as here:
        known(here.server, "anna", "bert", "carl")
        offering = here.server.offering
        await offering.make(account("anna"), START, "bert", DAY)
        with pytest.raises(Refused) as refused:
            await offering.make(account("carl"), START, "bert", DAY)
        assert refused.value.text == "too many offers stand, try again later"
        assert (await offering.make(account("carl"), START, "bert", 60)).seat is None


async def test_a_row_that_is_gone_ends_its_offer(autojump_clock: MockClock) -> None:
    """As where an account was deleted by another process."""
    accounts = MemoryAccounts()
    async with hall(accounts=accounts) as here:
        known(here.server, "anna", "bert")
        made = await here.server.offering.make(account("anna"), START, "bert", DAY)
        accounts.change_offers(0, [], [made.offer.number])
        await here.until(lambda: len(here.server.lobby.offers) == 0)


async def test_the_page_offers_for_a_day_and_says_until_when(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna, bert = await logged_in(here, "anna"), await logged_in(here, "bert")
        refused = await anna.send("/challenges", to="bert", game="chess", time="3d/move", minutes="77")
        assert "An offer stands for an hour, a day or a week." in refused.text
        await anna.send("/challenges", to="bert", game="chess", time="3d/move", minutes="1440")
        assert "stands until" in (await bert.get("/challenges")).text
        (held,) = here.hall.server.accounts.held_offers(0)
        start = replace(registry.game("chess").settings(""), time=time_text.read("3d/move"))
        (offer,) = here.hall.server.lobby.offers
        assert (held.number, offer.settings) == (offer.number, start)
