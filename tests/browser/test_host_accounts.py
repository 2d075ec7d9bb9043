"""The host's pages of accounts by keys alone: a search, one account, its reset; on a phone, in both themes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.test_account import PASSWORD, TOKEN, fills, presses
from tests.browser.visitors import DESKTOP, NARROW, Visitors, screenshot, too_wide, violations

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
