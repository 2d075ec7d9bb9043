"""CGoban's own windows at a Go server's port, under a virtual screen, played by a mouse against others."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from protocols.igs.names import spelt
from tests import peers
from tests.conformance.chess_players import Lines
from tests.conformance.figures import until
from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.gtp.records import Record
from tests.conformance.host import Host
from tests.conformance.igs.cgoban_window import COLUMNS, GAME, CGoban, cgoban
from tests.conformance.igs.clients import IgsClient, matched, play
from tests.conformance.igs.test_games import GUI, HTTP, IGS, LISTENERS, PASSWORD, registered
from tests.conformance.igs.test_games import WALL as BETWEEN
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import virtual_screen
from tests.running import RunningServer
from tests.web_client import WebClient

pytestmark = peers.needed

WALL = f"{BETWEEN} A1 G7"
"""Two walls down a board of nine, and a prisoner in each half."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    registered(tmp_path)
    with fast(tmp_path, *LISTENERS, BOTS_WORKERS="1") as server:
        yield server


Opens = Callable[..., CGoban]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Open CGoban on a screen of its own."""
    with ExitStack() as open_ones:
        yield lambda port, kind="nngs": open_ones.enter_context(
            cgoban(open_ones.enter_context(virtual_screen()), tmp_path / "cgoban", port, kind)
        )


def outcome(running: RunningServer, table: int) -> str:
    return str(Host(running.ports[HTTP]).table(table)["outcome"]["detail"])


def test_a_guest_challenges_by_the_list_of_players_and_plays_black_to_the_score(
    running: RunningServer, opens: Opens
) -> None:
    """An undo is asked for at both ends, refused and granted; both name a dead stone, the window by a click."""
    window = opens(running.ports[IGS])
    window.comes("guest")
    with closing(IgsClient(running.ports[IGS]).comes("zoe")) as zoe:
        window.challenges("zoe")
        zoe.hears("9 Use <")
        words = zoe.hears("> or <decline")
        assert words == "match guest1 W 9 10 0"
        zoe.type(words)
        window.shows("Game Start: Black to play")
        assert window.title() == "Game 1: zoe NR (W) vs. guest NR (B)"
        for at, vertex in enumerate(WALL.split()):
            if at % 2:
                zoe.type(vertex)
                window.sees("W", vertex)
            else:
                window.moves("B", vertex)
                zoe.hears(f"{at:3}(B): {vertex}\n")
        window.says("undo")
        zoe.hears("guest1 requests undo.")
        zoe.type("decline undo")
        window.shows("zoe declines an undo.")
        zoe.type("undo")
        window.shows("*SYSTEM*: zoe requests undo.")
        window.says("undo")
        window.sees("B", "A1")
        zoe.type("G7")
        window.sees("W", "G7")
        window.presses(GAME, "Pass")
        zoe.hears("Pass\n")
        zoe.type("pass")
        window.shows("Select Dead Stones")
        window.points("G7")
        zoe.hears("9 Removing @ G7\n")
        zoe.type("A1")
        window.shows("34.5")
        zoe.type("done")
        window.presses(GAME, "Done")
        window.shows("The final score is White 34.5 points, Black 37 points. Black wins.")
        window.shows("Black wins, 37 to 34.5")
        zoe.hears("W 34.5 B 37.0}\n")
        assert outcome(running, 1) == "B+2.5"


def test_an_account_is_challenged_over_http_plays_white_and_is_talked_to(running: RunningServer, opens: Opens) -> None:
    """It loses by the score; what is typed below its board comes once as a tell, once as a kibitz."""
    window = opens(running.ports[IGS], "igs")
    window.comes("anna", PASSWORD)
    given = base64.b64encode(f"Bert:{PASSWORD}".encode()).decode()
    bert = Host(running.ports[HTTP], {"Authorization": f"Basic {given}"})
    wanted = {"game": "go", "variant": "territory", "options": {"size": "9"}, "time": "600", "side": 0, "to": "Anna"}
    status, offered = bert.ask("/api/offers", wanted)
    assert status == 201, offered
    window.takes()
    until(lambda: bert.ask(f"/api/tables/{offered['id']}")[0], lambda status: status == 200)
    with closing(WebClient(running.ports[HTTP])) as page:
        page.hello(table=offered["id"], ticket=offered["ticket"])
        page.until("seated")
        page.say("propose", what="start")
        window.shows("Game Start: Black to play")
        assert window.title() == f"Game {offered['id']}: anna NR (W) vs. Bert NR (B)"
        for at, vertex in enumerate(WALL.split()):
            if at % 2:
                window.moves("W", vertex)
                while page.ply <= at:
                    page.read()
            else:
                page.play(None, square(vertex), "black")
                window.sees("B", vertex)
        page.say("say", to="players", text="good game")
        window.shows("*Bert*: good game")
        window.presses(GAME, "line")
        window.types("thank you")
        window.shows("anna [NR]: thank you")
        while page.until("Said")["body"]["text"] != "thank you":
            pass
        page.play(None, None)
        window.sees("B", "Pass")
        window.presses(GAME, "Pass")
        window.shows("Select Dead Stones")
        page.until("GameSettling")
        page.say("propose", what="score", dead=[square(vertex) for vertex in ("A1", "G7")])
        window.shows("34.5")
        window.presses(GAME, "Done")
        window.shows("The final score is White 34.5 points, Black 37 points. Black wins.")
        page.until("GameEnded")
        assert outcome(running, offered["id"]) == "B+2.5"


def square(vertex: str) -> int:
    return (9 - int(vertex[1:])) * 9 + COLUMNS.index(vertex[0])


def test_somebody_who_waits_at_a_go_gui_is_challenged_and_a_house_bot(running: RunningServer, opens: Opens) -> None:
    """The first game is resigned by the window, after it was asked whether it is sure."""
    window = opens(running.ports[IGS])
    window.comes("wanda")
    with closing(Lines(running.ports[GUI])) as olga:
        olga.say("# name Olga", "boardsize 9", "komi 6.5", "kgs-rules japanese", "time_settings 600 0 0", "play b E5")
        window.challenges("Olga", white=True)
        window.sees("B", "E5")
        window.moves("W", "C3")
        olga.say("genmove w")
        olga.until("= C3")
        window.resigns()
        window.shows("The game has ended; White has resigned.")
        assert Host(running.ports[HTTP]).table(1)["outcome"]["winner"] == 0
    window.presses(GAME, "Close")
    window.says("match bot B 9 10 0")
    window.shows("Game Start: Black to play")
    window.moves("B", "E5")
    window.shows("): Black to play")
    window.resigns()
    window.shows("The game has ended; Black has resigned.")


def test_a_game_is_found_in_the_list_and_looked_on_at_twice(running: RunningServer, opens: Opens) -> None:
    """A board that was closed is opened anew by the same row."""
    with ExitStack() as open_ones:
        black, white = (
            open_ones.enter_context(closing(IgsClient(running.ports[IGS]).comes(name))) for name in ("boris", "wendy")
        )
        matched(black, white)
        play(black, white, "E5 D5")
        window = opens(running.ports[IGS])
        window.comes("Anna", PASSWORD)
        window.looks_on("wendy")
        window.sees("W", "D5")
        play(black, white, "E4", 2)
        window.sees("B", "E4")
        white.asks("kibitz well played")
        window.shows("wendy [NR]: well played")
        window.presses(GAME, "Close")
        white.type("D4")
        black.hears(": D4")
        window.looks_on("wendy")
        window.sees("W", "D4")
        black.type("resign")
        window.shows("The game has ended; Black has resigned.")


def test_an_account_adjourns_loads_its_game_and_comes_back_after_the_server_was_killed(
    tmp_path: Path, opens: Opens
) -> None:
    """By the server's button, in mid game, and once more while the dead stones are named; the score is told then."""
    data = tmp_path
    registered(data)
    with fast(data, *LISTENERS) as running:
        ports = dict(enumerate(running.ports))
        window = opens(ports[IGS])
        window.comes("Anna", PASSWORD)
        with closing(IgsClient(ports[IGS]).comes("Bert", PASSWORD)) as bert:
            bert.type("match Anna B 9 10 0")
            window.takes()
            bert.hears("1 6\n")
            bert.type("E5")
            window.sees("B", "E5")
            window.presses(GAME, "Adjourn")
            bert.hears("9 Anna requests an adjournment.\n")
            bert.type("adjourn")
            window.shows("The game has been adjourned.")
            window.presses(GAME, "Close")
            bert.hears("1 5\n")
            window.says("load Bert")
            window.shows("it goes on when you both want to.")
            bert.asks("load Anna")
            window.shows("Restoring match [1] with Bert.")
            window.sees("B", "E5")
            window.moves("W", "D5")
            running.kill()
        window.shows("Your connection to server Boardgate was lost")
    for vertex in ("E4", ""):
        with (
            fast(data, *LISTENERS, ports=ports) as running,
            closing(IgsClient(ports[IGS]).comes("Bert", PASSWORD)) as bert,
        ):
            window.comes_back()
            if not vertex:
                window.shows("Select Dead Stones")
                window.presses(GAME, "Done")
                bert.type("done")
                window.shows("The final score is White 6.5 points, Black 0 points. White wins.")
                break
            window.sees("W", "D5")
            bert.type(vertex)
            window.sees("B", vertex)
            window.presses(GAME, "Pass")
            bert.hears("Pass\n")
            bert.type("pass")
            window.shows("Select Dead Stones")
            running.kill()
        window.shows("Your connection to server Boardgate was lost")


