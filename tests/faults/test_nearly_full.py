"""A server whose disk is nearly full reports it on /readyz and in the log, and goes on serving."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from tests.conformance.chess_guests import LISTENERS, room
from tests.conformance.servers import fast
from tests.faults.databases import unharmed
from tests.faults.test_drain import readyz

HUGE: Final = 1 << 62
LOOK_S: Final = 20.0
"""Seconds until it has looked."""


def test_a_server_whose_disk_is_nearly_full_says_so_and_serves_on(tmp_path: Path) -> None:
    with fast(tmp_path, *LISTENERS, "http", ports=None, RECORD_LEAST_FREE=str(HUGE)) as running, room(running) as here:
        pia, mia = here.mixed()
        patience = time.monotonic() + LOOK_S
        while readyz(running) == (200, []) and time.monotonic() < patience:
            time.sleep(0.05)
        status, (reason,) = readyz(running)
        assert status == 503
        assert reason.endswith(f"less than {HUGE >> 20}")
        assert 'event="the disk is nearly full"' in running.log.read_text()
        mia.say("move e7-e5")
        pia.until("move e7e5")
        assert unharmed(running)
