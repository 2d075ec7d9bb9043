"""The page of challenges: offers a game to a player or to everybody, shows what is offered, takes and ends it.

    GET  /challenges       the form, filled in for ?to=NAME, and the offers that concern the account
    POST /challenges       makes an offer, or takes another's that fits
    POST /challenges/take  takes one, and leads to its table
    POST /challenges/end   withdraws or declines one

Where a game has come of an offer, its table is the account's: the page of that table takes the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.accounts.circle import Circle
from gateway.lobby.names import LONGEST
from gateway.lobby.offers import MOST_OF_ONE, PLAYERS, Offer, Offers
from gateway.lobby.party import same_name
from gateway.ops.seat_ratings import SeatRatings
from gateway.ratings.known import in_words
from gateway.seating.offerers import Offerer
from gateway.seating.offering import Offering
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame, day
from gateway.web.pages.play_form import TIMES
from gateway.web.pages.refusing import as_page, fault_of
from gateway.web.pages.words import rule_words, time_words
from gateway.web.pages.yours import PLAY
from gateway.web.sessions import address_of, person_of
from protocols.core import time_text
from protocols.core.errors import Refused, Why
from protocols.core.numbers import whole
from protocols.core.proposals import Start

STANDS: Final = (("60", "An hour"), ("1440", "A day"), ("10080", "A week"))
"""The minutes that an offer of the page may stand, and their words."""

LONGEST_RANGE: Final = 9
"""Characters of a range of ratings: 1400-1600."""

SIDES: Final = (("", "Drawn by lot"), ("0", "I begin"), ("1", "The other begins"))


@dataclass(frozen=True, slots=True)
class Line:
    """An offer as the page shows it: ``words`` are its game, time and side; ``mine``: the person has made it.

    ``rating`` stands behind the name that is not the person's: "(1523?)", "" without one.
    ``manual``: its maker confirms who plays.
    """

    number: int
    by: str
    to: str
    words: str
    mine: bool
    rating: str
    manual: bool


class ChallengesPage:
    """Offers by ``offering``; ``offers`` are those that stand. ``begun``: there is a table of this number."""

    def __init__(
        self,
        frame: Frame,
        offering: Offering,
        offers: Offers,
        begun: Callable[[int], bool],
        circle: Circle,
        ratings: SeatRatings,
    ) -> None:
        self._ratings = ratings
        self._circle = circle
        self._begun = begun
        self._frame = frame
        self._offering = offering
        self._offers = offers

    def routes(self) -> list[Route]:
        return [
            Route("/challenges", as_page(self._frame, self.page), methods=["GET"]),
            Route("/challenges", as_page(self._frame, self.make), methods=["POST"]),
            Route("/challenges/take", as_page(self._frame, self.take), methods=["POST"]),
            Route("/challenges/end", as_page(self._frame, self.end), methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """Leads to the table that has come of an offer: ``?ended=NUMBERS`` are of those that stand no more."""
        for text in request.query_params.get("ended", "").split()[:MOST_OF_ONE]:
            if (number := whole(text)) is not None and self._begun(number):
                return gone_to(f"/table/{number}{PLAY}")
        return await self._page(request, request.query_params)

    async def _page(self, request: Request, fields: Mapping[str, str], fault: Refused | None = None) -> Response:
        account = person_of(request).account
        if not account:
            return gone_to("/login?next=/challenges")
        try:
            apart = (await self._circle.blocks(account)).apart
        except Refused as refused:
            fault, apart = fault or refused, frozenset()
        status, said = fault_of(fault)
        found = self._offers.shown_to(account, apart)
        shown = await self._ratings.settled(lambda: [self._line(offer, account) for offer in found])
        return self._frame.page(
            request,
            "challenges.html",
            status,
            to=fields.get("to", "")[:LONGEST],
            game=fields.get("game", ""),
            time=fields.get("time", "300+3"),
            side=fields.get("side", ""),
            rated=bool(fields.get("rated", "")),
            manual=bool(fields.get("manual", "")),
            ratings=fields.get("ratings", "")[:LONGEST_RANGE],
            longest_range=LONGEST_RANGE,
            games=_games(),
            times=[(text, time_words(time_text.read(text))) for text in TIMES],
            sides=SIDES,
            minutes=fields.get("minutes", ""),
            stands=STANDS,
            longest=LONGEST,
            lines=shown,
            fault=said,
        )

    async def make(self, request: Request) -> Response:
        fields = await form_of(request)
        try:
            to, ratings = fields["to"].strip(), fields["ratings"].strip()
            made = await self._offering.make(_by(request), _start(fields), to, _minutes(fields), ratings)
        except Refused as refused:
            return await self._page(request, fields, refused)
        return gone_to("/challenges" if made.seat is None else f"/table/{made.offer.number}{PLAY}")

    async def take(self, request: Request) -> Response:
        fields = await form_of(request)
        number = whole(fields["offer"]) or 0
        try:
            made = await self._offering.take_as(_by(request), number, None)
        except Refused as refused:
            return await self._page(request, {}, refused)
        return gone_to("/challenges" if made.seat is None else f"/table/{number}{PLAY}")

    async def end(self, request: Request) -> Response:
        fields = await form_of(request)
        try:
            await self._offering.withdraw_as(_by(request).name, whole(fields["offer"]) or 0)
        except Refused as refused:
            return await self._page(request, {}, refused)
        return gone_to("/challenges")

    def _line(self, offer: Offer, account: str) -> Line:
        mine = same_name(offer.by, account)
        (rating,) = self._ratings.named(offer.settings, [offer.to if mine else offer.by])
        return Line(offer.number, offer.by, offer.to, _words(offer, mine=mine), mine, in_words(rating), offer.manual)


def _by(request: Request) -> Offerer:
    """The account that is logged in. Refused (NO_ACCOUNT): none is; (OVERLOAD) that cannot be looked up just now."""
    account = person_of(request).known_account()
    if not account:
        raise Refused(Why.NO_ACCOUNT, "Log in first.")
    return Offerer(account, True, address_of(request))


def _games() -> list[tuple[str, str]]:
    """The games of two: name and title, in the order of titles."""
    found = [registry.game(name) for name in registry.games()]
    return sorted(
        ((game.name, game.title) for game in found if any(PLAYERS in each.seats for each in game.variants)),
        key=lambda pair: pair[1],
    )


def _start(fields: Mapping[str, str]) -> Start:
    """Refused: there is no such game, time or side."""
    game, side = registry.game(fields["game"]), fields["side"]
    if side not in ("", "0", "1"):
        raise Refused(Why.BAD_OPTION, "The side is drawn, the first or the second.")
    settings = game.settings("", PLAYERS)
    settings = replace(settings, time=time_text.read(fields["time"] or "none"), rated=bool(fields["rated"]))
    return Start(settings, int(side) if side else None, bool(fields["manual"]))


def _minutes(fields: Mapping[str, str]) -> int:
    """Refused: an offer of the page stands for no such time."""
    if fields["minutes"] not in ("", *(text for text, _ in STANDS)):
        raise Refused(Why.BAD_OPTION, "An offer stands for an hour, a day or a week.")
    return int(fields["minutes"] or STANDS[0][0])


def _words(offer: Offer, *, mine: bool) -> str:
    settings = offer.settings
    game = registry.game(settings.game)
    words = [game.title, *rule_words(settings), time_words(settings.time), *(["rated"] if settings.rated else [])]
    if any(offer.ratings):
        words.append(f"ratings {offer.ratings}")
    if offer.manual:
        words.append(f"{'you' if mine else offer.by} confirm{'' if mine else 's'} who plays")
    if offer.side is not None:
        words.append(f"{offer.by if not mine else 'you'} as {game.called(settings)[offer.side].capitalize()}")
    if offer.lasts:
        words.append(f"stands until {day(offer.until)}")
    return " · ".join(words)
