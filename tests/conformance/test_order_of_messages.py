"""The order of messages, byte for byte: what the joiner, the mover and the others get, at a table of alice and a bot.

Recorded from the original Ludo server: MSG_SEAT, MSG_PLAYERS, MSG_START, REQ_MOVE to all, the move, RSP_MOVE to the
mover first, the echo to all, REQ_MOVE to all; dice come before the REQ_MOVE they belong to. Only dice and the bot's
own moves cannot be known before.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator

import pytest

from tests.conformance.brains import settings
from tests.conformance.players import LegacyPlayer, SpecPlayer
from tests.conformance.playing import Table
from tests.conformance.servers import fast
from tests.conformance.spec_client import BOT, PLAYER, SpecClient, int32, string
from tests.running import RunningServer

LISTENERS = ("bogaprot", "bogaprot,game=ludo,bot_after=0s", "ggzboard,game=checkers,bot_after=0s")

RSP_HANDSHAKE, MSG_SEAT, MSG_PLAYERS, MSG_START, REQ_MOVE, RSP_MOVE, MSG_MOVE, MSG_DICE = range(102, 110)
ALICE_AND_A_BOT = int32(MSG_PLAYERS, 2, PLAYER) + string("alice") + int32(BOT) + string("bot-2")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("order")
    with fast(data, *LISTENERS, BOTS_WORKERS="1", BOTS_PAUSE="0s", BOTS_LEVEL="1") as found:
        yield found


def expect(client: SpecClient, data: bytes) -> None:
    """The next bytes are exactly these."""
    assert client.raw(len(data)) == data


def test_alice_and_a_bot_at_checkers(running: RunningServer) -> None:
    """ "MSG_SEAT 0 | MSG_PLAYERS 2: 3 "alice", 2 "bot"", "MSG_START", "REQ_MOVE 0"; "RSP_MOVE 0 (first)"."""
    alice = SpecClient(running.ports[0])

    alice.send(int32(101) + string("Checkers?name=alice&against=bot") + int32(1))

    expect(alice, int32(RSP_HANDSHAKE, 0, MSG_SEAT, 0) + ALICE_AND_A_BOT + int32(MSG_START, REQ_MOVE, 0))

    alice.send(int32(MSG_MOVE, 17, 24))

    expect(alice, int32(RSP_MOVE, 0, MSG_MOVE, 17, 24, REQ_MOVE, 1))
    opcode, source, destination = struct.unpack("!3i", alice.raw(12))
    assert (opcode, source // 8, destination // 8) == (MSG_MOVE, 5, 4)  # a white man's first step
    expect(alice, int32(REQ_MOVE, 0))
    alice.close()


def test_alice_and_a_bot_at_ludo(running: RunningServer) -> None:
    """The server rolls, up to three times for each until a move is there: "MSG_DICE comes before the REQ_MOVE"."""
    alice = SpecPlayer(running.ports[0], settings("ludo"), "Ludo?name=bella&against=bot")
    assert alice.client.players == [(PLAYER, "bella"), (BOT, "bot-2")]

    Table(alice, bots=[1]).finish()


def test_a_guest_of_a_port_without_handshake_and_a_bot(running: RunningServer) -> None:
    """The same for GGZBoard's client, without an answer to a handshake it never sent, and in one piece."""
    with socket.create_connection(("127.0.0.1", running.ports[1]), 20) as guest:
        begun = int32(MSG_SEAT, 0, MSG_PLAYERS, 2, PLAYER) + string("guest-1") + int32(BOT) + string("bot-2")
        begun += int32(MSG_START, MSG_DICE)

        told = guest.recv(4096)

        assert told[: len(begun)] == begun
        dice = struct.unpack(f"!{(len(told) - len(begun)) // 4}i", told[len(begun) :])
        assert dice[-2] == REQ_MOVE, "dice come before the REQ_MOVE, and the last word is whose turn it is"
        assert set(dice[1:-2:2]) <= {MSG_DICE}
        assert set(dice[0:-2:2]) <= set(range(1, 7))


def test_a_historic_client_beats_or_loses_to_a_bot(running: RunningServer) -> None:
    guest = LegacyPlayer(running.ports[1], settings("ludo"), seed=2, host="127.0.0.8")

    Table(guest, bots=[1]).finish()


def test_the_old_protocol_has_no_count_no_answer_and_no_turn_request(running: RunningServer) -> None:
    """ "exactly two seats, **no count**"; "an accepted move comes back as MOVE, a refused one is met with silence"."""
    seat, players, move, req_move, start = 0, 1, 2, 4, 5
    with socket.create_connection(("127.0.0.1", running.ports[2]), 20) as guest:
        told = guest.recv(4096)
        name = told[20:27].decode()
        both = int32(PLAYER) + string(name) + int32(BOT) + string("bot-2")
        assert told == int32(seat, 0, players) + both + int32(start)
        assert name[:6] == "guest-"

        guest.sendall(int32(req_move, 17, 17) + int32(req_move, 17, 24))

        assert guest.recv(12, socket.MSG_WAITALL) == int32(move, 17, 24)
        opcode, source, destination = struct.unpack("!3i", guest.recv(12, socket.MSG_WAITALL))
        assert (opcode, source // 8, destination // 8) == (move, 5, 4)
