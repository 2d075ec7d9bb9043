"""GET /metrics counts and times each move under the dialect by which it came.

docs/metrics.md says what the figures mean.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.request import Request, urlopen

import pytest

from clients.gamesman import Player
from gateway import registry
from tests.conformance.cgos.clients import CgosClient
from tests.conformance.chess_players import ChessPlayer
from tests.conformance.chess_text_players import MiniaturePlayer, PeerToPeerPlayer
from tests.conformance.figures import Figures, figures, until
from tests.conformance.gamesman.served import register, thread
from tests.conformance.gtp.ends import OnPort
from tests.conformance.gtp.engines import Engine
from tests.conformance.ics.clients import IcsClient, challenged
from tests.conformance.ics.clients import play as played
from tests.conformance.igs.clients import IgsClient, matched
from tests.conformance.igs.clients import play as go_played
from tests.conformance.lichess.runner import Runner, board_of, first
from tests.conformance.lichess.served import added
from tests.conformance.players import OldBoardPlayer
from tests.conformance.servers import fast
from tests.conformance.spec_client import PATIENCE_S, SpecClient
from tests.running import RECORD, RunningServer
from tests.web_client import WebClient

LISTENERS: Final = (
    "http",
    "bogaprot",
    "ggzboard,game=checkers",
    PeerToPeerPlayer.listener,
    MiniaturePlayer.listener,
    "gtp-gui",
    "gtp-engine,size=5",
    "cgos,size=7",
    "ics",
    "igs",
    "relay",
)

ALONE_S: Final = 2.0
"""Seconds for which somebody waits for an opponent: longer than any move of these tests takes."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("dialects"), *LISTENERS) as running:
        yield running
        assert running.stop() == 0
    assert "Traceback" not in running.log.read_text()


def port(server: RunningServer, dialect: str) -> int:
    return next(port for port, listener in zip(server.ports, LISTENERS, strict=True) if listener.startswith(dialect))


def seen(server: RunningServer) -> Figures:
    return figures(port(server, "http"))


def timed(found: Figures) -> dict[str, float]:
    """How many moves were timed, by dialect."""
    return {labels[0]: count for (name, *labels), count in found.items() if name == "boardgate_move_seconds_count"}


def bogaprot(server: RunningServer) -> None:
    players = [SpecClient(port(server, "bogaprot")) for _ in range(2)]
    for player in players:
        assert player.handshake("tic_tac_toe") == ("RSP_HANDSHAKE", 0)
    for seat, square in enumerate((4, 0)):
        while players[seat].until("REQ_MOVE") != ("REQ_MOVE", seat):
            pass
        players[seat].move(-1, square)
        assert players[seat].until("RSP_MOVE") == ("RSP_MOVE", 0)
    for player in players:
        player.close()


def ggzboard(server: RunningServer) -> None:
    played = registry.game("checkers").settings()
    players = [OldBoardPlayer(port(server, "ggzboard"), played, seed=seat) for seat in range(2)]
    for mover in players:
        assert [player.turn() for player in players] == [mover.seat] * 2
        mover.move()
    for player in players:
        player.turn()
        player.close()


def chess(kind: type[ChessPlayer], server: RunningServer) -> None:
    white, black = (kind(port(server, kind.dialect), f"{kind.dialect}-{name}") for name in "ab")
    white.sit(True, "e2e4")
    black.sit(False, "e2e4")
    white.begin()
    black.begin()
    for mover, other, move in ((white, black, "e2e4"), (black, white, "e7e5")):
        mover.move(move)
        other.hears(move)
    white.close()
    black.close()


def chess_p2p(server: RunningServer) -> None:
    chess(PeerToPeerPlayer, server)


def miniature(server: RunningServer) -> None:
    chess(MiniaturePlayer, server)


