"""Remove, Undo and takebacks in words over the peer-to-peer protocol, at a real table."""

from __future__ import annotations

import pytest

from protocols.core.commands import Decline, PlayMove, Propose
from protocols.core.events import MovesTakenBack, Proposed
from protocols.core.model import Move
from protocols.core.proposals import Abort, Adjourn, Draw, Takeback
from tests.protocols.chess_p2p_peers import LETS_BLACK_MOVE, GameServer, at_open_table, opening, play, playing
from tests.protocols.talk import ask, tell

ANSWERS = {"undo undo": ("undo", "undo"), "undo accept": ("undo", "accept")} | {
    word: (word,) for word in ("text accept", "accept", "takeback 2")
}


AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_remove_asks_and_two_undo_confirm() -> None:
    """ "remove: Sent when the user has performed a (2-ply) takeback, from a position where he had the move. Upon
    reception we should request the user on our side to do the same"; "undo: Sent (twice) as confirmation" """
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    assert server.say(white, "remove") == []
    assert server.hear(black) == ["remove"]
    assert server.say(black, "undo") == []
    assert server.say(black, "undo") == ["time 30000", "otim 30000"]
    assert server.hear(white) == ["undo", "undo", "time 30000", "otim 30000"]
    assert server.state.ply == 2


def test_a_takeback_tells_both_the_clocks_that_the_position_had() -> None:
    """ "time T, otim T: Commands to relay the times left on the clock (in centi-sec) on the side of the sender to the
    peer. The latter could use them to synchronize (on of) his clocks"."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.now += 20
    server.say(white, "remove")
    server.now += 5
    assert server.say(black, "undo", "undo")[-2:] == ["time 30000", "otim 30000"]
    assert server.hear(white)[-2:] == ["time 30000", "otim 30000"]


def test_a_takeback_after_which_the_other_seat_moves_tells_the_clocks_to_both() -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.now += 20
    server.say(white, "takeback 1")
    assert server.say(black, "takeback 1")[-4:] == ["undo", "time 30000", "otim 30000", "go"]
    assert server.hear(white)[-3:] == ["undo", "time 30000", "otim 30000"]


def test_after_remove_the_game_is_renegotiated_with_a_new_go() -> None:
    """ "he should now assume the remote GUI has dropped out of playing mode, and will try to renegociate a game start
    by sending a new 'go'." """
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove")
    server.say(black, "undo", "undo")
    server.hear(white)
    assert server.say(white, "move f1c4", "go") == ["accepted", "move f1c4"]
    assert server.hear(black)[-2:] == ["move f1c4", "go"]
    assert server.say(black, "accepted", "move f1c4", "move g8f6") == ["move g8f6"]
    assert server.hear(white)[-1] == "move g8f6"


def test_a_remover_that_moves_before_the_confirmation_is_asked_to_wait() -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    told = server.say(white, "remove", "move f1c4", "go")
    assert told == [f"text wait for bob to agree to take moves back, then start again{LETS_BLACK_MOVE}"]
    server.say(black, "undo", "undo")
    assert server.hear(white)[-1] == "go"
    assert server.say(white, "accepted") == ["move f1c4"]
    assert server.hear(black)[-2:] == ["move f1c4", "go"]


def test_a_takeback_that_is_declined_brings_the_remover_back() -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove")
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert server.say(black, "text decline") == ["remove", f"setboard {fen}"]
    assert server.hear(white) == ["text bob declines to take moves back", f"setboard {fen}"]
    assert play(server, white, black, "f1b5") == ["move f1b5"]


def test_remove_out_of_turn_or_too_early_is_answered() -> None:
    server = GameServer()
    white, black = playing(server)
    for client in (white, black):
        told = server.say(client, "remove")
        assert told[0] == "text moves can be taken back only while you are to move, and after two of them"
    assert play(server, black, white, "e7e5") == ["move e7e5"]


