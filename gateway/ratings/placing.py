"""Tables of three and more: Plackett-Luce by openskill, on the scale of the other ratings.

Its own numbers are a mean of 25 and a deviation of 25/3 for a newcomer. A point there is 60 here, so that a newcomer
has 1500 and 500 as everywhere; the formula does not depend on the scale. Deviations do not age: each game
adds a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from gateway.ratings.glicko2 import START, Rating

POINT: Final = 60.0
"""Points here that are 1 in openskill's scale."""

MODEL: Final = PlackettLuce(mu=START.rating, sigma=START.rd, beta=25.0 / 6.0 * POINT, tau=25.0 / 300.0 * POINT)


def after_table(seats: Sequence[Rating], places: Sequence[int], weight: float = 1.0) -> list[Rating]:
    """The ratings after a game of all these, by seat. ``places``: 1 is the best, those who tie share the better one.

    Of a game of a lower ``weight`` each takes that part of the change.
    """
    teams = [[MODEL.rating(mu=seat.rating, sigma=seat.rd)] for seat in seats]
    found = MODEL.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(
            seat.rating + weight * (team[0].mu - seat.rating),
            min(seat.rd + weight * (team[0].sigma - seat.rd), START.rd),
            seat.sigma,
        )
        for seat, team in zip(seats, found, strict=True)
    ]
