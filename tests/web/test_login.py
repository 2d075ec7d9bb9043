"""Logging in, making an account, playing as a guest, logging out; cookies, foreign pages, limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from gateway.accounts import registering
from gateway.accounts.tokens import digest
from gateway.store.bans import Ban
from gateway.store.sessions import Sessions
from gateway.web.forwarded import Forwarded
from gateway.web.pages import login as module
from tests.hall import config
from tests.web.browsing import asked, checked
from tests.web.club import HASH, PASSWORD, Club, club
from tests.web.person import Person
from tests.web.serving import served


def knows(here: Club, *names: str) -> None:
    for name in names:
        here.has_account(name)


async def test_a_person_logs_in_is_known_on_every_page_and_logs_out(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "Anna")
        anna = Person(here.port)
        page = checked(await anna.get("/login"))
        assert "Make an account" in page.words()
        answer = await anna.send("/login", name="ANNA", password=PASSWORD, next="/people")
        assert (answer.status, answer.headers["location"]) == (303, "/people")
        assert [link.text for link in checked(await anna.get("/connect")).all("a")].count("Anna") == 1
        assert (await anna.get("/login")).headers["location"] == "/account"
        old = dict(anna.cookies)
        assert (await anna.send("/logout")).status == 303
        assert anna.cookies == {}
        anna.cookies = old
        assert "Anna" not in checked(await anna.get("/connect")).words()


def stored_bytes(folder: Path) -> bytes:
    """The whole database, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.name.startswith("record.db"))


async def test_the_cookie_is_for_this_server_alone(tmp_path: Path) -> None:
    """HttpOnly: no script reads it. SameSite=Lax: a friend's link keeps it. Its value is stored nowhere."""
    async with club(tmp_path) as here:
        knows(here, "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        (told,) = anna.set_cookies
        (value,) = anna.cookies.values()
        assert set(told.lower().split("; ")[1:]) == {"httponly", "max-age=15552000", "path=/", "samesite=lax"}
        assert told.startswith("boardgate=")
        assert len(value) == 22
        assert value.encode() not in stored_bytes(tmp_path)


async def test_behind_a_proxy_with_tls_the_cookie_is_secure_and_bound_to_the_host(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        assert here.app is not None
        async with served(Forwarded(here.app)) as port:
            forwarded = {"x_forwarded_for": "192.0.2.7", "x_forwarded_proto": "https"}
            anna = Person(port, forwarded)
            ours = {"origin": f"https://127.0.0.1:{port}"}
            assert (await anna.send("/login", ours, name="anna", password=PASSWORD)).status == 303
            (told,) = anna.set_cookies
            assert told.startswith("__Host-boardgate=")
            assert "secure" in told.lower().split("; ")
            assert "anna" in checked(await anna.get("/connect")).words()
            unsecured = Person(port, {"x_forwarded_for": "192.0.2.7"}, dict(anna.cookies))
            assert "anna" not in checked(await unsecured.get("/connect")).words()
        direct = Person(here.port, {"x_forwarded_proto": "https"})
        await direct.send("/login", name="anna", password=PASSWORD)
        assert direct.set_cookies[0].startswith("boardgate=")


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "http://127.0.0.1:1"])
async def test_a_foreign_page_sends_no_form(tmp_path: Path, origin: str) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        for path in (
            "/login",
            "/logout",
            "/register",
            "/guest",
            "/account/delete",
            "/account/preferences",
            "/account/preference",
        ):
            answer = await anna.send(path, {"origin": origin}, name="bert", password=PASSWORD, again=PASSWORD)
            assert answer.status == 403, path
            assert "was not sent by a page of this server" in checked(answer).words()
        assert "anna" in checked(await anna.get("/connect")).words()


