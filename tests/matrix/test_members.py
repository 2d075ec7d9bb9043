"""Whoever registers a dialect or a game is told what the matrix needs of it: a client, a playthrough.

Both are found by the registry's names, so nothing is listed here.
"""

from __future__ import annotations

import pytest

from gateway import registry
from tests.matrix.cell import pairs
from tests.matrix.client import client, clients_for
from tests.matrix.lines import lines


@pytest.mark.parametrize("dialect", [name for name, kind in registry.dialects().items() if not kind.carried])
def test_every_dialect_has_a_client_and_plays(dialect: str) -> None:
    """A word that it lacks has its reason."""
    kind = client(dialect)
    assert kind.dialect == dialect
    assert any(dialect in registry.dialects_for(game) for game in registry.games().values()), "it plays no game"
    for part, able in (("ask", kind.asks), ("hear", kind.answers)):
        for offer in ("draw", "takeback", "rematch"):
            assert offer in able or f"{part} {offer}" in kind.lacks, f"{dialect} says why it cannot {part} {offer}"
    assert kind.observes or "look on" in kind.lacks


@pytest.mark.parametrize("game", list(registry.games()))
def test_every_game_is_played_by_all_that_can_carry_it(game: str) -> None:
    names = list(clients_for(game))
    assert {(pair.first, pair.second) for pair in pairs(game)} == {(one, two) for one in names for two in names}
    assert lines(game, lambda settings: 1)


def test_a_dialect_without_a_client_is_named() -> None:
    missing = "'semaphore' has no client in the matrix: write tests/matrix/clients/semaphore.py"
    with pytest.raises(LookupError, match=missing):
        client("semaphore")


def test_a_game_without_a_playthrough_is_named() -> None:
    with pytest.raises(
        LookupError, match=r"'mahjong' has no playthrough .* python -m tests.playthroughs create mahjong"
    ):
        lines("mahjong", lambda settings: 1)
