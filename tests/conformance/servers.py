"""Starts the servers of these tests: without house bots unless a test wants them, and with wide rate limits."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from tests.running import RunningServer, server

FAST: Final = {
    "SEATS_BOT_AFTER": "never",
    "BOTS_WORKERS": "0",
    "LIMITS_MESSAGES_PER_SECOND": "100000",
    "LIMITS_MESSAGES_BURST": "100000",
    "LIMITS_SAYINGS_BURST": "100000",
    "LIMITS_STORED_PER_MINUTE": "1000000000000",
    "LIMITS_UNKNOWN_TICKETS": "100000",
    "LIMITS_OPEN_TABLES_PER_ADDRESS": "100000",
    "LIMITS_LEFT_GAMES_PER_ADDRESS": "100000",
    "LIMITS_CONNECTIONS_PER_ADDRESS": "1000",
}
"""For players who need no time to think."""


def fast(
    data: Path, *listeners: str, ports: Mapping[int, int] | None = None, **settings: str
) -> AbstractContextManager[RunningServer]:
    """As ``tests.running.server``; ``settings`` go before FAST."""
    return server(data, *listeners, ports=ports, **(FAST | settings))
