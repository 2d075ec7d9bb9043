"""Clients that trickle, vanish, reset, send garbage or never read: another table plays on and notices nothing."""

from __future__ import annotations

import contextlib
import random
import select
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from gateway import registry
from protocols.bogaprot.messages import BOGAPROT, moved
from protocols.core.opcode_codec import codec
from tests.faults.guests import GAME, PATIENCE_S, TICKET, Brittle, Guest, seated, undisturbed
from tests.net.proxy_headers import line
from tests.running import RunningServer, server

SPEC, CHECKERS, LUDO, GGZBOARD, HTTP = range(5)
LISTENERS = (
    "bogaprot",
    "bogaprot,game=checkers",
    "bogaprot,game=ludo,width=10",
    "ggzboard,game=checkers",
    "http",
)
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server for all of these tests: none may leave it in a state that disturbs the next."""
    settings = {"BOTS_WORKERS": "0", "LIMITS_CONNECTIONS_PER_ADDRESS": "1000"}
    with server(tmp_path_factory.mktemp("server"), *LISTENERS, ports=None, **settings) as process:
        yield process
        assert process.stop() == 0


@pytest.fixture
def by_default(tmp_path: Path) -> Iterator[RunningServer]:
    """A server with the limits that it has by default."""
    with server(tmp_path, *LISTENERS, ports=None, BOTS_WORKERS="0") as process:
        yield process
        assert process.stop() == 0


@pytest.mark.parametrize(("place", "count"), [(SPEC, 100), (CHECKERS, 8), (GGZBOARD, 8), (HTTP, 100)])
def test_who_breaks_the_protocol_bears_it_alone(by_default: RunningServer, place: int, count: int) -> None:
    """ "Other connections of its address go on, and new ones are let in" (docs/wire.md)

    A port that seats whoever calls counts the games that are left.
    """
    with undisturbed(by_default):
        for _ in range(count):
            with Guest(by_default.ports[place]) as guest, contextlib.suppress(ConnectionError):
                guest.sock.sendall(bytes(range(200, 256)))
                guest.sock.shutdown(socket.SHUT_WR)
                guest.hung_up_after_s()
        with seated(by_default.ports[SPEC], "reversi", "reversi") as guests:  # the witness is at another game
            assert guests[0].puts(19) == (0,)


def come(running: RunningServer, port: int, host: str) -> Guest:
    """A client of this address, as a proxy says."""
    guest = Guest(running.ports[port])
    guest.sock.sendall(line(host))
    return guest


@contextlib.contextmanager
def all_of(guests: Iterable[Guest]) -> Iterator[list[Guest]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(guest) for guest in guests]


def test_who_breaks_the_protocol_again_and_again_is_read_later_and_no_other_is(tmp_path: Path) -> None:
    """ "makes the address's new connections in that protocol wait" (docs/wire.md)"""
    proxied = ("ggzboard,game=checkers,proxy_protocol=yes", "bogaprot,game=ludo,proxy_protocol=yes")
    with server(tmp_path, *proxied, ports=None, BOTS_WORKERS="0") as running:
        with all_of(come(running, 0, "192.0.2.1") for _ in range(40)) as guests:
            for guest in guests:
                assert guest.sock.recv(4096), "it is inside"
            for guest in guests:
                guest.sock.sendall(bytes(range(200, 256)))
            for guest in guests:
                guest.hung_up_after_s()
        with all_of([come(running, 0, "192.0.2.1")]) as (slowed,):
            others = [(0, "192.0.2.2"), (1, "192.0.2.1"), (0, "127.0.0.1")]
            with all_of(come(running, port, host) for port, host in others) as undelayed:
                for guest in undelayed:
                    assert guest.sock.recv(4096)
            assert not select.select([slowed.sock], [], [], 0)[0], "it came before them"
            assert slowed.sock.recv(4096), "it is not refused"
        assert running.stop() == 0


def pieces(wire: bytes, size: int = 1) -> list[bytes]:
    return [wire[at : at + size] for at in range(0, len(wire), size)]


@pytest.mark.parametrize("place", range(len(LISTENERS)), ids=LISTENERS)
@pytest.mark.parametrize("seed", range(6))
def test_random_garbage_disturbs_nobody(running: RunningServer, place: int, seed: int) -> None:
    chance = random.Random(seed)
    with undisturbed(running):
        for _ in range(5):
            with Guest(running.ports[place]) as guest, contextlib.suppress(OSError):
                guest.sock.sendall(chance.randbytes(chance.choice([1, 3, 4, 11, 200, 5000])))
                guest.sock.shutdown(socket.SHUT_WR)
                guest.hung_up_after_s()


@pytest.mark.parametrize("place", range(len(LISTENERS)), ids=LISTENERS)
def test_a_megabyte_of_garbage_disturbs_nobody(running: RunningServer, place: int) -> None:
    with undisturbed(running), Guest(running.ports[place]) as guest, contextlib.suppress(OSError):
        guest.sock.sendall(random.Random(place).randbytes(MEGABYTE))
        guest.sock.shutdown(socket.SHUT_WR)
        guest.hung_up_after_s()


def test_a_megabyte_of_true_messages_in_the_wrong_state_disturbs_nobody(running: RunningServer) -> None:
    with undisturbed(running), Guest(running.ports[SPEC]) as guest, contextlib.suppress(ConnectionError, TimeoutError):
        guest.sock.settimeout(1.0)
        guest.sock.sendall(guest.wire.build("MSG_MOVE", 1, 2) * (MEGABYTE // 12))


def test_a_conversation_byte_by_byte_is_a_conversation(running: RunningServer) -> None:
    with undisturbed(running), seated(running.ports[SPEC], GAME, GAME) as (anna, bert):
        for square, guest in zip((0, 3, 1, 4, 2), (anna, bert) * 3, strict=False):
            for byte in pieces(guest.wire.build("MSG_MOVE", -1, square, "")):
                guest.sock.sendall(byte)
                time.sleep(0.0005)  # lets each byte be a segment of its own
            assert guest.hear("RSP_MOVE") == (0,)
        assert bert.hear("MSG_GAMEOVER") == (0,)


@pytest.mark.parametrize("kept", [1, 4, 7, 12, 15])
def test_who_vanishes_inside_a_message_is_gone_and_the_message_never_was(running: RunningServer, kept: int) -> None:
    with undisturbed(running), seated(running.ports[SPEC], GAME, GAME) as (anna, bert):
        anna.sock.sendall(anna.wire.build("MSG_MOVE", -1, 4, "")[:kept])
        anna.sock.close()
        bert.hears_lost(0)
        assert bert.puts(4) == (1, "it is not your turn")


@pytest.mark.parametrize("kept", [1, 8, 14])
def test_who_vanishes_inside_the_handshake_leaves_nothing(running: RunningServer, kept: int) -> None:
    with undisturbed(running):
        for _ in range(10):
            with Guest(running.ports[SPEC]) as guest:
                guest.sock.sendall(guest.wire.build("REQ_HANDSHAKE", GAME, 1)[:kept])
                guest.resets()


def test_a_reset_is_a_lost_connection(running: RunningServer) -> None:
    with undisturbed(running), seated(running.ports[SPEC], f"{GAME}#{TICKET}", GAME) as (anna, bert):
        assert anna.puts(0) == (0,)
        anna.resets()
        bert.hears_lost(0)
        assert bert.puts(4) == (0,)
        with Guest(running.ports[SPEC]) as back:
            assert back.joins(f"{GAME}#{TICKET}") == 0
            assert back.puts(8) == (0,)


def test_half_a_close_is_a_lost_connection(running: RunningServer) -> None:
    with undisturbed(running), seated(running.ports[SPEC], GAME, GAME) as (anna, bert):
        anna.say("MSG_MOVE", -1, 0, "")
        anna.sock.shutdown(socket.SHUT_WR)
        assert bert.hear("MSG_MOVE") == (-1, 0, "x")
        bert.hears_lost(0)
        assert anna.hung_up_after_s() < PATIENCE_S


def test_who_closes_while_the_server_writes_disturbs_nobody(running: RunningServer) -> None:
    with undisturbed(running):
        for number in range(12):
            with seated(running.ports[SPEC], f"{GAME}?time={900 + number}") as (guest,):
                guest.floods(seconds=0.05)
                if number % 2:
                    guest.resets()


def test_twenty_who_come_and_go_at_once_disturb_nobody(running: RunningServer) -> None:
    def come_and_go(number: int) -> None:
        for _ in range(5):
            with Guest(running.ports[SPEC]) as guest:
                guest.say("REQ_HANDSHAKE", f"{GAME}?time={700 + number}", 1)
                if number % 2:
                    guest.resets()

    with undisturbed(running):
        threads = [threading.Thread(target=come_and_go, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def test_a_client_that_takes_a_short_read_for_an_error_plays_whole_games(running: RunningServer) -> None:
    chance, game = random.Random(11), registry.game("checkers")
    with undisturbed(running):
        for _ in range(3):
            with Brittle(running.ports[CHECKERS]) as anna, Brittle(running.ports[CHECKERS]) as bert:
                guests = {guest.seated(): guest for guest in (anna, bert)}
                position = game.start(game.settings())
                while moves := game.legal_moves(position):
                    move, turn = chance.choice(moves), game.to_move(position)
                    assert isinstance(turn, int)
                    for part in pieces(codec(BOGAPROT).encode(moved(move.source or 0, move.target or 0)), 4):
                        guests[turn].sock.sendall(part)
                    for guest in (anna, bert):
                        assert guest.hear("MSG_MOVE") == (move.source, move.target)
                    position = game.play(position, move)
                assert anna.hear("MSG_GAMEOVER") == bert.hear("MSG_GAMEOVER")


def test_who_never_reads_is_closed_and_may_come_back_to_the_same_game(tmp_path: Path) -> None:
    settings = {
        "BOTS_WORKERS": "0",
        "LIMITS_UNREAD_BYTES": "65536",
        "LIMITS_MESSAGES_PER_SECOND": "1000000",
        "LIMITS_STORED_PER_MINUTE": "1000000000000",
        "LIMITS_MESSAGES_BURST": "1000000",
    }
    with server(tmp_path, "bogaprot", ports=None, **settings) as running, undisturbed(running):
        with Guest(running.ports[0], receive_buffer=4096) as deaf, Guest(running.ports[0]) as bert:
            assert [deaf.joins(f"{GAME}#{TICKET}"), bert.joins(GAME)] == [0, 1]
            assert deaf.puts(0) == (0,)
            deaf.floods(seconds=PATIENCE_S)
            bert.hears_lost(0)
            assert bert.puts(4) == (0,)
            with Guest(running.ports[0]) as back:
                assert back.joins(f"{GAME}#{TICKET}") == 0
                assert back.puts(8) == (0,)
                assert bert.puts(1) == (0,)
        assert "client does not read" in running.log.read_text()
