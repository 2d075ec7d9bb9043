"""A game without rules here, in the browser against a program of the chess-p2p document: moves are texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest
from playwright.sync_api import expect

from tests import peers
from tests.browser.browser_player import BrowserPlayer
from tests.browser.table_page import Keys, Words
from tests.browser.visitors import Visitors, violations
from tests.conformance.brains import settings
from tests.conformance.chess_players import Lines
from tests.conformance.host import Host
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = ("http", "chess-p2p")
HTTP, P2P = range(2)


@pytest.fixture
def pair(people: Visitors, running: RunningServer) -> Iterator[tuple[BrowserPlayer, Lines]]:
    """A person, who has moved first, and a program, which has answered."""
    table, (first, second) = Host(running.ports[HTTP]).registers("open", "Kim", "open", variant="xiangqi")
    person = BrowserPlayer(people, running.ports[HTTP], table, first, settings("open", "xiangqi"), Words)
    with closing(Lines(running.ports[P2P])) as program:
        program.until("hallo ")
        program.say(f"ticket {second}", "new", "variant xiangqi", "go")
        assert person.own_turn()
        person.plays("h2e2")
        assert program.until("move ") == "move h2e2"
        if program.until("go", "accepted") == "go":
            program.say("accepted")
        program.say("move h2e2", "move h9g7")
        assert program.until("move ") == "move h9g7"
        assert person.own_turn()
        yield person, program


def test_a_loss_that_the_program_sees_ends_the_game(pair: tuple[BrowserPlayer, Lines]) -> None:
    person, program = pair
    person.plays("h0g2")
    assert program.until("move ") == "move h0g2"
    person.table.until_spoken("First: h0g2.")

    program.say("move h0g2", "result 1-0 {Black is mated}")

    person.table.until_status("You won, conceded")
    expect(person.table.page.locator("#moves a")).to_have_text(["h2e2", "h9g7", "h0g2"])
    assert program.until("result ").startswith("result 1-0")


def test_a_win_that_the_person_claims_is_agreed_to_by_the_program(pair: tuple[BrowserPlayer, Lines]) -> None:
    person, program = pair
    Keys(person.table).presses("First has won")
    program.until("text ")
    program.say("result 1-0 {Black is mated}")
    person.table.until_status("You won")
    assert program.until("result ").startswith("result 1-0")


def test_an_echo_that_differs_ends_the_game_void_and_the_page_says_why(pair: tuple[BrowserPlayer, Lines]) -> None:
    person, program = pair
    person.plays("h0g2")
    assert program.until("move ") == "move h0g2"

    program.say("move h0i2")

    why = "move 3 is not accepted: h0g2 was answered with h0i2"
    person.table.until_status(why)
    assert program.until("result ") == f"result * {{{why}}}"
    assert violations(person.table.page) == []


def test_a_move_that_the_person_disputes_ends_the_game_void(pair: tuple[BrowserPlayer, Lines]) -> None:
    person, program = pair
    Keys(person.table).presses("Dispute the last move")
    person.table.until_status("move 2 is not accepted")
    assert program.until("result ").startswith("result * {move 2 is not accepted")
