"""Engines that misbehave: each game ends or heals as it should, the record says why, and nobody else is disturbed."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator

import pytest

from tests.conformance.gtp import records
from tests.conformance.gtp.ends import PATIENCE_S, OnPort
from tests.conformance.gtp.engines import LISTED, Engine, Reply
from tests.conformance.gtp.records import Record, newest
from tests.conformance.servers import fast
from tests.faults.guests import undisturbed
from tests.running import RunningServer

TICKET = "an-engine-has-brought-this-secret"

SILENCE_S = 30.0
"""Seconds in which an engine must answer anything but genmove: 30 s, as for its list of dead stones."""

_NUMBERS = itertools.count(1)
"""Each person has a name of its own, so that records tell them apart."""

GTP_ENGINES, GUIS, ALONE = 1, 2, 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    listeners = ("bogaprot", "gtp-engine,size=5", "gtp-gui", "gtp-engine,size=5,games=1")
    with (
        fast(tmp_path_factory.mktemp("engines"), *listeners, SEATS_GRACE="2s") as running,
        undisturbed(running),
    ):
        yield running
    log = running.log.read_text()
    assert "Traceback" not in log


@pytest.fixture(scope="module")
def silent(server: RunningServer) -> Iterator[tuple[Engine, float]]:
    """It says who it is and not a word more; since when. It is asked at the end of this module: waiting takes long."""
    with Engine(server.ports[ALONE], {"list_commands": None}) as engine:
        engine.wait_until_asked("list_commands")
        yield engine, time.monotonic()


@pytest.fixture(autouse=True)
def nobody_waits(server: RunningServer) -> None:
    """The engines of the test before have left: one that is gone a moment later still has a seat."""
    records.until_nobody_waits(server.data)


def person(server: RunningServer, *set_up: str) -> OnPort:
    """A person at a GUI, who begins on 5x5 with Black's stone in the middle."""
    gui = OnPort(server.ports[GUIS], f"alice{next(_NUMBERS)}")
    gui.sets("boardsize 5", "clear_board", *set_up, "play b C3")
    return gui


def against(server: RunningServer, replies: dict[str, Reply], *set_up: str, listed: str = LISTED) -> Engine:
    """An engine that plays White against a person, as far as it does."""
    return Engine(server.ports[GTP_ENGINES], replies, listed=listed)


def ended(gui: OnPort, record: Record, why: str, result: str) -> None:
    """The person is told that the game is won; the record says why, and is whole."""
    answer = gui.asks("genmove w")
    assert answer == "= resign" or answer.startswith(f"? game over: {result}"), answer
    assert gui.asks("final_score").startswith(f"= {result}")
    assert why in record.text
    assert record.is_whole()
    gui.close()


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    ("replies", "why"),
    [
        ({"genmove": "C3"}, "illegal"),
        ({"genmove": "Z9"}, "gives no move"),
        ({"genmove": "? I am confused"}, "gives no move"),
        ({"play": "? illegal move"}, "does not accept a legal move"),
        ({"genmove": b"=ID " + b"x" * 40_000}, "answers without end"),
        ({"genmove": b"=999 A1\n\n" * 20}, "answers what it is not asked"),
        ({"clear_board": ["", "? I cannot"]}, "clear_board"),
    ],
)
def test_an_engine_that_breaks_the_game_loses_it(server: RunningServer, replies: dict[str, Reply], why: str) -> None:
    """ "An illegal genmove loses by forfeit; an engine that refuses a legal play is resynchronised once, then forfeits
    itself." The opponent is told, and the record says why."""
    with against(server, replies) as engine:
        gui = person(server)
        record = newest(server.data)
        ended(gui, record, why, "B+")
        assert engine.left.wait(PATIENCE_S)


def test_a_refused_play_is_healed_by_a_replay(server: RunningServer) -> None:
    """ "an engine that refuses a legal play is resynchronised once (clear_board, replay)" """
    with against(server, {"play": ["? illegal move", ""], "genmove": "B2"}) as engine:
        gui = person(server)
        assert gui.asks("genmove w") == "= B2"
        assert len([words for words in engine.asked if words == "play black C3"]) == 2
        gui.sets("play b resign")
        gui.close()


@pytest.mark.parametrize("piece", [1, 2, 7])
def test_answers_in_fragments_are_answers(server: RunningServer, piece: int) -> None:
    """ "Answers arrive in 1 to 3 TCP segments: the end is the blank line, never the read." """
    with Engine(server.ports[GTP_ENGINES], {"genmove": ["D4", "pass"]}, piece=piece):
        gui = person(server)
        record = newest(server.data)
        assert gui.asks("genmove w") == "= D4"
        gui.sets("play b pass")
        assert gui.asks("genmove w").lower() == "= pass"
        assert gui.asks("final_score").startswith("= ")
        record.proves_its_result()
        gui.close()


