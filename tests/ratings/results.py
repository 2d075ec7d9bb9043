"""Results to rate, as the record has them: made by hand, or drawn by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

DAY_S = 86_400.0


@dataclass(frozen=True)
class Sat:
    """A player of a result: an account, an account's program, or, without an account, a house engine."""

    account: str = ""
    engine: str = ""
    name: str = "somebody"


@dataclass(frozen=True)
class Result:
    """What gateway.ratings.pools.Judged asks for: a quiet game of chess between two accounts."""

    at: float = 0.0
    players: Sequence[Sat] = (Sat("ann"), Sat("bob"))
    places: Sequence[int] = (1, 2)
    game: str = "chess"
    variant: str = "standard"
    width: int = 8
    rated: bool = True
    plies: int = 60
    lasted_s: float = 600.0
    opening: bytes = b""
    why: str = ""
    related: bool = False
    annulled_at: float | None = None

    @property
    def started_at(self) -> float:
        return self.at - self.lasted_s


def drawn(seed: int, games: int, players: int = 6) -> list[Result]:
    """Games of few people, engines and a guest by chance, so that everything that counts and does not comes up.

    Their times run back and forth by up to an hour.
    """
    chance = Random(seed)
    names = [Sat(f"player{number}") for number in range(players)]
    names += [Sat("", "expectimax 1 level 1"), Sat("", "expectimax 1 level 2"), Sat("player0", "gnugo 3.8"), Sat()]
    weights = [10] * players + [10, 10, 5, 1]
    found, at = [], 1_000_000.0
    for _ in range(games):
        at += chance.expovariate(1 / 3000.0)
        seats = chance.choice((2, 2, 2, 2, 3, 4))
        result = Result(
            at=at + chance.uniform(-3600.0, 3600.0),
            players=tuple(chance.choices(names, weights, k=seats)),
            places=chance.choice(((1, 2), (2, 1), (1, 1))),
            plies=chance.randrange(4, 70),
            lasted_s=chance.uniform(10.0, 130.0),
            opening=chance.choice((b"", b"e4 e5", b"d4 d5", b"c4 e5")),
            why=chance.choice(("", "", "", "", "void")),
            related=chance.random() < 0.4,
            annulled_at=1.0 if chance.random() < 0.03 else None,
            rated=chance.random() < 0.95,
        )
        if seats > 2:
            places = tuple(chance.choice((1, 2, 3)) for _ in range(seats))
            result = replace(result, game="ludo", variant="german", places=places)
        found.append(result)
    return found
