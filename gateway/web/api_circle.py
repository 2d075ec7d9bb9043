"""Answers requests about an account's lists: whom it follows, with what they do now, and whom it has blocked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import TypedDict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway.accounts.circle import WORDS, Circle
from gateway.lobby.here import Doing, Person
from gateway.lobby.names import LONGEST
from gateway.store.accounts import NoAccount
from gateway.store.ties import Tie
from gateway.store.views import moment
from gateway.web.api import NO_STORE
from gateway.web.askers import Askers
from gateway.web.refusals import BadRequest, refusing


class TiedShown(TypedDict):
    """An account in a list of the asker's, and since when."""

    name: str
    since: str


class FollowedShown(TiedShown):
    """An account that the asker follows; ``doing`` is null while it is not here."""

    doing: Doing | None


class Followed(TypedDict):
    """The accounts that the asker follows, by name."""

    follows: list[FollowedShown]


class BlockedShown(TypedDict):
    """The accounts that the asker has blocked, by name."""

    blocks: list[TiedShown]


class CircleApi:
    """Answers by ``circle``; ``here`` lists who is here now."""

    def __init__(self, circle: Circle, askers: Askers, here: Callable[[], Sequence[Person]]) -> None:
        self._circle = circle
        self._askers = askers
        self._here = here

    def routes(self) -> list[Route]:
        found = [
            Route("/api/follows", refusing(self.follows), methods=["GET"]),
            Route("/api/blocks", refusing(self.blocks), methods=["GET"]),
        ]
        for kind, word in WORDS.items():
            path = f"/api/players/{{name}}/{word}"
            found.append(Route(path, refusing(partial(self.tie, kind)), methods=["PUT"]))
            found.append(Route(path, refusing(partial(self.untie, kind)), methods=["DELETE"]))
        return found

    async def follows(self, request: Request) -> Response:
        doing = {person.name.casefold(): person.doing for person in self._here()}
        shown: list[FollowedShown] = [
            {"name": found.name, "since": moment(found.at), "doing": doing.get(found.name.casefold())}
            for found in await self._circle.tied("follows", await self._askers.account(request))
        ]
        told: Followed = {"follows": shown}
        return JSONResponse(told, headers=NO_STORE)

    async def blocks(self, request: Request) -> Response:
        shown: list[TiedShown] = [
            {"name": found.name, "since": moment(found.at)}
            for found in await self._circle.tied("blocks", await self._askers.account(request))
        ]
        told: BlockedShown = {"blocks": shown}
        return JSONResponse(told, headers=NO_STORE)

    async def tie(self, kind: Tie, request: Request) -> Response:
        """BadRequest (404): there is no such account."""
        account, name = await self._askers.account(request), request.path_params["name"]
        try:
            found = await self._circle.tie(kind, account, name[: LONGEST + 1])
        except NoAccount:
            raise BadRequest(
                HTTPStatus.NOT_FOUND, "no_such_player", f"there is no account {name[:LONGEST]!r}"
            ) from None
        told: TiedShown = {"name": found.name, "since": moment(found.at)}
        return JSONResponse(told, headers=NO_STORE)

    async def untie(self, kind: Tie, request: Request) -> Response:
        """An account that is in no such list is no fault."""
        await self._circle.untie(kind, await self._askers.account(request), request.path_params["name"][: LONGEST + 1])
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
