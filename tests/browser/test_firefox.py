"""A whole game in Debian's Firefox, by mouse, against a client of another dialect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Final

import pytest

from gateway.web.board.description import described
from protocols.core.model import Move, Settings
from tests import peers
from tests.browser.firefox import Window, firefox
from tests.browser.record import Record
from tests.browser.table_page import named, said
from tests.conformance.brains import Brain, settings
from tests.conformance.host import Host
from tests.conformance.players import OldBoardPlayer
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = ("http", "ggzboard,game=checkers")
HTTP, GGZBOARD = range(2)

CELLS: Final = """JSON.stringify(Object.fromEntries([...document.querySelectorAll('#board [role="gridcell"]')]
    .map(cell => [cell.dataset.square, cell.getAttribute("aria-label")])))"""
"""The names of the board's cells."""


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with firefox() as found:
        yield found


class FirefoxPlayer:
    """A person at Firefox who sits down by the link of a ticket, and clicks and drags in turn."""

    def __init__(self, window: Window, port: int, table: int, ticket: str, played: Settings) -> None:
        self.window = window
        self.record = Record(port, table, played)
        self.brain: Brain = self.record
        self._look = json.loads(described(self.brain.game, played).json)
        self._moves = count()
        window.goes(f"http://127.0.0.1:{port}/seat#{ticket}")
        window.until(f"location.pathname === '/table/{table}' && document.querySelector('#board [role=\"gridcell\"]')")

    @property
    def seat(self) -> int:
        """Of the seat that the page says is one's own."""
        own = "[...document.querySelectorAll('.seat')].find(seat => seat.textContent.includes('you'))"
        return int(self.window.until(f"{own}?.dataset.seat"))

    @property
    def winner(self) -> int | None:
        return self.record.winner

    def turn(self) -> int | None:
        """The next turn that the record tells of, as soon as the page shows its board."""
        turn = self.record.read_on()
        wanted = said(self.brain.board, self._look)
        self.window.until_it_is(lambda: named(json.loads(self.window.says(CELLS)), self._look), wanted)
        return turn

    def move(self) -> Move | None:
        move = self.brain.choose()
        source, target = (f'#board [data-square="{at}"]' for at in (move.source, move.target))
        self.window.until(
            f"document.querySelector('#status.mine') && document.querySelector('{source}:is(.source, .chosen)')"
        )
        if next(self._moves) % 2:
            self.window.drags(source, target)
            return None
        if self.window.says(f"document.querySelector('{source}').getAttribute('aria-selected')") != "true":
            self.window.clicks(source)
        self.window.clicks(target)
        return None

    def watched(self, move: Move) -> None:
        raise AssertionError(f"Checkers has no placements: {move}")

    def close(self) -> None:
        """The page says how it ended."""
        outcome = self.brain.outcome
        assert outcome is not None
        words = "Draw" if outcome.winner is None else "You won" if outcome.winner == self.seat else "You lost"
        self.window.until(f"document.querySelector('#status').textContent.includes('{words}')")


def test_a_whole_game_of_checkers_in_firefox(window: Window, running: RunningServer) -> None:
    table, (red, _) = Host(running.ports[HTTP]).registers("checkers", "Kim", "open")
    person = FirefoxPlayer(window, running.ports[HTTP], table, red, settings("checkers"))
    Host(running.ports[HTTP]).until_seated(table)
    opponent = OldBoardPlayer(running.ports[GGZBOARD], settings("checkers"))

    Table(person, opponent).finish()

    assert_newest_record_is_whole(running.data, moves=person.brain.plies)
    assert window.troubles == []


def test_what_the_policy_forbids_is_noticed_in_firefox(window: Window, running: RunningServer) -> None:
    window.goes(f"http://127.0.0.1:{running.ports[HTTP]}/")
    window.says(
        "new Promise(done => { addEventListener('securitypolicyviolation', done, {once: true});"
        " document.body.setAttribute('style', 'color: red'); }).then(() => true)"
    )
    assert [trouble.partition(":")[0] for trouble in window.troubles] == ["error"]
    assert "style-src" in window.troubles.pop()
