"""Opens pages in Chromium as people would, each with a profile of their own, and collects what goes wrong there.

    with browser() as chromium, visitors(chromium, port) as people:
        page = people.arrives("/games", color_scheme="dark")
        assert violations(page) == []

Whatever a page writes to its console, every error that leaves a script, every violation of the content security policy
(chromium writes it to the console) and every request to another server is trouble; the test fails at its end.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebError,
    expect,
    sync_playwright,
)

from tests import peers

FLAGS: Final = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
"""It runs as root and in containers, and asks nobody for anything."""

SHELL: Final = "chromium-headless-shell"
"""Chromium without the parts that draw windows: a page costs a third of the processor's time in it."""

PATIENCE_S: Final = 20.0
"""Seconds that a page may take for anything: far longer than it does on idle cores."""

expect.set_options(timeout=PATIENCE_S * 1000)

DESKTOP: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}
NARROW: Final = {"width": 320, "height": 640}
"""Sizes of windows in CSS pixels; 320 is what WCAG 1.4.10 asks for."""

ON_A_PHONE: Final[Mapping[str, Any]] = {
    "viewport": PHONE,
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

SCREENS: Final = peers.ROOT / "build" / "screens"


@contextmanager
def browser(*, notifies: bool = False) -> Iterator[Browser]:
    """Chromium without a window. Playwright's event loop runs in this thread until the block ends.

    ``notifies``: the whole browser, for its shell shows no notices of pages.
    """
    program = peers.program(SHELL if shutil.which(SHELL) and not notifies else "chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield chromium
        finally:
            chromium.close()


class Visitors:
    """``troubles`` is what went wrong in their pages, a line each, but for what is allowed."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self.origin = origin
        self.troubles: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, *patterns: str) -> None:
        """Troubles that a test provokes: regular expressions of lines, whether they have happened or will."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def context(self, **options: Any) -> BrowserContext:
        """A profile without cookies or storage; ``options`` are those of playwright's ``new_context``."""
        context = self._browser.new_context(**({"viewport": DESKTOP, "locale": "en-GB"} | options))
        context.set_default_timeout(PATIENCE_S * 1000)
        context.on("console", self._said)
        context.on("weberror", self._failed)
        context.on("request", self._asked)
        self._contexts.append(context)
        return context

    def arrives(self, path: str = "/", **options: Any) -> Page:
        """A new person's first page."""
        page = self.context(**options).new_page()
        page.goto(self.origin + path)
        return page

    def close(self) -> None:
        """Close all pages; they tell the rest of their troubles."""
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def photographed(self, name: str) -> None:
        """Save what all pages show now."""
        for number, page in enumerate(page for context in self._contexts for page in context.pages):
            screenshot(page, f"{name}-{number}")

    def left(self) -> list[str]:
        """The troubles that are not allowed."""
        return [line for line in self.troubles if not any(pattern.search(line) for pattern in self._allowed)]

    def _said(self, message: ConsoleMessage) -> None:
        where = message.location
        self.troubles.append(f"console {message.type}: {message.text} ({where['url']}:{where['lineNumber']})")

    def _failed(self, error: WebError) -> None:
        self.troubles.append(f"error: {error.error}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "blob:", "about:")):
            self.troubles.append(f"foreign request: {request.url}")


@contextmanager
def visitors(browser: Browser, port: int) -> Iterator[Visitors]:
    """People at the server on ``port``; AssertionError at the end if their pages had trouble."""
    found = Visitors(browser, f"http://127.0.0.1:{port}")
    try:
        yield found
    finally:
        found.close()
    assert not found.left(), "\n".join(found.left())


def violations(page: Page, contrast: bool = True) -> list[str]:
    """List axe's findings against accessibility, a line for each rule and element.

    Without ``contrast``, which takes half of the time: of a page whose colours another view has, too.
    """
    rules = {} if contrast else {"color-contrast": {"enabled": False}}
    found = Axe().run(page, options={"resultTypes": ["violations"], "rules": rules}).response["violations"]
    return [
        f"{rule['id']}: {' '.join(node['target'])}: {' '.join(node.get('failureSummary', '').split())}"
        for rule in found
        for node in rule["nodes"]
    ]


def drawn(page: Page) -> None:
    """Wait until the page has loaded and its scripts have drawn what they will."""
    page.wait_for_load_state("load")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")


def too_wide(page: Page) -> list[str]:
    """The elements that reach beyond the window where the page can be scrolled sideways."""
    beyond = """() => {
        const wide = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= wide) return [];
        return [...document.querySelectorAll("body *")]
            .filter(element => element.getBoundingClientRect().right > wide + 1)
            .map(element => `wider than ${wide}: ${element.tagName} ${element.className}`);
    }"""
    return list(page.evaluate(beyond))


def screenshot(page: Page, name: str, whole: bool = True) -> None:
    """Where BOARDGATE_SCREENS is set, save the page as build/screens/NAME.png; ``whole``: with what one scrolls to.

    Pictures are for people who look at them, and take a fifth of the time of a test of pages.

    On a touch screen the window is made as high as the page. Chromium's picture of a whole page has no touch screen:
    its buttons are smaller than those of the page that was measured, and it ends with the room that they leave.
    """
    if not os.environ.get("BOARDGATE_SCREENS"):
        return
    path = SCREENS / f"{name}.png"
    os.makedirs(path.parent, exist_ok=True)
    window = page.viewport_size
    touched = whole and window is not None and page.evaluate("matchMedia('(pointer: coarse)').matches")
    if window is not None and touched:
        height = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": window["width"], "height": height})
    page.screenshot(path=path, full_page=whole and not touched, animations="disabled")
    if window is not None and touched:
        page.set_viewport_size(window)
