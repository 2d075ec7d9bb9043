"""Whole games between clients written from the Bogaprot document alone: every game, every rule set.

Each client's board is made of nothing but MSG_MOVEs and must equal the rules' board at every turn, so every capture,
crowning and placement was told; the brains follow the wire alone, so the dice and the turns were.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conformance.brains import settings
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import Table, assert_newest_record_is_whole
from tests.conformance.servers import fast
from tests.running import RunningServer

GAMES = (
    ("ludo", "maedn", 2),
    ("ludo", "maedn", 3),
    ("ludo", "maedn", 4),
    ("ludo", "ggzboard", 2),
    ("ludo", "ggzboard", 4),
    ("checkers", "english", 2),
    ("hnefatafl", "copenhagen", 2),
    ("hnefatafl", "tablut", 2),
    ("hnefatafl", "brandubh", 2),
    ("hnefatafl", "ggzboard", 2),
    ("arimaa", "official", 2),
    ("reversi", "standard", 2),
    ("connect_four", "standard", 2),
    ("tic_tac_toe", "standard", 2),
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with fast(tmp_path_factory.mktemp("spec"), "bogaprot") as found:
        yield found


@pytest.mark.parametrize(("game", "variant", "seats"), GAMES, ids=lambda value: str(value))
def test_clients_of_the_document_finish_a_game(running: RunningServer, game: str, variant: str, seats: int) -> None:
    played = settings(game, variant, seats)
    engine = f"{game}?variant={variant}&seats={seats}"
    players = [SpecPlayer(running.ports[0], played, engine, seed=seat + 1) for seat in range(seats)]

    Table(*players).finish()

    assert_newest_record_is_whole(running.data, moves=players[0].brain.plies)
