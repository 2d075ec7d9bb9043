"""GAMESMAN's requests of HTTP without a server: which game one is about, and answers that are had again."""

from __future__ import annotations

import pytest

from protocols.core.http_binding import Answer, BadRequest, Sitting
from protocols.gamesman import wire
from protocols.gamesman.http import KEPT_S, Asked, GamesmanHttp

ACK = Answer(((wire.TYPE, wire.ACK_END.encode()),), last=True)
NEWEST = Sitting(2, 0)
BEFORE = Sitting(1, 1, begun=True, over=True)


def asked(move: bytes = b"", kind: str = wire.SEND_MOVE) -> Asked:
    return Asked("anna", "bert", fields=((wire.TYPE, kind.encode()), (wire.MOVE, move)))


def test_the_last_answer_of_a_game_can_be_had_for_its_time_and_is_forgotten_then() -> None:
    """Ack end and Ack resign stay available for a while after the end."""
    binding, over = GamesmanHttp(), asked(kind=wire.GAME_OVER)
    assert binding.answered(over, ACK, 1, now=0.0) == ACK
    assert binding.chosen(over, None, None, KEPT_S - 1.0) == ACK
    assert binding.chosen(asked(kind=wire.RESIGN), None, None, KEPT_S - 1.0) is None, "another request"
    assert binding.chosen(over, None, None, KEPT_S + 1.0) is None
    assert (len(binding._ends), len(binding._expiring)) == (0, 0)


@pytest.mark.parametrize(
    ("newest", "move", "chosen"),
    [
        (NEWEST, b"m1", BEFORE),
        (NEWEST, b"", NEWEST),
        (Sitting(2, 0, ready=frozenset({1})), b"m1", Sitting(2, 0, ready=frozenset({1}))),
        (Sitting(2, 0, ready=frozenset({0})), b"m1", BEFORE),
        (Sitting(2, 0, begun=True), b"m1", Sitting(2, 0, begun=True)),
    ],
)
def test_a_request_is_about_the_game_before_until_the_newest_is_initialised(
    newest: Sitting, move: bytes, chosen: Sitting
) -> None:
    assert GamesmanHttp().chosen(asked(move), newest, BEFORE, 0.0) == chosen


def test_a_game_before_that_still_runs_is_left_for_the_newest() -> None:
    assert GamesmanHttp().chosen(asked(b"m1"), NEWEST, Sitting(1, 1, begun=True), 0.0) == NEWEST


def test_the_opponent_gets_the_very_bytes_of_a_move_until_the_connections_have_left() -> None:
    binding, told = GamesmanHttp(), Answer(((wire.TYPE, b"SendMove"), (wire.MOVE, "é4".encode())))
    binding.message(1, asked(b"\xe94"), 7)
    assert dict(binding.answered(asked(), told, 7, 0.0).headers)[wire.MOVE] == b"\xe94"
    assert binding.answered(asked(), told, 8, 0.0) == told, "another table"
    binding.left(7)
    assert binding.answered(asked(), told, 7, 0.0) == told


def test_numbered_answers_are_read_from_bytes_that_come_in_pieces() -> None:
    read = GamesmanHttp().reader()
    data = wire.write_set(((wire.REQUEST, b"7"), (wire.TYPE, b"Ack end")))
    data += wire.write_set(((wire.REQUEST, b"8"), (wire.WARNING, b"too early")))
    assert [*read(data[:9]), *read(data[9:])] == [(7, ACK), (8, Answer(remark="too early"))]


def test_a_request_without_a_name_is_none() -> None:
    with pytest.raises(BadRequest, match="the header DestPlayer is missing"):
        GamesmanHttp().read([(b"srcplayer", b"anna")])
