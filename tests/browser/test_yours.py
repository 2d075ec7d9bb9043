"""Your games, as people come back to them: guests in their browser, accounts on any device."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import peers
from tests.browser.test_seats import SETTINGS, invites, logged_in, opens
from tests.browser.test_two_people import moves, sits_down
from tests.browser.visitors import NARROW, ON_A_PHONE, Visitors, drawn, screenshot, too_wide, violations

__all__ = ["SETTINGS"]

pytestmark = peers.needed

NAME: Final = "Ada"


def yours(page: Page) -> Locator:
    return page.get_by_role("region", name="Your games")


def card(page: Page) -> Locator:
    return yours(page).locator(".mini")


def looked_at(page: Page, name: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        screenshot(page, f"yours/{name}-{scheme}")
        assert violations(page) == []
        assert too_wide(page) == []


def test_a_guest_comes_back_to_its_games(people: Visitors) -> None:
    """One that goes on, and one that is over: by the first page alone, in the browser where they were played."""
    page = people.arrives("/")
    expect(yours(page)).to_be_hidden()
    for _ in range(2):
        page.goto(f"{people.origin}/play/chess?against=bot:1&side=0&time=300%2B3")
        if (sits := page.get_by_role("button", name="Sit down")).is_visible():
            sits.click()
        moves(page, "e4")
        expect(page.locator("#status")).to_have_text("Your turn")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#status")).to_contain_text("You lost")
    context = page.context
    page.close()

    again = context.new_page()
    again.goto(people.origin)
    expect(card(again)).to_have_count(1)
    expect(card(again)).to_contain_text("Your move")
    expect(card(again).locator(".clock").first).to_have_text(re.compile(r"^[45]:\d\d$"))
    expect(card(again).locator("svg")).to_be_visible()
    line = yours(again).locator(".past li")
    expect(line).to_contain_text(re.compile("Lost.*Chess.*against.*resignation"))
    looked_at(again, "guest-desktop")
    for window, name in (({"width": 390, "height": 844}, "phone"), (NARROW, "narrow")):
        again.set_viewport_size(window)  # type: ignore[arg-type]
        looked_at(again, f"guest-{name}")

    card(again).get_by_role("link").click()
    expect(again.locator("#status")).to_have_text("Your turn")
    moves(again, "d4")
    assert "#" not in again.url

    again.goto(f"{people.origin}/yours")
    yours(again).locator(".past a").click()
    expect(again.locator("#status")).to_contain_text("You lost")
    with again.expect_download() as download:
        again.get_by_role("link", name="pgn").click()
    assert "1. e4" in download.value.path().read_text()
    again.get_by_role("link", name="Proof").click()
    expect(again.locator("main")).to_contain_text("chain")

    stranger = people.arrives("/yours")
    expect(stranger.get_by_text("No game yet.")).to_be_visible()
    expect(yours(stranger)).to_be_hidden()


def test_an_account_goes_on_by_one_press_on_each_of_its_devices(people: Visitors) -> None:
    """There and back: each press takes the seat, with its clock, and the other device says so."""
    first = logged_in(people, NAME, "/register")
    first.goto(f"{people.origin}/play/chess?against=bot:1&side=0&time=300%2B5")
    first.get_by_role("button", name="Sit down").click()
    expect(first.locator("#status")).to_have_text("Your turn")

    second = logged_in(people, NAME, "/login", **ON_A_PHONE)
    second.goto(people.origin)
    expect(card(second)).to_contain_text("Your move")
    looked_at(second, "account-phone")
    expect(first.locator("#link")).to_be_hidden()
    card(second).get_by_role("link").tap()
    expect(second.locator("#status")).to_have_text("Your turn")
    expect(second.locator("#near .badges")).to_have_text("you")
    expect(second.locator("#near .clock")).to_have_text(re.compile(r"^[45]:\d\d"))
    expect(first.locator("#link")).to_contain_text("The game is open in another window.")
    moves(second, "e4")

    for device, other, move in ((first, second, "d4"), (second, first, "Nf3")):
        for path in ("/", "/account"):
            device.goto(f"{people.origin}{path}")
            expect(card(device)).to_have_count(1)
        expect(other.locator("#link")).to_be_hidden()
        expect(card(device)).to_contain_text("Your move", timeout=30_000)
        card(device).get_by_role("link").click()
        expect(device.locator("#status")).to_have_text("Your turn")
        expect(other.locator("#link")).to_contain_text("The game is open in another window.")
        moves(device, move)

    first.goto(f"{people.origin}/account")
    first.get_by_role("button", name="Log out").click()
    expect(first.get_by_role("heading", name="Play now")).to_be_visible()
    first.goto(f"{people.origin}/yours")
    expect(first.get_by_text("No game yet.")).to_be_visible()


def test_the_games_are_kept_up_to_date_with_what_is_unread(people: Visitors) -> None:
    ann, address = invites(people)
    ben = opens(people, address)
    sits_down(ben, "Ben")
    moves(ann, "e4")
    ann.goto(people.origin)
    expect(card(ann)).to_contain_text("Ben's move")
    expect(card(ann).locator(".unread")).to_be_hidden()
    link = card(ann).get_by_role("link")
    link.focus()

    moves(ben, "e5")
    for text in ("hello", "are you there?"):
        words = ben.get_by_role("textbox", name="Say something")
        words.fill(text)
        words.press("Enter")
    expect(card(ann)).to_contain_text("Your move")
    expect(card(ann).locator(".unread")).to_have_text("2 unread")
    expect(link).to_be_focused()
    looked_at(ann, "unread")
    ann.keyboard.press("Enter")
    expect(ann.locator("#talk")).to_contain_text("are you there?")
    ann.goto(people.origin)
    expect(card(ann)).to_contain_text("Your move")
    expect(card(ann).locator(".unread")).to_be_hidden()

    ben.get_by_role("button", name="Resign").click()
    ben.locator("dialog").get_by_role("button", name="Resign").click()
    expect(yours(ann).locator(".past li")).to_contain_text(re.compile("Won.*against Ben"))
    expect(card(ann)).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/yours"])
def test_without_a_game_of_ones_own_nothing_is_asked(people: Visitors, path: str) -> None:
    page = people.context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(people.origin)}"))
    page.goto(people.origin + path)
    page.wait_for_load_state("networkidle")
    expect(yours(page)).to_be_hidden()
    assert "POST /yours" not in asked


def test_every_page_says_in_how_many_other_games_it_is_the_persons_turn(people: Visitors) -> None:
    """At its head, in its title and by its icon; the number goes when the move is made."""
    page = people.arrives("/")
    number, icon = page.locator(".turns"), page.locator('link[rel="icon"]')
    expect(number).to_be_hidden()
    page.goto(f"{people.origin}/play/chess?against=bot:1&side=0&time=1d%2Fmove")
    if (sits := page.get_by_role("button", name="Sit down")).is_visible():
        sits.click()
    moves(page, "e4")
    expect(page.locator("#status")).to_have_text("Your turn")
    expect(page.locator(".clock").last).to_have_text("23:59:59")
    table = page.url
    expect(icon).to_have_attribute("href", re.compile("icon_turn"))
    with page.expect_response("**/yours"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    drawn(page)
    expect(number).to_be_hidden()

    page.goto(people.origin)
    expect(number).to_have_text("Your move: 1")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(icon).to_have_attribute("href", re.compile("icon_turn"))
    for window, name in (
        ({"width": 1280, "height": 800}, "desktop"),
        (ON_A_PHONE["viewport"], "phone"),
        (NARROW, "narrow"),
    ):
        page.set_viewport_size(window)  # type: ignore[arg-type]
        looked_at(page, f"turns-{name}")
    number.click()
    expect(page).to_have_url(f"{people.origin}/yours")

    page.goto(f"{people.origin}/play/go?against=bot:1&side=0&time=3d%2Fmove")
    if (sits := page.get_by_role("button", name="Sit down")).is_visible():
        sits.click()
    expect(number).to_have_text("Your move: 1")
    page.goto(table)
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#status")).to_contain_text("You lost")
