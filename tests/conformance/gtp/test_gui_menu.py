"""A GUI's commands beside its game, at a running server: chat, GoGui's analyze menu, spectating."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.gtp import records
from tests.conformance.gtp.ends import OnPort, pipe
from tests.conformance.gtp.engines import LISTED, Engine
from tests.conformance.servers import fast
from tests.faults.guests import undisturbed
from tests.running import RunningServer

ENGINES, GUIS = 1, 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with (
        fast(tmp_path_factory.mktemp("menu"), "bogaprot", "gtp-engine,size=5", "gtp-gui") as running,
        undisturbed(running),
    ):
        yield running
    assert "Traceback" not in running.log.read_text()


@pytest.fixture(autouse=True)
def nobody_waits(server: RunningServer) -> None:
    records.until_nobody_waits(server.data)


_NUMBERS = itertools.count(1)
"""Names are used once: who has just left may still have one."""


def begin(server: RunningServer, *set_up: str) -> tuple[OnPort, OnPort, int]:
    """aliceN has played C3 on 5x5, and bobN knows it; their table's number."""
    number = next(_NUMBERS)
    black, white = OnPort(server.ports[GUIS], f"alice{number}"), OnPort(server.ports[GUIS], f"bob{number}")
    for gui in (black, white):
        gui.sets("boardsize 5", "komi 0.5", *set_up)
    black.sends("play b C3")
    assert white.asks("genmove b") == "= C3"
    assert black.answer() == "="
    return black, white, records.newest(server.data).number


def resigned(black: OnPort, *others: OnPort) -> None:
    black.sets("play b resign")
    for gui in (black, *others):
        gui.close()


def test_two_guis_talk(server: RunningServer) -> None:
    """ "kgs-chat (game|private) NAME TEXT": what is said goes to the table, what was said since is the answer."""
    black, white, _ = begin(server)
    assert black.asks("1 kgs-chat game me good game") == "=1"
    assert white.asks("kgs-chat private me you too, alice").endswith(": good game")
    assert re.fullmatch(r"= bob\d+: you too, alice", black.asks("boardgate-talk"))
    assert black.asks("boardgate-talk") == "="
    assert black.asks("kgs-chat game me").startswith("? syntax error")
    assert black.asks("kgs-chat loud me x").startswith("? syntax error")
    assert black.asks(f"kgs-chat game me {'x' * 500}") == "? say 1 to 400 characters, not 500"
    assert OnPort(server.ports[GUIS]).asks("kgs-chat game me x") == "? nobody hears you: begin a game first"
    assert '"you too, alice"' in records.newest(server.data).text
    resigned(black, white)


def test_an_engine_that_lists_comment_is_talked_to_and_answers(server: RunningServer) -> None:
    """ "comment text: somebody is trying to talk to the engine. Any text in the response will be sent back" """
    with Engine(
        server.ports[ENGINES], {"genmove": "B2", "comment": "I am a program"}, listed=f"{LISTED} comment"
    ) as it:
        gui = OnPort(server.ports[GUIS], f"alice{next(_NUMBERS)}")
        gui.sets("boardsize 5", "play b C3")
        assert gui.asks("genmove w") == "= B2"
        gui.sets("kgs-chat game me who are you?")
        assert it.wait_until_asked("comment") == "comment who are you?"
        while (talk := gui.asks("boardgate-talk")) == "=":
            pass
        assert re.fullmatch(r"= Thinker \d+ 1: I am a program", talk)
        resigned(gui)


def test_the_analyze_menu_names_commands_that_are_served(server: RunningServer) -> None:
    """ "one line per command: type/label/command" (GoGui, Analyze Commands)"""
    gui = OnPort(server.ports[GUIS])
    lines = gui.asks("gogui-analyze_commands").removeprefix("= ").splitlines()
    assert {"plist/Legal Moves/boardgate-legal", "hstring/Clocks/boardgate-clocks"} <= set(lines)
    for line in lines:
        shown, label, command = line.split("/")
        assert shown in ("plist", "hstring", "none")
        assert label
        assert gui.asks(f"known_command {command.split()[0]}") == "= true"
    gui.close()


