"""qGo's real windows at a Go server's port, under a virtual screen: whole games, played by a mouse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import pytest

from tests import peers
from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.gtp.records import newest
from tests.conformance.igs.clients import IgsClient, matched, play
from tests.conformance.igs.qgo_window import (
    ACCEPT_UNDO,
    ADJOURNED,
    DONE,
    PASS,
    REFUSE_UNDO,
    RESULT,
    UNDO,
    YES,
    Qgo,
    qgo,
)
from tests.conformance.igs.test_games import PASSWORD, registered
from tests.conformance.igs.test_games import WALL as BETWEEN
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import virtual_screen
from tests.web_client import WebClient

pytestmark = peers.needed

Opens = Callable[..., Qgo]
WALL: Final = [*BETWEEN.split(), "A1", "G7"]
"""Two walls, and behind each a stone of the other side that is dead: Black has 37 points, White 34.5."""


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Open qGo on a screen of its own, with this port of ours in its list of servers."""
    with ExitStack() as open_ones:

        def opened(port: int, name: str = "Anna", password: str = PASSWORD) -> Qgo:
            screen = open_ones.enter_context(virtual_screen())
            home = tmp_path / f"qgo{len(list(tmp_path.glob('qgo*')))}"
            return open_ones.enter_context(qgo(screen, home, port, name, password))

        yield opened


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "data").mkdir()
    registered(tmp_path / "data")
    with fast(tmp_path / "data", "igs") as running:
        yield running.ports[0]


def moves(sgf: str) -> list[str]:
    """The stones of a game that qGo has written down, as a board of nine names their points; it leaves out passes."""
    found = re.findall(r";[BW]\[([a-i])([a-i])\]", sgf)
    return [f"{'ABCDEFGHJ'[ord(x) - ord('a')]}{9 - (ord(y) - ord('a'))}" for x, y in found]


def tags(sgf: str) -> set[str]:
    return set(re.findall(r"[A-Z]{2}\[[^]]*\]", sgf))


def test_it_challenges_a_player_of_its_list_and_plays_black_to_the_score(port: int, opens: Opens) -> None:
    """A dead stone is named by each side; the Undo button restores all; what qGo counts is the score."""
    with closing(IgsClient(port).comes("Bert", PASSWORD)) as bert:
        window = opens(port)
        window.comes()
        window.challenges(1, "Bert")
        bert.hears("9 Use <")
        bert.type(bert.hears("> or <decline Anna>"))
        window.board(r"^\(1\) Bert NR vs. Anna NR - qGo$")
        bert.hears("1 6\n")
        for mine, theirs in zip(WALL[::2], WALL[1::2], strict=True):
            window.plays(mine)
            bert.hears(f": {mine}\n")
            bert.type(theirs)
            window.told(theirs)
        window.presses(PASS, "pass")
        bert.hears(": Pass\n")
        bert.type("pass")
        window.hears("enterScoreMode")
        window.sends("G7 1", lambda: window.clicks("G7"))
        window.hears("countMarked(): 36 0 1 0 0 0")
        window.sends("G7 1", lambda: window.clicks("G7"))
        window.hears("countMarked(): 36 0 1 0 0 0")
        window.presses(UNDO, "undo")
        window.hears("countMarked(): 0 0 0 0 0 0")
        bert.type("A1", "G7")
        window.hears("countMarked(): 36 0 1 27 0 1")
        window.presses(DONE, "done")
        bert.type("score", "done")
        bert.hears("9 As the stones are named now: White 34.5, Black 37.0.\n")
        bert.hears("20 Bert (W:O): 34.5 to Anna (B:#): 37.0\n")
        window.answers("^Game 1$", RESULT)
        sgf = window.saved()
        assert moves(sgf) == WALL
        assert {"SZ[9]", "KM[6.5]", "PW[Bert]", "PB[Anna]", "RE[B+2.5]"} <= tags(sgf)


def test_it_is_challenged_grants_and_refuses_undos_adjourns_and_plays_white_to_the_score(
    port: int, opens: Opens
) -> None:
    """The game that was adjourned goes on when both have said load, and its board is there again with its moves."""
    with closing(IgsClient(port).comes("Bert", PASSWORD)) as bert:
        window = opens(port)
        window.comes()
        bert.type("match Anna B 9 10 5")
        window.accepts()
        window.board(r"^\(1\) Anna.* vs. Bert.* - qGo$")
        bert.hears("1 6\n")
        begins(window, bert)
        bert.type("undoplease")
        window.answers("^Undo requested", ACCEPT_UNDO)
        window.hears("28 Undo in game 1: Anna vs Bert:  D5")
        window.hears("28 Undo in game 1: Anna vs Bert:  E5")
        begins(window, bert)
        window.presses(UNDO, "undoplease")
        bert.hears("24 *SYSTEM*: Anna requests undo.\n")
        bert.type("decline undo")
        bert.type("undoplease")
        window.answers("^Undo requested", REFUSE_UNDO)
        bert.hears("9 Anna declines an undo.\n")
        bert.type("adjourn")
        window.answers("^Adjourn", YES)
        bert.hears("9 Game has been adjourned.\n")
        window.answers("^Game Adjourned", ADJOURNED)
        window.closes()
        bert.type("load Anna")
        window.says("load Bert")
        window.board(r"^\(1\) Anna.* vs. Bert.* - qGo$")
        for point in WALL[:2]:
            window.told(point)
        bert.hears("1 6\n")
        for theirs, mine in zip(WALL[2::2], WALL[3::2], strict=True):
            bert.type(theirs)
            window.told(theirs)
            window.plays(mine)
            bert.hears(f": {mine}\n")
        bert.type("pass")
        window.told("Pass")
        window.presses(PASS, "pass")
        window.hears("enterScoreMode")
        bert.type("A1", "G7")
        window.hears("countMarked(): 36 0 1 27 0 1")
        bert.type("done")
        window.presses(DONE, "done")
        bert.hears("20 Anna (W:O): 34.5 to Bert (B:#): 37.0\n")
        window.answers("^Game 1$", RESULT)
        sgf = window.saved()
        assert moves(sgf) == WALL
        assert {"SZ[9]", "PW[Anna]", "PB[Bert]", "RE[B+2.5]"} <= tags(sgf)


