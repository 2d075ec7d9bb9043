"""One XBoard against a Miniature client at a table of a running server: two dialects, two programs that never met."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import pytest

from tests import peers
from tests.conformance.servers import fast
from tests.conformance.xboard.miniature import Replier
from tests.conformance.xboard.programs import MATCH, adapter, assert_same, engine, xboard
from tests.conformance.xboard.window import RETRACT, Person
from tests.running import RunningServer

pytestmark = peers.needed


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    with fast(tmp_path / "server", "chess-p2p", "miniature") as server:
        yield server


@pytest.fixture
def mira(running: RunningServer) -> Iterator[Replier]:
    client = Replier(running.ports[1], "mira")
    yield client
    client.close()


def exported(running: RunningServer, table: int) -> chess.pgn.Game:
    """The record that the server writes of the only game at this table."""
    command = [sys.executable, "-m", "gateway.cli", "export", str(table), "--format", "pgn"]
    text = subprocess.run([*command, "--data", str(running.data)], capture_output=True, text=True, check=True).stdout
    file = io.StringIO(text)
    game = chess.pgn.read_game(file)
    assert game is not None
    assert chess.pgn.read_game(file) is None
    assert not game.errors
    return game


def test_a_complete_game_is_the_same_in_xboard_s_record_and_the_server_s(
    display: str, tmp_path: Path, running: RunningServer, mira: Replier
) -> None:
    """One XBoard against a Miniature client."""
    second = adapter(f"127.0.0.1:{running.ports[0]}", "--name", "xena")
    with xboard(display, tmp_path / "xena", *MATCH, first=engine("hoichess"), second=second) as window:
        result = mira.plays_to_the_end()
        record = window.ends_by_itself()
    house = exported(running, 1)
    assert_same(record, house)
    assert [move.uci() for move in mira.board.move_stack] == [move.uci() for move in house.mainline_moves()]
    assert result == house.headers["Result"]
    assert (house.headers["White"], house.headers["Black"]) == ("xena", "mira")


def test_a_takeback_is_agreed_to_and_refused_by_a_miniature_client(
    display: str, tmp_path: Path, running: RunningServer, mira: Replier
) -> None:
    """An XBoard user's takeback (Retract) seen and answered on the other side."""
    first = adapter(f"127.0.0.1:{running.ports[0]}", "--name", "alice")
    with xboard(display, tmp_path / "alice", "-tc", "5", first=first) as window:
        alice = Person(display, window)
        alice.sees('feature myname="mira"')
        alice.moves("e2e4")
        assert mira.hears() == "e2e4"
        mira.moves("e7e5")
        alice.sees("move e7e5")

        alice.press(RETRACT)
        assert mira.lines.until("takeback ").startswith("takeback 2")
        mira.lines.say("takeback 2")
        alice.sees("mira agrees: the moves are taken back.")
        mira.board.reset()
        alice.moves("d2d4")
        assert mira.hears() == "d2d4"
        mira.moves("d7d5")
        alice.sees("move d7d5")

        alice.press(RETRACT)
        assert mira.lines.until("takeback ").startswith("takeback 2")
        mira.lines.say("tell gateway decline")
        alice.sees(f"setboard {mira.board.fen().split()[0]}")
        alice.moves("g1f3")
        assert mira.hears() == "g1f3"
