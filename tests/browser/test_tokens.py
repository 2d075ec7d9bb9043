"""Tokens for programs on the page of the account: made, shown once, listed and ended; the mark of a program."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.table_page import tab_to
from tests.browser.visitors import DESKTOP, NARROW, Visitors, screenshot, too_wide, violations

pytestmark = peers.needed

SETTINGS = {"REGISTRATION_ACCOUNTS": "open"}

PASSWORD = "correct horse battery"


def account(people: Visitors, name: str) -> Page:
    """The page of a new account."""
    page = people.arrives("/login?next=/account")
    form = page.locator("form[action='/register']")
    form.locator("[name=name]").fill(name)
    for field in ("password", "again"):
        form.locator(f"[name={field}]").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page


def makes_a_token(page: Page, name: str) -> None:
    """For a program that plays, by keys alone."""
    tab_to(page.locator("summary", has_text="Make a token for a program"))
    page.keyboard.press("Enter")
    tab_to(page.get_by_label("Its name, for your list"))
    page.keyboard.type(name)
    for scope in ("all: ", "bot:play"):
        tab_to(page.get_by_label(scope))
        page.keyboard.press("Space")
    tab_to(page.locator("form[action='/account/tokens'] [name=current]"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_token_is_made_by_keys_shown_once_and_ended(people: Visitors, scheme: str) -> None:
    page = account(people, f"Tove {scheme}")
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    makes_a_token(page, "my bot")
    secret = page.locator("code.secret")
    expect(secret).to_have_text(re.compile(r"^bgt_\w{32}$"))
    page.locator("summary", has_text="Make a token for a program").click()
    for size in (DESKTOP, NARROW):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert too_wide(page) == []
        assert violations(page) == []
        screenshot(page, f"tokens/{size['width']}-{scheme}")
    page.goto(page.url.removesuffix("/tokens"))
    expect(secret).to_have_count(0)
    expect(page.locator("li", has_text="my bot")).to_contain_text("bot:play, made")
    page.get_by_role("button", name="End the token my bot").click()
    expect(page.locator(".done")).to_have_text("The token is ended.")
    expect(page.get_by_text("No program is logged in by a token.")).to_be_visible()


def test_the_owner_marks_the_account_as_a_program_s_and_takes_that_back(people: Visitors) -> None:
    page = account(people, "Robo")
    page.get_by_role("button", name="A program plays").click()
    expect(page.locator(".done")).to_have_text("This account is a program's now.")
    expect(page.get_by_role("heading", name="A program's account")).to_be_visible()
    other = people.arrives("/people/Robo")
    expect(other.locator("main")).to_contain_text("A program's account since")
    assert violations(other) == []
    page.get_by_role("button", name="A person plays").click()
    expect(page.locator(".done")).to_have_text("This account is a person's now.")
