"""The harness: what goes wrong in a page fails the test."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Route

from tests import peers
from tests.browser.visitors import Visitors, browser, screenshot, violations, visitors
from tests.running import RunningServer

pytestmark = peers.needed

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
    " require-trusted-types-for 'script'"
)
PAGE = '<!doctype html><html lang="en"><title>T</title>{head}<body><main><h1>T</h1>{body}</main></body></html>'


def shown(people: Visitors, head: str = "", body: str = "", script: str = "") -> Page:
    """A page of these parts at the server's address; ``script`` is what /made.js says."""

    def answer(route: Route) -> None:
        if route.request.url.endswith("/made.js"):
            route.fulfill(body=script, content_type="text/javascript")
        elif route.request.url.endswith("/made"):
            html = PAGE.format(head=head + '<script src="/made.js"></script><link rel="icon" href="data:,">', body=body)
            route.fulfill(body=html, content_type="text/html", headers={"content-security-policy": POLICY})
        else:
            route.abort()

    context = people.context()
    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{people.origin}/made")
    return page


def test_a_quiet_page_is_no_trouble(people: Visitors) -> None:
    assert violations(shown(people)) == []
    people.close()
    assert people.troubles == []


@pytest.mark.parametrize(
    ("head", "body", "script", "trouble"),
    [
        ("", "", "console.log('hello')", "console log: hello"),
        ("", "", "missing()", "missing is not defined"),
        ("", "", "setTimeout(() => missing(), 0)", "missing is not defined"),
        ("", "", "Promise.reject(new Error('nobody waits'))", "nobody waits"),
        ("", "", "document.head.innerHTML = 'x'", "TrustedHTML"),
        ("", '<p style="color: red">x</p>', "", "Content Security Policy"),
        ("<script>1</script>", "", "", "Content Security Policy"),
        ("", "", "fetch('http://127.0.0.1:9/').catch(() => 0)", "Content Security Policy"),
        ("", "", "location.href = 'http://127.0.0.1:9/'", "foreign request: http://127.0.0.1:9/"),
    ],
)
def test_what_goes_wrong_in_a_page_is_trouble(
    chromium: Browser, running: RunningServer, head: str, body: str, script: str, trouble: str
) -> None:
    with pytest.raises(AssertionError, match=trouble), visitors(chromium, running.ports[0]) as people:
        shown(people, head, body, script).wait_for_timeout(100)


def test_what_a_test_provokes_is_allowed(people: Visitors) -> None:
    people.allow("console log: hel+o")
    shown(people, script="console.log('hello')")
    people.close()
    assert len(people.troubles) == 1


def test_axe_names_the_rule_and_the_element(people: Visitors) -> None:
    found = violations(shown(people, body="<button></button>"))
    assert [line.split(": ")[:2] for line in found] == [["button-name", "button"]]


def test_an_image_of_a_page_is_saved_where_it_is_asked_for(
    people: Visitors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.visitors.SCREENS", tmp_path)
    page = shown(people, body="<p>seen</p>")
    monkeypatch.delenv("BOARDGATE_SCREENS", raising=False)
    screenshot(page, "harness/page")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("BOARDGATE_SCREENS", "1")
    screenshot(page, "harness/page")
    assert (tmp_path / "harness" / "page.png").read_bytes().startswith(b"\x89PNG")


def test_one_thread_has_one_browser(people: Visitors) -> None:
    """While it is open a loop of asyncio counts as running in this thread: no other one could run in it."""
    with pytest.raises(Error, match="inside the asyncio loop"), browser():
        pass
