"""Chess in the browser against telnet, XBoard's adapter, a program of the chess-p2p document, and a terminal's board.

Castling, en passant, underpromotion and mates.
"""

from __future__ import annotations

import os
import sys
from typing import Final

import pytest
from playwright.sync_api import expect

from tests import peers
from tests.browser.browser_player import BrowserPlayer
from tests.browser.gui import xboard
from tests.browser.table_page import Keys, Mouse, Words
from tests.browser.visitors import Visitors
from tests.conformance.brains import settings
from tests.conformance.chess_players import Lines
from tests.conformance.host import Host
from tests.conformance.playing import assert_newest_record_is_whole
from tests.running import RunningServer
from tests.terminals import Terminal, terminal

pytestmark = peers.needed

LISTENERS: Final = ("http", "miniature", "chess-p2p", "bogaprot")
HTTP, MINIATURE, P2P, BOGAPROT = range(4)

MATE: Final = (
    ("e4", "e2e4", "a6", "a7a6"),
    ("e5", "e4e5", "d5", "d7d5"),
    ("exd6", "e5d6", "h6", "h7h6"),
    ("dxc7", "d6c7", "g6", "g7g6"),
    ("cxb8=N", "c7b8n", "g5", "g6g5"),
    ("Nf3", "g1f3", "g4", "g5g4"),
    ("Bc4", "f1c4", "gxf3", "g4f3"),
    ("O-O", "e1g1", "b6", "b7b6"),
    ("Qxf3", "d1f3", "b5", "b6b5"),
    ("Qxf7#", "f3f7", "", ""),
)
"""White's moves and Black's, as people and as programs write them: en passant, an underpromotion, castling, mate."""

SPOKEN: Final = {
    "e4": "White: pawn e2 to e4.",
    "cxb8=N": "White: pawn c7 takes b8, becomes knight.",
    "Qxf7#": "White: queen f3 takes f7, check.",
}
"""The words of the live region for some of them."""


def dialled_in(running: RunningServer, ticket: str) -> Lines:
    """A person at telnet who takes this seat."""
    telnet = Lines(running.ports[MINIATURE])
    telnet.until("welcome ")
    telnet.say(f"tell gateway seat {ticket}", "play")
    return telnet


def test_white_mates_by_keyboard_alone_whom_telnet_brings(people: Visitors, running: RunningServer) -> None:
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", "Kim", "Telnet")
    person = BrowserPlayer(people, running.ports[HTTP], table, white, settings("chess"), Keys)
    telnet = dialled_in(running, black)

    assert person.turn() == 0
    for mine, _, _, theirs in MATE:
        person.plays(mine)
        telnet.until("move ")
        turn = person.turn()
        if mine in SPOKEN:
            person.table.until_spoken(SPOKEN[mine])
        if theirs:
            assert turn == 1
            telnet.say(f"move {theirs[:2]}-{theirs[2:]}")
            assert person.turn() == 0

    assert telnet.until("result ").split()[1] == "1-0"
    person.table.until_spoken("You won, checkmate.")
    person.close()
    telnet.close()
    assert_newest_record_is_whole(running.data, moves=19)


def test_black_mates_in_words_whom_xboard_brings(people: Visitors, running: RunningServer) -> None:
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", "XBoard", "Kim")
    person = BrowserPlayer(people, running.ports[HTTP], table, black, settings("chess"), Words)
    with xboard(running.ports[P2P], white) as gui:
        gui.introduce()
        gui.sends("usermove f2f3")
        for mine, heard, answer in (("e5", "move e7e5", "usermove g2g4"), ("Qh4#", "move d8h4", "")):
            assert person.own_turn()
            person.plays(mine)
            gui.until(heard)
            gui.sends(*([answer] if answer else []))
        gui.until("0-1")
    assert not person.own_turn()
    person.close()


def test_white_mates_by_mouse_whom_a_program_of_the_document_brings(people: Visitors, running: RunningServer) -> None:
    """ "Moves are echoed back to the peer": every move crosses twice."""
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", "Kim", "Program")
    person = BrowserPlayer(people, running.ports[HTTP], table, white, settings("chess"), Mouse)
    program = Lines(running.ports[P2P])
    program.until("hallo ")
    program.say(f"ticket {black}", "new", "go")

    assert person.own_turn()
    for mine, heard, _, theirs in MATE:
        person.plays(mine)
        assert program.until("move ") == f"move {heard}"
        if heard == "e2e4" and program.until("go", "accepted") == "go":
            program.say("accepted")
        program.say(f"move {heard}")
        if theirs:
            program.say(f"move {theirs}")
            assert program.until("move ") == f"move {theirs}"
            assert person.own_turn()

    assert program.until("result ").split()[1] == "1-0"
    assert not person.own_turn()
    person.close()
    program.close()
    assert_newest_record_is_whole(running.data, moves=19)


def test_black_is_mated_whom_a_terminals_board_brings(people: Visitors, running: RunningServer) -> None:
    """``boardgate play`` by its keys, on a terminal of its own, is White."""
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", "Typist", "Kim")
    person = BrowserPlayer(people, running.ports[HTTP], table, black, settings("chess"), Mouse)
    play = ["-m", "gateway.cli", "play", "chess", f"127.0.0.1:{running.ports[BOGAPROT]}", "--ticket", white]
    size = {"TERM": "xterm-256color", "COLUMNS": "110", "LINES": "34"}
    with terminal([sys.executable, *play], os.environ | size) as board:
        board.shows(b"The game begins.")
        for _, theirs, mine, _ in MATE:
            types(board, theirs)
            if mine:
                assert person.own_turn()
                person.plays(mine)
                board.shows(f"Kim: {mine}".encode())
        assert not person.own_turn()
        board.shows(b"checkmate")
        board.types(b"q")
        assert board.status() == 0
    assert person.winner == 0
    person.close()
    assert_newest_record_is_whole(running.data, moves=19)


def types(board: Terminal, move: str) -> None:
    """Make White's move by the keys of ``boardgate play``, from its corner at the lower left."""
    for square in (move[:2], move[2:4]):
        board.types(b"h" * 7 + b"j" * 7 + b"l" * "abcdefgh".index(square[0]) + b"k" * (int(square[1]) - 1) + b"\r")
    if move[4:]:
        board.shows(b"Enter: the first")
        board.types(b"4")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("e5", "'e5'"),
        ("e2-e5", "a pawn cannot go from e2 to e5"),
        ("<b>x</b>", "<b>x</b>"),
    ],
)
def test_a_move_that_is_refused_says_why(people: Visitors, running: RunningServer, words: str, why: str) -> None:
    table, (white, black) = Host(running.ports[HTTP]).registers("chess", "Kim", f"Lee-{len(words)}")
    person = BrowserPlayer(people, running.ports[HTTP], table, white, settings("chess"), Words)
    telnet = dialled_in(running, black)
    assert person.turn() == 0

    person.hand.plays(person.brain.legal()[0], words)

    expect(person.table.page.locator("#refused")).to_contain_text(why)
    assert person.table.shown() == person.table.says(person.brain.board)
    telnet.close()
