"""An offer that no player takes goes to a house bot, or ends with its time; its table waits for both players."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

import migrations
from gateway import registry
from gateway.config import Registering, Seats
from gateway.lobby.registration import Registration
from gateway.ops.server import GameServer
from gateway.seating.called import CLOSES_S, COMES_S
from gateway.seating.offerers import Offerer
from gateway.store.log import SqlLog
from gateway.table.state import Status
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Start
from tests.hall import FirstMove, alternate, config, hall
from tests.store.late_log import LateLog

GAME = "tic_tac_toe"
START = Start(registry.game(GAME).settings(), 0)


def account(name: str) -> Offerer:
    return Offerer(name, True, "192.0.2.7")


async def made(server: GameServer, name: str, to: str = "", start: Start = START) -> tuple[int, str]:
    """The number of an offer that was made over HTTP, and its maker's ticket."""
    found = await server.offering.make(account(name), start, to, 10)
    return found.offer.number, found.ticket


async def test_a_house_bot_takes_an_offer_to_everybody_after_its_time(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(bot_after_s=30.0)), bots=FirstMove()) as here:
        here.server.lobby.names.own(["anna", "bert"])
        number, ticket = await made(here.server, "anna")
        directed, _ = await made(here.server, "anna", "bert")
        begun = trio.current_time()
        await here.until(lambda: number in here.server.tables)
        assert trio.current_time() - begun >= 30.0
        seats = here.state(number).seats
        assert [(seat.name, seat.kind) for seat in seats] == [
            ("anna", SeatKind.RESERVED),
            ("bot-2", SeatKind.BOT),
        ]
        guest = here.dial()
        assert await guest.joins(f"{GAME}#{ticket}") == 0
        await here.until(lambda: here.state(number).status is Status.PLAYING)
        assert [offer.number for offer in here.server.lobby.offers] == [directed]


async def test_a_table_of_an_offer_waits_a_minute_for_both(autojump_clock: MockClock) -> None:
    async with hall() as here:
        server = here.server
        number, ticket = await made(server, "anna")
        found = await server.offering.take_as(account("bert"), number, None)
        seat, theirs = found.seat, found.ticket
        assert seat == 1
        guests = [here.dial(), here.dial()]
        for guest, held in zip(guests, (ticket, theirs), strict=True):
            await guest.joins(f"{GAME}#{held}")
        await alternate(guests, 0, 3, 1)
        number, _ = await made(server, "carl")
        await server.offering.take_as(account("dora"), number, None)
        begun = trio.current_time()
        await here.until(lambda: number not in server.tables)
        assert COMES_S <= trio.current_time() - begun < COMES_S + CLOSES_S + 2
        assert len(server.lobby.offers) == 0


async def test_an_accounts_offer_stands_again_for_the_rest_of_its_time(autojump_clock: MockClock) -> None:
    """Its maker has come to the table by a ticket, from anywhere."""
    async with hall() as here:
        server, begun = here.server, trio.current_time()
        number, ticket = await made(server, "anna")
        await server.offering.take_as(account("bert"), number, None)
        guest = here.dial()
        await guest.joins(f"{GAME}#{ticket}")
        await here.until(lambda: len(server.lobby.offers) == 1)
        (again,) = server.lobby.offers
        assert (again.by, again.settings, again.side) == ("anna", START.settings, 0)
        assert again.number > number
        await here.until(lambda: number not in server.tables)
        found = await server.offering.take_as(account("carl"), again.number, None)
        seat = found.seat
        assert seat == 1
        await here.until(lambda: again.number not in server.tables)
        assert len(server.lobby.offers) == 0
        number, ticket = await made(server, "dora")
        await trio.sleep(10 * 60 - 10)
        await server.offering.take_as(account("bert"), number, None)
        await here.dial().joins(f"{GAME}#{ticket}")
        await here.until(lambda: number not in server.tables)
        assert (len(server.lobby.offers), trio.current_time() - begun > 11 * 60) == (0, True)


async def test_an_offer_stands_until_its_table_is_stored(autojump_clock: MockClock) -> None:
    """However often it is looked at meanwhile: its maker would be led to a table that nobody can sit down at."""
    async with hall(log=LateLog) as here, trio.open_nursery() as nursery:
        log = here.server.commits.log
        assert isinstance(log, LateLog)
        number, ticket = await made(here.server, "anna")
        log.slow = True
        nursery.start_soon(here.server.offering.take_as, account("bert"), number, None)
        await trio.sleep(3)
        standing = [offer.number for offer in here.server.lobby.offers]
        log.slow = False
        log.go()
        assert standing == [number]
        await here.until(lambda: len(here.server.lobby.offers) == 0)
        assert await here.dial().joins(f"{GAME}#{ticket}") == 0


async def test_a_rated_offer_is_for_a_range_of_ratings(autojump_clock: MockClock) -> None:
    """Nothing was rated here, so everybody has the rating of a beginner."""
    async with hall(config(seats=Seats(bot_after_s=5.0)), bots=FirstMove()) as here:
        offering, rated = here.server.offering, Start(replace(registry.game(GAME).settings(), rated=True), 0)
        here.server.lobby.names.own(["anna", "bert"])
        high = (await offering.make(account("anna"), rated, "", 10, "1600-")).offer
        with pytest.raises(Refused) as refused:
            await offering.take_as(account("bert"), high.number, None)
        assert refused.value.text == "this offer is for ratings of 1600-, and yours is 1500"
        assert (await offering.make(account("bert"), replace(rated, side=None), "", 10)).seat is None
        await trio.sleep(10)
        assert [offer.by for offer in here.server.lobby.offers] == ["anna"]  # the bot took the other one
        usual = (await offering.make(account("anna"), rated, "", 10, "1400-1600")).offer
        found = await offering.take_as(account("bert"), usual.number, None)
        seat = found.seat
        assert (seat, here.state(usual.number).settings.rated) == (1, True)


