"""Mail addresses of accounts, and a forgotten password by mail: what is sent, to whom, and what nobody learns."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import trio
from structlog.testing import capture_logs

from tests.push.mail_room import PAGES, link_in, silent_room, text_of
from tests.web.browsing import checked
from tests.web.club import PASSWORD, club
from tests.web.mail_club import ANN, mail_club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_host_page import noted, the_host

NEW = "another long password"
ASKED = "If there is such an account with a mail address, a link is on its way there."
OTHER = "other@y.example"


async def test_an_address_counts_once_its_link_was_opened_and_can_be_removed(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "Ann")
        page = checked(await ann.sends("/account/mail", address=f" {ANN.upper()} ", current=PASSWORD))
        assert f"A link was sent to {ANN}." in page.words()
        (letter,) = await here.later()
        assert (letter["To"], letter["Subject"]) == (ANN, "Your address at Club")
        assert "Ann, this address was given for your account at Club." in text_of(letter)
        link = link_in(letter)
        assert link.startswith("/mail#")
        assert "Confirm the address" in checked(await ann.get("/mail")).words()
        page = checked(await ann.sends("/mail", code=f"{PAGES}{link}"))
        assert "Your mail address is confirmed." in page.words()
        assert "A link was sent" not in page.words()
        assert (await ann.send("/mail", code=link)).status == 401
        page = checked(await ann.sends("/account/mail/remove"))
        assert "Your account has no mail address any more." in page.words()
        assert ANN not in page.words()
        assert await here.later() == []


async def test_an_address_is_kept_until_another_is_confirmed_and_a_later_wish_ends_an_earlier_link(
    tmp_path: Path,
) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "ann")
        await here.has_address(ann)
        await ann.send("/account/mail", address=OTHER, current=PASSWORD)
        (first,) = await here.later()
        await here.person.send("/password/ask", account="ann")
        await here.later()
        (link,) = await here.later()
        assert link["To"] == ANN
        await ann.send("/account/mail", address="third@y.example", current=PASSWORD)
        assert (await ann.send("/mail", code=link_in(first))).status == 401
        (second,) = await here.later()
        assert second["To"] == "third@y.example"
        words = checked(await ann.sends("/mail", code=link_in(second))).words()
        assert "third@y.example" in words
        assert ANN not in words


async def test_whoever_has_only_the_browser_gives_no_address_and_what_is_none_is_refused(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "ann")
        answer = await ann.send("/account/mail", address=ANN, current="wrong password")
        assert answer.status == 403
        (fault,) = [each for each in checked(answer).all("p") if each.attributes.get("class") == "fault"]
        assert "password" in fault.text
        answer = await ann.send("/account/mail", address="ann", current=PASSWORD)
        assert answer.status == 400
        assert "This is no mail address" in checked(answer).words()
        assert (await here.person.send("/account/mail", address=ANN, current=PASSWORD)).status == 403
        assert await here.later() == []


async def test_a_forgotten_password_is_replaced_by_a_link_in_a_message(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "Ann")
        await here.has_address(ann)
        stranger = here.person
        page = checked(await stranger.sends("/password/ask", account=f" {ANN.upper()} "))
        assert ASKED in page.words()
        assert await here.later() == []  # the question has become a message
        (letter,) = await here.later()
        assert (letter["To"], letter["Subject"]) == (ANN, "A new password at Club")
        page = checked(await stranger.sends("/password", code=link_in(letter), password=NEW, again=NEW))
        assert "Your password is changed." in page.words()
        assert (await ann.get("/account")).headers["location"] == "/login?next=/account"
        assert (await ann.send("/login", name="ann", password=NEW)).status == 303
        assert ("account.link", "Ann", "mail") in noted(tmp_path)


async def test_nobody_learns_who_has_an_account_or_an_address(tmp_path: Path) -> None:
    """The same answer for a name with an address, one without, one that is unknown; no page and no line shows one."""
    with capture_logs() as logged:
        async with mail_club(tmp_path) as here:
            ann = await logged_in(here.club, "ann")
            await here.has_address(ann)
            here.club.has_account("bob")
            answers = [
                await here.person.send("/password/ask", account=typed)
                for typed in ("ann", ANN, "bob", "nobody", OTHER, "<script>alert(1)</script>")
            ]
            assert {(each.status, each.headers["location"], each.text) for each in answers} == {
                (303, "/password?done=asked", "")
            }
            await here.later()
            assert [letter["To"] for letter in await here.later()] == [ANN]
            here.room.recipient.append(f"550 5.1.1 <{ANN}> is unknown here")
            await here.person.send("/password/ask", account="ann")
            await here.later()
            await here.later()
            host = await the_host(here.club)
            for path in ("/people/ann", "/api/people/ann", "/host", "/host/accounts/ann", "/host/log", "/account"):
                assert ANN not in (await host.get(path)).text, path
            assert ANN in (await ann.get("/account")).text
    assert "the mail server refuses a message" in [line["event"] for line in logged]
    assert ANN not in str(logged)


async def test_a_family_with_one_address_gets_a_link_for_each_account(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        for name in ("ann", "ben"):
            await here.has_address(await logged_in(here.club, name))
        await here.person.send("/password/ask", account=ANN)
        await here.later()
        letters = await here.later()
        assert sorted(text_of(letter).partition("account ")[2].split()[0] for letter in letters) == ["ann", "ben"]


async def test_messages_are_bounded_for_an_account_an_address_and_whoever_asks(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "ann")
        await here.has_address(ann)
        for _ in range(5):
            await here.person.send("/password/ask", account="ann")
            await here.later()
            await here.later()
        subjects = [letter["Subject"] for letter in here.room.letters]
        assert subjects == ["Your address at Club", *["A new password at Club"] * 3]
        given = [(await ann.send("/account/mail", address=OTHER, current=PASSWORD)).status for _ in range(3)]
        assert given == [303, 303, 429]
        asked = [(await here.person.send("/password/ask", account=str(at))).status for at in range(4)]
        assert asked == [303, 303, 429, 429]


async def test_an_account_of_the_host_and_a_disabled_one_get_no_link(tmp_path: Path) -> None:
    async with mail_club(tmp_path, host_accounts="Olga") as here:
        for name in ("olga", "ben"):
            await here.has_address(await logged_in(here.club, name), f"{name}@y.example")
        here.club.hall.server.accounts.set_disabled("ben", True, "test")
        for name in ("olga", "ben"):
            await here.person.send("/password/ask", account=name)
        await here.later()
        assert await here.later() == []


async def test_a_message_that_is_not_taken_goes_once_more_and_a_link_by_mail_ends_no_other(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "ann")
        await ann.send("/account/mail", address=ANN, current=PASSWORD)
        here.room.taken += ["451 later", "451 later"]
        assert await here.later() == []
        assert await here.later(20) == []
        assert await here.later(40) == []
        (letter,) = await here.later(200)
        await ann.send("/mail", code=link_in(letter))
        host = await the_host(here.club)
        (link,) = (each.text for each in checked(await host.send("/host/link", name="ann")).all("pre"))
        await here.person.send("/password/ask", account="ann")
        await here.later()
        (mailed,) = await here.later()
        assert (await here.person.send("/password", code=link, password=NEW, again=NEW)).status == 303
        assert (await here.person.send("/password", code=link_in(mailed), password=NEW, again=NEW)).status == 401


async def test_a_server_that_hangs_keeps_nobody_from_stopping(tmp_path: Path) -> None:
    with silent_room() as room:
        async with mail_club(tmp_path, room) as here:
            ann = await logged_in(here.club, "ann")
            await ann.send("/account/mail", address=ANN, current=PASSWORD)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(here.sender.run)
                called, _ = await trio.to_thread.run_sync(room.accept)
                nursery.cancel_scope.cancel()
                asked_at = trio.current_time()
            assert trio.current_time() - asked_at < 5
            called.close()


async def test_a_database_in_trouble_ends_no_sender(tmp_path: Path) -> None:
    async with mail_club(tmp_path) as here:
        ann = await logged_in(here.club, "ann")
        await ann.send("/account/mail", address=ANN, current=PASSWORD)
        with closing(sqlite3.connect(tmp_path / "record.db")) as database:
            database.execute(
                "CREATE TRIGGER broken BEFORE UPDATE ON mail_addresses BEGIN SELECT RAISE(ABORT, 'x'); END"
            )
            database.commit()
            assert await here.later() == []
            database.execute("DROP TRIGGER broken")
            database.commit()
        assert await here.later(30) == []
        assert len(await here.later(70)) == 1


async def test_where_no_mail_is_set_up_the_host_is_asked(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        ann = await logged_in(here, "ann")
        assert "Mail address" not in checked(await ann.get("/account")).words()
        page = checked(await ann.get("/password?done=asked"))
        assert "Ask the host of this server for a link, and open it here." in page.words()
        assert ASKED not in page.words()
        assert len(list(page.all("form"))) == 1
        stranger = Person(here.port)
        for path in ("/password/ask", "/mail", "/account/mail", "/account/mail/remove"):
            assert (await stranger.send(path)).status == 404, path
        assert "who forgets a password asks the host" in (await stranger.get("/login")).text
