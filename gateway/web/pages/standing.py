"""Shows what a player has reached: a card with a curve for each rating, the score against each opponent, the games of
each week; and the games of one rating, ``/people/NAME?pool=POOL``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gateway.ratings.book import REASONS
from gateway.record.ended import NOT_COUNTED
from gateway.record.opponents import WEEKS, Opponent, Win
from gateway.store.accounts import Account
from gateway.store.rating_views import Change, Rated
from gateway.web.pages.charts import Column, Point, bars, curve
from gateway.web.pages.frame import Frame, day, query
from gateway.web.pools import pool_title
from gateway.web.ratings import CURVE, Ratings

CURVES: Final = 8
"""Curves of one page, of the ratings played for last; a rating's own page has it, too."""

OPPONENTS: Final = 20
"""Opponents that are shown at once; the others follow in a part that is opened."""

WHYS: Final = {**NOT_COUNTED, **REASONS}


@dataclass(frozen=True, slots=True)
class Card:
    """A rating with its curve, "" where there is too little for one, and the player's best win in this pool."""

    rated: Rated
    title: str
    address: str
    picture: Markup | str
    best: Win | None


@dataclass(frozen=True, slots=True)
class Standing:
    """``recorded`` games are counted in ``opponents`` and ``weeks``; ``whole``: there are no older ones."""

    cards: list[Card]
    opponents: list[Opponent]
    further: list[Opponent]
    weeks: Markup | str
    recorded: int
    whole: bool


class StandingShown:
    """Reads ``ratings``; every method blocks."""

    def __init__(self, frame: Frame, ratings: Ratings) -> None:
        self._frame = frame
        self._ratings = ratings

    def of(self, name: str, *, own: bool) -> Standing:
        """All that the account of this name has reached; ``own``: it looks at itself."""
        recorded = self._ratings.record(name, own=own)
        found = sorted(self._ratings.of(name), key=lambda rated: -rated.at)
        cards = [
            Card(
                rated,
                _title(rated),
                address(name, rated.pool, rated.player.engine),
                self._curve(rated) if at < CURVES else "",
                None if rated.player.engine else recorded.record.best.get(rated.pool),
            )
            for at, rated in enumerate(found)
        ]
        opponents, weeks = recorded.record.opponents, recorded.record.weeks
        picture = _weeks(weeks) if any(weeks) else ""
        return Standing(cards, opponents[:OPPONENTS], opponents[OPPONENTS:], picture, recorded.games, recorded.whole)

    def games(self, request: Request, account: Account | None, before: int | None, *, own: bool) -> Response | None:
        """The page of the games of one rating, those ``before`` this ordinal; None: the account has no such rating."""
        pool, engine = (request.query_params.get(name, "") for name in ("pool", "engine"))
        rated = [] if account is None else self._ratings.of(account.name)
        shown = next((each for each in rated if (each.pool, each.player.engine) == (pool, engine)), None)
        if account is None or shown is None:
            return None
        steps, further = self._ratings.steps(pool, shown.player, before, own=own)
        return self._frame.page(
            request,
            "rating.html",
            player=account.name,
            home=f"/people/{quote(account.name, safe='')}",
            rated=shown,
            title=_title(shown),
            picture=self._curve(shown) if before is None else "",
            steps=steps,
            first=before is None,
            more="" if further is None else address(account.name, pool, engine, further),
            whys=WHYS,
        )

    def _curve(self, rated: Rated) -> Markup | str:
        """The rating over time; "" of a single game."""
        changes = self._ratings.curve(rated)
        return _drawn(rated, changes) if len(changes) > 1 else ""


def address(name: str, pool: str, engine: str = "", before: int | None = None) -> str:
    """The page of the games of one rating."""
    asked = {"pool": pool, "engine": engine or None, "before": before}
    return f"/people/{quote(name, safe='')}?{query(asked)}"


def _title(rated: Rated) -> str:
    return pool_title(rated.pool) + (f", {rated.player.engine}" if rated.player.engine else "")


def _drawn(rated: Rated, changes: Sequence[Change]) -> Markup:
    first = changes[0]
    points = [Point(first.at, first.before.rating, first.before.rd)]
    points += [Point(change.at, change.after.rating, change.after.rd) for change in changes]
    low, high = (sorted(points, key=lambda point: point.rating)[at] for at in (0, -1))
    since = "" if len(changes) < CURVE else f", the newest {CURVE:,} games"
    text = (
        f"Rating in {_title(rated)}{since}: {points[0].rating:.0f} on {day(points[0].at)}, lowest {low.rating:.0f} on "
        f"{day(low.at)}, highest {high.rating:.0f} on {day(high.at)}, {points[-1].rating:.0f} on {day(points[-1].at)}."
    )
    return curve(points, text)


def _weeks(weeks: Sequence[int]) -> Markup:
    words = {0: f"{WEEKS} weeks ago", WEEKS - 1: "now"}
    columns = [Column(games, 0, words.get(at, "")) for at, games in enumerate(weeks)]
    text = (
        f"{sum(weeks)} games in {WEEKS} weeks, at most {max(weeks)} in one of them, {weeks[-1]} in the last seven days."
    )
    return bars(columns, text)
