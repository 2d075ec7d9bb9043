"""Go against GNU Go that dials in, and games of GAMESMAN clients, in the browser by keyboard alone."""

from __future__ import annotations

from typing import Final

import pytest

from gateway import registry
from protocols.core.model import PASS
from tests import peers
from tests.browser.browser_player import BrowserPlayer
from tests.browser.table_page import Keys
from tests.browser.visitors import Visitors
from tests.conformance.brains import settings
from tests.conformance.gamesman.served import WholeGame
from tests.conformance.gtp.gnugos import dialled_in
from tests.conformance.host import Host
from tests.conformance.playing import assert_newest_record_is_whole
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = ("http", "gtp-engine,size=7,komi=7.5,rules=area,time=none")
HTTP, ENGINE = range(2)

STONES: Final = 5
"""Stones of the browser's before it passes for good."""


@pytest.mark.parametrize("game", ["reversi", "tic_tac_toe"])
def test_a_whole_game_against_a_gamesman_client(people: Visitors, running: RunningServer, game: str) -> None:
    table, tickets = Host(running.ports[HTTP]).registers(game, "Gamesman", "Kim")
    person = BrowserPlayer(people, running.ports[HTTP], table, tickets[1], settings(game), Keys)
    other = WholeGame(running.ports[HTTP], "Gamesman", "Kim", settings(game), seed=3)

    while person.own_turn():
        person.move()

    assert other.finish() == person.brain.outcome
    person.close()
    assert_newest_record_is_whole(running.data, moves=person.brain.plies)


def test_go_with_gnugo_is_played_counted_and_agreed_on(people: Visitors, running: RunningServer) -> None:
    """After two passes gnugo says what is dead; its list is marked in the page, and agreed to."""
    table, tickets = Host(running.ports[HTTP]).registers("go", "Kim", "open", options={"size": 7})
    played = registry.game("go").settings(options={"size": "7"})
    person = BrowserPlayer(people, running.ports[HTTP], table, tickets[0], played, Keys)
    with dialled_in(running.ports[ENGINE], 1):
        while person.own_turn():
            person.plays(PASS if person.brain.plies >= 2 * STONES else person.brain.choose())
        assert person.record.counting
        person.table.until_spoken("Play has stopped.")
        person.table.until_spoken("Your opponent proposes")
        person.presses("Agree")
        person.table.until_status("lost")
    assert person.turn() is None
    person.hears_all_moves()
    assert person.winner == 1
