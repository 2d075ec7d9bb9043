"""A guest plays, makes an account, and keeps the games: on this device, on another one, and after logging out."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.test_seats import PASSWORD, SETTINGS, logged_in
from tests.browser.test_two_people import moves
from tests.browser.test_yours import card, yours
from tests.browser.visitors import DESKTOP, NARROW, ON_A_PHONE, Visitors, screenshot, too_wide, violations

__all__ = ["SETTINGS"]

pytestmark = peers.needed

NAME: Final = "Maria"


def plays(people: Visitors, page: Page) -> None:
    """A move in a game of chess against the computer."""
    page.goto(f"{people.origin}/play/chess?against=bot:1&side=0&time=300%2B3")
    if (sits := page.get_by_role("button", name="Sit down")).is_visible():
        sits.click()
    moves(page, "e4")
    expect(page.locator("#status")).to_have_text("Your turn")


def looked_at(page: Page, name: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for window, size in ((DESKTOP, "desktop"), (ON_A_PHONE["viewport"], "phone"), (NARROW, "narrow")):
            page.set_viewport_size(window)  # type: ignore[arg-type]
            screenshot(page, f"kept/{name}-{size}-{scheme}")
            assert too_wide(page) == []
        assert violations(page) == []
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def test_a_guest_makes_an_account_and_keeps_the_games(people: Visitors) -> None:
    page = people.arrives("/login")
    expect(page.get_by_role("checkbox")).to_have_count(0)
    for _ in range(2):
        plays(people, page)
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#status")).to_contain_text("You lost by resignation")

    page.goto(f"{people.origin}/login")
    keep = page.get_by_role("checkbox", name="Keep the games that were played in this browser")
    expect(keep).to_have_count(2)
    expect(keep.first).not_to_be_checked()
    expect(keep.last).to_be_checked()
    looked_at(page, "login")
    form = page.locator("form[action='/register']")
    form.get_by_label("Name").fill(NAME)
    for field in form.locator("[type=password]").all():
        field.fill(PASSWORD)
    form.get_by_role("button").click()

    expect(page.locator(".done")).to_contain_text("are this account's now")
    expect(card(page)).to_contain_text("Your move")
    expect(yours(page).locator(".past li")).to_contain_text(re.compile("Lost.*Chess.*resignation"))
    looked_at(page, "account")

    phone = logged_in(people, NAME, "/login", **ON_A_PHONE)
    card(phone).get_by_role("link").tap()
    expect(phone.locator("#status")).to_have_text("Your turn")
    expect(phone.locator("#near .clock")).to_have_text(re.compile(r"^[45]:\d\d"))
    moves(phone, "d4")

    page.goto(f"{people.origin}/account")
    page.get_by_role("button", name="Log out").click()
    page.goto(f"{people.origin}/yours")
    expect(page.get_by_text("No game yet.")).to_be_visible()
    page.goto(f"{people.origin}/login")
    expect(page.get_by_role("checkbox")).to_have_count(0)
