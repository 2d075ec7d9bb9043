"""The end of a game on its page: who won, which squares decided it, the ways from there; in every window."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from gateway import registry
from tests import peers
from tests.browser.table_page import enters
from tests.browser.visitors import DESKTOP, NARROW, ON_A_PHONE, PHONE, Visitors, screenshot, too_wide, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

ON_ITS_SIDE: Final = {"width": 844, "height": 390}

WINDOWS: Final[dict[str, dict[str, Any]]] = {
    "desktop": {"viewport": DESKTOP},
    "phone": {**ON_A_PHONE},
    "narrow": {"viewport": NARROW},
    "on-its-side": {**ON_A_PHONE, "viewport": ON_ITS_SIDE},
}

MOVES: Final = ("b2", "a3", "a2", "c3", "c2")
"""X wins."""


def plays(page: Page, move: str) -> None:
    expect(page.locator("#status")).to_have_text("Your turn")
    page.locator("#move-text").focus()
    enters(page, move)


def friends(people: Visitors, window: dict[str, Any]) -> tuple[Page, Page]:
    ann = people.arrives("/play/tic_tac_toe?against=friend&side=0&time=300%2B5", **window)
    if (sit := ann.get_by_role("button", name="Sit down")).is_visible():
        sit.click()
    bob = people.arrives(ann.get_by_label("Link for your friend").input_value().removeprefix(people.origin), **window)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    return ann, bob


def seen_whole(part: Locator) -> None:
    """All of it is in the window, wherever the page is scrolled to."""
    expect(part).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("window", WINDOWS)
def test_the_end_is_in_view_and_says_who_won(people: Visitors, window: str) -> None:
    ann, bob = friends(people, WINDOWS[window])
    for page, move in zip((ann, bob, ann, bob, ann), MOVES, strict=True):
        plays(page, move)
    expect(ann.locator("#status")).to_have_text("You won, three in a row")
    expect(bob.locator("#status")).to_have_text("You lost, three in a row")
    for page in (ann, bob):
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator("svg .won.bright")).to_have_count(3)
        ending = page.locator("#ending")
        seen_whole(ending)
        for name in ("Rematch", "Same again with others", "Back to the games", "ndjson", "Proof"):
            expect(ending.get_by_role("button", name=name).or_(ending.get_by_role("link", name=name))).to_be_visible()
        assert too_wide(page) == []
        assert violations(page) == []
    expect(bob.locator("#live")).to_have_text(re.compile("You lost"))
    assert bob.evaluate("document.activeElement.closest('#ending')") is None
    screenshot(bob, f"ending/{window}", whole=False)
    bob.emulate_media(color_scheme="dark")
    screenshot(bob, f"ending/{window}-dark", whole=False)
    with bob.expect_download() as download:
        bob.get_by_role("link", name="ndjson").click()
    assert "GameEnded" in download.value.path().read_text()
    bob.get_by_role("button", name="Rematch").click()
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator("#ending.over, svg .won")).to_have_count(0)
    table = bob.url
    bob.reload()
    bob.get_by_role("link", name="game 1").click()
    expect(bob.locator("#status")).to_have_text(re.compile("You lost"))
    expect(bob.locator("svg .won.bright")).to_have_count(3)
    expect(bob.get_by_role("button", name="Rematch")).to_have_count(0)
    assert too_wide(bob) == []
    assert violations(bob) == []
    screenshot(bob, f"ending/{window}-earlier")
    bob.locator("#moves a").first.click()
    expect(bob.locator("svg .won")).to_have_count(0)
    bob.get_by_role("link", name="the last game").click()
    expect(bob).to_have_url(re.compile(re.escape(table.partition("#")[0])))
    expect(bob.locator("#status")).to_have_text(re.compile("turn"))


def ended(people: Visitors, game: str) -> Page:
    """A game that its page's player has ended before a move: against a house bot, or a friend where none plays it."""
    judged = registry.game(game).judged
    page = people.arrives(f"/play/{game}?against={'bot' if judged else 'friend'}&side=0", **WINDOWS["phone"])
    if not judged:
        friend = people.arrives(page.get_by_label("Link for your friend").input_value().removeprefix(people.origin))
        friend.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name=re.compile("^(Resign|Abort the game)$")).click()
    if (dialog := page.locator("dialog[open]")).count():
        dialog.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    return page


def test_the_end_of_every_game_is_in_view_on_every_phone(people: Visitors) -> None:
    """From the upper edge of the page, with all ways on."""
    hidden = []
    for game in registry.games():
        page = ended(people, game)
        for window in (PHONE, ON_ITS_SIDE, NARROW):
            page.set_viewport_size({"width": window["width"], "height": window["height"]})
            page.evaluate("scrollTo(0, 0)")
            box = page.locator("#ending").bounding_box()
            assert box is not None
            if box["y"] < 0 or box["y"] + box["height"] > window["height"]:
                hidden.append((game, window["width"], box))
        page.context.close()
    assert hidden == []


def test_a_phone_on_its_side_shows_the_board_and_both_clocks(people: Visitors) -> None:
    ann, _ = friends(people, WINDOWS["on-its-side"])
    expect(ann.locator("#status")).to_have_text("Your turn")
    seen_whole(ann.locator("#board"))
    for clock in ann.locator(".seat .clock").all():
        seen_whole(clock)
    screenshot(ann, "ending/playing-on-its-side", whole=False)
    assert violations(ann) == []


def test_the_usual_set_up_is_above_the_fold(people: Visitors) -> None:
    for window in ("phone", "on-its-side", "desktop"):
        page = people.arrives("/play/arimaa?against=bot&side=0", **WINDOWS[window])
        button = page.get_by_role("button", name="Usual set-up")
        seen_whole(button)
        screenshot(page, f"ending/set-up-{window}", whole=False)


def test_a_phone_on_its_side_shows_the_board_with_the_pieces_in_hand_beside_it(people: Visitors) -> None:
    page = people.arrives("/play/arimaa?against=bot&side=0", **WINDOWS["on-its-side"])
    expect(page.locator(".hand button.held")).to_have_count(6)
    for part in (page.locator(".stage"), *page.locator(".held").all()):
        seen_whole(part)
    box = page.locator(".stage").bounding_box()
    assert box is not None
    assert box["height"] > 300
    assert too_wide(page) == []
    assert violations(page) == []
