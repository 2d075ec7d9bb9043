"""The matrix finds what it is for: two faults are planted in every dialect, in a server's process, and its cells fail.

A client that comes back is not told what is offered; a client that comes back is told a board of one move ago.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from gateway import registry
from gateway.games.parts import Chance
from protocols.core.events import Event, MoveMade, Proposed
from protocols.core.notifications import Seated
from protocols.core.proposals import Draw, Takeback
from tests.matrix.cell import Cell, Pair
from tests.matrix.client import client
from tests.matrix.servers import serving
from tests.running import changed

PATIENCE_S: Final = 3.0
"""Seconds until something counts as not told, in a server that does not tell it."""

PARTNER: Final = "web"

DIALECTS: Final = [name for name, kind in registry.dialects().items() if not kind.carried]

BOARD: Final = "has the board|squares told|is told its board again|more was taken back|half-move .* is heard"
"""What a cell says of a board that is not the table's. GAMESMAN shows none: its player hears a move of before."""


def without_offers(past: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(e for e in past if not (isinstance(e, Proposed) and isinstance(e.proposal, Draw | Takeback)))


def one_behind(past: tuple[Event, ...]) -> tuple[Event, ...]:
    last = max((at for at, event in enumerate(past) if isinstance(event, MoveMade)), default=len(past))
    return past[:last] + past[last + 1 :]


def plant(dialect: str, fault: Callable[[tuple[Event, ...]], tuple[Event, ...]]) -> None:
    """Whoever takes a seat by this dialect is told a past with this fault."""
    kind = registry.dialects()[dialect]
    tells: Any = kind.send

    def send(self: object, message: object) -> None:
        tells(self, replace(message, past=fault(message.past)) if isinstance(message, Seated) else message)

    kind.send = send  # type: ignore[method-assign]


def played_by(dialect: str) -> str:
    """A game of this dialect with rules and without dice, the one with the smallest board."""
    able = [game for game in registry.games().values() if game.judged and not isinstance(game, Chance)]
    able = [game for game in able if dialect in registry.dialects_for(game)]
    return min(able, key=lambda game: game.variants[0].width).name


def fails(dialect: str, fault: Callable[[tuple[Event, ...]], tuple[Event, ...]], data: Path) -> str:
    """What the cell says where the dialect has this fault."""
    game = played_by(dialect)
    with changed(partial(plant, dialect, fault)), serving(game, data) as ports:
        cell = Cell(Pair(game, PARTNER, dialect), ports, PATIENCE_S)
        with pytest.raises(AssertionError) as caught:
            cell.offers()
    return str(caught.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_offer_that_is_not_told_after_a_return_is_found(dialect: str, tmp_path: Path) -> None:
    if not client(dialect).answers:
        assert {"hear draw", "hear takeback"} <= set(client(dialect).lacks), "it says why it hears of no offer"
        return
    assert re.search("the (takeback|draw) is heard", fails(dialect, without_offers, tmp_path))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_board_that_is_one_move_behind_is_found(dialect: str, tmp_path: Path) -> None:
    assert re.search(BOARD, fails(dialect, one_behind, tmp_path))
