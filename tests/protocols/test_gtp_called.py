"""A GUI that waits for a game is told of other waiters and called to another table."""

from __future__ import annotations

from protocols.core.commands import Command, Decline, Join, PlayMove, Propose
from protocols.core.errors import Why
from protocols.core.events import (
    Declined,
    GameStarted,
    MoveMade,
    Proposed,
    Said,
    SeatLeft,
    SeatTaken,
    TableOpened,
    TurnStarted,
)
from protocols.core.model import HouseRules, Move, SeatKind
from protocols.core.notifications import CalledAway, Notification, Rejected, Seated, Unmatched
from protocols.core.proposals import Start
from protocols.gtp.gui import GtpGui
from tests.protocols.gtp_peers import SMALL, gui
from tests.protocols.talk import ask, heard, opened


def waiting(line: str = "genmove b") -> GtpGui:
    """It sits alone and has proposed 9x9."""
    peer = gui(None, "boardsize 9")
    ask(peer, line)
    asked = told(peer, Seated(1, 0, opened(SMALL, "alice")))
    told(peer, *(Proposed(0, made.proposal) for made in asked if isinstance(made, Propose)))
    return peer


def told(peer: GtpGui, *messages: Notification) -> list[Command]:
    """Return its commands after these messages."""
    for message in messages:
        peer.send(message)
    return peer.prompted()


BEGUN = (Proposed(1, Start(SMALL, 1)), GameStarted(SMALL, 1, (), ""))
WITHDRAWN = Declined(0, "Start")


def test_it_is_told_once_who_waits_for_other_games_and_waits_when_it_asks_again() -> None:
    peer = waiting()
    assert told(peer, Unmatched(("bob waits for area 13x13",))) == [Decline("Start")]
    assert heard(peer) == [], "its proposal still stands"
    told(peer, WITHDRAWN)
    said = "? nobody waits for this game: bob waits for area 13x13; set that up, or ask again to wait"
    assert heard(peer) == [said]
    assert ask(peer, "genmove b") == [Propose(Start(SMALL, 1))]
    assert told(peer, Proposed(0, Start(SMALL, 1)), Unmatched(("bob waits for area 13x13",))) == []
    assert heard(peer) == []


def test_a_game_that_begins_while_the_proposal_is_withdrawn_has_the_move() -> None:
    """One answer, and no game begins without the move that began it."""
    peer = waiting("play b D4")
    told(peer, Unmatched(("bob waits for area 13x13",)), SeatTaken(1, SeatKind.PLAYER, "carl"))
    (move,) = told(peer, *BEGUN, TurnStarted(0), Rejected(Why.NOT_NOW, "nobody proposed 'Start'"))
    assert isinstance(move, PlayMove)
    assert heard(peer) == []
    told(peer, MoveMade(0, Move(None, 48, "black"), 1, "D4", ((48, "black"),), ""))
    assert heard(peer) == ["="]


def test_called_away_while_the_proposal_is_withdrawn_it_goes_on_waiting() -> None:
    peer = waiting()
    told(peer, Unmatched(("bob waits for area 13x13",)))
    (join,) = told(peer, CalledAway())
    assert isinstance(join, Join)
    assert told(peer, Rejected(Why.NOT_SEATED, "take a seat first")) == []
    assert told(peer, Seated(2, 1, opened(SMALL, "bob", "alice"))) == [Propose(Start(SMALL, 1))]
    assert heard(peer) == []


def test_without_a_command_that_waits_nothing_is_answered() -> None:
    peer = waiting()
    ask(peer, "# interrupt")
    heard(peer)
    assert told(peer, Unmatched(("bob waits for area 13x13",))) == []
    assert heard(peer) == []


def test_called_away_it_asks_for_a_seat_and_proposes_its_game_there() -> None:
    peer = waiting()
    (join,) = told(peer, CalledAway())
    assert isinstance(join, Join)
    assert join.settings == SMALL
    assert told(peer, Rejected(Why.NOT_SEATED, "take a seat first")) == []
    assert told(peer, Seated(2, 1, opened(SMALL, "bob", "alice"))) == [Propose(Start(SMALL, 1))]
    assert heard(peer) == []


def test_called_away_while_no_command_waits_what_it_had_proposed_stands_there() -> None:
    peer = waiting()
    ask(peer, "# interrupt")
    (join,) = told(peer, CalledAway())
    assert isinstance(join, Join)
    assert told(peer, Seated(2, 0, opened(SMALL, "alice", "bob"))) == [Propose(Start(SMALL, 1))]


def test_beside_a_player_who_wants_the_same_colour_it_waits_until_the_lobby_has_looked_for_others() -> None:
    """ "One answer, after matching is decided": the lobby parts the two, and one of them may be played elsewhere."""
    peer = gui(None, "boardsize 9")
    ask(peer, "play b D4")
    past = (*opened(SMALL, "bob", "alice"), Proposed(0, Start(SMALL, 0)))
    (proposed,) = told(peer, Seated(1, 1, past))
    assert isinstance(proposed, Propose)
    told(peer, Proposed(1, proposed.proposal))
    assert heard(peer) == []
    (join,) = told(peer, CalledAway())
    assert isinstance(join, Join)
    assert join.side == 0


def test_it_is_told_why_the_last_one_declined_once_nobody_else_is_left() -> None:
    peer = waiting()
    asked = told(peer, SeatTaken(1, SeatKind.PLAYER, "gnu"), Said(1, "all", "no 9x9", "gnu"), Declined(1, "Start"))
    assert asked == [Propose(Start(SMALL, 1))], "another one may play it"
    told(peer, Proposed(0, Start(SMALL, 1)), SeatLeft(1, SeatKind.OPEN))
    assert heard(peer) == []
    assert told(peer, Unmatched()) == [Decline("Start")]
    told(peer, WITHDRAWN)
    assert heard(peer) == ["? gnu declines this game: no 9x9"]


def test_at_a_registered_table_a_refusal_is_answered_at_once() -> None:
    """No other player comes there."""
    peer = gui(None, "boardsize 9")
    ask(peer, "genmove b")
    seats = (SeatTaken(0, SeatKind.RESERVED, "gnu"), SeatTaken(1, SeatKind.RESERVED, "alice"))
    (proposed,) = told(peer, Seated(1, 1, (TableOpened(SMALL, HouseRules()), *seats)))
    assert isinstance(proposed, Propose)
    told(peer, Proposed(1, proposed.proposal), SeatTaken(0, SeatKind.PLAYER, "gnu"))
    told(peer, Said(0, "all", "no 9x9", "gnu"), Declined(0, "Start"))
    assert heard(peer) == ["? gnu declines this game: no 9x9"]


def test_a_withdrawal_by_the_other_side_is_no_refusal() -> None:
    peer = waiting()
    told(peer, Proposed(1, Start(SMALL)), Declined(1, "Start"), Unmatched())
    assert heard(peer) == []


def test_what_it_proposes_twice_stands() -> None:
    peer = waiting()
    told(peer, Rejected(Why.NOT_NOW, "you have proposed that already"))
    assert heard(peer) == []


def test_what_is_declined_while_no_command_waits_is_proposed_again_by_the_next_one() -> None:
    peer = waiting()
    ask(peer, "# interrupt")
    heard(peer)
    told(peer, Declined(1, "Start"))
    assert ask(peer, "genmove b") == [Propose(Start(SMALL, 1))]
