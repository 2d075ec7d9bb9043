"""Logging in by another service: real requests to a real provider, and what becomes of an account."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from gateway.accounts.tokens import digest
from gateway.config.model import OpenId
from gateway.openid import sealing
from gateway.store.bans import Ban
from gateway.store.identities import NO_PASSWORD, Identity
from gateway.web.forwarded import Forwarded
from gateway.web.pages import openid as module
from gateway.web.pages import ownership
from tests.hall import config
from tests.openid.crooked import Mock, provider
from tests.web.browsing import Answer, Element, checked, read
from tests.web.club import PASSWORD, TOKEN, Club, club
from tests.web.person import Person
from tests.web.serving import served

COOKIE = "boardgate-openid"


@pytest.fixture(scope="module")
def mock() -> Iterator[Mock]:
    with provider() as found:
        yield found


@pytest.fixture
def there(mock: Mock) -> Mock:
    mock.crook()
    return mock


@dataclass
class Here:
    """A server whose people may log in by ``there``."""

    club: Club
    there: Mock

    @property
    def person(self) -> Person:
        """Another browser."""
        return Person(self.club.port)

    async def begins(self, person: Person, path: str = "/openid", **fields: str) -> str:
        """Press the button; the provider's address that the browser is led to."""
        answer = await person.send(path, None, **fields)
        assert answer.status == 200, read(answer.text).words()
        address = answer.headers["refresh"].partition("url=")[2]
        assert address.startswith(f"{self.there.issuer}/oauth2/authorize?")
        assert [link.attributes["href"] for link in read(answer.text).all("a")].count(address) == 1
        return address

    async def comes_back(self, person: Person, subject: str = "17", path: str = "/openid", **fields: str) -> Answer:
        address = await self.begins(person, path, **fields)
        return await person.get(f"/openid/callback?{await self.there.logs_in(address, subject)}")

    async def made(self, name: str = "Anna", subject: str = "17", **fields: str) -> Person:
        """A person with a new account of this name."""
        person = self.person
        assert (await self.comes_back(person, subject)).headers["location"] == "/openid/name"
        answer = await person.send("/openid/name", None, name=name, **fields)
        assert answer.headers.get("location") == "/account", read(answer.text).words()
        return person

    def changes(self) -> list[tuple[str, str, str]]:
        return [(each.name, each.change, each.by) for each in self.club.hall.server.accounts.changes()]


@asynccontextmanager
async def openid_club(folder: Path, there: Mock, **registration: Any) -> AsyncIterator[Here]:
    settings = replace(config(), openid=OpenId(**there.settings(folder)))
    async with club(folder, settings, **registration) as here:
        yield Here(here, there)


def fault(page: Element) -> str:
    (found,) = (each for each in page.all("p") if each.attributes.get("role") == "alert")
    return found.text


