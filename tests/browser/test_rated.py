"""A rated game on its page: what it has changed, said in the panel of the end, in every window and theme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from gateway.store.records import Player
from tests import peers
from tests.browser.table_page import enters
from tests.browser.visitors import DESKTOP, NARROW, ON_A_PHONE, Visitors, screenshot, too_wide, violations
from tests.conformance.servers import fast
from tests.running import RECORD, RunningServer, made_record
from tests.store.results import result
from tests.store.test_ratings import stored

pytestmark = peers.needed

PASSWORD: Final = "correct horse battery"
GAME: Final = "/play/tic_tac_toe?rated=yes"
MOVES: Final = ("b2", "a1", "a2", "c2")
WINDOWS: Final[dict[str, dict[str, Any]]] = {
    "desktop": {"viewport": DESKTOP},
    "phone": {**ON_A_PHONE},
    "narrow": {"viewport": NARROW},
}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """Anna has beaten Bert here long ago."""
    url = made_record(tmp_path / RECORD)
    players = (Player("Anna", "anna"), Player("Bert", "bert"))
    stored([result(1_000_000, game="tic_tac_toe", variant="standard", width=3, players=players)], url)
    with fast(tmp_path, "http", REGISTRATION_ACCOUNTS="open") as found:
        yield found


def arrives(people: Visitors, name: str, window: str) -> Page:
    """A new account, which asks for a rated game."""
    page = people.arrives(f"/login?next={quote(GAME)}", **WINDOWS[window])
    for field, text in (("name", name), ("password", PASSWORD), ("again", PASSWORD)):
        page.locator(f"form[action='/register'] [name={field}]").fill(text)
    page.keyboard.press("Enter")
    return page


def test_the_end_of_a_rated_game_says_what_it_has_changed(people: Visitors) -> None:
    """In every window: Anna's is wide and then narrow, Bert has a phone."""
    anna, bert = arrives(people, "Anna", "desktop"), arrives(people, "Bert", "phone")
    expect(anna.locator("#settings-line")).to_have_text("no clock · rated")
    for page in (anna, bert):
        expect(page.locator("#stakes")).to_have_text(re.compile(r"Rated: win\s\+\d+, draw\s[+−]\d+, loss\s−\d+"))
        expect(page.locator(".seat[data-seat='0'] .who")).to_have_text(re.compile(r"Anna\s+\(1741\?\)"))
        assert too_wide(page) == []
        assert violations(page) == []
    screenshot(bert, "rated/begun-phone", whole=False)
    anna.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert too_wide(anna) == []
    anna.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    for page, move in zip((anna, bert, anna, bert), MOVES, strict=True):
        expect(page.locator("#status")).to_have_text("Your turn")
        page.locator("#move-text").focus()
        enters(page, move)
    anna.get_by_role("button", name="Offer a draw").click()
    bert.get_by_role("button", name="Accept").click()
    for page in (anna, bert):
        ending = page.locator("#ending")
        told = re.compile(r"Ratings: Anna 1741\?\s→\s\d+\?\s\(−\d+\), Bert 1259\?\s→\s\d+\?\s\(\+\d+\)\.")
        expect(ending.locator("#rated")).to_have_text(told)
        expect(page.locator("#talk")).to_contain_text(told)
        in_view(page)
    screenshot(anna, "rated/desktop", whole=False)
    anna.set_viewport_size(NARROW)  # type: ignore[arg-type]
    in_view(anna)
    screenshot(anna, "rated/narrow", whole=False)
    address = f"/table/{anna.url.split('/table/')[1].split('#')[0].split('?')[0]}"
    anna.reload()
    carl = people.arrives(address, **WINDOWS["phone"])
    for page in (anna, carl):
        expect(page.locator("#ending #rated")).to_have_text(told)
        expect(page.locator("#ending")).to_be_visible()
        assert violations(page) == []
    anna.emulate_media(color_scheme="dark")
    assert violations(anna) == []
    screenshot(anna, "rated/narrow-dark", whole=False)


def in_view(page: Page) -> None:
    """The panel of the end is in the window whole, and the page has no fault."""
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("#ending")).to_be_in_viewport(ratio=0.99)
    assert too_wide(page) == []
    assert violations(page) == []


SEEN: Final = [re.compile(r"Anna\s+\(1741\?\)"), re.compile(r"Bert\s+\(1259\?\)")]


def test_ratings_stand_beside_names_in_every_list(people: Visitors) -> None:
    anna = arrives(people, "Anna", "desktop")
    expect(anna.locator("#settings-line")).to_have_text("no clock · rated")
    carl = people.arrives("/", **WINDOWS["narrow"])
    expect(carl.locator(".seek .names")).to_have_text("Anna (1741?)")
    assert too_wide(carl) == []
    assert violations(carl) == []
    screenshot(carl, "rated/lobby-narrow", whole=False)
    bert = arrives(people, "Bert", "desktop")
    expect(bert.locator("#stakes")).to_have_text(re.compile("Rated"))
    for address, window in (("/", "narrow"), ("/tv", "desktop"), ("/games/tic_tac_toe", "phone")):
        page = people.arrives(address, **WINDOWS[window])
        expect(page.locator(".holder .who")).to_have_text(SEEN)
        assert too_wide(page) == []
        assert violations(page) == []
        screenshot(page, f"rated/list-{window}", whole=False)
    (told,) = page.evaluate("fetch('/api/tables?state=playing').then((answer) => answer.json())")["tables"]
    points = [{"rating": 1741, "provisional": True}, {"rating": 1259, "provisional": True}]
    assert [seat["rating"] for seat in told["seats"]] == points
    page.goto(page.url.replace("/games/tic_tac_toe", f"/table/{told['id']}"))
    for seat, rating in enumerate(("(1741?)", "(1259?)")):
        expect(page.locator(f".seat[data-seat='{seat}'] .rating")).to_have_text(rating)
    assert violations(page) == []
