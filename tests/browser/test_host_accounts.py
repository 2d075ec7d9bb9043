"""The host's pages of accounts by keys alone: a search, one account, its reset; on a phone, in both themes."""

from __future__ import annotations

import time
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from gateway.accounts.tokens import digest
from gateway.store.accounts import SqlAccounts
from gateway.store.bans import Ban, SqlBans
from gateway.store.reports import Report, Reports
from gateway.store.tokens import FOREVER, Token
from tests import peers
from tests.browser.test_account import PASSWORD, TOKEN, fills, presses
from tests.browser.visitors import DESKTOP, NARROW, Visitors, screenshot, too_wide, violations
from tests.running import RunningServer

pytestmark = peers.needed

SETTINGS = {"REGISTRATION_ACCOUNTS": "open", "REGISTRATION_ADMIN_TOKEN": TOKEN}


def account(people: Visitors, name: str) -> Page:
    """The page of a new account."""
    page = people.arrives("/login?next=/account")
    fills(page, "/register", name=name, password=PASSWORD, again=PASSWORD)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page


def looks_right(page: Page, name: str) -> None:
    """For axe, on a wide window and on the narrowest."""
    for size in (DESKTOP, NARROW):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert too_wide(page) == []
        assert violations(page) == []
        screenshot(page, f"host/{name}-{size['width']}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_account_is_found_and_given_back_to_its_owner(people: Visitors, scheme: str, scripts: bool) -> None:
    name = f"Wilhelmina {scheme} {scripts}"
    owner = account(people, name)
    host = people.arrives("/host", color_scheme=scheme, java_script_enabled=scripts)
    fills(host, "/host/sign-in", token=TOKEN)
    presses(host.get_by_role("link", name="Accounts"))
    fills(host, "/host/accounts", part=f"MINA {scheme} {scripts}")
    found = host.get_by_role("region", name="Names with").get_by_role("link")
    expect(found).to_have_text([name])
    if scripts:
        looks_right(host, f"accounts-{scheme}")
    presses(found)
    expect(host.get_by_role("heading", level=1)).to_have_text(name)
    expect(host.get_by_role("region", name="Browsers")).to_contain_text("Since")
    presses(host.get_by_text("Somebody else was in"))
    if scripts:
        looks_right(host, f"account-{scheme}")
    presses(host.get_by_role("button", name="Reset the account"))
    expect(host.locator("pre")).to_contain_text("/password#")
    owner.reload()
    expect(owner.get_by_role("heading", level=1)).not_to_have_text(name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_account_with_all_that_can_be_said_of_it_is_shown(
    people: Visitors, running: RunningServer, scheme: str
) -> None:
    """A disabled and banned program with tokens and reports; it is enabled, and its tokens are ended."""
    name, url, now = f"Ottokar-{scheme}", f"sqlite:///{running.data / 'boardgate.db'}", time.time()
    with closing(SqlAccounts(url)) as accounts, closing(Reports(url)) as reports, closing(SqlBans(url)) as bans:
        accounts.add(name, "no password", "root")
        accounts.set_bot(name, True, "root")
        accounts.set_disabled(name, True, "root")
        for label in ("a laptop in the attic", "", "lichess-bot"):
            accounts.add_token(Token(digest(f"{name} {label}"), name, now, FOREVER, label), "root")
        reports.add(Report(now, "Wilhelmina", "192.0.2.7", 7, name, "It says nothing\nand moves at once."))
        bans.add(Ban("name", name, "plays for somebody", now + 86_400), "root")
    host = people.arrives("/host", color_scheme=scheme)
    fills(host, "/host/sign-in", token=TOKEN)
    expect(host.get_by_role("link", name="Accounts")).to_be_visible()
    host.goto(f"{people.origin}/host/accounts/{name}")
    expect(host.get_by_text("Disabled since")).to_be_visible()
    looks_right(host, f"everything-{scheme}")
    presses(host.get_by_role("button", name="End the token lichess-bot"))
    expect(host.get_by_role("status")).to_have_text("The token is ended.")
    presses(host.get_by_role("button", name="End all"))
    expect(host.get_by_role("region", name="Tokens")).to_contain_text("None.")
    presses(host.get_by_role("button", name="Enable"))
    expect(host.get_by_role("button", name="Disable")).to_be_visible()
