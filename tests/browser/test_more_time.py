"""More time for the opponent, given from a table's page: by a press, by keys, in narrow windows and both themes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests import peers
from tests.browser.table_page import LISTEN, tab_to
from tests.browser.visitors import DESKTOP, NARROW, Visitors, screenshot, too_wide, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}


BOXES = """() => ["#far .more", "#far .clock"].map((place) => {
    const {y, height} = document.querySelector(place).getBoundingClientRect();
    return [y + height / 2, height];
})"""
"""The middle and the height of the button, and of the clock beside it, in CSS pixels."""


def friends(people: Visitors, time: str) -> tuple[Page, Page]:
    """Two at a table, Ann to move."""
    ann = people.arrives(f"/play/tic_tac_toe?against=friend&side=0&watched=yes&time={time}")
    if time != "none":
        ann.get_by_role("button", name="Sit down").click()
    bob = people.arrives(ann.get_by_label("Link for your friend").input_value().removeprefix(people.origin))
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    expect(ann.locator("#status")).to_have_text("Your turn")
    return ann, bob


def test_a_press_gives_the_opponent_more_time_which_both_pages_show_and_say(people: Visitors) -> None:
    ann, bob = friends(people, "300")
    for page in (ann, bob):
        page.evaluate(LISTEN)
    more = ann.get_by_role("button", name="+15 s for Bob")
    more.click()
    for page, place in ((ann, "#far"), (bob, "#near")):
        expect(page.locator(f"{place} .clock")).to_have_text("5:15")
    tab_to(more)
    ann.keyboard.press("Enter")
    expect(bob.locator("#near .clock")).to_have_text("5:30")
    expect(more).to_be_focused()
    said = "15 more seconds for the other side"
    alone = "(text) => spoken.some((line) => line.split('.').some((sentence) => sentence.trim() === text))"
    ann.wait_for_function(alone, arg=said)  # what is said quickly one after the other is told together
    bob.wait_for_function("(text) => spoken.some((line) => line.includes(text))", arg=f"says: {said}")


def test_the_button_keeps_the_focus_when_the_opponent_s_line_is_drawn_anew(people: Visitors) -> None:
    ann, _ = friends(people, "300")

    def slower(route: Route) -> None:
        seats = route.fetch().json()
        route.fulfill(json=[seat | {"lag": ", 777 ms"} for seat in seats])

    more = ann.get_by_role("button", name="+15 s")
    tab_to(more)
    ann.route("**/table/*/seats", slower)
    expect(ann.locator("#far .badge", has_text="777 ms")).to_have_count(1)
    expect(more).to_be_focused()


def test_it_stands_beside_the_opponent_s_clock_alone_and_no_longer_than_the_game(people: Visitors) -> None:
    ann, bob = friends(people, "300%2B5")
    for page in (ann, bob):
        expect(page.get_by_role("button", name="+15 s")).to_have_count(1)
        expect(page.locator("#far .seat").get_by_role("button", name="+15 s")).to_be_visible()
    onlooker = people.arrives(ann.url.removeprefix(people.origin))
    expect(onlooker.get_by_role("button", name="+15 s")).to_have_count(0)
    ann.get_by_role("button", name="Abort the game").click()
    for page in (ann, bob):
        expect(page.get_by_role("button", name="Rematch")).to_be_visible()
        expect(page.get_by_role("button", name="+15 s")).to_have_count(0)


@pytest.mark.parametrize("time", ["none", "1d%2Fmove"])
def test_where_no_clock_runs_for_the_game_there_is_none_to_add_to(people: Visitors, time: str) -> None:
    ann, bob = friends(people, time)
    for page in (ann, bob):
        expect(page.get_by_role("button", name="Turn board")).to_be_visible()
        expect(page.get_by_role("button", name="+15 s")).to_have_count(0)


def test_at_a_table_of_four_the_button_gives_to_all_others(people: Visitors) -> None:
    ann = people.arrives("/play/ludo?against=bot:1&side=0&seats=4&time=300")
    ann.get_by_role("button", name="Sit down").click()
    more = ann.get_by_role("button", name="+15 s for the others")
    expect(more).to_have_count(1)
    more.click()
    expect(ann.locator(".seat .clock", has_text=re.compile(r"5:1\d"))).to_have_count(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_into_every_window_in_both_themes(people: Visitors, scheme: str) -> None:
    ann, bob = friends(people, "300")
    for page in (ann, bob):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for size in (DESKTOP, NARROW):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            more = page.get_by_role("button", name="+15 s")
            expect(more).to_be_in_viewport(ratio=0.99)
            (middle, height), (of_clock, _) = page.evaluate(BOXES)
            assert abs(middle - of_clock) < 4, "they stand on one line"
            assert height >= 24
            assert too_wide(page) == []
            assert violations(page) == []
            screenshot(page, f"more-time/{size['width']}-{scheme}", whole=False)
