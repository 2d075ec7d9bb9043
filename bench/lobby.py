"""Measures the lobby's page: what it costs the server where many tables are played and as many players wait."""

from __future__ import annotations

import http.client
import socket
import time
from dataclasses import dataclass, field

from bench import process, scripts
from bench.load import Count, Load, Progress
from bench.pairs import DIAL_S, RECEIVE, BogaprotPair, Stuck
from bench.web_pair import SEATED, connected, framed, hello


@dataclass(slots=True)
class Listed:
    """``page_s`` is the server's processor time for a page; ``answers`` how long a visitor waited for each.

    ``bytes_each`` is the page as it travels, packed.
    """

    tables: int
    waiting: int
    page_s: float = 0.0
    bytes_each: int = 0
    answers: Count = field(default_factory=Count)


def listed(tables: int, seconds: float, progress: Progress) -> Listed:
    """Ask for the page for so many ``seconds``, one request after the other, while nobody moves."""
    found = Listed(tables, tables)
    games = BogaprotPair.script(scripts.games(BogaprotPair.game))
    listeners = ("http=127.0.0.1:0", f"{BogaprotPair.dialect}=127.0.0.1:0,{BogaprotPair.listener}")
    with process.serving(*listeners) as (web, players):
        load = Load([BogaprotPair(players.address, games, number) for number in range(tables)])
        waiting: list[socket.socket] = []
        try:
            load.connect(lambda share: progress(0.4 * share))
            for number in range(tables):
                waiting.append(_waits(web.address, number))
                progress(0.4 + 0.4 * number / tables)
            _visit(found, web, seconds)
        finally:
            load.close()
            for client in waiting:
                client.close()
    return found


def _waits(address: tuple[str, int], number: int) -> socket.socket:
    """A player whose wishes are nobody else's. Stuck."""
    wishes: dict[str, object] = {"type": "join", "game": "chess", "time": f"{60 + number}+1"}
    client = connected(address, hello(), framed(wishes))
    said = b""
    while SEATED not in said:
        if not (received := client.recv(RECEIVE)):
            raise Stuck("the server hung up")
        said += received
    return client


def _visit(found: Listed, web: process.Server, seconds: float) -> None:
    visitor = http.client.HTTPConnection(*web.address, timeout=DIAL_S)
    pages = 0
    _page(visitor)  # what is made once is not counted
    before, begun = web.processor_s(), time.perf_counter()
    while time.perf_counter() < begun + seconds:
        asked = time.perf_counter()
        found.bytes_each = _page(visitor)
        found.answers.latencies.append(time.perf_counter() - asked)
        pages += 1
    found.page_s = (web.processor_s() - before) / pages
    visitor.close()


def _page(visitor: http.client.HTTPConnection) -> int:
    """The bytes of the page. Stuck: there is none."""
    visitor.request("GET", "/", headers={"Accept-Encoding": "gzip", "Accept": "text/html"})
    answer = visitor.getresponse()
    body = answer.read()
    if answer.status != http.client.OK:
        raise Stuck(f"the lobby answers {answer.status}")
    return len(body)
