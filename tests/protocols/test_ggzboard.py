"""GGZBoard's older protocol, as its Checkers and Hnefatafl clients speak it."""

from __future__ import annotations

import pytest

from protocols.core.commands import Join, Leave, PlayMove
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import GameEnded, GameStarted, MoveMade, SeatLeft, SeatTaken, TableClosed, TurnStarted
from protocols.core.model import PASS, Move, Outcome, Reason, SeatKind, Settings
from protocols.core.notifications import Rejected, Seated
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Message
from protocols.ggzboard import GGZBOARD, GGZBoard
from tests.protocols.talk import CHECKERS, ask, begun, opened, tell

STEP = MoveMade(0, Move(1, 8), 1, "", ((1, None), (8, "black man")), "")


def playing(seat: int = 0) -> GGZBoard:
    peer = GGZBoard({"game": "checkers"})
    peer.connected()
    tell(peer, Seated(1, seat, begun(CHECKERS, {1: "black man"}, "alice", "bot")))
    return peer


@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (Message("SEAT", (1,)), "00000000 00000001"),
        (Message("PLAYERS", (3, "al", 1)), "00000001 00000003 00000003 616c00 00000001"),
        (Message("MOVE", (1, 8)), "00000002 00000001 00000008"),
        (Message("GAMEOVER", (0,)), "00000003 00000000"),
        (Message("REQ_MOVE", (1, 8)), "00000004 00000001 00000008"),
        (Message("START"), "00000005"),
    ],
)
def test_the_bytes_of_every_message(message: Message, wire: str) -> None:
    assert codec(GGZBOARD).encode(message) == bytes.fromhex(wire)


def test_the_game_is_the_port_s() -> None:
    peer = GGZBoard({"game": "Hnefatafl", "variant": "ggzboard"})
    assert peer.connected() == [Join("hnefatafl", wishes=(("variant", "ggzboard"),), by_address=True, side=0)]
    with pytest.raises(ValueError, match="game"):
        GGZBoard()


def test_seat_and_players_are_told_again_at_each_join() -> None:
    peer = GGZBoard({"game": "checkers"})
    assert tell(peer, Seated(1, 1, opened(CHECKERS, "alice"))) == ["SEAT 1", 'PLAYERS 3 "alice" 1']
    assert tell(peer, SeatTaken(1, SeatKind.PLAYER, "bob")) == ["SEAT 1", 'PLAYERS 3 "alice" 3 "bob"']
    assert tell(peer, SeatLeft(0, SeatKind.RESERVED, 60.0)) == ["SEAT 1", 'PLAYERS 4 "alice" 3 "bob"']


def test_start_and_moves_and_the_end_are_told_and_turns_are_not() -> None:
    peer = playing()
    assert ask(peer, "REQ_MOVE 1 8") == [PlayMove(Move(1, 8))]
    assert tell(peer, STEP, TurnStarted(1)) == ["MOVE 1 8"]
    assert tell(peer, MoveMade(1, PASS, 2, "", (), "")) == []
    assert tell(peer, GameEnded(Outcome(1, Reason.RULES))) == ["GAMEOVER 1"]
    assert tell(peer, GameStarted(CHECKERS, 2, (), "")) == ["START"]


def test_a_refusal_is_silence() -> None:
    peer = playing()
    ask(peer, "REQ_MOVE 1 2")
    assert tell(peer, Rejected(Why.ILLEGAL, "no")) == []
    assert not peer.closing


def test_a_draw_is_a_seat_that_nobody_has() -> None:
    assert tell(playing(), GameEnded(Outcome(None, Reason.AGREEMENT))) == ["GAMEOVER 2"]


def test_who_comes_back_is_told_the_moves() -> None:
    peer = GGZBoard({"game": "checkers"})
    past = (*begun(CHECKERS, {1: "black man"}, "alice", "bob"), STEP, TurnStarted(1))
    assert tell(peer, Seated(1, 1, past)) == ["SEAT 1", 'PLAYERS 3 "alice" 3 "bob"', "START", "MOVE 1 8"]


def test_a_table_without_two_seats_cannot_be_told() -> None:
    peer = GGZBoard({"game": "ludo"})
    assert tell(peer, Seated(1, 0, begun(Settings("ludo", "maedn", 11, 11, 4), {}, "alice"))) == []
    assert peer.closing


def test_without_a_seat_there_is_silence_and_the_end() -> None:
    peer = GGZBoard({"game": "checkers"})
    assert tell(peer, Rejected(Why.OVERLOAD)) == []
    assert peer.closing


def test_a_closed_table_ends_the_conversation() -> None:
    peer = playing()
    assert tell(peer, TableClosed()) == []
    assert peer.closing


def test_a_move_before_the_seat_is_given_waits_for_it() -> None:
    peer = GGZBoard({"game": "checkers"})
    assert peer.connected() == [Join("checkers", by_address=True, side=0)]
    peer.hold(peer.text_to_wire(["REQ_MOVE 1 8"], sent=False, options={}))
    tell(peer, Seated(1, 0, begun(CHECKERS, {1: "black man"}, "alice", "bot")))
    assert peer.resume() == [PlayMove(Move(1, 8))]


@pytest.mark.parametrize("wire", ["00000006", "00000002 00000001 00000008", "0000006c", "00000004 ffffffff 00000001"])
def test_anything_but_a_move_breaks_the_protocol(wire: str) -> None:
    with pytest.raises(RemoteProtocolError, match=r"opcode|negative"):
        playing().receive_data(bytes.fromhex(wire))


def test_a_peer_that_closes_inside_a_message_is_lost() -> None:
    peer = playing()
    assert peer.receive_data(b"\0\0\0\x04\0") == []
    assert peer.receive_data(b"") == [Leave(lost=True)]
    assert peer.closing
