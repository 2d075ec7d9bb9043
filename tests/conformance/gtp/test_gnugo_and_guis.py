"""Real GNU Gos against others: GUIs with handicap and clocks; the house's one against a Bogaprot client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import peers
from tests.conformance.gtp import refereeing
from tests.conformance.gtp.ends import End, OnPort, pipe
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.gtp.gnugos import dialled_in, gnugo, on_pipes
from tests.conformance.gtp.records import newest
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    ports = ("gtp-engine,size=9,games=1", "gtp-gui")
    with fast(tmp_path_factory.mktemp("guis"), *ports) as running:
        yield running


@peers.needed
@pytest.mark.parametrize(
    ("set_up", "side", "clock"),
    [
        (("kgs-rules chinese", "fixed_handicap 3"), 0, ""),
        (("kgs-rules japanese", "fixed_handicap 2", "time_settings 20 10 5"), 1, "TM[20]OT[5/10 Canadian]"),
        (("kgs-rules japanese", "kgs-time_settings byoyomi 10 5 3", "komi 6.5"), 1, "TM[10]OT[3x5 byo-yomi]"),
        (("kgs-rules chinese", "set_free_handicap C3 G7 C7 G4", "time_settings 60 0 0"), 0, "TM[60]"),
    ],
)
def test_a_gui_and_a_gnugo_that_dialled_in_finish(
    server: RunningServer, set_up: tuple[str, ...], side: int, clock: str
) -> None:
    """ "it plays whoever comes, engine or human, with any supported size, komi, handicap and time" """
    there, here = OnPort(server.ports[1], "alice"), on_pipes(3)
    for end in (here, there):
        end.sets("boardsize 9", "clear_board", *(word for word in set_up if _knows(end, word)))
    stones = any("handicap" in word for word in set_up)
    with dialled_in(server.ports[0], 4):
        told = refereeing.play(here, there, side, first=int(stones))
        record = newest(server.data)
        assert told == record.proves_its_result().result
    sgf = record.sgf.replace("\n", "")
    assert clock in sgf
    assert ("HA[" in sgf) is stones
    assert ("PB[alice" in sgf) is (side == 0)
    here.close()


def _knows(end: End, words: str) -> bool:
    """Whether it lists the command; both must count alike, but GNU Go is told the rules by its komi only."""
    return end.asks(f"known_command {words.partition(' ')[0]}") == "= true"


@peers.needed
def test_a_gnugo_behind_the_pipe_plays_a_gnugo_that_dialled_in(server: RunningServer) -> None:
    """ "gnugo as a subprocess [...] against the GUI side" """
    there, here = pipe(server.ports[1], "--name", "bob"), on_pipes(5)
    for end in (here, there):
        end.sets("boardsize 9", "clear_board", "komi 5.5")
    with dialled_in(server.ports[0], 6):
        told = refereeing.play(here, there, 0)
        assert told == newest(server.data).proves_its_result().result
    assert there.asks("7 quit") == "=7"
    assert there.process.wait(5) == 0
    here.close()
    there.close()


@peers.needed
def test_an_engine_behind_the_pipe_plays_another_that_dialled_in(server: RunningServer) -> None:
    """ "boardgate gtp" with --engine is "a plain pipe" for an engine on its standard input and output."""
    here = on_pipes(7)
    there = pipe(server.ports[0], "--engine", "--name", "carol")
    with dialled_in(server.ports[0], 8):
        while data := there.read():  # the server asks, the engine answers
            here.write(data)
            if b"quit" in data:
                break
            there.write(here.answer().encode() + b"\n\n")
        record = newest(server.data)
        game = record.proves_its_result()
    assert game.moves > 20
    assert "[carol]" in record.sgf
    here.close()
    there.close()


@peers.needed
def test_the_house_plays_gnugo_against_a_bogaprot_client(tmp_path_factory: pytest.TempPathFactory) -> None:
    """ "The server can start engines itself": it is the default where GNU Go is installed."""
    gnugo()
    with fast(tmp_path_factory.mktemp("house"), "bogaprot", SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running:
        client = SpecClient(running.ports[0])
        assert client.handshake("go?size=7&against=bot") == ("RSP_HANDSHAKE", 0)
        settled = _passes_after(client, [24, 22])
        assert settled
        client.move(-1, -1, _list_told(client))
        client.until("MSG_GAMEOVER")
        game = newest(running.data).proves_its_result()
        assert {point: colour for point, colour in game.stones.items() if colour == "W"}
        assert client.winner == {"B": 0, "W": 1}[game.result[0]]
        client.close()


@peers.needed
def test_the_house_plays_gnugo_against_a_gui(tmp_path_factory: pytest.TempPathFactory) -> None:
    """ "gnugo as a subprocess against a Bogaprot client and against the GUI side" """
    with fast(tmp_path_factory.mktemp("house"), "gtp-gui", SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running:
        there, here = OnPort(running.ports[0], "alice"), on_pipes(9)
        for end in (here, there):
            end.sets("boardsize 7", "clear_board", "komi 5.5")
        told = refereeing.play(here, there, 0)
        assert told == newest(running.data).proves_its_result().result
        there.close()
        here.close()


def _list_told(client: SpecClient) -> str:
    """What the other side says of dead stones, in its words."""
    while not (word := str(client.until("MSG_MOVE")[-1])).startswith("dead"):
        pass
    return word


def _passes_after(client: SpecClient, squares: list[int]) -> bool:
    """Black places these stones and passes from then on, until play stops."""
    while True:
        message = client.until("REQ_MOVE", "MSG_MOVE", "MSG_GAMEOVER")
        if message[-1] == "settle":
            return True
        if message[0] == "MSG_GAMEOVER":
            return False
        if message[0] == "REQ_MOVE":
            client.move(-1, squares.pop(0), "black") if squares else client.move(-1, -1, "pass")


@peers.needed
def test_the_api_gives_the_time_that_a_gui_and_an_engine_play_at(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The table was opened by an engine without a clock; the GUI's time is what was agreed."""
    ports = ("http", "gtp-engine,size=9", "gtp-gui")
    with fast(tmp_path_factory.mktemp("time"), *ports) as running, dialled_in(running.ports[1], 2):
        gui = OnPort(running.ports[2], "alice")
        gui.sets("boardsize 9", "komi 6.25", "kgs-rules japanese", "kgs-time_settings byoyomi 60 10 3", "play b E5")
        host = Host(running.ports[0])
        (listed,) = host.ask("/api/tables")[1]["tables"]
        for table in (listed, host.table(listed["id"])):
            assert (table["time"], table["variant"], table["options"]["komi"]) == ("60+3x10", "territory", "6.25")
        gui.close()


