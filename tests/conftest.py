"""What all tests share: a log as it comes, and the hypothesis profiles, chosen by HYPOTHESIS_PROFILE.

default   100 examples a property, always the same ones, so that a run says the same twice
nightly   100,000 examples where a property fuzzes a dialect (FUZZ), 2,000 elsewhere, different ones each night
"""

from __future__ import annotations

import os
from typing import Final

import pytest
import structlog
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("default", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    max_examples=2_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

TOGETHER: Final = ("compose", "systemd", "relay_networks")
"""Folders whose tests share what takes long to make: containers, a system, networks."""


class Together(LoadScopeScheduling):
    """Where several processes share the tests, those of a file, or of a folder that shares something, stay together."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((name for name in TOGETHER if f"/{name}/" in file), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Together:
    """The scheduler of ``pytest --numprocesses N``."""
    return Together(config, log)


def pytest_runtest_teardown() -> None:
    """A command that ran inside a test has set up its log; the next test finds it as it comes."""
    structlog.reset_defaults()
