"""``boardgate serve`` tells the host of a report by mail, and shows that it waits."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from tests.push.mail_room import PAGES, mail_room
from tests.running import server
from tests.web.browsing import asked
from tests.web.person import Person

PATIENCE_S = 60.0


async def figure(port: int, name: str) -> float:
    (found,) = re.findall(rf"^{name} (\S+)$", (await asked(port, "/metrics")).text, re.MULTILINE)
    return float(found)


async def test_a_report_of_a_person_reaches_the_hosts_mailbox_and_the_figures(tmp_path: Path) -> None:
    with mail_room() as room:
        mail: dict[str, Any] = {f"MAIL_{name.upper()}": str(value) for name, value in room.settings().items()}
        with server(tmp_path, "http", BOT="none", REPORTS_MAIL="host@x.example", **mail) as running:
            (port,) = running.ports
            assert (await Person(port).send("/report", player="Eve", text="says bad things")).status == 200
            letter = room.next()
            assert letter["To"] == "host@x.example"
            assert f"{PAGES}/host/reports" in letter.get_content()
            ends = time.monotonic() + PATIENCE_S
            while not await figure(port, "boardgate_reports_open"):
                assert time.monotonic() < ends, running.log.read_text()
            assert await figure(port, "boardgate_reports_open") == 1
            assert await figure(port, "boardgate_reports_oldest_seconds") > 0
            assert running.stop() == 0
