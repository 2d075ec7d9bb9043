"""The relay as `boardgate serve` runs it: its listener, its route, its settings."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

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
    with socket.create_server((HOST, 0)) as taken:
        free = taken.getsockname()[1]
    with server(tmp_path, "http", "relay", RELAY_PORTS=f"{free}-{free}", RELAY_ROOMS="1", BOTS_WORKERS="0") as running:
        assert post(running.ports[0])["port"] == free
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(running.ports[0])
        with caught.value as refused:
            assert (refused.code, json.load(refused)["error"]) == (503, "full")
