"""A table as a dialect follows it: after every event it knows what the table's own state says."""

from __future__ import annotations

from gateway.table.draft import Draft
from gateway.table.state import Status as TableStatus
from protocols.core.commands import Decline, Join, Leave, PlayMove, Propose
from protocols.core.events import Event, TableOpened
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import HouseRules, Move, Settings
from protocols.core.proposals import Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback
from tests.table.tables import Conversation

SAME = {
    TableStatus.OPEN: Status.WAITING,
    TableStatus.PLAYING: Status.PLAYING,
    TableStatus.ADJOURNED: Status.ADJOURNED,
    TableStatus.OVER: Status.OVER,
}


class Followed(Conversation):
    """A table of two, alice's and bob's, with a follower in each seat and one who looks on."""

    def __init__(self) -> None:
        super().__init__(time="300+5")
        self.past: list[Event] = []
        self.followers = [FollowedTable(seat) for seat in (0, 1, None)]
        self._tell([TableOpened(self.first.settings, HouseRules())])
        for name in ("alice", "bob"):
            self.ask(None, Join(self.state.game.name, name, ready=False))

    def _take(self, draft: Draft) -> list[Event]:
        events = super()._take(draft)
        self._tell(events)
        self._compare(self.followers)
        return events

    def _tell(self, events: list[Event]) -> None:
        self.past += events
        for follower in self.followers:
            for event in events:
                follower.fold(event)

    def _compare(self, followers: list[FollowedTable]) -> None:
        for follower in followers:
            assert (follower.standing, follower.clock) == (self.state.proposals, self.state.clock)
            assert (follower.status, follower.turn) == (SAME[self.state.status], self.state.turn)
            if follower.seat is not None:
                assert follower.name(follower.seat) == self.state.seats[follower.seat].name

    def propose(self, *proposals: tuple[int, Proposal]) -> None:
        for seat, proposal in proposals:
            self.ask(seat, Propose(proposal))

    def come_back(self) -> list[FollowedTable]:
        """Who sits down now, in each seat, and is told all that has happened."""
        late = [FollowedTable(), FollowedTable()]
        for seat, follower in enumerate(late):
            follower.catch_up(seat, self.past)
        self._compare(late)
        return late


def started(*, turned: bool = False) -> Followed:
    table = Followed()
    side = 1 if turned else 0
    settings: Settings = table.state.settings
    table.propose((0, Start(settings, side)), (1, Start(settings, 1 - side)))
    return table


def test_what_stands_is_what_the_table_would_act_on() -> None:
    table = started()
    table.play(0, 3)
    table.propose((0, Draw()), (1, Takeback(1)), (0, Takeback(2)))
    table.ask(1, Decline("Takeback"))  # withdraws its own: the other one stands
    assert [type(made.proposal) for made in table.followers[1].offers()] == [Draw, Takeback]
    assert (table.followers[1].mine(Takeback), table.followers[1].theirs(Takeback)) == (None, Takeback(2))
    assert table.followers[0].proposes(0, "Draw")
    table.propose((1, Takeback(2)))
    assert table.followers[0].offers() == []


def test_a_game_is_followed_through_an_interruption_its_end_and_the_next() -> None:
    table = started()
    table.play(0)
    table.propose((0, Adjourn()), (1, Adjourn()), (1, Resume()), (0, Resume()))
    table.play(3, 1, 4, 2)
    assert table.followers[0].outcome is not None
    table.propose((0, Rematch()), (1, Rematch()))
    assert (table.followers[0].my_turn, table.followers[1].my_turn) == (True, False)
    table.ask(0, PlayMove(Move(None, 8)))
    assert table.followers[1].my_turn


def test_a_lost_players_proposals_are_void() -> None:
    table = started()
    table.propose((0, Draw()))
    table.ask(0, Leave(lost=True))
    assert table.followers[1].theirs(Draw) is None


def test_players_who_are_turned_to_other_seats_keep_their_names() -> None:
    table = started(turned=True)
    assert [follower.seat for follower in table.followers] == [1, 0, None]
    assert [table.followers[0].name(1), table.followers[1].name(0)] == ["alice", "bob"]


def test_who_comes_back_after_seats_were_turned_sits_where_it_sits_now() -> None:
    table = started(turned=True)
    table.play(0)
    table.propose((0, Draw()))
    first, second = table.come_back()
    assert (first.seat, second.seat) == (0, 1)
    assert (first.mine(Draw), second.theirs(Draw)) == (Draw(), Draw())