def test_a_slow_engine_loses_on_time(server: RunningServer) -> None:
    """Silent in genmove while its clock runs: the flag falls, and the result says so."""
    with against(server, {"genmove": None}) as engine:
        gui = person(server, "time_settings 1 0 0")
        record = newest(server.data)
        engine.wait_until_asked("genmove")
        assert gui.asks("genmove w") == "? game over: B+T"
        assert record.is_whole()
        assert "RE[B+T]" in record.sgf
        gui.close()


def test_a_late_answer_does_not_count_for_the_next_game(server: RunningServer) -> None:
    """An answer that comes after the flag has fallen belongs to a game that is over."""
    with against(server, {"genmove": [None, "B2"]}) as engine:
        gui = person(server, "time_settings 1 0 0")
        engine.wait_until_asked("genmove")
        number = len(engine.asked)
        assert gui.asks("genmove w") == "? game over: B+T"
        gui.close()
        engine.says(f"={number} A1\n\n".encode())
        again = person(server)
        assert again.asks("genmove w") == "= B2"
        again.sets("play b resign")
        again.close()


def test_an_engine_that_floods_is_let_go_and_loses(server: RunningServer) -> None:
    with against(server, {"genmove": None}) as engine:
        gui = person(server)
        record = newest(server.data)
        engine.wait_until_asked("genmove")
        with contextlib.suppress(ConnectionError):  # once it has been let go
            for _ in range(2000):
                engine.says(b"=1000 E5\n\n?1000 what\n\nhello\n" * 100)
        ended(gui, record, "is not asked", "B+F")


def test_an_engine_that_dies_in_mid_game_loses_after_the_grace(server: RunningServer) -> None:
    """A lost connection keeps its seat for the grace; then the game is lost, and the opponent is told."""
    with against(server, {"genmove": ["B2", None]}) as engine:
        gui = person(server)
        assert gui.asks("genmove w") == "= B2"
        gui.sets("play b D4")
        engine.dies()
        ended(gui, newest(server.data), "abandonment", "B+F")


def test_an_engine_that_comes_back_with_its_ticket_goes_on(server: RunningServer) -> None:
    """ "lines that arrive before our first command", a user and a ticket, take the seat back; the game is replayed."""
    login = f"Deep Stone\n{TICKET}\n"
    with Engine(server.ports[GTP_ENGINES], {"genmove": "B2"}, first=login) as first:
        gui = person(server)
        assert gui.asks("genmove w") == "= B2"
        first.dies()
        gui.sets("play b D4")
        with Engine(server.ports[GTP_ENGINES], {"genmove": "E5"}, first=login) as second:
            assert gui.asks("genmove w") == "= E5"
            assert [words for words in second.asked if words.startswith("play")] == [
                "play black C3",
                "play white B2",
                "play black D4",
            ]
            gui.sets("play b resign")
            gui.close()


def test_a_second_connection_of_the_same_engine_supersedes_the_first(server: RunningServer) -> None:
    """ "A second connection of the same engine supersedes the first." """
    login = f"Deep Water\n{TICKET}-2\n"
    with Engine(server.ports[GTP_ENGINES], {"genmove": None}, first=login) as first:
        gui = person(server)
        first.wait_until_asked("genmove")
        with Engine(server.ports[GTP_ENGINES], {"genmove": "E5"}, first=login):
            assert gui.asks("genmove w") == "= E5"
            assert first.left.wait(PATIENCE_S)
            gui.sets("play b resign")
            gui.close()


def test_two_engines_that_differ_on_the_dead_clean_up_and_then_all_is_alive(server: RunningServer) -> None:
    """ "Different, between engines: clean-up under area rules until two more passes; then all stones are alive." """
    one = {"genmove": ["C3", "pass"], "final_status_list": "B2"}
    other = {"genmove": ["B2", "pass"], "final_status_list": ""}
    with Engine(server.ports[ALONE], one) as black, Engine(server.ports[ALONE], other) as white:
        assert black.left.wait(PATIENCE_S)
        assert white.left.wait(PATIENCE_S)
    record = newest(server.data)
    records.until(record, "GameEnded")
    game = record.proves_its_result()
    assert len(game.stones) == 2
    assert "claims: B2 dead" in record.sgf


def test_an_engine_that_never_says_what_it_knows_is_let_go(silent: tuple[Engine, float]) -> None:
    """ "every wait has a deadline": 30 s for anything but a move."""
    engine, since = silent
    assert engine.left.wait(SILENCE_S + PATIENCE_S)
    assert time.monotonic() - since > SILENCE_S - 1
