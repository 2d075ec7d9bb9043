"""A mistyped ticket at a running server: no new seat in its place, and a sentence that says so, over every protocol."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from clients.joining import Wish
from tests import terminals
from tests.clients.xboard_process import unbroken
from tests.conformance.chess_players import Lines
from tests.conformance.gtp.ends import OnPort, pipe
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.servers import fast
from tests.conformance.spec_client import PATIENCE_S, SpecClient
from tests.conformance.test_accounts import asked
from tests.processes import started
from tests.running import RunningServer

MISTYPED = "a-mistyped-ticket-of-25-letters"
WHY = "no seat is kept for this ticket: check it, or ask for a new seat without one"
LISTENERS = ("http", "bogaprot", "miniature", "chess-p2p", "gtp-gui", "gtp-engine,size=9")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("tickets"), *LISTENERS, LIMITS_UNKNOWN_TICKETS="100") as server:
        yield server


@pytest.fixture
def ports(running: RunningServer) -> Iterator[dict[str, int]]:
    """The ports by dialect; afterwards there is no other table than before."""
    found = dict(zip((name.partition(",")[0] for name in LISTENERS), running.ports, strict=True))
    before = asked(found["http"], "GET", "/api/tables")
    yield found
    assert asked(found["http"], "GET", "/api/tables") == before


@pytest.mark.parametrize("ticket", [MISTYPED, "short"])
def test_bogaprot_refuses_the_handshake_that_wants_a_kept_seat(ports: dict[str, int], ticket: str) -> None:
    client = SpecClient(ports["bogaprot"])
    assert client.handshake(f"checkers?kept=yes#{ticket}") == ("RSP_HANDSHAKE", 1, WHY)
    assert client.handshake("checkers?kept=yes") == ("RSP_HANDSHAKE", 1, WHY)
    client.close()


def test_miniature_says_an_error(ports: dict[str, int]) -> None:
    peer = Lines(ports["miniature"])
    peer.say(f"tell gateway seat {MISTYPED}")
    assert peer.until("error ") == f"error bad-ticket {WHY}"
    peer.close()


def test_chess_p2p_says_it_in_a_text_and_ends(ports: dict[str, int]) -> None:
    peer = Lines(ports["chess-p2p"])
    peer.say(f"text /seat {MISTYPED}")
    assert peer.until("text no seat") == f"text {WHY}"
    assert peer.until("quit") == "quit"
    peer.close()


def test_a_go_gui_reads_it_as_the_answer_of_its_first_move(ports: dict[str, int]) -> None:
    gui = OnPort(ports["gtp-gui"])
    gui.sends(f"# seat {MISTYPED}", "play b C3")
    assert gui.answer() == f"? {WHY}"
    gui.close()


def test_an_engine_is_told_so_and_let_go(ports: dict[str, int]) -> None:
    with Engine(ports["gtp-engine"], {}, first=f"# seat {MISTYPED}\n", listed=LISTED) as engine:
        assert engine.left.wait(PATIENCE_S)
        assert WHY in engine.comments


def test_our_terminal_client_and_bot_say_so_in_one_line(ports: dict[str, int]) -> None:
    place = f"127.0.0.1:{ports['bogaprot']}"
    assert terminals.run("play", "checkers", place, "--ticket", MISTYPED) == (1, f"Error: {WHY}\n")
    words = [sys.executable, "-m", "gateway.cli", "bot", "checkers", place, "--ticket", MISTYPED]
    bot = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (bot.returncode, bot.stdout, bot.stderr) == (1, "", f"Error: {WHY}\n")


def test_our_adapters_show_it(ports: dict[str, int]) -> None:
    gui = pipe(ports["gtp-gui"], "--ticket", MISTYPED)
    assert gui.asks("play b C3") == f"? {WHY}"
    gui.close()
    words = [sys.executable, "-m", "gateway.cli", "xboard", f"127.0.0.1:{ports['chess-p2p']}", "--ticket", MISTYPED]
    with started(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as xboard:
        assert xboard.stdin is not None
        assert xboard.stdout is not None
        xboard.stdin.write("xboard\nprotover 2\nnew\nlevel 0 5 0\n")
        xboard.stdin.flush()
        assert any(WHY in unbroken(line) for line in xboard.stdout)
        xboard.stdin.write("quit\n")


def test_our_pipe_of_an_engine_ends_with_the_reason(ports: dict[str, int]) -> None:
    answers = {"name": "Thinker", "version": "1", "list_commands": "\n".join(LISTED.split()), "quit": ""}
    place = f"127.0.0.1:{ports['gtp-engine']}"
    words = [sys.executable, "-m", "gateway.cli", "gtp", "--engine", place, "--ticket", MISTYPED]
    pipes = subprocess.PIPE
    with started(words, stdin=pipes, stdout=pipes, stderr=pipes, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in engine.stdout:
            if not line.startswith("#"):
                number, command = line.split()
                engine.stdin.write(f"={number} {answers[command]}\n\n")
                engine.stdin.flush()
        assert engine.wait(PATIENCE_S) == 1
        assert engine.stderr is not None
        assert f"Error: {WHY}\n" in engine.stderr.read()


def test_the_command_that_a_player_is_shown_takes_the_seat_back(running: RunningServer) -> None:
    """``--ticket`` wants the seat of the ticket; a client without it brings a secret of its own, as promised."""
    assert Wish("checkers", ticket=MISTYPED).engine() == f"checkers#{MISTYPED}"
    assert Wish("checkers", ticket=MISTYPED, kept=True).engine() == f"checkers?kept=yes#{MISTYPED}"
    body = {"game": "checkers", "seats": [{"name": "alice"}, {"name": "bob"}]}
    status, made = asked(running.ports[0], "POST", "/api/tables", body)
    assert status == 201
    client = SpecClient(running.ports[1])
    assert client.handshake(f"checkers?kept=yes#{made['tickets'][0]}") == ("RSP_HANDSHAKE", 0)
    client.close()
