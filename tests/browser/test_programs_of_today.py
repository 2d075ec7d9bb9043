"""Programs of others, unmodified, at one table: each game is looked on at by a third kind, and read from the record."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from io import StringIO
from pathlib import Path

import chess.pgn
from playwright.sync_api import Browser, expect

from tests import peers
from tests.browser.test_two_people import LINES_FAIL, moves
from tests.browser.visitors import screenshot, visitors
from tests.cli.playing import run
from tests.conformance.chess_players import Lines
from tests.conformance.chess_text_players import MiniaturePlayer
from tests.conformance.figures import until
from tests.conformance.host import Host
from tests.conformance.ics.clients import IcsClient
from tests.conformance.ics.pychess_person import pychess
from tests.conformance.ics.test_programs import zippy
from tests.conformance.lichess.served import made, serving
from tests.conformance.lichess.test_berserk import programs
from tests.conformance.servers import fast
from tests.conformance.xboard.programs import virtual_screen

pytestmark = peers.needed


def table_at(port: int) -> int:
    """The only table of the server, once its game has begun."""

    def playing() -> list[int]:
        status, found = Host(port).ask("/api/tables?state=playing")
        assert status == 200
        return [table["id"] for table in found["tables"]]

    (table,) = until(playing, bool)
    return table


def replayed(data: Path, table: int) -> tuple[list[str], str]:
    """The moves of a table's only game and its result, as they are read from the record of a server that has ended."""
    exported = run("export", table, "--format", "pgn", data=data)
    assert exported.exit_code == 0, exported.output
    game = chess.pgn.read_game(StringIO(exported.output))
    assert game is not None
    return [move.uci() for move in game.mainline_moves()], game.headers["Result"]


OPENING = ("f2f3", "g2g4")
"""White's shortest way to be mated."""


def harmless(board: chess.Board, chance: random.Random) -> str:
    """The next of the opening, else a move that takes nothing, where there is one: whoever plays so is mated."""
    if board.fullmove_number <= len(OPENING):
        return OPENING[board.fullmove_number - 1]
    found: Sequence[chess.Move] = [move for move in board.legal_moves if not board.is_capture(move)]
    return chance.choice(found or list(board.legal_moves)).uci()


def test_xboard_at_the_port_of_ics_mates_a_bot_of_berserk_before_a_browser(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    tokens = made(tmp_path / "data", bots=("Robo",), people=())
    with ExitStack() as ending:
        served = ending.enter_context(serving(tmp_path / "data", tokens, "ics"))
        (robo,) = ending.enter_context(programs(served, "Robo"))
        people = ending.enter_context(visitors(chromium, served.port))
        people.allow(*LINES_FAIL)
        ending.enter_context(zippy(tmp_path / "xboard", served.running.ports[1]))
        with closing(IcsClient(served.running.ports[1]).comes("wanda")) as wanda:
            until(lambda: wanda.asks("who"), lambda people: "GuestAAAB" in people)
        robo.follow("events", robo.client.bots.stream_incoming_events)
        robo.client.challenges.create("guest-1", rated=False, clock_limit=60, clock_increment=1, color="white")
        game = robo.wait("events", lambda line: line["type"] == "gameStart")["game"]["id"]
        robo.follow(game, lambda: robo.client.bots.stream_game_state(game))
        table = table_at(served.port)
        page = people.arrives(f"/table/{table}", viewport={"width": 1180, "height": 740})
        expect(page.locator("#status")).to_have_text("White to move")
        board, chance = chess.Board(), random.Random(7)
        robo.wait(game, lambda line: line["type"] == "gameFull")
        while not board.is_game_over():
            robo.client.bots.make_move(game, harmless(board, chance))
            told = robo.wait(
                game,
                lambda line: (
                    line["type"] == "gameState"
                    and (len(line["moves"].split()) == len(board.move_stack) + 2 or line["status"] != "started")
                ),
            )
            for move in told["moves"].split()[len(board.move_stack) :]:
                board.push_uci(move)
        assert (board.is_checkmate(), board.turn) == (True, chess.WHITE)
        expect(page.locator("#status")).to_contain_text("checkmate")
        expect(page.locator("#moves a")).to_have_count(len(board.move_stack))
        screenshot(page, "programs-of-today/xboard-and-berserk", whole=False)
    assert replayed(tmp_path / "data", table) == ([move.uci() for move in board.move_stack], "0-1")


def test_a_guest_in_pychess_takes_the_seek_of_a_browser_before_a_client_of_miniature(
    chromium: Browser, tmp_path: Path
) -> None:
    with ExitStack() as ending:
        running = ending.enter_context(fast(tmp_path / "data", "http", "ics", MiniaturePlayer.listener))
        people = ending.enter_context(visitors(chromium, running.ports[0]))
        people.allow(*LINES_FAIL)
        ann = people.arrives("/play/chess?side=0&time=300%2B0")
        ann.get_by_role("button", name="Sit down").click()
        screen = ending.enter_context(virtual_screen())
        window = ending.enter_context(pychess(screen, tmp_path / "pychess", running.ports[1], "127.0.0.1"))
        name = window.comes()
        window.until(lambda: window.does("seeks"), "the seek")
        maker = window.does("seeks")[0][0]
        window.until(lambda: window.does("take", maker), "the button")
        assert window.game(lambda game: game["status"] == 2, "the game")["names"] == [maker, name]
        table = table_at(running.ports[0])
        olga = ending.enter_context(closing(Lines(running.ports[2])))
        olga.until("welcome ")
        olga.say("tell gateway name Olga", f"tell gateway observe {table}")
        olga.until("tell gateway table ")
        for white, black in (("f3", "e7e5"), ("g4", "d8h4")):
            moves(ann, white)
            window.moves(black)
            olga.until(f"move {black[:2]}-{black[2:]}")
        assert olga.until("result ").startswith("result 0-1")
        expect(ann.locator("#status")).to_have_text(re.compile("You lost, checkmate"))
        window.shows(f"{name} (Player) won the game")
    assert replayed(tmp_path / "data", table) == (["f2f3", "e7e5", "g2g4", "d8h4"], "0-1")
