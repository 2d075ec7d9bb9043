"""Two of our clients with one ticket at a running server: the older one is told why, and stays away."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients.gamesman import Player, Problem
from tests.clients.xboard_process import unbroken
from tests.conformance.gamesman.served import register, thread
from tests.conformance.gtp.ends import OnPort, pipe
from tests.conformance.gtp.engines import LISTED
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.processes import started

TICKET = "one-ticket-for-two-clients"
PATIENCE_S = 20.0
LATE_S = 60.0


@contextmanager
def program(*words: str) -> Iterator[subprocess.Popen[str]]:
    """``boardgate`` with these words, its standard input held open; killed when the block ends, or is too slow."""
    command = [sys.executable, "-m", "gateway.cli", *words]
    pipes = subprocess.PIPE
    with started(command, stdin=pipes, stdout=pipes, stderr=pipes, text=True) as process:
        late = threading.Timer(LATE_S, process.kill)
        late.start()
        try:
            yield process
        finally:
            late.cancel()


def test_a_bot_whose_seat_was_taken_exits_with_a_line_and_the_newer_one_plays_on(tmp_path: Path) -> None:
    with fast(tmp_path, "bogaprot") as running:
        address = f"127.0.0.1:{running.ports[0]}"
        opponent, first = SpecClient(running.ports[0]), SpecClient(running.ports[0])
        assert opponent.handshake("tic_tac_toe") == ("RSP_HANDSHAKE", 0)
        assert first.handshake(f"tic_tac_toe#{TICKET}") == ("RSP_HANDSHAKE", 0)
        opponent.until("MSG_START")
        words = ("bot", "tic_tac_toe", address, "--ticket", TICKET, "--games", "1")
        with program(*words) as older:
            assert first.until("RSP_MOVE")[1] == 2
            first.close()
            with program(*words) as newer:
                assert older.wait(PATIENCE_S) == 1
                assert older.stderr is not None
                assert older.stderr.read() == ("Error: another client has taken the seat: this bot stays away\n")
                opponent.move(-1, 4)
                opponent.until("RSP_MOVE")
                opponent.until("MSG_MOVE")
                opponent.until("MSG_MOVE")
                assert newer.poll() is None
        opponent.close()


def test_a_go_gui_whose_seat_was_taken_is_told_so_and_takes_it_back_by_a_command(tmp_path: Path) -> None:
    with fast(tmp_path, "gtp-gui") as running:
        port = running.ports[0]
        first, opponent = OnPort(port), pipe(port)
        first.sends(f"# ticket {TICKET}", "boardsize 5", "komi 5.5", "play b C3")
        opponent.sends("boardsize 5", "komi 5.5", "genmove b")
        assert [first.answer() for _ in range(3)] == ["="] * 3
        assert [opponent.answer() for _ in range(3)] == ["=", "=", "= C3"]
        older = pipe(port, "--ticket", TICKET)
        older.sets("boardsize 5", "komi 5.5", "play b C3")
        older.sends("7 genmove w")
        newer = pipe(port, "--ticket", TICKET)
        newer.sets("boardsize 5", "komi 5.5", "play b C3")
        assert older.answer() == "?7 another client has taken your seat; this connection is closed"
        offered = "another client has taken your seat; this connection is closed; boardgate-return takes it back"
        assert older.asks("8 genmove w") == f"?8 {offered}"
        assert older.asks("9 showboard") == f"?9 {offered}"
        assert older.asks("10 boardgate-return") == "=10"
        opponent.sets("play w B2")
        assert older.asks("11 genmove w") == "=11 B2"
        assert newer.asks("12 genmove w") == f"?12 {offered}"
        for end in (first, older, newer, opponent):
            end.close()


def test_an_engine_whose_seat_was_taken_is_let_go_and_its_pipe_says_why(tmp_path: Path) -> None:
    with fast(tmp_path, "http", "gtp-engine") as running:
        ticket, _ = register(running.ports[0], "go", "alice", "bob")
        words = ("gtp", "--engine", f"127.0.0.1:{running.ports[1]}", "--name", "thinker", "--ticket", ticket)
        with program(*words) as older:
            _introduce(older)
            with program(*words) as newer:
                _introduce(newer)
                assert older.stdout is not None
                assert older.stdin is not None
                remark = next(line for line in older.stdout if line.startswith("#"))
                assert remark == "# another client has taken your seat; this connection is closed\n"
                number, command = older.stdout.readline().split()
                assert command == "quit"
                older.stdin.write(f"={number}\n\n")
                older.stdin.flush()
                assert older.wait(PATIENCE_S) == 1
                assert older.stderr is not None
                assert "another client has taken the seat: this engine stays away" in older.stderr.read()
                assert newer.poll() is None


def _introduce(engine: subprocess.Popen[str]) -> None:
    """Answer the three questions an engine is asked before it takes a seat."""
    answers = {"name": "Thinker", "version": "1", "list_commands": "\n".join(LISTED.split())}
    assert engine.stdin is not None
    assert engine.stdout is not None
    for _ in range(3):
        number, command = engine.stdout.readline().split()
        engine.stdin.write(f"={number} {answers[command]}\n\n")
        engine.stdin.flush()


def test_an_adapter_whose_seat_was_taken_tells_its_user_and_takes_it_back_by_connect(tmp_path: Path) -> None:
    with fast(tmp_path, "http", "chess-p2p") as running:
        ticket, _ = register(running.ports[0], "chess", "alice", "bob")
        words = ("xboard", f"127.0.0.1:{running.ports[1]}", "--ticket", ticket)
        told = "Another client has taken your seat. Connect, in Engine > Engine #1 Settings, takes it back."
        with program(*words) as older:
            _gui(older, "xboard", "protover 2", "new", "ping 1")
            _shown(older, "bob is expected")
            with program(*words) as newer:
                _gui(newer, "xboard", "protover 2", "new", "ping 1")
                _shown(older, told)
                _gui(older, "option Connect")
                _shown(newer, told)


def _gui(adapter: subprocess.Popen[str], *lines: str) -> None:
    assert adapter.stdin is not None
    adapter.stdin.write("".join(f"{line}\n" for line in lines))
    adapter.stdin.flush()


def _shown(adapter: subprocess.Popen[str], text: str) -> None:
    """Read on until the GUI is shown this in a window."""
    assert adapter.stdout is not None
    assert any(line.startswith("telluser ") and text in unbroken(line) for line in adapter.stdout), text


def test_a_gamesman_player_whose_seat_was_taken_gets_a_code_of_its_own(tmp_path: Path) -> None:
    with fast(tmp_path, "http", "bogaprot") as running:
        web, port = running.ports
        tickets = register(web, "tic_tac_toe", "alice", "bob")
        player = Player(f"http://127.0.0.1:{web}", "bob", "alice", patience_s=PATIENCE_S)
        refused: list[str] = []

        def wait() -> None:
            try:
                player.start()
            except Problem as problem:
                refused.append(str(problem))

        waiting = thread(wait)
        alice = SpecClient(port)
        assert alice.handshake(f"tic_tac_toe#{tickets[0]}") == ("RSP_HANDSHAKE", 0)
        alice.until("MSG_START")
        bob = SpecClient(port)
        assert bob.handshake(f"tic_tac_toe#{tickets[1]}") == ("RSP_HANDSHAKE", 0)
        waiting.join(PATIENCE_S)
        assert refused == ["another client has taken your seat; this connection is closed"]
