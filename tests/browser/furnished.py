"""Fills a server with tables in every state, played by clients of Bogaprot: what the pages have to show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.conformance.brains import settings
from tests.conformance.host import Host
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import LONGEST_GAME, Table
from tests.running import RunningServer

LISTENERS: Final = ("http", "bogaprot")
HTTP, BOGAPROT = range(2)

IN_PLAY: Final = {
    "arimaa": 60,
    "checkers": 15,
    "chess": 81,
    "connect_four": 7,
    "go": 70,
    "hnefatafl": 12,
    "ludo": 60,
    "reversi": 21,
    "tic_tac_toe": 3,
}
"""Moves made at the tables that are in play: mostly a few, at chess a list that does not fit on a screen."""

NAMES: Final = ("Anna", "Maximilian-Alexander-von-Hohen", "Li", "Ngozi")
"""Of the players, by their seats; one is as long as a name may be."""


@dataclass(slots=True)
class Furnished:
    """``tables`` are the tables' ids by what they show: a game in play by its name, "over", "waiting"."""

    tables: dict[str, int] = field(default_factory=dict)
    players: list[SpecPlayer] = field(default_factory=list)


@contextmanager
def furnished(running: RunningServer) -> Iterator[Furnished]:
    """Of a server with LISTENERS. The players stay connected until the block ends."""
    found = Furnished()
    try:
        for game, moves in IN_PLAY.items():
            found.tables[game] = _played(running, found, game, NAMES[: 4 if game == "ludo" else 2], moves)
        found.tables["over"] = _played(running, found, "checkers", NAMES[2:], LONGEST_GAME)
        found.tables["waiting"], _ = Host(running.ports[HTTP]).registers("reversi", NAMES[0], "open")
        yield found
    finally:
        for player in found.players:
            player.close()


def _played(running: RunningServer, found: Furnished, game: str, names: Sequence[str], moves: int) -> int:
    """A table of this game after so many moves, or at its end; its id."""
    seats = len(names)
    played = settings(game, seats=seats)
    table, tickets = Host(running.ports[HTTP]).registers(game, *names)
    players = [
        SpecPlayer(running.ports[BOGAPROT], played, f"{game}?seats={seats}#{ticket}", seed)
        for seed, ticket in enumerate(tickets, 1)
    ]
    found.players += players
    Table(*players).play(moves)
    return table
