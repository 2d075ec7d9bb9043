"""What the server has done since its start, as plain numbers, counted where it happens.

Not here: what can be looked at when somebody asks (tables, connections, what waits), and showing any of it
(gateway/web/metrics.py).
"""

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
"""Why somebody was turned away before the first word."""

PROTOCOL: Final = "protocol broken"
NO_SEAT: Final = "took no seat in time"
IDLE: Final = "idle"
DEAF: Final = "does not read"
BANNED: Final = "banned"
"""Why the server closed a connection."""


class Metrics:
    """Counters by what their names say; ``moves`` and ``ended`` by game, ``rejects`` by cause.

    Whatever can be counted is there from the start, as 0: Prometheus does not see the first of something that was not
    there before.
    """

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter({NO_PLACE: 0, NO_TLS: 0})
        self.closed: Counter[str] = Counter({PROTOCOL: 0, NO_SEAT: 0, IDLE: 0, DEAF: 0, BANNED: 0})
        self.moves: Counter[str] = Counter(dict.fromkeys(registry.games(), 0))
        self.ended: Counter[str] = Counter(dict.fromkeys(registry.games(), 0))
        self.rejects: Counter[str] = Counter(dict.fromkeys(Why, 0))
        self.move_s: dict[str, Histogram] = {}
        """By dialect: from hearing a player's move until everybody at the table was told."""
        self.late_s = Histogram()
        """How late the server came to what it does twice a second: what every player waits on top of the rest."""

    def expects(self, dialect: str) -> None:
        """Players may come by this dialect."""
        self.entered[dialect] += 0
        self.timing(dialect)

    def timing(self, dialect: str) -> Histogram:
        """Of moves that come by this dialect."""
        return self.move_s.setdefault(dialect, Histogram())

    def stored(self, game: str, events: Iterable[Event]) -> None:
        """These have happened at a table of ``game``."""
        for event in events:
            if type(event) is MoveMade:
                self.moves[game] += 1
            elif type(event) is GameEnded:
                self.ended[game] += 1
