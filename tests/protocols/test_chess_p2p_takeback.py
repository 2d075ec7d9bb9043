"""Remove, Undo and takebacks in words over the peer-to-peer protocol, at a real table."""

from __future__ import annotations

import pytest

from protocols.core.commands import Decline, PlayMove, Propose
from protocols.core.events import Proposed
from protocols.core.model import Move
from protocols.core.proposals import Adjourn, Draw, Takeback
from tests.protocols.chess_p2p_peers import House, at_open_table, opening, play, playing
from tests.protocols.talk import ask, tell

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_remove_asks_and_two_undo_confirm() -> None:
    """ "remove: Sent when the user has performed a (2-ply) takeback, from a position where he had the move. Upon
    reception we should request the user on our side to do the same"; "undo: Sent (twice) as confirmation" """
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    assert house.say(white, "remove") == []
    assert house.hear(black) == ["remove"]
    assert house.say(black, "undo") == []
    assert house.say(black, "undo") == []
    assert house.hear(white) == ["undo", "undo"]
    assert house.state.ply == 2


def test_after_remove_the_game_is_renegotiated_with_a_new_go() -> None:
    """ "he should now assume the remote GUI has dropped out of playing mode, and will try to renegociate a game start
    by sending a new 'go'." """
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.say(white, "remove")
    house.say(black, "undo", "undo")
    house.hear(white)
    assert house.say(white, "move f1c4", "go") == ["accepted", "move f1c4"]
    assert house.hear(black)[-2:] == ["move f1c4", "go"]
    assert house.say(black, "accepted", "move f1c4", "move g8f6") == ["move g8f6"]
    assert house.hear(white)[-1] == "move g8f6"


def test_a_remover_that_moves_before_the_confirmation_is_asked_to_wait() -> None:
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    told = house.say(white, "remove", "move f1c4", "go")
    assert told == ["text wait for bob to agree to take moves back, then start again"]
    house.say(black, "undo", "undo")
    assert house.hear(white)[-1] == "go"
    assert house.say(white, "accepted") == ["move f1c4"]
    assert house.hear(black)[-2:] == ["move f1c4", "go"]


def test_a_takeback_that_is_declined_brings_the_remover_back() -> None:
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.say(white, "remove")
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert house.say(black, "text decline") == ["remove", f"setboard {fen}"]
    assert house.hear(white) == ["text bob declines to take moves back", f"setboard {fen}"]
    assert play(house, white, black, "f1b5") == ["move f1b5"]


def test_remove_out_of_turn_or_too_early_is_answered() -> None:
    house = House()
    white, black = playing(house)
    for client in (white, black):
        told = house.say(client, "remove")
        assert told[0] == "text moves can be taken back only while you are to move, and after two of them"
    assert play(house, black, white, "e7e5") == ["move e7e5"]


def test_a_remove_that_was_overtaken_by_a_move_is_void() -> None:
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.ask(0, Propose(Takeback(2)))
    assert house.hear(black) == ["remove"]
    house.say(black, "undo")
    house.ask(0, PlayMove(Move(61, 25)))
    assert house.hear(black)[0].startswith("setboard r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w")
    assert house.say(black, "move f1b5", "move a7a6") == ["move a7a6"]


def test_what_remove_cannot_say_is_said_in_words() -> None:
    house = House()
    white, black = playing(house)
    house.ask(0, Propose(Takeback(1)))
    assert house.hear(black) == ["takeback 1"]
    assert house.say(black, "text yes") == ["undo"]
    assert house.state.ply == 0
    assert house.hear(white) == ["undo", "time 30000", "otim 30000", "go"]
    house.say(white, "undo", "accepted", "move d2d4")
    assert house.hear(black)[-2:] == ["move d2d4", "go"]


def test_a_peer_that_knows_no_words_of_ours_is_asked_in_text() -> None:
    peer = at_open_table()
    assert tell(peer, Proposed(1, Takeback(1))) == [
        "text bob asks to take back one half-move: answer text accept or text decline"
    ]
    assert ask(peer, "text accept") == [Propose(Takeback(1))]
    assert tell(peer, Proposed(1, Draw())) == ["text bob offers a draw: answer text accept or text decline"]
    assert ask(peer, "text yes") == [Propose(Draw())]
    assert tell(peer, Proposed(1, Adjourn())) == [
        "text bob asks to adjourn the game: answer text accept or text decline"
    ]


STANDS = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
"""After 1. e4 e5 2. Nf3 Nc6."""


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_move_after_an_unanswered_remove_comes_behind_the_position_that_counts(line: str) -> None:
    """ "Upon reception we should request the user on our side to do the same (or perhaps force it on him)": its GUI may
    have taken the moves back, whatever it says next."""
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.say(white, "remove")
    assert house.hear(black) == ["remove"]
    house.say(black, line)
    house.ask(0, PlayMove(Move(61, 34), ply=4))
    told = [said for said in house.hear(black) if not said.startswith(("text ", "time ", "otim "))]
    assert told == [f"setboard {STANDS}", "move f1c4", "go"]


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_remover_who_turns_to_something_else_is_put_back_when_its_takeback_is_declined(line: str) -> None:
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.say(white, "remove", line)
    house.ask(1, Decline("Takeback"))
    assert house.hear(white)[-1] == f"setboard {STANDS}"


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_takeback_that_is_agreed_to_late_is_told_as_the_game_from_its_start(line: str) -> None:
    """Two Undo more would take back four plies in a GUI that has rolled back already."""
    house = House()
    white, black = playing(house)
    opening(house, white, black)
    house.say(white, "remove", line)
    house.ask(1, Propose(Takeback(2)))
    told = [said for said in house.hear(white) if not said.startswith(("text ", "time ", "otim ", "name "))]
    assert told == ["new", "level 0 300 0", "move e2e4", "move e7e5", "go"]
