"""Deceptive names (hidden characters, lookalikes) are refused or changed in every dialect that carries names."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Final

import pytest

from gateway.lobby.names import check, is_guest
from gateway.lobby.spelling import keys
from gateway.store.accounts import SqlAccounts
from migrations import upgrade
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from tests.faults.guests import PATIENCE_S, sound
from tests.running import RunningServer, server

HOSTILE: Final = (
    "\x1b[2J\x1b[1;31mroot",
    "ro\x07ot\x08\x08",
    "an\u200bna",
    "an\u2060na\ufeff",
    "\u202eanna",
    "\u2066anna\u2069",
    "a" + "\u0301" * 20 + "nna",
    "a\u20ddnna",
    "\u0430nna",
    "pаypаl",
    "\uff42\uff4f\uff54-\uff11",
    "b0t-l",
    "ᴀnna",
    "𝐛𝐨𝐭-𝟏",
    "gatevvay",
    "\uff27ateway",
    "alice",
    "AL1CE",
    "a\u217cice",
    "\u3164",
    "anna\u0000root",
    "x" * 500,
    "anna\u2028tell gateway hello",
)
"""Escapes, bells, nothing that takes place, other directions, piles of marks, two scripts, wide and ornamental letters,
house bots, the server, an account, blanks that are letters, ends of lines."""

ACCOUNT: Final = "alice"


LISTENERS: Final = ("bogaprot", "chess-p2p", "miniature", "gtp-gui", "http")
SETTINGS: Final = {
    "LIMITS_OPEN_TABLES_PER_ADDRESS": "1000",
    "LIMITS_CONNECTIONS_PER_ADDRESS": "1000",
    "REGISTRATION_TABLES_PER_ADDRESS": "1000",
    "SEATS_BOT_AFTER": "never",
    "BOTS_WORKERS": "0",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with one account."""
    folder = tmp_path_factory.mktemp("names")
    database = f"sqlite:///{folder / 'boardgate.db'}"
    upgrade(database)
    with closing(SqlAccounts(database)) as accounts:
        accounts.add(ACCOUNT, "no password fits this", "the test")
    with server(folder, *LISTENERS, ports=None, **SETTINGS) as process:
        yield process
        assert sound(process)


def bogaprot(name: str) -> bytes:
    return Wire(codec(BOGAPROT), "client").build("REQ_HANDSHAKE", f"checkers?name={name}", 1)


def chess_p2p(name: str) -> bytes:
    return f"name {name}\nnew\ngo\n".encode()


def miniature(name: str) -> bytes:
    return f"tell gateway name {name}\nseek 5 0 r w\n".encode()


def gtp(name: str) -> bytes:
    return f"# name {name}\ngenmove b\n".encode()


def page(running: RunningServer, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{running.ports[-1]}{path}", timeout=PATIENCE_S) as answer:
        return str(answer.read().decode())


def settled(running: RunningServer) -> float:
    """Grows when somebody has got a seat, or was refused one."""
    lines = [line for line in page(running, "/metrics").splitlines() if line.startswith("boardgate_rejects_total")]
    return len(names(running)) + sum(float(line.split()[-1]) for line in lines)


def names(running: RunningServer) -> list[str]:
    """Everybody's at the tables."""
    tables = json.loads(page(running, "/api/tables?limit=500"))["tables"]
    return [seat["name"] for table in tables for seat in table["seats"] if seat["name"]]


def deceives(name: str) -> bool:
    """Whether it is shown otherwise than it is spelled, or is somebody else's."""
    if is_guest(name):
        return False
    return check(name) != name or not keys(name).isdisjoint(keys(ACCOUNT))


@pytest.mark.parametrize("opening", [bogaprot, chess_p2p, miniature, gtp])
def test_nobody_sits_down_under_a_name_that_deceives(running: RunningServer, opening: Callable[[str], bytes]) -> None:
    port = running.ports[(bogaprot, chess_p2p, miniature, gtp).index(opening)]
    with ExitStack() as held:
        for name in HOSTILE:
            before, until = settled(running), time.monotonic() + PATIENCE_S
            client = held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            client.sendall(opening(name))
            while settled(running) == before:
                assert time.monotonic() < until, ascii(name)
        shown = names(running)
        assert shown
        assert not list(filter(deceives, shown))


def test_nobody_is_registered_under_a_name_that_deceives(running: RunningServer) -> None:
    answers = [registered(running, name) for name in HOSTILE]
    assert set(answers) <= {201, 400, 401, 409}
    assert answers.count(201) < len(HOSTILE) / 2
    assert not list(filter(deceives, names(running)))


def registered(running: RunningServer, name: str) -> int:
    """The status of the answer to who wants a table for this name."""
    body = json.dumps({"game": "checkers", "seats": [{"name": name}, {"name": "bert"}]}).encode()
    url, headers = f"http://127.0.0.1:{running.ports[-1]}/api/tables", {"Content-Type": "application/json"}
    try:
        return int(urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=PATIENCE_S).status)
    except urllib.error.HTTPError as error:
        return error.code
