"""Bogaprot as its document says it; each docstring quotes the sentence."""

from __future__ import annotations

import pytest

from protocols.bogaprot.dialect import Bogaprot
from protocols.bogaprot.messages import BOGAPROT, seats_of
from protocols.bogaprot.words import request
from protocols.core.commands import Join, Leave, PlayMove
from protocols.core.errors import RemoteProtocolError, Why
from protocols.core.events import (
    SeatLeft,
)
from protocols.core.model import Move, Seat, SeatKind
from protocols.core.notifications import Rejected, Seated
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Message
from tests.protocols.bogaprot_peers import asked, playing
from tests.protocols.talk import CHECKERS, ask, heard, opened, tell


def test_the_numbers_of_the_messages() -> None:
    """REQ_HANDSHAKE: 101 [...] MSG_GAMEOVER: 110. "Bogaprot consists of messages, each of which is defined by an
    opcode, and followed by zero or more fields". "REQ_HANDSHAKE: 101 RSP_HANDSHAKE: 102 MSG_SEAT: 103 ..."."""
    assert [(shape.opcode, shape.name) for shape in BOGAPROT.shapes] == [
        (101, "REQ_HANDSHAKE"),
        (102, "RSP_HANDSHAKE"),
        (103, "MSG_SEAT"),
        (104, "MSG_PLAYERS"),
        (105, "MSG_START"),
        (106, "REQ_MOVE"),
        (107, "RSP_MOVE"),
        (108, "MSG_MOVE"),
        (109, "MSG_DICE"),
        (110, "MSG_GAMEOVER"),
    ]


def test_who_sends_which() -> None:
    """[REQ_HANDSHAKE] (client->server) [...] [MSG_MOVE] (both directions)."""
    senders = {shape.name: shape.senders for shape in BOGAPROT.shapes}
    assert senders.pop("REQ_HANDSHAKE") == ("client",)
    assert senders.pop("MSG_MOVE") == ("client", "server")
    assert set(senders.values()) == {("server",)}


def test_a_string_is_in_utf_8_with_its_length_in_front() -> None:
    """A null-terminated array prepended by an integer containing the string's length (including the null byte)."""
    wire = codec(BOGAPROT).encode(Message("RSP_MOVE", (1, "zoë")))
    assert wire == bytes.fromhex("0000006b 00000001 00000005") + "zoë".encode() + b"\0"


def test_the_handshake_names_game_and_version() -> None:
    """The handshake contains the game module name and a compatibility version number."""
    assert ask(Bogaprot(), 'REQ_HANDSHAKE "checkers" 1') == [Join("checkers")]


def test_nothing_is_told_before_the_handshake() -> None:
    """It is always performed before a game starts."""
    peer = Bogaprot()
    assert (peer.connected(), peer.data_to_send()) == ([], b"")
    assert ask(peer, "MSG_MOVE 0 1") == []
    assert heard(peer) == ['RSP_MOVE 1 "no game yet: send REQ_HANDSHAKE and wait for REQ_MOVE"']


def test_the_handshake_can_be_omitted() -> None:
    """When running on GGZ, the handshake can be omitted, as this information is already present."""
    peer = Bogaprot({"game": "Ludo", "variant": "ggzboard", "seats": "4"})
    assert peer.connected() == [Join("ludo", wishes=(("variant", "ggzboard"), ("seats", "4")), by_address=True, side=0)]


@pytest.mark.parametrize(
    ("engine", "join"),
    [
        ("ludo", Join("ludo")),
        ("Ludo", Join("ludo")),
        ("Bogaprot-Ludo", Join("ludo")),
        ("BOGAPROT-LUDO", Join("ludo")),
        ("Ludo/Bogaprot", Join("ludo")),
        ("Tic-Tac-Toe", Join("tic-tac-toe")),
        ("bogaprot", Join("bogaprot")),
        ("", Join("")),
        ("Ludo?seats=4&variant=ggzboard#T", Join("ludo", "", "T", (("seats", "4"), ("variant", "ggzboard")))),
        ("bogaprot-ludo?name=Zo%c3%ab%20%26%20co", Join("ludo", "Zoë & co")),
        ("ludo?name=a+b&against=bot", Join("ludo", "a+b", "", (("against", "bot"),))),
        ("ludo?&rated", Join("ludo", wishes=(("rated", ""),))),
        ("ludo#a?b=c", Join("ludo", ticket="a?b=c")),
    ],
)
def test_a_name_may_be_a_game_s_a_protocol_s_or_an_engine_s(engine: str, join: Join) -> None:
    """string: game/protocol/engine name. "Bogaprot is therefore to be used for Hnefatafl, Checkers, Ludo and
    Arimaa"."""
    assert request(engine) == join


