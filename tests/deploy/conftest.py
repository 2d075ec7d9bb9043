"""Every test of this folder talks to programs of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import peers


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(peers.needed)
