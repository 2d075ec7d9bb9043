"""The fold of results, in the order of their ordinals: a result in, a step for each of its seats out.

Which results count is decided before (``Judged.why``), but for what needs the history of these players: that is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gateway.ratings.glicko2 import DAY_S, RD_LEAST, START, Against, Rating, after_game, aged, expected, seconds_until
from gateway.ratings.placing import after_table
from gateway.ratings.pools import Judged, Player, is_of_tables, players_of, pool_of, seats_of

ALGORITHM: Final = 1
"""Counts the changes of formulas, numbers and rules: ratings of another one are made anew."""

PROVISIONAL_RD: Final = 110.0
"""The deviation from which on a rating is provisional (``1523?``)."""

TABLES_PROVISIONAL_RD: Final = 400.0
"""The same at tables of three and more, some twelve games."""

RANKED_RD: Final = 75.0
"""The deviation up to which a rating has a place in a list."""

TABLES_RANKED_RD: Final = 300.0
"""The same at tables of three and more, some thirty-five games."""

FOREVER: Final = 1e12
"""A time that no clock will show, in Unix time."""

LINES: Final = 2
"""Games back in which a pair's line is looked for again."""

REMEMBERED: Final = 50
"""Games of a company that are looked back at: the weight of a game is at least 1/51."""

QUICK_PLIES: Final = 40
QUICK_S: Final = 90.0
"""A newcomer's win over a related player does not count below both."""

SURE: Final = 0.9
SHORT_PLIES: Final = 20
"""A loss of fewer plies, with this expected score, is shown to the host."""

ANNULLED, REPEATED, NEWCOMER = "annulled", "repeated", "newcomer"
BY_PAST: Final = (REPEATED, NEWCOMER)
"""Reasons that are games all the same: the next one is compared with them."""

REASONS: Final[Mapping[str, str]] = {
    ANNULLED: "the host has annulled it",
    REPEATED: "the same player won by the same first moves a short while ago",
    NEWCOMER: "a quick win of a new player over somebody at the same address",
}
"""The codes of this file, in words for people."""

RELATED, UPSET = "related", "upset"
FLAGS: Final[Mapping[str, str]] = {
    RELATED: "the players share an address or tickets",
    UPSET: "a short game, lost by a player who wins nine of ten",
}
"""Remarks for the host: nobody is punished for them."""

Company = tuple[Player, ...]
"""The players of a game, sorted: a pair, or a table."""

Pins = Mapping[tuple[str, str], float]
"""The fixed ratings of the house's engines, by pool and engine."""


class Standing(NamedTuple):
    """A player's rating in a pool as of its last game, at ``at`` in Unix time, the latest it has played at."""

    rating: float
    rd: float
    sigma: float
    at: float
    games: int


class Past(NamedTuple):
    """An earlier game of a company. ``winner``: None where nobody won alone. ``opening`` stands for its first plies."""

    at: float
    opening: bytes
    winner: Player | None
    counted: bool


class Step(NamedTuple):
    """The change that a result makes to one of its players: none where ``why`` says why it does not count.

    ``at`` is the time up to which ``before`` is aged.
    """

    ordinal: int
    seat: int
    pool: str
    player: Player
    company: Company
    at: float
    before: Rating
    after: Rating
    weight: float
    why: str
    flags: str


class Stake(NamedTuple):
    """The rating that a player has before a game of two, and those after it: won, drawn, lost.

    At a table of three and more it depends on who else wins: ``after`` is () there.
    """

    seat: int
    pool: str
    before: Rating
    after: tuple[Rating, ...]


