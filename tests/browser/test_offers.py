"""Accounts on their pages: a challenge that stands for a day, an offer whose maker confirms who plays, and people who
take no challenges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from gateway.store.accounts import SqlAccounts
from tests import peers
from tests.browser.visitors import NARROW, Visitors, too_wide, violations
from tests.conformance.servers import fast
from tests.passwords import hashed
from tests.running import RunningServer, made_record

pytestmark = peers.needed

PASSWORD: Final = "correct horse battery"

NAMES: Final = ("Anna", "Bert", "Carl", "Dora", "Emil", "Fritz", "Gerda")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server where these people have accounts: more of them than one address may make in an hour."""
    folder: Path = tmp_path_factory.mktemp("offers")
    with closing(SqlAccounts(made_record(folder / "boardgate.db"))) as accounts:
        for name in NAMES:
            accounts.add(name, hashed(PASSWORD), "root")
    with fast(folder, "http", SEATS_BOT_AFTER="never") as found:
        yield found


def arrives(people: Visitors, name: str, path: str = "/") -> Page:
    """A person who has logged in, at this page."""
    page = people.arrives(f"/login?next={path}")
    for field, text in {"name": name, "password": PASSWORD}.items():
        page.locator(f"form[action='/login'] [name={field}]").fill(text)
    page.locator("form[action='/login'] button").click()
    expect(page).to_have_url(f"{people.origin}{path}")
    return page


def offered(page: Page) -> Locator:
    return page.locator("#challenges li")


def test_a_challenge_stands_for_a_day_and_is_taken_while_its_maker_is_away(people: Visitors) -> None:
    """Neither has a page open while the other acts."""
    anna = arrives(people, "Anna", "/challenges")
    anna.get_by_label("To the player called").fill("Bert")
    anna.get_by_label("Game", exact=True).select_option("Chess")
    anna.get_by_label("Time").select_option("1d/move")
    anna.get_by_label("Who begins").select_option("The other begins")
    anna.get_by_label("Stands for").select_option("A day")
    anna.get_by_role("button", name="Offer", exact=True).click()
    expect(offered(anna)).to_contain_text(re.compile(r"You offer Bert.*stands until"))
    assert violations(anna) == []
    anna.context.close()

    bert = arrives(people, "Bert")
    bert.get_by_role("link", name="Anna challenges you").click()
    expect(offered(bert)).to_contain_text(re.compile(r"Anna challenges you.*Chess.*stands until"))
    assert violations(bert) == []
    bert.get_by_role("button", name="Play Anna").click()
    bert.wait_for_url(f"{people.origin}/table/*")
    expect(bert.locator("#status")).to_contain_text("Waiting")
    assert violations(bert) == []

    again = arrives(people, "Anna")
    card = again.get_by_role("region", name="Your games").locator(".mini")
    expect(card).to_contain_text("Bert")
    card.get_by_role("link").first.click()
    again.wait_for_url(f"{people.origin}/table/*")
    expect(bert.locator("#status")).to_have_text("Your turn")
    bert.locator("#move-text").fill("e4")
    bert.locator("#move-text").press("Enter")
    expect(again.locator("#status")).to_have_text("Your turn")


def test_who_confirms_is_shown_who_asks_and_takes_one_of_them(people: Visitors) -> None:
    """A manual offer is asked for twice: one is declined, the other is played. The page of who is declined has no more
    of it."""
    carl = arrives(people, "Carl", "/challenges")
    carl.get_by_label("Game", exact=True).select_option("Chess")
    carl.get_by_label("Who begins").select_option("I begin")
    carl.get_by_label("I confirm who plays").check()
    carl.get_by_role("button", name="Offer", exact=True).click()
    expect(offered(carl)).to_contain_text(re.compile("You offer everybody.*you confirm who plays"))
    assert violations(carl) == []

    dora, emil = arrives(people, "Dora", "/challenges"), arrives(people, "Emil", "/challenges")
    for page in (dora, emil):
        expect(offered(page)).to_contain_text(re.compile("Carl offers everybody.*Carl confirms who plays"))
        page.get_by_role("button", name="Ask Carl").click()
        expect(page.locator("#challenges")).to_contain_text("You offer Carl")
        assert violations(page) == []
    expect(offered(carl)).to_have_count(3)
    assert violations(carl) == []
    carl.get_by_role("button", name="Decline the offer of Emil").click()
    expect(offered(carl)).to_have_count(2)
    expect(emil.locator("#challenges")).not_to_contain_text("You offer Carl")

    carl.get_by_role("button", name="Play Dora").click()
    for page in (carl, dora):
        page.wait_for_url(f"{people.origin}/table/*")
    expect(carl.locator("#status")).to_have_text("Your turn")
    carl.locator("#move-text").fill("e4")
    carl.locator("#move-text").press("Enter")
    expect(dora.locator("#status")).to_have_text("Your turn")
    expect(emil.locator("#challenges")).to_contain_text("Nothing is offered just now.")


def test_who_takes_no_challenges_is_shown_so_and_is_challenged_in_vain(people: Visitors) -> None:
    fritz, gerda = arrives(people, "Fritz", "/people"), arrives(people, "Gerda", "/people")
    line = gerda.get_by_role("region", name="Here now").get_by_role("listitem").filter(has_text="Fritz")
    expect(line).not_to_contain_text("takes no challenges")
    fritz.get_by_role("button", name="Take no challenges").click()
    expect(fritz.locator("main")).to_contain_text("You take no challenges while you are here.")
    assert violations(fritz) == []
    gerda.reload()
    expect(line).to_contain_text("takes no challenges")
    gerda.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert too_wide(gerda) == []
    assert violations(gerda) == []

    gerda.goto(f"{people.origin}/challenges?to=Fritz")
    people.allow("status of 4")
    gerda.get_by_role("button", name="Offer", exact=True).click()
    expect(gerda.get_by_role("alert")).to_contain_text("Fritz takes no challenges just now")
    expect(gerda.get_by_label("To the player called")).to_have_value("Fritz")
    assert violations(gerda) == []

    fritz.get_by_role("button", name="Take challenges again").click()
    expect(fritz.locator("main")).to_contain_text("You take challenges.")
    gerda.get_by_role("button", name="Offer", exact=True).click()
    expect(offered(gerda)).to_contain_text("You offer Fritz")
    gerda.goto(f"{people.origin}/people")
    expect(line).not_to_contain_text("takes no challenges")
