"""A person at a GUI against an engine and against another GUI: giving up, taking back, and whose dead stones count."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from tests.conformance.gtp import records
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.gtp.records import newest
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.faults.guests import undisturbed
from tests.running import RunningServer

BOGAPROT, ENGINES, GUIS = range(3)
_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    listeners = ("bogaprot", "gtp-engine,size=5", "gtp-gui")
    with fast(tmp_path_factory.mktemp("people"), *listeners, SEATS_GRACE="2s") as running, undisturbed(running):
        yield running
    assert "Traceback" not in running.log.read_text()


@pytest.fixture(autouse=True)
def nobody_waits(server: RunningServer) -> None:
    records.until_nobody_waits(server.data)


def person(server: RunningServer, *moves: str) -> OnPort:
    """A person of a new name who begins on 5x5 with these moves."""
    gui = OnPort(server.ports[GUIS], f"alice{next(_NUMBERS)}")
    gui.sets("boardsize 5", "clear_board", "komi 0.5", *moves)
    return gui


def both_pass(gui: OnPort) -> None:
    gui.sets("play b pass")
    assert gui.asks("genmove w").lower() == "= pass"


def until_dead(gui: OnPort, vertices: str) -> None:
    """Until the opponent takes these stones for dead, which it has said already."""
    while gui.asks("final_status_list dead") != f"= {vertices}":
        pass


def until_asked(client: SpecClient) -> None:
    """Until it is this client's turn."""
    while client.until("REQ_MOVE")[1] != client.seat:
        pass


def test_who_resigns_to_an_engine_has_lost_and_the_engine_plays_the_next(server: RunningServer) -> None:
    """ "`gnugo --mode gtp --gtp-connect HOST:5020` is enough [...]; it plays whoever comes": a resignation frees it."""
    with Engine(server.ports[ENGINES], {"genmove": ["B2", None, "E5"]}) as engine:
        gui = person(server, "play b C3")
        assert gui.asks("genmove w") == "= B2"
        gui.sets("play b D4")
        engine.wait_until_asked("genmove")
        gui.sets("play b resign")
        assert gui.asks("final_score") == "= W+R"
        assert gui.asks("play b A1") == "? game over: W+R"
        record = newest(server.data)
        assert "RE[W+R]" in record.sgf
        assert record.is_whole()
        number = len(engine.asked)
        engine.says(f"={number} E4\n\n".encode())  # its move comes too late
        again = person(server, "play b C4")
        assert again.asks("genmove w") == "= E5"
        again.sets("play b resign")
        gui.close()
        again.close()


def test_an_engine_that_resigns_to_a_person_says_so(server: RunningServer) -> None:
    """ "Opponent resigned: `= resign`." """
    with Engine(server.ports[ENGINES], {"genmove": "resign"}):
        gui = person(server, "play b C3")
        assert gui.asks("genmove w") == "= resign"
        assert "RE[B+R]" in newest(server.data).sgf
        gui.close()


def test_who_resigns_to_another_gui_has_lost(server: RunningServer) -> None:
    """ "Opponent resigned: `= resign`. Otherwise over: `? game over: B+3.5`." """
    black, white = person(server), person(server)
    black.sends("play b C3", "genmove w")
    assert white.asks("genmove b") == "= C3"
    white.sets("play w resign")
    assert [black.answer(), black.answer()] == ["=", "= resign"]
    assert white.asks("genmove b") == "? game over: B+R"
    assert "RE[B+R]" in newest(server.data).sgf
    black.close()
    white.close()


def test_why_a_game_was_forfeited_is_said_to_a_gui(server: RunningServer) -> None:
    """ "the opponent is told in words, the record says why" """
    with Engine(server.ports[ENGINES], {"genmove": "C3"}):
        gui = person(server, "play b C3")
        answer = gui.asks("genmove w")
        assert answer.startswith("? game over: B+F (Thinker")
        assert "plays an illegal move (C3 is occupied)" in answer
        assert "plays an illegal move" in newest(server.data).sgf
        gui.close()


def test_the_engines_list_is_agreed_to(server: RunningServer) -> None:
    """ "Engine and human: the engine's list is the proposal; the human agrees" """
    with Engine(server.ports[ENGINES], {"genmove": ["B2", "pass"], "final_status_list": "B2"}):
        gui = person(server, "play b C3")
        assert gui.asks("genmove w") == "= B2"
        both_pass(gui)
        assert gui.asks("final_score") == "= B+24.5"
        game = newest(server.data).proves_its_result()
        assert "White claims: B2 dead." in game.comment
        assert "Settled: B2 dead." in game.comment
        gui.close()


