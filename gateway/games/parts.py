"""The parts that some games have beside the ten calls of ``Game``: chance, placement, scoring.

A game that has a part names it as a base class (``class Ludo(Game[Position], Chance[Position])``) and writes its
methods. A table rolls, and waits for an agreement, by these methods alone: another game that has a part needs no change
elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from protocols.core.commands import Command, Propose
from protocols.core.model import Move, Outcome
from protocols.core.proposals import Score

Position = TypeVar("Position")


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll that is due: for which seat, and how many equally likely sides, numbered from 1."""

    seat: int
    sides: int


class Chance(ABC, Generic[Position]):
    """A game in which dice decide: ``to_move`` is CHANCE whenever a roll is due."""

    @abstractmethod
    def chance(self, position: Position) -> Roll:
        """The roll that is due. ValueError when none is."""

    @abstractmethod
    def rolled(self, position: Position, value: int) -> Position:
        """The position after the due roll showed ``value``. ValueError when no roll is due or there is no such side."""


class Placement(ABC, Generic[Position]):
    """A game that begins with its players' placements, mostly in a usual way."""

    @abstractmethod
    def usual_setup(self, position: Position) -> list[Move]:
        """Placements that complete the set-up of the seat to move in a usual way; empty at any other time."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The table as a game sees it while its players settle a score.

    ``claims`` are those that stand, by seat, oldest first; ``stops`` counts how often play of this game has stopped.
    ``seats`` are those whose agreement counts, ``bots`` the house bots among them.
    """

    claims: tuple[tuple[int, Score], ...]
    stops: int
    seats: tuple[int, ...]
    bots: tuple[int, ...]
    rated: bool

    def of(self, seat: int) -> Score | None:
        """The claim of this seat."""
        return next((claim for who, claim in self.claims if who == seat), None)


@dataclass(frozen=True, slots=True)
class Points:
    """A score by a claim: ``lands`` are by seat the squares that count for it beside its pieces, rising.

    ``text`` is the score in a sentence, ``made_of`` what the points of the seats are made of, "" where they are plain.
    """

    text: str
    made_of: str = ""
    lands: tuple[tuple[int, ...], ...] = ()


class Scoring(ABC, Generic[Position]):
    """A game that may stop before it is over, until its players agree on a claim that scores it.

    While it has stopped ``to_move`` and ``outcome`` are None. A claim is squares, and the game alone knows what they
    say. A claim that every seat has made scores the game; a seat that wants to play on resumes it.
    """

    settles: ClassVar[str]
    """The matter that the players agree on, for refusals: "what is dead"."""

    @abstractmethod
    def settling(self, position: Position) -> bool:
        """True if play has stopped here."""

    @abstractmethod
    def claimed(self, position: Position, squares: Iterable[int]) -> tuple[int, ...]:
        """The claim that a player means who names these squares, sorted. Refused (ILLEGAL): there is none."""

    @abstractmethod
    def scored(self, position: Position, claim: Iterable[int]) -> Outcome:
        """The outcome by this claim. Refused: ILLEGAL for one that ``claimed`` does not return, NOT_NOW elsewhere."""

    def points(self, position: Position, claim: Iterable[int]) -> Points:
        """The score by this claim, for those who look for theirs. Refused as by ``scored``."""
        return Points(self.scored(position, claim).detail)

    @abstractmethod
    def played_on(self, position: Position) -> Position:
        """The position when the players do not agree and play goes on. Refused (NOT_NOW): play has not stopped."""

    def decided(self, settlement: Settlement) -> Score | None:
        """The claim that counts although the seats claim different things; None while they may still agree."""
        return None

    def overruled(self, settlement: Settlement, seat: int) -> Score | None:
        """The claim that counts although ``seat`` would rather play on; None where it may."""
        return None

    def answer(
        self, settlement: Settlement, seat: int, own: tuple[int, ...] | None, *, claimed: bool
    ) -> Command | None:
        """The command of the house bot on ``seat``; None while it has nothing to say.

        ``own`` is the claim that its engine makes, None where it makes none. ``claimed``: it has made a claim since
        play stopped. By default it agrees to the claim of another seat, and house bots alone make the empty one.
        """
        return goes_along(settlement, seat, claimed=claimed)


def goes_along(settlement: Settlement, seat: int, *, claimed: bool, first: bool = False) -> Command | None:
    """The answer of a house bot without a claim of its own; ``first``: it makes the empty one if no player speaks."""
    theirs = next((claim for who, claim in reversed(settlement.claims) if who != seat), None)
    if theirs is not None:
        return None if theirs == settlement.of(seat) else Propose(Score(theirs.squares))
    alone = settlement.bots == settlement.seats
    return Propose(Score()) if not claimed and (alone or first) else None


def chance_of(game: object) -> Chance[Any]:
    """The game as one in which a roll is due. ValueError: it has no dice."""
    if isinstance(game, Chance):
        return game
    raise ValueError(f"{type(game).__name__} has no dice")


def stopped(game: object, position: Any) -> Scoring[Any] | None:
    """The game as one whose players settle this position; None where play goes on or is over."""
    return game if isinstance(game, Scoring) and game.settling(position) else None