def test_status_zero_opens_the_session() -> None:
    """If status is zero, then the session was opened successfully."""
    assert tell(asked(), Seated(1, 0, opened(CHECKERS, "alice")))[0] == "RSP_HANDSHAKE 0"


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (Rejected(Why.UNKNOWN_GAME, "no game 'x'"), "game engine not supported"),
        (Rejected(Why.OVERLOAD, "full"), "server overload, try again later"),
        (Rejected(Why.BAD_OPTION, "checkers cannot seat 3"), "checkers cannot seat 3"),
        (Rejected(Why.NAME_TAKEN), "name taken"),
    ],
)
def test_a_refused_handshake_says_why(refusal: Rejected, sentence: str) -> None:
    """Otherwise, the error message tells about the problem."""
    assert tell(asked(), refusal) == [f'RSP_HANDSHAKE 1 "{sentence}"']


def test_an_older_and_a_newer_version_are_answered_at_once() -> None:
    """ "version out of date"/"version too new"."""
    peer = Bogaprot()
    assert ask(peer, 'REQ_HANDSHAKE "checkers" 0', 'REQ_HANDSHAKE "checkers" 2') == []
    assert heard(peer) == ['RSP_HANDSHAKE 1 "version out of date"', 'RSP_HANDSHAKE 1 "version too new"']


def test_after_a_refused_handshake_another_may_follow() -> None:
    """The client sends a handshake to the server."""
    peer = asked("chequers")
    tell(peer, Rejected(Why.UNKNOWN_GAME))
    assert ask(peer, 'REQ_HANDSHAKE "checkers" 1') == [Join("checkers")]


def test_a_handshake_at_the_table_is_answered_and_one_before_the_answer_is_not() -> None:
    """The server replies to the handshake message."""
    peer = playing()
    assert ask(peer, 'REQ_HANDSHAKE "ludo" 1') == []
    assert heard(peer) == ['RSP_HANDSHAKE 1 "already seated"']
    with pytest.raises(RemoteProtocolError, match=r"REQ_HANDSHAKE \('ludo', 1\) while asked"):
        ask(asked(), 'REQ_HANDSHAKE "ludo" 1')


def test_a_server_that_is_full_says_so_before_it_is_asked() -> None:
    """ "server overload, try again later"."""
    assert tell(Bogaprot(), Rejected(Why.OVERLOAD)) == ['RSP_HANDSHAKE 1 "server overload, try again later"']


def test_the_seat_is_told_at_the_beginning() -> None:
    """The server informs the client about its own seat number."""
    assert tell(asked(), Seated(1, 1, opened(CHECKERS, "bot", "alice")))[1] == "MSG_SEAT 1"


def test_an_open_seat_has_no_name() -> None:
    """Unless the seat is still open, the name of the occupying player or bot is also sent."""
    peer = asked()
    assert tell(peer, Seated(1, 0, opened(CHECKERS, "alice")))[2] == 'MSG_PLAYERS 2 3 "alice" 1'
    assert tell(peer, SeatLeft(0, SeatKind.RESERVED, 60.0)) == ['MSG_PLAYERS 2 4 "alice" 1']
    assert tell(peer, SeatLeft(0, SeatKind.ABANDONED)) == ['MSG_PLAYERS 2 5 "alice" 1']
    assert tell(peer, SeatLeft(0, SeatKind.OPEN)) == ["MSG_PLAYERS 2 1 1"]


def test_clients_read_the_seats_again() -> None:
    """For each seat, the assignment is sent."""
    message = Message("MSG_PLAYERS", (3, 3, "alice", 1, 99, "x"))
    seats = [Seat(0, SeatKind.PLAYER, "alice"), Seat(1, SeatKind.OPEN), Seat(2, SeatKind.NONE, "x")]
    assert seats_of(message) == seats


@pytest.mark.parametrize("peer", [playing(), asked()])
def test_a_peer_that_closes_is_lost(peer: Bogaprot) -> None:
    assert peer.receive_data(b"") == [Leave(lost=True)]
    assert peer.closing


def test_a_peer_that_closes_without_a_handshake_leaves_nothing() -> None:
    peer = Bogaprot()
    assert peer.receive_data(b"\0\0\0") == []
    assert peer.receive_data(b"") == []
    assert peer.closing


def test_what_came_before_a_break_is_still_asked() -> None:
    peer = playing()
    wire = peer.text_to_wire(["MSG_MOVE 1 8"], sent=False, options={})
    assert peer.receive_data(wire + b"HTTP") == [PlayMove(Move(1, 8))]
    with pytest.raises(RemoteProtocolError, match="opcode 1213486160"):
        peer.resume()
    assert peer.closing


@pytest.mark.parametrize(
    "options", [{"byte_order": "middle"}, {"game": "ludo", "width": "0"}, {"game": "x", "width": "x"}]
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(reversed(options))):
        Bogaprot(options)