def test_of_a_second_disagreement_the_persons_list_counts_in_an_unrated_game(server: RunningServer) -> None:
    """ "the human agrees or play resumes; a second disagreement: the engine's list in rated games, the human's in
    unrated; both lists are kept in the record". Rated games: tests/conformance/test_rated.py."""
    with Engine(server.ports[ENGINES], {"genmove": ["B2", "pass"], "final_status_list": "C3"}) as engine:
        gui = person(server, "play b C3")
        assert gui.asks("genmove w") == "= B2"
        both_pass(gui)
        engine.wait_until_asked("final_status_list")
        until_dead(gui, "C3")
        assert gui.asks("boardgate-dead B2").endswith(" plays on")
        both_pass(gui)
        assert gui.asks("boardgate-dead B2") == "= B+24.5"
        record = newest(server.data)
        game = record.proves_its_result()
        assert record.sgf.count("White claims: C3 dead.") == 2
        assert record.sgf.count("Black claims: B2 dead.") == 2
        assert "Play goes on." in record.sgf
        assert "Settled: B2 dead." in game.comment
        gui.close()


def test_two_people_confirm_the_same_set(server: RunningServer) -> None:
    """ "Two humans: the same set confirmed by both." """
    black, white = person(server), person(server)
    black.sends("play b C3", "genmove w", "play b pass", "genmove w")
    assert white.asks("genmove b") == "= C3"
    white.sets("play w B2")
    assert white.asks("genmove b").lower() == "= pass"
    white.sets("play w pass")
    assert [black.answer() for _ in range(4)] == ["=", "= B2", "=", "= pass"]
    black.sends("boardgate-dead B2")
    until_dead(white, "B2")
    assert white.asks("final_score") == "= B+24.5"
    assert black.answer() == "= B+24.5"
    assert newest(server.data).proves_its_result().result == "B+24.5"
    black.close()
    white.close()


def test_a_gui_plays_a_bogaprot_client(server: RunningServer) -> None:
    """ "the opponent may be an engine, another GUI, a browser or a Bogaprot client" """
    client = SpecClient(server.ports[BOGAPROT])
    assert client.handshake("go?size=5&komi=0.5") == ("RSP_HANDSHAKE", 0)
    gui = person(server)
    gui.sends("play b C3", "genmove w")
    until_asked(client)
    assert client.board == {12: "black"}
    client.move(-1, 16, "white")
    assert [gui.answer(), gui.answer()] == ["=", "= B2"]
    gui.sends("play b pass", "genmove w")
    until_asked(client)
    client.move(-1, -1, "pass")
    assert [gui.answer(), gui.answer()] == ["=", "= pass"]
    client.move(-1, -1, "dead 16")
    until_dead(gui, "B2")
    assert gui.asks("final_score") == "= B+24.5"
    assert client.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", 0)
    assert newest(server.data).proves_its_result().result == "B+24.5"
    gui.close()
    client.close()


def test_clocks_are_in_the_record_in_overtime_too(server: RunningServer) -> None:
    """ "SGF of every game with clocks" """
    black, white = person(server), person(server)
    for gui in (black, white):
        gui.sets("time_settings 0 60 3")
    black.sends("play b C3", "genmove w", "play b D4")
    assert white.asks("genmove b") == "= C3"
    white.sets("play w B2")
    assert white.asks("genmove b") == "= D4"
    white.sets("play w resign")
    sgf = newest(server.data).sgf.replace("\n", "")
    assert "OT[3/60 Canadian]" in sgf
    assert re.search(r";B\[cc]BL\[(59\.\d|60\.0)]OB\[2];W\[bd]WL\[[56]\d\.\d]OW\[2];B\[db]BL\[[56]\d\.\d]OB\[1]", sgf)
    black.close()
    white.close()


def test_undo_is_the_opponents_to_grant(server: RunningServer) -> None:
    """ "`undo` asks the opponent (a takeback proposal) and answers when he did" """
    replies = {"genmove": ["B2", "B3"], "undo_ok": ["n", "y"]}
    with Engine(server.ports[ENGINES], replies, listed=f"{LISTED} undo undo_ok") as engine:
        gui = person(server, "play b C3")
        assert gui.asks("genmove w") == "= B2"
        assert gui.asks("undo").endswith(" declines")
        gui.sets("undo", "undo", "play b D4")
        assert gui.asks("genmove w") == "= B3"
        assert engine.asked.count("undo") == 2
        gui.sets("play b resign")
        gui.close()
