"""The notice board shows a visitor a limited number of seeks."""

from __future__ import annotations

from dataclasses import replace as changed

from msgspec.structs import replace

from gateway.lobby.lobby import Lobby
from gateway.lobby.notices import PAGE, Page
from protocols.core.commands import Decline, Join, Leave, Propose
from protocols.core.model import HouseRules, TimeControl, TimeKind
from protocols.core.notifications import Notice
from protocols.core.proposals import Start
from tests.table.tables import Conversation

GAME = "chess"


def anything(game: str) -> bool:
    return True


class Waiting:
    """A table where a player sits and the lobby hears of every step."""

    def __init__(self, lobby: Lobby, number: int, name: str, house: HouseRules | None = None) -> None:
        self._lobby = lobby
        self._talk = Conversation(GAME, house=house or HouseRules())
        self.state = replace(self._talk.state, table=number)
        settings = self.state.settings
        self.start = Start(changed(settings, time=TimeControl(TimeKind.ABSOLUTE, 300.0)), side=0)
        self.asks(None, Join(GAME, name, ready=False))

    def asks(self, seat: int | None, command: Join | Propose | Decline | Leave) -> None:
        before = self.state
        self._talk.ask(seat, command)
        self.state = replace(self._talk.state, table=before.table)
        self._lobby.report(self.state, before, ("", ""))


def test_a_seek_is_on_the_board_from_its_proposal_until_it_is_withdrawn() -> None:
    lobby = Lobby()
    table = Waiting(lobby, 7, "anna")
    assert lobby.notices.page(anything) == Page(), "who has proposed nothing seeks nothing"
    table.asks(0, Propose(table.start))
    assert lobby.notices.page(anything) == Page((Notice("anna", GAME, table.start),))
    table.asks(0, Decline("Start"))
    assert lobby.notices.page(anything) == Page()


def test_a_seek_ends_with_its_table_and_with_its_game() -> None:
    lobby = Lobby()
    table, other = Waiting(lobby, 1, "anna"), Waiting(lobby, 2, "bert")
    for waits in (table, other):
        waits.asks(0, Propose(waits.start))
    assert [notice.name for notice in lobby.notices.page(anything).notices] == ["anna", "bert"]
    table.asks(0, Leave())
    other.asks(None, Join(GAME, "carl", ready=False))
    page = lobby.notices.page(anything)
    assert [notice.name for notice in page.notices] == ["bert"], "carl makes room for who plays with bert"
    other.asks(1, Propose(Start(other.start.settings, 1)))
    assert lobby.notices.page(anything) == Page()


def test_a_private_table_s_seek_is_nobody_s_to_see() -> None:
    lobby = Lobby()
    table = Waiting(lobby, 1, "anna", HouseRules(private=True))
    table.asks(0, Propose(table.start))
    assert lobby.notices.page(anything) == Page()


def test_a_seek_that_its_seeker_confirms_is_replaced_by_the_next_and_stands_while_challengers_come_and_go() -> None:
    lobby = Lobby()
    table = Waiting(lobby, 1, "anna")
    manual = changed(table.start, confirms=True)
    table.asks(0, Propose(table.start))
    table.asks(0, Propose(manual))
    assert lobby.notices.page(anything) == Page((Notice("anna", GAME, manual),))
    table.asks(None, Join(GAME, "bert", ready=False))
    table.asks(1, Propose(changed(table.start, side=1)))
    table.asks(1, Leave())
    assert lobby.notices.page(anything) == Page((Notice("anna", GAME, manual),))


def test_a_page_holds_the_oldest_seeks_of_the_games_that_a_visitor_can_play_and_counts_the_others() -> None:
    lobby = Lobby()
    tables = [Waiting(lobby, number, f"player {number}") for number in range(1, PAGE + 4)]
    for table in tables:
        table.asks(0, Propose(table.start))
    page = lobby.notices.page(anything)
    assert [notice.name for notice in page.notices] == [f"player {number}" for number in range(1, PAGE + 1)]
    assert page.more == 3
    assert lobby.notices.page(lambda game: game == "go") == Page()
    tables[0].asks(0, Leave())
    page = lobby.notices.page(anything)
    assert (page.notices[-1].name, page.more) == (f"player {PAGE + 1}", 2)


def test_the_board_says_that_it_has_changed_and_only_then() -> None:
    rung: list[int] = []
    lobby = Lobby(noticed=lambda: rung.append(1))
    table = Waiting(lobby, 1, "anna")
    assert not rung
    table.asks(0, Propose(table.start))
    lobby.report(table.state, table.state)
    assert len(rung) == 1