def gtp_gui(server: RunningServer) -> None:
    black, white = (OnPort(port(server, "gtp-gui"), name) for name in ("anna", "bert"))
    black.sends("boardsize 7", "komi 0.5", "play b C3")
    white.sets("boardsize 7", "komi 0.5")
    assert white.asks("genmove b") == "= C3"
    white.sets("play w B2")
    assert [black.answer() for _ in range(3)] == ["="] * 3
    assert black.asks("genmove w") == "= B2"
    black.close()
    white.close()


def gtp_engine(server: RunningServer) -> None:
    with Engine(port(server, "gtp-engine"), {"genmove": ["B2", None]}):
        gui = OnPort(port(server, "gtp-gui"), "cleo")
        gui.sets("boardsize 5", "komi 0.5", "play b C3")
        assert gui.asks("genmove w") == "= B2"
        gui.close()


def cgos(server: RunningServer) -> None:
    gui = OnPort(port(server, "gtp-gui"), "gwen")
    gui.sends("boardsize 7", "komi 7.5", "time_settings 300 0 0", "play b C3")
    engine = CgosClient(port(server, "cgos"), "Crazy-1", "a secret", lambda _: "B2")
    engine.serve("genmove")
    engine.moves()
    assert [gui.answer() for _ in range(4)] == ["="] * 4
    assert gui.asks("genmove w") == "= B2"
    gui.close()
    engine.close()


def ics(server: RunningServer) -> None:
    amy, bob = (IcsClient(port(server, "ics")).comes(name) for name in ("amy", "bob"))
    challenged(amy, bob)
    played(amy, bob, "e4 e5")
    amy.close()
    bob.close()


def igs(server: RunningServer) -> None:
    amy, bob = (IgsClient(port(server, "igs")).comes(name) for name in ("amy", "bob"))
    matched(amy, bob)
    go_played(amy, bob, "E5 C3")
    amy.close()
    bob.close()


def gamesman(server: RunningServer) -> None:
    http = port(server, "http")
    register(http, "tic_tac_toe", "dora", "emil")
    first, second = (Player(f"http://127.0.0.1:{http}", *names) for names in (("dora", "emil"), ("emil", "dora")))
    replies: list[str | None] = []
    moving = thread(lambda: replies.append(first.move("b2")))
    assert second.start() == "b2"
    thread(lambda: replies.append(second.move("a1")))
    moving.join(PATIENCE_S)
    assert replies == ["a1"]


def lichess(server: RunningServer) -> None:
    tokens = added(f"sqlite:///{server.data / RECORD}", ("Robo",))
    player = MiniaturePlayer(port(server, "miniature"), "mina")
    player.sit(True, "e2e4")
    bot = Runner(port(server, "http"), tokens["Robo"])
    bot.start()
    player.begin()
    player.move("e2e4")
    player.hears(first(board_of("Standard", None, "e2e4")))
    bot.stop()
    player.close()


def web(server: RunningServer) -> None:
    pages = [WebClient(port(server, "http")) for _ in range(2)]
    for page in pages:
        page.hello()
        page.say("join", game="connect_four")
        page.until("seated")
    for page in pages:
        page.until("moves")
        page.say("play", text="d")
        page.until("MoveMade")
    for page in pages:
        page.close()


CASES: Final[list[tuple[Callable[[RunningServer], None], str, dict[str, float]]]] = [
    (bogaprot, "tic_tac_toe", {"bogaprot": 2}),
    (ggzboard, "checkers", {"ggzboard": 2}),
    (chess_p2p, "chess", {"chess-p2p": 2}),
    (miniature, "chess", {"miniature": 2}),
    (gtp_gui, "go", {"gtp-gui": 2}),
    (gtp_engine, "go", {"gtp-gui": 1, "gtp-engine": 1}),
    (cgos, "go", {"gtp-gui": 1, "cgos": 1}),
    (ics, "chess", {"ics": 2}),
    (igs, "go", {"igs": 2}),
    (gamesman, "tic_tac_toe", {"gamesman": 2}),
    (lichess, "chess", {"miniature": 1, "lichess-bot": 1}),
    (web, "connect_four", {"web": 2}),
]
"""Who plays, at what, and how many moves come by which dialect."""


