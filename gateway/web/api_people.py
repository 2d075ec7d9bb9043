"""Answers requests about people: who is here, accounts by a part of the name, what a player has won, lost and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.lobby.here import Person
from gateway.lobby.names import LONGEST
from gateway.ops.seat_ratings import SeatRatings
from gateway.store.accounts import Accounts
from gateway.store.views import moment
from gateway.web.api import NO_STORE, points_shown
from gateway.web.profiles import Profiles
from gateway.web.reading import Reading, bad
from gateway.web.refusals import BadRequest, refusing


class PeopleApi:
    """Answers by ``profiles``; ``here`` lists who is here now; ``ratings`` stand beside names."""

    def __init__(
        self,
        reading: Reading,
        accounts: Accounts,
        profiles: Profiles,
        here: Callable[[], Sequence[Person]],
        ratings: SeatRatings,
    ) -> None:
        self._here = here
        self._ratings = ratings
        self._reading = reading
        self._accounts = accounts
        self._profiles = profiles

    def routes(self) -> list[Route]:
        return [
            Route("/api/here", refusing(self.here), methods=["GET"]),
            Route("/api/people", refusing(self.search), methods=["GET"]),
            Route("/api/people/{name}", refusing(self.player), methods=["GET"]),
        ]

    async def here(self, request: Request) -> Response:
        """People and programs that are here, by name."""
        await self._reading.askers.of(request)
        told = await self._ratings.settled(lambda: [self._told(person) for person in self._here()])
        return JSONResponse({"here": told}, headers=NO_STORE)

    def _told(self, person: Person) -> dict[str, Any]:
        pool, rating = self._ratings.last(person.name) or (None, None)
        return {
            "name": person.name,
            "account": person.account,
            "doing": person.doing,
            "since": None if person.since is None else moment(person.since),
            "tables": person.tables,
            "dialects": person.dialects,
            "bot": person.bot,
            "idle_since": None if person.idle is None else moment(person.idle),
            "challenges": person.challenges,
            "rating": points_shown(rating),
            "pool": pool,
        }

    async def search(self, request: Request) -> Response:
        """``next`` is for ``after`` of the request that goes on, null at the end."""
        await self._reading.askers.of(request)
        part, after = (request.query_params.get(name, "")[: LONGEST + 1] for name in ("name", "after"))
        if not part.strip() or len(part) > LONGEST:
            raise bad(f"name {part[:40]!r}: a part of a name, at most {LONGEST} letters")
        found, further = await self._reading.do(self._profiles.search, part.strip(), after)
        return JSONResponse({"people": found, "next": further}, headers=NO_STORE)

    async def player(self, request: Request) -> Response:
        """Private games are counted for the account itself alone. BadRequest (404): there is no such account."""
        asker, name = await self._reading.askers.of(request), request.path_params["name"]
        account = await self._reading.do(self._accounts.find, name) if len(name) <= LONGEST else None
        if account is None:
            raise BadRequest(HTTPStatus.NOT_FOUND, "no_such_player", f"there is no account {name[:LONGEST]!r}")
        own = asker.registrant.account.casefold() == account.name.casefold()
        profile = await self._reading.do(partial(self._profiles.profile, account.name, account.created_at, own=own))
        told = {
            "name": account.name,
            "since": moment(account.created_at),
            "bot": account.bot,
            "whole": profile.whole,
            "scores": [
                {
                    "game": score.game,
                    "against": "programs" if score.programs else "people",
                    "won": score.won,
                    "lost": score.lost,
                    "drawn": score.drawn,
                }
                for score in profile.scores
            ],
        }
        return JSONResponse(told, headers=NO_STORE)
