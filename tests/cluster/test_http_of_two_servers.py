"""Two real servers on one PostgreSQL: requests over HTTP are answered alike, whichever server they reach."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import migrations
from tests import peers
from tests.conformance.servers import fast
from tests.faults.guests import Guest
from tests.postgresql import Cluster, cluster

pytestmark = peers.needed

TOKEN = "the host's own secret of this test"
PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def ports(tmp_path: Path, postgres: Cluster) -> Iterator[list[tuple[int, int]]]:
    """The ports of Bogaprot and HTTP of two servers."""
    url = postgres.create(tmp_path.name)
    migrations.upgrade(url)
    with ExitStack() as stack:
        found = []
        for name in ("one", "two"):
            settings = {"SERVER_DATABASE": url, "CLUSTER_NODE": name, "REGISTRATION_ADMIN_TOKEN": TOKEN}
            (tmp_path / name).mkdir()
            running = stack.enter_context(fast(tmp_path / name, "bogaprot", "http", ports=None, **settings))
            found.append((running.ports[0], running.ports[1]))
        yield found


def ask(port: int, path: str, body: object = None, auth: str = "") -> tuple[int, Any]:
    """Status and JSON."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"} | ({"authorization": auth} if auth else {})
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def until(true: Callable[[], bool]) -> None:
    """Wait for what no message tells of."""
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_registered_game_is_played_by_requests_to_both_servers(ports: list[tuple[int, int]]) -> None:
    """Registered at one server, joined at both, moved at both in turn, followed at both; the answers are the same."""
    bogaprot, http = [pair[0] for pair in ports], [pair[1] for pair in ports]
    seats = [{"name": "anna"}, {"name": "bert"}]
    status, made = ask(http[1], "/api/tables", {"game": "tic_tac_toe", "seats": seats}, f"Bearer {TOKEN}")
    assert status == 201
    table, tickets = made["id"], made["tickets"]
    with Guest(bogaprot[0]) as anna, Guest(bogaprot[1]) as bert:
        assert anna.joins(f"tic_tac_toe#{tickets[0]}") == 0
        assert bert.joins(f"tic_tac_toe#{tickets[1]}") == 1
        until(lambda: all(ask(port, f"/api/tables/{table}/legal")[1]["turn"] == 0 for port in http))
        heard: dict[int, Any] = {}

        def follow(port: int) -> None:
            after = ask(port, f"/api/tables/{table}/events")[1]["next"]
            heard[port] = ask(port, f"/api/tables/{table}/events?after={after}&wait=15")[1]

        followers = [threading.Thread(target=follow, args=(port,)) for port in http]
        for follower in followers:
            follower.start()
        time.sleep(1.0)  # both wait by now; one that does not is answered at once
        begun = time.monotonic()
        for ply, square in enumerate(("b2", "a1", "c3")):
            path, auth = f"/api/tables/{table}/moves", f"Ticket {tickets[ply % 2]}"
            answer = ask(http[(ply + 1) % 2], path, {"text": square, "ply": ply}, auth)
            assert answer == (
                200,
                {"table": table, "seat": ply % 2, "ply": ply + 1, "turn": (ply + 1) % 2, "state": "playing"},
            )
            refusals = [ask(port, path, {"text": square}, f"Ticket {tickets[(ply + 1) % 2]}") for port in http]
            assert refusals[0] == refusals[1]
            assert refusals[0][0] == 400
        for follower in followers:
            follower.join(PATIENCE_S)
        assert time.monotonic() - begun < 10
        assert [heard[port]["events"][0]["kind"] for port in http] == ["MoveMade", "MoveMade"]
        for path in ("presence", "legal", ""):
            shown = [ask(port, f"/api/tables/{table}/{path}".rstrip("/")) for port in http]
            assert shown[0] == shown[1], path
        games = [ask(port, "/api/lobby")[1]["here"] for port in http]
        assert all("1 game on" in here for here in games)


class Bytes:
    """A viewer of a table's bytes: ``blocks`` are those of its stream so far."""

    def __init__(self, port: int, table: int, auth: str) -> None:
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/tables/{table}/bytes")
        request.add_header("authorization", auth)
        self._answer = urllib.request.urlopen(request, timeout=PATIENCE_S)
        self.text = ""

    def until(self, *words: str) -> str:
        """All that was told until each of these has been."""
        while not all(word in self.text for word in words):
            line = self._answer.readline().decode()
            assert line, self.text
            self.text += line
        return self.text


def test_the_bytes_of_both_players_are_shown_at_both_servers(ports: list[tuple[int, int]]) -> None:
    """Each player is connected to a server of its own; a player, the host and a stranger are answered alike at both."""
    bogaprot, http = [pair[0] for pair in ports], [pair[1] for pair in ports]
    seats = [{"name": "anna"}, {"name": "bert"}]
    _, made = ask(http[0], "/api/tables", {"game": "tic_tac_toe", "seats": seats}, f"Bearer {TOKEN}")
    table, tickets = made["id"], made["tickets"]
    with Guest(bogaprot[0]) as anna, Guest(bogaprot[1]) as bert:
        for seat, guest in enumerate((anna, bert)):
            assert guest.joins(f"tic_tac_toe#{tickets[seat]}") == seat
        secrets = (f"Ticket {tickets[1]}", f"Bearer {TOKEN}")
        viewers = [Bytes(port, table, secret) for port, secret in zip(http, secrets, strict=True)]
        for viewer in viewers:
            viewer.until('"name": "anna"', '"name": "bert"')
        path = f"/api/tables/{table}/moves"
        for ply, square in enumerate(("b1", "a1", "b2", "a2", "b3")):
            move = {"text": square, "ply": ply}
            assert ask(http[ply % 2], path, move, f"Ticket {tickets[ply % 2]}")[0] == 200
        for viewer in viewers:
            told = viewer.until('{"seat": 0, "wire"', '{"seat": 1, "wire"', "<< REQ_MOVE", "<< MSG_GAMEOVER")
            assert not any(ticket in told for ticket in tickets)
        assert [ask(port, f"/api/tables/{table}/bytes")[0] for port in http] == [403, 403]
    for viewer in viewers:
        viewer.until("event: closed")
