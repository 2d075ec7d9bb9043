"""The pages as an app: what browsers ask for to install it, and what it shows while the server cannot be reached."""

from __future__ import annotations

import json
import re
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect
from starlette.requests import Request
from starlette.responses import Response

from gateway.web.pages import assets
from gateway.web.pages.frame import Frame
from tests import peers
from tests.browser.test_seats import SETTINGS, logged_in
from tests.browser.test_two_people import LINES_FAIL, moves
from tests.browser.visitors import NARROW, PHONE, Visitors, screenshot, too_wide, violations, visitors
from tests.conformance.figures import until
from tests.conformance.servers import fast
from tests.running import changed

__all__ = ["SETTINGS"]

pytestmark = peers.needed

WORKS: Final = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) {
        await new Promise(done => navigator.serviceWorker.addEventListener("controllerchange", done, {once: true}));
    }
}"""
"""Waits until the page has its service worker."""

STORED: Final = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        found[name] = (await (await caches.open(name)).keys()).map(({url}) => new URL(url).pathname);
    }
    return found;
}"""
"""The contents of the caches, by their names."""


MATCHED: Final = """(kind) => performance.getEntriesByType(kind)
    .filter(({name}) => kind !== "resource" || name.endsWith(".js"))
    .map(({workerMatchedSourceType}) => workerMatchedSourceType)"""
"""By which of the worker's routes the page came, or its scripts."""


def with_another_word() -> None:
    """The scripts of a newer server say one thing more."""
    usual = assets._read

    def read(path: Path) -> assets.Asset:
        found = usual(path)
        if path.name == "lobby.js":
            return assets._asset(".js", found.content + b'document.documentElement.dataset.newer = "yes";\n')
        return found

    assets._read = read


def noting_pages(asked: Path) -> None:
    """The path of each page that the server is asked for becomes a line of a file."""
    usual = Frame.written

    def written(frame: Frame, request: Request, *rest: Any) -> Response:
        with asked.open("a") as lines:
            lines.write(f"{request.url.path}\n")
        return usual(frame, request, *rest)

    Frame.written = written  # type: ignore[assignment, method-assign]


def plays(people: Visitors, page: Page) -> str:
    """A game with the computer at which one move has been made; its path."""
    page.goto(f"{people.origin}/play/chess?against=bot:1&side=0&time=300%2B3")
    if (sits := page.get_by_role("button", name="Sit down")).is_visible():
        sits.click()
    moves(page, "e4")
    expect(page.locator("#status")).to_have_text("Your turn")
    return page.url.removeprefix(people.origin)


def seen(page: Page, path: str) -> None:
    """Wait until the page that was shown there is kept."""
    until(partial(page.evaluate, f"async () => !!await (await caches.open('seen')).match({json.dumps(path)})"), bool)


def belongs_to(page: Page, who: str) -> None:
    """Wait until the worker knows whose pages it keeps: those of an account, a guest, or "/", of nobody."""
    owner = "async () => (await (await caches.open('seen')).match('/who'))?.text()"
    until(partial(page.evaluate, owner), partial(eq, who))


def test_chromium_finds_nothing_that_hinders_an_installation(people: Visitors) -> None:
    page = people.arrives("/")
    devtools = page.context.new_cdp_session(page)
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    assert [icon["sizes"] for icon in json.loads(told["data"])["icons"]] == ["192x192", "512x512", "512x512"]
    hindered = {error["errorId"] for error in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert hindered <= {"in-incognito"}
    assert not page.evaluate("navigator.serviceWorker.getRegistration()")


def test_boards_are_shown_as_they_were_last_seen_and_a_newer_server_is_believed_at_once(
    chromium: Browser, tmp_path: Path
) -> None:
    with fast(tmp_path, "http", ports=None, **SETTINGS) as first, visitors(chromium, first.ports[0]) as people:
        people.allow(*LINES_FAIL)
        page = people.arrives("/")
        table = plays(people, page)
        page.goto(people.origin)
        page.evaluate(WORKS)
        expect(page.locator("#yours .mini")).to_contain_text("Your move")
        page.goto(people.origin + table)
        expect(page.locator("#status")).to_have_text("Your turn")
        board = page.locator("#board svg").first.inner_html()
        first.kill()

        page.goto(people.origin)
        expect(page.get_by_text("You are off line. This is what was here on")).to_be_visible()
        expect(page.locator("#yours .mini")).to_contain_text("Your move")
        looked_at(page, "lobby")
        page.locator("#yours .mini a").click()
        expect(page.locator(".offline")).to_be_visible()
        assert page.locator("#board svg").first.inner_html() == board
        looked_at(page, "table")
        assert page.evaluate("document.scripts.length") == 0
        page.goto(f"{people.origin}/people")
        expect(page.get_by_role("heading", name="You are off line")).to_be_visible()
        expect(page.locator("main .list a")).to_have_count(2)
        looked_at(page, "never-seen")
        before = page.evaluate(STORED)

        with changed(with_another_word), fast(tmp_path, "http", ports={0: first.ports[0]}, **SETTINGS):
            page.goto(people.origin)
            expect(page.locator("html")).to_have_attribute("data-newer", "yes")
            expect(page.locator(".offline")).to_have_count(0)
            page.wait_for_function(
                "async (old) => { const all = await caches.keys(); return all.length === 2 && !all.includes(old); }",
                arg=next(name for name in before if name.startswith("shell")),
            )
            files = [path for paths in page.evaluate(STORED).values() for path in paths]
            assert not [path for path in files if path.endswith(".js")]


def test_who_logs_out_leaves_no_page_behind(chromium: Browser, tmp_path: Path) -> None:
    with fast(tmp_path, "http", ports=None, **SETTINGS) as running, visitors(chromium, running.ports[0]) as people:
        people.allow(*LINES_FAIL)
        page = logged_in(people, "Ada", "/register")
        page.evaluate(WORKS)
        table = plays(people, page)
        other = page.context.new_page()
        other.goto(f"{people.origin}/yours")
        page.goto(f"{people.origin}/account")
        seen(page, table)
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("heading", name="Play now")).to_be_visible()
        belongs_to(page, "/")
        other.close(run_before_unload=True)
        page.goto(f"{people.origin}/games")
        running.kill()
        for path in (table, "/yours"):
            page.goto(people.origin + path)
            expect(page.get_by_role("heading", name="You are off line")).to_be_visible()
            expect(page.locator("main")).not_to_contain_text("Ada")
        page.goto(people.origin)
        expect(page.locator(".offline")).to_contain_text(re.compile(r"You are off line\. This is what was here on"))
        expect(page.locator("body")).not_to_contain_text("Ada")


def test_a_page_waits_for_no_worker_and_is_asked_for_once(chromium: Browser, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    with (
        changed(partial(noting_pages, asked)),
        fast(tmp_path, "http", ports=None, **SETTINGS) as running,
        visitors(chromium, running.ports[0]) as people,
    ):
        page = logged_in(people, "Ada", "/register")
        page.evaluate(WORKS)
        asked.write_text("")
        for path in ("/people", "/games", "/people"):
            page.goto(people.origin + path)
            assert page.evaluate(MATCHED, "navigation") == ["race-network-and-fetch-handler"]
        assert set(page.evaluate(MATCHED, "resource")) == {"network"}
        assert asked.read_text().split() == ["/people", "/games", "/people"]


def looked_at(page: Page, name: str) -> None:
    for window, size in (("desktop", None), ("phone", PHONE), ("narrow", NARROW)):
        if size:
            page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"offline/{name}-{window}-{scheme}")
        assert too_wide(page) == []
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
