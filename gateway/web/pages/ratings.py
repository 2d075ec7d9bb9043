"""Shows the pools of ratings, the players of each by rating, how many there are of each strength, and the formula.

GET /ratings             the pools, and the formula with the numbers of this server
GET /ratings?pool=POOL   the players of one; &list=others&after=CURSOR goes on in the list of those without a place
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.ratings import book, glicko2, placing
from gateway.ratings.pools import is_of_tables
from gateway.store.rating_views import BAR, Bar, Last, Rated
from gateway.web.pages.charts import Column, bars
from gateway.web.pages.frame import Frame, query
from gateway.web.pages.refusing import as_page
from gateway.web.pools import pool_title
from gateway.web.ratings import PAGE, Listed, Ratings, behind, cursor, is_pool
from gateway.web.sessions import WebSessions

BESIDE: Final = 20
"""Players without a place that stand beside the first ones with a place."""

WORDS_EACH: Final = 200
"""Points of a rating between two words below a distribution."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list. ``place`` "" where the player has none."""

    place: str
    rated: Rated

    @property
    def link(self) -> str:
        """The name that leads to the player's page; "" of the house's engines."""
        return self.rated.name if self.rated.player.account else ""


def formula() -> dict[str, Any]:
    """The numbers of the formula, as the server counts with them."""
    games = math.exp(200.0 / glicko2.SCALE)
    return {
        "start": glicko2.START,
        "tau": glicko2.TAU,
        "periods_a_day": glicko2.PERIODS_A_DAY,
        "scale": glicko2.SCALE,
        "rd_least": round(glicko2.RD_LEAST),
        "rd_most": round(glicko2.RD_MOST),
        "sigma_most": glicko2.SIGMA_MOST,
        "rating_least": round(glicko2.RATING_LEAST),
        "change_most": round(glicko2.CHANGE_MOST),
        "point": round(placing.POINT),
        "provisional": round(book.PROVISIONAL_RD),
        "ranked": round(book.RANKED_RD),
        "tables_provisional": round(book.TABLES_PROVISIONAL_RD),
        "tables_ranked": round(book.TABLES_RANKED_RD),
        "of_200": round(100 * games / (1 + games)),
        "quick_plies": book.QUICK_PLIES,
        "quick_s": round(book.QUICK_S),
    }


class RatingsPages:
    """Draws what ``ratings`` reads, in threads of ``sessions``."""

    def __init__(self, frame: Frame, sessions: WebSessions, ratings: Ratings) -> None:
        self._frame = frame
        self._sessions = sessions
        self._ratings = ratings

    def routes(self) -> list[Route]:
        return [Route("/ratings", as_page(self._frame, self.ratings), methods=["GET"])]

    async def ratings(self, request: Request) -> Response:
        asked = request.query_params
        if "pool" in asked:
            return await self._pool(request, asked["pool"], asked.get("list") != "others", asked.get("after", ""))
        pools = await self._sessions.do(self._ratings.pools)
        return self._frame.page(request, "ratings.html", pools=pools, title_of=pool_title, formula=formula())

    async def _pool(self, request: Request, pool: str, ranked: bool, word: str) -> Response:
        """``word`` is the cursor behind which one of the two lists goes on; "" at the beginning, where both are."""
        try:
            after = behind(word) if word else None
            found = await self._lists(pool, ranked, after) if is_pool(pool) else {}
        except ValueError:
            found = {}
        if not any(listed.players for listed in found.values()):
            text = "Nobody has a rating there. The page of ratings says which pools there are."
            return self._frame.error(request, HTTPStatus.NOT_FOUND, "No such ratings", text)
        spread = await self._sessions.do(self._ratings.distribution, pool) if after is None else []
        return self._frame.page(
            request,
            "pool.html",
            pool=pool,
            title=pool_title(pool),
            lists={name: (_rows(listed), _more(pool, name, listed)) for name, listed in found.items()},
            first=after is None,
            spread=spread,
            picture=drawn(spread) if len(spread) > 1 else None,
            whole=sum(bar.ranked + bar.others for bar in spread),
            step=BAR,
            limits=_limits(pool),
        )

    async def _lists(self, pool: str, ranked: bool, after: Last | None) -> dict[str, Listed]:
        wanted = ("ranked", "others") if after is None else ("ranked" if ranked else "others",)
        return {
            name: await self._sessions.do(
                partial(self._ratings.listed, pool, ranked=name == "ranked", after=after, most=most)
            )
            for name in wanted
            for most in (BESIDE if name == "others" and after is None else PAGE,)
        }


def drawn(spread: Sequence[Bar]) -> Markup:
    """The distribution as a picture; the sentence beside it names its middle half and its highest bar."""
    known, low, high = {bar.low: bar for bar in spread}, spread[0].low, spread[-1].low
    columns = [
        Column(bar.ranked, bar.others, f"{at}" if at % WORDS_EACH == 0 else "")
        for at in range(low, high + 1, BAR)
        for bar in (known.get(at, Bar(at, 0, 0)),)
    ]
    whole = sum(bar.ranked + bar.others for bar in spread)
    most = max(spread, key=lambda bar: bar.ranked + bar.others)
    half = f"{_at(spread, 0.25)} and {_at(spread, 0.75) + BAR - 1}"
    text = (
        f"{whole:,} players by rating, from {low} to {high + BAR - 1}. Half of them are between {half}; "
        f"most, {most.ranked + most.others:,}, from {most.low} to {most.low + BAR - 1}."
    )
    return bars(columns, text)


def _at(spread: Sequence[Bar], share: float) -> int:
    """The bar of the player behind whom so large a share of all stands."""
    wanted = share * sum(bar.ranked + bar.others for bar in spread)
    for bar in spread:
        wanted -= bar.ranked + bar.others
        if wanted <= 0:
            return bar.low
    return spread[-1].low


def _rows(listed: Listed) -> list[Row]:
    return [Row(f"{listed.first + at}" if listed.first else "", rated) for at, rated in enumerate(listed.players)]


def _more(pool: str, name: str, listed: Listed) -> str:
    """The address of the next page of a list; "" where there is none."""
    if listed.further is None:
        return ""
    return "/ratings?" + query({"pool": pool, "list": name, "after": cursor(listed.further)})


def _limits(pool: str) -> tuple[int, int]:
    """The deviations of this pool up to which a player has a place, and from which a rating is provisional."""
    if is_of_tables(pool):
        return round(book.TABLES_RANKED_RD), round(book.TABLES_PROVISIONAL_RD)
    return round(book.RANKED_RD), round(book.PROVISIONAL_RD)
