"""Counters of the server since its start, as plain numbers, counted where things happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from gateway import registry
from gateway.tally import Histogram
from protocols.core.errors import Why
from protocols.core.events import Event, GameEnded, MoveMade

NO_PLACE: Final = "no place"
NO_TLS: Final = "no tls"
NO_HEADER: Final = "no proxy header"
"""Why a connection was refused before its first byte."""

PROTOCOL: Final = "protocol broken"
NO_SEAT: Final = "took no seat in time"
IDLE: Final = "idle"
DEAF: Final = "does not read"
SILENT: Final = "does not answer"
BANNED: Final = "banned"
"""Why the server closed a connection."""

STAGES: Final = ("decided", "handed_over", "committed", "evolved", "told")
"""A move's stages in their order, each from the end of the one before; the first begins when the move is heard."""


class Metrics:
    """Counters by what their names say; ``moves`` and ``ended`` by game, ``rejects`` by cause.

    All counters are there from the start, as 0: Prometheus does not see the first of something that was not
    there before.
    """

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter({NO_PLACE: 0, NO_TLS: 0, NO_HEADER: 0})
        self.closed: Counter[str] = Counter({PROTOCOL: 0, NO_SEAT: 0, IDLE: 0, DEAF: 0, SILENT: 0, BANNED: 0})
        self.moves: Counter[str] = Counter(dict.fromkeys(registry.games(), 0))
        self.ended: Counter[str] = Counter(dict.fromkeys(registry.games(), 0))
        self.rejects: Counter[str] = Counter(dict.fromkeys(Why, 0))
        self.move_s: dict[str, Histogram] = {}
        """By dialect: from hearing a player's move until all clients at the table were told."""
        self.stage_s = {stage: Histogram() for stage in STAGES}
        """How long each stage of these moves took, where they were decided: by gateway.tables.move_times."""
        self.late_s = Histogram()
        """The delay of the server's half-second sweep: every player waits so long on top of the rest."""

    def expects(self, dialect: str) -> None:
        """Players may come by this dialect."""
        self.entered[dialect] += 0
        self.timing(dialect)

    def timing(self, dialect: str) -> Histogram:
        """Times of moves that come by this dialect."""
        return self.move_s.setdefault(dialect, Histogram())

    def stored(self, game: str, events: Iterable[Event]) -> None:
        """Count what has happened at a table of ``game``."""
        for event in events:
            if type(event) is MoveMade:
                self.moves[game] += 1
            elif type(event) is GameEnded:
                self.ended[game] += 1
