"""`boardgate serve` runs the relay with its listener, its route and its settings."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench.free_port import free_port
from gateway.cli import main
from tests.running import server

HOST = "127.0.0.1"


def post(port: int) -> dict[str, Any]:
    request = urllib.request.Request(f"http://{HOST}:{port}/api/relays", data=b"", method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def test_two_programs_are_joined_by_a_served_relay_and_recorded_where_the_listener_says_so(tmp_path: Path) -> None:
    with server(tmp_path, "http", "relay,wire_log=yes", BOTS_WORKERS="0") as running:
        assert running.lines[1] == f"listening relay {HOST}:{running.ports[1]} wire_log=yes"
        port = post(running.ports[0])["port"]
        with socket.create_connection((HOST, port), 20) as first, socket.create_connection((HOST, port), 20) as second:
            first.sendall(b"hello\n")
            assert second.recv(100) == b"hello\n"
        with socket.create_connection((HOST, running.ports[1]), 20) as caller:
            caller.sendall(b"HELO example.org\n")
            assert caller.makefile("rb").read() == b"NO this port is for BOARDGATE-RELAY 1\n"
        assert running.stop() == 0
    (file,) = (tmp_path / "wire").glob("relay-*.txt")
    assert file.read_text().splitlines()[1] == ">> hex 68 65 6c 6c 6f 0a"


def test_codes_and_ports_are_those_of_the_settings(tmp_path: Path) -> None:
    free = free_port()
    with server(tmp_path, "http", "relay", RELAY_PORTS=f"{free}-{free}", RELAY_ROOMS="1", BOTS_WORKERS="0") as running:
        assert post(running.ports[0])["port"] == free
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(running.ports[0])
        with caught.value as refused:
            assert (refused.code, json.load(refused)["error"]) == (503, "full")


def talks(port: int, *said: tuple[int, bytes]) -> None:
    """Two programs at a one-time port: who says what, in turn; each hears the other before the next speaks."""
    with socket.create_connection((HOST, port), 20) as first, socket.create_connection((HOST, port), 20) as second:
        for who, words in said:
            speaker, listener = ((first, second), (second, first))[who]
            speaker.sendall(words)
            assert listener.recv(1000) == words


@pytest.mark.parametrize(
    ("dialect", "said"),
    [
        ("chess-p2p", [(0, b"move e2e4\n"), (1, b"accepted\n"), (1, b"mo"), (1, b"ve e7e5\n")]),
        ("miniature", [(0, b"seek 5 0 unrated white\n"), (1, b"play\n"), (0, b"move e2-e4\n")]),
        ("gtp-engine", [(1, b"boardsize 9\ngenmove b\n"), (0, b"= \n\n= E5\n\n"), (1, b"quit\n")]),
        ("gtp-gui", [(0, b"boardsize 9\ngenmove b\n"), (1, b"= \n\n= E5\n\n"), (0, b"quit\n")]),
    ],
)
def test_a_recorded_pair_is_a_transcript_in_the_words_of_its_dialect(
    tmp_path: Path, dialect: str, said: list[tuple[int, bytes]]
) -> None:
    """ "The pair can be recorded to the wire log and, where the dialect is known (chess-p2p, eboard-style text, GTP),
    shown as a transcript"."""
    with server(tmp_path, "http", "relay", BOTS_WORKERS="0") as running:
        url = f"http://{HOST}:{running.ports[0]}"
        opened = CliRunner().invoke(
            main, ["relay", "open", "--server", url, "--record", "--dialect", dialect, "--json"]
        )
        talks(json.loads(opened.output)["port"], *said)
        assert running.stop() == 0
    (file,) = (tmp_path / "wire").glob("relay-*.txt")
    shown = CliRunner().invoke(main, ["decode", "--dialect", dialect, str(file)]).output.splitlines()
    spoken = [line.removesuffix("\\s").rstrip() for line in shown if line[:3] in (">> ", "<< ") and line != ">> eof"]
    expected = b"".join(words for _, words in said).decode().replace("\n\n", "\n").splitlines()
    assert [line[3:].strip() for line in spoken] == [line.strip() for line in expected]
    assert [line[:2] for line in spoken][:: len(spoken) - 1] == [(">>", "<<")[said[0][0]], (">>", "<<")[said[-1][0]]]
