"""A guest who gets an account keeps the games of its tickets, running and finished; nobody else gets any of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.record.people import sitting
from gateway.store.records import StoredEvent
from protocols.core.events import SeatTaken
from protocols.core.model import SeatKind
from tests.hall import config
from tests.web.browsing import checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import played, statuses
from tests.web.test_invitations import BOTS
from tests.web.test_lines import opens
from tests.web.test_people import tables_of
from tests.web.test_yours import addresses, asks, begun, part


def form(*tickets: tuple[int, str], **fields: str) -> dict[str, str]:
    return {"password": PASSWORD, "again": PASSWORD, "tickets": json.dumps(tickets)} | fields


async def registered(here: Club, name: str, *tickets: tuple[int, str]) -> Person:
    """A guest with these tickets who has made an account."""
    person = Person(here.port)
    page = await person.sends("/register", **form(*tickets, name=name))
    assert ("are this account's now" in checked(page).words()) == bool(tickets)
    return person


@pytest.mark.parametrize("name", ["Zoe", "anna"])
async def test_a_new_account_has_the_guests_games_with_seat_and_clock(tmp_path: Path, name: str) -> None:
    """Under the guest's name or another one; also after a restart, where the running game rests."""
    async with club(tmp_path, accounts="open") as here:
        over = await played(here, name="zoe")
        _, running = await begun(here, name="zoe", time="300+5")
        person = await registered(here, name, (1, over), (2, running))
        assert await statuses(person) == [200] * 5
        for path in ("/account", "/yours", "/"):
            own = part(await person.get(path))
            assert addresses(own) == ["/table/2#play", "/table/1"]
            assert "Lost" in own.words()
        assert '"yours":true' in (await person.get("/table/2")).text
        device = await opens(here, auth=basic(name, PASSWORD), table=2, account=True)
        assert (await device.until("seated"))["seat"] == 0
        await device.say("play", move=[None, 4, ""])
        await device.until("MoveMade")
    async with club(tmp_path, accounts="open") as here:
        assert 2 not in here.hall.server.tables
        device = await opens(here, auth=basic(name, PASSWORD), table=2, account=True)
        seated = await device.until("seated")
        assert seated["seat"] == 0
        await device.say("resign")
        await device.until("GameEnded")
        await device.say("leave")
        person.port = here.port
        await here.hall.until(lambda: 2 not in here.hall.server.tables)
        assert await statuses(person) == [200] * 5
        assert addresses(part(await person.get("/yours"))) == ["/table/2", "/table/1"]


async def test_the_computer_that_plays_on_gives_the_seat_back_to_the_account_that_kept_it(tmp_path: Path) -> None:
    async with club(tmp_path, config(seats=BOTS), accounts="open") as here:
        tickets = (await here.register("guest", "bob", private=True)).body["tickets"]
        ann, bob = [await opens(here, table=1, ticket=ticket) for ticket in tickets]
        for page in (ann, bob):
            await page.say("propose", what="start")
        for page in (ann, bob):
            await page.until("turn")
        await here.ask("/api/line", auth=ann.auth, method="DELETE")
        while (await bob.until("SeatTaken"))["body"]["kind"] != SeatKind.BOT:
            pass
        person = await registered(here, "anna", (1, tickets[0]))
        assert addresses(part(await person.get("/account"))) == ["/table/1#play"]
        again = await opens(here, auth=basic("anna", PASSWORD), table=1, account=True)
        assert (await again.until("seated"))["seat"] == 0
        assert (await bob.until("SeatTaken"))["body"]["kind"] == SeatKind.PLAYER


