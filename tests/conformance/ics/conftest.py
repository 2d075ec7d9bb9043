"""Clients of a chess server's port, which go when a test ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.ics.clients import Come, IcsClient
from tests.running import RunningServer


@pytest.fixture
def comes(running: RunningServer) -> Iterator[Come]:
    """Clients that have come to the first listener: as a guest, or as an account."""
    came: list[IcsClient] = []

    def come(name: str = "guest", password: str = "", *, seals: bool = False) -> IcsClient:
        came.append(IcsClient(running.ports[0], seals=seals))
        return came[-1].comes(name, password)

    yield come
    for one in came:
        one.close()
