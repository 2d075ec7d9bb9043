"""The host's pages: signing in, what they show, every act and its line in the log of acts."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from gateway.release import release
from gateway.store.acts import ActLog
from gateway.store.backups import note_made
from gateway.store.reports import Report
from gateway.web.pages import host as module
from protocols.core.model import Reason
from tests.web.browsing import checked
from tests.web.club import PASSWORD, TOKEN, Club, club
from tests.web.person import Person

PARTS = [address for address, _ in module.PARTS]
HOSTILE = "<script>alert(1)</script>"
ACTS = ("sign-out", "ban", "lift", "end", "drain", "close", "invite", "link")


async def the_host(here: Club) -> Person:
    host = Person(here.port)
    assert (await host.send("/host/sign-in", token=TOKEN)).status == 303
    return host


def noted(folder: Path) -> list[tuple[str, str, str]]:
    with closing(ActLog(f"sqlite:///{folder / 'record.db'}")) as log:
        return [(act.act, act.object, act.by) for act in log.acts() if not act.act.startswith("account.added")]


BY = "host token from 127.0.0.1"


async def test_only_the_admin_token_opens_the_hosts_pages(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        anna = Person(here.port)
        await anna.send("/login", name="anna", password=PASSWORD)
        for part in PARTS:
            page = checked(await anna.get(f"/host{part}"))
            assert "Admin token" in page.words(), part
        for act in ACTS:
            assert (await anna.send(f"/host/{act}", target="eve", table="1", on="yes")).status == 403, act
        assert (await anna.send("/host/sign-in", token="guessed")).status == 403
        assert not here.hall.server.drain.on
        assert noted(tmp_path) == []


async def test_the_last_backup_is_on_the_first_page(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        assert "No backup was noted yet." in checked(await host.get("/host")).words()
        for name in ("snapshot-1", "snapshot-2"):
            note_made(f"sqlite:///{tmp_path / 'record.db'}", "root", name)
            words = checked(await host.get("/host")).words()
            assert re.search(rf"The last backup is of \d+ \w+ \d\d:\d\d UTC: {name}", words), words


async def test_guessing_the_token_gets_slower(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        guess = Person(here.port)
        statuses = [(await guess.send("/host/sign-in", token=f"guess {n}")).status for n in range(6)]
        assert statuses[0] == 403
        assert statuses[-1] == 429
        assert (await guess.send("/host/sign-in", token=TOKEN)).status == 429


async def test_the_hosts_session_is_a_strict_cookie_of_its_own(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        host = await the_host(here)
        assert "samesite=strict" in host.set_cookies[0].lower()
        await host.send("/login", name="anna", password=PASSWORD)
        assert set(host.cookies) == {"boardgate", "boardgate-host"}
        page = checked(await host.get("/host"))
        assert {"anna", "Host"} <= {link.text for link in page.all("a")}
        await host.send("/host/sign-out")
        assert "Admin token" in checked(await host.get("/host")).words()
        assert "anna" in checked(await host.get("/people")).words()
        assert noted(tmp_path) == [("host.signed_in", "Boardgate", BY)]


async def test_an_account_of_the_settings_is_the_host_by_its_password(tmp_path: Path) -> None:
    """The token is not passed round: each of several hosts has an account, and the log of acts says which it was."""
    async with club(tmp_path, host_accounts="Anna otto") as here:
        here.has_account("anna")
        here.has_account("eve")
        host = Person(here.port)
        assert "Name of an account" in checked(await host.get("/host")).words()
        for name, password in (("eve", PASSWORD), ("anna", "guessed"), ("otto", PASSWORD), ("anna", "")):
            assert (await host.send("/host/sign-in", name=name, password=password)).status == 403, name
        await host.send("/login", name="anna", password=PASSWORD)
        assert "Name of an account" in checked(await host.get("/host")).words()
        assert (await host.send("/host/drain", on="yes")).status == 403
        assert (await host.send("/host/sign-in", name="anna", password=PASSWORD)).status == 303
        await here.hall.seat("tic_tac_toe")
        assert (await host.send("/host/end", table="1")).status == 303
        who = "anna from 127.0.0.1"
        assert noted(tmp_path) == [("host.signed_in", "Boardgate", who), ("table.ended", "table 1", who)]
        here.hall.server.accounts.set_disabled("anna", True, "test")
        assert "Name of an account" in checked(await host.get("/host")).words()


async def test_an_account_that_is_taken_off_the_settings_is_the_host_no_more(tmp_path: Path) -> None:
    async with club(tmp_path, host_accounts="anna") as here:
        here.has_account("anna")
        host = Person(here.port)
        await host.send("/host/sign-in", name="anna", password=PASSWORD)
        cookies = dict(host.cookies)
        assert "Ready" in checked(await host.get("/host")).words()
    async with club(tmp_path) as here:
        host = Person(here.port)
        host.cookies.update(cookies)
        assert "Admin token" in checked(await host.get("/host")).words()


async def test_nobody_makes_an_account_with_a_hosts_name_on_the_pages(tmp_path: Path) -> None:
    """Else whoever comes first would be the host."""
    async with club(tmp_path, host_accounts="anna") as here:
        eve = Person(here.port)
        for name in ("anna", "ANNA", "\u0430nna"):
            answer = await eve.send("/register", name=name, password=PASSWORD)
            assert answer.status >= 400, name
        assert here.hall.server.accounts.find("anna") is None


async def test_every_page_keeps_the_rules_and_shows_what_there_is(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        await here.hall.seat("tic_tac_toe")
        shown = {part: checked(await host.get(f"/host{part}")).words() for part in PARTS}
        assert "Ready: players can sit down." in shown[""]
        assert f"Boardgate {release().words}" in shown[""]
        assert "1 game is being played" in shown[""]
        assert "Running: 1" in shown["/tables"]
        assert "guest-1, guest-2" in shown["/tables"]
        assert "192.0.2.1" in shown["/connections"]
        assert "(given)" in shown["/settings"]
        assert TOKEN not in "".join(shown.values())
        assert "host.signed_in" in shown["/log"]


async def test_bans_are_added_shown_and_lifted(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        page = checked(await host.sends("/host/ban", target="mallory", reason=HOSTILE, lasts="7d"))
        assert {"The ban holds.", "mallory"} <= {page.words()[at : at + 14] for at in range(len(page.words()))} | {
            "mallory"
        }
        assert HOSTILE in page.words()
        assert here.hall.server.ban_enforcer.name("mallory")
        for wrong in (
            {"target": "10.0.0.0/2"},
            {"target": "eve", "lasts": "soon"},
            {"target": "eve", "reason": "x" * 201},
        ):
            answer = await host.send("/host/ban", None, **wrong)
            assert answer.status == 400
            assert 'role="alert"' in answer.text
        page = checked(await host.sends("/host/lift", target="mallory"))
        assert "The ban is lifted." in page.words()
        assert not here.hall.server.ban_enforcer.name("mallory")
        assert (await host.send("/host/lift", target="mallory")).status == 400


async def test_a_game_is_ended_and_its_players_are_told_why(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        anna, _ = await here.hall.seat("tic_tac_toe")
        page = checked(await host.sends("/host/end", table="1", reason="the hall closes"))
        assert "The table is ended." in page.words()
        assert "Running: 0" in page.words()
        assert await anna.rest() is not None
        table = (await here.ask("/api/tables/1")).body
        assert table["state"] == "over"
        assert (table["outcome"]["winner"], table["outcome"]["reason"]) == (None, Reason.VOID)
        assert table["outcome"]["detail"] == "ended by the host"
        said = (await here.ask("/api/tables/1/events")).body["events"]
        assert "the host has ended this table: the hall closes" in [event.get("body", {}).get("text") for event in said]
        for unknown in ("1", "99", "", "x", "9" * 30):
            assert (await host.send("/host/end", table=unknown)).status == 400, unknown
        assert noted(tmp_path)[1:] == [("table.ended", "table 1", BY)]


async def test_a_registered_table_that_waits_is_ended_too(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        table = (await here.register("ann", "bob")).body["id"]
        assert (await host.send("/host/end", table=str(table))).status == 303
        assert (await here.ask(f"/api/tables/{table}")).body["state"] == "over"
        assert (await here.register("ann", "bob")).status == 201


async def test_the_server_is_drained_and_opened_again(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        page = checked(await host.sends("/host/drain", on="yes"))
        assert here.hall.server.drain.on
        assert "draining, games that run: 0" in page.words()
        checked(await host.sends("/host/drain", on="no"))
        assert not here.hall.server.drain.on


async def test_reports_are_shown_as_text_and_closed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        assert here.kept is not None
        here.kept.reports.add(Report(100.0, HOSTILE, "192.0.2.9", 7, HOSTILE, f"{HOSTILE}\nsecond line"))
        page = checked(await host.get("/host/reports"))
        assert page.words().count(HOSTILE) == 5
        number = next(field.attributes["value"] for field in page.all("input") if field.attributes["name"] == "report")
        assert "1 report waits" in checked(await host.get("/host")).words()
        assert "No report waits." in checked(await host.sends("/host/close", report=number)).words()
        assert (await host.send("/host/close", report="x")).status == 303


async def test_an_invitation_is_shown_once_and_good_for_an_account(tmp_path: Path) -> None:
    async with club(tmp_path, accounts="invitation") as here:
        host = await the_host(here)
        page = checked(await host.send("/host/invite"))
        code, link = (element.text for element in page.all("pre"))
        assert link == f"http://127.0.0.1:{here.port}/login?invitation={code}"
        fields = {"name": "anna", "password": PASSWORD, "again": PASSWORD, "invitation": code}
        assert (await Person(here.port).send("/register", None, **fields)).status == 303


@pytest.mark.parametrize("origin", ["", "http://evil.example"])
async def test_a_foreign_page_does_nothing_with_the_hosts_cookie(tmp_path: Path, origin: str) -> None:
    async with club(tmp_path) as here:
        host = await the_host(here)
        for act in ACTS:
            answer = await host.send(f"/host/{act}", {"origin": origin}, target="eve", on="yes", table="1")
            assert answer.status == 403, act
        assert not here.hall.server.drain.on


async def test_a_server_without_a_token_says_how_to_get_one(tmp_path: Path) -> None:
    async with club(tmp_path, admin_token="") as here:
        page = checked(await Person(here.port).get("/host"))
        assert "Nobody can be the host on the pages yet." in page.words()
        assert (await Person(here.port).send("/host/sign-in", token="")).status == 403
