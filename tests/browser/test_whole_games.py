"""Each game to its end in the browser, against clients of other dialects: by keyboard alone, by mouse, touch and text.

After every move the page's board is compared with the record's, as the cells' names say it to a screen reader. At the
end the live region has said every move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from protocols.core.model import Settings
from tests import peers
from tests.browser.browser_player import BrowserPlayer
from tests.browser.table_page import Keys, Mouse, Pointing, TablePage, Touch, Words
from tests.browser.visitors import ON_A_PHONE, Visitors
from tests.conformance.brains import settings
from tests.conformance.host import Host
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, Player, SpecPlayer
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.running import RunningServer

pytestmark = peers.needed

LISTENERS: Final = (
    "http",
    "bogaprot",
    "bogaprot,game=ludo",
    "bogaprot,game=arimaa",
    "ggzboard,game=checkers",
    "ggzboard,game=hnefatafl,variant=ggzboard",
)
HTTP, BOGAPROT, LUDO, ARIMAA, CHECKERS, HNEFATAFL = range(len(LISTENERS))


@dataclass(frozen=True, slots=True)
class Case:
    """``seat`` is the browser's; the opponent speaks what ``port`` listens for."""

    game: str
    hand: Callable[[TablePage], Pointing | Words]
    port: int = BOGAPROT
    variant: str = ""
    seat: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.game}-{self.variant or 'default'}-by-{getattr(self.hand, '__name__', '')}"

    @property
    def played(self) -> Settings:
        return settings(self.game, self.variant)

    def opponent(self, port: int, ticket: str) -> Player:
        if self.port == BOGAPROT:
            return SpecPlayer(port, self.played, f"{self.game}?variant={self.variant}#{ticket}", seed=4)
        if self.port in (LUDO, ARIMAA):
            return LegacyPlayer(port, self.played)
        return OldBoardPlayer(port, self.played)


CASES: Final = (
    Case("ludo", Keys, LUDO),
    Case("checkers", Keys, CHECKERS, seat=1),
    Case("hnefatafl", Keys, HNEFATAFL, "ggzboard"),
    Case("connect_four", Keys),
    Case("chess", Mouse, variant="crazyhouse"),
    Case("hnefatafl", Mouse, variant="brandubh", seat=1),
    Case("connect_four", Touch, seat=1, options=ON_A_PHONE),
    Case("tic_tac_toe", Touch, options=ON_A_PHONE),
    Case("chess", Words, variant="atomic", seat=1),
)

ARIMAA_BY_KEYS: Final = Case("arimaa", Keys, ARIMAA)

LONG: Final = (
    ARIMAA_BY_KEYS,
    Case("reversi", Mouse),
    Case("arimaa", Mouse, seat=1),
    Case("checkers", Touch, options=ON_A_PHONE),
    Case("ludo", Words, variant="ggzboard"),
    Case("reversi", Words, seat=1),
)
"""Played each night only."""

BEGUN: Final = 60
"""Moves of Arimaa: both set-ups, a piece at a time, and 28 steps."""


@pytest.mark.parametrize("case", [*CASES, *(pytest.param(case, marks=pytest.mark.nightly) for case in LONG)], ids=str)
def test_a_whole_game(people: Visitors, running: RunningServer, case: Case) -> None:
    person, opponent = seated(people, running, case)

    Table(person, opponent).finish()

    assert_newest_record_is_whole(running.data, moves=person.brain.plies)


@pytest.mark.nightly  # sixty moves; other games are played by keys by day
def test_arimaa_is_set_up_and_begun_by_keyboard_alone(people: Visitors, running: RunningServer) -> None:
    """The whole game has some hundreds of moves of the same sorts."""
    person, opponent = seated(people, running, ARIMAA_BY_KEYS)
    table = Table(person, opponent)

    table.play(BEGUN)

    table.listen()
    person.hears_all_moves()
    opponent.close()


def seated(people: Visitors, running: RunningServer, case: Case) -> tuple[BrowserPlayer, Player]:
    """The two of a new table: a person at a browser, and the client."""
    table, tickets = Host(running.ports[HTTP]).registers(
        case.game, *([f"{case}", "open"] if case.seat == 0 else ["open", f"{case}"]), variant=case.variant
    )
    options = {**case.options, "reduced_motion": "reduce"}  # moves that glide take half of the time of a long game
    person = BrowserPlayer(people, running.ports[HTTP], table, tickets[case.seat], case.played, case.hand, options)
    return person, case.opponent(running.ports[case.port], tickets[1 - case.seat])
