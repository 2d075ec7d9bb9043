"""A rated game's changes are told to everybody at its table, over each wire that has words."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from gateway.cli import main
from tests.cli.playing import record
from tests.conformance.chess_bogaprot_player import USUAL, place
from tests.conformance.chess_guests import BOGAPROT, LISTENERS, P2P, PeerToPeerGuest, Room, room
from tests.conformance.gtp.ends import OnPort
from tests.conformance.host import Host
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer
from tests.web_client import WebClient

HTTP, GUIS = 3, 4
OPENING: Final = ("e2-e4", "e7-e5", "g1-f3", "b8-c6")
DRAWN: Final = "rated: anna 1500? -> 1500?, bert 1500? -> 1500?"
BEGUN: Final = "this game is rated: anna 1500?, bert 1500?"
YOURS: Final = "; for you a win +241, a draw +0, a loss -241"
SHORT: Final = "not rated: a player made fewer than two moves"


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    """A server of its own for each test: nobody has a rating yet."""
    record(tmp_path)
    for name in ("anna", "bert"):
        command = ["account", "add", name, "--password-stdin", "--data", str(tmp_path)]
        assert CliRunner().invoke(main, command, input="correct horse\n").exit_code == 0
    with fast(tmp_path, *LISTENERS, "http", "gtp-gui,rated=yes") as found:
        yield found
    assert "Traceback" not in found.log.read_text()


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def registered(running: RunningServer, game: str, **more: object) -> tuple[int, list[str]]:
    """A rated table of anna and bert; its number and their tickets."""
    anna, bert = (_host(running, name) for name in ("anna", "bert"))
    table, (ticket, _) = anna.registers(game, "anna", "bert", rated=True, private=False, **more)
    _, fetched = bert.ask(f"/api/tables/{table}/ticket", {})
    return table, [ticket, fetched["ticket"]]


def _host(running: RunningServer, name: str) -> Host:
    given = base64.b64encode(f"{name}:correct horse".encode()).decode()
    return Host(running.ports[HTTP], {"Authorization": f"Basic {given}"})


def test_a_draw_is_told_to_telnet_to_bogaprot_with_chat_and_to_pages_that_look_on(here: Room) -> None:
    table, (white, black) = registered(here.running, "chess", time="300")
    anna, bert = here.miniature("Mia"), SpecClient(here.running.ports[BOGAPROT], USUAL)
    anna.say(f"tell gateway seat {white}", "play")
    assert bert.handshake(f"chess?chat=yes#{black}") == ("RSP_HANDSHAKE", 0)
    anna.until("tell gateway game 1:")
    assert anna.until("tell gateway this game") == f"tell gateway {BEGUN}{YOURS}"
    assert bert.until("REQ_MOVE") == ("REQ_MOVE", 0)
    assert bert.until("MSG_MOVE")[3] == f"said -1 {BEGUN}{YOURS}"
    page = WebClient(here.running.ports[HTTP])
    page.hello(table=table)
    page.until("seated")
    for ply, move in enumerate(OPENING):
        source, target = move.split("-")
        if ply % 2:
            bert.move(place(source), place(target))
            anna.until(f"move {move}")
        else:
            anna.say(f"move {move}")
            while bert.until("MSG_MOVE")[1:3] != (place(source), place(target)):
                pass
    anna.say("draw")
    while bert.until("MSG_MOVE")[3:] != ("draw",):
        pass
    bert.move(-1, -1, "accept")
    anna.until("result 1/2-1/2")
    assert anna.until("tell gateway rated", "tell gateway not") == f"tell gateway {DRAWN}"
    bert.until("MSG_GAMEOVER")
    assert bert.until("MSG_MOVE")[3] == f"said -1 {DRAWN}"
    points = {"rating": 1500, "provisional": True}
    players = [
        {"seat": seat, "name": name, "before": points, "after": points} for seat, name in ((0, "anna"), (1, "bert"))
    ]
    told = page.until("rated")
    assert told == {"type": "rated", "table": table, "number": 1, "players": players, "why": "", "text": ""}
    bert.close()


def test_pages_are_told_what_a_game_may_change_when_it_begins(here: Room) -> None:
    table, (white, black) = registered(here.running, "tic_tac_toe")
    pages = [WebClient(here.running.ports[HTTP]) for _ in range(3)]
    for page, ticket in zip(pages, (None, white, black), strict=True):
        page.hello(table=table, **({} if ticket is None else {"ticket": ticket}))
        page.until("seated")
        if ticket is not None:
            page.say("propose", what="start")
    points = {"rating": 1500, "provisional": True}
    players = [
        {"seat": seat, "name": name, "rating": points, "win": 241, "draw": 0, "loss": -241}
        for seat, name in ((0, "anna"), (1, "bert"))
    ]
    for page in pages:
        told = page.until("stakes")
        assert told == {"type": "stakes", "table": table, "number": 1, "players": players, "why": "", "text": ""}


def test_a_game_that_does_not_count_is_told_with_its_reason_to_chess_p2p(here: Room) -> None:
    _, (white, black) = registered(here.running, "chess", time="300")
    anna, bert = here.miniature("Mia"), PeerToPeerGuest(here.running.ports[P2P], "Pia")
    here.guests.append(bert)
    anna.say(f"tell gateway seat {white}", "play")
    bert.say(f"text /seat {black}")
    bert.until("text you have a seat")
    bert.go("level 0 300 0")
    anna.until("tell gateway game 1:")
    assert bert.until("text this game") == f"text {BEGUN}{YOURS}"
    anna.say("move e2-e4")
    bert.until("move e2e4")
    anna.say("resign")
    anna.until("result 0-1")
    assert anna.until("tell gateway rated", "tell gateway not") == f"tell gateway {SHORT}"
    assert bert.hears("result 0-1", "text not") == f"text {SHORT}"


def test_guis_of_go_are_told_in_a_comment(here: Room) -> None:
    _, (black, white) = registered(here.running, "go", options={"size": "5", "komi": "0.5"})
    guis = [OnPort(here.running.ports[GUIS], name, ticket) for name, ticket in (("anna", black), ("bert", white))]
    for gui in guis:
        gui.sets("boardsize 5", "clear_board", "komi 0.5")
    guis[0].sends("play b C3")
    guis[1].sends("genmove b")
    for gui, answer in zip(guis, ("=", "= C3"), strict=True):
        assert {gui.answer(), gui.answer()} == {answer, f"# {BEGUN}{YOURS}"}
    guis[1].sends("play w resign")
    for gui in guis:
        while gui.answer() != f"# {SHORT}":
            pass
        gui.close()
