"""Named house bots with levels: chosen when sitting down, by a handshake, a registration, and the words of dialects."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import peers
from tests.conformance.gtp import records
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.gnugos import gnugo, options
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

pytestmark = peers.needed

PATIENCE_S = 20.0
HTTP, BOGAPROT, GUIS, MINIATURE, CHESS = range(5)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Two engines play Go: "quick" is the usual one, "gnugo" has no name of its own."""
    go = shlex.join([gnugo(), *options(4)])
    bots = f"go={go},name=quick;go={go},move_time=5s"
    listeners = ("http", "bogaprot", "gtp-gui", "miniature", "chess-p2p")
    with fast(tmp_path_factory.mktemp("named"), *listeners, BOTS_WORKERS="1", BOTS_PAUSE="0s", BOT=bots) as running:
        yield running
    assert "Traceback" not in running.log.read_text()


def joined(server: RunningServer, engine: str) -> tuple[object, ...]:
    client = SpecClient(server.ports[BOGAPROT])
    answer = client.handshake(engine)
    client.close()
    return answer


def test_unknown_names_list_the_known_ones(server: RunningServer) -> None:
    _, code, *text = joined(server, "go?against=fritz")
    assert code == 1
    assert "it is anybody, players, bot, house, quick, gnugo; a level may follow" in str(text[0])
    _, code, *text = joined(server, "go?against=gnugo:9")
    assert (code, "levels are 1, 2, 3" in str(text[0])) == (1, True)
    assert joined(server, "go?against=gnugo:2&size=7") == ("RSP_HANDSHAKE", 0)


def test_the_bot_that_was_named_sits_down_and_plays(server: RunningServer) -> None:
    client = SpecClient(server.ports[BOGAPROT])
    assert client.handshake("go?against=gnugo:1&size=7&name=anna") == ("RSP_HANDSHAKE", 0)
    client.until("REQ_MOVE")
    assert '"gnugo:1"' in records.newest(server.data).text
    client.move(-1, 24, "black")
    while client.until("REQ_MOVE")[1] != client.seat:
        pass
    assert list(client.board.values()).count("white") == 1
    assert 'name="GNU Go"' in server.log.read_text()
    client.close()


def test_the_house_s_own_bot_plays_where_it_is_named_though_an_engine_is_the_usual_one(server: RunningServer) -> None:
    before = server.log.read_text().count("an engine started")
    client = SpecClient(server.ports[BOGAPROT])
    assert client.handshake("go?against=house:1&size=5") == ("RSP_HANDSHAKE", 0)
    client.until("REQ_MOVE")
    client.move(-1, 12, "black")
    while client.until("REQ_MOVE")[1] != client.seat:
        pass
    assert server.log.read_text().count("an engine started") == before
    client.close()


def test_a_registered_seat_may_be_a_named_bot_s(server: RunningServer) -> None:
    host = Host(server.ports[HTTP])
    status, answer = host.ask("/api/tables", {"game": "go", "seats": [{"name": "anna"}, "bot:gnugo:2"]})
    assert status == 201
    assert [seat["name"] for seat in host.table(answer["id"])["seats"]] == ["anna", "gnugo:2"]
    status, answer = host.ask("/api/tables", {"game": "go", "seats": [{"name": "anna"}, "bot:fritz"]})
    assert (status, "quick, gnugo" in str(answer)) == (400, True)
    status, answer = host.ask("/api/tables", {"game": "go", "seats": [{"name": "bella"}, "bot:3"]})
    assert status == 201


def test_a_go_gui_chooses_its_opponent(server: RunningServer) -> None:
    gui = OnPort(server.ports[GUIS], "carla")
    gui.sets("boardsize 7")
    assert gui.asks("boardgate-against gnugo:1") == "="
    gui.sets("play b D4")
    assert gui.asks("genmove w").startswith("= ")
    assert gui.asks("boardgate-opponent") == "= white: gnugo:1"
    assert gui.asks("boardgate-against house").startswith("? you have a seat")
    gui.sets("play b resign", "clear_board", "boardgate-against fritz")
    assert "it is anybody, players, bot, house, quick, gnugo" in gui.asks("play b D4")
    gui.close()


def lines_of(port: int, *said: str) -> Iterator[str]:
    """The lines that a peer hears after saying these."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as peer, peer.makefile("rw", newline="\n") as text:
        text.write("".join(f"{line}\n" for line in said))
        text.flush()
        while line := text.readline():
            yield line.strip()


def until(heard: Iterator[str], first: str) -> Iterator[str]:
    """What is heard, up to the first line that begins so."""
    for line in heard:
        yield line
        if line.startswith(first):
            return


def test_by_telnet_a_seek_is_played_against_the_bot_that_was_named(server: RunningServer) -> None:
    said = ("tell gateway name dora", "tell gateway against house:1", "seek 5 0 u b")
    heard = list(until(lines_of(server.ports[MINIATURE], *said), "move "))
    assert any("house:1 (White)" in line for line in heard)
    refused = lines_of(server.ports[MINIATURE], "tell gateway against fritz", "seek 5 0 u w")
    assert "it is anybody, players, bot, house" in list(until(refused, "error bad-option"))[-1]


def test_in_chess_p2p_a_text_names_the_bot(server: RunningServer) -> None:
    said = ("name erik", "text /against house:1", "new", "level 0 300 0", "go")
    heard = list(until(lines_of(server.ports[CHESS], *said), "move "))
    assert "name house:1" in heard
    refused = lines_of(server.ports[CHESS], "name erik", "text /against fritz", "new")
    assert "it is anybody, players, bot, house" in list(until(refused, "text against"))[-1]


def test_after_a_restart_the_same_bot_plays_on(tmp_path: Path) -> None:
    """The choice is in the record: the usual engine of the game does not take the seat of the one that was named."""
    go = shlex.join([gnugo(), *options(4)])
    bots = f"go={go},name=quick"
    asked = f"go?against=house:1&size=5#{'t' * 22}"
    with fast(tmp_path, "bogaprot", BOTS_WORKERS="1", BOTS_PAUSE="0s", BOT=bots) as first:
        port = first.ports[0]
        client = SpecClient(port)
        client.handshake(asked)
        client.until("REQ_MOVE")
        first.kill()
        client.close()
    with fast(tmp_path, "bogaprot", ports={0: port}, BOTS_WORKERS="1", BOTS_PAUSE="0s", BOT=bots) as second:
        client = SpecClient(port)
        client.handshake(asked)
        client.until("REQ_MOVE")
        client.move(-1, 12, "black")
        while client.until("REQ_MOVE")[1] != client.seat:
            pass
        assert list(client.board.values()).count("white") == 1
        assert "an engine started" not in second.log.read_text()
        client.close()
