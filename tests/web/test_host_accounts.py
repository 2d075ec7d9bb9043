"""The host's pages of accounts: a search, one account without its secrets, every form and its line in the log."""

from __future__ import annotations

import time
from contextlib import closing
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from gateway.store.acts import ActLog
from gateway.store.bans import Ban
from gateway.store.reports import Report
from gateway.store.tokens import FOREVER, Token
from gateway.web.pages import host_accounts as module
from tests.web.browsing import Element, checked
from tests.web.club import PASSWORD, TOKEN, Club, club
from tests.web.person import Person
from tests.web.test_download import pressed

NOW = time.time()
HOSTILE = "<script>alert(1)</script>"
ADDRESS = "anna@example.org"
FORMS = ("disable", "enable", "reset", "revoke", "end-token", "end-sessions", "export")


async def the_host(here: Club) -> Person:
    host = Person(here.port)
    assert (await host.send("/host/sign-in", token=TOKEN)).status == 303
    return host


def changes(folder: Path) -> list[tuple[str, str, str]]:
    with closing(ActLog(f"sqlite:///{folder / 'record.db'}")) as log:
        return [(act.act, act.object, act.by) for act in log.acts("account") if act.act != "account.added"]


BY = "host token from 127.0.0.1"


def names(page: Element) -> list[str]:
    """The accounts in the list of a page."""
    return [link.text for link in page.all("a") if link.attributes["href"].startswith("/host/accounts/")]


