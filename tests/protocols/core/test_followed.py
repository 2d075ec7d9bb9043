"""A dialect's followed table agrees with the table's own state after every event."""

from __future__ import annotations

from gateway.table.draft import Draft
from gateway.table.state import Status as TableStatus
from protocols.core.commands import Decline, Join, Leave, PlayMove, Propose
from protocols.core.events import (
    DiceRolled,
    Event,
    GameAdjourned,
    GameEnded,
    GameStarted,
    MoveMade,
    MovesTakenBack,
    Said,
    SeatLeft,
    SeatTaken,
    SeatWithdrawn,
    TableOpened,
    TurnStarted,
)
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import PASS, HouseRules, Move, Outcome, Reason, Seat, SeatKind, Settings
from protocols.core.proposals import Adjourn, Draw, Proposal, Rematch, Resume, Start, Takeback
from tests.protocols.talk import CHECKERS, LUDO, begun, opened
from tests.table.tables import Conversation

STEP = MoveMade(0, Move(1, 8), 1, "", ((1, None), (8, "man")), "")

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
        """Return a newcomer for each seat that is told all events so far."""
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
    alice, bob, _ = table.followers
    assert (alice.seat, alice.my_turn, bob.seat, bob.my_turn) == (1, False, 0, True)
    table.ask(0, PlayMove(Move(None, 8)))
    assert alice.my_turn


def test_a_lost_players_proposals_stand_until_the_seat_is_given_up() -> None:
    table = started()
    table.propose((0, Draw()))
    table.ask(0, Leave(lost=True))
    assert table.followers[1].theirs(Draw) == Draw()


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


def playing() -> FollowedTable:
    table = FollowedTable()
    for event in begun(CHECKERS, {1: "man"}, "alice", "bot"):
        table.fold(event)
    return table


def test_an_open_seat_has_no_name_and_a_lost_one_keeps_it() -> None:
    table = FollowedTable()
    for event in opened(CHECKERS, "alice", "bob"):
        table.fold(event)
    table.fold(SeatLeft(0, SeatKind.RESERVED, 60.0))
    table.fold(SeatLeft(1, SeatKind.OPEN))
    assert table.seats == [Seat(0, SeatKind.RESERVED, "alice"), Seat(1, SeatKind.OPEN)]


def test_a_seat_the_table_does_not_have_is_not_shown() -> None:
    table = playing()
    table.fold(SeatTaken(2**31 - 1, SeatKind.PLAYER, "nobody"))
    assert len(table.seats) == 2


def test_moves_change_the_board_and_are_taken_back() -> None:
    table = playing()
    table.fold(STEP)
    assert (table.board, table.moves, table.last) == ({8: "man"}, [STEP], STEP)
    back = MovesTakenBack(1, 0, ((1, "man"), (8, None)), "")
    table.fold(back)
    assert (table.board, table.moves, table.last) == ({1: "man"}, [], back)


def test_only_the_roll_that_is_not_played_yet_is_kept() -> None:
    table = playing()
    for number, value in enumerate((3, 5), start=1):
        table.fold(DiceRolled(0, number, value))
    assert (table.roller, table.dice) == (0, [3, 5])
    table.fold(DiceRolled(1, 3, 6))
    assert (table.roller, table.dice) == (1, [6])
    table.fold(MoveMade(1, PASS, 1, "", (), ""))
    assert table.dice == []


def test_a_roll_outlives_another_seat_that_gives_up() -> None:
    table = FollowedTable()
    for event in begun(LUDO, {0: "yellow piece", 120: "red piece"}, "alice", "bob"):
        table.fold(event)
    table.fold(DiceRolled(0, 1, 6))
    table.fold(SeatWithdrawn(1, ((120, None),), ""))
    assert (table.dice, table.board) == ([6], {0: "yellow piece"})
    table.fold(SeatWithdrawn(0, ((0, None),), ""))
    assert table.dice == []


def test_nobody_is_to_move_after_the_end_or_an_interruption_and_a_new_game_begins_anew() -> None:
    table = playing()
    table.fold(STEP)
    table.fold(GameAdjourned())
    assert table.turn is None
    table.fold(TurnStarted(1))
    table.fold(GameEnded(Outcome(1, Reason.TIME)))
    assert (table.turn, table.outcome) == (None, Outcome(1, Reason.TIME))
    table.fold(GameStarted(CHECKERS, 2, ((1, "man"),), ""))
    assert (table.outcome, table.moves, table.board) == (None, [], {1: "man"})


def test_what_says_nothing_about_the_table_changes_nothing() -> None:
    table = playing()
    table.fold(Said(0, "all", "hello"))
    assert table == playing()
