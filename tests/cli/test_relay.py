"""``boardgate relay`` as two friends run it: processes, a server, programs at both ends."""

from __future__ import annotations

import http.server
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from clients.relay.code import new_code, read_code
from gateway.cli import main
from tests.running import RunningServer, server

BOARDGATE = [sys.executable, "-m", "gateway.cli"]
PATIENCE_S = 30.0
SHELL = "/bin/sh"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with server(tmp_path_factory.mktemp("relay"), "relay", "http", RELAY_ROOMS_PER_ADDRESS="100") as found:
        yield found


def url(running: RunningServer) -> str:
    return f"http://127.0.0.1:{running.ports[1]}"


def opened(running: RunningServer) -> str:
    return str(json.loads(asked("open", "--server", url(running), "--json"))["code"])


def asked(*words: str) -> str:
    """Return the output of a command that succeeds."""
    found = CliRunner().invoke(main, ["relay", *words])
    assert found.exit_code == 0, found.output
    return found.output


def refused(*words: str) -> str:
    """Return the output of a command that fails."""
    found = CliRunner().invoke(main, ["relay", *words])
    assert found.exit_code != 0
    return found.output


class End:
    """One ``boardgate relay CODE`` as a process."""

    def __init__(self, running: RunningServer, code: str, *words: str) -> None:
        command = [*BOARDGATE, "relay", code, "--server", f"127.0.0.1:{running.ports[0]}", *words]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self.told = ""

    def ends(self, given: bytes | None = None) -> tuple[int, bytes]:
        """Give it this on standard input, wait until it exits; its status and what it said. What it told is added."""
        said, told = self.process.communicate(given, PATIENCE_S)
        self.told += told.decode()
        return self.process.returncode, said

    def is_told(self, words: str) -> str:
        """Read until it tells this; the rest of that line."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.told += line.decode()
            if words in line.decode():
                return line.decode().partition(words)[2].strip()
        raise AssertionError(self.told)


@contextmanager
def two(running: RunningServer, one: tuple[str, ...], other: tuple[str, ...]) -> Iterator[tuple[End, End]]:
    """Two ends of one code, gone when the block ends."""
    code = opened(running)
    with ExitStack() as left:
        ends = End(running, code, *one), End(running, code, *other)
        for end in ends:
            left.enter_context(end.process)
            left.callback(end.process.kill)
        yield ends


def test_open_prints_the_code_what_to_do_with_it_and_the_one_time_port(running: RunningServer) -> None:
    shown = asked("open", "--server", url(running))
    code = next(line.strip() for line in shown.splitlines() if line.startswith("    "))
    assert str(read_code(code)) == code
    assert "Your code, good until " in shown
    relay = f"127.0.0.1:{running.ports[0]}"
    assert f"boardgate relay {code} --server {relay} -- COMMAND..." in shown
    assert f"boardgate xboard --relay {code} {relay}" in shown
    assert "two programs that call 127.0.0.1 port " in shown


def test_open_for_scripts_is_one_object(running: RunningServer) -> None:
    found = json.loads(asked("open", "--server", url(running), "--json"))
    assert sorted(found) == ["code", "expires", "port", "relay_port", "relay_tls", "room", "server"]
    assert (found["relay_port"], found["relay_tls"]) == (running.ports[0], False)
    assert read_code(found["code"]).room == found["room"]
    assert found["server"] == "127.0.0.1"


def test_a_server_without_one_time_ports_gives_a_code_and_promises_no_port(tmp_path: Path) -> None:
    with server(tmp_path, "relay", "http", RELAY_PORTS="none") as helpers_only:
        where = ("open", "--server", url(helpers_only))
        assert json.loads(asked(*where, "--json"))["port"] is None
        shown = asked(*where)
    assert "Your code, good until" in shown
    assert "two programs that call" not in shown


def test_two_programs_without_help_are_joined_at_the_one_time_port(running: RunningServer) -> None:
    """Both programs dial that port of the server, their bytes are joined verbatim in both directions."""
    port = json.loads(asked("open", "--server", url(running), "--json"))["port"]
    with (
        socket.create_connection(("127.0.0.1", port), 5) as one,
        socket.create_connection(("127.0.0.1", port), 5) as two,
    ):
        one.sendall(b"e2e4\n")
        assert two.recv(100) == b"e2e4\n"
        two.shutdown(socket.SHUT_WR)
        assert one.recv(100) == b""


def test_open_says_in_words_why_there_is_no_code() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"http://127.0.0.1:{taken.getsockname()[1]}"
        said = refused("open", "--server", where)
    assert said == f"Error: no server answers at {where} (boardgate serve, or make serve, starts one)\n"
    assert "write http://HOST:PORT" in refused("open", "--server", "ftp://games.example.org")


def test_open_passes_the_servers_own_reason_on(tmp_path_factory: pytest.TempPathFactory) -> None:
    with server(tmp_path_factory.mktemp("narrow"), "relay", "http", RELAY_ROOMS_PER_ADDRESS="1") as narrow:
        opened(narrow)
        said = refused("open", "--server", url(narrow))
    assert said.startswith("Error: 1 codes of this address")


def test_open_knows_a_server_that_is_no_boardgate() -> None:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, format: str, *values: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as pages:
        thread = threading.Thread(target=pages.handle_request)
        thread.start()
        where = f"http://127.0.0.1:{pages.server_port}"
        assert f"Error: what answers at {where} is no Boardgate server" in refused("open", "--server", where)
        thread.join()


def test_standard_input_and_output_of_both_are_joined(running: RunningServer) -> None:
    with two(running, (), ()) as (one, other):
        assert one.process.stdin is not None
        one.process.stdin.write(b"from one")
        one.process.stdin.close()
        one.process.stdin = None
        assert other.ends(b"from the other") == (0, b"from one")
        assert one.ends() == (0, b"from the other")
        assert one.told.startswith("waiting for the other side\nconnected directly to 127.0.0.1:")


def test_a_command_is_joined_and_its_exit_status_is_ours(running: RunningServer) -> None:
    with two(running, ("--", SHELL, "-c", "read line; echo heard $line; exit 7"), ("--no-direct",)) as (one, other):
        assert other.ends(b"e2e4\nmore than it reads\n") == (0, b"heard e2e4\n")
        assert one.ends() == (7, b"")
        assert f"connected through the relay at 127.0.0.1:{running.ports[0]}" in other.told


def test_a_command_killed_by_a_signal_has_the_status_a_shell_gives_it(running: RunningServer) -> None:
    with two(running, ("--", SHELL, "-c", "kill -KILL $$"), ()) as (one, other):
        assert other.ends(b"") == (0, b"")
        assert one.ends()[0] == 128 + signal.SIGKILL


def test_a_program_that_listens_is_joined_to_one_that_calls(running: RunningServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE_S)
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        with two(running, ("--to", where), ("--listen", "127.0.0.1:0")) as (one, other):
            host, _, port = other.is_told("listening at ").rpartition(":")
            with socket.create_connection((host, int(port)), PATIENCE_S) as caller, listener.accept()[0] as callee:
                caller.sendall(b"protocol_version\n")
                assert callee.recv(100) == b"protocol_version\n"
                callee.sendall(b"= 2\n\n")
                assert caller.recv(100) == b"= 2\n\n"
                caller.shutdown(socket.SHUT_WR)
                assert callee.recv(100) == b""
                callee.sendall(b"bye")
                callee.close()
                assert caller.recv(100) == b"bye"
                assert caller.recv(100) == b""
            assert [end.ends()[0] for end in (one, other)] == [0, 0]


def test_a_program_that_is_not_there_is_said_at_both_ends(running: RunningServer) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        with two(running, ("--to", where), ()) as (one, other):
            assert one.ends() == (1, b"")
            assert f"Error: nobody answers at {where}, where the other side is to be joined to" in one.told
            assert other.ends() == (1, b"")
            assert "Error: the other side has left" in other.told


def test_a_command_that_there_is_not_is_said(running: RunningServer) -> None:
    with two(running, ("--", "no-such-engine"), ()) as (one, _):
        assert one.ends() == (1, b"")
        assert "Error: cannot start 'no-such-engine': No such file or directory" in one.told


def test_a_port_in_use_is_said_before_anybody_is_met(running: RunningServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        end = End(running, opened(running), "--listen", where)
        assert end.ends() == (1, b"")
        assert end.told == f"Error: cannot listen at {where}: Address already in use\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_at_once_and_tells_the_other(running: RunningServer, number: signal.Signals) -> None:
    with two(running, (), ()) as (one, other):
        one.is_told("connected")
        other.is_told("connected")
        one.process.send_signal(number)
        assert one.process.wait(30) == 130
        assert other.ends()[0] == 1
        assert other.told.endswith("Error: the other side has left\n")
        assert one.ends() == (130, b"")
        assert "Traceback" not in one.told


def test_ctrl_c_while_nobody_is_there_ends_it(running: RunningServer) -> None:
    end = End(running, opened(running))
    end.is_told("waiting for the other side")
    end.process.send_signal(signal.SIGINT)
    assert end.ends() == (130, b"")


def test_a_server_without_a_relay_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        said = refused(str(new_code("k7fq9x")), "--server", where)
    assert said == f"Error: no relay answers at {where}: Connection refused\n"


CODE = str(new_code("k7fq9x"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], "boardgate relay open"),
        (["open", "--help"], "tell your friend the whole code"),
        (["k7fq9x"], "the public half of a code only"),
        ([CODE[:-1]], "this code is not whole"),
        ([CODE, "--to", "5555", "--listen", "5556"], "one program is joined"),
        ([CODE, "--to", "host:"], "'host:' names no port"),
        ([CODE, "--listen", "many"], "'many' names no port"),
        ([CODE, "--server", "host:port"], "'port' is not a port number"),
    ],
)
def test_the_command_teaches(words: list[str], said: str) -> None:
    shown = " ".join(CliRunner().invoke(main, ["relay", *words]).output.split())
    assert said.lower() in shown.lower()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--relay", "k7fq9x"], "the public half of a code only"),
        (["--relay", CODE, "--listen", "27015"], "give --relay or --listen, not both"),
        (["host:port", "--relay", CODE], "'port' is not a port number"),
    ],
)
def test_xboards_adapter_says_what_is_wrong_with_a_code(words: list[str], said: str) -> None:
    assert said in " ".join(CliRunner().invoke(main, ["xboard", *words]).output.split())
