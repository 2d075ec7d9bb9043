"""Measures what an analysis of a finished game costs other tables: the time of their moves with and without it.

By turns in one run: tables alone, then the same while an engine looks at a game. Server and engine share a core.
"""

from __future__ import annotations

import http.client
import json
import select
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from bench import process, scripts
from bench.load import Count, Load, Progress
from bench.measure import WARM_S
from bench.pairs import DIAL_S, RECEIVE, BogaprotPair, Stuck
from bench.web_pair import WebPair, framed
from protocols.core.model import Move

GAMES: Final = ("checkers", "chess")
"""Looked at by the server's own search, and by an engine where there is one."""

MOVES: Final = 40
"""Moves of a game that is looked at: it takes longer than a turn."""

TURN_S: Final = 8.0
"""Seconds of each kind of turn."""

OTHERS_S: Final = 1.0
"""Seconds between two moves of every table."""

SEED: Final = 2
"""Other games than the tables play: nothing is said of a position at which a running game stands."""

LOOK_S: Final = 0.1
"""Seconds between two looks whether an analysis has begun, or is done."""


@dataclass(slots=True)
class Beside:
    """The moves of ``tables``, ``calm`` and while ``engine`` looked at games; no ``engine``: none knows the game."""

    game: str
    tables: int
    engine: str = ""
    calm: Count = field(default_factory=Count)
    disturbed: Count = field(default_factory=Count)


class CheckersPages(WebPair):
    """Two pages at checkers."""

    game = "checkers"
    join: ClassVar[dict[str, object]] = {"type": "join", "game": game}


_PAGES: Final[dict[str, type[WebPair]]] = {"checkers": CheckersPages, "chess": WebPair}


def beside(tables: int, seconds: float, progress: Progress) -> list[Beside]:
    """``tables`` alone and beside analyses of each of GAMES, for so many ``seconds`` each."""
    found = [Beside(game, tables) for game in GAMES]
    games = BogaprotPair.script(scripts.games(BogaprotPair.game))
    rounds = max(1, round(seconds / TURN_S))
    finished = {game: scripts.games(game, SEED, rounds) for game in GAMES}
    listeners = (
        "http=127.0.0.1:0",
        f"{BogaprotPair.dialect}=127.0.0.1:0,game=checkers,bot_after=never",
    )
    with process.serving(*listeners, BOARDGATE_BOTS_WORKERS="1") as (web, players):
        load = Load([BogaprotPair(players.address, games, number) for number in range(tables)], OTHERS_S)
        try:
            load.connect(lambda share: progress(0.1 * share))
            load.run(WARM_S, lambda share: None)
            for number in range(rounds):
                for one in found:
                    table = _finished(web.address, one.game, finished[one.game][number][:MOVES])
                    one.calm.add(load.run(TURN_S, lambda share: None))
                    _turn(one, load, web.address, table)
                progress(0.1 + 0.9 * (number + 1) / rounds)
        finally:
            load.close()
    return found


def _turn(found: Beside, load: Load, address: tuple[str, int], table: int) -> None:
    told = _analysis(address, table, "POST")
    if told is None:
        return
    while told["state"] == "waiting":
        time.sleep(LOOK_S)
        told = _analysis(address, table) or told
    found.disturbed.add(load.run(TURN_S, lambda share: None))
    while told["state"] == "running":
        load.run(LOOK_S, lambda share: None)
        told = _analysis(address, table) or told
    if told["result"] is None:
        raise Stuck(f"the game was not analysed: {told['why']}")
    found.engine = told["result"]["engine"]


def _analysis(address: tuple[str, int], table: int, method: str = "GET") -> dict[str, Any] | None:
    """The answer of the API; None: no engine here knows the game. Stuck: it is refused."""
    asked = http.client.HTTPConnection(*address, timeout=DIAL_S)
    try:
        asked.request(method, f"/api/tables/{table}/analysis", headers={"Content-Length": "0"})
        answer = asked.getresponse()
        told: dict[str, Any] = json.loads(answer.read())
    finally:
        asked.close()
    if answer.status == http.client.NOT_IMPLEMENTED:
        return None
    if answer.status >= http.client.BAD_REQUEST:
        raise Stuck(f"no analysis: {told['message']}")
    return told


def _finished(address: tuple[str, int], game: str, moves: Sequence[Move]) -> int:
    """Play these moves and give the game up; the number of its table. Stuck."""
    pages = _PAGES[game]
    pair = pages(address, pages.script([moves]), 0)
    for _ in range(2):
        pair.dial()
    heard, left = [b"", b""], len(moves)
    while True:
        client = _speaks(pair, heard)
        turn = pair.turn(client, heard[client])
        if turn is None:
            break
        if turn:
            heard[client] = b""
            pair.clients[client].send(pair.move() if left else framed({"type": "resign"}))
            left -= 1
    pair.close()
    return pair.table


def _speaks(pair: WebPair, heard: list[bytes]) -> int:
    """The client to whom the server has said something, which is added to what it ``heard``."""
    said, _, _ = select.select(pair.clients, [], [], DIAL_S)
    received = said[0].recv(RECEIVE) if said else b""
    if not received:
        raise Stuck("the server hung up, or says nothing")
    client = pair.clients.index(said[0])
    heard[client] += received
    pair.seated(received)
    return client
