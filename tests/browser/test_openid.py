"""A person comes by another service in a real browser: presses the button, logs in there, chooses a name, and plays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from bench.free_port import free_port
from tests import peers
from tests.browser.test_account import plays
from tests.browser.visitors import NARROW, Visitors, screenshot, too_wide, violations, visitors
from tests.conformance.servers import fast
from tests.openid.crooked import Mock, provider

pytestmark = peers.needed


@dataclass
class Door:
    people: Visitors
    there: Mock


@pytest.fixture(scope="module")
def door(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A server, its provider, and people at it."""
    folder = Path(tmp_path_factory.mktemp("openid"))
    with ExitStack() as stack:
        there = stack.enter_context(provider())
        port = free_port()
        settings = there.settings(folder, f"http://127.0.0.1:{port}")
        named = {f"OPENID_{name.upper()}": value for name, value in settings.items()}
        stack.enter_context(fast(folder / "data", "http", ports={0: port}, BOTS_WORKERS="1", **named))
        people = stack.enter_context(visitors(chromium, port))
        people.allow(f"foreign request: {re.escape(there.issuer)}/", "jsdelivr", "localhost:[0-9]+/favicon.ico")
        yield Door(people, there)


def looked_at(page: Page, name: str) -> None:
    screenshot(page, f"openid/{name}")
    assert violations(page) == []
    assert too_wide(page) == []


def logs_in_there(page: Page, subject: str) -> None:
    """Press the button here, and authorize there."""
    page.get_by_role("button", name="Log in with Club Login", exact=True).click()
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize", exact=True).click()


@pytest.mark.parametrize(("subject", "name", "shape"), [("17", "Anna", "wide"), ("18", "Bert", "narrow")])
def test_a_person_comes_by_another_service_and_plays(door: Door, subject: str, name: str, shape: str) -> None:
    narrow = {"viewport": NARROW} if shape == "narrow" else {}
    page = door.people.arrives("/login?next=/account", **narrow)
    looked_at(page, f"login-{shape}")
    logs_in_there(page, subject)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your name here")
    expect(page.get_by_label("Name")).to_have_value("Anna" if subject == "17" else "")
    looked_at(page, f"name-{shape}")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_role("heading", name="Logins")).to_be_visible()
    for summary in page.locator("#logins-title ~ details summary").all():
        summary.click()
    looked_at(page, f"account-{shape}")

    page.goto(f"{door.people.origin}/play/tic_tac_toe?against=bot&side=0")
    plays(page, "b2")
    expect(page.locator("#status")).to_have_text("Your turn")

    page.goto(f"{door.people.origin}/account")
    page.get_by_role("button", name="Log in anew with Club Login").click()
    page.get_by_role("button", name=subject, exact=True).first.click()
    expect(page.locator(".done")).to_contain_text("You have logged in anew.")


def test_a_guest_keeps_the_games_of_this_browser(door: Door) -> None:
    page = door.people.arrives("/play/tic_tac_toe?against=bot&side=0")
    plays(page, "b2")
    page.goto(f"{door.people.origin}/login")
    logs_in_there(page, "19")
    expect(page.get_by_label("Keep the games that were played in this browser")).to_be_checked()
    page.get_by_label("Name").fill("Cora")
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator(".done")).to_contain_text("are this account's now")


def test_what_goes_wrong_is_said_on_a_page(door: Door) -> None:
    door.people.allow("status of 40[0-9]", "status of 503")
    page = door.people.arrives("/login")
    page.get_by_role("button", name="Log in with Club Login").click()
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("That did not work")
    expect(page.locator("main")).to_contain_text("you have declined")
    looked_at(page, "declined-wide")
    page.get_by_role("link", name="To the login").click()
    expect(page).to_have_url(f"{door.people.origin}/login")
    narrow = door.people.arrives("/openid/callback?code=x&state=y", viewport=NARROW)
    expect(narrow.locator("main")).to_contain_text("Begin anew")
    looked_at(narrow, "stale-narrow")


def test_the_page_on_the_way_there_is_one_to_read(door: Door) -> None:
    """Browsers leave it at once; who has switched that off presses the link."""
    page = door.people.arrives("/login", viewport=NARROW)
    page.route("**/openid", stays)
    page.get_by_role("button", name="Log in with Club Login").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("You go to Club Login")
    looked_at(page, "going-narrow")
    page.get_by_role("link", name="Go on to Club Login").click()
    expect(page.get_by_role("button", name="Authorize", exact=True)).to_be_visible()


def stays(route: Route) -> None:
    """Answer as the server does, but for the header by which the browser goes on."""
    answer = route.fetch()
    route.fulfill(response=answer, headers={k: v for k, v in answer.headers.items() if k != "refresh"})
