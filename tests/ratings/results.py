"""Results to rate, as the record has them: made by hand, or drawn by chance."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from gateway.store.records import Player, Result

DAY_S = 86_400.0


def sat(account: str = "", engine: str = "") -> Player:
    """An account, an account's program, or, without an account, an engine of the house; a guest has neither."""
    return Player(account or engine or "somebody", account, engine)


def game(at: float = 0.0, **changed: Any) -> Result:
    """A quiet game of chess that ann won of bob, at table 1."""
    lasted_s = changed.pop("lasted_s", 600.0)
    return replace(QUIET, at=at, started_at=at - lasted_s, **changed)


QUIET: Final = Result(
    table=1,
    number=1,
    seq=9,
    at=0.0,
    digest=bytes(32),
    started_at=-600.0,
    game="chess",
    variant="normal",
    width=8,
    rated=True,
    reason="rules",
    players=(sat("ann"), sat("bob")),
    places=(1, 2),
    plies=60,
    fewest=30,
    opening=b"",
)


def drawn(seed: int, games: int, players: int = 6) -> list[Result]:
    """Games of few people, engines and a guest by chance, so that everything that counts and does not comes up.

    Their times run back and forth by up to an hour.
    """
    chance = Random(seed)
    names = [sat(f"player{number}") for number in range(players)]
    names += [sat("", "expectimax 1 level 1"), sat("", "expectimax 1 level 2"), sat("player0", "gnugo 3.8"), sat()]
    weights = [10] * players + [10, 10, 5, 1]
    found, at = [], 1_000_000.0
    for _ in range(games):
        at += chance.expovariate(1 / 3000.0)
        seats = chance.choice((2, 2, 2, 2, 3, 4))
        sitting = tuple(chance.choices(names, weights, k=seats))
        result = game(
            at=at + chance.uniform(-3600.0, 3600.0),
            players=sitting,
            places=chance.choice(((1, 2), (2, 1), (1, 1))),
            plies=chance.randrange(4, 70),
            lasted_s=chance.uniform(10.0, 130.0),
            opening=chance.choice((b"", b"e4 e5", b"d4 d5", b"c4 e5")),
            why=_fault(sitting) or chance.choice(("", "", "", "", "void")),
            related=chance.random() < 0.4,
            annulled_at=1.0 if chance.random() < 0.03 else None,
            rated=chance.random() < 0.95,
        )
        if seats > 2:
            places = tuple(chance.choice((1, 2, 3)) for _ in range(seats))
            result = replace(result, game="ludo", variant="german", places=places)
        found.append(result)
    return found


def _fault(players: tuple[Player, ...]) -> str:
    """The reason that the record gives where a guest plays, or one player twice."""
    if sat() in players:
        return "no account"
    persons = [player.account or player.engine for player in players]
    return "one account" if len({*persons}) < len(persons) else ""