@pytest.mark.parametrize("due", [0, 1])
async def test_sides_of_a_rated_offer_are_as_they_are_due(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, due: int
) -> None:
    """Unless one of the two has wished a side."""

    async def side_of(one: str, other: str, played: Settings) -> int:
        assert (one, other, played.game) == ("anna", "bert", GAME)
        return due

    async with hall() as here:
        monkeypatch.setattr(here.server.rating_news, "side_of", side_of)
        here.server.lobby.names.own(["anna", "bert"])
        rated = replace(registry.game(GAME).settings(), rated=True)
        for wish, theirs, seat in ((None, None, due), (1, None, 1), (None, 1, 0)):
            number, _ = await made(here.server, "anna", start=Start(rated, wish))
            found = await here.server.offering.take_as(account("bert"), number, theirs)
            taken = found.seat
            assert taken == 1 - seat


@pytest.mark.parametrize(("ratings", "rated"), [("1400-1600", False), ("high", True), ("1600-1400", True)])
async def test_a_range_that_cannot_be_meant_is_refused(autojump_clock: MockClock, ratings: str, rated: bool) -> None:
    async with hall() as here:
        here.server.lobby.names.own(["anna"])
        start = Start(replace(registry.game(GAME).settings(), rated=rated), 0)
        with pytest.raises(Refused) as refused:
            await here.server.offering.make(account("anna"), start, "", 10, ratings)
        assert refused.value.why is Why.BAD_OPTION
        assert ratings in refused.value.text


async def test_what_is_over_can_be_neither_taken_nor_ended(autojump_clock: MockClock) -> None:
    async with hall() as here:
        offering = here.server.offering
        number, _ = await made(here.server, "anna")
        with pytest.raises(Refused) as refused:
            await offering.take_as(account("anna"), number, None)
        assert refused.value.text == "this offer is your own"
        await trio.sleep(10 * 60 + 2)
        for end in ("anna", "bert"):
            with pytest.raises(Refused) as refused:
                await offering.withdraw_as(end, number)
            assert refused.value.why is Why.NOT_NOW
        with pytest.raises(Refused) as refused:
            await offering.take_as(account("bert"), number, None)
        assert refused.value.text == f"offer {number} does not stand any more"
        assert len(here.server.lobby.offers) == 0


async def test_challenges_to_players_count_as_something_said(autojump_clock: MockClock) -> None:
    """A player who makes and withdraws them again and again is refused."""
    async with hall(config(sayings_burst=2.0, sayings_per_second=0.1)) as here:
        here.server.lobby.names.own(["bert"])
        for _ in range(2):
            number, _ = await made(here.server, "anna", "bert")
            await here.server.offering.withdraw_as("anna", number)
        with pytest.raises(Refused) as refused:
            await made(here.server, "anna", "bert")
        assert refused.value.why is Why.TOO_FAST
        await made(here.server, "anna")


async def test_tables_of_offers_are_counted_as_registered_by_who_takes_them(autojump_clock: MockClock) -> None:
    settings = replace(config(), registration=Registering(who="admin", tables_per_account=2))
    async with hall(settings) as here:
        server = here.server
        for number in [(await made(server, name))[0] for name in ("anna", "carl")]:
            await server.offering.take_as(account("bert"), number, None)
        number, _ = await made(server, "dora")
        with pytest.raises(Refused) as refused:
            await server.offering.take_as(account("bert"), number, None)
        assert refused.value.text == "2 tables registered by your account are not over"
        await server.offering.take_as(account("emil"), number, None)


@pytest.mark.parametrize("offered", [False, True])
async def test_a_table_of_an_offer_is_known_as_one_after_a_restart(tmp_path: Path, offered: bool) -> None:
    """A player who has not moved yet ends its game alone; a game that others have registered needs both."""
    url = f"sqlite:///{tmp_path / 'record.db'}"
    migrations.upgrade(url)
    begins = partial(hall, log=lambda deliver: SqlLog(url, deliver), blocking=True, patience_s=20.0)
    async with begins() as here:
        if offered:
            table, mine = await made(here.server, "anna")
            tickets = [mine, (await here.server.offering.take_as(account("bert"), table, None)).ticket]
        else:
            assert START.settings is not None
            registered = await here.server.registrar.register(Registration(START.settings, ("anna", "bert")))
            table, tickets = registered.table, list(registered.tickets)
    async with begins() as here:
        guests = [here.dial() for _ in range(2)]
        for guest, ticket in zip(guests, tickets, strict=True):
            await guest.joins(f"{GAME}#{ticket}")
        await here.until(lambda: here.state(table).status is Status.PLAYING)
        await guests[1].say("MSG_MOVE", -1, -1, "abort")
        await here.until(lambda: here.state(table).status is Status.OVER or bool(here.state(table).proposals))
        assert (here.state(table).status is Status.OVER) == offered
