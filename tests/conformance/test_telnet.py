"""Telnet's own talk at the ports whose protocols are lines: a real client, and its bytes at each of them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from tests import peers
from tests.conformance.servers import fast
from tests.running import RunningServer
from tests.terminals import Terminal, terminal

PORTS = {"chess-p2p": b"ping 7", "miniature": b"help", "gtp-gui": b"name", "gtp-engine": b"=1 Own"}
"""A line that each of them answers."""

ANSWERS = {
    "chess-p2p": b"pong 7\n",
    "miniature": b"propose 5 minutes",
    "gtp-gui": b"= Boardgate",
    "gtp-engine": b"2 version",
}

INTERRUPT = b"\xff\xf4\xff\xfd\x06"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("telnet"), *PORTS) as found:
        yield found


def port(running: RunningServer, name: str) -> int:
    return running.ports[list(PORTS).index(name)]


def said(line: socket.socket, until: bytes) -> bytes:
    """What is heard until this, and with it."""
    heard = b""
    while until not in heard:
        heard += (more := line.recv(4096))
        assert more, heard
    return heard


@pytest.mark.parametrize("name", PORTS)
def test_the_options_of_a_client_are_refused_at_every_port_of_lines(running: RunningServer, name: str) -> None:
    """RFC 854, 855 and 860: WONT, DONT, and the mark that an interrupted client waits for; CR NUL ends a line. The last
    byte of a Synch is urgent."""
    with socket.create_connection(("127.0.0.1", port(running, name)), 60) as line:
        line.sendall(INTERRUPT + b"\xff\xfd\x01\xff\xfb\x1f" + INTERRUPT + b"\xff")
        line.send(b"\xf2", socket.MSG_OOB)
        line.sendall(PORTS[name] + b"\r\0" + (b"\r\0" if name == "gtp-engine" else b""))
        heard = said(line, ANSWERS[name])
        assert b"\xff\xfb\x06\xff\xfc\x01\xff\xfe\x1f\xff\xfb\x06" in heard
        assert heard.count(b"\xff") == 4


@pytest.fixture
def typed(running: RunningServer) -> Iterator[Terminal]:
    client = [str(peers.program("telnet")), "127.0.0.1", str(port(running, "miniature"))]
    with terminal(client, {**os.environ, "TERM": "dumb", "LC_ALL": "C"}) as found:
        found.shows(b"welcome to Boardgate")
        yield found


@peers.needed
def test_a_person_who_presses_control_c_in_telnet_is_still_shown_what_is_said(typed: Terminal) -> None:
    for topic in (b"one", b"two"):
        typed.types(b"\x03")
        typed.types(b"shout-" + topic + b"\n")
        typed.shows(b"unknown-command 'shout-" + topic + b"'")


@peers.needed
def test_a_person_whose_telnet_sends_single_letters_plays_on(typed: Terminal) -> None:
    """Its mode "character" asks for two options, and sends CR NUL for the return key."""
    typed.types(b"\x1d")
    typed.shows(b"telnet> ")
    typed.types(b"mode character\r")
    typed.types(b"shout\r")
    typed.shows(b"unknown-command 'shout'")
