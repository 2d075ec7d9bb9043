"""A chromium and a server for the tests of a file, and people for each test.

The browser ends with the file, for tests of other files run loops of asyncio in the same process.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.visitors import Visitors, browser, visitors
from tests.conformance.servers import fast
from tests.running import RunningServer

LISTENERS = ("http",)
"""Listeners of the server, unless a file says others: its own LISTENERS, the one for pages first."""


@pytest.fixture(scope="module")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser that shows notices where the file's NOTIFIES is True."""
    with browser(notifies=getattr(request.module, "NOTIFIES", False)) as found:
        yield found


@pytest.fixture(scope="module")
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of the file's LISTENERS and SETTINGS."""
    listeners = getattr(request.module, "LISTENERS", LISTENERS)
    settings = getattr(request.module, "SETTINGS", {})
    with fast(Path(tmp_path_factory.mktemp("data")), *listeners, **settings) as found:
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Screenshots of the pages of a test that fails are taken before they are closed."""
    report = yield
    if report.failed and report.when == "call":
        for found in getattr(item, "funcargs", {}).values():
            if isinstance(found, Visitors):
                found.photographed(f"failed/{re.sub('[^a-z0-9]+', '-', item.name.lower())}")
    return report


@pytest.fixture
def people(chromium: Browser, running: RunningServer) -> Iterator[Visitors]:
    """Fails the test if a page of theirs had trouble."""
    with visitors(chromium, running.ports[0]) as found:
        yield found
