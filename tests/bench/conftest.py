"""PostgreSQL for the tests that measure on a server of the benchmark's own."""

from __future__ import annotations

import pytest

from bench import postgresql
from tests import peers


@pytest.fixture
def pg_ctl() -> None:
    """Skips the test where PostgreSQL's server is not installed, or fails it where peers are required."""
    try:
        postgresql.pg_ctl()
    except postgresql.NotInstalled as missing:
        peers.missing(str(missing))
