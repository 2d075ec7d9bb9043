"""The host's page of busy addresses, on a wide window and on a phone, in both themes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import peers
from tests.browser.test_account import TOKEN, fills, presses
from tests.browser.test_host_accounts import looks_right
from tests.browser.visitors import Visitors

pytestmark = peers.needed

SETTINGS = {"REGISTRATION_ADMIN_TOKEN": TOKEN}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_busy_address_is_seen_and_its_ban_is_one_press_away(people: Visitors, scheme: str) -> None:
    host = people.arrives("/host", color_scheme=scheme)
    fills(host, "/host/sign-in", token=TOKEN)
    presses(host.get_by_role("link", name="Addresses"))
    expect(host.get_by_role("heading", level=1)).to_have_text("Addresses")
    expect(host.get_by_role("region", name="The busiest")).to_contain_text("127.0.0.1")
    looks_right(host, f"addresses-{scheme}")
    presses(host.get_by_role("link", name="127.0.0.1"))
    expect(host.get_by_label("Name, address or network")).to_have_value("127.0.0.1")
