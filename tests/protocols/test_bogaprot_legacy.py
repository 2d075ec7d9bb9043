"""Bogaprot for GGZBoard's own clients: plain moves, no handshake, no negative int."""

from __future__ import annotations

import pytest

from protocols.bogaprot.dialect import Bogaprot
from protocols.core.commands import Join, PlayMove
from protocols.core.errors import Why
from protocols.core.events import (
    DiceRolled,
    GameEnded,
    GameStarted,
    MoveMade,
    MovesTakenBack,
    Proposed,
    TurnStarted,
)
from protocols.core.model import PASS, Move, Outcome, Reason
from protocols.core.notifications import Rejected, Seated
from protocols.core.proposals import Draw
from tests.protocols.talk import CHECKERS, LUDO, ask, begun, heard, opened, tell

PIECES = {0: "yellow piece", 120: "red piece"}


def ludo(width: str = "10", seat: int = 0) -> Bogaprot:
    """The historic Ludo client in a game that has just begun, without the messages so far."""
    peer = Bogaprot({"game": "ludo", "width": width} if width else {"game": "ludo"})
    peer.connected()
    tell(peer, Seated(1, seat, begun(LUDO, PIECES, "alice", "bot")))
    return peer


def test_the_order_of_messages_is_the_original_server_s() -> None:
    peer = Bogaprot({"game": "ludo"})
    assert peer.connected() == [Join("ludo", by_address=True, side=0)]
    assert tell(peer, Seated(1, 0, opened(LUDO, "alice", "bot"))) == ["MSG_SEAT 0", 'MSG_PLAYERS 2 3 "alice" 2 "bot"']
    started = GameStarted(LUDO, 1, tuple(PIECES.items()), "")
    assert tell(peer, started, DiceRolled(0, 1, 1), TurnStarted(0)) == ["MSG_START", "MSG_DICE 1", "REQ_MOVE 0"]
    ask(peer, "MSG_MOVE 0 44")
    moved = MoveMade(0, Move(0, 44), 1, "", ((0, None), (44, "yellow piece")), "")
    assert tell(peer, moved, TurnStarted(1)) == ["RSP_MOVE 0", "MSG_MOVE 0 44", "REQ_MOVE 1"]


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("0 1", [Move(0, 1)]),
        ("5 10", [Move(5, 11), Move(5, 10)]),
        ("10 20", [Move(11, 22), Move(11, 21), Move(10, 22), Move(10, 21)]),
        ("109 110", [Move(119, 120)]),
        ("100 110", [Move(110, 120), Move(109, 120)]),
    ],
)
def test_a_position_of_the_narrow_count_may_be_two_squares(line: str, readings: list[Move]) -> None:
    """(0, 1) and (10, 0) are both 10; (0, 11) is off the board, so 110 is (10, 10) alone."""
    assert ask(ludo(), f"MSG_MOVE {line}") == [PlayMove(readings[0], others=tuple(readings[1:]))]


def test_a_position_that_is_no_square_stays_none() -> None:
    (command,) = ask(ludo(), "MSG_MOVE 0 111")
    assert isinstance(command, PlayMove)
    assert command.move is not None
    assert command.move.target is not None
    assert command.move.target >= 121


def test_squares_are_told_in_the_narrow_count() -> None:
    """(10, 10) to (10, 6)."""
    assert tell(ludo(), MoveMade(1, Move(120, 76), 1, "", ((76, "red piece"), (120, None)), "")) == ["MSG_MOVE 110 70"]


def test_captures_placements_removals_and_passes_are_not_told() -> None:
    peer = ludo("", seat=1)
    capture = MoveMade(0, Move(0, 5), 1, "", ((0, None), (5, "yellow piece"), (120, "red piece")), "")
    assert tell(peer, capture) == ["MSG_MOVE 0 5"]
    assert tell(peer, MoveMade(0, PASS, 2, "", (), "")) == []
    assert tell(peer, MoveMade(0, Move(None, 7, "rook"), 3, "", ((7, "rook"),), "")) == []
    assert tell(peer, MoveMade(0, Move(7, None), 4, "", ((7, None),), "")) == []
    assert tell(peer, MovesTakenBack(1, 3, ((7, "rook"),), "")) == []
    assert tell(peer, Proposed(0, Draw())) == []


def test_a_placement_is_accepted_all_the_same() -> None:
    peer = ludo("")
    assert ask(peer, 'bare MSG_MOVE -1 7 "rook"') == [PlayMove(Move(None, 7, "rook"))]
    assert tell(peer, MoveMade(0, Move(None, 7, "rook"), 1, "", ((7, "rook"),), "")) == ["RSP_MOVE 0"]


def test_who_comes_back_is_told_the_moves_the_roll_and_the_turn() -> None:
    past = (
        *begun(LUDO, PIECES, "alice", "bob"),
        MoveMade(0, Move(0, 44), 1, "", ((0, None), (44, "yellow piece")), ""),
        MoveMade(1, PASS, 2, "", (), ""),
        MoveMade(0, Move(44, 45), 3, "", ((44, None), (45, "yellow piece")), ""),
        DiceRolled(1, 1, 4),
        TurnStarted(1),
    )
    peer = Bogaprot({"game": "ludo", "width": "10"})
    peer.connected()
    lines = ["MSG_START", "MSG_MOVE 0 40", "MSG_MOVE 40 41", "MSG_DICE 4", "REQ_MOVE 1"]
    assert tell(peer, Seated(1, 1, past))[2:] == lines


def test_a_draw_is_a_seat_that_nobody_has() -> None:
    assert tell(ludo(), GameEnded(Outcome(None, Reason.VOID))) == ["MSG_GAMEOVER 2"]
    assert tell(ludo(), GameEnded(Outcome(1, Reason.RULES))) == ["MSG_GAMEOVER 1"]


def test_a_refused_seat_is_silence_and_the_end() -> None:
    peer = Bogaprot({"game": "ludo"})
    peer.connected()
    assert tell(peer, Rejected(Why.OVERLOAD)) == []
    assert peer.closing


def test_a_refused_move_is_answered_and_asked_for_again() -> None:
    peer = ludo()
    ask(peer, "MSG_MOVE 0 5")
    assert tell(peer, Rejected(Why.NOT_YOUR_PIECE)) == ['RSP_MOVE 1 "not your piece"', "REQ_MOVE 0"]


def test_a_handshake_on_this_port_is_answered_because_it_was_asked_for() -> None:
    peer = ludo()
    assert ask(peer, 'REQ_HANDSHAKE "ludo" 1') == []
    assert heard(peer) == ['RSP_HANDSHAKE 1 "this port is for clients that send no handshake"']


def test_ints_may_come_and_go_the_other_way_round() -> None:
    peer = Bogaprot({"game": "checkers", "byte_order": "little"})
    peer.connected()
    peer.send(Seated(1, 0, opened(CHECKERS, "alice")))
    assert peer.data_to_send()[:8] == bytes.fromhex("67000000 00000000")
    assert peer.receive_data(bytes.fromhex("6c000000 01000000 08000000")) == [PlayMove(Move(1, 8))]
