"""Prepares every test: resets the log, refuses unmarked programs of others, prints a last line, sets hypothesis up.

HYPOTHESIS_PROFILE chooses one:

default   30 examples a property, always the same ones, so that a run says the same twice
nightly   20,000 examples where a property fuzzes a dialect (FUZZ), 1,000 elsewhere, different ones each night
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest
import structlog
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests import peers

settings.register_profile("default", max_examples=30, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    max_examples=1_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
sys.addaudithook(peers.audit)

sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
"""jsonschema would load it to check IRIs, which no schema here has: its 38 grammars take 1.6 s of each process."""

TOGETHER: Final = ("compose", "systemd", "relay_networks")
"""Folders whose tests share containers, a system or networks, which take long to make."""

CELLS: Final = "matrix/test_cells.py"
"""The file whose tests have a server a game."""

LEFT_OUT: Final = {
    "nightly": "long comparisons (make nightly)",
    "peers": "that talk to programs of others (make test-peers)",
    "": "that need nothing but Python (make test)",
}
"""Kinds of tests by their mark; a test counts as the first kind that fits."""

_left_out: Final = Counter[str]()
"""The number of tests of each kind that this run has left out."""


class Together(LoadScopeScheduling):
    """Keeps the tests of a file, of a folder or of a game that share something, in one process."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if file.endswith(CELLS):
            return test.partition("-")[0]  # the name of a cell begins with its game
        return next((name for name in TOGETHER if f"/{name}/" in file), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together | None:
    """The scheduler of ``pytest --numprocesses N``, unless ``--dist worksteal`` asks for single tests."""
    return None if config.getoption("dist") == "worksteal" else Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Only a test with the mark talks to programs of others (tests/peers.py)."""
    with peers.watched(allowed=item.get_closest_marker("peers") is not None):
        return (yield)


def pytest_runtest_teardown() -> None:
    """A command that ran inside a test has set up its log; the next test finds it as it comes."""
    structlog.reset_defaults()


def pytest_deselected(items: Iterable[pytest.Item]) -> None:
    """Count the tests that ``-m`` leaves out."""
    _left_out.update(next(mark for mark in LEFT_OUT if not mark or item.get_closest_marker(mark)) for item in items)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of xdist hands its count to the process that prints."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects all tests, so that one count is enough."""
    _left_out.clear()
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Print the number of tests that the run has left out as its last line."""
    if (terminal := config.pluginmanager.get_plugin("terminalreporter")) is not None:
        skipped = [(len(terminal.stats.get("skipped", [])), "skipped (-rs says why)")]
        parts = [*((_left_out[mark], kind) for mark, kind in LEFT_OUT.items()), *skipped]
        said = ", ".join(f"{count} {kind}" for count, kind in parts if count)
        terminal.write_line(f"left out: {said or 'nothing'}")
