"""Answers requests about ratings: those of a player with the games behind them, and the lists of each pool."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.lobby.names import LONGEST
from gateway.ratings.pools import Player
from gateway.record.opponents import Win
from gateway.store.accounts import Account, Accounts
from gateway.store.rating_views import Last, Rated
from gateway.store.views import moment
from gateway.web.api import NO_STORE
from gateway.web.pools import pool_title
from gateway.web.ratings import Ratings, Stepped, behind, cursor, is_pool
from gateway.web.reading import Reading, bad, number
from gateway.web.refusals import BadRequest, refusing

LISTS: Final = ("ranked", "others")

OPPONENTS: Final = 100
"""Opponents of one answer, those with the most games."""

LONGEST_CURSOR: Final = 400


class RatingsApi:
    """Answers by ``ratings``; ``accounts`` says how a name is written."""

    def __init__(self, reading: Reading, accounts: Accounts, ratings: Ratings) -> None:
        self._reading = reading
        self._accounts = accounts
        self._ratings = ratings

    def routes(self) -> list[Route]:
        return [
            Route("/api/players/{name}", refusing(self.player), methods=["GET"]),
            Route("/api/players/{name}/steps", refusing(self.steps), methods=["GET"]),
            Route("/api/players/{name}/record", refusing(self.record), methods=["GET"]),
            Route("/api/ratings", refusing(self.pools), methods=["GET"]),
            Route("/api/ratings/distribution", refusing(self.distribution), methods=["GET"]),
        ]

    async def player(self, request: Request) -> Response:
        account, _ = await self._account(request)
        found = await self._reading.do(self._ratings.of, account.name)
        return _json({"name": account.name, "ratings": [_rating(each) for each in found]})

    async def steps(self, request: Request) -> Response:
        account, own = await self._account(request)
        pool, engine = _pool(request), request.query_params.get("engine", "")[:LONGEST_CURSOR]
        before = number(request, "before", 0, 0) or None
        player = Player(account.name.casefold(), engine)
        wanted = partial(self._ratings.steps, pool, player, before, own=own)
        found, further = await self._reading.do(wanted)
        return _json({"steps": [_step(each) for each in found], "next": further})

    async def record(self, request: Request) -> Response:
        """Private games count for the account itself alone."""
        account, own = await self._account(request)
        found = await self._reading.do(partial(self._ratings.record, account.name, own=own))
        opponents = [
            {
                "name": each.player.name if each.player.account or not each.player.engine else "",
                "engine": each.player.engine,
                "won": each.won,
                "lost": each.lost,
                "drawn": each.drawn,
            }
            for each in found.record.opponents[:OPPONENTS]
        ]
        told = {
            "name": account.name,
            "games": found.games,
            "whole": found.whole,
            "opponents": opponents,
            "best_wins": [_win(win) for _, win in sorted(found.record.best.items())],
            "weeks": found.record.weeks,
        }
        return _json(told)

    async def pools(self, request: Request) -> Response:
        """BadRequest (400): no pool may be called so, or the cursor is none of ours."""
        await self._reading.askers.of(request)
        told: dict[str, Any] = {"pools": [], "players": [], "next": None}
        if "pool" not in request.query_params:
            for pool in await self._reading.do(self._ratings.pools):
                last_at = moment(pool.last_at)
                shown = {"pool": pool.name, "title": pool_title(pool.name), "players": pool.players}
                told["pools"].append(shown | {"last_at": last_at})
            return _json(told)
        which = request.query_params.get("list", LISTS[0])
        if which not in LISTS:
            raise bad(f"list {which[:40]!r}: one of {', '.join(LISTS)}")
        wanted = partial(self._ratings.listed, _pool(request), ranked=which == LISTS[0], after=_after(request))
        found = await self._reading.do(wanted)
        for at, player in enumerate(found.players):
            told["players"].append(_rating(player) | {"place": found.first + at if found.first else None})
        told["next"] = None if found.further is None else cursor(found.further)
        return _json(told)

    async def distribution(self, request: Request) -> Response:
        await self._reading.askers.of(request)
        bars = await self._reading.do(self._ratings.distribution, pool := _pool(request))
        return _json({"pool": pool, "bars": [bar._asdict() for bar in bars]})

    async def _account(self, request: Request) -> tuple[Account, bool]:
        """The account that the path names, and whether it asks itself. BadRequest (404): there is no such account."""
        asker, name = await self._reading.askers.of(request), request.path_params["name"]
        account = await self._reading.do(self._accounts.find, name) if len(name) <= LONGEST else None
        if account is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_player", f"there is no account {name[:LONGEST]!r}")
        return account, asker.registrant.account.casefold() == account.name.casefold()


def _json(told: dict[str, Any]) -> Response:
    return JSONResponse(told, headers=NO_STORE)


def _pool(request: Request) -> str:
    pool = request.query_params.get("pool", "")
    if not is_pool(pool):
        raise bad(f"pool {pool[:40]!r}: a pool of GET /api/ratings")
    return pool


def _after(request: Request) -> Last | None:
    word = request.query_params.get("after", "")[:LONGEST_CURSOR]
    try:
        return behind(word) if word else None
    except ValueError as error:
        raise bad(f"after {word[:40]!r}: the next of an answer before") from error


def _rating(rated: Rated) -> dict[str, Any]:
    return {
        "pool": rated.pool,
        "name": rated.name if rated.player.account else "",
        "engine": rated.player.engine,
        "rating": round(rated.rating, 1),
        "rd": round(rated.rd, 1),
        "provisional": rated.provisional,
        "ranked": rated.ranked,
        "games": rated.games,
        "last_at": moment(rated.at),
    }


def _step(step: Stepped) -> dict[str, Any]:
    change = step.change
    return {
        "ordinal": change.ordinal,
        "table": None if step.hidden else change.table,
        "number": None if step.hidden else change.number,
        "at": moment(change.at),
        "rating_before": round(change.before.rating, 1),
        "rd_before": round(change.before.rd, 1),
        "rating": round(change.after.rating, 1),
        "rd": round(change.after.rd, 1),
        "weight": change.weight,
        "why": change.why,
        "others": [
            {"name": name, "rating": round(other.before.rating, 1), "rd": round(other.before.rd, 1)}
            for name, other in step.others
        ],
    }


def _win(win: Win) -> dict[str, Any]:
    name = win.player.name if win.player.account else ""
    shown = {"pool": win.pool, "name": name, "engine": win.player.engine}
    return shown | {"rating": round(win.rating, 1), "table": win.table, "at": moment(win.at)}
