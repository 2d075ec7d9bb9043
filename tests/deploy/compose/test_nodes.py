"""Three gateways behind HAProxy, typed as docs/nodes.md has it: a killed one and an upgrade end no game."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from io import StringIO
from itertools import cycle
from pathlib import Path
from typing import Final

import chess.pgn
import pytest
from playwright.sync_api import expect

from tests.browser.gui import Gui
from tests.browser.gui import xboard as adapter_of
from tests.browser.visitors import Visitors, browser
from tests.conformance.figures import until
from tests.conformance.xboard.people import FIVE_MINUTES, begin
from tests.conformance.xboard.programs import adapter, moves, virtual_screen, xboard
from tests.conformance.xboard.window import Person
from tests.deploy.compose import handbook
from tests.deploy.compose.composition import CHESS, Composition
from tests.deploy.compose.versions import change
from tests.deploy.guests import Couple

TO_THREE, CHOSEN, FOR_IPV6, UPGRADE, *_ = handbook.blocks(handbook.NODES)
"""What stands in docs/nodes.md to be typed, and the line for .env."""

NODES: Final = ("gateway-1", "gateway-2", "gateway-3")
THIRD: Final = "http://10.213.57.13:8080"
"""The third gateway's pages: its address is in deploy/docker-compose.nodes.yml."""

RELAY: Final = 5030
PATIENCE_S: Final = 20.0

