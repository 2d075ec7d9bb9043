"""A finished game is analysed on its page: the graph, the turning points, the better moves, and moves tried by hand."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.table_page import tab_to
from tests.browser.test_table import friends, says, status
from tests.browser.visitors import Visitors, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

LOST = ("a3", "b3", "a2", "b2", "c1", "b1")
"""The fifth move loses: a1 would have won."""


LOOKED_AT_MS = 120_000
"""Milliseconds for an analysis, which has the lowest priority: all else that the machine does comes first."""


def looks_at(page: Page, ply: int) -> None:
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", str(ply))


def square(page: Page, name: str) -> None:
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).click()


def test_a_player_sees_where_the_game_turned_and_tries_what_would_have_been(people: Visitors) -> None:
    ann, bob = friends(people)
    for ply, move in enumerate(LOST):
        expect(ann.locator("#analyse")).to_be_hidden()
        page = (ann, bob)[ply % 2]
        status(page, "Your turn")
        says(page, move)
    ann.get_by_role("button", name="Analyse").click()
    expect(ann.get_by_role("heading", name="Analysis")).to_be_focused()
    turns = ann.locator("#turning-points li")
    expect(turns).to_have_count(2, timeout=LOOKED_AT_MS)
    expect(turns.last).to_have_text(re.compile(r"3\. X: c1 X from \d+\s% to 0\s%\. Better: a1\."))
    expect(ann.locator("#analysis-state")).to_contain_text("By Boardgate")
    expect(ann.locator("#moves .turned")).to_have_count(2)
    looks_at(ann, 6)
    assert violations(ann) == []

    turns.last.get_by_role("link").click()  # the position before the move that lost
    looks_at(ann, 4)
    expect(ann.locator("#verdict")).to_have_text("X wins in 1 move. Best: a1.")
    expect(ann.locator(".advice path")).to_have_count(1)
    tab_to(ann.get_by_role("slider"))
    for key, ply in (("ArrowRight", 5), ("Home", 0), ("End", 6), ("ArrowLeft", 5)):
        ann.keyboard.press(key)
        looks_at(ann, ply)
    expect(ann.locator("#verdict")).to_contain_text("c1 turned the game: a1 was better.")
    box = ann.get_by_role("slider").bounding_box()
    assert box is not None
    ann.mouse.click(box["x"] + box["width"] * 4 / 6, box["y"] + 20)
    looks_at(ann, 4)

    ann.set_viewport_size({"width": 390, "height": 664})
    turns.first.get_by_role("link").click()
    looks_at(ann, 1)
    expect(ann.locator("#board")).to_be_in_viewport(ratio=0.99)
    turns.last.get_by_role("link").click()
    looks_at(ann, 4)
    expect(ann.locator("#board")).to_be_in_viewport(ratio=0.99)
    assert violations(ann) == []
    ann.set_viewport_size({"width": 1280, "height": 800})

    ann.get_by_role("button", name="Try moves").click()
    expect(ann.locator("#variation")).to_have_text("X to move: choose on the board.")
    square(ann, "a1")
    expect(ann.locator("#variation")).to_have_text(re.compile(r"^a1\. X wins"))
    ann.get_by_role("button", name="Take back").click()
    expect(ann.locator("#variation")).to_have_text("X to move: choose on the board.")
    square(ann, "c3")
    expect(ann.locator("#variation")).to_have_text(re.compile("^c3"))
    square(ann, "a1")
    expect(ann.locator("#variation")).to_have_text("c3 a1. X to move: choose on the board.")
    expect(ann.locator(".advice path")).to_have_count(0)
    assert violations(ann) == []
    ann.get_by_role("button", name="Back to the game").click()
    looks_at(ann, 4)
    expect(ann.locator('#board [role="gridcell"][data-square="2"]')).to_have_attribute(
        "aria-label", re.compile("empty")
    )
    ann.get_by_role("button", name="Close", exact=True).click()
    expect(ann.locator("#analysis, .advice path, #moves .turned")).to_have_count(0)
    expect(ann.locator("#analyse")).to_be_focused()