def test_a_play_mode_that_cannot_be_read_is_a_line_of_the_log(tmp_path_factory: pytest.TempPathFactory) -> None:
    """ "the log says why the rest was dropped" """
    with fast(tmp_path_factory.mktemp("log"), "gtp-engine,size=9") as running:
        replies = {"play_mode": "white bob 2 fixed super forbidden area none"}
        with Engine(running.ports[0], replies, listed=f"{LISTED} play_mode") as engine:
            engine.wait_until_asked("play_mode")
        assert running.stop() == 0
        log = running.log.read_text()
        assert "'super' is not positional or situational or simple; only its opponent 'bob' is kept" in log


@peers.needed
def test_gnugo_grants_an_undo_where_it_dialled_in(server: RunningServer) -> None:
    """It lists undo, and not undo_ok: in an unrated game a takeback is granted, as on KGS."""
    with dialled_in(server.ports[0], 12):
        gui = OnPort(server.ports[1], "alice")
        gui.sets("boardsize 9", "komi 5.5", "play b E5")
        first = gui.asks("genmove w")
        gui.sets("play b C3")
        gui.asks("genmove w")
        gui.sets("undo", "undo", "play b G7")
        assert gui.asks("genmove w") != first
        gui.sets("play b resign")
        record = newest(server.data)
        assert record.text.count('"MovesTakenBack"') == 1
        assert record.is_whole()
        gui.close()


def test_the_house_grants_an_undo(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A user takes moves back against the house's gnugo, one of them while it thinks, and plays others."""
    with fast(tmp_path_factory.mktemp("house"), "gtp-gui", SEATS_BOT_AFTER="0s", BOTS_WORKERS="1") as running:
        gui = OnPort(running.ports[0], "alice")
        gui.sets("boardsize 7", "komi 5.5", "play b B2", "undo", "play b D4")
        gui.asks("genmove w")
        gui.sets("undo", "undo", "play b C3")
        assert gui.asks("genmove w").startswith("= ")
        assert ";B[dd]" not in newest(running.data).sgf  # on 7x7 D4 is dd, and C3 is ce
        assert ";B[ce]" in newest(running.data).sgf
        gui.close()