MATE: Final = ("f2f3", "e7e5", "g2g4", "d8h4")
SCHOLARS_MATE: Final = ("f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
"""After a move of each with the king's pawn."""

CONNECTED: Final = """
rows = [line.split()[1:4] for line in open("/proc/net/tcp").readlines()[1:]]
print(sum(own.endswith(":{port:04X}") and state == "01" for own, _, state in rows))
"""
"""Python that counts the connections to a port of its container."""

EVENTS: Final = (
    *("docker", "events", "--filter=event=die", "--filter=event=start"),
    *("--format", '{{.Action}} {{index .Actor.Attributes "com.docker.compose.service"}}', "--since"),
)
"""Tells starts and ends of containers from a time on: an engine remembers 256 events, most of them of health checks."""


@pytest.fixture(scope="module")
def three(composition: Composition) -> Iterator[Composition]:
    """The composition of one gateway has become that of three, with its volumes; a couple has played meanwhile."""
    file = composition.tree / ".env"
    before = file.read_text(encoding="utf-8")
    with composition.engine.network():
        couple = Couple(composition.engine.network, "Uma", "Vic")
        couple.play(4)
        stop, build, start = TO_THREE.splitlines()
        composition.types(stop)
        assert build == f"{start.removesuffix('up -d')}build"  # done beforehand: packages are out of reach here
        composition.types(start)
        file.write_text(f"{before}{CHOSEN}", encoding="utf-8")
        for service in (*NODES, "haproxy", "database", "proxy"):
            composition.wait_until_healthy(service)
        couple.come_back()
        couple.finish()
    yield composition
    composition.types("docker-compose down")
    file.write_text(before, encoding="utf-8")
    composition.up()


def nodes(composition: Composition, asked: str = NODES[0]) -> dict[str, tuple[str, int]]:
    """The state of each node and the number of its tables."""
    found = json.loads(composition.inside(asked, "boardgate", "nodes", "--json"))
    return {node["name"]: (node["state"], node["tables"]) for node in found}


def connected(composition: Composition, node: str, port: int = CHESS) -> int:
    """How many are connected to this port of a gateway."""
    return int(composition.inside(node, "python3", "-c", CONNECTED.format(port=port)))


def table_of(composition: Composition, asked: str, name: str) -> int:
    """The table of a player, as a node lists it."""
    found = json.loads(composition.inside(asked, "boardgate", "tables", "--json"))
    (table,) = [row["table"] for row in found if any(seat.get("name") == name for seat in row["seats"])]
    return int(table)


@contextmanager
def person(home: Path, name: str) -> Iterator[Person]:
    """Somebody before an XBoard on a screen of their own, whom HAProxy passes on."""
    with virtual_screen() as display:
        first = adapter(f"127.0.0.1:{CHESS}", "--name", name)
        with xboard(display, home, *FIVE_MINUTES, first=first) as window:
            yield Person(display, window)


def drained(composition: Composition, node: str, state: str) -> None:
    """The node is told to drain, or to serve again, and HAProxy knows."""
    composition.inside(node, "boardgate", "nodes", "drain" if state == "draining" else "undrain", node)
    until(lambda: nodes(composition)[node][0], lambda found: found == state)
    wanted = "503" if state == "draining" else "200"
    ask = (
        r'exec 3<>/dev/tcp/127.0.0.1/8081; printf "GET /$0 HTTP/1.0\r\n\r\n" >&3; read -r _ status _ <&3; echo $status'
    )
    until(lambda: composition.inside("haproxy", "bash", "-c", ask, node).strip(), lambda found: found == wanted)


def test_every_node_lives_and_the_database_was_migrated_before(three: Composition) -> None:
    assert {name: state for name, (state, _) in nodes(three).items()} == dict.fromkeys(NODES, "serving")
    assert three.exit_status("migrate") == 0


def test_two_who_call_the_relay_meet_whichever_gateways_they_come_to(three: Composition) -> None:
    """HAProxy sends each call to the gateway with the fewest: the two come to different ones."""
    with three.engine.network():
        opened = three.inside(NODES[0], "boardgate", "relay", "open", "--json")
        room = json.loads(opened)["room"]
        with (
            socket.create_connection(("127.0.0.1", RELAY), PATIENCE_S) as anna,
            socket.create_connection(("127.0.0.1", RELAY), PATIENCE_S) as bert,
            anna.makefile("rb") as anna_said,
            bert.makefile("rb") as bert_said,
        ):
            for caller, said, side in ((anna, anna_said, "A"), (bert, bert_said, "B")):
                caller.sendall(f"BOARDGATE-RELAY 1 MEET {room} {side * 22} -\n".encode())
                assert said.readline() == b"WAIT\n"
            for said, order in ((anna_said, b"first"), (bert_said, b"second")):
                assert said.readline().startswith(b"PEER " + order)
            assert sorted(connected(three, node, RELAY) for node in NODES) == [0, 1, 1]
            for caller in (anna, bert):
                caller.sendall(b"JOIN\n")
            assert [said.readline() for said in (anna_said, bert_said)] == [b"JOINED\n", b"JOINED\n"]
            anna.sendall(b"hello\n")
            assert bert_said.readline() == b"hello\n"


def test_a_killed_gateway_ends_no_game_of_two_xboards_and_a_browser_that_looks_on(
    three: Composition, tmp_path: Path
) -> None:
    """ "two XBoards on different nodes play, a browser on the third watches, one gateway is killed and the game ends
    with the right result"

    The one that is killed has the table, and does not come back.
    """
    drained(three, NODES[2], "draining")
    with three.engine.network(), ExitStack() as stack:
        alice, bob = (stack.enter_context(person(tmp_path / name, name)) for name in ("alice", "bob"))
        begin(alice, bob)
        assert [connected(three, node) for node in NODES] == [1, 1, 0]
        drained(three, NODES[2], "serving")
        table = table_of(three, NODES[2], "alice")

        chromium = stack.enter_context(browser())
        page = stack.enter_context(closing(Visitors(chromium, THIRD))).arrives(f"/table/{table}")
        expect(page.locator("#moves")).to_contain_text("e5")
        tables = nodes(three, NODES[2])
        owner = max(NODES, key=lambda node: tables[node][1])
        assert owner in NODES[:2]

        three.engine.run("docker", "kill", f"boardgate_{owner}_1")

        for move, (mover, other) in zip(SCHOLARS_MATE, cycle(((alice, bob), (bob, alice))), strict=False):
            mover.moves(move)
            other.sees(f"move {move}")
        for player in (alice, bob):
            player.hears("result 1-0")
        expect(page.locator("#status")).to_contain_text("alice won")
        expect(page.locator("#moves")).to_contain_text("Qxf7#")
    game = chess.pgn.read_game(StringIO(three.inside(NODES[2], "boardgate", "export", str(table), "--format", "pgn")))
    assert game is not None
    assert (moves(game)[2:], game.headers["Result"]) == (list(SCHOLARS_MATE), "1-0")
    assert "the record is whole" in three.inside(NODES[2], "boardgate", "verify", str(table))


def test_an_upgrade_restarts_gateways_one_by_one_and_a_game_goes_on(three: Composition) -> None:
    """ "a rolling upgrade script [...] that drains node by node and never ends a game" """
    script = three.upstream / "deploy" / "container" / "gateway"
    script.write_text(script.read_text() + "# of another version\n")
    three.commit()
    with three.engine.network(), ExitStack() as stack:
        white, black = (stack.enter_context(adapter_of(CHESS, "", "--name", name)) for name in ("Xia", "Yan"))
        for gui in (white, black):
            gui.introduce()
        black.sends("go")
        plays(white, black, MATE[:2])
        told = stack.enter_context(three.engine.meanwhile(*EVENTS, three.engine.run("date", "+%s").strip()))
        away = {node for node in NODES if not three.inspect(node)["State"]["Running"]}
        three.upgrades(f"{UPGRADE.rstrip()} --linger 1")
        plays(white, black, MATE[2:])
        assert "0-1" in white.until("0-1")
        events = [line for line in told.read_text().splitlines() if re.search(r" gateway-\d$", line)]
    for node in NODES:
        assert "# of another version" in three.inside(node, "cat", "/usr/local/bin/gateway")
    assert most_away(events, away) == 1
    table = table_of(three, NODES[0], "Xia")
    assert "the record is whole" in three.inside(NODES[0], "boardgate", "verify", str(table))


@pytest.mark.nightly
def test_a_gateway_that_dies_in_an_upgrade_brings_all_back_one_by_one(three: Composition) -> None:
    """ "goes back to the image of before, and so do those that were exchanged already, one after another" """
    before = {three.inspect(node)["Image"] for node in NODES}
    last = 'exec /opt/boardgate/bin/boardgate "$@"'
    dies = '[ "${BOARDGATE_CLUSTER_NODE:-} $1" != "gateway-2 serve" ]'
    change(three, "deploy/container/boardgate", last, f"{dies}\n{last}")
    with three.engine.network(), ExitStack() as stack:
        white, black = (stack.enter_context(adapter_of(CHESS, "", "--name", name)) for name in ("Zoe", "Abe"))
        for gui in (white, black):
            gui.introduce()
        black.sends("go")
        plays(white, black, MATE[:2])
        with pytest.raises(AssertionError, match=r"gateway-2 does not become ready\. The version of before serves"):
            three.upgrades(f"{UPGRADE.rstrip()} --linger 1")
        plays(white, black, MATE[2:])
        assert "0-1" in white.until("0-1")
    assert {three.inspect(node)["Image"] for node in NODES} == before
    assert {state for state, _ in nodes(three).values()} == {"serving"}


def plays(white: Gui, black: Gui, moves: tuple[str, ...]) -> None:
    """One of each in turn, each shown to the other."""
    for move, (mover, other) in zip(moves, ((white, black), (black, white)), strict=True):
        mover.sends(f"usermove {move}")
        other.until(f"move {move}")


def most_away(events: list[str], away: set[str]) -> int:
    """How many did not run at the same time at most; all of them were started, and run now."""
    most = len(away)
    for event, node in (line.split() for line in events):
        away = away - {node} if event == "start" else away | {node}
        most = max(most, len(away))
    assert {line for line in events if line.startswith("start ")} == {f"start {node}" for node in NODES}
    assert not away
    return most
