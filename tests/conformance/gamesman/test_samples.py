"""The documentation's sample: three games at once, played over HTTP by clients of Python's standard library alone."""

from __future__ import annotations

import http.client
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.conformance.gamesman.served import register
from tests.conformance.servers import fast
from tests.conformance.spec_client import PATIENCE_S

Answer = tuple[str | None, str | None, str | None, str | None]

END: Final = "null"


def post(port: int, kind: str, source: str, dest: str, move: str | None = None) -> Answer:
    """One request; type, move, source and destination of its answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        headers = {"type": kind, "SrcPlayer": source, "DestPlayer": dest} | ({} if move is None else {"Move": move})
        connection.request("POST", "/GamesmanServlet", headers=headers)
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"")
        found = [answer.getheader(name) for name in ("type", "Move", "SrcPlayer", "DestPlayer")]
        return found[0], found[1], found[2], found[3]
    finally:
        connection.close()


def first(port: int, me: str, other: str, moves: list[str]) -> list[Answer]:
    """Plays these moves one after another; too early, it tries again."""
    answers = []
    for move in moves:
        while (answer := post(port, "SendMove", me, other, move))[0] is None:
            pass
        answers.append(answer)
    return answers


def second(port: int, me: str, other: str, moves: list[str], last: str) -> list[Answer]:
    """Initializes, plays these moves, then says the last word."""
    answers = [post(port, "SendMove", me, other)]
    answers += [post(port, "SendMove", me, other, move) for move in moves]
    return [*answers, post(port, last, me, other)]


def test_the_three_concurrent_games(tmp_path: Path) -> None:
    """A set of sample games can be found in server.p2p.P2PTester.java. This contains 3 games that run simultaneously.

    B and A, and D and C: three moves, then GameOver by the one who did not make the last. F and E: a move, then E
    resigns.
    """
    with fast(tmp_path, "http") as running, ThreadPoolExecutor(6) as threads:
        port = running.ports[0]
        for pair in ("BA", "DC", "FE"):
            register(port, "open", *pair)
        plays = {
            "A": threads.submit(second, port, "A", "B", ["AB move 2"], "GameOver"),
            "B": threads.submit(first, port, "B", "A", ["AB move 1", "AB move 3"]),
            "C": threads.submit(second, port, "C", "D", ["CD move 2"], "GameOver"),
            "D": threads.submit(first, port, "D", "C", ["CD move 1", "CD move 3"]),
            "E": threads.submit(second, port, "E", "F", [], "Resign"),
            "F": threads.submit(first, port, "F", "E", ["EF move 1"]),
        }
        heard = {name: play.result(PATIENCE_S) for name, play in plays.items()}
        assert all(post(port, "SendMove", name, "nobody")[0] is None for name in heard)
    for one, other in ("BA", "DC"):
        game = f"{other}{one} move"
        assert heard[other] == [
            ("SendMove", f"{game} 1", one, other),
            ("SendMove", f"{game} 3", one, other),
            ("Ack end", None, other, one),
        ]
        assert heard[one] == [("SendMove", f"{game} 2", other, one), ("SendMove", END, other, one)]
    assert heard["E"] == [("SendMove", "EF move 1", "F", "E"), ("Ack resign", None, "E", "F")]
    assert heard["F"] == [("Resign", None, "E", "F")]