async def test_only_the_host_sees_accounts_and_changes_them(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        here.has_account("eve")
        eve = Person(here.port)
        await eve.send("/login", name="eve", password=PASSWORD)
        for path in ("/host/accounts", "/host/accounts/anna"):
            page = checked(await eve.get(path)).words()
            assert "Admin token" in page, path
            assert "anna" not in page, path
        for form in FORMS:
            assert (await eve.send(f"/host/{form}", name="anna")).status == 403, form
        host = await the_host(here)
        for form in FORMS:
            foreign = await host.send(f"/host/{form}", {"origin": "http://evil.example"}, name="anna")
            assert foreign.status == 403, form
        assert changes(tmp_path) == []


async def test_accounts_are_found_by_a_part_of_the_name(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for name in ("Anna", "Bert", "hannah", "a/b c"):
            here.has_account(name)
        here.hall.server.accounts.set_disabled("hannah", True, "test")
        host = await the_host(here)
        assert names(checked(await host.get("/host/accounts"))) == ["a/b c", "Anna", "Bert", "hannah"]
        page = checked(await host.get("/host/accounts?part=ANN"))
        assert names(page) == ["Anna", "hannah"]
        assert "disabled" in page.words()
        assert "No account has this" in checked(await host.get("/host/accounts?part=%25")).words()
        assert HOSTILE in checked(await host.get(f"/host/accounts?part={HOSTILE}")).words()
        (link,) = [each for each in checked(await host.get("/host/accounts")).all("a") if each.text == "a/b c"]
        assert "Account" in checked(await host.get(link.attributes["href"])).words()
        assert (await host.get("/host/accounts/nobody")).status == 404


async def test_a_long_list_goes_on_behind_its_last_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", 2)
    async with club(tmp_path) as here:
        for name in ("anna", "a & b", "carl"):
            here.has_account(name)
        host = await the_host(here)
        page = checked(await host.get("/host/accounts?part=a"))
        assert names(page) == ["a & b", "anna"]
        (on,) = [link for link in page.all("a") if link.text == "Those behind anna"]
        page = checked(await host.get(on.attributes["href"]))
        assert names(page) == ["carl"]
        assert "Those behind" not in page.words()


async def test_one_account_is_shown_without_its_secrets(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        accounts, kept = here.hall.server.accounts, here.kept
        assert kept is not None
        accounts.add_token(Token(b"d" * 32, "anna", NOW, FOREVER, HOSTILE, frozenset({"board:play"})), "Anna")
        kept.reports.add(Report(NOW, HOSTILE, "192.0.2.9", 7, "anna", f"{HOSTILE} is rude"))
        kept.letters.want("anna", ADDRESS, time.time(), time.time() + 600)
        here.hall.server.bans.add(Ban("name", "anna", "an engine"), "test")
        host = await the_host(here)
        answer = await host.get("/host/accounts/ANNA")
        words = checked(answer).words()
        for part in (
            "A person’s, since",
            "Banned as anna, until it is lifted · an engine",
            "A mail address that is not confirmed",
            "0 tables, 0 rated games that ended",
            "Log all browsers out",
            f"{HOSTILE} board:play",
            f"{HOSTILE} is rude",
            "account.token",
        ):
            assert part in words, part
        found = accounts.find("anna")
        assert found is not None
        for secret in (ADDRESS, found.password_hash, (b"d" * 32).hex()):
            assert secret not in answer.text


async def test_an_account_is_disabled_and_enabled(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        host = await the_host(here)
        page = checked(await host.sends("/host/disable", name="Anna")).words()
        assert "The account is disabled: nobody can log in with it." in page
        assert "Disabled since" in page
        assert "Log in" in checked(await anna.get("/people")).words()
        assert (await anna.send("/login", name="anna", password=PASSWORD)).status == 403
        assert "may log in again" in checked(await host.sends("/host/enable", name="Anna")).words()
        assert (await anna.send("/login", name="anna", password=PASSWORD)).status == 303
        assert changes(tmp_path) == [("account.disabled", "Anna", BY), ("account.enabled", "Anna", BY)]


async def test_an_account_is_given_back_to_its_owner_by_a_link(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        thief = Person(here.port)
        await thief.send("/login", name="anna", password=PASSWORD)
        host = await the_host(here)
        page = checked(await host.send("/host/reset", name="anna"))
        (link,) = (element.text for element in page.all("pre"))
        assert link.startswith(f"http://127.0.0.1:{here.port}/password#")
        assert (await thief.send("/login", name="anna", password=PASSWORD)).status == 403
        assert "Log in" in checked(await thief.get("/people")).words()
        owner, fields = Person(here.port), {"password": "another one", "again": "another one"}
        assert (await owner.send("/password", None, code=link.partition("#")[2], **fields)).status == 303
        assert (await owner.send("/login", name="anna", password="another one")).status == 303
        assert changes(tmp_path)[:2] == [("account.reset", "Anna", BY), ("account.link", "Anna", BY)]


async def test_a_disabled_account_is_reset_without_a_link(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        here.hall.server.accounts.set_disabled("anna", True, "test")
        page = checked(await (await the_host(here)).sends("/host/reset", name="anna"))
        assert "It is disabled, so it has no link yet." in page.words()


async def test_tokens_and_browsers_are_ended_one_kind_at_a_time(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        accounts, host = here.hall.server.accounts, await the_host(here)
        for digest, label in ((b"1", "laptop"), (b"2", "bot"), (b"3", "")):
            accounts.add_token(Token(digest * 32, "anna", NOW, FOREVER, label), "anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        page = checked(await host.get("/host/accounts/anna"))
        (token,) = [
            form
            for form in page.all("form")
            if any(button.attributes.get("aria-label") == "End the token laptop" for button in form.all("button"))
        ]
        fields = {field.attributes["name"]: field.attributes["value"] for field in token.all("input")}
        page = checked(await host.sends(token.attributes["action"], **fields))
        assert "The token is ended." in page.words()
        assert [one.label for one in accounts.tokens("anna", NOW)] == ["bot", ""]
        checked(await host.sends("/host/end-sessions", name="anna"))
        assert "Log in" in checked(await anna.get("/people")).words()
        assert len(accounts.tokens("anna", NOW)) == 2
        page = checked(await host.sends("/host/revoke", name="anna"))
        assert accounts.tokens("anna", NOW) == []
        assert "Logged in with none." in page.words()
        ended = ["token_ended", "sessions_ended", "revoked"]
        assert changes(tmp_path)[-3:] == [(f"account.{kind}", "anna", BY) for kind in ended]


async def test_all_data_of_an_account_are_downloaded_and_that_is_noted(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        host = await the_host(here)
        for _ in range(2):
            status, head, body = await pressed(host, path="/host/export", body="name=anna")
            assert (status, 'filename="anna.zip"' in head) == (200, True)
            assert b'"name":"Anna"' in ZipFile(BytesIO(body)).read("account.json").replace(b'": "', b'":"')
        assert (await host.send("/host/export", name="nobody")).status == 400
        assert changes(tmp_path) == [("account.exported", "Anna", BY)] * 2


async def test_the_data_of_one_account_are_written_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that fails leaves the way free."""

    def breaks(*_: object) -> None:
        raise ValueError("cannot be read")

    async with club(tmp_path) as here:
        here.has_account("anna")
        host = await the_host(here)
        with monkeypatch.context() as broken:
            broken.setattr("gateway.record.archive.Archives.of", breaks)
            assert (await host.send("/host/export", name="anna")).status == 500
        assert (await pressed(host, path="/host/export", body="name=anna"))[0] == 200


async def test_what_is_no_account_is_not_changed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        for form in FORMS:
            if form != "end-token":
                answer = await host.send(f"/host/{form}", name="nobody")
                assert (answer.status, "There is no account" in answer.text) == (400, True), form
        assert changes(tmp_path) == []


async def test_a_hosts_account_is_changed_on_the_command_line_alone(tmp_path: Path) -> None:
    async with club(tmp_path, host_accounts="olga") as here:
        here.has_account("olga")
        host = await the_host(here)
        page = checked(await host.get("/host/accounts/olga"))
        assert "This account may be the host." in page.words()
        assert {form.attributes["action"] for form in page.all("form")} == {"/host/sign-out", "/host/export"}
        for form in FORMS[:-1]:
            assert (await host.send(f"/host/{form}", name="OLGA")).status == 400, form
        assert changes(tmp_path) == []
