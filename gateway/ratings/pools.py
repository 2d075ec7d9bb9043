"""The pool of a result, and its players: who plays whom at which game decides which ratings it moves.

A pool's name is ``game/rule set``, of a game that is played on boards of several sizes ``game/width``. ``/tables``
stands behind it for three and more players, ``/mixed`` for people with engines, ``/engines`` for engines alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

BY_BOARD: Final = frozenset({"go"})
"""Games whose pools are their boards: their rule sets hardly differ in what wins."""

PERSONS, MIXED, ENGINES = "", "/mixed", "/engines"
TABLES: Final = "/tables"


class Player(NamedTuple):
    """A player in a pool: an account's person, its program (both set), or an engine of the house (no account).

    ``account`` is folded, ``engine`` is name, version and level. A guest has neither.
    """

    account: str
    engine: str

    @property
    def shown(self) -> str:
        """The player in one word or a few: "alice", "alice with gnugo 3.8", "expectimax 1 level 2"."""
        return " with ".join(part for part in self if part)


class Sat(Protocol):
    """A player of a result, "" where nobody sat. Only the house's engines have a name without an account."""

    @property
    def name(self) -> str: ...
    @property
    def account(self) -> str: ...
    @property
    def engine(self) -> str: ...


class Played(Protocol):
    """A game, as far as its pool depends on it: of a result, or of settings."""

    @property
    def game(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def width(self) -> int: ...


class Judged(Played, Protocol):
    """A result, as far as ratings read it (gateway/store/results.py)."""

    @property
    def at(self) -> float: ...
    @property
    def started_at(self) -> float: ...
    @property
    def rated(self) -> bool: ...
    @property
    def players(self) -> Sequence[Sat]: ...
    @property
    def places(self) -> Sequence[int]: ...
    @property
    def plies(self) -> int: ...
    @property
    def opening(self) -> bytes: ...
    @property
    def why(self) -> str: ...
    @property
    def related(self) -> bool: ...
    @property
    def annulled_at(self) -> float | None: ...


def seats_of(result: Judged) -> list[int]:
    """The seats that somebody had when the game began."""
    return [seat for seat, sat in enumerate(result.players) if sat.name]


def players_of(result: Judged) -> list[Player]:
    """The players at these seats."""
    return [Player(sat.account, sat.engine) for sat in result.players if sat.name]


def pool_of_two(played: Played) -> str:
    """The name of the pool of two people who play this game."""
    return f"{played.game}/{played.width if played.game in BY_BOARD else played.variant}"


def pool_of(played: Played, players: Sequence[Player]) -> str:
    """The name of the pool that a game of these players belongs to."""
    engines = sum(1 for player in players if player.engine)
    who = PERSONS if not engines else ENGINES if engines == len(players) else MIXED
    return f"{pool_of_two(played)}{TABLES if len(players) > 2 else ''}{who}"


def is_of_tables(pool: str) -> bool:
    """True of a pool of three and more players."""
    return TABLES in pool
