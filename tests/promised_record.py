"""Writes a database as a release leaves it, with a game of each kind: later releases must read and prove it.

``python -m tests.promised`` writes it beside the list of promises. It is SQL text, as sqlite3's shell has it; moves are
drawn from a seed, and secrets are fixed, so a game that is not changed gives the same text.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gateway import registry
from gateway.table import state as states
from gateway.table.decide import decide
from protocols.core.commands import Command, PlayMove, Resign
from protocols.core.model import HouseRules
from tests.cli.playing import JOINS, SECRET, record, store
from tests.running import RECORD

MOVES: Final = 24
"""Moves of a game at most; then who is to move resigns."""


def dumped() -> str:
    """The statements that make the database."""
    with TemporaryDirectory() as folder:
        url = record(Path(folder))
        for table, game in enumerate(registry.games(), 1):
            store(url, game, _asked(game, table), table)
        with closing(sqlite3.connect(Path(folder) / RECORD)) as database:
            return "\n".join(database.iterdump()) + "\n"


def made_from(text: str, folder: Path) -> str:
    """The URL of the database, made where ``--data`` looks for it."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / RECORD)) as database:
        database.executescript(text)
    return f"sqlite:///{folder / RECORD}"


def _asked(game: str, seed: int) -> list[tuple[int | None, Command]]:
    """Two players sit down, move, and one resigns if the game goes on."""
    rules, chance = registry.game(game), random.Random(seed)
    state = states.opened(seed, rules, rules.settings(), HouseRules(), SECRET)
    asked: list[tuple[int | None, Command]] = []

    def does(seat: int | None, command: Command) -> None:
        nonlocal state
        asked.append((seat, command))
        state = decide(state, seat, command, now=1.0).state

    for seat, command in JOINS:
        does(seat, command)
    while state.turn is not None and len(asked) < MOVES + len(JOINS):
        legal = rules.legal_moves(state.position)
        does(state.turn, PlayMove(chance.choice(legal)) if legal else Resign())
    if state.turn is not None:
        does(state.turn, Resign())
    return asked
