"""A forgotten password: the host's one-time link, the page that takes it, and what is over then."""

from __future__ import annotations

from pathlib import Path

from tests.web.browsing import checked
from tests.web.club import PASSWORD, TOKEN, Club, club
from tests.web.person import Person
from tests.web.test_host_page import BY, noted, the_host

NEW = "another long password"


async def link_for(here: Club, name: str) -> str:
    """The host's link, as the host's page shows it."""
    host = await the_host(here)
    (link,) = (element.text for element in checked(await host.send("/host/link", name=name)).all("pre"))
    assert link.startswith(f"http://127.0.0.1:{here.port}/password#")
    return link


async def test_the_hosts_link_gives_a_new_password_and_logs_everything_else_out(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        before = Person(here.port)
        assert (await before.send("/login", name="anna", password=PASSWORD)).status == 303
        code = (await link_for(here, "anna")).partition("#")[2]
        anna = Person(here.port)
        assert 'href="/password"' in (await anna.get("/login")).text
        assert "Ask the host of this server for a link" in checked(await anna.get("/password")).words()
        page = checked(await anna.sends("/password", code=code, password=NEW, again=NEW))
        assert "Your password is changed. Every browser and program" in page.words()
        assert (await before.get("/account")).headers["location"] == "/login?next=/account"
        assert (await anna.send("/login", name="anna", password=PASSWORD)).status == 403
        assert (await anna.send("/login", name="anna", password=NEW)).status == 303
        acts = [act for act in noted(tmp_path) if act[0].startswith("account")]
        assert acts == [("account.link", "Anna", BY), ("account.password", "Anna", "Anna")]


async def test_a_pasted_link_is_good_without_a_script_and_used_once(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("anna")
        link = await link_for(here, "anna")
        anna = Person(here.port)
        differs = checked(await anna.send("/password", code=link, password=NEW, again=f"{NEW}!"))
        assert "The two passwords differ" in differs.words()
        assert (await anna.send("/password", code=link, password=NEW, again=NEW)).status == 303
        again = await anna.send("/password", code=link, password=PASSWORD, again=PASSWORD)
        assert again.status == 401
        assert "This link is unknown here, was used already, or has expired" in checked(again).words()


async def test_no_page_makes_a_link_for_a_hosts_account_or_for_nobody(tmp_path: Path) -> None:
    async with club(tmp_path, host_accounts="Olga") as here:
        here.has_account("olga")
        host = Person(here.port)
        assert (await host.send("/host/sign-in", token=TOKEN)).status == 303
        refused = await host.send("/host/link", name="OLGA")
        assert refused.status == 400
        assert "boardgate account link makes its link" in refused.text
        assert "There is no account" in (await host.send("/host/link", name="nobody")).text


async def test_links_are_not_tried_without_end(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = Person(here.port)
        tried = [(await anna.send("/password", code=str(at), password="x", again="x")).status for at in range(11)]
        assert tried == [400] * 10 + [429]