async def test_a_wrong_password_is_told_beside_the_form_and_the_name_stays(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        answer = await Person(here.port).send("/login", name="an<b>na", password="wrong password")
        page = checked(answer)
        assert answer.status == 403
        (fault,) = (element for element in page.all("p") if element.attributes.get("role") == "alert")
        assert "No password or token for the account 'an<b>na'" in fault.text
        assert (
            next(field for field in page.all("input") if field.attributes.get("id") == "login-name").attributes["value"]
            == "an<b>na"
        )
        assert "wrong password" not in answer.text


async def test_guessing_passwords_gets_slower(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        guess = Person(here.port)
        statuses = [(await guess.send("/login", name="anna", password=f"guess {n} of many")).status for n in range(6)]
        assert statuses[:3] == [403, 403, 403]
        assert statuses[-1] == 429
        assert (await guess.send("/login", name="anna", password=PASSWORD)).status == 429


async def test_a_token_is_no_password_for_a_page(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        answer = await Person(here.port).send("/login", name="anna", password="bgt_" + "x" * 32)
        assert answer.status == 403
        assert "This is a token" in checked(answer).words()


async def test_anybody_makes_an_account_where_the_host_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = Person(here.port)
        page = checked(await anna.sends("/register", name="Anna", password=PASSWORD, again=PASSWORD))
        assert [title.text for title in page.all("h1")] == ["Anna"]
        assert here.hall.server.lobby.names.owned("anna")
        taken = await Person(here.port).send("/register", name="ANNA", password=PASSWORD, again=PASSWORD)
        assert taken.status == 409
        for name, password, again, text in (
            ("bert", "short", "short", "A password has 8 to 256 characters"),
            ("bert", PASSWORD, "another one", "The two passwords differ"),
            ("admin", PASSWORD, PASSWORD, "is kept for the host"),
            ("guest-7", PASSWORD, PASSWORD, "is what guests are called"),
            ("former player", PASSWORD, PASSWORD, "is what the server is called"),
        ):
            answer = await Person(here.port).send("/register", name=name, password=password, again=again)
            assert text in checked(answer).words(), name
            assert answer.status in (400, 409)


async def test_a_name_that_looks_like_one_another_process_has_just_registered_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.hall.server.accounts.add("paul", HASH, "another node")  # this server looks every five seconds
        assert not here.hall.server.lobby.names.owned("paul")
        answer = await Person(here.port).send("/register", name="pau1", password=PASSWORD, again=PASSWORD)
        assert answer.status == 409
        assert "looks like a name that is" in checked(answer).words()
        assert here.hall.server.accounts.find("pau1") is None


async def test_few_accounts_come_from_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registering, "ADDRESS_BURST", 1)
    async with club(tmp_path) as here:
        stranger = Person(here.port)
        assert (await stranger.send("/register", name="anna", password=PASSWORD, again=PASSWORD)).status == 303
        assert (await stranger.send("/register", name="bert", password=PASSWORD, again=PASSWORD)).status == 429


async def test_with_invitations_an_account_needs_a_code(tmp_path: Path) -> None:
    async with club(tmp_path, accounts="invitation") as here:
        here.hall.server.accounts.invite(digest("the code"), "root", 0.0, 1e12)
        page = checked(await Person(here.port).get("/login?invitation=the%20code"))
        values = {field.attributes.get("name"): field.attributes.get("value") for field in page.all("input")}
        assert values["invitation"] == "the code"
        without = await Person(here.port).send("/register", name="anna", password=PASSWORD, again=PASSWORD)
        assert "This invitation is unknown here" in checked(without).words()
        fields = {"name": "anna", "password": PASSWORD, "again": PASSWORD, "invitation": " the code "}
        assert (await Person(here.port).send("/register", None, **fields)).status == 303
        assert (await Person(here.port).send("/register", None, **fields | {"name": "bert"})).status == 401


async def test_a_closed_server_makes_no_accounts(tmp_path: Path) -> None:
    async with club(tmp_path, accounts="closed") as here:
        assert "/register" not in (await Person(here.port).get("/login")).text
        answer = await Person(here.port).send("/register", name="anna", password=PASSWORD, again=PASSWORD)
        assert "Accounts are made by the host" in checked(answer).words()
        assert here.hall.server.accounts.find("anna") is None


async def test_a_guest_gets_a_name_that_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GUEST_BURST", 1)
    async with club(tmp_path) as here:
        knows(here, "anna")
        guest = Person(here.port)
        assert (await guest.send("/guest", name="A n n a")).status in (303, 409)
        refused = await Person(here.port).send("/guest", name="ANNA")
        assert refused.status == 409
        assert "is the name of an account" in checked(refused).words()
        assert (await Person(here.port).send("/guest", name="bert")).status == 429


async def test_nobody_is_called_by_a_word_of_the_hosts_list(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("twit\n")
    usual = config()
    async with club(tmp_path, replace(usual, server=replace(usual.server, words_file=str(words)))) as here:
        person = Person(here.port)
        for path in ("/register", "/guest"):
            refused = await person.send(path, name="Big Twit", password=PASSWORD, again=PASSWORD)
            assert refused.status == 400
            assert "word of this name is not used here" in checked(refused).words()
        here.has_account("twit")
        assert (await person.send("/login", name="twit", password=PASSWORD)).status == 303


@pytest.mark.parametrize(
    "address", ["//evil.example/", "https://evil.example", "/\\evil.example", "javascript:1", "\\", ""]
)
async def test_no_form_leads_to_another_server(tmp_path: Path, address: str) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        answer = await Person(here.port).send("/login", name="anna", password=PASSWORD, next=address)
        assert answer.headers["location"] == "/account"


async def test_a_form_that_is_none_is_refused(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        person = Person(here.port)
        assert (await person.send("/login", {"content_type": "text/plain"}, name="x")).status == 415
        assert (await person.send("/login", name="x" * 17_000)).status == 413
        assert (await asked(here.port, "/logout")).status == 405


async def test_a_banned_account_is_known_no_more(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        knows(here, "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        here.hall.server.bans.add(Ban("name", "anna", "plays with an engine"), "root")
        await here.hall.server.ban_enforcer.learn()
        assert (await anna.get("/account")).headers["location"] == "/login?next=/account"
        answer = await anna.send("/login", name="anna", password=PASSWORD)
        assert answer.status == 403
        assert "plays with an engine" in checked(answer).words()


async def test_a_logged_in_page_asks_the_api_as_its_account(tmp_path: Path) -> None:
    """And registers tables in its name from our own pages only."""
    async with club(tmp_path) as here:
        knows(here, "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        body = '{"game":"tic_tac_toe","seats":[{"name":"anna"},{"name":"bert"}]}'
        sent = {"cookie": f"boardgate={anna.cookies['boardgate']}", "content_type": "application/json"}
        foreign = await asked(here.port, "/api/tables", "POST", body, **sent, origin="http://evil.example")
        assert foreign.status == 403
        ours = await asked(here.port, "/api/tables", "POST", body, **sent, origin=f"http://127.0.0.1:{here.port}")
        assert ours.status == 201


async def test_a_database_in_trouble_makes_a_stranger_of_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import OperationalError

    def fails(*_: object) -> None:
        raise OperationalError("select", {}, Exception("disk"))

    async with club(tmp_path) as here:
        knows(here, "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        with monkeypatch.context() as broken:
            broken.setattr(Sessions, "find", fails)
            assert "anna" not in checked(await anna.get("/people")).words()
            await trio.lowlevel.checkpoint()
        assert "anna" in checked(await anna.get("/connect")).words()
