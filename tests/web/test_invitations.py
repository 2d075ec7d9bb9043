"""Whose a seat is: an invitation is good for one player, and an account has its seat wherever it is logged in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from gateway.config import Seats
from protocols.core.model import SeatKind
from tests.hall import config
from tests.web.club import Club, club
from tests.web.test_lines import Page, opens

KEY = "a secret of Bob's own browser"


async def invited(here: Club, **more: Any) -> tuple[int, str, Page]:
    """A table that Ann has opened for a friend, the friend's invitation, and Ann's page."""
    made = (await here.register("open", "open", private=True, **more)).body
    ann = await opens(here)
    await ann.say("join", ticket=made["tickets"][0], game="tic_tac_toe", name="ann")
    await ann.until("seated")
    return made["id"], made["tickets"][1], ann


async def sits(here: Club, ticket: str, name: str = "bob", **more: str) -> tuple[Page, str]:
    """A page that sits down, and the ticket that it is told."""
    page = await opens(here)
    await page.say("join", ticket=ticket, game="tic_tac_toe", name=name, **more)
    return page, (await page.until("seated")).get("ticket", "")


async def refused(page: Page) -> str:
    return str((await page.until("rejected"))["why"])


async def test_an_invitation_is_good_until_a_player_sits_down_by_it(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, invitation, ann = await invited(here)
        bob, ticket = await sits(here, invitation)
        assert ticket not in ("", invitation)
        carl = await opens(here)
        await carl.say("join", ticket=invitation, game="tic_tac_toe", name="carl")
        assert await refused(carl) == "bad ticket"
        dora = await opens(here, table=table, ticket=invitation)
        assert await refused(dora) == "bad ticket"
        await ann.say("play", move=[None, 4, ""])
        await bob.until("MoveMade")
        await bob.say("play", move=[None, 0, ""])
        assert (await ann.until("moves"))["ply"] == 0
        assert [seat.name for seat in here.hall.state(table).seats] == ["ann", "bob"]


async def test_the_player_comes_back_by_the_ticket_that_was_told(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here)
        bob, ticket = await sits(here, invitation)
        again = await opens(here, table=table, ticket=ticket)
        told = await again.until("seated")
        assert (told["seat"], "ticket" in told) == (1, False)
        assert (await bob.until("goodbye"))["why"] == "replaced"


async def test_a_page_that_was_not_told_comes_back_by_the_key_that_it_brought(tmp_path: Path) -> None:
    """It brings its own key, so that an answer which is lost costs no seat."""
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here)
        _, ticket = await sits(here, invitation, key=KEY)
        assert ticket == KEY
        again, _ = await sits(here, invitation, key=KEY)
        carl = await opens(here)
        await carl.say("join", ticket=invitation, game="tic_tac_toe", key="a secret of Carl's own browser")
        assert await refused(carl) == "bad ticket"
        assert (await opens(here, table=table, ticket=KEY)).open
        assert (await again.until("goodbye"))["why"] == "replaced"


async def test_a_short_key_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        _, invitation, _ = await invited(here)
        bob = await opens(here)
        await bob.say("join", ticket=invitation, game="tic_tac_toe", key="short")
        assert await refused(bob) == "bad ticket"
        assert (await sits(here, invitation))[1]


async def test_a_program_that_cannot_keep_another_ticket_comes_back_by_its_invitation(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here)
        for _ in range(2):
            guest = here.hall.dial()
            await guest.joins(f"tic_tac_toe#{invitation}")
        await here.hall.until(lambda: here.hall.state(table).seats[1].kind is SeatKind.PLAYER)


async def test_what_an_invitation_became_survives_a_restart(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here)
        await sits(here, invitation, key=KEY)
    async with club(tmp_path) as here:
        carl = await opens(here, table=table, ticket=invitation)
        assert await refused(carl) == "bad ticket"
        bob = await opens(here, table=table, ticket=KEY)
        assert (await bob.until("seated"))["seat"] == 1


@pytest.mark.parametrize("watched", [False, True])
async def test_whoever_comes_later_is_told_that_the_invitation_is_used_up(tmp_path: Path, watched: bool) -> None:
    """Also after a restart, and it is nobody's guess."""
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here, watched=watched)
        await sits(here, invitation)
    async with club(tmp_path) as here:
        for _ in range(5):
            told = await here.ask("/api/seat", auth=f"Ticket {invitation}")
            assert told.body == {"table": table, "state": "used", "watched": watched}
        move = await here.ask(f"/api/tables/{table}/moves", {"text": "a1"}, auth=f"Ticket {invitation}")
        assert move.status == (403 if watched else 404)


@pytest.mark.parametrize("watched", [False, True])
async def test_others_look_on_where_the_table_allows_it(tmp_path: Path, watched: bool) -> None:
    async with club(tmp_path) as here:
        table, _, _ = await invited(here, watched=watched)
        carl = await opens(here, table=table)
        told = await carl.until("seated", "rejected")
        assert told["type"] == ("seated" if watched else "rejected")
        assert (await here.ask(f"/api/tables/{table}")).status == (200 if watched else 404)
        assert (await here.ask("/api/tables")).body["tables"] == []


