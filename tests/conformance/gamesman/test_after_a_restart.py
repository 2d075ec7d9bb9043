"""The server is killed in the middle of games and started again: both players go on with the requests they sent."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway import registry
from gateway.store.views import Views
from protocols.core.events import MoveMade
from tests.conformance.gamesman.served import WholeGame, register, thread
from tests.conformance.gamesman.test_samples import Answer, post
from tests.conformance.servers import fast
from tests.conformance.spec_client import PATIENCE_S


def until(true: Callable[[], bool]) -> None:
    """Wait for something that no message tells of."""
    given_up = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < given_up
        time.sleep(0.001)


@pytest.mark.parametrize("game", ["checkers", "reversi"])
def test_two_clients_finish_a_game_although_the_server_is_killed(tmp_path: Path, game: str) -> None:
    settings = registry.game(game).settings()
    with fast(tmp_path, "http") as running:
        port = running.ports[0]
        register(port, game, "anna", "bert")
        anna = WholeGame(port, "anna", "bert", settings, seed=3)
        bert = WholeGame(port, "bert", "anna", settings, seed=4)
        until(lambda: anna.turns >= 3)
        running.kill()
    with fast(tmp_path, "http", ports={0: port}) as running:
        before = anna.turns
        until(lambda: anna.turns >= before + 5)
        running.kill()
    assert anna.is_alive()
    assert bert.is_alive()
    with fast(tmp_path, "http", ports={0: port}):
        outcome = anna.finish()
        assert bert.finish() == outcome
    assert outcome is not None
    assert anna.brain.board == bert.brain.board


def test_the_same_requests_are_answered_by_the_next_server(tmp_path: Path) -> None:
    """Without rules nothing tells a move from the same one sent again: the record does."""
    heard: list[Answer] = []
    with fast(tmp_path, "http") as running:
        port = running.ports[0]
        register(port, "open", "bert", "anna")
        waits = thread(lambda: heard.append(post(port, "SendMove", "anna", "bert")))
        lost = thread(lambda: _quietly(port, "bert", "anna", "go"))
        waits.join(PATIENCE_S)
        assert heard == [("SendMove", "go", "bert", "anna")]
        running.kill()
        lost.join(PATIENCE_S)
    with fast(tmp_path, "http", ports={0: port}) as running:
        lost = thread(lambda: _quietly(port, "anna", "bert", "go"))  # the same text, another player's
        until(lambda: _plies(running.data) == 2)
        running.kill()
        lost.join(PATIENCE_S)
    with fast(tmp_path, "http", ports={0: port}):
        assert post(port, "SendMove", "bert", "anna", "go") == ("SendMove", "go", "anna", "bert")
        waits = thread(lambda: heard.append(post(port, "SendMove", "anna", "bert", "go")))
        answers = thread(lambda: heard.append(post(port, "SendMove", "bert", "anna", "stop")))
        waits.join(PATIENCE_S)
        assert heard[1:] == [("SendMove", "stop", "bert", "anna")]
        assert post(port, "GameOver", "anna", "bert") == ("Ack end", None, "anna", "bert")
        answers.join(PATIENCE_S)
        assert heard[2:] == [("SendMove", "null", "anna", "bert")]


def _quietly(port: int, source: str, dest: str, move: str) -> None:
    """Send a move; too early, again; the server may go away meanwhile."""
    try:
        while post(port, "SendMove", source, dest, move)[0] is None:
            pass
    except OSError:
        pass


def _plies(data: Path) -> int:
    views = Views(f"sqlite:///{data / 'boardgate.db'}")
    try:
        return sum(isinstance(stored.event, MoveMade) for stored in views.events(1))
    finally:
        views.close()
