"""The sentences of the Bogaprot document about the handshake, the seats, the turns and the end, each tried on a server.

The docstrings quote the document.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.conformance.pairs import client, pair
from tests.conformance.servers import fast
from tests.conformance.spec_client import OPEN, PLAYER, SpecClient, int32, string
from tests.running import RunningServer

RSP_HANDSHAKE, MSG_SEAT, MSG_PLAYERS, MSG_START, REQ_MOVE, RSP_MOVE, MSG_MOVE, MSG_DICE, MSG_GAMEOVER = range(102, 111)
ALONE = "tic_tac_toe?time=600"
"""A table of a kind that no other test waits for."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("document"), "bogaprot", "bogaprot,game=ludo") as found:
        yield found


def test_a_string_is_its_length_with_the_null_byte_then_utf_8_then_the_null_byte(running: RunningServer) -> None:
    """ "a null-terminated array prepended by an integer containing the string's length (including the null byte)";
    "considered to be encoded in utf-8 by default"."""
    zoe = SpecClient(running.ports[0])

    zoe.send(int32(101) + string("checkers?name=Zoë&time=599") + int32(1))

    assert string("Zoë") == b"\0\0\0\5Zo\xc3\xab\0"
    expected = int32(RSP_HANDSHAKE, 0, MSG_SEAT, 0, MSG_PLAYERS, 2, PLAYER) + string("Zoë") + int32(OPEN)
    assert zoe.raw(len(expected)) == expected
    zoe.close()


def test_nothing_is_said_before_the_handshake(running: RunningServer) -> None:
    """ "It is always performed before a game starts"."""
    early = SpecClient(running.ports[0])

    early.move(17, 24)

    name, status, text = early.read()
    assert (name, status) == ("RSP_MOVE", 1)
    assert "REQ_HANDSHAKE" in str(text)
    assert early.handshake(ALONE) == ("RSP_HANDSHAKE", 0)
    early.close()


def test_the_handshake_is_omitted_where_the_port_says_what_is_played(running: RunningServer) -> None:
    """ "When running on GGZ, the handshake can be omitted, as this information is already present."."""
    with socket.create_connection(("127.0.0.1", running.ports[1]), 20) as guest:
        assert guest.recv(8, socket.MSG_WAITALL) == int32(MSG_SEAT, 0)


@pytest.mark.parametrize("engine", ["tic_tac_toe", "Bogaprot-Tic_Tac_Toe", "TIC-TAC-TOE/bogaprot"])
def test_the_session_is_opened(running: RunningServer, engine: str) -> None:
    """ "If status is zero, then the session was opened successfully.": no message follows the zero."""
    asking = SpecClient(running.ports[0])

    asking.send(int32(101) + string(f"{engine}?time=600") + int32(1))

    assert asking.raw(12) == int32(RSP_HANDSHAKE, 0, MSG_SEAT)
    asking.close()


@pytest.mark.parametrize(
    ("engine", "version", "sentence"),
    [
        ("Backgammon", 1, "game engine not supported"),
        ("", 1, "game engine not supported"),
        ("Ludo", 0, "version out of date"),
        ("Ludo", -1, "version out of date"),
        ("Ludo", 2, "version too new"),
    ],
)
def test_the_error_message_tells_about_the_problem(
    running: RunningServer, engine: str, version: int, sentence: str
) -> None:
    """ "Otherwise, the error message tells about the problem."; the sentences of the appendix. One may ask again.
    "game engine not supported"."""
    asking = SpecClient(running.ports[0])

    assert asking.handshake(engine, version) == ("RSP_HANDSHAKE", 1, sentence)

    assert asking.handshake(ALONE) == ("RSP_HANDSHAKE", 0)
    asking.close()


def test_a_full_server_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    """ "server overload, try again later"."""
    with fast(tmp_path_factory.mktemp("full"), "bogaprot", LIMITS_CONNECTIONS="2") as full:
        first, second = pair(full.ports[0], "tic_tac_toe")
        third = SpecClient(full.ports[0])

        assert third.handshake("tic_tac_toe") == ("RSP_HANDSHAKE", 1, "server overload, try again later")

        first.close()
        second.close()
        third.close()


def test_everybody_is_told_the_own_seat_and_all_assignments(running: RunningServer) -> None:
    """ "informs the client about its own seat number"; "Unless the seat is still open, the name of the occupying
    player or bot is also sent."."""
    first = client(running.ports[0], "ludo?seats=3&name=ann")
    assert first.players == [(PLAYER, "ann"), (OPEN, ""), (OPEN, "")]

    second = client(running.ports[0], "ludo?seats=3&name=ben")
    first.until("MSG_PLAYERS")

    assert (first.seat, second.seat) == (0, 1)
    assert first.players == second.players == [(PLAYER, "ann"), (PLAYER, "ben"), (OPEN, "")]
    first.close()
    second.close()