async def test_an_account_sits_wherever_it_is_logged_in(tmp_path: Path) -> None:
    """At a private table with a clock, without a ticket: the first device is told, and the second one plays on."""
    async with club(tmp_path) as here:
        auth = here.has_account("ann")
        asked = {"game": "tic_tac_toe", "against": "bot", "time": "300+5"}
        first = await opens(here, auth=auth)
        await first.say("join", **asked)
        table = (await first.until("seated"))["table"]
        await first.until("moves")
        second = await opens(here, auth=auth, table=table, account=True)
        told = await second.until("seated")
        assert (told["table"], told["seat"]) == (table, 0)
        assert (await second.until("turn"))["clock"]["left"][0] > 200
        assert (await second.until("moves"))["legal"]
        assert (await first.until("goodbye"))["why"] == "replaced"
        await second.say("play", move=[None, 4, ""])
        assert (await second.until("MoveMade"))["body"]["seat"] == 0


async def test_an_account_comes_back_to_a_game_that_waits_for_it(tmp_path: Path) -> None:
    """Days later, in another browser, after a restart: nobody was at the table."""
    async with club(tmp_path) as here:
        auth = here.has_account("ann")
        made = (await here.register("ann", "bob", auth=auth)).body
    async with club(tmp_path) as here:
        await here.hall.until(lambda: here.hall.server.lobby.names.is_account("ann"))
        ann = await opens(here, auth=auth, table=made["id"], account=True)
        assert (await ann.until("seated"))["seat"] == 0


BOTS: Final = Seats(bot_after_s=None, grace_s=0.2, abandoned="bot")
"""Of a player who is away for a moment the computer takes the seat."""


async def stood_in(here: Club, **more: Any) -> tuple[int, Page, str]:
    """A game in which a house bot plays on for Ann: its table, Bob's page, Ann's login."""
    auth = here.has_account("ann")
    made = (await here.register("ann", "bob", auth=auth, **more)).body
    ann = await opens(here, auth=auth, table=made["id"], account=True)
    bob = await opens(here, table=made["id"], ticket=made["tickets"][1])
    for page in (ann, bob):
        await page.say("propose", what="start")
    for page in (ann, bob):
        await page.until("turn")
    await here.ask("/api/line", auth=ann.auth, method="DELETE")
    while (await bob.until("SeatTaken"))["body"]["kind"] != SeatKind.BOT:
        pass
    return made["id"], bob, auth


@pytest.mark.parametrize("more", [{}, {"private": True}, {"private": True, "time": "600"}])
async def test_an_account_takes_its_seat_back_from_the_computer(tmp_path: Path, more: dict[str, Any]) -> None:
    async with club(tmp_path, config(seats=BOTS)) as here:
        table, bob, auth = await stood_in(here, **more)
        page = (await here.ask(f"/table/{table}", auth=auth)).body
        assert '"yours":true' in page
        listed = (await here.ask("/api/tables", auth=auth)).body["tables"]
        assert [one["id"] for one in listed] == [table]
        again = await opens(here, auth=auth, table=table, account=True)
        assert (await again.until("seated"))["seat"] == 0
        taken = (await bob.until("SeatTaken"))["body"]
        assert (taken["seat"], taken["kind"], taken["name"]) == (0, SeatKind.PLAYER, "ann")
        assert here.hall.state(table).seats[0].kind is SeatKind.PLAYER


async def test_an_account_takes_its_seat_back_from_the_computer_after_a_restart(tmp_path: Path) -> None:
    """The table rests, and only its record says for whom the computer plays."""
    async with club(tmp_path, config(seats=BOTS)) as here:
        table, _, auth = await stood_in(here, private=True)
    async with club(tmp_path, config(seats=Seats(bot_after_s=None))) as here:
        await here.hall.until(lambda: here.hall.server.lobby.names.is_account("ann"))
        ann = await opens(here, auth=auth, table=table, account=True)
        assert (await ann.until("seated"))["seat"] == 0


async def test_the_seat_that_the_computer_holds_is_nobody_elses(tmp_path: Path) -> None:
    async with club(tmp_path, config(seats=BOTS)) as here:
        table, _, _ = await stood_in(here, private=True)
        for auth in ("", here.has_account("carl"), here.has_account("bot-1")):
            other = await opens(here, auth=auth, table=table, account=True)
            assert await refused(other) == "not seated"
            assert (await here.ask(f"/table/{table}", auth=auth)).status == 404
        assert here.hall.state(table).seats[0].kind is SeatKind.BOT


@pytest.mark.parametrize("name", ["", "carl"])
async def test_nobody_else_has_that_seat(tmp_path: Path, name: str) -> None:
    async with club(tmp_path) as here:
        auth = here.has_account("ann")
        made = (await here.register("ann", "bob", auth=auth)).body
        other = await opens(here, auth=here.has_account(name) if name else "", table=made["id"], account=True)
        assert await refused(other) == "not seated"
        assert here.hall.state(made["id"]).seats[0].kind is SeatKind.RESERVED


@pytest.mark.parametrize("heard", [False, True])
async def test_others_speak_to_the_players_where_the_table_allows_it(tmp_path: Path, heard: bool) -> None:
    """By the field of the registration, which goes before the server's rules; also after a restart."""
    async with club(tmp_path) as here:
        table, invitation, _ = await invited(here, watched=True, observers_speak=heard)
        _, ticket = await sits(here, invitation)
    async with club(tmp_path, config(seats=Seats(observers_speak=not heard))) as here:
        bob, carl = await opens(here, table=table, ticket=ticket), await opens(here, table=table)
        await bob.until("seated")
        await carl.until("seated")
        await carl.say("say", to="all", text="well played", name="carl")
        if not heard:
            assert await refused(carl) == "not seated"
            return
        for page in (bob, carl):
            said = (await page.until("Said"))["body"]
            assert said == {"seat": None, "to": "all", "text": "well played", "name": "carl"}
