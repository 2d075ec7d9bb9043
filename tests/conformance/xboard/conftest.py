"""One virtual screen for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.xboard.programs import virtual_screen


@pytest.fixture(scope="package")
def display() -> Iterator[str]:
    with virtual_screen() as name:
        yield name
