"""Engines that wait for a round are rated among their like, each in the pool of the game that it waits for."""

from __future__ import annotations

import pytest

from gateway import registry
from gateway.lobby.party import Party
from gateway.ratings.pools import Player
from gateway.seating.rounds import rating_key


@pytest.mark.parametrize(
    ("game", "variant", "program", "pool"),
    [
        ("go", "area", "GNU Go 3.8", "go/19/engines"),
        ("chess", "atomic", "Stockfish 15", "chess/atomic/engines"),
        ("chess", "normal", "", "chess/normal"),
    ],
)
def test_a_rating_is_looked_up_by_game_account_and_engine(game: str, variant: str, program: str, pool: str) -> None:
    settings = registry.game(game).settings(variant, 2, "")
    assert rating_key(settings, Party(1, "Anna", program=program)) == (pool, Player("anna", program))


def test_a_guest_is_asked_no_rating_of() -> None:
    assert rating_key(registry.game("chess").settings("", 2, ""), Party(1, "guest-1", guest=True)) is None
