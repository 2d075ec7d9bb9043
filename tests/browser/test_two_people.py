"""Two people at one table: a friend by link, two tabs with one seat, networks that fail, a server that is killed."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import peers
from tests.browser.table_page import enters
from tests.browser.visitors import ON_A_PHONE, Visitors, screenshot, violations, visitors
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.proxy import wire
from tests.running import RunningServer

pytestmark = peers.needed

_NUMBERS: Final = count(1)
"""Two names meet at one registered table only."""

LINES_FAIL: Final = ("WebSocket connection to", "net::ERR_", "Failed to load resource")
"""What chromium itself writes to the console when there is no network or no server."""


@pytest.fixture
def pair(people: Visitors, running: RunningServer) -> tuple[Page, Page]:
    """Ann, White, and Ben at a game of chess without a clock."""
    return seated(people, running)


def seated(people: Visitors, running: RunningServer) -> tuple[Page, Page]:
    number = next(_NUMBERS)
    _, tickets = Host(running.ports[0]).registers("chess", f"Ann-{number}", f"Ben-{number}")
    ann, ben = (people.arrives(f"/seat#{ticket}") for ticket in tickets)
    expect(ann.locator("#status")).to_have_text("Your turn")
    expect(ben.locator("#status")).to_have_text("White to move")
    return ann, ben


def sits_down(page: Page, name: str) -> None:
    """Give a name where the page asks for one."""
    page.locator("#seat-form [name=name]").fill(name)
    page.locator("#seat-form button").click()
    page.wait_for_url("**/table/*")


def moves(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_have_text(re.compile("Your turn"))
    page.locator("#move-text").focus()
    enters(page, text)


def shows(page: Page, *notations: str) -> None:
    """Wait until the list of moves is this."""
    expect(page.locator("#moves a")).to_have_text(list(notations))


def test_a_friend_comes_by_the_link_and_the_game_is_played(people: Visitors) -> None:
    ann = people.arrives("/play/chess?against=friend&side=0")
    link = ann.get_by_role("textbox", name="Link for your friend")
    address = link.input_value()
    screenshot(ann, "two-people/invitation")
    assert violations(ann) == []
    ben = people.context(**ON_A_PHONE).new_page()
    ben.goto(address)
    sits_down(ben, "Ben")

    for page, text in ((ann, "f3"), (ben, "e5"), (ann, "g4"), (ben, "Qh4#")):
        moves(page, text)

    expect(ben.locator("#status")).to_have_text(re.compile("You won"))
    expect(ann.locator("#status")).to_have_text(re.compile("You lost, checkmate"))
    screenshot(ben, "two-people/won-on-a-phone")
    assert violations(ann) == []
    ann.get_by_role("button", name="Rematch").click()
    ben.get_by_role("button", name="Accept").click()
    expect(ann.locator("#moves a")).to_have_count(0)
    expect(ben.locator("#status")).to_have_text("Your turn")  # sides are exchanged


def test_who_comes_back_by_the_address_of_an_invitation_finds_the_friend_who_waits(people: Visitors) -> None:
    """A second table would be opened there, and the friend would wait at the first for good."""
    address = "/play/chess?against=friend&side=0&time=3d%2Fmove"
    first = people.arrives(address)
    first.get_by_role("button", name="Sit down").click()
    link = first.get_by_role("textbox", name="Link for your friend").input_value()
    table, ann = first.url, first.context.new_page()
    first.close()
    ann.goto(table)
    expect(ann.get_by_role("textbox", name="Link for your friend")).to_have_value(link)
    ann.goto("about:blank")
    ben = people.context().new_page()
    ben.goto(link)
    sits_down(ben, "Ben")
    expect(ben.locator("#status")).to_have_text("Waiting for an opponent")

    ann.goto(people.origin + address)
    expect(ann.get_by_role("button", name="Invite another friend")).to_be_visible()
    assert violations(ann) == []
    ann.get_by_role("button", name="Go to that game").click()
    moves(ann, "f3")
    moves(ben, "e5")
    ann.goto(people.origin + address)
    expect(ann.get_by_role("button", name="Sit down")).to_be_visible()


def test_offers_are_answered_and_talk_is_heard(pair: tuple[Page, Page]) -> None:
    ann, ben = pair
    moves(ann, "e4")
    ann.locator("#chat-text").fill("Good luck!")
    ann.locator("#chat-text").press("Enter")
    expect(ben.locator("#talk")).to_contain_text(": Good luck!")

    ann.get_by_role("button", name="Take back").click()
    ben.get_by_role("button", name="Accept").click()
    shows(ann)
    moves(ann, "d4")
    moves(ben, "d5")
    ben.get_by_role("button", name="Offer a draw").click()
    ann.get_by_role("button", name="Decline").click()
    ben.get_by_role("button", name="Resign").click()
    ben.locator("dialog").get_by_role("button", name="Resign").click()

    expect(ann.locator("#status")).to_have_text(re.compile("You won"))
    shows(ben, "d4", "d5")


def test_of_two_tabs_with_one_seat_the_older_is_told_and_can_take_it_back(pair: tuple[Page, Page]) -> None:
    ann, ben = pair
    tab = ann.context.new_page()
    tab.goto(ann.url)
    expect(tab.locator("#status")).to_have_text("Your turn")
    here = ann.get_by_role("button", name="Play here")
    expect(here).to_be_visible()
    moves(tab, "e4")
    shows(ann, "e4")

    here.click()

    expect(tab.get_by_role("button", name="Play here")).to_be_visible()
    moves(ben, "e5")
    moves(ann, "Nf3")
    shows(tab, "e4", "e5", "Nf3")


def test_without_network_nothing_is_lost(people: Visitors, pair: tuple[Page, Page]) -> None:
    people.allow(*LINES_FAIL)
    ann, ben = pair
    moves(ann, "e4")
    ann.context.set_offline(True)
    moves(ben, "e5")
    shows(ben, "e4", "e5")

    ann.context.set_offline(False)

    shows(ann, "e4", "e5")
    moves(ann, "Nf3")
    shows(ben, "e4", "e5", "Nf3")


def test_a_line_that_is_cut_is_taken_up_again(chromium: Browser, running: RunningServer) -> None:
    with wire(("127.0.0.1", running.ports[0])) as line, visitors(chromium, line.port) as people:
        people.allow(*LINES_FAIL)
        ann, ben = seated(people, running)
        moves(ann, "e4")
        shows(ben, "e4")
        line.cut()
        expect(ann.locator("#link")).to_contain_text("Connection lost")
        screenshot(ann, "two-people/line-lost")
        line.mend()
        for page in (ann, ben):
            expect(page.locator("#link")).to_be_hidden()
        moves(ben, "e5")
        shows(ann, "e4", "e5")


def test_a_page_goes_on_by_itself_when_the_server_is_killed_and_starts_again(chromium: Browser, tmp_path: Path) -> None:
    with fast(tmp_path, "http") as running:
        port = running.ports[0]
        with visitors(chromium, port) as people:
            people.allow(*LINES_FAIL)
            ann, ben = seated(people, running)
            for page, text in ((ann, "e4"), (ben, "e5"), (ann, "Nf3")):
                moves(page, text)
            shows(ann, "e4", "e5", "Nf3")
            running.kill()
            expect(ann.locator("#link")).to_contain_text("Connection lost")
            with fast(tmp_path, "http", ports={0: port}):
                for page in (ann, ben):
                    expect(page.locator("#link")).to_be_hidden()
                moves(ben, "Nc6")
                moves(ann, "Bb5")
                for page in (ann, ben):
                    shows(page, "e4", "e5", "Nf3", "Nc6", "Bb5")
