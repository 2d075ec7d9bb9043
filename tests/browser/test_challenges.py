"""Two people with accounts: one challenges the other from her page, who plays; a challenge declined, one withdrawn."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page, expect

from tests import peers
from tests.browser.visitors import Visitors, violations

pytestmark = peers.needed

PASSWORD: Final = "correct horse battery"


LISTENERS: Final = ("http",)
SETTINGS: Final = {"REGISTRATION_ACCOUNTS": "open", "SEATS_BOT_AFTER": "never"}


def arrives(people: Visitors, name: str) -> Page:
    """A person who has made an account of this name."""
    page = people.arrives("/login?next=/")
    for field, text in {"name": name, "password": PASSWORD, "again": PASSWORD}.items():
        page.locator(f"form[action='/register'] [name={field}]").fill(text)
    page.locator("form[action='/register'] button").click()
    expect(page).to_have_url(f"{people.origin}/")
    return page


def test_a_challenge_from_a_players_page_leads_both_to_the_board(people: Visitors) -> None:
    anna, bert = arrives(people, "Anna"), arrives(people, "Bert")
    for page in (anna, bert):
        expect(page.locator("#challenged")).to_be_hidden()
    anna.goto(f"{people.origin}/challenges?to=Bert")
    assert violations(anna) == []
    anna.get_by_label("Game", exact=True).select_option("Chess")
    anna.get_by_label("Who begins").select_option("The other begins")
    anna.get_by_role("button", name="Offer", exact=True).click()
    expect(anna.locator("#challenges")).to_contain_text("You offer Bert")
    bert.get_by_role("link", name="Anna challenges you").click()
    expect(bert.locator("#challenges")).to_contain_text("Anna challenges you")
    assert violations(bert) == []
    bert.get_by_role("button", name="Play Anna").click()
    for page in (anna, bert):
        page.wait_for_url(f"{people.origin}/table/*")
    expect(bert.locator("#status")).to_have_text("Your turn")
    bert.locator("#move-text").fill("e4")
    bert.locator("#move-text").press("Enter")
    expect(anna.locator("#status")).to_have_text("Your turn")
    expect(bert.get_by_role("button", name="Abort the game")).to_have_count(0)
    anna.get_by_role("button", name="Abort the game").click()  # she has not moved: nobody is asked
    for page in (anna, bert):
        expect(page.locator("#status")).to_have_text("No result, aborted")


def test_a_challenge_is_declined_and_another_one_withdrawn(people: Visitors) -> None:
    carl, dora = arrives(people, "Carl"), arrives(people, "Dora")
    for _ in range(2):
        carl.goto(f"{people.origin}/challenges?to=dora")
        carl.get_by_role("button", name="Offer", exact=True).click()
    dora.goto(f"{people.origin}/challenges")
    dora.get_by_role("button", name="Decline").first.click()
    expect(dora.locator("#challenges li")).to_have_count(1)
    expect(carl.locator("#challenges li")).to_have_count(1)
    carl.get_by_role("button", name="Withdraw").click()
    for page in (carl, dora):
        expect(page.locator("#challenges")).to_contain_text("Nothing is offered just now.")


def test_a_rated_offer_is_made_for_a_range_of_ratings(people: Visitors) -> None:
    emil = arrives(people, "Emil")
    emil.goto(f"{people.origin}/challenges")
    emil.get_by_label("For ratings").fill("1600-1700")
    emil.get_by_label("Rated", exact=True).check()
    emil.get_by_role("button", name="Offer", exact=True).click()
    expect(emil.locator("#challenges")).to_contain_text("ratings 1600-1700")
    assert violations(emil) == []