def test_the_menu_tells_legal_moves_clocks_opponent_and_table(server: RunningServer) -> None:
    black, white, number = begin(server, "kgs-time_settings byoyomi 0 30 3")
    moves = white.asks("boardgate-legal").removeprefix("= ").split()
    assert len(moves) == 24
    assert "C3" not in moves
    assert "A1" in moves
    assert black.asks("boardgate-clocks") == "= black 30 3\nwhite 30 3"
    assert black.asks("boardgate-opponent").startswith("= white: bob")
    assert white.asks("boardgate-opponent").startswith("= black: alice")
    assert white.asks("boardgate-table").splitlines() == [
        f"= table {number}",
        "5x5, area, komi 0.5, time byoyomi,0,30,3",
        "the game is being played",
        "1 moves",
    ]
    assert f"table {number}" in OnPort(server.ports[GUIS]).asks("boardgate-tables")
    fresh = OnPort(server.ports[GUIS])
    assert fresh.asks("boardgate-legal") == "? no legal moves: the game has not begun"
    assert fresh.asks("boardgate-clocks") == "= nobody keeps time"
    assert fresh.asks("boardgate-opponent") == "= nobody"
    assert fresh.asks("boardgate-table").startswith("= no table")
    fresh.close()
    resigned(black, white)


def test_a_gui_looks_on_at_a_game_of_others(server: RunningServer) -> None:
    """Each genmove tells the next move of either colour; nothing can be played, and a new board ends it."""
    black, white, number = begin(server)
    other = OnPort(server.ports[GUIS], "eve")
    assert other.asks(f"boardgate-observe {number}") == f"? table {number} plays on 5x5: boardsize 5 first"
    assert other.asks("boardgate-observe 999999") == "? there is no table 999999"
    assert other.asks("boardgate-observe x").startswith("? syntax error")
    assert black.asks(f"boardgate-observe {number}").startswith("? you have a seat")
    other.sets("boardsize 5")
    told = other.asks(f"boardgate-observe {number}")
    assert re.match(r"= alice\d+ \(black\) against bob\d+ \(white\): the game is being played, 1 moves", told)
    assert other.asks("genmove b") == "= C3"
    other.sends("genmove w")
    white.sets("play w B2")
    assert other.answer() == "= B2"
    assert other.asks("play b D4") == "? you look on: genmove tells the moves"
    assert other.asks("play b resign") == "? you look on: genmove tells the moves"
    assert other.asks("final_score") == "? cannot score: you look on"
    assert other.asks("genmove w") == "? it is black's turn: genmove b"
    other.sets("undo", "undo")
    assert [other.asks("genmove b"), other.asks("genmove w")] == ["= C3", "= B2"]
    assert other.asks("showboard").count("X") == 1
    assert other.asks("kgs-chat game me nice") == "="
    assert black.asks("genmove w") == "= B2"
    assert black.asks("boardgate-talk") == "="  # players do not hear those who look on
    other.sends("genmove b")
    black.sets("play b resign")
    assert other.answer() == "= resign"
    assert other.asks("genmove b") in ("= resign", "? the table is closed: a new board ends looking on")
    other.sets("clear_board")
    resigned_already = other.asks("boardgate-table")
    assert resigned_already.startswith("= no table")
    for gui in (black, white, other):
        gui.close()


def test_who_looks_on_by_the_pipe_still_does_after_the_server_was_killed(tmp_path: Path) -> None:
    """The pipe asks for the table again, and shows the moves that its GUI knows."""
    with fast(tmp_path, "gtp-gui") as first:
        port = first.ports[0]
        black, white, other = pipe(port, "--name", "alice"), pipe(port, "--name", "bob"), pipe(port)
        for gui in (black, white, other):
            gui.sets("boardsize 5", "komi 0.5")
        black.sends("play b C3")
        assert white.asks("genmove b") == "= C3"
        assert black.answer() == "="
        assert other.asks("boardgate-observe 1").startswith("= alice (black)")
        assert other.asks("genmove b") == "= C3"
        first.kill()
    with fast(tmp_path, "gtp-gui", ports={0: port}):
        other.sends("genmove w")
        assert white.asks("play w B2") == "="
        assert other.answer() == "= B2"
        assert other.asks("play b D4") == "? you look on: genmove tells the moves"
        for gui in (black, white, other):
            gui.close()
