"""A historic client and a client of the document play each other: ports differ, tables do not.

Both must come to the same end, each from what its own wire told it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.brains import settings
from tests.conformance.ggzboard_emulator import OLDER, RECENT
from tests.conformance.players import LegacyPlayer, OldBoardPlayer, Player, SpecPlayer
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.running import RunningServer

LISTENERS = (
    "bogaprot",
    "bogaprot,game=ludo",
    "bogaprot,game=ludo,width=10",
    "ggzboard,game=checkers",
    "bogaprot,game=ludo,seats=4,variant=ggzboard,width=10,window=no",
    "bogaprot,game=arimaa",
    "bogaprot,game=checkers",
)
DRAWN = (53, 11)
"""Seeds of two checkers players who come to a fifth repetition."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("both"), *LISTENERS) as found:
        yield found


def finish(running: RunningServer, *players: Player) -> None:
    Table(*players).finish()
    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)


def test_ludo_with_the_historic_client_first(running: RunningServer) -> None:
    played = settings("ludo")
    legacy = LegacyPlayer(running.ports[1], played, RECENT, seed=1)

    finish(running, legacy, SpecPlayer(running.ports[0], played, "Ludo", seed=2))


def test_ludo_with_the_historic_client_second_and_counting_ten_a_row(running: RunningServer) -> None:
    played = settings("ludo")
    spec = SpecPlayer(running.ports[0], played, "Bogaprot-Ludo", seed=1)

    finish(running, spec, LegacyPlayer(running.ports[2], played, OLDER, width=10, seed=2))


def test_four_at_a_ludo_table_two_of_each_kind(running: RunningServer) -> None:
    played, engine = settings("ludo", "ggzboard", 4), "Ludo?seats=4&variant=ggzboard"
    players: list[Player] = [
        LegacyPlayer(running.ports[4], played, RECENT, width=10, seed=1),
        SpecPlayer(running.ports[0], played, engine, seed=2),
        LegacyPlayer(running.ports[4], played, OLDER, width=10, seed=3),
        SpecPlayer(running.ports[0], played, engine, seed=4),
    ]

    finish(running, *players)


def test_arimaa_where_only_the_client_of_the_document_is_told_the_set_up(running: RunningServer) -> None:
    """It sees every placement, every capture in a trap; the historic one the plain steps, and the turn that is over."""
    played = settings("arimaa")
    spec = SpecPlayer(running.ports[0], played, "Bogaprot-Arimaa", seed=7)

    finish(running, spec, LegacyPlayer(running.ports[5], played, seed=8))


@pytest.mark.parametrize(("place", "client"), [(3, OldBoardPlayer), (6, LegacyPlayer)])
def test_a_draw_is_negative_for_one_and_nobodys_seat_for_the_other(
    running: RunningServer, place: int, client: type[OldBoardPlayer] | type[LegacyPlayer]
) -> None:
    """ "In the case of a draw, the winner variable carries a negative value"; historic ones: "never a negative int"."""
    played = settings("checkers")
    legacy = client(running.ports[place], played, seed=DRAWN[0])
    spec = SpecPlayer(running.ports[0], played, "Checkers", seed=DRAWN[1])

    finish(running, legacy, spec)

    outcome = spec.brain.outcome
    assert outcome is not None
    assert outcome.winner is None
    assert (legacy.client.winner, spec.client.winner) == (2, -1)


def test_a_draw_offer_and_a_resignation_reach_a_historic_client_as_an_end_alone(running: RunningServer) -> None:
    """Words are moves without positions: "it reads -1 as 4294967295"."""
    played = settings("ludo")
    legacy = LegacyPlayer(running.ports[1], played)
    spec = SpecPlayer(running.ports[0], played, "Ludo")
    asked = legacy.turn()
    assert spec.turn() == asked

    spec.client.move(-1, -1, "draw")
    spec.client.move(-1, -1, "resign")

    assert legacy.client.read() == ("MSG_GAMEOVER", 0)
    assert [spec.client.read() for _ in range(4)] == [
        ("RSP_MOVE", 0),
        ("MSG_MOVE", -1, -1, "draw"),
        ("RSP_MOVE", 0),
        ("MSG_GAMEOVER", 0),
    ]
    legacy.close()
    spec.close()


def test_pieces_of_seats_that_gave_up_are_not_taken_off_a_historic_clients_board(running: RunningServer) -> None:
    """ "a removal crashes its board": all it hears of three others giving up is the next turn, if any, and the end."""
    played, engine = settings("ludo", "ggzboard", 4), "Ludo?seats=4&variant=ggzboard"
    legacy = LegacyPlayer(running.ports[4], played, width=10)
    others = [SpecPlayer(running.ports[0], played, engine) for _ in range(3)]
    legacy.turn()

    for other in others:
        other.client.move(-1, -1, "resign")
        assert other.client.until("RSP_MOVE") == ("RSP_MOVE", 0)

    while legacy.client.winner is None:
        assert legacy.client.read()[0] in ("MSG_DICE", "REQ_MOVE", "MSG_GAMEOVER")
    assert legacy.client.winner == 0
    for player in others:
        player.close()
    legacy.close()
