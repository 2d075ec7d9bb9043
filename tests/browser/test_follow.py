"""Follow and block on a player's page: by keyboard, with what follows on the list of people, and in the talk."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import expect

from tests import peers
from tests.browser.test_challenges import arrives
from tests.browser.visitors import Visitors, violations

pytestmark = peers.needed

LISTENERS: Final = ("http",)
SETTINGS: Final = {"REGISTRATION_ACCOUNTS": "open", "SEATS_BOT_AFTER": "never"}


def test_a_player_is_followed_and_blocked_by_the_buttons_of_the_page(people: Visitors) -> None:
    people.allow("status of 409")
    anna, bert = arrives(people, "Anna"), arrives(people, "Bert")
    anna.goto(f"{people.origin}/people/Bert")
    anna.get_by_role("button", name="Follow", exact=True).press("Enter")
    expect(anna.get_by_role("button", name="Unfollow")).to_be_visible()
    assert violations(anna) == []
    anna.goto(f"{people.origin}/people")
    expect(anna.get_by_role("region", name="People you follow")).to_contain_text("Bert in the lobby")
    assert violations(anna) == []
    anna.get_by_role("region", name="People you follow").get_by_role("link", name="Bert").click()
    anna.get_by_role("button", name="Block", exact=True).press("Enter")
    expect(anna.get_by_text("You have blocked Bert")).to_be_visible()
    bert.goto(f"{people.origin}/challenges?to=Anna")
    bert.get_by_role("button", name="Offer", exact=True).click()
    expect(bert.get_by_role("alert")).to_contain_text("one of you has blocked the other")
    anna.get_by_role("button", name="Unblock").press("Enter")
    anna.get_by_role("button", name="Unfollow").press("Enter")
    expect(anna.get_by_role("button", name="Follow", exact=True)).to_be_visible()
    bert.get_by_role("button", name="Offer", exact=True).click()
    expect(bert.locator("#challenges")).to_contain_text("You offer Anna")
