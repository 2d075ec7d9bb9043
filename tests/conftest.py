"""What all tests share: a log as it comes, and the hypothesis profiles, chosen by HYPOTHESIS_PROFILE.

default   100 examples a property, always the same ones, so that a run says the same twice
nightly   100,000 examples where a property fuzzes a dialect (FUZZ), 2,000 elsewhere, different ones each night
"""

from __future__ import annotations

import os

import structlog
from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "nightly",
    max_examples=2_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_runtest_teardown() -> None:
    """A command that ran inside a test has set up its log; the next test finds it as it comes."""
    structlog.reset_defaults()
