"""Clients that send several messages at once: each is answered as if its sender had waited for the answer before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.chess_guests import BOGAPROT, LISTENERS, PeerToPeerGuest, Room, room
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient, int32, string
from tests.running import RunningServer

NEXT_GAME = ("result 0-1 {Black mates}", "new", "level 0 300 0", "go")
"""What cutechess-cli sends within milliseconds of the mating move, and then it kills its engine."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("pieces"), *LISTENERS) as found:
        yield found


@pytest.fixture
def here(running: RunningServer) -> Iterator[Room]:
    with room(running) as found:
        yield found


def one_move_from_mate(here: Room) -> tuple[PeerToPeerGuest, Room]:
    mia, pia = here.miniature("Mia"), here.p2p("Pia")
    mia.seek("5 0 u w")
    pia.say("text hello")
    pia.until("name ")
    pia.go("level 0 300 0")
    mia.hears("tell gateway game 1:")
    mia.say("f3")
    pia.until("move f2f3", "go")
    pia.say("accepted", "move f2f3", "move e7e5")
    mia.hears("move e7-e5")
    mia.say("g4")
    pia.echo("g2g4")
    return pia, here


def test_a_game_proposed_right_behind_the_winning_move_stands(here: Room) -> None:
    """ "A 'result' command makes both sides drop out of playing mode", and "Sent whenever you start playing": go."""
    pia, _ = one_move_from_mate(here)
    pia.say("move d8h4", *NEXT_GAME)
    assert pia.hears("move d8h4", "result 0-1") == "result 0-1 {Black mates}"
    assert pia.until("text your game is proposed to ")
    assert not any("stands otherwise" in line for line in pia.heard)
    (mia,) = (guest for guest in here.guests if guest is not pia)
    assert mia.hears("result 0-1", "seek 5 0 u b") == "seek 5 0 u b"


def test_the_same_lines_in_packets_of_their_own_are_answered_alike(here: Room) -> None:
    pia, _ = one_move_from_mate(here)
    for line in ("move d8h4", *NEXT_GAME):
        pia.send(f"{line}\n".encode())
    pia.hears("move d8h4", "result 0-1", "text your game is proposed to ")


def test_who_mates_and_hangs_up_in_one_packet_has_won(here: Room) -> None:
    """What was sent before the end of a connection is served before the end."""
    pia, _ = one_move_from_mate(here)
    pia.say("move d8h4", NEXT_GAME[0], "quit")
    assert pia.rest()
    (mia,) = (guest for guest in here.guests if guest is not pia)
    mia.hears("move d8-h4", "result 0-1 {Black mates}")


def test_a_refused_move_does_not_end_the_lines_behind_it(here: Room) -> None:
    """The table refuses the move: what was held is heard in the game that goes on."""
    pia, _ = one_move_from_mate(here)
    pia.say("move d8d1", "text hello", "level nonsense")
    pia.hears("text your move d8d1 is not played", "text cannot read 'level nonsense'")
    (mia,) = (guest for guest in here.guests if guest is not pia)
    mia.until(f"tell {pia.name} hello")


def test_sync_waits_for_the_answer_to_the_move_before_it(here: Room) -> None:
    """ "so we are able to always detect sync issues"."""
    sara, tom = here.two_miniatures("0 0 u w")
    sara.say("move e2-e4", "sync", f"sync; fen {START}")
    assert sara.until("sync error") == "sync error; fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert sara.until("sync error") == "sync error; fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    tom.until("move e2-e4")


def test_a_handshake_and_a_move_in_one_send_are_answered_in_that_order(running: RunningServer) -> None:
    """RSP_HANDSHAKE and the seat come before RSP_MOVE, which refuses a move in a game that has not begun."""
    client = SpecClient(running.ports[BOGAPROT])
    client.send(int32(101) + string("checkers?name=early") + int32(1) + int32(108, 17, 24))
    assert client.raw(16) == int32(102, 0, 103, 0)
    assert client.until("RSP_HANDSHAKE", "RSP_MOVE")[0] == "RSP_MOVE"
    client.close()