def test_it_plays_gnu_go_that_has_dialled_in_while_a_page_looks_on(tmp_path: Path, opens: Opens) -> None:
    """The engine names the dead stones; the archive has the same game, and an independent count its result."""
    engines = "gtp-engine,size=9,time=600,komi=6.5,rules=japanese"
    with fast(tmp_path, "igs", "http", engines) as running, dialled_in(running.ports[2], 3):
        window = opens(running.ports[IGS])
        window.comes("wanda")
        window.challenges(spelt("GNU Go 3.8"))
        window.shows("Game Start: Black to play")
        with closing(WebClient(running.ports[HTTP])) as page:
            page.hello()
            page.say("watch", whom="wanda")
            page.until("seated")
            window.moves("B", "E5")
            while window.either("): Black to play", "Select Dead Stones") != "Select Dead Stones":
                window.presses(GAME, "Pass")
            while "Score" not in str(page.until("Proposed")["body"]["proposal"]):
                pass
            window.presses(GAME, "Done")
            page.until("GameEnded")
            assert page.outcome is not None
            winner = "White" if page.outcome["winner"] else "Black"
            window.shows("The final score is White ")
            window.shows(f"{winner} wins.")
            replayed = Record(tmp_path, 1).proves_its_result()
            assert replayed.result == page.outcome["detail"]
            assert replayed.moves == len(page.notations)
