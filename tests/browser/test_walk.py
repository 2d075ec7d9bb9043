"""A person's walk from a first visit to a shared game, with a day between: on a desktop, and on a phone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import peers
from tests.browser.test_account import PASSWORD, fills
from tests.browser.test_analysis import LOOKED_AT_MS
from tests.browser.test_installed import WORKS
from tests.browser.test_seats import logged_in, opens
from tests.browser.test_told import NO_MAKER, WAIT_S, push_service, shown
from tests.browser.test_two_people import LINES_FAIL, moves, sits_down
from tests.browser.test_yours import card
from tests.browser.visitors import DESKTOP, ON_A_PHONE, screenshot, too_wide, violations, visitors
from tests.conformance.servers import fast
from tests.running import RunningServer, changed

pytestmark = peers.needed

NOTIFIES = True

DAY_S: Final = 24 * 3600.0

SETTINGS: Final = {"REGISTRATION_ACCOUNTS": "open", "NOTICES_PRIVATE_SERVICES": "true", "BOTS_WORKERS": "1"}

_now = time.time


def a_day_later() -> None:
    """The clock of this process is a day ahead from now on."""
    time.time = lambda: _now() + DAY_S


@contextmanager
def house(data: Path, port: int = 0) -> Iterator[RunningServer]:
    with fast(data, "http", ports={0: port}, **SETTINGS) as running:
        yield running


FIRST: Final = (
    pytest.param(ON_A_PHONE, id="phone"),
    pytest.param({"viewport": DESKTOP}, id="desktop", marks=pytest.mark.nightly),
)
"""The first device. Of the two walks only the first half differs, and the tests of its pages have a desktop each."""


@pytest.mark.parametrize("first", FIRST)
def test_a_guest_comes_back_a_day_later_and_stays(chromium: Browser, tmp_path: Path, first: Mapping[str, Any]) -> None:
    kind = "phone" if first is ON_A_PHONE else "desktop"

    def looked_at(page: Page, name: str) -> None:
        screenshot(page, f"walk/{kind}-{name}")
        assert violations(page) == []
        assert too_wide(page) == []

    with ExitStack() as stack:
        with house(tmp_path) as today:
            port = today.ports[0]
            people = stack.enter_context(visitors(chromium, port))
            people.allow(*LINES_FAIL)
            tab = people.arrives("/play/chess?against=friend&side=0&time=3d%2Fmove", **first)
            tab.get_by_role("button", name="Sit down").click()
            ben = opens(people, tab.get_by_role("textbox", name="Link for your friend").input_value())
            sits_down(ben, "Ben")
            moves(tab, "f3")
            expect(ben.locator("#status")).to_have_text("Your turn")
            table, ada = tab.url, tab.context
            tab.close()
            ben.goto("about:blank")

        stack.enter_context(changed(a_day_later))
        stack.enter_context(house(tmp_path, port))
        ben.goto(table)
        moves(ben, "e5")

        page = ada.new_page()
        page.goto(people.origin)
        expect(card(page)).to_contain_text("Your move")
        looked_at(page, "back")
        page.goto(f"{people.origin}/login")
        fills(page, "/register", name="Ada", password=PASSWORD, again=PASSWORD)
        expect(page.get_by_role("heading", level=1)).to_have_text("Ada")
        expect(card(page)).to_contain_text("Your move")

        phone = logged_in(people, "Ada", "/login", **ON_A_PHONE)
        phone.goto(people.origin)
        card(phone).get_by_role("link").tap()
        moves(phone, "a3")
        service, told = stack.enter_context(push_service())
        service.ahead_s = DAY_S
        phone.context.grant_permissions(["notifications"], origin=people.origin)
        phone.context.add_init_script(f"({NO_MAKER})({json.dumps(service.subscription())})")
        phone.goto(f"{people.origin}/account")
        phone.get_by_role("button", name="Tell me in this browser").tap()
        expect(phone.locator("#notices-note")).to_have_text("This browser tells you from now on.")
        phone.evaluate(WORKS)

        moves(ben, "d6")
        notice = told.get(timeout=WAIT_S)
        shown(phone, people, notice)
        phone.goto(people.origin + notice["url"])
        moves(phone, "g4")
        moves(ben, "Qh4#")
        expect(phone.locator("#status")).to_have_text("You lost, checkmate")
        expect(ben.locator("#status")).to_have_text("You won, checkmate")
        looked_at(phone, "lost")

        phone.get_by_role("button", name="Analyse").tap()
        expect(phone.locator("#turning-points li").last).to_contain_text("3. White: g4", timeout=LOOKED_AT_MS)
        looked_at(phone, "analysed")
        phone.get_by_role("button", name="Close", exact=True).tap()
        phone.get_by_role("link", name="Share").tap()
        phone.get_by_role("button", name="Make a link").tap()
        link = phone.get_by_label("Link to this game").input_value()
        stranger = opens(people, link)
        expect(stranger.locator("#status")).to_contain_text("checkmate")
        expect(stranger.locator("#moves a").last).to_have_text("Qh4#")
        looked_at(stranger, "shared")
