"""Whose a seat is, as people see it: invitations, accounts on a second device, finished private games, lost lines."""

from __future__ import annotations

import re
import time
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import peers
from tests.browser.test_line import NO_SOCKETS
from tests.browser.test_two_people import LINES_FAIL, moves, sits_down
from tests.browser.visitors import NARROW, ON_A_PHONE, Visitors, screenshot, violations, visitors
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.proxy import wire
from tests.running import RunningServer

pytestmark = peers.needed

_NUMBERS: Final = count(1)

SETTINGS: Final = {"REGISTRATION_ACCOUNTS": "open", "BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

PASSWORD: Final = "correct horse battery"

SHOWN_S: Final = 10.0
"""Seconds within which the loss of a connection is shown at both ends."""


def invites(people: Visitors, query: str = "") -> tuple[Page, str]:
    """Ann's page at a table of chess, and the link for a friend."""
    ann = people.arrives(f"/play/chess?against=friend&side=0{query}")
    return ann, ann.get_by_role("textbox", name="Link for your friend").input_value()


def opens(people: Visitors, address: str) -> Page:
    page = people.context().new_page()
    page.goto(address)
    return page


@pytest.mark.parametrize("watched", ["", "&watched=yes"])
def test_a_used_invitation_throws_nobody_out(people: Visitors, watched: str) -> None:
    people.allow("status of 40[14]")
    ann, address = invites(people, watched)
    ben = opens(people, address)
    sits_down(ben, "Ben")
    moves(ann, "e4")

    carl = opens(people, address)

    expect(carl.get_by_role("heading", level=1)).to_have_text("This invitation is used up")
    screenshot(carl, f"seats/used-invitation{'-watched' if watched else ''}")
    assert violations(carl) == []
    assert "seat#" not in carl.content()
    if watched:
        carl.get_by_role("link", name="Look on").click()
        expect(carl.locator("#moves a")).to_have_text(["e4"])
        expect(carl.locator("#move-form")).to_be_hidden()
    else:
        expect(carl.locator("#seat-text")).to_contain_text("The game is private.")
    moves(ben, "e5")
    moves(ann, "Nf3")


@pytest.mark.parametrize("heard", ["", "&observers_speak=yes"])
def test_who_looks_on_speaks_to_the_players_where_the_inviter_allows_it(people: Visitors, heard: str) -> None:
    ann, address = invites(people, f"&watched=yes{heard}")
    ben = opens(people, address)
    sits_down(ben, "Ben")
    moves(ann, "e4")
    carl = opens(people, ann.url)
    words = carl.get_by_role("textbox", name="Say something")
    expect(words).to_be_visible()
    if not heard:
        expect(carl.get_by_label("To whom")).to_be_hidden()
        return
    expect(carl.get_by_label("To whom")).to_have_value("observers")
    words.fill("just us")
    words.press("Enter")
    expect(carl.locator("#talk .said")).to_have_count(1)
    for to in ("all", "players"):
        carl.get_by_label("To whom").select_option(to)
        words.fill(f"hello {to}")
        words.press("Enter")
        for page in (ann, ben, carl):
            expect(page.locator("#talk")).to_contain_text(f"hello {to}")
    for page in (ann, ben):
        expect(page.locator("#talk")).not_to_contain_text("just us")


def test_who_sat_down_by_an_invitation_comes_back_by_it(people: Visitors) -> None:
    ann, address = invites(people)
    ben = opens(people, address)
    sits_down(ben, "Ben")
    moves(ann, "e4")
    for again in (address, ben.url):
        tab = ben.context.new_page()
        tab.goto(again)
        expect(tab.locator("#status")).to_have_text("Your turn")
    moves(tab, "e5")
    expect(ann.locator("#status")).to_have_text("Your turn")


def logged_in(people: Visitors, name: str, form: str, **options: object) -> Page:
    page = people.arrives("/login", **options)
    for field in page.locator(f"form[action='{form}'] input:not([type=hidden], [type=checkbox])").all():
        field.fill(name if field.get_attribute("name") == "name" else PASSWORD)
    page.locator(f"form[action='{form}'] button").click()
    page.wait_for_url("**/account")
    return page


def test_an_account_plays_on_at_a_second_device_by_one_press(people: Visitors) -> None:
    name = f"Grace-{next(_NUMBERS)}"
    first = logged_in(people, name, "/register")
    first.goto(f"{people.origin}/play/tic_tac_toe?against=bot&time=300%2B5")
    first.get_by_role("button", name="Sit down").click()
    expect(first.locator("#status")).to_have_text("Your turn")

    second = logged_in(people, name, "/login", **ON_A_PHONE)
    second.goto(first.url)
    expect(second.locator("#link")).to_contain_text("You play in this game.")
    screenshot(second, "seats/second-device")
    assert violations(second) == []
    second.get_by_role("button", name="Play here").click()

    expect(second.locator("#status")).to_have_text("Your turn")
    expect(second.locator("#near .clock")).to_have_text(re.compile(r"^[45]:\d\d"))
    expect(first.locator("#link")).to_contain_text("The game is open in another window.")
    moves(second, "b2")
    expect(second.locator("#moves a")).not_to_have_count(0)


def test_an_account_takes_its_seat_back_from_the_computer_by_one_press(chromium: Browser, tmp_path: Path) -> None:
    """In a private game, on a phone: her own computer is off for longer than the seat is kept."""
    name = f"Grace-{next(_NUMBERS)}"
    with (
        fast(tmp_path, "http", ports=None, SEATS_GRACE="500ms", **SETTINGS) as server,
        visitors(chromium, server.ports[0]) as people,
    ):
        grace = logged_in(people, name, "/register")
        grace.goto(f"{people.origin}/play/chess?against=friend&side=0")
        address = grace.get_by_role("textbox", name="Link for your friend").input_value()
        ben = opens(people, address)
        sits_down(ben, "Ben")
        moves(grace, "e4")
        grace.close()
        expect(ben.locator("#far .badges")).to_have_text("house bot")
        moves(ben, "e5")

        phone = logged_in(people, name, "/login", **ON_A_PHONE)
        phone.goto(ben.url)
        expect(phone.locator("#link")).to_contain_text("You play in this game.")
        phone.get_by_role("button", name="Play here").click()

        expect(phone.locator("#status")).to_have_text(re.compile("Your turn|Black to move"))
        expect(phone.locator("#near .badges")).to_have_text("you")
        expect(ben.locator("#far .badges")).to_contain_text("web")
        screenshot(phone, "seats/back-from-the-computer")
        assert violations(phone) == []


def test_a_guest_comes_back_to_a_private_game_that_is_over(people: Visitors) -> None:
    page = people.arrives("/play/tic_tac_toe?against=bot")
    moves(page, "b2")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#status")).to_contain_text("You lost")
    address, context = page.url, page.context
    ticket = page.evaluate("JSON.parse(localStorage['boardgate.seats']).at(-1)[1]")
    page.close()
    people.allow("status of 40[014]", "WebSocket connection to")

    for _ in range(2):
        again = context.new_page()
        again.goto(address)
        expect(again.locator("#status")).to_contain_text("You lost")
        expect(again.locator("#moves a").first).to_have_text("b2")
        assert ticket not in again.locator("body").inner_text()
    again.get_by_role("button", name="One move back").click()
    with again.expect_download() as download:
        again.get_by_role("link", name="ndjson").click()
    assert "GameEnded" in download.value.path().read_text()
    again.get_by_role("link", name="Proof").click()
    expect(again.locator("main")).to_contain_text("chain")
    screenshot(again, "seats/proof-of-a-private-game")
    stranger = opens(people, address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("No such table")


@pytest.mark.parametrize("options", [{}, ON_A_PHONE], ids=["desktop", "phone"])
def test_black_sees_the_board_of_checkers_from_its_own_side(people: Visitors, options: dict[str, object]) -> None:
    page = people.arrives("/play/checkers?against=bot&side=0", **options)
    expect(page.locator("#status")).to_have_text("Your turn")
    expect(page.locator("#near .plays")).to_have_text("black")
    own = page.locator(".cell[aria-label*='black man']").first.bounding_box()
    theirs = page.locator(".cell[aria-label*='white man']").first.bounding_box()
    assert own is not None
    assert theirs is not None
    screenshot(page, f"seats/checkers-black-{'phone' if options else 'desktop'}")
    assert own["y"] > theirs["y"]


def test_where_the_computer_does_not_know_the_rules_it_is_not_offered(people: Visitors) -> None:
    page = people.arrives("/")
    computer = page.get_by_role("button", name="Play computer")
    expect(computer).to_be_visible()
    page.get_by_text("More games", exact=True).click()
    page.locator("input[name=game][value=open]").check(force=True)
    expect(computer).to_be_hidden()
    expect(page.locator("#level")).to_be_hidden()
    screenshot(page, "seats/lobby-open")
    page.locator("input[name=game][value=chess]").check(force=True)
    expect(computer).to_be_visible()


def test_who_waits_for_a_lost_player_may_have_the_game_adjourned_instead(chromium: Browser, tmp_path: Path) -> None:
    """By keyboard, in a narrow window: the button stays as it is while the seconds beside it count."""
    with (
        fast(tmp_path, "http", ports=None, SEATS_GRACE="15s", **SETTINGS) as server,
        visitors(chromium, server.ports[0]) as people,
    ):
        ann = people.arrives("/play/chess?against=friend&side=0", viewport=NARROW)
        ben = opens(people, ann.get_by_role("textbox", name="Link for your friend").input_value())
        sits_down(ben, "Ben")
        moves(ann, "e4")
        address, context = ben.url, ben.context
        ben.close()
        panel = ann.locator("#offers")
        expect(panel).to_contain_text(re.compile(r"away, \d:\d\d to come back\. Then the computer plays on\."))
        for scheme in ("light", "dark"):
            ann.emulate_media(color_scheme=scheme)
            screenshot(ann, f"seats/adjourn-instead-{scheme}")
            assert violations(ann) == []
        assert ann.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        instead = panel.get_by_role("button", name="Adjourn instead")
        instead.focus()
        said = panel.inner_text()
        expect(panel).not_to_have_text(said)
        expect(instead).to_be_focused()
        ann.keyboard.press("Enter")
        expect(panel).to_contain_text("Then the game is adjourned, and waits for its player.")
        expect(instead).to_be_hidden()
        screenshot(ann, "seats/adjourned-then")
        expect(ann.locator("#status")).to_have_text("Adjourned", timeout=30_000)

        again = context.new_page()
        again.goto(address)
        expect(again.locator("#near .badges")).to_have_text("you")
        again.get_by_role("button", name="Go on").click()
        ann.get_by_role("button", name="Accept").click()
        moves(again, "e5")
        expect(ann.locator("#status")).to_have_text("Your turn")


@pytest.mark.parametrize("sockets", [True, False])
def test_a_lost_connection_is_shown_at_both_ends_with_the_seconds_of_the_seat(
    chromium: Browser, running: RunningServer, *, sockets: bool
) -> None:
    """A network that swallows everything, and tells neither end."""
    with (
        wire(("127.0.0.1", running.ports[0])) as line,
        visitors(chromium, line.port) as far,
        visitors(chromium, running.ports[0]) as near,
    ):
        far.allow(*LINES_FAIL)
        number = next(_NUMBERS)
        _, tickets = Host(running.ports[0]).registers("chess", f"Amy-{number}", f"Bob-{number}", time="300+5")
        ann, ben = near.arrives(f"/seat#{tickets[0]}"), far.context().new_page()
        if not sockets:
            ben.add_init_script(NO_SOCKETS)
        ben.goto(f"{far.origin}/seat#{tickets[1]}")
        for page in (ann, ben):
            if (button := page.locator("#seat-take")).is_visible():
                button.click()
        moves(ann, "e4")
        moves(ben, "e5")
        expect(ann.locator("#status")).to_have_text("Your turn")

        line.hold()
        begun = time.monotonic()

        expect(ben.locator("#link")).to_contain_text("Connection lost", timeout=SHOWN_S * 1000)
        expect(ben.locator("#link")).to_contain_text(re.compile(r"kept for \d"))
        panel = ann.locator("#offers")
        expect(panel).to_contain_text("Your opponent is away", timeout=SHOWN_S * 1000)
        assert time.monotonic() - begun < SHOWN_S + 2
        expect(panel).to_contain_text(re.compile(r"away, \d:\d\d to come back\. Then the computer plays on\."))
        for page, who in ((ann, "other"), (ben, "own")) if sockets else ():
            screenshot(page, f"seats/line-lost-{who}")
            page.emulate_media(color_scheme="dark")
            assert violations(page) == []
            screenshot(page, f"seats/line-lost-{who}-dark")
        left = panel.inner_text()
        expect(panel).not_to_have_text(left)

        line.mend()
        for page in (ann, ben):
            expect(page.locator("#link")).to_be_hidden()
        expect(panel).not_to_contain_text("is away")
        moves(ann, "Nf3")
        moves(ben, "Nc6")
