"""GNU Go as the house's bot when play has stopped: its dead stones are the proposal, to a GUI and to Bogaprot clients.

"Engine and human: the engine's list is the proposal; the human agrees or play resumes"
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from tests import peers
from tests.conformance.gtp import refereeing
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.gnugos import gnugo, on_pipes, options
from tests.conformance.gtp.records import newest, until
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.faults.guests import sound
from tests.running import RunningServer

pytestmark = peers.needed

SIZE = 5
CENTRE = 12


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Its gnugo has a seed, so that it plays the same games."""
    bot = f"go={' '.join([gnugo(), *options(seed=1)])},move_time=5s"
    fast_path = partial(fast, SEATS_BOT_AFTER="0s", BOTS_WORKERS="1", BOTS_LEVEL="1", BOTS_PAUSE="0s")
    with fast_path(tmp_path_factory.mktemp("house"), "gtp-gui", "bogaprot", BOT=bot) as running:
        yield running
        assert sound(running)


def gui(server: RunningServer, *set_up: str) -> OnPort:
    end = OnPort(server.ports[0], "alice")
    end.sets("boardsize 9", "clear_board", *set_up)
    return end


def surrounded(server: RunningServer) -> OnPort:
    """A person with a stone in the middle of 5x5, who passes until gnugo, too, has enough: both have passed."""
    end = gui(server, f"boardsize {SIZE}", "clear_board", "komi 0.5", "play b C3")
    passes(end)
    return end


def passes(end: OnPort) -> None:
    for _ in range(SIZE * SIZE):
        if end.asks("genmove w") == "= pass":
            return
        end.sets("play b pass")
    raise AssertionError("it never passes")


def test_a_gui_s_final_score_counts_without_the_dead_stones(server: RunningServer) -> None:
    """Black's only stone has no room for an eye: the whole board is White's, and half a point of komi."""
    end = surrounded(server)
    assert end.asks("final_score") == f"= W+{SIZE * SIZE + 0.5:g}"
    assert end.asks("final_status_list dead") == "= C3"
    game = newest(server.data).proves_its_result()
    assert "White claims: C3 dead." in game.comment
    assert "Settled: C3 dead." in game.comment
    end.close()


@pytest.mark.parametrize(("rules", "seed"), [("chinese", 3), ("japanese", 4), ("chinese", 5)])
def test_a_gui_and_the_house_finish_and_the_score_is_the_independent_one(
    server: RunningServer, rules: str, seed: int
) -> None:
    there, here = gui(server, f"kgs-rules {rules}", "komi 5.5"), on_pipes(seed)
    here.sets("boardsize 9", "clear_board", "komi 5.5")
    told = refereeing.play(here, there, 0)
    record = newest(server.data)
    assert told == record.proves_its_result().result
    assert "White claims:" in record.sgf
    there.close()
    here.close()


def test_a_person_disagrees_once_and_play_resumes_to_clean_up(server: RunningServer) -> None:
    """The house's gnugo then takes what it has called dead off the board, and nobody has to say so any more."""
    end = surrounded(server)
    until(newest(server.data), '"program":true')
    assert end.asks("boardgate-dead B3").endswith(" plays on")
    passes(end)
    assert end.asks("final_score") == f"= W+{SIZE * SIZE + 0.5:g}"
    record = newest(server.data)
    assert "Settled: nothing dead." in record.proves_its_result().comment
    assert record.sgf.count("Play goes on.") == 1
    end.close()


def test_of_a_second_disagreement_the_persons_list_counts(server: RunningServer) -> None:
    """ "a second disagreement: the engine's list in rated games, the human's in unrated" """
    end = surrounded(server)
    until(newest(server.data), '"program":true')
    assert end.asks("boardgate-dead B3").endswith(" plays on")
    passes(end)
    whites = end.asks("final_status_list alive").removeprefix("= ")
    assert end.asks(f"boardgate-dead {whites}") == "= W+0.5"
    assert "Black claims: " in newest(server.data).proves_its_result().comment
    end.close()


def test_a_bogaprot_client_agrees_with_its_list(server: RunningServer) -> None:
    client = SpecClient(server.ports[1])
    assert client.handshake(f"go?size={SIZE}&komi=0.5&against=bot") == ("RSP_HANDSHAKE", 0)
    stones, words = [CENTRE], list[str]()
    while "settle" not in words:
        message = client.until("REQ_MOVE", "MSG_MOVE")
        if message == ("REQ_MOVE", 0):
            client.move(-1, stones.pop(), "black") if stones else client.move(-1, -1, "pass")
        words.append(str(message[-1]))
    while not (word := str(client.until("MSG_MOVE")[-1])).startswith("dead"):
        pass
    assert word == f"dead {CENTRE}"
    client.move(-1, -1, word)
    assert client.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", 1)
    assert newest(server.data).proves_its_result().result == "W+25.5"
    client.close()