async def test_nobody_else_can_register_the_name_while_the_guest_plays_nor_has_anything_of_it_later(
    tmp_path: Path,
) -> None:
    """The opponent's ticket of the same table is not the guest's."""
    async with club(tmp_path, accounts="open") as here:
        tickets = (await here.register("zoe", "bob", private=True)).body["tickets"]
        pages = [await opens(here) for _ in tickets]
        for page, ticket in zip(pages, tickets, strict=True):
            await page.say("join", game="tic_tac_toe", ticket=ticket, ready=True)
        await pages[0].until("moves")
        eve = Person(here.port)
        for shown in ([], [(1, tickets[1])], [(2, tickets[0])], [(1, "x" * 24)]):
            answer = await eve.send("/register", None, **form(*shown, name="ZOE"))
            assert answer.status == 409
            assert "ZOE has a game here that is not over" in answer.text
        pages = [await opens(here, table=1, ticket=ticket) for ticket in tickets]  # they may have been silent for long
        await pages[0].say("resign")
        for page in pages:
            await page.until("GameEnded")
            await page.say("leave")
        await here.hall.until(lambda: not here.hall.server.tables)
        await eve.sends("/register", **form(name="ZOE"))
        assert await statuses(eve) == [404] * 5
        guest = await registered(here, "zoe2", (1, tickets[0]))
        assert await statuses(guest) == [200] * 5


async def test_whoever_logs_in_may_keep_them_too(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ticket = await played(here)
        anna = await logged_in(here, "anna")
        assert await statuses(anna) == [404] * 5
        page = await anna.sends("/login", name="anna", password=PASSWORD, tickets=json.dumps([[1, ticket]]))
        assert "are this account's now" in checked(page).words()
        assert await statuses(anna) == [200] * 5
        cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
        origin = f"http://127.0.0.1:{here.port}"
        assert (await asks(here.port, [1, ticket], cookie=cookie, origin=origin))["kept"] == [1]
        assert "kept" not in await asks(here.port, [1, ticket])


async def test_a_game_is_kept_by_one_account_for_good_and_no_accounts_game_by_another(tmp_path: Path) -> None:
    async with club(tmp_path, accounts="open") as here:
        ticket = await played(here)
        await registered(here, "anna", (1, ticket))
        own = await played(here, basic("anna", PASSWORD))
        eve = Person(here.port)
        await eve.sends("/register", **form((1, ticket), (2, own), name="eve"))
        assert await statuses(eve) == [404] * 5
        assert addresses(part(await eve.get("/yours"))) == []


@pytest.mark.parametrize("tickets", ["x", "[1]", json.dumps([[1, "x"]] * 41)])
async def test_nonsense_in_place_of_tickets_makes_no_account(tmp_path: Path, tickets: str) -> None:
    async with club(tmp_path, accounts="open") as here:
        answer = await Person(here.port).send("/register", None, **form(name="anna") | {"tickets": tickets})
        assert answer.status == 400
        assert here.hall.server.accounts.find("anna") is None


async def test_a_guests_public_games_are_listed_under_the_account_that_kept_them_alone(tmp_path: Path) -> None:
    ticket = ""
    async with club(tmp_path, accounts="open") as here:
        pages = [await opens(here) for _ in "xo"]
        for page, name in zip(pages, ("zoe", "bert"), strict=True):
            await page.say("join", game="tic_tac_toe", name=name)
            seated = await page.until("seated")
            ticket = str(seated["ticket"]) if name == "zoe" else ticket
        await pages[1].until("GameStarted")
        await pages[1].say("resign")
        for page in pages:
            await page.until("GameEnded")
            await page.say("leave")
        await here.hall.until(lambda: not here.hall.server.tables)
        assert tables_of(checked(await Person(here.port).get("/people/zoe"))) == ["/table/1"]
        await registered(here, "Zoe")
        assert tables_of(checked(await Person(here.port).get("/people/zoe"))) == []
        await registered(here, "anna", (1, ticket))
        shown = checked(await Person(here.port).get("/people/anna"))
        assert tables_of(shown) == ["/table/1"]
        assert "Won" in shown.words()


def test_a_house_bot_that_plays_on_for_a_person_is_not_who_sat_there() -> None:
    taken = [(0, SeatKind.PLAYER, "Ann"), (1, SeatKind.BOT, "bot-1"), (0, SeatKind.BOT, "bot-2")]
    events = [StoredEvent(at, 0.0, SeatTaken(*each), b"") for at, each in enumerate(taken, 1)]
    assert sitting(events) == {0: "Ann", 1: "bot-1"}
