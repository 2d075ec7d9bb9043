"""A game of checkers between two clients of the Bogaprot document, who dial again when they were lost.

Not here: whatever loses them.
"""

from __future__ import annotations

from typing import Final

from tests.conformance.brains import settings
from tests.conformance.compose.composition import BOGAPROT
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import Table

SECRET: Final = "a-secret-that-{}-has-brought"
Pair = tuple[SpecPlayer, SpecPlayer]


def checkers(names: tuple[str, str]) -> Pair:
    """Two clients of the document; who dials again gets the same seat."""
    first, second = (
        SpecPlayer(BOGAPROT, settings("checkers"), f"Checkers?name={name}#{SECRET.format(name)}", seed=seed)
        for seed, name in enumerate(names, 1)
    )
    return first, second


def return_to_checkers(table: Table, old: Pair, names: tuple[str, str]) -> Pair:
    """Both find the game as they left it."""
    for player in old:
        player.close()
    back = checkers(names)
    assert back[0].come_back(old[0]) == back[1].come_back(old[1]) == table.asked
    table.players = dict(enumerate(back))
    return back
