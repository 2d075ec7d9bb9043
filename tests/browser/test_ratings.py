"""Ratings in the browser: profile, games of a rating, lists and formula fit every window and are light."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from gateway.ratings.book import Standing
from gateway.ratings.pools import Player
from tests import peers
from tests.browser.test_pages import COLOURS_SEEN, VIEWED, VIEWS
from tests.browser.visitors import Visitors, drawn, screenshot, too_wide, violations
from tests.conformance.servers import fast
from tests.running import RECORD, RunningServer, made_record
from tests.store.rated import accounts, play, season, won
from tests.store.test_rating_views import join

pytestmark = peers.needed

LONG: Final = "Maximilian-Alexander-von-Hohen"
NAMES: Final = ("Anna", "Bert", LONG)
CROWD: Final = 400
POOL: Final = "chess%2Fnormal"

PATHS: Final = {
    "ratings": "/ratings",
    "pool": f"/ratings?pool={POOL}",
    "profile": "/people/Anna",
    "rating": f"/people/Anna?pool={POOL}",
}

PAGE_BYTES: Final = 24 * 1024
"""All that a browser without a cache loads for one of these pages, compressed, with its headers."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server where three accounts have played each other for two months, beside a crowd."""
    folder: Path = tmp_path_factory.mktemp("rated")
    url, now, chance = made_record(folder / RECORD), time.time(), Random(7)
    accounts(url, *NAMES, *(f"p{at}" for at in range(0, CROWD, 3)))
    more = [
        won(101, "Anna", "Bert", now - 9e5, game="go", variant="area", width=9),
        won(102, "Bert", "Anna", now - 8e5, game="go", variant="area", width=9),
        won(103, LONG, "Anna", now - 7e5, game="chess", variant="atomic"),
    ]
    play(url, [*season(NAMES, 90, now), *more])
    join(
        url,
        *(
            (Player(f"p{at}", ""), Standing(chance.gauss(1500.0, 180.0), 50.0 + at % 40, 0.06, now, 40))
            for at in range(CROWD)
        ),
    )
    with fast(folder, "http") as found:
        yield found


@pytest.mark.parametrize("view", VIEWED)
def test_every_page_of_ratings_is_accessible_and_fits_into_its_window(people: Visitors, view: str) -> None:
    page = people.context(**VIEWS[view]).new_page()
    found = {}
    for name, path in PATHS.items():
        page.goto(people.origin + path)
        drawn(page)
        screenshot(page, f"{view}/ratings-{name}")
        if wrong := [*violations(page, contrast=view != COLOURS_SEEN), *too_wide(page)]:
            found[path] = wrong
    assert found == {}


def test_the_way_leads_by_keyboard_from_the_lobby_to_a_players_games(people: Visitors) -> None:
    page = people.arrives("/")
    for name in ("The best players", "Chess", "Further places"):
        page.get_by_role("link", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_be_visible()
    page.goto(people.origin + "/people/Anna")
    page.get_by_role("link", name="Chess", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Anna: Chess")).to_be_visible()
    expect(page.locator(".steps tbody tr")).to_have_count(50)


def test_pictures_have_a_sentence_and_are_there_without_a_script(people: Visitors) -> None:
    page = people.context(java_script_enabled=False).new_page()
    page.goto(people.origin + PATHS["profile"])
    expect(page.get_by_role("img", name="Rating in Chess: ")).to_be_visible()
    expect(page.get_by_role("img", name="games in 26 weeks")).to_be_visible()
    page.goto(people.origin + PATHS["pool"])
    expect(page.get_by_role("img", name=f"{CROWD + len(NAMES)} players by rating")).to_be_visible()


@pytest.mark.parametrize("name", PATHS)
def test_the_pages_are_light(chromium: Browser, people: Visitors, name: str) -> None:
    page = people.context().new_page()
    client = page.context.new_cdp_session(page)
    loaded: list[float] = []
    client.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
    client.send("Network.enable")
    page.goto(people.origin + PATHS[name])
    page.wait_for_load_state("networkidle")
    assert 1_000 < sum(loaded) <= PAGE_BYTES, round(sum(loaded))
