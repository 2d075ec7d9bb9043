"""A listener that cannot be opened is reported in one line."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from gateway.config import BadSetting, Listen, parse_listener
from gateway.net.sockets import open_socket
from gateway.sessions.listener import open_listener
from protocols.core.model import HouseRules
from tests.running import Forked, server

HOUSE = HouseRules(bot_after_s=10.0)
START_S = 60.0

TAKEN = "cannot listen on 127.0.0.1:{port}: Address already in use; another server is running, or choose another port"
WRONG = [
    ("bogaprot=127.0.0.1:{port}", TAKEN),
    ("gopher=127.0.0.1:0", "there is no dialect 'gopher'; there are "),
    ("bogaprot=127.0.0.1:0,colour=red", "bogaprot has no option 'colour'; it has "),
    ("bogaprot=127.0.0.1:0,game=poker", "no game 'poker'; there are "),
    ("bogaprot=127.0.0.1:0,game=ludo,width=wide", "width is a number from 1 to 100, not 'wide'"),
    ("bogaprot=127.0.0.1:0,byte_order=middle", "byte_order is big or little, not 'middle'"),
    ("bogaprot=127.0.0.1:0,bot_after=soon", "'soon' is no duration"),
    ("bogaprot=192.0.2.1:5700", "cannot listen on 192.0.2.1:5700: "),
    ("http=127.0.0.1:0,colour=red", "http has no option 'colour'"),
    ("bogaprot", "write DIALECT=HOST:PORT[,KEY=VALUE...]"),
]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize(("written", "why"), [case for case in WRONG if not case[0].startswith("http")])
def test_a_listener_that_cannot_be_opened_says_why(written: str, why: str, taken: int) -> None:
    with pytest.raises(BadSetting) as wrong:
        open_listener(parse_listener(written.format(port=taken)), HOUSE)
    assert why.format(port=taken) in str(wrong.value)


def test_a_listener_knows_its_port_its_dialects_options_and_its_house_rules() -> None:
    options = {"game": "ludo", "width": "10", "bot_after": "never", "wire_log": "yes"}
    listener = open_listener(Listen("bogaprot", "127.0.0.1", 0, options), HOUSE)
    with listener.sock:
        port = listener.sock.getsockname()[1]
        assert (
            listener.shown.line()
            == f"listening bogaprot 127.0.0.1:{port} game=ludo width=10 bot_after=never wire_log=yes"
        )
        assert listener.options == {"game": "ludo", "width": "10"}
        assert (listener.rules.bot_after_s, listener.wire_log) == (None, True)


def test_an_address_of_the_newer_internet_is_shown_in_brackets() -> None:
    sock, shown = open_socket(Listen("bogaprot", "::1", 0))
    with sock:
        assert shown.address == f"[::1]:{sock.getsockname()[1]}"


@pytest.mark.parametrize("number", [0, 1, 2, 3, 8], ids=["port", "dialect", "option", "game", "http"])
def test_serve_ends_with_one_clear_line_and_status_1(number: int, taken: int, tmp_path: Path) -> None:
    written, why = WRONG[number]
    log = tmp_path / "log"
    words = ["serve", "--data", str(tmp_path / "data"), "--listen", written.format(port=taken)]
    ended = Forked(words, os.environ, log)
    with ended.stdout:
        assert ended.stdout.read() == ""
    assert ended.wait(START_S) == 1
    said = [line for line in log.read_text().splitlines() if line.startswith("Error: ")]
    assert len(said) == 1
    assert why.format(port=taken) in said[0]
    assert "Traceback" not in log.read_text()


def test_a_server_for_both_families_knows_its_own_machine_by_either(tmp_path: Path) -> None:
    """The figures are for callers of the same machine alone, and an XBoard's address is written as it is."""
    with server(tmp_path, "http", "chess-p2p", host="[::]", LOG_LEVEL="debug") as running:
        assert running.lines[0] == f"listening http [::]:{running.ports[0]}"
        for host in ("127.0.0.1", "::1"):
            asked = HTTPConnection(host, running.ports[0], timeout=START_S)
            asked.request("GET", "/metrics")
            assert asked.getresponse().status == 200
            asked.close()
            with socket.create_connection((host, running.ports[1]), START_S) as caller:
                assert caller.recv(100).startswith(b"hallo ")
        assert "::ffff:" not in running.log.read_text()