def test_no_dialect_is_forgotten() -> None:
    assert {dialect for _, _, moves in CASES for dialect in moves} == set(registry.dialects())


@pytest.mark.parametrize(("play", "game", "moves"), CASES, ids=lambda value: value.__name__ if callable(value) else "")
def test_a_move_is_counted_for_its_game_and_timed_in_its_dialect(
    server: RunningServer, play: Callable[[RunningServer], None], game: str, moves: dict[str, float]
) -> None:
    before = seen(server)
    play(server)
    after = until(lambda: seen(server), lambda found: timed(found) != timed(before))
    grown = {dialect: count - timed(before)[dialect] for dialect, count in timed(after).items()}
    assert {dialect: count for dialect, count in grown.items() if count} == moves
    played = "boardgate_moves_total", game
    assert after[played] - before[played] == sum(moves.values())


def test_a_move_that_waits_for_an_opponent_is_timed_from_the_begin_of_the_game(server: RunningServer) -> None:
    """A Go GUI makes its first move before anybody has come to play it."""
    before = seen(server)
    black = OnPort(port(server, "gtp-gui"), "fred")
    black.sends("boardsize 9", "komi 0.5", "play b C3")
    time.sleep(ALONE_S)
    white = OnPort(port(server, "gtp-gui"), "gina")
    white.sets("boardsize 9", "komi 0.5")
    assert white.asks("genmove b") == "= C3"
    after = until(lambda: seen(server), lambda found: timed(found) != timed(before))
    total = "boardgate_move_seconds_sum", "gtp-gui"
    assert after[total] - before[total] < ALONE_S
    black.close()
    white.close()


def test_what_the_relay_carries_is_counted_by_side(server: RunningServer) -> None:
    asking = Request(f"http://127.0.0.1:{port(server, 'http')}/api/relays", data=b"", method="POST")
    with urlopen(asking, timeout=PATIENCE_S) as answer:
        where = "127.0.0.1", json.load(answer)["port"]
    with socket.create_connection(where, PATIENCE_S) as first, socket.create_connection(where, PATIENCE_S) as second:
        first.sendall(b"knock knock\n")
        second.sendall(b"who is there\n")
        assert (second.recv(100), first.recv(100)) == (b"knock knock\n", b"who is there\n")
        found = seen(server)
    assert (found["boardgate_relay_rooms",], found["boardgate_relay_pairs",]) == (1, 1)
    assert (found["boardgate_relay_bytes_total", "first"], found["boardgate_relay_bytes_total", "second"]) == (12, 13)


def test_every_move_of_these_was_stored_by_a_commit_that_was_timed(server: RunningServer) -> None:
    found = seen(server)
    stored = sum(count for (name, *_), count in found.items() if name == "boardgate_moves_total")
    assert found["boardgate_commit_seconds_count",] == found["boardgate_commit_steps_count",]
    assert found["boardgate_commit_steps_sum",] >= stored > 0
    assert (found["boardgate_writer_waiting_steps",], found["boardgate_writer_held_steps",]) == (0, 0)
    assert found["boardgate_commits_failed_total",] == 0


def test_house_bots_are_processes_and_their_moves_are_counted_and_not_timed(tmp_path: Path) -> None:
    with fast(tmp_path, "http", "bogaprot", BOTS_WORKERS="1", SEATS_BOT_AFTER="0s", BOTS_PAUSE="0s") as running:
        player = SpecClient(running.ports[1])
        assert player.handshake("tic_tac_toe") == ("RSP_HANDSHAKE", 0)
        while player.until("REQ_MOVE") != ("REQ_MOVE", player.seat):
            pass
        player.move(-1, 4)
        while player.until("REQ_MOVE") != ("REQ_MOVE", player.seat):
            pass
        found = figures(running.ports[0])
        player.close()
    played = 2 + player.seat  # in seat 1 it was the bot that began
    assert found["boardgate_bot_processes",] == 1
    assert (found["boardgate_moves_total", "tic_tac_toe"], timed(found)["bogaprot"]) == (played, 1)
