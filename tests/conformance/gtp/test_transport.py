"""The delay of a GTP command over TCP, and unusual forms of its lines and answers."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Final

import pytest

from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import LISTED
from tests.conformance.servers import fast
from tests.running import RunningServer

COMMANDS: Final = 24
DELAYED_ACK_S: Final = 0.035
"""Linux delays an acknowledgement by 40 ms: Nagle's algorithm then holds the end of each answer back for that."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("wire"), "gtp-engine,size=9", "gtp-gui") as running:
        yield running


def rounds(port: int) -> list[float]:
    """Seconds from an answer in two writes, as GNU Go writes them, to the next command, for each of COMMANDS."""
    taken: list[float] = []
    answers = {"list_commands": "\n".join(LISTED.split()), "name": "Writer"}
    with socket.create_connection(("127.0.0.1", port), 10) as sock, sock.makefile("rb") as lines:
        asked = lines.readline().split()
        while len(taken) < COMMANDS:
            began = time.perf_counter()
            words = answers.get(asked[1].decode(), "") if len(asked) > 1 else ""
            sock.sendall(b"=" + asked[0] + b" " + words.encode() + b"\n")
            sock.sendall(b"\n")
            asked = lines.readline().split()
            taken.append(time.perf_counter() - began)
            if asked[1] == b"genmove":
                break
    return taken


def test_an_answer_in_two_segments_does_not_wait_for_a_delayed_acknowledgement(server: RunningServer) -> None:
    """ "Nagle plus delayed ACK costs 44 ms a command; set TCP_QUICKACK before every receive (0.08 ms then), TCP_NODELAY
    on." """
    gui = OnPort(server.ports[1], "alice")
    gui.sends("boardsize 9", "time_settings 60 0 0", "play b E5", "genmove w")
    taken = rounds(server.ports[0])
    gui.close()
    assert len(taken) > 8
    quick = sorted(taken)[len(taken) // 4]  # a busy machine may take longer, a delayed acknowledgement never less
    assert quick < DELAYED_ACK_S


def test_an_id_comes_back_as_the_integer_it_is(server: RunningServer) -> None:
    """ "Ids small, compared as integers (`007` comes back as `=7`)." """
    gui = OnPort(server.ports[1])
    assert gui.asks("007 name") == "=7 Boardgate"
    assert gui.asks("0 protocol_version") == "=0 2"
    assert gui.asks("name # 12 version") == "= Boardgate"
    gui.write(b"8\tknown_command\tplay\r\n")
    assert gui.answer() == "=8 true"
    gui.close()
