"""Names the JSON that the API answers with about ratings: of players, of pools, of games that were played for them."""

from __future__ import annotations

from typing import TypedDict


class RatingShown(TypedDict):
    """A rating as it is now, its deviation (`rd`) grown since the last game. `name` is the account's, "" of an engine
    of the house; `engine` what plays for it, "" of people. `ranked`: it has a place in the pool's list."""

    pool: str
    name: str
    engine: str
    rating: float
    rd: float
    provisional: bool
    ranked: bool
    games: int
    last_at: str


class PlayerRatings(TypedDict):
    """The ratings of an account and of its programs, by pool."""

    name: str
    ratings: list[RatingShown]


class OtherShown(TypedDict):
    """Another player of a rated game, with the rating before it."""

    name: str
    rating: float
    rd: float


class StepShown(TypedDict):
    """A game that was played for a rating. `why` it does not count, "" if it does, for the part `weight` of a game.

    `table` is null, and `others` are none, where the game was private, or its table is there no more.
    """

    ordinal: int
    table: int | None
    number: int | None
    at: str
    rating_before: float
    rd_before: float
    rating: float
    rd: float
    weight: float
    why: str
    others: list[OtherShown]


class Steps(TypedDict):
    """Games of a rating, the newest first; ``next`` is for ``before`` of the request that goes on, null at the end."""

    steps: list[StepShown]
    next: int | None


class OpponentShown(TypedDict):
    """Games against one opponent, a person or an engine."""

    name: str
    engine: str
    won: int
    lost: int
    drawn: int


class BestWin(TypedDict):
    """The win of a pool over the strongest opponent, whose rating before was not provisional."""

    pool: str
    name: str
    engine: str
    rating: float
    table: int
    at: str


class PlayerRecord(TypedDict):
    """The record of the newest ``games`` of an account; ``whole``: there are no older ones. The most frequent
    opponents come first; ``weeks`` counts the games of each of the last 26 weeks, the oldest first."""

    name: str
    games: int
    whole: bool
    opponents: list[OpponentShown]
    best_wins: list[BestWin]
    weeks: list[int]


class PoolShown(TypedDict):
    """A pool: a game and rule set whose players are compared, so many of them, and when their last game ended."""

    pool: str
    title: str
    players: int
    last_at: str


class RankedPlayer(RatingShown):
    """A player of a pool's list; ``place`` null in the list of those who have none."""

    place: int | None


class RatingsShown(TypedDict):
    """All pools; or, where one was asked for, a page of its players, the best first. ``next`` is for ``after`` of the
    request that goes on, null at the end."""

    pools: list[PoolShown]
    players: list[RankedPlayer]
    next: str | None


class RatingBar(TypedDict):
    """So many players with ratings from ``low`` on, below ``low`` + 50: those with a place, and the others."""

    low: int
    ranked: int
    others: int


class Distribution(TypedDict):
    """The players of a pool by rating, from the lowest on; bars without players are left out."""

    pool: str
    bars: list[RatingBar]
