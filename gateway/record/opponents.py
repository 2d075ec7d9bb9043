"""Folds the results of a player into what a profile shows: the score against each opponent, the best win of each pool,
the games of each week.

Pure: rows in, figures out. Games that are void or annulled count for nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from gateway.ratings.book import is_provisional
from gateway.store.rating_views import Change
from gateway.store.records import Player, Result

WEEK_S: Final = 7 * 86_400.0
WEEKS: Final = 26
"""Weeks that a profile shows: half a year."""

Ended = Literal["won", "lost", "drawn"]


@dataclass(slots=True)
class Opponent:
    """Games against a ``player``, as it was called in the newest of them."""

    player: Player
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn


@dataclass(frozen=True, slots=True)
class Win:
    """A win over a player who had this ``rating`` before: the game ``number`` of ``table``, at ``at`` in Unix time."""

    pool: str
    player: Player
    rating: float
    table: int
    number: int
    at: float


@dataclass(slots=True)
class Record:
    """``opponents`` by number of games, the most first; ``best`` wins by pool; games of the last ``weeks``, the oldest
    first."""

    opponents: list[Opponent] = field(default_factory=list)
    best: dict[str, Win] = field(default_factory=dict)
    weeks: list[int] = field(default_factory=lambda: [0] * WEEKS)


def ended(places: Sequence[int], seat: int, other: int) -> Ended:
    """The end of a game for a seat against another one: who stands before the other has won."""
    if places[seat] == places[other]:
        return "drawn"
    return "won" if places[seat] < places[other] else "lost"


def record(name: str, results: Iterable[Result], steps: Mapping[int, Sequence[Change]], now: float) -> Record:
    """The record of an account of this folded name, from its results, the newest first, and their steps by ordinal."""
    found, by_player = Record(), dict[tuple[str, str], Opponent]()
    for result in results:
        seats = [seat for seat, player in enumerate(result.players) if player.account == name]
        if not result.places or result.annulled_at is not None or len(seats) != 1:
            continue
        (seat,) = seats
        if 0 <= (week := int((now - result.at) // WEEK_S)) < WEEKS:
            found.weeks[WEEKS - 1 - week] += 1
        for other, player in enumerate(result.players):
            if other == seat or not player.name:
                continue
            key = (player.account or player.name.casefold(), player.engine)
            against = by_player.setdefault(key, Opponent(player))
            how = ended(result.places, seat, other)
            setattr(against, how, getattr(against, how) + 1)
        _note_win(found.best, result, seat, steps.get(result.ordinal or 0, ()))
    found.opponents = sorted(by_player.values(), key=lambda each: (-each.games, each.player.name.casefold()))
    return found


def _note_win(best: dict[str, Win], result: Result, seat: int, steps: Sequence[Change]) -> None:
    """Keep the win of this seat over the strongest, of those whose rating was sure enough and who stand behind it."""
    for step in steps:
        beaten = step.seat != seat and ended(result.places, seat, step.seat) == "won"
        if not beaten or step.why or is_provisional(step.pool, step.before.rd):
            continue
        known = best.get(step.pool)
        if known is None or step.before.rating > known.rating:
            player = result.players[step.seat]
            best[step.pool] = Win(step.pool, player, step.before.rating, result.table, result.number, result.at)
