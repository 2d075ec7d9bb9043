"""Two XBoards at one table of a running server, each with an engine on one side and the adapter on the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.servers import fast
from tests.conformance.xboard.line import line_to
from tests.conformance.xboard.programs import MATCH, XBoard, adapter, any_move, assert_same, engine, said, xboard
from tests.running import RunningServer

pytestmark = peers.needed

CUT_S = 5.0


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    with fast(tmp_path / "server", "chess-p2p") as server:
        yield server


def until_moves(window: XBoard, number: int) -> None:
    """Wait until the adapter has shown so many moves."""
    deadline = time.monotonic() + 30
    while sum(line.startswith("move ") for line in said(window.log, "gui >")) < number:
        assert time.monotonic() < deadline, window.log[-2000:]
        assert window.process.poll() is None
        time.sleep(0.05)


@pytest.mark.parametrize(("white", "black"), [("hoichess", "stockfish"), ("stockfish", "hoichess")])
def test_two_engines_play_a_whole_game_through_the_server(
    display: str, tmp_path: Path, running: RunningServer, white: str, black: str
) -> None:
    """A complete game through the server: identical PGNs, both exit by themselves."""
    address = f"127.0.0.1:{running.ports[0]}"
    with (
        xboard(display, tmp_path / "white", *MATCH, first=engine(white), second=adapter(address)) as one,
        xboard(display, tmp_path / "black", *MATCH, first=adapter(address), second=engine(black)) as other,
    ):
        assert_same(one.ends_by_itself(), other.ends_by_itself())


def test_crazyhouse_is_played_through_the_server(display: str, tmp_path: Path, running: RunningServer) -> None:
    address, chosen = f"127.0.0.1:{running.ports[0]}", [*MATCH, "-variant", "crazyhouse"]
    with (
        xboard(display, tmp_path / "white", *chosen, first=any_move(1), second=adapter(address)) as one,
        xboard(display, tmp_path / "black", *chosen, first=adapter(address), second=any_move(2)) as other,
    ):
        games = one.ends_by_itself(), other.ends_by_itself()
    assert_same(*games)
    assert any("@" in line for line in said(one.log, "peer >"))


def test_chess960_is_played_through_the_server(display: str, tmp_path: Path, running: RunningServer) -> None:
    """A variant game (crazyhouse or Chess960): castling is said in words, from where the king and rook began."""
    start = tmp_path / "start.fen"
    start.write_text("qnrkrbbn/pppppppp/8/8/8/8/PPPPPPPP/QNRKRBBN w KQkq - 0 1\n")
    address = f"127.0.0.1:{running.ports[0]}"
    chosen = [*MATCH, "-variant", "fischerandom", "-loadPositionFile", str(start)]
    with (
        xboard(display, tmp_path / "white", *chosen, first=any_move(1), second=adapter(address)) as one,
        xboard(display, tmp_path / "black", *chosen, first=adapter(address), second=any_move(2)) as other,
    ):
        games = one.ends_by_itself(), other.ends_by_itself()
    assert_same(*games)
    assert any("O-O" in line for line in said(one.log, "peer >"))


def test_a_variant_without_rules_here_is_played_between_two_engines_that_know_it(
    display: str, tmp_path: Path, running: RunningServer
) -> None:
    """`open` tables for XBoard variants without rules here, where both peers' echoes must agree."""
    address, chosen = f"127.0.0.1:{running.ports[0]}", [*MATCH, "-variant", "xiangqi"]
    with (
        xboard(display, tmp_path / "white", *chosen, first=engine("hoixiangqi"), second=adapter(address)) as one,
        xboard(display, tmp_path / "black", *chosen, first=adapter(address), second=engine("hoixiangqi")) as other,
    ):
        records = one.moves_as_text(), other.moves_as_text()
    assert records[0] == records[1]
    assert len(records[0]) > 10
    assert records[0][-1] in ("1-0", "0-1", "1/2-1/2")


def test_a_match_of_two_games_changes_colours(display: str, tmp_path: Path, running: RunningServer) -> None:
    """Another game at the same table is agreed upon like the first."""
    address, match = f"127.0.0.1:{running.ports[0]}", ["-mg", "2", *MATCH[2:]]
    first = adapter(address, "--name", "alice"), adapter(address, "--name", "bob")
    with (
        xboard(display, tmp_path / "alice", *match, first=any_move(1), second=first[0]) as one,
        xboard(display, tmp_path / "bob", *match, first=first[1], second=engine("stockfish")) as other,
    ):
        games = one.games_at_the_end(), other.games_at_the_end()
    for left, right in zip(*games, strict=True):
        assert_same(left, right)
    assert len(games[0]) == 2
    whites = [game.headers["White"] for game in games[0]]
    assert whites[0] == games[0][1].headers["Black"] != whites[1]


def test_a_network_cut_of_five_seconds_loses_and_doubles_no_move(
    display: str, tmp_path: Path, running: RunningServer
) -> None:
    """The network is cut in the middle of such a game for five seconds: it continues, no move lost or doubled."""
    slow = [*MATCH[:-4], "-tc", "1"]
    with line_to(running.ports[0]) as line:
        addresses = f"127.0.0.1:{line.port}", f"127.0.0.1:{running.ports[0]}"
        with (
            xboard(display, tmp_path / "white", *slow, first=engine("stockfish"), second=adapter(addresses[0])) as one,
            xboard(display, tmp_path / "black", *slow, first=adapter(addresses[1]), second=any_move(1)) as other,
        ):
            until_moves(one, 3)
            line.cut()
            time.sleep(CUT_S)  # this long, no more and no less, is what is tried
            line.mend()
            assert_same(one.ends_by_itself(), other.ends_by_itself())
    calls = [line for line in said(one.log, "peer >") if line.startswith("ticket ")]
    assert len(calls) > 1
    assert len(set(calls)) == 1
