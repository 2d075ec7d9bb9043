"""Measures what a list of a hundred thousand rated players takes to answer, over HTTP, with all of them ranked or none.

The ratings are this measurement's own, stored as the fold of results stores them.
"""

from __future__ import annotations

import http.client
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import delete, insert, text

from bench import process
from bench.load import Count, Progress
from bench.pairs import DIAL_S, Stuck
from gateway.ratings.book import Standing, ranked_until
from gateway.store import rating_rows
from gateway.store.engine import writer_engine
from gateway.store.rating_schema import rating_standings, rating_versions
from migrations import upgrade

POOL: Final = "chess/normal"
SHARES: Final = (1.0, 0.2, 0.0)
"""Of the players, who have a place: all, as many as on a server that lives, nobody."""

PATHS: Final = {
    "the list": f"/api/ratings?pool={POOL}",
    "the others": f"/api/ratings?pool={POOL}&list=others",
    "the page": f"/ratings?pool={POOL}",
}

AT_ONCE: Final = 2000
"""Rows of one statement."""

AWAY_S: Final = 5 * 86_400.0
"""Seconds ago at most that a player has played."""


@dataclass(slots=True)
class Board:
    """``answers`` are the times for one of PATHS, ``what``, where a ``share`` of the ``players`` has a place."""

    database: str
    players: int
    share: float
    what: str
    answers: Count = field(default_factory=Count)


def boards(players: int, seconds: float, postgresql: bool, progress: Progress) -> list[Board]:
    """Ask for each for so many ``seconds`` in all. bench.postgresql.NotInstalled."""
    found: list[Board] = []
    with database(postgresql) as (url, data):
        upgrade(url)
        for at, share in enumerate(SHARES):
            _fill(url, players, share)
            progress((at + 0.8) / len(SHARES))
            with process.serving("http=127.0.0.1:0", data=data, database=url) as (web,):
                for what, path in PATHS.items():
                    board = Board("PostgreSQL" if postgresql else "SQLite", players, share, what)
                    _ask(board, web, path, seconds / len(PATHS) / len(SHARES))
                    found.append(board)
    progress(1.0)
    return found


@contextmanager
def database(postgresql: bool) -> Iterator[tuple[str, str]]:
    """An empty database's URL, and the folder of the server that has it."""
    with tempfile.TemporaryDirectory(prefix="boardgate-bench-") as data:
        if not postgresql:
            yield f"sqlite:///{Path(data) / 'boardgate.db'}", data
            return
        with process.postgresql() as server:
            yield server.create("boardgate"), data


def _fill(url: str, players: int, share: float) -> None:
    """The standings of so many players in one pool, in place of those before."""
    chance, now, engine = random.Random(players), time.time(), writer_engine(url)
    try:
        with engine.begin() as connection:
            connection.execute(delete(rating_standings))
            connection.execute(delete(rating_versions))
            follows_from = rating_rows.basis({}, ())
            row = {"version": 1, "made_at": now, "basis": follows_from, "ordinal": 0, "current": True}
            connection.execute(insert(rating_versions).values(row))
            for first in range(0, players, AT_ONCE):
                rows = [_row(chance, number, share, now) for number in range(first, min(players, first + AT_ONCE))]
                connection.execute(insert(rating_standings), rows)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE" if url.startswith("sqlite") else "VACUUM ANALYZE"))
    finally:
        engine.dispose()


def _row(chance: random.Random, number: int, share: float, now: float) -> dict[str, object]:
    rd = 60.0 if chance.random() < share else 200.0
    at = now - chance.random() * AWAY_S
    standing = Standing(chance.gauss(1500.0, 300.0), rd, 0.06, at, 40)
    player = {"version": 1, "pool": POOL, "account": f"player{number}", "engine": ""}
    return {**player, **standing._asdict(), "ranked_until": ranked_until(POOL, standing)}


def _ask(board: Board, web: process.Server, path: str, seconds: float) -> None:
    """One request after the other. Stuck: one is not answered."""
    visitor = http.client.HTTPConnection(*web.address, timeout=DIAL_S)
    _answer(visitor, path)  # what is made once is not counted
    begun = time.perf_counter()
    while time.perf_counter() < begun + seconds or not board.answers.latencies:
        asked = time.perf_counter()
        _answer(visitor, path)
        board.answers.latencies.append(time.perf_counter() - asked)
    visitor.close()


def _answer(visitor: http.client.HTTPConnection, path: str) -> None:
    visitor.request("GET", path, headers={"Accept-Encoding": "gzip", "Accept": "text/html"})
    answer = visitor.getresponse()
    answer.read()
    if answer.status != http.client.OK:
        raise Stuck(f"{path} answers {answer.status}")