def begins(window: Qgo, black: IgsClient) -> None:
    black.type(WALL[0])
    window.told(WALL[0])
    window.plays(WALL[1])
    black.hears(f": {WALL[1]}\n")


def test_a_guest_looks_on_at_a_game_of_its_list_to_the_end(port: int, opens: Opens) -> None:
    """Who plays stands in the title. qGo draws nineteen lines there, whatever the list of games says."""
    with ExitStack() as open_ones:
        black, white = (open_ones.enter_context(closing(IgsClient(port).comes(name))) for name in ("wendy", "boris"))
        matched(black, white, "B 19 10 5")
        play(black, white, "Q16 D4")
        window = opens(port, "mia", "")
        window.comes()
        window.observes()
        window.board(r"^\(1\) boris NR vs. wendy NR - qGo$")
        window.told("D4")
        play(black, white, "Q4", 2)
        window.told("Q4")
        white.type("resign")
        window.hears("Receiving 21 result")


def test_it_comes_back_to_its_board_after_the_server_was_killed(tmp_path: Path, opens: Opens) -> None:
    """By starting it anew: qGo 2.1 crashes at the message that the line is lost in a game. It resigns there then."""
    data = tmp_path / "data"
    data.mkdir()
    registered(data)
    with fast(data, "igs") as running, closing(IgsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert:
        window = opens(running.ports[0])
        window.comes()
        bert.type("match Anna B 9 10 5")
        window.accepts()
        bert.hears("1 6\n")
        begins(window, bert)
        running.kill()
        window.hears("The remote host closed the connection")
    with (
        fast(data, "igs", ports=dict(enumerate(running.ports))) as running,
        closing(IgsClient(running.ports[0]).comes("Bert", PASSWORD)) as bert,
    ):
        assert "9 Anna has restarted your game.\n" in bert.text
        window = opens(running.ports[0])
        window.comes()
        window.board(r"^\(1\) Anna.* vs. Bert.* - qGo$")
        for point in WALL[:2]:
            window.told(point)
        bert.type(WALL[2])
        window.told(WALL[2])
        window.plays(WALL[3])
        bert.hears(f": {WALL[3]}\n")
        bert.type(WALL[4])
        window.told(WALL[4])
        window.resigns()
        bert.hears("21 {Game 1: Anna vs Bert : White resigns.}\n")
        sgf = window.saved()
        assert moves(sgf) == WALL[:5]
        assert {"SZ[9]", "PW[Anna]", "PB[Bert]", "RE[B+R]"} <= tags(sgf)


def test_it_plays_gnu_go_of_the_engines_port_before_a_page_and_the_archive_has_the_same_game(
    tmp_path: Path, opens: Opens
) -> None:
    """A guest's window. GNU Go waits at the port of engines; two look on, by igs and by web. The export is the same."""
    data = tmp_path / "data"
    data.mkdir()
    registered(data)
    engines = "gtp-engine,size=9,rules=japanese,time=600+25/600"
    with (
        fast(data, "igs", engines, "http") as running,
        closing(IgsClient(running.ports[0]).comes("zoe")) as zoe,
        closing(WebClient(running.ports[2])) as page,
        dialled_in(running.ports[1], 7),
    ):
        while "GNUGo" not in (listed := zoe.asks("who")):
            pass
        name = re.search(r"GNUGo\w*", listed)[0]  # type: ignore[index]
        window = opens(running.ports[0], "guest", "")
        window.comes()
        window.challenges(0, name)
        window.board(rf"^\(1\) {name}.* vs. guest.* - qGo$")
        page.hello()
        page.say("watch", whom="guest-1")
        page.until("seated")
        zoe.type("observe 1")
        zoe.hears("15 Game 1 I: ")
        played: list[str] = []
        for _ in range(4):
            mine = next(point for point in ("E5", "C3", "G7", "C7", "G3", "B8", "H2", "B2") if point not in played)
            window.plays(mine)
            zoe.hears(f"(B): {mine}\n")
            zoe.hears("(W): ")
            theirs = zoe.hears("\n").split()[0]
            window.told(theirs)
            played += [mine, theirs]
        window.resigns()
        zoe.hears(f"21 {{Game 1: {name} vs guest1 : Black resigns.}}\n")
        page.until("GameEnded")
        assert page.notations == played
        sgf = window.saved()
        assert moves(sgf) == played
        assert "RE[W+R]" in tags(sgf)
    record = newest(data)
    assert record.is_whole()
    assert moves(record.sgf.replace("\n", "")) == played
