"""Makes the README's picture: ``python -m tests.browser.picture docs/pictures/browser.png``. No test.

A game of chess at five minutes, seen from White's seat in a browser; Black is a client of Bogaprot. The line is the
beginning of the Italian Game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import expect

from tests.browser.visitors import Visitors, browser, visitors
from tests.conformance.brains import settings
from tests.conformance.host import Host
from tests.conformance.players import SpecPlayer
from tests.conformance.servers import fast
from tests.running import RunningServer

HTTP, BOGAPROT = range(2)
LINE: Final = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O a4 a6 Nbd2 Ba7 Re1 Ng4 Re2 Kh8"
WINDOW: Final = {"width": 1180, "height": 760}


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.picture", description="Makes the README's picture.")
    parser.add_argument("file", type=Path)
    asked = parser.parse_args(words)
    with (
        TemporaryDirectory() as folder,
        browser() as chromium,
        fast(Path(folder), "http", "bogaprot") as running,
        visitors(chromium, running.ports[HTTP]) as people,
    ):
        _take(people, running, asked.file)


def _take(people: Visitors, running: RunningServer, file: Path) -> None:
    host = Host(running.ports[HTTP])
    table, tickets = host.registers("chess", "alice", "bob", time="300+3")
    page = people.arrives(f"/seat#{tickets[0]}", viewport=WINDOW)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"**/table/{table}")
    bob = SpecPlayer(running.ports[BOGAPROT], settings("chess"), f"chess#{tickets[1]}")
    host.until(table, "GameStarted")
    for ply, text in enumerate(LINE.split()):
        status, answer = Host(running.ports[HTTP], {"Authorization": f"Ticket {tickets[ply % 2]}"}).ask(
            f"/api/tables/{table}/moves", {"text": text}
        )
        assert status == 200, answer
    expect(page.locator("#moves")).to_contain_text(LINE.split()[-1])
    expect(page.locator(".seat", has_text="bob")).to_contain_text("bogaprot", ignore_case=True)  # how he is connected
    page.screenshot(path=file, animations="disabled")
    bob.close()


if __name__ == "__main__":
    main(sys.argv[1:])