class Book:
    """Standings, and the past that counts with them. Both may hold only what the next results touch."""

    def __init__(self, pins: Pins) -> None:
        self.standings: dict[tuple[str, Player], Standing] = {}
        self.past: dict[tuple[str, Company], tuple[Past, ...]] = {}
        self._pins = pins

    def enter(self, ordinal: int, result: Judged) -> list[Step]:
        """Take the next result. Without effect, and without a step, where it was not played for a rating."""
        seats, players = seats_of(result), players_of(result)
        if not result.rated or len(players) < 2:
            return []
        places = [result.places[seat] for seat in seats] if result.places else []
        pool, company = pool_of(result, players), tuple(sorted(players))
        held = [self.standings.get((pool, player), NEW) for player in players]
        times = [max(result.at, standing.at) for standing in held]
        before = self._before(pool, players, held, times)
        past = self.past.get((pool, company), ())
        first = places.index(1) if places.count(1) == 1 else None
        why = ANNULLED if result.annulled_at is not None else result.why
        why = why or _why_by_past(result, past, players, first, pool, before)
        weight, after = 0.0, before
        if not why:
            weight = _weight(past, result.at)
            after = self._changed(pool, players, before, places, weight)
            for player, was, at, (rating, rd, sigma) in zip(players, held, times, after, strict=True):
                self.standings[pool, player] = Standing(rating, rd, sigma, at, was.games + 1)
        if not why or why in BY_PAST:
            self.past[pool, company] = (*past[-REMEMBERED + 1 :], past_of(result, counted=not why))
        flags = _flags(result, places, before)
        return [
            Step(ordinal, seat, pool, player, company, at, was, now, weight, why, flags)
            for seat, player, at, was, now in zip(seats, players, times, before, after, strict=True)
        ]

    def stakes(self, result: Judged) -> list[Stake]:
        """The changes that a game which is still to be played may make, if it counts; as of ``result.at``."""
        seats, players = seats_of(result), players_of(result)
        if len(players) < 2:
            return []
        pool, company = pool_of(result, players), tuple(sorted(players))
        held = [self.standings.get((pool, player), NEW) for player in players]
        before = self._before(pool, players, held, [result.at] * len(players))
        weight = _weight(self.past.get((pool, company), ()), result.at)
        ends = [self._changed(pool, players, before, places, weight) for places in _ENDS if len(players) == 2]
        after = [tuple(end[at] for end in ends) for at in range(len(players))]
        if ends:
            after[1] = after[1][::-1]  # the first one's win is the second one's loss
        return [Stake(seat, pool, was, then) for seat, was, then in zip(seats, before, after, strict=True)]

    def _before(
        self, pool: str, players: Sequence[Player], held: Sequence[Standing], times: Sequence[float]
    ) -> list[Rating]:
        """The ratings before a game, each aged to its time; those of pinned engines are fixed."""
        before = [
            shown(pool, Rating(rating, rd, sigma), at - last) if games else START
            for (rating, rd, sigma, last, games), at in zip(held, times, strict=True)
        ]
        for seat, player in enumerate(players if self._pins else ()):
            if not player.account and (pin := self._pins.get((pool, player.engine))) is not None:
                before[seat] = Rating(pin, RD_LEAST, START.sigma)
        return before

    def _changed(
        self, pool: str, players: Sequence[Player], before: Sequence[Rating], places: Sequence[int], weight: float
    ) -> list[Rating]:
        if is_of_tables(pool):
            after = after_table(before, places, weight)
        else:
            one, other = before
            score = 0.5 if places[0] == places[1] else 1.0 if places[0] < places[1] else 0.0
            after = [
                after_game(one, Against(other.rating, other.rd, score, weight)),
                after_game(other, Against(one.rating, one.rd, 1.0 - score, weight)),
            ]
        if not self._pins:
            return after
        fixed = [not player.account and (pool, player.engine) in self._pins for player in players]
        return [was if stays else now for was, now, stays in zip(before, after, fixed, strict=True)]


NEW: Final = Standing(*START, 0.0, 0)

_ENDS: Final = ((1, 2), (1, 1), (2, 1))
"""The places of a game of two that its first player wins, draws and loses."""


def _weight(past: Iterable[Past], at: float) -> float:
    """The weight of the next game of the same players: the nth in 24 hours counts for its nth part."""
    return 1.0 / (sum(1 for game in past if game.counted and game.at > at - DAY_S) + 1)


def shown(pool: str, rating: Rating, seconds: float) -> Rating:
    """A rating after so many seconds without a game; at tables of three and more time changes nothing."""
    return rating if is_of_tables(pool) else aged(rating, seconds)


def is_provisional(pool: str, rd: float) -> bool:
    """True if a rating of this deviation, aged to now, is not sure enough to be compared."""
    return rd >= (TABLES_PROVISIONAL_RD if is_of_tables(pool) else PROVISIONAL_RD)


def is_ranked(pool: str, rd: float) -> bool:
    """True if a rating of this deviation, aged to now, has a place in a list."""
    return rd <= (TABLES_RANKED_RD if is_of_tables(pool) else RANKED_RD)


def ranked_until(pool: str, standing: Standing) -> float:
    """The time until which a player who does not play again has a place in a list, in Unix time; 0.0: it has none."""
    if not is_ranked(pool, standing.rd):
        return 0.0
    if is_of_tables(pool):
        return FOREVER
    return standing.at + seconds_until(Rating(standing.rating, standing.rd, standing.sigma), RANKED_RD)


def past_of(result: Judged, *, counted: bool) -> Past:
    """A result as later ones of the same players look back at it."""
    places = list(result.places)
    winner = result.players[places.index(1)] if places.count(1) == 1 else None
    return Past(result.at, result.opening, None if winner is None else Player(winner.account, winner.engine), counted)


def _why_by_past(
    result: Judged,
    past: Sequence[Past],
    players: Sequence[Player],
    first: int | None,
    pool: str,
    before: Sequence[Rating],
) -> str:
    """Why a result does not count after what has been before. ``first``: the place in ``players`` of who won alone."""
    if first is None:
        return ""
    lately = past[-LINES:]
    if result.opening and any(game.winner == players[first] and game.opening == result.opening for game in lately):
        return REPEATED
    quick = result.plies < QUICK_PLIES and result.at - result.started_at < QUICK_S
    return NEWCOMER if result.related and quick and is_provisional(pool, before[first].rd) else ""


def _flags(result: Judged, places: Sequence[int], before: Sequence[Rating]) -> str:
    flags = [RELATED] if result.related else []
    if len(places) == 2 and places[0] != places[1] and result.plies < SHORT_PLIES:
        winner = 0 if places[0] < places[1] else 1
        if expected(before[1 - winner], before[winner]) >= SURE:
            flags.append(UPSET)
    return " ".join(flags)