async def test_a_new_person_chooses_a_name_and_is_known_the_next_time(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        assert "Log in with Club Login" in checked(await anna.get("/login")).words()
        answer = await here.comes_back(anna, next="/people")
        assert (answer.status, answer.headers["location"]) == (303, "/openid/name")
        page = checked(await anna.get("/openid/name"))
        assert [each.attributes["value"] for each in page.all("input") if each.attributes["name"] == "name"] == ["Anna"]
        made = await anna.send("/openid/name", None, name="Annika")
        assert (made.status, made.headers["location"]) == (303, "/people")
        assert "Annika" in checked(await anna.get("/connect")).words()
        assert COOKIE not in anna.cookies
        found = here.club.hall.server.accounts.find("annika")
        assert found is not None
        assert found.password_hash == NO_PASSWORD
        again = here.person
        assert (await here.comes_back(again)).headers["location"] == "/account"
        assert "Annika" in checked(await again.get("/account")).words()
        assert here.changes() == [("Annika", "added", "Annika")]


async def test_names_are_checked_as_those_of_others(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        here.club.has_account("bert")
        here.club.hall.server.bans.add(Ban("name", "cora", ""), "root")
        await here.club.hall.server.ban_enforcer.learn()
        anna = here.person
        await here.comes_back(anna)
        for name, text in (
            ("BERT", "registered already"),
            ("admin", "kept for the host"),
            ("guest-7", "guests are called"),
            ("cora", "banned"),
            ("", ""),
        ):
            answer = await anna.send("/openid/name", None, name=name)
            assert answer.status >= 400, name
            assert text in fault(checked(answer)), name
        assert (await anna.send("/openid/name", {"origin": "https://evil.example"}, name="Anna")).status == 403
        assert (await anna.send("/openid/name", None, name="Anna")).status == 303


async def test_a_seal_makes_one_account(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        await here.comes_back(anna)
        seal = anna.cookies[COOKIE]
        assert (await anna.send("/openid/name", None, name="Anna")).status == 303
        other = Person(here.club.port, cookies={COOKIE: seal})
        again = await other.send("/openid/name", None, name="Hanna")
        assert again.status == 409
        assert "belongs to an account already" in fault(checked(again))
        assert here.club.hall.server.accounts.find("hanna") is None


@pytest.mark.parametrize("spoil", ["state", "no state", "no cookie", "changed cookie", "other seal", "old", "issuer"])
async def test_a_way_back_that_this_browser_did_not_begin_leads_nowhere(
    there: Mock, tmp_path: Path, spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        address = await here.begins(anna)
        query = await there.logs_in(address, "17")
        code, state = (part.partition("=")[2] for part in sorted(query.split("&"))[:2])
        match spoil:
            case "state":
                query = f"code={code}&state={state[::-1]}"
            case "no state":
                query = f"code={code}"
            case "no cookie":
                anna.cookies.clear()
            case "changed cookie":
                anna.cookies[COOKIE] = anna.cookies[COOKIE][:-3] + "AA="
            case "other seal":
                other = here.person
                await here.comes_back(other, "18")
                anna.cookies[COOKIE] = other.cookies[COOKIE]
            case "old":
                monkeypatch.setattr(sealing, "LASTS_S", -1)
            case "issuer":
                query += "&iss=https%3A%2F%2Fother.example.org"
        answer = await anna.get(f"/openid/callback?{query}")
        assert answer.status == 400
        assert "begun in another browser, or more than ten minutes ago" in checked(answer).words()
        assert not [name for name in anna.cookies if name == "boardgate"]


async def test_a_code_is_good_once(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made()
        anna = here.person
        query, kept = await there.logs_in(await here.begins(anna), "17"), dict(anna.cookies)
        assert (await anna.get(f"/openid/callback?{query}")).headers["location"] == "/account"
        assert COOKIE not in anna.cookies
        again = Person(here.club.port, cookies=kept)
        answer = await again.get(f"/openid/callback?{query}")
        assert answer.status == 400
        assert "Club Login has refused the login" in checked(answer).words()


@pytest.mark.parametrize(
    ("said", "status", "words", "line"),
    [
        ({"nonce": "x"}, 400, "cannot be believed", "an answer of the OpenID provider is not believed"),
        ({"_alg": "none"}, 400, "cannot be believed", "an answer of the OpenID provider is not believed"),
        ({"_status": "503 Away"}, 503, "does not answer just now", "the OpenID provider does not answer"),
    ],
)
async def test_what_goes_wrong_there_is_a_page_and_a_line(
    there: Mock, tmp_path: Path, said: dict[str, Any], status: int, words: str, line: str, caplog: Any, capsys: Any
) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        query = await there.logs_in(await here.begins(anna), "17")
        there.crook(**said)
        answer = await anna.get(f"/openid/callback?{query}")
        assert answer.status == status
        assert words in checked(answer).words()
        out = capsys.readouterr()
        assert line in out.out + out.err + caplog.text
        secret = anna.cookies.get(COOKIE, "no cookie")
        for hidden in (secret, query.partition("=")[2].partition("&")[0]):
            assert hidden not in out.out + out.err + caplog.text


async def test_who_declines_there_is_told_so(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        address = await here.begins(anna)
        state = address.partition("&state=")[2].partition("&")[0]
        for query in (f"error=access_denied&state={state}", await there.logs_in(address, "17", deny=True)):
            answer = await anna.get(f"/openid/callback?{query}")
            assert answer.status == 403
            assert "you have declined" in checked(answer).words()
        other = await here.person.get("/openid/callback?error=access_denied&state=x")
        assert "begun in another browser" in checked(other).words()
        odd = await anna.get(f"/openid/callback?error=<b>odd&state={state}")
        assert odd.status == 400
        assert "Club Login has refused the login" in checked(odd).words()
        assert COOKIE not in anna.cookies


async def test_a_server_starts_while_the_provider_is_away(there: Mock, tmp_path: Path) -> None:
    there.crook(_status="503 Away")
    async with openid_club(tmp_path, there) as here:
        assert "Log in with Club Login" in checked(await here.person.get("/login")).words()
        answer = await here.person.send("/openid")
        assert answer.status == 503
        assert "Try again in some minutes" in checked(answer).words()


@pytest.mark.parametrize("to", ["https://evil.example", "//evil.example", "/\\evil.example", "x" * 600])
async def test_a_login_leads_to_pages_of_ours_alone(there: Mock, tmp_path: Path, to: str) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made()
        assert (await here.comes_back(here.person, next=to)).headers["location"] == "/account"
        assert (await here.comes_back(here.person, next="/tv")).headers["location"] == "/tv"


async def test_an_account_of_the_host_is_not_opened(there: Mock, tmp_path: Path) -> None:
    """The provider's owner would be the host."""
    async with openid_club(tmp_path, there, host_accounts="anna") as here:
        here.club.has_account("anna")
        anna = here.person
        await anna.send("/login", None, name="anna", password=PASSWORD)
        assert "Log in with Club Login, too" not in checked(await anna.get("/account")).words()
        answer = await anna.send("/openid/link", None, current=PASSWORD)
        assert answer.status == 409
        assert "opened by its password alone" in checked(answer).words()
        assert here.club.kept is not None
        here.club.kept.linking.link("anna", Identity(there.issuer, "17"), "x", 1.0)
        refused = await here.comes_back(here.person)
        assert refused.status == 403
        assert "opened by its password alone" in checked(refused).words()
        other = here.person
        await here.comes_back(other, "18")
        assert (await other.send("/openid/name", None, name="Anna")).status == 409


async def test_disabled_and_banned_accounts_stay_shut(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made("Anna", "17")
        await here.made("Bert", "18")
        here.club.hall.server.accounts.set_disabled("anna", True, "root")
        here.club.hall.server.bans.add(Ban("name", "bert", "rude"), "root")
        await here.club.hall.server.ban_enforcer.learn()
        disabled = await here.comes_back(here.person, "17")
        assert disabled.status == 403
        assert "This account is disabled" in checked(disabled).words()
        banned = await here.comes_back(here.person, "18")
        assert banned.status == 403
        assert "rude" in checked(banned).words()


async def test_who_may_make_an_account_is_the_hosts_to_say(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there, accounts="closed") as here:
        here.club.has_account("anna")
        answer = await here.comes_back(here.person)
        assert answer.status == 403
        assert "the host of this server makes accounts" in checked(answer).words()
        assert here.club.kept is not None
        here.club.kept.linking.link("anna", Identity(there.issuer, "17"), "anna", 1.0)
        assert (await here.comes_back(here.person)).headers["location"] == "/account"


async def test_an_invitation_is_asked_for_where_one_is_needed(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there, accounts="invitation") as here:
        here.club.hall.server.accounts.invite(digest("the code"), "root", 0.0, 1e12)
        anna = here.person
        await here.comes_back(anna)
        without = await anna.send("/openid/name", None, name="Anna")
        assert "This invitation is unknown here" in fault(checked(without))
        assert (await anna.send("/openid/name", None, name="Anna", invitation="the code")).status == 303


async def test_an_account_with_a_password_is_linked_and_parted(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        here.club.has_account("anna")
        anna = here.person
        await anna.send("/login", None, name="anna", password=PASSWORD)
        wrong = await anna.send("/openid/link", None, current="wrong password")
        assert wrong.status == 403
        assert "check name and password" in checked(wrong).words()
        answer = await here.comes_back(anna, path="/openid/link", current=PASSWORD)
        assert answer.headers["location"] == "/account?done=linked"
        page = checked(await anna.get("/account?done=linked"))
        assert "You log in to this account with that login, too" in page.words()
        assert "Log in with Club Login, too" not in page.words()
        assert (await here.comes_back(here.person)).headers["location"] == "/account"
        assert (await anna.send("/openid/unlink", None, issuer=there.issuer, current="wrong password")).status == 403
        parted = await anna.send("/openid/unlink", None, issuer=there.issuer, current=PASSWORD)
        assert parted.headers["location"] == "/account?done=unlinked"
        assert (await here.comes_back(here.person)).headers["location"] == "/openid/name"
        assert here.changes()[1:] == [("anna", "linked", "anna"), ("anna", "unlinked", "anna")]


async def test_one_login_is_one_account(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made("Bert", "17")
        here.club.has_account("anna")
        anna = here.person
        await anna.send("/login", None, name="anna", password=PASSWORD)
        answer = await here.comes_back(anna, path="/openid/link", current=PASSWORD)
        assert answer.status == 409
        assert "belongs to another account already" in checked(answer).words()


async def test_a_link_that_was_begun_by_somebody_else_is_none(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        for name in ("anna", "bert"):
            here.club.has_account(name)
        anna, bert = here.person, here.person
        await anna.send("/login", None, name="anna", password=PASSWORD)
        await bert.send("/login", None, name="bert", password=PASSWORD)
        query = await there.logs_in(await here.begins(anna, "/openid/link", current=PASSWORD), "17")
        bert.cookies[COOKIE] = anna.cookies[COOKIE]
        answer = await bert.get(f"/openid/callback?{query}")
        assert answer.status == 403
        assert "You have been logged out meanwhile, or are somebody else" in checked(answer).words()
        assert here.club.kept is not None
        assert here.club.kept.linking.links("bert") == []


async def test_an_account_without_a_password_asks_for_a_fresh_login(
    there: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = await here.made()
        monkeypatch.setattr(ownership, "FRESH_S", -1.0)
        stale = await anna.send("/account/delete")
        assert stale.status == 403
        assert "log in anew" in fault(checked(stale))
        only = await anna.send("/openid/unlink", None, issuer=there.issuer)
        assert only.status == 403
        monkeypatch.undo()
        back = await here.comes_back(anna, anew="yes")
        assert back.headers["location"] == "/account?done=anew"
        page = checked(await anna.get("/account?done=anew"))
        assert "This is the only way in to your account" in page.words()
        only = await anna.send("/openid/unlink", None, issuer=there.issuer)
        assert only.status == 409
        assert "the only way in" in checked(only).words()
        new = {"password": PASSWORD, "again": PASSWORD}
        assert (await anna.send("/account/password", None, **new)).headers["location"] == "/account?done=password"
        assert (await here.person.send("/login", None, name="anna", password=PASSWORD)).status == 303
        parted = await anna.send("/openid/unlink", None, issuer=there.issuer, current=PASSWORD)
        assert parted.headers["location"] == "/account?done=unlinked"


@pytest.mark.parametrize("password", ["", "!", "nobody has this password"])
async def test_no_password_opens_an_account_without_one(there: Mock, tmp_path: Path, password: str) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made()
        assert (await here.person.send("/login", None, name="Anna", password=password)).status == 403


async def test_its_owner_downloads_the_link_and_deletes_it_with_the_account(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        anna = await here.made()
        assert here.club.kept is not None
        personal = here.club.kept.personal.of("anna", time.time())
        assert personal is not None
        assert [each["subject"] for each in personal.rest["identities"]] == ["17"]
        assert (await anna.send("/account/delete")).status == 200
        assert here.club.kept.linking.account(Identity(there.issuer, "17")) is None
        assert (await here.comes_back(here.person)).headers["location"] == "/openid/name"


async def test_the_host_sees_who_is_linked_and_a_reset_ends_it(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        await here.made()
        host = here.person
        await host.send("/host/sign-in", None, token=TOKEN)
        assert f"Linked to a login of {there.issuer}" in checked(await host.get("/host/accounts/Anna")).words()
        assert (await host.send("/host/reset", None, name="Anna")).status == 200
        assert "Linked to a login" not in checked(await host.get("/host/accounts/Anna")).words()
        assert (await here.comes_back(here.person)).headers["location"] == "/openid/name"


async def test_few_logins_come_from_one_address(there: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ADDRESS_BURST", 1)
    async with openid_club(tmp_path, there) as here:
        anna = here.person
        await here.begins(anna)
        assert (await anna.send("/openid")).status == 429
        assert (await anna.get("/openid/callback")).status == 400
        assert (await anna.get("/openid/callback")).status == 429


async def test_a_foreign_page_begins_no_login(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        for path in ("/openid", "/openid/link", "/openid/unlink"):
            assert (await here.person.send(path, {"origin": "https://evil.example"})).status == 403
        assert (await here.person.send("/openid/link")).status == 403


async def test_what_is_kept_is_for_this_host_alone_and_says_nothing(there: Mock, tmp_path: Path) -> None:
    async with openid_club(tmp_path, there) as here:
        assert here.club.app is not None
        async with served(Forwarded(here.club.app)) as port:
            anna = Person(port, {"x_forwarded_for": "192.0.2.7", "x_forwarded_proto": "https"})
            await anna.send("/openid", {"origin": f"https://127.0.0.1:{port}"})
            (told,) = anna.set_cookies
        name, *rest = told.split("; ")
        assert name.startswith("__Host-boardgate-openid=")
        assert {each.lower() for each in rest} == {"httponly", "max-age=600", "path=/", "samesite=lax", "secure"}
        plain = here.person
        await here.begins(plain)
        assert "state" not in plain.cookies[COOKIE]
        assert len(plain.cookies[COOKIE]) < 1000


async def test_a_server_without_a_provider_has_no_such_pages(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = Person(here.port)
        assert "With an account elsewhere" not in checked(await anna.get("/login")).words()
        assert (await anna.send("/openid")).status == 404
        assert (await anna.get("/openid/callback?code=x&state=y")).status == 404
