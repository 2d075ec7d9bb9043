"""A person's own games: the part "Your games" of pages, a page with all of them, and what the script of these asks.

    GET  /yours  the games that go on, and all finished ones; ?before=TABLE goes on below that one
    POST /yours  the cards of games that go on and differ from those known, finished games where they are wanted

An account's games are drawn with the page, on any device. The tickets that a browser keeps are presented by its
script, in the body of a POST: an address would give them away. What is shown are the account's seats, and those of
tickets.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.table.state import State, Status
from gateway.web.board.svg import figures_of
from gateway.web.headers import secured
from gateway.web.pages.cards import Card, Ratings, Told, looks_of, told_of
from gateway.web.pages.frame import Frame
from gateway.web.pages.open_tables import Running
from gateway.web.pages.own_games import RUNNING, OwnGame, OwnGames, OwnGamesFinder, Who, is_to_move
from gateway.web.pages.people import PAGE, GameRow
from gateway.web.pages.presented import Tickets, digests_of
from gateway.web.pages.refusing import as_page
from gateway.web.refusals import body_of, check_type, decoded, log_trouble, refusing
from gateway.web.sessions import Person, person_of
from protocols.core.model import SeatKind

BODY_BYTES: Final = 32_768
"""The longest request: forty tickets, sixty known boards, five hundred names."""

PLAY: Final = "#play"
"""Behind the address of a table: whoever opens it takes its own seat there, without one more press."""

Name = Annotated[str, msgspec.Meta(max_length=64)]


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """``tickets`` are pairs of table and ticket; ``known`` are versions of cards by table, "-" out of sight; ``past``
    says how many finished games are wanted; ``muted`` are names that a guest does not hear."""

    tickets: Tickets = []
    known: Annotated[dict[str, str], msgspec.Meta(max_length=RUNNING * 2)] = {}
    most: Annotated[int, msgspec.Meta(ge=0, le=RUNNING)] = RUNNING
    past: Annotated[int, msgspec.Meta(ge=0, le=PAGE)] = 0
    muted: Annotated[list[Name], msgspec.Meta(max_length=500)] = []


class OwnCard(Card):
    """The card of a game as its player sees it. Nobody else is shown it, so it is not kept."""

    def __init__(self, game: OwnGame, ratings: Sequence[str]) -> None:
        self._game = game
        super().__init__(game.table, ratings)

    def _told(self, table: Running) -> Told:
        told, game, state = told_of(table, self.look, self.ratings), self._game, table.state
        return replace(
            told,
            seats=tuple(
                replace(each, kind="", program="you") if each.seat == game.seat else each for each in told.seats
            ),
            address=f"{told.address}{PLAY}",
            turned=game.seat in self.look.turned,
            mine=is_to_move(state, game.seat),
            standing=standing(state, game.seat, game.come),
            unread=f"{game.unread} unread" if game.unread else "",
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """The part "Your games" of a page: ``most`` cards and ``past`` lines at most. ``before`` goes on behind these."""

    cards: Sequence[OwnCard]
    lines: Sequence[GameRow]
    most: int
    past: int
    before: int | None = None


class Yours:
    """``finder`` finds games; ``frame`` draws the page; ``telling`` is what it says of notices."""

    def __init__(
        self, frame: Frame, finder: OwnGamesFinder, ratings: Ratings, telling: Callable[[Person], Awaitable[object]]
    ) -> None:
        self._ratings = ratings
        self._frame = frame
        self._finder = finder
        self._telling = telling

    def routes(self) -> list[Route]:
        return [
            Route("/yours", as_page(self._frame, self.page), methods=["GET"]),
            Route("/yours", refusing(self.changes), methods=["POST"]),
        ]

    async def shown(self, request: Request, most: int, past: int, before: int | None = None) -> Shown:
        """The games of the account that asks; nothing for others, whose scripts bring what they have."""
        person = person_of(request)
        if not person.account:
            return Shown((), (), most, past, None)
        who = _who(person)
        games = await self._finder.going_on(who) if before is None else ()
        found = OwnGames(games, *await self._finder.finished(who, past, before))
        return Shown(await self._cards(found.running[:most]), found.past, most, past, found.before)

    async def _cards(self, games: Sequence[OwnGame]) -> list[OwnCard]:
        cards = [OwnCard(game, self._ratings.words(game.table.state)) for game in games]
        if await self._ratings.learned():
            cards = [OwnCard(game, self._ratings.words(game.table.state)) for game in games]
        return cards

    async def shown_if_read(self, request: Request, most: int, past: int) -> Shown:
        """The same for a page that is there without the database, too."""
        try:
            return await self.shown(request, most, past)
        except SQLAlchemyError as error:
            log_trouble(request.url.path, error)
            return Shown((), (), most, past, None)

    async def page(self, request: Request) -> Response:
        text = request.query_params.get("before", "")
        before = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
        own = await self.shown(request, RUNNING, PAGE, before)
        first, figures, telling = before is None, figures_of_cards(own), await self._telling(person_of(request))
        return self._frame.page(request, "yours.html", own=own, first=first, figures=figures, telling=telling)

    async def changes(self, request: Request) -> Response:
        """The cards in order, those that differ from the known ones, finished games where they are wanted; the tables
        that wait for the person's move, and others where somebody has come; the tables of which the account has kept
        the seat that a ticket stands for.
        """
        check_type(request)
        asked = decoded(await body_of(request, BODY_BYTES), Asked)
        person = person_of(request)
        presented = digests_of(asked.tickets)
        who = _who(person, await self._finder.seats(presented), asked.muted)
        if not who.account and not who.tickets:
            return _private({"order": [], "boards": [], "past": [], "turns": [], "here": []})
        games = await self._finder.going_on(who)
        cards = await self._cards(games[: asked.most])
        turns = [game.table.state.table for game in games if is_to_move(game.table.state, game.seat)]
        told: dict[str, Any] = {
            "order": [card.told.table for card in cards],
            "turns": turns,
            "here": [game.table.state.table for game in games if game.come and game.table.state.table not in turns],
            "boards": [msgspec.Raw(card.tells().encode()) for card in cards if _is_news(card, asked.known)],
        }
        if asked.past:
            lines, _ = await self._finder.finished(who, asked.past)
            told["past"] = [line_told(line) for line in lines]
            told |= {"kept": kept} if (kept := await self._finder.kept(person.account, presented)) else {}
        return _private(told)


def figures_of_cards(own: Shown) -> Any:
    """The figures of the cards of a page that has no other boards."""
    return figures_of(*looks_of(own.cards))


def standing(state: State, seat: int, come: str = "") -> str:
    """How the game stands, for the player of ``seat``: "Your move", "Ben's move", "Ben is here" of one who has come."""
    if come and not is_to_move(state, seat):
        return f"{come} is here"
    match state.status:
        case Status.OPEN:
            return "Waiting for players"
        case Status.ADJOURNED:
            return "Adjourned"
        case Status.PLAYING if state.seats[seat].kind is SeatKind.BOT:
            return "The computer plays on for you"
        case Status.PLAYING if seat in state.withdrawn:
            return "You gave up"
        case Status.PLAYING if state.turn is not None:
            return "Your move" if state.turn == seat else f"{state.seats[state.turn].name}'s move"
        case Status.PLAYING:
            return "The score is to be settled"
        case _:
            return "Over"


def line_told(line: GameRow) -> dict[str, Any]:
    """A finished game as its template is filled."""
    names = ("address", "title", "result", "against", "details", "day", "moment")
    return {name: getattr(line, name) for name in names}


def _who(person: Person, tickets: dict[int, int] | None = None, muted: Sequence[str] = ()) -> Who:
    hushed = person.preferences.muted if person.account else tuple(name.casefold() for name in muted)
    return Who(person.account, tickets or {}, frozenset(hushed))


def _is_news(card: Card, known: dict[str, str]) -> bool:
    return known.get(str(card.told.table)) not in ("-", card.version)


def _private(told: dict[str, Any]) -> Response:
    """JSON that no cache keeps: it is one person's."""
    headers = {"cache-control": "no-store"}
    return secured(Response(msgspec.json.encode(told), headers=headers, media_type="application/json"))
