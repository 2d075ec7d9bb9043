"""Rated games over the wire: accounts log in, play, and their ratings move, also where the server dies at the end."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from gateway.store.accounts import SqlAccounts
from gateway.store.rating_views import RatingViews
from tests.conformance.chess_players import Lines
from tests.conformance.spec_client import PATIENCE_S
from tests.passwords import hashed
from tests.running import RECORD, RunningServer, made_record, server

PASSWORD = "correct horse"
MATE = ("f2-f3", "e7-e5", "g2-g4", "d8-h4")


class Account(Lines):
    """An account at telnet, at an address of its own: who shares one may be taken for friends."""

    def __init__(self, running: RunningServer, name: str, address: str) -> None:
        self._sock = socket.create_connection(("127.0.0.1", running.ports[0]), PATIENCE_S, (address, 0))
        self._rest = b""
        self.passed: list[str] = []
        self.say(f"tell gateway login {name} {PASSWORD}")
        self.until(f"tell gateway you are {name}")


def mated(running: RunningServer) -> None:
    """Anna seeks a rated game with White, and bert mates her."""
    anna, bert = Account(running, "anna", "127.0.0.2"), Account(running, "bert", "127.0.0.3")
    anna.say("seek 5 0 rated white")
    anna.until("tell gateway nobody else is here yet")
    bert.say("play anna")
    players = (anna, bert)
    for player in players:
        assert "rated" in player.until("tell gateway game 1:")
    for ply, move in enumerate(MATE):
        players[ply % 2].say(f"move {move}")
        if ply < len(MATE) - 1:
            players[1 - ply % 2].until(f"move {move}")
    for player in players:
        assert player.until("result ").startswith("result 0-1")


def standings(url: str, games: int) -> dict[str, tuple[float, float]]:
    """Rating and RD by name, as soon as so many games of anna's are rated."""
    deadline = time.monotonic() + PATIENCE_S
    with closing(RatingViews(url)) as views:
        while len([change for change in views.changes("anna") if not change.why]) != games:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        changes = [*views.changes("anna"), *views.changes("bert")]
    return {change.player.shown: (change.after.rating, change.after.rd) for change in changes if not change.why}


def test_a_rated_game_moves_both_ratings_though_the_server_is_killed_as_it_ends(tmp_path: Path) -> None:
    """The numbers are lichess' own for the first game of two newcomers: 1741 and 396."""
    url = made_record(tmp_path / RECORD)
    with closing(SqlAccounts(url)) as accounts:
        for name in ("anna", "bert"):
            accounts.add(name, hashed(PASSWORD), "test")
    with server(tmp_path, "miniature,bot_after=never") as running:
        mated(running)
        running.kill()
    with server(tmp_path, "miniature,bot_after=never") as running:
        found = standings(url, 1)
        assert {name: (round(rating, 3), round(rd, 3)) for name, (rating, rd) in found.items()} == {
            "anna": (1258.524, 396.690),
            "bert": (1741.476, 396.690),
        }
        for undo in ((), ("--undo",)):
            command = [sys.executable, "-m", "gateway.cli", "ratings", "annul", "1", "--data", str(tmp_path)]
            subprocess.run(
                [*command, *(undo or ("--reason", "a try"))], check=True, capture_output=True, timeout=PATIENCE_S
            )
            assert standings(url, 1 if undo else 0) == (found if undo else {})
        running.stop()
