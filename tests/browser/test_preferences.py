"""Preferences hold on every page from the first paint on: the account's for who is logged in, else the browser's."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.visitors import DESKTOP, ON_A_PHONE, Visitors, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

PASSWORD: Final = "correct horse battery"

PAINTED: Final = "new MutationObserver(() => document.body && (window.first ??= {...document.documentElement.dataset}))"
"""Keeps what the document says when its body begins: before any module runs."""

TONES: Final = """() => {
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        window.tones.push(this.state);
        console.log(`a tone, ${this.state}`);
        return make.call(this);
    };
}"""
"""Collects the state of the page's sound at each tone, and tells it."""

SAYS_ITS_STATUS: Final = """new MutationObserver(() => console.log(document.querySelector("#status")?.textContent))
    .observe(document, {childList: true, subtree: true, characterData: true});"""
"""Tells without being asked: to a browser, a question of playwright is something that the player does."""


SIZE: Final = "use => { const {x, y, width, height} = use.getBBox(); return [x, y, width, height]; }"


def has_account(page: Page, name: str) -> None:
    """Make the account, and be logged in."""
    page.goto(page.url.partition("/connect")[0] + "/login")
    page.locator("#register-name").fill(name)
    for field in ("#register-password", "#register-again"):
        page.locator(field).fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_url(re.compile("/(account)?$"))


def at_a_table(page: Page, query: str = "tic_tac_toe?against=bot") -> None:
    """Begin a game against the computer, which the page begins."""
    page.goto(re.match("https?://[^/]+", page.url)[0] + f"/play/{query}&side=0")  # type: ignore[index]
    expect(page.locator("#status")).to_have_text("Your turn")


def first_paint(page: Page, path: str) -> dict[str, str]:
    """The document's choices when the body of this page begins."""
    page.add_init_script(f"{PAINTED}.observe(document, {{childList: true, subtree: true}})")
    page.goto(re.match("https?://[^/]+", page.url)[0] + path)  # type: ignore[index]
    found: dict[str, str] = page.evaluate("window.first")
    return {name: value for name, value in found.items() if name not in ("account", "guest")}


def chooses(page: Page, **choices: str) -> None:
    page.get_by_role("button", name="Settings").click()
    for name, value in choices.items():
        page.locator(f"#set-{name}").select_option(value)


def test_a_choice_at_a_table_is_the_accounts_in_every_browser(people: Visitors) -> None:
    people.allow("status of 404 .*/table/")
    page = people.arrives("/connect")
    has_account(page, "Quinn")
    at_a_table(page)
    chooses(page, theme="dark", board="slate", pieces="forms", confirm="on")
    page.locator("#set-sound").check()
    expect(page.locator("#set-note")).to_have_text("Kept with your account.")
    expect(page.locator("#set-name")).to_have_count(0)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("Object.keys(localStorage).filter(name => !/seats/.test(name))") == []
    other = people.arrives("/connect")
    other.evaluate("['theme', 'board'].forEach((name) => localStorage.setItem(`boardgate.${name}`, 'light'))")
    other.goto(f"{people.origin}/login")
    other.locator("#login-name").fill("Quinn")
    other.locator("#login-password").fill(PASSWORD)
    other.get_by_role("button", name="Log in").click()
    other.wait_for_url(re.compile("/(account)?$"))
    chosen = {"theme": "dark", "board": "slate", "pieces": "forms", "confirm": "on", "sound": "on"}
    for path in ("/", "/account", "/play/tic_tac_toe?against=bot"):
        assert first_paint(other, path) == chosen
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")
    other.goto(f"{people.origin}/account")
    assert other.locator("#pref-theme").input_value() == "dark"