def test_the_game_starts_when_all_seats_are_taken_and_the_first_seat_is_asked_to_move(running: RunningServer) -> None:
    """ "Indicates that the game can start."; "Indicates that the client at the specified seat should move a piece."."""
    first = client(running.ports[0], "checkers?name=first")
    second = client(running.ports[0], "checkers?name=second")

    for each in (first, second):
        assert each.until("MSG_START", "REQ_MOVE") == ("MSG_START",)
        assert each.until("MSG_START", "REQ_MOVE") == ("REQ_MOVE", 0)
        each.close()


def test_several_dice_may_arrive_in_one_turn(running: RunningServer) -> None:
    """ "If multiple such messages arrive during one turn, multiple dice are in use or a dice is rolled multiple times."
    The first seat of Ludo has three tries: at most two without a way out, then the third, or the next seat's."""
    first, second = client(running.ports[0], "ludo"), client(running.ports[0], "ludo")
    for each in (first, second):
        each.until("MSG_START")
    told: list[int] = []
    while (message := first.read())[0] == "MSG_DICE":
        told.append(int(message[1]))

    assert told[-1] == 6  # nobody moves before a six
    assert set(told[:-1]) <= {1, 2, 3, 4, 5}
    assert message == ("REQ_MOVE", (len(told) - 1) // 3 % 2)
    assert [second.read() for _ in told] == [("MSG_DICE", value) for value in told]
    first.close()
    second.close()


def test_the_winner_is_told_to_both(running: RunningServer) -> None:
    """ "Indicates that the game is over and a winner has been determined."."""
    first, second = pair(running.ports[0], "tic_tac_toe")
    for ply, square in enumerate((0, 3, 1, 4, 2)):
        (first, second)[ply % 2].move(-1, square, "xo"[ply % 2])
        for each in (first, second):
            each.until("REQ_MOVE", "MSG_GAMEOVER")

    assert (first.winner, second.winner) == (0, 0)
    assert first.board == second.board == {0: "x", 1: "x", 2: "x", 3: "o", 4: "o"}
    first.close()
    second.close()


def test_a_draw_has_a_negative_winner(running: RunningServer) -> None:
    """ "In the case of a draw, the winner variable carries a negative value."."""
    first, second = pair(running.ports[0], "tic_tac_toe")
    for ply, square in enumerate((0, 1, 2, 4, 3, 5, 7, 6, 8)):  # XOX XOO OXX
        (first, second)[ply % 2].move(-1, square, "xo"[ply % 2])
        for each in (first, second):
            each.until("REQ_MOVE", "MSG_GAMEOVER")

    assert (first.winner, second.winner) == (-1, -1)
    first.close()
    second.close()


def test_a_draw_is_agreed_by_both_saying_draw(running: RunningServer) -> None:
    """Profile: "draw offer and its acceptance: MSG_MOVE -1 -1 "draw""; the offer is told to everybody."""
    first, second = pair(running.ports[0], "checkers")

    second.move(-1, -1, "draw")

    assert second.read() == ("RSP_MOVE", 0)
    assert second.read() == first.read() == ("MSG_MOVE", -1, -1, "draw")
    first.move(-1, -1, "draw")
    assert first.read() == ("RSP_MOVE", 0)
    assert first.until("MSG_GAMEOVER") == second.until("MSG_GAMEOVER") == ("MSG_GAMEOVER", -1)
    first.close()
    second.close()


def test_who_resigns_has_lost(running: RunningServer) -> None:
    """Profile: "resign: MSG_MOVE -1 -1 "resign"", in one's own turn or not."""
    first, second = pair(running.ports[0], "hnefatafl")

    second.move(-1, -1, "resign")

    assert second.read() == ("RSP_MOVE", 0)
    assert first.read() == second.read() == ("MSG_GAMEOVER", 0)
    first.close()
    second.close()


def test_at_a_table_of_three_the_others_play_on(running: RunningServer) -> None:
    """The pieces of a seat that resigned are taken away: "If no destination position is given"."""
    clients = [client(running.ports[0], "ludo?seats=3&variant=ggzboard") for _ in range(3)]
    for each in clients:
        each.until("REQ_MOVE")

    clients[1].move(-1, -1, "resign")

    assert clients[1].until("RSP_MOVE") == ("RSP_MOVE", 0)
    for each in clients:
        while "blue" in each.board.values():
            each.until("MSG_MOVE")
    clients[2].move(-1, -1, "resign")
    assert {each.until("MSG_GAMEOVER") for each in clients} == {("MSG_GAMEOVER", 0)}
    for each in clients:
        each.close()
