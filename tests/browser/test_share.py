"""A finished game is shared: a link is made, opened by a stranger, framed by another site, and taken back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests import peers
from tests.browser.test_two_people import moves
from tests.browser.visitors import DESKTOP, NARROW, ON_A_PHONE, Visitors, screenshot, too_wide, violations

pytestmark = peers.needed

SETTINGS = {"BOTS_WORKERS": "1", "BOTS_PAUSE": "0s"}

WINDOWS: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": ON_A_PHONE["viewport"], "narrow": NARROW}


@contextmanager
def another_site(frame: str) -> Iterator[str]:
    """A site on a port of its own whose only page has this HTML in it; gives its address."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = f'<!doctype html><html lang="en"><title>Blog</title><h1>My game</h1>{frame}'.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            serving.join()


def looked_at(page: Page, name: str) -> None:
    for window, size in WINDOWS.items():
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"share/{name}-{window}-{scheme}", whole=False)
            assert violations(page) == []
            assert too_wide(page) == []
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def lost_game(page: Page) -> None:
    """A private game against the computer that is over."""
    moves(page, "e4")
    expect(page.locator("#status")).to_have_text("Your turn")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#status")).to_contain_text("resign")


def dialog(page: Page) -> Locator:
    return page.locator("dialog[open]")


def test_a_game_is_shared_opened_framed_and_taken_back(people: Visitors) -> None:
    people.allow("status of 404", "foreign request", "frame-ancestors")
    page = people.arrives("/play/chess?against=bot:1&side=0")
    lost_game(page)
    page.get_by_role("link", name="Share").click()
    expect(dialog(page)).to_contain_text("This game is private")
    looked_at(page, "private")
    dialog(page).get_by_role("button", name="Make a link").click()
    link = dialog(page).get_by_label("Link to this game").input_value()
    frame = dialog(page).get_by_label("HTML of a frame").input_value()
    looked_at(page, "link")

    stranger = people.arrives(link.removeprefix(people.origin))
    expect(stranger.locator("#status")).to_contain_text("resign")
    expect(stranger.locator("#moves a").first).to_have_text("e4")
    stranger.get_by_role("button", name="First position").click()
    expect(stranger.locator('#board [data-at="52"]')).to_have_count(1)
    stranger.get_by_role("button", name="One move on").click()
    expect(stranger.locator('#board [data-at="36"]')).to_have_count(1)
    looked_at(stranger, "shared")
    stranger.get_by_role("link", name="Proof").click()
    expect(stranger.locator("#verdict-text")).to_contain_text("whole")

    with another_site(frame + f'<iframe src="{link}" id="refused" title="refused"></iframe>') as address:
        reader = people.context().new_page()
        reader.goto(address)
        shown = reader.frame_locator("iframe").first
        expect(shown.locator("#status")).to_contain_text("resign")
        shown.get_by_role("button", name="First position").click()
        expect(shown.locator("#at")).to_contain_text("Move 0 of")
        expect(shown.locator('#board [data-at="52"]')).to_have_count(1)
        screenshot(reader, "share/framed", whole=False)
        with reader.expect_popup() as opened:
            shown.get_by_role("link").click()
        assert opened.value.url == link

    alone = people.arrives(f"{link.removeprefix(people.origin)}/embed")
    looked_at(alone, "embed")

    dialog(page).get_by_role("button", name="Take it back").click()
    expect(dialog(page).get_by_role("button", name="Make a link")).to_be_visible()
    stranger.goto(link)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Not Found")


def test_a_phone_sends_the_link_by_its_own_dialog(people: Visitors) -> None:
    page = people.context(**ON_A_PHONE).new_page()
    page.add_init_script("navigator.share = (told) => { window.sent = told.url; return Promise.resolve(); }")
    page.goto(f"{people.origin}/play/chess?against=bot:1&side=0")
    lost_game(page)
    page.get_by_role("link", name="Share").tap()
    dialog(page).get_by_role("button", name="Make a link").tap()
    dialog(page).get_by_role("button", name="Send…").tap()
    assert page.evaluate("window.sent") == dialog(page).get_by_label("Link to this game").input_value()


def test_without_a_script_it_is_a_page_of_forms(people: Visitors) -> None:
    player = people.arrives("/play/chess?against=bot:1&side=0")
    lost_game(player)
    plain = people.context(java_script_enabled=False)
    plain.add_cookies(player.context.cookies())  # type: ignore[arg-type]
    page = plain.new_page()
    page.goto(player.url)
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("code").first).to_contain_text("/shared/")
    looked_at_without(page)
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name="Make a link")).to_be_visible()


def looked_at_without(page: Page) -> None:
    for name, size in WINDOWS.items():
        page.set_viewport_size(size)  # type: ignore[arg-type]
        screenshot(page, f"share/page-{name}", whole=False)
        assert too_wide(page) == []
