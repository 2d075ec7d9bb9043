"""A mail address in the browser: given, confirmed, told at, a forgotten password by it; by keyboard, at 320 pixels."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests import peers
from tests.browser.test_account import NAME, PASSWORD, fills, presses
from tests.browser.visitors import DESKTOP, NARROW, PHONE, screenshot, too_wide, violations, visitors
from tests.conformance.servers import fast
from tests.push.mail_room import link_in, mail_room

pytestmark = peers.needed

ADDRESS = "grace@y.example"


def looked_at(page: Page, name: str) -> None:
    """The page has no fault, wide and narrow, light and dark; pictures of it are kept."""
    for view, size in (("desktop", DESKTOP), ("phone", PHONE), ("narrow", NARROW)):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        assert too_wide(page) == []
        screenshot(page, f"{name}-{view}")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    screenshot(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")


def test_an_address_is_confirmed_told_at_and_brings_a_new_password(chromium: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        room = stack.enter_context(mail_room())
        settings: dict[str, Any] = {f"MAIL_{key.upper()}": str(value) for key, value in room.settings().items()}
        server = stack.enter_context(fast(tmp_path, "http", REGISTRATION_ACCOUNTS="open", **settings))
        people = stack.enter_context(visitors(chromium, server.ports[0]))
        page = people.arrives("/login?next=/account", viewport=NARROW)
        fills(page, "/register", name=NAME, password=PASSWORD, again=PASSWORD)
        expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
        fills(page, "/account/mail", address=ADDRESS, current=PASSWORD)
        expect(page.locator(".done")).to_contain_text("A message is on its way")
        looked_at(page, "mail-wanted")

        link = link_in(room.next())
        other = people.arrives(link, viewport=NARROW)
        expect(other.get_by_label("The link, or its code")).to_have_value(link.partition("#")[2])
        assert other.url == f"{people.origin}/mail"
        looked_at(other, "mail-confirm")
        presses(other.get_by_role("button", name="Confirm the address"))
        expect(other.get_by_role("status")).to_have_text("The address is confirmed.")

        page.goto(f"{people.origin}/account")
        presses(page.get_by_role("button", name="Tell me by mail"))
        expect(page.locator("#notices")).to_contain_text(f"You are told by mail at {ADDRESS}")
        looked_at(page, "mail-told")

        presses(other.get_by_role("link", name="Forgot your password?"))
        looked_at(other, "mail-forgotten")
        fills(other, "/password/ask", account=NAME)
        expect(other.get_by_role("status")).to_contain_text("If there is such an account with a mail address")
        assert violations(other) == []
        other.goto(f"{people.origin}{link_in(room.next())}")
        fills(other, "/password", password=f"{PASSWORD} again", again=f"{PASSWORD} again")
        expect(other.get_by_role("status")).to_contain_text("Your password is changed.")
        other.goto(f"{people.origin}/mail/off?code=x")
        looked_at(other, "mail-off")
