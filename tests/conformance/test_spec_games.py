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


def test_what_a_pawn_becomes_is_learned_from_the_effects_of_its_move(running: RunningServer) -> None:
    """MSG_MOVE has no piece where it has a source: the placement behind it says that it is a rook."""
    played = settings("chess")
    white, black = (SpecPlayer(running.ports[0], played, "Chess") for _ in range(2))
    squares = ((52, 36), (8, 16), (36, 28), (11, 27), (28, 19), (15, 23), (19, 10), (14, 22))
    for ply, move in enumerate(squares):
        assert white.turn() == black.turn() == ply % 2
        (white, black)[ply % 2].client.move(*move)
    assert white.turn() == black.turn() == 0
    white.client.move(-1, -1, "promote rook")
    white.client.move(10, 1)

    assert white.turn() == black.turn() == 1
    assert black.brain.board[1] == "white rook"
    for player in (white, black):
        player.close()
