"""Notices by mail: who is told, how often, and how one press ends it, also without being logged in."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gateway.push.sender import SETTLED_S
from tests.push.mail_room import PAGES, text_of
from tests.web.browsing import asked, checked
from tests.web.club import Club
from tests.web.mail_club import ANN, MailClub, mail_club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_notices import BOB, game_by_days, leaves

SETTLED = SETTLED_S + 1
BOBS = "bob@y.example"


async def bob_is_told(here: MailClub) -> Person:
    """The account bob, whose notices go to its address."""
    bob = await logged_in(here.club, "bob")
    await here.has_address(bob, BOBS)
    words = checked(await bob.get("/account")).words()
    assert f"The same by mail, at {BOBS}" in words
    words = checked(await bob.sends("/account/told", on="yes")).words()
    assert "You are told by mail from now on." in words
    assert f"You are told by mail at {BOBS}" in words
    return bob


async def bobs_turn(club: Club, other: str = "ann") -> tuple[int, Any]:
    """A game by days that bob has left, and in which the other has moved: its table, and the other's page."""
    table, _, (ann, seat) = await game_by_days(club, other, "bob", auth=BOB)
    await leaves(club, seat, table, 1)
    await ann.say("play", move=[None, 4, ""])
    await ann.until("MoveMade")
    return table, ann


def end_of(letter: EmailMessage) -> str:
    """The address that a mail program asks to end notices, without the server's own."""
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = str(letter["List-Unsubscribe"])
    assert link.startswith(f"<{PAGES}/mail/off?code=")
    assert link[1:-1] in text_of(letter)
    parts = urlsplit(link[1:-1])
    return f"{parts.path}?{parts.query}"


async def test_an_account_that_wishes_so_is_told_by_mail_once(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        await bob_is_told(here)
        table, _ = await bobs_turn(here.club)
        assert await here.later() == []
        (letter,) = await here.later(SETTLED)
        assert (letter["To"], letter["Subject"]) == (BOBS, "Your move against ann")
        words = text_of(letter)
        assert words.startswith(f"Tic-Tac-Toe. You have 2 days 23 h. {PAGES}/table/{table}#play You are told because")
        assert "your account bob at Club wishes so" in words
        assert await here.later(3600) == []


async def test_who_has_turned_it_off_removed_the_address_or_been_disabled_gets_nothing(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        assert (await here.person.send("/account/told", on="yes")).status == 403
        bob = await bob_is_told(here)
        assert "You are told no more by mail." in checked(await bob.sends("/account/told", on="")).words()
        await bobs_turn(here.club)
        assert await here.later(SETTLED) == []
        await bob.send("/account/told", on="yes")
        await bobs_turn(here.club, "cat")
        here.room.taken.append("451 later")
        assert await here.later(SETTLED) == []
        await bob.send("/account/mail/remove")
        assert await here.later(3600) == []
        await here.has_address(bob, BOBS)
        await bob.send("/account/told", on="yes")
        await bobs_turn(here.club, "dan")
        here.club.hall.server.accounts.set_disabled("bob", True, "test")
        assert await here.later(SETTLED) == []


async def test_who_has_moved_meanwhile_is_not_told(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        await bob_is_told(here)
        table, tickets, (ann, seat) = await game_by_days(here.club, "ann", "bob", auth=BOB)
        await leaves(here.club, seat, table, 1)
        await ann.say("play", move=[None, 4, ""])
        await ann.until("MoveMade")
        here.room.taken.append("451 later")
        assert await here.later(SETTLED) == []
        move = {"move": [None, 0, ""], "ply": 1}
        moved = await here.club.ask(f"/api/tables/{table}/moves", move, auth=f"Ticket {tickets[1]}")
        assert moved.status < 300, moved.body
        assert await here.later(3600) == []


async def test_one_press_ends_it_without_a_login_and_opening_the_link_does_not(tmp_path: Path) -> None:
    """The button of a mail program, or that of the page."""
    async with mail_club(tmp_path) as here:
        bob = await bob_is_told(here)
        await bobs_turn(here.club)
        (letter,) = await here.later(SETTLED)
        end = end_of(letter)
        page = checked(await here.person.get(end))
        assert [form.attributes["action"] for form in page.all("form")][-1] == end
        assert f"You are told by mail at {BOBS}" in checked(await bob.get("/account")).words()
        kind = {"content_type": "application/x-www-form-urlencoded"}
        for _ in range(2):
            answer = await asked(here.club.port, end, "POST", "List-Unsubscribe=One-Click", **kind)
            assert answer.status == 200
        assert f"The same by mail, at {BOBS}" in checked(await bob.get("/account")).words()
        await bobs_turn(here.club, "cat")
        assert await here.later(SETTLED) == []
        await bob.send("/account/told", on="yes")
        assert "You are told no more by mail." in checked(await here.person.send(end)).words()
        assert f"The same by mail, at {BOBS}" in checked(await bob.get("/account")).words()
        await here.has_address(bob, ANN)
        for wrong in (end, *(f"/mail/off?code={code}" for code in ("", "x", "%00", "A" * 22, "%C3%A4"))):
            assert (await here.person.send(wrong)).status == 404, wrong


async def test_an_address_that_is_none_is_told_no_more(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        bob = await bob_is_told(here)
        await bobs_turn(here.club)
        here.room.recipient.append("550 5.7.1 not today")
        assert await here.later(SETTLED) == []
        assert f"You are told by mail at {BOBS}" in checked(await bob.get("/account")).words()
        await bobs_turn(here.club, "cat")
        here.room.recipient.append(f"550 5.1.1 <{BOBS}> is unknown")
        assert await here.later(SETTLED) == []
        assert f"The same by mail, at {BOBS}" in checked(await bob.get("/account")).words()


async def test_one_person_is_mailed_so_often_in_an_hour(tmp_path: Path) -> None:
    async with mail_club(tmp_path, per_hour=2) as here:
        await bob_is_told(here)
        for _ in range(3):
            _, ann = await bobs_turn(here.club)
            await here.later(SETTLED)
            await ann.say("resign")
            await ann.until("GameEnded")
        assert [letter["Subject"] for letter in here.room.letters[1:]] == ["Your move against ann"] * 2
