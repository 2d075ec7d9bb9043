"""Every sort of page, in every window and theme: accessible, silent, narrow enough, light, and readable without script.

The pages are those that links lead to, from a lobby with a table in every state; pictures are in build/screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from tests import peers
from tests.browser import furnished as scene
from tests.browser.crawl import Found, crawl, kind
from tests.browser.furnished import Furnished, furnished
from tests.browser.visitors import DESKTOP, NARROW, ON_A_PHONE, Visitors, drawn, screenshot, too_wide, violations
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = scene.LISTENERS

PAGES: Final = {
    *("/", "/tv", "/games", "/games/NAME", "/people", "/people/NAME", "/table/ID", "/connect", "/api"),
    *("/seat", "/login", "/host"),
}
"""Sorts of pages that there are at least."""

UNLINKED: Final = ("/seat", "/login", "/host")
"""Pages that nothing leads to where there is nobody logged in, or that only certain people need."""

VIEWS: Final[dict[str, dict[str, Any]]] = {
    "phone-light": {**ON_A_PHONE, "color_scheme": "light"},
    "phone-dark": {**ON_A_PHONE, "color_scheme": "dark"},
    "desktop-light": {"viewport": DESKTOP, "color_scheme": "light"},
    "desktop-dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "forced-colours": {"viewport": DESKTOP, "forced_colors": "active"},
    "reduced-motion": {"viewport": DESKTOP, "reduced_motion": "reduce"},
    "narrow": {"viewport": NARROW},
}

MANY: Final = ("/table/ID",)
"""Sorts of pages of which all are looked at; of the others the first one."""

NIGHTLY: Final = ("phone-dark", "desktop-light", "reduced-motion", "forced-colours", "narrow")
"""Views whose window or whose colours others have, too; a phone is nearly as narrow as a page may be."""

ONE_OF_EACH: Final = ("phone-dark", "desktop-light", "reduced-motion", "forced-colours")
"""Views of which the first table will do: boards keep their colours where others are forced (test_board_drawn.py)."""

COLOURS_SEEN: Final = "narrow"
"""A view whose colours are those of phone-light."""

VIEWED: Final = [pytest.param(view, marks=[pytest.mark.nightly] * (view in NIGHTLY)) for view in VIEWS]

TABLE_BYTES: Final = 58 * 1024
LOBBY_BYTES: Final = 56 * 1024
"""All that a browser without a cache loads, compressed, with its headers (design-web, part 9)."""


@pytest.fixture(scope="module")
def tables(running: RunningServer) -> Iterator[Furnished]:
    with furnished(running) as found:
        yield found


@pytest.fixture(scope="module")
def site(running: RunningServer, tables: Furnished) -> Found:
    return crawl(running.ports[0], "/", *UNLINKED)


def looked_at(site: Found, many: Sequence[str] = MANY) -> list[str]:
    """The pages that are looked at. Those that ask for a game are not: each visit would open a table."""
    first = {kind(path): path for path in reversed(site.pages)}
    found = [path for path in site.pages if kind(path) in many or first[kind(path)] == path]
    return [path for path in found if not path.startswith("/play/")]


def test_every_sort_of_page_is_there_and_no_link_is_broken(site: Found) -> None:
    assert PAGES - {kind(path) for path in site.pages} == set()
    assert site.broken == ()


@pytest.mark.parametrize("view", VIEWED)
def test_every_page_is_accessible_and_fits_into_its_window(people: Visitors, site: Found, view: str) -> None:
    page = people.context(**VIEWS[view]).new_page()
    found = {}
    for path in looked_at(site, () if view in ONE_OF_EACH else MANY):
        page.goto(people.origin + path)
        drawn(page)
        screenshot(page, f"{view}/{path.strip('/').replace('/', '-').replace('?', '-') or 'lobby'}")
        if wrong := [*violations(page, contrast=view != COLOURS_SEEN), *too_wide(page)]:
            found[path] = wrong
    assert found == {}


def test_the_top_of_a_page_takes_two_rows_on_a_phone(people: Visitors) -> None:
    """The server's name with the way to one's own pages, and below it the navigation."""
    tops = "lists => lists.map(list => new Set([...list.children].map(item => item.offsetTop)).size)"
    for window in (ON_A_PHONE, {**ON_A_PHONE, "viewport": NARROW}):
        page = people.arrives("/", **window)
        assert page.locator(".top ul").evaluate_all(tops) == [1, 1]
        site, own = (page.locator(f".top .{name}").bounding_box() for name in ("site", "own"))
        assert site is not None
        assert own is not None
        assert abs(site["y"] + site["height"] / 2 - own["y"] - own["height"] / 2) < 8


@pytest.mark.parametrize("width", [320, 390, 844, 1280])
def test_a_badge_beside_a_name_is_whole_or_not_there(people: Visitors, tables: Furnished, width: int) -> None:
    """Long names leave it little room."""
    cut = """all => all.filter(badge => {
        const {left, right, top} = badge.getBoundingClientRect(), shown = badge.parentElement.getBoundingClientRect();
        const broken = badge.scrollWidth > badge.clientWidth || right > shown.right + 1 || left < shown.left - 1;
        return right > left && top < shown.bottom && broken;
    }).map(badge => badge.innerText)"""
    page = people.context(viewport={"width": width, "height": 800 if width != 844 else 390}).new_page()
    for number in tables.tables.values():
        page.goto(f"{people.origin}/table/{number}")
        assert page.locator(".seat .badge").evaluate_all(cut) == []


@pytest.mark.parametrize("width", [390, 412, 844])
def test_a_name_is_cut_only_where_no_badge_can_give_way(people: Visitors, tables: Furnished, width: int) -> None:
    cut = """all => all.filter(seat => {
        const who = seat.querySelector(".who"), badges = seat.querySelector(".badges"), text = document.createRange();
        text.selectNodeContents(who);
        const missing = text.getBoundingClientRect().width - who.getBoundingClientRect().width;
        return missing > 0.05 && badges.getBoundingClientRect().width > 1;
    }).map(seat => seat.innerText)"""
    page = people.context(viewport={"width": width, "height": 800}).new_page()
    for number in tables.tables.values():
        page.goto(f"{people.origin}/table/{number}")
        assert page.locator(".seat").evaluate_all(cut) == []


def test_the_word_of_a_button_is_not_broken(people: Visitors) -> None:
    """Names on these pages may break anywhere, and the field beside the button takes all the room it can get."""
    page = people.arrives("/people", **ON_A_PHONE)
    count = """button => {
        const word = document.createRange();
        word.selectNodeContents(button);
        return word.getClientRects().length;
    }"""
    lines = page.get_by_role("button", name="Show", exact=True).evaluate(count)
    assert lines == 1


def test_every_board_of_the_lobby_is_painted(people: Visitors, tables: Furnished) -> None:
    """A card that is not painted takes its room all the same: the page seems to end in nothing."""
    page = people.arrives("/", **ON_A_PHONE)
    painted = "cards => cards.map(card => card.firstElementChild.checkVisibility({contentVisibilityAuto: true}))"
    assert page.locator(".mini").evaluate_all(painted) == [True] * len(scene.IN_PLAY)


def test_every_page_can_be_read_without_script(people: Visitors, site: Found) -> None:
    page = people.context(java_script_enabled=False).new_page()
    for path in looked_at(site):
        page.goto(people.origin + path)
        assert page.locator("h1").first.is_visible(), path
        assert len(page.locator("main").inner_text()) >= 40, path
        if kind(path) == "/table/ID":
            assert page.locator(".board svg").first.is_visible(), path
            screenshot(page, f"without-script/{path.strip('/').replace('/', '-')}")


def test_an_error_is_a_page(people: Visitors) -> None:
    people.allow("status of 404")
    for path in ("/no-such-page", "/table/9999999", "/games/no-such-game"):
        page = people.arrives(path)
        assert page.locator("h1").is_visible()
        assert page.get_by_role("navigation").is_visible()
        assert violations(page) == []
    screenshot(page, "desktop-light/404")


@pytest.mark.parametrize("sort", ["table", "lobby"])
def test_a_page_is_light_and_loads_nothing_foreign(
    chromium: Browser, people: Visitors, tables: Furnished, sort: str
) -> None:
    context = people.context()
    page = context.new_page()
    client = context.new_cdp_session(page)
    loaded: list[float] = []
    client.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    client.send("Network.enable")
    paths = ["/"] if sort == "lobby" else [f"/table/{number}" for number in tables.tables.values()]
    weights = {}
    for path in paths:
        loaded.clear()
        client.send("Network.clearBrowserCache")
        page.goto(people.origin + path)
        page.wait_for_load_state("networkidle")
        weights[path] = round(sum(loaded))
    most = LOBBY_BYTES if sort == "lobby" else TABLE_BYTES
    assert {path: weight for path, weight in weights.items() if weight > most} == {}
    assert min(weights.values()) > 1_000