def test_sound_that_was_chosen_before_begins_with_what_the_player_does(people: Visitors) -> None:
    people.allow("^console log: ")
    page = people.arrives("/connect")
    page.add_init_script(f"localStorage.setItem('boardgate.sound', 'on'); window.tones = []; ({TONES})()")
    page.add_init_script(SAYS_ITS_STATUS)
    with page.expect_console_message(lambda message: message.text == "Your turn"):
        page.goto(f"{people.origin}/play/tic_tac_toe?against=bot&side=0")
    assert page.evaluate("window.tones") == []
    with page.expect_console_message(lambda message: message.text == "a tone, running"):
        page.locator('#board [data-square="4"]').click()


def test_a_choice_that_cannot_be_saved_says_so(people: Visitors) -> None:
    people.allow("net::ERR")
    page = people.arrives("/connect")
    has_account(page, "Rosa")
    at_a_table(page)
    page.route("**/account/preference", lambda route: route.abort())
    chooses(page, theme="dark")
    expect(page.locator("#set-note")).to_have_text("Not saved: it holds on this page only.")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_choices_of_a_browser_hold_on_all_its_pages_before_they_are_painted(people: Visitors) -> None:
    people.allow("status of 404 .*/table/")
    page = people.arrives("/connect")
    at_a_table(page)
    chooses(page, theme="dark", board="print")
    expect(page.locator("#set-note")).to_have_text("Kept in this browser.")
    for path in ("/", "/games/chess", "/play/tic_tac_toe?against=bot"):
        assert first_paint(page, path) == {"theme": "dark", "board": "print"}
    assert violations(page) == []
    fill = "getComputedStyle(document.querySelector('.board-picture .b')).fill"
    page.goto(f"{people.origin}/games/chess")
    assert page.evaluate(fill) == "rgb(221, 221, 221)"


def test_chosen_men_stand_on_every_board_and_are_loaded_by_those_who_chose_them(people: Visitors) -> None:
    page = people.arrives("/games/chess")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    rook = page.locator('use[href="#f-open-rook"]').first
    sizes = []
    for name in ("", "club", "forms"):
        page.evaluate("name => localStorage.setItem('boardgate.pieces', name)", name)
        page.reload()
        if name:
            page.locator("#men").wait_for(state="attached")
        sizes.append(rook.evaluate(SIZE))
    assert len(set(map(tuple, sizes))) == 3
    assert loaded.count("club.js") == loaded.count("forms.js") == 1
    page.evaluate("document.documentElement.removeAttribute('data-pieces')")
    page.locator("#men").wait_for(state="detached")
    assert rook.evaluate(SIZE) == sizes[0]
    assert violations(page) == []


@pytest.mark.parametrize(
    ("confirm", "device"),
    [("", DESKTOP), ("on", DESKTOP), ("", None), ("on", None)],
    ids=["usual-with-a-mouse", "always", "usual-on-small-squares", "always-on-small-squares"],
)
def test_a_move_is_confirmed_where_it_is_wanted(people: Visitors, confirm: str, device: dict[str, int] | None) -> None:
    """On Go's 13x13 a square of a phone is aimed at with the lens."""
    touch = device is None
    page = people.arrives("/connect", **(ON_A_PHONE if touch else {"viewport": device}))
    page.evaluate("(text) => localStorage.setItem('boardgate.confirm', text)", confirm)
    page.goto(f"{people.origin}/play/go?size=13&against=friend&side=0")
    friend = people.arrives(page.get_by_label("Link for your friend").input_value().removeprefix(people.origin))
    friend.get_by_role("button", name="Sit down").click()
    expect(page.locator("#status")).to_have_text("Your turn")
    square = page.locator('#board [data-square="84"]')
    press = square.tap if touch else square.click
    press()
    if confirm:
        page.locator("#board").get_by_role("button", name="Cancel").click()
        expect(page.locator("#board").get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#moves a")).to_have_count(0)
        press()
        page.locator("#board").get_by_role("button", name=re.compile("^Play ")).click()
    expect(friend.locator("#moves a")).to_have_count(1)
