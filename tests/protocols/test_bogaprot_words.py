"""Bogaprot's words settle dead stones after play has stopped, and say moves that are texts."""

from __future__ import annotations

import pytest

from protocols.core.commands import ClaimEnd, MarkDead, PlayMove, Propose
from protocols.core.events import GameEnded, GameResumed, GameSettling, MoveMade, Proposed, TurnStarted
from protocols.core.model import Move, Outcome, Reason
from protocols.core.notifications import Seated
from protocols.core.proposals import Resume, Score, Takeback
from tests.protocols.bogaprot_peers import BOARD, STEP, asked, playing
from tests.protocols.talk import CHECKERS, ask, begun, heard, tell


def test_play_that_has_stopped_is_a_word() -> None:
    """MSG_MOVE -1 -1 "settle": no player is asked to move any more."""
    assert tell(playing(), GameSettling()) == ['MSG_MOVE -1 -1 "settle"']


def test_who_comes_back_is_told_that_play_has_stopped() -> None:
    past = (*begun(CHECKERS, BOARD, "alice", "bob"), STEP, GameSettling())
    for more, told in [((), True), ((GameResumed(), TurnStarted(1)), False)]:
        last = tell(asked(), Seated(1, 0, (*past, *more)))[-1]
        assert (last == 'MSG_MOVE -1 -1 "settle"') is told


def test_dead_stones_are_named_by_their_positions() -> None:
    """MSG_MOVE -1 -1 "dead 60 61": the y-coordinate times the board's width plus the x-coordinate, as everywhere."""
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "dead 60 61"', 'MSG_MOVE -1 -1 "dead"') == [MarkDead((60, 61)), MarkDead(())]
    assert tell(peer, Proposed(0, Score((60, 61)))) == ["RSP_MOVE 0", 'MSG_MOVE -1 -1 "dead 60 61"']


def test_an_offer_is_accepted_after_a_move_of_who_made_it_and_not_after_one_s_own() -> None:
    peer = playing()
    tell(peer, Proposed(1, Takeback(1)), MoveMade(1, Move(21, 17), 2, "", ((17, "white man"), (21, None)), ""))
    assert ask(peer, 'MSG_MOVE -1 -1 "accept"') == [Propose(Takeback(2))]
    tell(peer, STEP)
    assert ask(peer, 'MSG_MOVE -1 -1 "accept"') == []


def test_the_other_side_s_list_is_accepted_or_played_on_against() -> None:
    peer = playing()
    assert tell(peer, Proposed(1, Score((3,)))) == ['MSG_MOVE -1 -1 "dead 3"']
    assert ask(peer, 'MSG_MOVE -1 -1 "accept"', 'MSG_MOVE -1 -1 "resume"') == [Propose(Score((3,))), Propose(Resume())]
    assert tell(peer, Proposed(0, Score((3,)))) == ["RSP_MOVE 0", 'MSG_MOVE -1 -1 "dead 3"']


def test_a_game_is_claimed_for_the_seat_of_its_client() -> None:
    """`MSG_MOVE -1 -1 "claim"`: the rules allow you to claim the game."""
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "claim"') == [ClaimEnd(0)]
    ended = GameEnded(Outcome(0, Reason.CLAIM, "perpetual repetition"))
    assert tell(peer, ended) == ["RSP_MOVE 0", "MSG_GAMEOVER 0"]


@pytest.mark.parametrize("word", ["dead -1", "dead x", "dead 99999", "dead " + "1 " * 401])
def test_what_is_no_list_of_positions_is_refused(word: str) -> None:
    peer = playing()
    assert ask(peer, f'MSG_MOVE -1 -1 "{word}"') == []
    assert "means nothing now" in heard(peer)[0]


def test_a_move_that_is_a_text_is_a_word_both_ways() -> None:
    """MSG_MOVE -1 -1 "move e2e4": at tables without rules there is no other way to say it."""
    peer = playing()
    assert ask(peer, 'MSG_MOVE -1 -1 "move O-O"') == [PlayMove(text="O-O")]
    told = MoveMade(1, Move(None, None, "P@f7"), 2, "P@f7", (), "")
    assert tell(playing(), told) == ['MSG_MOVE -1 -1 "move P@f7"']
