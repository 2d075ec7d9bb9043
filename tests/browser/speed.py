"""Measures the table's page in chromium against its bars: ``python -m tests.browser.speed``. No test.

Own move to paint: from the release of the mouse until the page has drawn the frame that shows the move; and as the
browser counts it until that frame is seen (Event Timing, in steps of 8 ms, 16 the least). The other side's: from the
moment its client sends it until the page has drawn that frame, on loopback, server included. Loading: a table in play,
the seat known to the browser, nothing in its cache, over slow 4G with the processor slowed down four times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page

from tests.browser.browser_player import BrowserPlayer
from tests.browser.table_page import Mouse
from tests.browser.visitors import Visitors, browser, visitors
from tests.conformance.brains import settings
from tests.conformance.host import Host
from tests.conformance.players import SpecPlayer
from tests.conformance.servers import fast
from tests.running import RunningServer

HTTP, BOGAPROT = range(2)
LISTENERS: Final = ("http", "bogaprot")
GAME: Final = "go"
"""The largest board, and a game in which a game has as many moves as one likes."""

SLOW_4G: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
"""Milliseconds, and bytes a second: 1.6 Mbit/s down, 0.75 up."""

SLOWER: Final = 4
"""How many times slower the processor seems."""

WATCH: Final = """
window.shownAt = [];
window.seen = [];
window.releasedAt = 0;
new PerformanceObserver(list => {
    for (const {name, duration} of list.getEntries()) if (name === "pointerup") seen.push(duration);
}).observe({type: "event", durationThreshold: 16});
addEventListener("pointerup", event => { releasedAt = event.timeStamp; }, true);
addEventListener("DOMContentLoaded", () => {
    const board = document.querySelector("#board");
    let waits = false;
    new MutationObserver(() => {
        if (waits) return;
        waits = true;
        const shown = () => {
            waits = false;
            shownAt.push(performance.now());
        };
        requestAnimationFrame(() => scheduler.postTask(shown, {priority: "user-blocking"}));
    }).observe(board, {childList: true, subtree: true});
});
"""
"""Notes each frame that shows a change of the board, when the page has drawn it: the next task is the first one."""

LOADING: Final = """
window.visibleAt = window.playableAt = 0;
const look = () => {
    const painted = performance.getEntriesByName("first-contentful-paint").length > 0;
    if (!visibleAt && painted && document.querySelector("#board svg")) visibleAt = performance.now();
    if (!playableAt && document.querySelector("#status.mine") && document.querySelector("#board.live.anywhere")) {
        playableAt = performance.now();
    }
    if (!playableAt) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.speed", description="Measures the table's page.")
    parser.add_argument("--moves", type=int, default=100, help="moves of each side")
    parser.add_argument("--loads", type=int, default=5, help="times that the page is loaded")
    asked = parser.parse_args(words)
    if min(asked.moves, asked.loads) < 2:
        parser.error("a median needs two figures at least")
    with TemporaryDirectory() as folder, browser() as chromium, fast(Path(folder), *LISTENERS) as running:
        own, seen, theirs, visible, playable = measured(chromium, running, asked.moves, asked.loads)
    print(f"{'':44}{'median':>9}{'p99':>9}   bar")
    _print("own move to paint, ms", own, "16, 50")
    _print("own move until it is seen, ms", seen, "")
    _print("other side's move to paint, ms", theirs, "20, 60")
    _print("slow 4G, CPU/4: board visible, ms", visible, "1,000")
    _print("slow 4G, CPU/4: playable, ms", playable, "1,500")


def measured(chromium: Browser, running: RunningServer, moves: int, loads: int) -> tuple[list[float], ...]:
    """Milliseconds: own moves until drawn, until seen; the other's; until the board is visible; until playable."""
    with visitors(chromium, running.ports[HTTP]) as people:
        player, other = _seated(people, running)
        own, theirs = _played(player, other, moves)
        page = player.table.page
        seen = [float(duration) for duration in page.evaluate("seen")]
        visible, playable = _loaded(page, loads)
        other.close()
    return own, seen, theirs, visible, playable


def _seated(people: Visitors, running: RunningServer) -> tuple[BrowserPlayer, SpecPlayer]:
    table, tickets = Host(running.ports[HTTP]).registers(GAME, "Kim", "Lee")
    played = settings(GAME)
    player = BrowserPlayer(people, running.ports[HTTP], table, tickets[0], played, Mouse)
    other = SpecPlayer(running.ports[BOGAPROT], played, f"{GAME}#{tickets[1]}")
    player.table.page.context.add_init_script(WATCH)
    player.table.page.reload()
    return player, other


def _played(player: BrowserPlayer, other: SpecPlayer, moves: int) -> tuple[list[float], list[float]]:
    """Both sides place stones at random; milliseconds of each move."""
    page = player.table.page
    own, theirs = list[float](), list[float]()
    player.turn()
    for _ in range(moves):
        other.turn()
        move = other.brain.choose(may_pass=False)
        before = _frames(page)
        player.plays(move)
        own.append(_next_frame(page, before) - float(page.evaluate("releasedAt")))
        player.turn()
        other.turn()
        page.wait_for_timeout(30)  # what the browser still draws of it does not count to the next move
        move = other.brain.choose(may_pass=False)
        before, sent_at = _frames(page), time.time()
        other.plays(move)
        theirs.append(_next_frame(page, before) + float(page.evaluate("performance.timeOrigin")) - 1000 * sent_at)
        player.turn()
    return own, theirs


def _frames(page: Page) -> int:
    return int(page.evaluate("shownAt.length"))


def _next_frame(page: Page, before: int) -> float:
    """When the first frame after so many was painted, by the page's clock."""
    page.wait_for_function("before => shownAt.length > before", arg=before)
    return float(page.evaluate("before => shownAt[before]", before))


def _loaded(page: Page, loads: int) -> tuple[list[float], list[float]]:
    page.context.add_init_script(LOADING)
    client = page.context.new_cdp_session(page)
    _ask(client, "Network.enable")
    _ask(client, "Network.emulateNetworkConditions", **SLOW_4G)
    _ask(client, "Emulation.setCPUThrottlingRate", rate=SLOWER)
    visible, playable = list[float](), list[float]()
    for _ in range(loads):
        _ask(client, "Network.clearBrowserCache")
        page.reload(wait_until="commit")
        page.wait_for_function("() => playableAt > 0")
        visible.append(float(page.evaluate("visibleAt")))
        playable.append(float(page.evaluate("playableAt")))
    return visible, playable


def _ask(client: CDPSession, method: str, **parameters: Any) -> None:
    client.send(method, parameters)


def _print(what: str, found: Sequence[float], bar: str) -> None:
    parts = quantiles(found, n=100, method="inclusive")
    print(f"{what:44}{parts[49]:9.1f}{parts[98]:9.1f}   {bar}")


if __name__ == "__main__":
    main(sys.argv[1:])
