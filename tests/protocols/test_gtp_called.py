"""A GUI that waits for a game: told who else waits, called to another table, sat beside somebody it cannot play."""

from __future__ import annotations

from protocols.core.commands import Command, Join, Propose
from protocols.core.errors import Why
from protocols.core.events import Declined, Proposed, Said
from protocols.core.proposals import Start
from protocols.core.told import Answered, CalledAway, Rejected, Seated, Told
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


def told(peer: GtpGui, *messages: Told) -> list[Command]:
    """What it asks because of these."""
    for message in messages:
        peer.send(message)
    return peer.prompted()


def test_it_is_told_once_who_waits_for_other_games_and_waits_when_it_asks_again() -> None:
    peer = waiting()
    told(peer, Answered(("bob waits for area 13x13",)))
    said = "? nobody waits for this game: bob waits for area 13x13; set that up, or ask again to wait"
    assert heard(peer) == [said]
    assert ask(peer, "genmove b") == []
    assert heard(peer) == []


def test_without_a_command_that_waits_nothing_is_answered() -> None:
    peer = waiting()
    ask(peer, "# interrupt")
    heard(peer)
    told(peer, Answered(("bob waits for area 13x13",)))
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


def test_beside_somebody_who_wants_the_same_colour_the_second_one_is_told() -> None:
    peer = gui(None, "boardsize 9")
    ask(peer, "play b D4")
    past = (*opened(SMALL, "bob", "alice"), Proposed(0, Start(SMALL, 0)))
    (proposed,) = told(peer, Seated(1, 1, past))
    assert isinstance(proposed, Propose)
    told(peer, Proposed(1, proposed.proposal))
    assert heard(peer) == ["? bob plays black, too: ask again to wait for somebody else"]


def test_a_withdrawal_by_the_other_side_is_no_refusal_and_neither_is_one_of_what_it_proposed_before() -> None:
    peer = waiting()
    told(peer, Proposed(1, Start(SMALL)), Declined(1, "Start"))
    assert heard(peer) == []
    ask(peer, "# interrupt", "boardsize 7")
    heard(peer)
    ask(peer, "genmove b")
    told(peer, Said(1, "all", "no 9x9", "bob"), Declined(1, "Start"))
    assert heard(peer) == []
    (seven,) = [Propose(Start(SMALL, 1))]
    told(peer, Proposed(0, seven.proposal), Declined(1, "Start"))
    assert heard(peer) == ["? your opponent declines this game: no 9x9"]


def test_what_it_proposes_twice_stands() -> None:
    peer = waiting()
    told(peer, Rejected(Why.NOT_NOW, "you have proposed that already"))
    assert heard(peer) == []


def test_what_is_declined_while_no_command_waits_is_proposed_again_by_the_next_one() -> None:
    peer = waiting()
    told(peer, Answered(("bob waits for area 13x13",)), Declined(1, "Start"))
    heard(peer)
    assert ask(peer, "genmove b") == [Propose(Start(SMALL, 1))]
