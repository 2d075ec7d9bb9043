"""Tickets over the peer-to-peer protocol, which has no word for them: how they are told, and how a user says one."""

from __future__ import annotations

import pytest

from protocols.core.commands import Join, Leave
from protocols.core.notifications import Seated
from tests.protocols.chess_p2p_peers import CHESS, EITHER, called, seated
from tests.protocols.talk import ask, heard, opened, tell


def test_a_ticket_is_told_to_a_client_that_knows_the_word() -> None:
    plain, knowing = called(), called()
    ask(knowing, "myname bob")
    for peer in (plain, knowing):
        ask(peer, "new")
        tell(peer, Seated(1, 1, opened(CHESS, "alice", "bob"), "SECRET"))
    told = tell(plain, Seated(1, 1, opened(CHESS, "alice", "bob"), "SECRET"))
    assert "ticket SECRET" not in told
    assert "text your ticket is SECRET: it takes this seat back from anywhere, by text /seat SECRET" in told
    assert "ticket SECRET" in tell(knowing, Seated(1, 1, opened(CHESS, "alice", "bob"), "SECRET"))


def test_a_ticket_that_the_client_brought_is_not_told_to_it() -> None:
    peer = called()
    ask(peer, f"ticket {'A' * 22}", "new")
    told = tell(peer, Seated(1, 1, opened(CHESS, "alice", "bob"), "A" * 22))
    assert told == ["name alice", f"text you sit with alice: set up a game and start it{EITHER}"]


@pytest.mark.parametrize("line", ["myname alice#{}", "name alice#{}"])
def test_a_user_may_say_a_ticket_without_a_word_for_it(line: str) -> None:
    """Chess p2p: ``name alice#TICKET``."""
    secret, peer = "A" * 22, called()
    assert ask(peer, line.format(secret)) == []
    assert ask(peer, "new") == [Join("chess", "alice", secret, ready=False)]


def test_a_text_takes_the_seat_of_a_ticket_at_once_and_is_answered() -> None:
    """``text /seat SECRET`` takes it at once."""
    secret, peer = "A" * 22, called()
    assert ask(peer, f"text /seat {secret}") == [Join("chess", "", secret, ready=False, kept=True)]
    assert tell(peer, Seated(7, 1, opened(CHESS, "alice", "bob")))[0] == "text you have a seat at table 7"


def test_a_ticket_that_is_said_after_the_seat_changes_it() -> None:
    """A program says New as soon as it is there: its user comes too late to say anything before the seat."""
    peer = seated()
    assert ask(peer, "text /seat SECRET") == [Leave(), Join("chess", ticket="SECRET", ready=False, kept=True)]
    peer = seated()
    assert ask(peer, "text /seat") == []
    assert heard(peer) == ["text /seat and a ticket take another seat, while you have no game here"]
