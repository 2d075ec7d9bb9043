"""The sentences of the Bogaprot document about moves, accepted and refused, each tried on a running server.

The docstrings quote the document. Squares of checkers: black men on rows 0 to 2, white ones on rows 5 to 7, 8 a row.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.pairs import pair
from tests.conformance.servers import fast
from tests.conformance.spec_client import int32, string
from tests.running import RunningServer

RSP_MOVE, MSG_MOVE = 107, 108


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("moves"), "bogaprot") as found:
        yield found


def refuse(running: RunningServer, engine: str, source: int, destination: int, piece: str = "") -> str:
    """The sentence that the first seat gets for this first move; nothing must have changed for anybody."""
    first, second = pair(running.ports[0], engine)
    first.move(source, destination, piece)
    name, status, sentence = first.read()
    assert (name, status) == ("RSP_MOVE", 1)
    assert first.read() == ("REQ_MOVE", 0)
    second.move(-1, -1, "resign")
    assert second.read() == ("RSP_MOVE", 0)
    assert first.read() == second.read() == ("MSG_GAMEOVER", 0)
    first.close()
    second.close()
    return str(sentence)


def test_the_rook_of_the_appendix(running: RunningServer) -> None:
    """ "piece of type 'rook' is not available for placement"."""
    sentence = refuse(running, "arimaa", -1, 56, "rook")
    assert sentence == "piece of type 'rook' is not available for placement"


@pytest.mark.parametrize(("source", "destination"), [(17, 64), (17, 999), (64, 17), (2**31 - 1, 2**31 - 1)])
def test_positions_off_the_board(running: RunningServer, source: int, destination: int) -> None:
    """ "movement out of bounds"."""
    assert refuse(running, "checkers", source, destination) == "movement out of bounds"


def test_a_field_of_ones_own(running: RunningServer) -> None:
    """ "cannot move to field which is occupied by another piece of yours"."""
    sentence = "cannot move to field which is occupied by another piece of yours"
    assert refuse(running, "checkers", 8, 17) == sentence
    assert refuse(running, "hnefatafl?variant=ggzboard", 22, 31) == sentence


def test_a_step_before_the_placements_are_finished(running: RunningServer) -> None:
    """ "cannot move, must finish placements first"."""
    assert refuse(running, "arimaa", 48, 40) == "cannot move, must finish placements first"


def test_another_ones_piece_and_no_piece(running: RunningServer) -> None:
    """ "not your piece"."""
    assert refuse(running, "checkers", 40, 33) == "not your piece"
    assert refuse(running, "checkers", 24, 33) == "not your piece"


def test_the_request_is_repeated_until_a_valid_move_came(running: RunningServer) -> None:
    """ "Tells about the success of the move"; "This command is sent until a valid move was received."."""
    first, second = pair(running.ports[0], "checkers")
    for _ in range(3):
        first.move(17, 17)
        assert first.read()[:2] == ("RSP_MOVE", 1)
        assert first.read() == ("REQ_MOVE", 0)

    first.move(17, 24)

    assert first.read() == ("RSP_MOVE", 0)
    assert first.read() == ("MSG_MOVE", 17, 24)
    assert second.read() == ("MSG_MOVE", 17, 24)
    assert first.read() == second.read() == ("REQ_MOVE", 1)
    first.close()
    second.close()


def test_a_move_out_of_turn_is_refused_without_a_request(running: RunningServer) -> None:
    """ "the client at the specified seat should move": the request to the other seat stands."""
    first, second = pair(running.ports[0], "checkers")

    second.move(40, 33)

    assert second.read() == ("RSP_MOVE", 1, "it is not your turn")
    first.move(17, 24)
    assert second.read() == ("MSG_MOVE", 17, 24)
    first.close()
    second.close()


def test_a_plain_move_has_two_positions_and_no_type(running: RunningServer) -> None:
    """ "A client's own move is also echoed back using this message."; the type is added only without a source."""
    first, second = pair(running.ports[0], "checkers")

    first.move(1 + 2 * 8, 0 + 3 * 8)  # "y * width + x"

    echo = int32(RSP_MOVE, 0, MSG_MOVE, 17, 24, 106, 1)
    assert first.raw(len(echo)) == echo
    assert second.raw(20) == echo[8:]
    first.close()
    second.close()


def test_a_captured_piece_is_taken_away_and_a_crowned_one_put_down(running: RunningServer) -> None:
    """ "If no destination position is given, the piece is taken away from the board."; "If however no source position
    is given, a string containing information about the type of the piece is added, and the piece is put"."""
    rows = "......../..b...../...w..../......../......../......../.......b/........"
    first, second = pair(running.ports[0], f"checkers?start={rows}%201", asked=1)
    assert first.board == second.board == {10: "black man", 19: "white man", 55: "black man"}

    second.move(19, 1)

    assert second.read() == ("RSP_MOVE", 0)
    assert first.read() == second.read() == ("MSG_MOVE", 19, 1)
    assert first.read() == second.read() == ("MSG_MOVE", 10, -1)
    assert first.read() == second.read() == ("MSG_MOVE", -1, 1, "white king")
    assert first.board == second.board == {1: "white king", 55: "black man"}
    first.close()
    second.close()


def test_a_negative_position_is_not_given(running: RunningServer) -> None:
    """ "A negative position value means that the position is not given.": -1, as everywhere; another is a fault."""
    first, second = pair(running.ports[0], "tic_tac_toe")

    first.move(-77, 4, "x")
    assert first.read() == ("RSP_MOVE", 1, "movement out of bounds")
    assert first.read() == ("REQ_MOVE", 0)
    first.move(-1, 4, "x")

    assert first.read() == ("RSP_MOVE", 0)
    placed = int32(MSG_MOVE, -1, 4) + string("x")
    assert first.raw(len(placed)) == second.raw(len(placed)) == placed
    first.close()
    second.close()


def test_strings_of_other_writers_are_understood(running: RunningServer) -> None:
    """ "null-terminated": with the NUL, without it as GGZBoard writes, and of length 0 all mean the same here."""
    first, second = pair(running.ports[0], "tic_tac_toe")
    for seat, square, written in ((0, 0, int32(1) + b"x"), (1, 1, string("o")), (0, 2, int32(0))):
        (first, second)[seat].send(int32(MSG_MOVE, -1, square) + written)
        for each in (first, second):
            each.until("REQ_MOVE")

    assert first.board == second.board == {0: "x", 1: "o", 2: "x"}
    first.close()
    second.close()
