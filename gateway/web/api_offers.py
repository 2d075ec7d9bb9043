"""Answers requests about offers: which stand for the asker, a new one, taking and ending one. For accounts.

A guest's program offers by its connection. What an account offers here stands until its time is over, page or no page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gateway import registry
from gateway.accounts.circle import Circle
from gateway.lobby.offers import Offer, Offers
from gateway.ops.seat_ratings import SeatRatings
from gateway.seating.entering import Entering
from gateway.seating.offerers import Offerer
from gateway.seating.offering import Offering
from gateway.seating.registrar import Forbidden, no_offer
from gateway.store.tokens import PLAY
from gateway.store.views import moment
from gateway.web.api import NO_STORE, points_shown
from gateway.web.askers import Askers
from gateway.web.refusals import BadRequest, body_of, check_type, decoded, refusing
from protocols.core import time_text
from protocols.core.numbers import option_text
from protocols.core.proposals import Start

OFFERS: Final = ("challenge:write", *PLAY)
SEES: Final = ("challenge:read", *OFFERS)
"""Scopes of which a token needs one: to make offers and to answer, and to see them."""

BODY_BYTES: Final = 4096
"""The longest request: the text of a set-up position and some options."""


class AskedOffer(msgspec.Struct, forbid_unknown_fields=True):
    """The body of an offer: to the player ``to``, "" to everybody; ``side`` is the seat that is wanted, null any.

    ``manual``: its maker confirms who takes it. It stands for so many ``minutes``: up to 60, from one account to
    another up to 10080. ``ratings`` is the range that a rated one is for: "1400-1600", "1400-", "-1600".
    """

    game: str
    to: str = ""
    variant: str = ""
    time: str = "none"
    start: str = ""
    rated: bool = False
    side: int | None = None
    minutes: int = 60
    manual: bool = False
    ratings: str = ""
    options: dict[str, str | int | float] = {}


class AskedTake(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a take: ``side`` is the seat that is wanted where the maker wants none."""

    side: int | None = None


class OffersApi:
    """Answers by ``offering``, and shows ``offers``. ``begun`` says whether there is a table of this number.

    ``ratings`` stand beside names.
    """

    def __init__(
        self,
        offering: Offering,
        offers: Offers,
        begun: Callable[[int], bool],
        askers: Askers,
        circle: Circle,
        ratings: SeatRatings,
        entering: Entering,
    ) -> None:
        self._entering = entering
        self._ratings = ratings
        self._circle = circle
        self._offering = offering
        self._offers = offers
        self._begun = begun
        self._askers = askers

    def routes(self) -> list[Route]:
        return [
            Route("/api/offers", refusing(self.all), methods=["GET"]),
            Route("/api/offers", refusing(self.make), methods=["POST"]),
            Route("/api/offers/{offer:int}", refusing(self.one), methods=["GET"]),
            Route("/api/offers/{offer:int}", refusing(self.end), methods=["DELETE"]),
            Route("/api/offers/{offer:int}/take", refusing(self.take), methods=["POST"]),
            Route("/api/challenges", refusing(self.challenges), methods=["PUT", "DELETE"]),
        ]

    async def all(self, request: Request) -> Response:
        """The offers to everybody, and an account's own and those made to it, the oldest first."""
        found = await self._shown_to((await self._askers.of(request, *SEES)).registrant.account)
        shown = await self._ratings.settled(lambda: [self._shown(offer) for offer in found])
        return JSONResponse({"offers": shown}, headers=NO_STORE)

    async def one(self, request: Request) -> Response:
        """Whether an offer stands. BadRequest (404): it does not, and no game came of it that is not over."""
        asker, number = await self._askers.of(request, *SEES), int(request.path_params["offer"])
        shown = await self._shown_to(asker.registrant.account)
        if any(offer.number == number for offer in shown):
            return JSONResponse({"id": number, "state": "stands"}, headers=NO_STORE)
        if self._offers.get(number) is None and self._begun(number):
            return JSONResponse({"id": number, "state": "taken"}, headers=NO_STORE)
        raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", no_offer(number).text)

    async def make(self, request: Request) -> Response:
        """The offer with the ticket of its maker's seat; or that of another's offer, which was taken as it fits."""
        by = await self._account(request)
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), AskedOffer)
        made = await self._offering.make(by, _start(asked), asked.to, asked.minutes, asked.ratings)
        state = "stands" if made.seat is None else "taken"
        told = {"id": made.offer.number, "by": by.name, "state": state, "seat": made.seat, "ticket": made.ticket}
        headers = {"location": f"/api/offers/{made.offer.number}"} | NO_STORE
        return JSONResponse(told, status_code=HTTPStatus.CREATED, headers=headers)

    async def take(self, request: Request) -> Response:
        """The asker's seat at the table of an offer, which has its number, and the ticket that takes the seat.

        Of a manual one the number of the asker's offer to its maker.
        """
        by, number = await self._account(request), int(request.path_params["offer"])
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), AskedTake)
        made = await self._offering.take_as(by, number, asked.side)
        told = {"table": made.offer.number, "by": by.name, "seat": made.seat, "ticket": made.ticket}
        return JSONResponse(told, headers=NO_STORE)

    async def end(self, request: Request) -> Response:
        """Withdraws an offer of the asker's, or declines one that was made to it."""
        by = await self._account(request)
        await self._offering.withdraw_as(by.name, int(request.path_params["offer"]))
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)

    async def challenges(self, request: Request) -> Response:
        """The asker takes challenges from now on (PUT), or none while it is here (DELETE)."""
        by = await self._account(request)
        self._entering.says_challenges(by.name, takes=request.method == "PUT")
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)

    async def _shown_to(self, account: str) -> Sequence[Offer]:
        apart = (await self._circle.blocks(account)).apart
        return self._offers.shown_to(account, apart)

    async def _account(self, request: Request) -> Offerer:
        """Forbidden: the asker has no account."""
        registrant = (await self._askers.of(request, *OFFERS)).registrant
        if not registrant.account:
            raise Forbidden("games are offered and taken here by those who have an account", known=registrant.admin)
        return Offerer(registrant.account, True, registrant.address)

    def _shown(self, offer: Offer) -> dict[str, Any]:
        settings = offer.settings
        (rating,) = self._ratings.named(settings, [offer.by])
        return {
            "id": offer.number,
            "by": offer.by,
            "rating": points_shown(rating),
            "account": offer.account,
            "to": offer.to,
            "game": settings.game,
            "variant": settings.variant,
            "time": time_text.spell(settings.time),
            "start": settings.start,
            "rated": settings.rated,
            "manual": offer.manual,
            "ratings": str(offer.ratings),
            "options": dict(settings.options),
            "side": offer.side,
            "made_at": moment(offer.made),
            "until": moment(offer.until),
        }


def _start(asked: AskedOffer) -> Start:
    """Refused names an unknown part."""
    game = registry.game(asked.game)
    options = {name: option_text(value) for name, value in asked.options.items()}
    settings = game.settings(asked.variant.lower(), 2, asked.start, options or None)
    return Start(replace(settings, time=time_text.read(asked.time), rated=asked.rated), asked.side, asked.manual)