def test_a_remove_whose_asker_has_moved_is_asked_again_behind_the_position_that_counts() -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.ask(0, Propose(Takeback(2)))
    assert server.hear(black) == ["remove"]
    server.say(black, "undo")
    server.ask(0, PlayMove(Move(61, 25)))
    told = server.hear(black)
    assert told[0].startswith("setboard r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w")
    assert told[-2:] == ["move f1b5", "takeback 3"]
    server.say(black, "move f1b5")
    assert server.say(black, "move a7a6") == ["move a7a6"]
    assert server.say(black, "text accept") == []
    assert server.state.ply == 6, "its own move was its answer"


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_remove_is_confirmed_after_its_asker_s_move_for_the_position_that_it_named(answer: tuple[str, ...]) -> None:
    """ "undo: Sent (twice) as confirmation of the 'remove' command from peer": it may have crossed a move, so that its
    GUI may show anything."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.ask(0, Propose(Takeback(2)))
    server.ask(0, PlayMove(Move(61, 25)))
    server.hear(black)
    told = server.say(black, *answer)
    assert server.state.ply == 2
    assert [line for line in told if line.startswith(("new", "move"))] == ["new", "move e2e4", "move e7e5"]
    server.ask(0, PlayMove(Move(62, 45)))
    assert server.hear(black)[-2:] == ["move g1f3", "go"]


def test_what_remove_cannot_say_is_said_in_words() -> None:
    server = GameServer()
    white, black = playing(server)
    server.ask(0, Propose(Takeback(1)))
    assert server.hear(black) == ["takeback 1"]
    assert server.say(black, "text yes") == ["undo", "time 30000", "otim 30000"]
    assert server.state.ply == 0
    assert server.hear(white) == ["undo", "time 30000", "otim 30000", "go"]
    server.say(white, "undo", "accepted", "move d2d4")
    assert server.hear(black)[-2:] == ["move d2d4", "go"]


@pytest.mark.parametrize("plies", [4, 2**31 - 1])
def test_no_more_moves_are_undone_than_were_played(plies: int) -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    for client in (white, black):
        told = tell(client.dialect, MovesTakenBack(plies, 0, (), ""))
        assert told == ["undo"] * 4
        assert tell(client.dialect, MovesTakenBack(plies, 0, (), "")) == []


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
    assert tell(peer, Proposed(1, Abort())) == [
        "text bob asks to abort the game, so that nobody loses: answer text accept or text decline"
    ]


STANDS = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
"""After 1. e4 e5 2. Nf3 Nc6."""


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_move_after_an_unanswered_remove_comes_behind_the_position_that_counts(line: str) -> None:
    """ "Upon reception we should request the user on our side to do the same (or perhaps force it on him)": its GUI may
    have taken the moves back, whatever it says next."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove")
    assert server.hear(black) == ["remove"]
    server.say(black, line)
    server.ask(0, PlayMove(Move(61, 34), ply=4))
    told = [said for said in server.hear(black) if not said.startswith(("text ", "time ", "otim "))]
    assert told == [f"setboard {STANDS}", "move f1c4", "go", "takeback 3"]


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_remover_who_turns_to_something_else_is_put_back_when_its_takeback_is_declined(line: str) -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove", line)
    server.ask(1, Decline("Takeback"))
    assert server.hear(white)[-1] == f"setboard {STANDS}"


@pytest.mark.parametrize("line", ["result 1/2-1/2 {}", "new"])
def test_a_takeback_that_is_agreed_to_late_is_told_as_the_game_from_its_start(line: str) -> None:
    """Two Undo more would take back four plies in a GUI that has rolled back already."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove", line)
    server.ask(1, Propose(Takeback(2)))
    told = [said for said in server.hear(white) if not said.startswith(("text ", "time ", "otim ", "name "))]
    assert told == ["new", "level 0 300 0", "move e2e4", "move e7e5", "go"]


@pytest.mark.parametrize("asked", ["remove", "takeback 2"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_reply_that_was_taken_back_is_not_played_however_the_takeback_was_agreed(
    asked: str, answer: tuple[str, ...]
) -> None:
    """ "release the move you had already in the state copy of the remote GUI": no copy keeps moves taken back."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, asked)
    server.say(black, *answer)
    server.say(white, "move g1f3", "go", "accepted")
    server.hear(white)
    server.hear(black)
    server.say(black, "accepted")
    assert (server.state.ply, server.hear(white)) == (3, [])
    assert server.say(black, "move g1f3", "move g8f6") == ["move g8f6"]


@pytest.mark.parametrize("shows", [(), ("undo", "undo"), ("remove",)], ids=["nothing", "two undo", "remove"])
def test_an_asker_may_show_the_takeback_that_it_asked_for_in_words_or_not(shows: tuple[str, ...]) -> None:
    """ "any state change (move, takeback, ...) is immediately relayed to the peer": what it shows then is not new."""
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "takeback 2")
    server.say(black, "takeback 2")
    assert server.hear(white)[-1] == "go"
    assert server.say(white, *shows, "move f1c4", "go")[:2] == ["accepted", "move f1c4"]
    assert server.state.ply == 3


def test_a_takeback_that_is_agreed_to_behind_a_result_leaves_no_old_reply() -> None:
    server = GameServer()
    white, black = playing(server)
    opening(server, white, black)
    server.say(white, "remove")
    server.say(black, "result * {}", "accept")
    server.say(white, "move g1f3", "go")
    server.say(black, "accepted")
    assert server.state.ply == 3
