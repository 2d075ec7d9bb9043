"""A client's session takes the server's bytes and gives news."""

from __future__ import annotations

import pytest

from clients.client_state import ClientState, Phase
from clients.joining import Wish
from clients.session import Session, TurnedAway
from gateway import registry
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.errors import RemoteProtocolError
from protocols.core.model import PASS, Move, SeatKind
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message


def session(game: str = "tic_tac_toe") -> Session:
    return Session(Wish(game, "alice"), ClientState(registry.game(game)))


def said(*messages: tuple[object, ...]) -> bytes:
    server = Wire(codec(BOGAPROT), "server")
    return b"".join(server.build(*message) for message in messages)  # type: ignore[arg-type]


def heard(data: bytes) -> tuple[Message, ...]:
    return Wire(codec(BOGAPROT), "server").receive_data(data)


CONVERSATION = said(
    ("RSP_HANDSHAKE", 0),
    ("MSG_SEAT", 0),
    ("MSG_PLAYERS", 2, 3, "alice", 2, "bot"),
    ("MSG_START",),
    ("REQ_MOVE", 0),
    ("RSP_MOVE", 1, "not your piece"),
    ("REQ_MOVE", 0),
    ("RSP_MOVE", 0),
    ("MSG_MOVE", -1, 4, "x"),
    ("REQ_MOVE", 1),
)


@pytest.mark.parametrize("size", [1, 3, 7, 4096])
def test_a_conversation_is_understood_however_it_is_split(size: int) -> None:
    client = session()
    client.opening()
    for at in range(0, len(CONVERSATION), size):
        client.receive_data(CONVERSATION[at : at + size])
    client_state = client.client_state
    assert client.welcome
    assert (client_state.seat, client_state.turn, client_state.board) == (0, 1, {4: "x"})
    assert [seat.kind for seat in client_state.players] == [SeatKind.PLAYER, SeatKind.BOT]
    assert [line.text for line in client_state.news][-2:] == ["not your piece", "alice: b2"]


def test_the_handshake_says_game_wishes_and_version() -> None:
    assert heard(session().opening()) == (Message("REQ_HANDSHAKE", ("tic_tac_toe?name=alice", 1)),)


def test_moves_placements_passes_and_words_are_worded_as_the_document_says() -> None:
    client = session()
    assert heard(client.play(Move(8, 17))) == (Message("MSG_MOVE", (8, 17)),)
    assert heard(client.play(Move(None, 4, "x"))) == (Message("MSG_MOVE", (-1, 4, "x")),)
    assert heard(client.play(Move(4, None))) == (Message("MSG_MOVE", (4, -1)),)
    assert heard(client.play(PASS)) == (Message("MSG_MOVE", (-1, -1, "pass")),)
    assert heard(client.resign()) == (Message("MSG_MOVE", (-1, -1, "resign")),)
    assert heard(client.propose("takeback 2")) == (Message("MSG_MOVE", (-1, -1, "takeback 2")),)
    assert heard(client.decline()) == (Message("MSG_MOVE", (-1, -1, "decline")),)


def test_what_a_pawn_becomes_is_a_word_before_its_move() -> None:
    assert heard(session().play(Move(8, 0, "knight"))) == (
        Message("MSG_MOVE", (-1, -1, "promote knight")),
        Message("MSG_MOVE", (8, 0)),
    )


def test_a_refused_handshake_is_raised_in_the_servers_words() -> None:
    client = session()
    with pytest.raises(TurnedAway, match=r"^version too new$"):
        client.receive_data(said(("RSP_HANDSHAKE", 1, "version too new")))


def test_a_negative_winner_is_a_draw() -> None:
    client = session()
    client.receive_data(said(("MSG_GAMEOVER", -1)))
    assert (client.client_state.phase, client.client_state.winner) == (Phase.OVER, None)


@pytest.mark.parametrize("seat", [-1, 64])
def test_a_seat_that_no_table_has_is_not_believed(seat: int) -> None:
    with pytest.raises(RemoteProtocolError, match=f"no seat {seat}"):
        session().receive_data(said(("REQ_MOVE", seat)))


def test_what_is_no_bogaprot_is_an_error_after_what_came_before_it() -> None:
    client = session()
    with pytest.raises(RemoteProtocolError):
        client.receive_data(said(("MSG_SEAT", 1)) + b"HTTP/1.1 400 Bad Request")
    assert client.client_state.seat == 1


def test_a_new_connection_forgets_half_a_message_of_the_old_one() -> None:
    client = session()
    client.receive_data(CONVERSATION[:3])
    client.opening()
    client.receive_data(CONVERSATION)
    assert client.client_state.turn == 1
