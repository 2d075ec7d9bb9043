"""Shows who is here, and the games of each player at public tables: running ones on top, then the newest first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import registry
from gateway.accounts.circle import WORDS, Circle
from gateway.lobby.here import Person as PersonHere
from gateway.lobby.names import LONGEST
from gateway.lobby.table_words import idle_words
from gateway.ops.seat_ratings import SeatRatings
from gateway.ratings.known import in_words
from gateway.record.people import GameThere, Result, games_of, seat_of, sitting
from gateway.store.accounts import Accounts, NoAccount
from gateway.store.former import PublicViews
from gateway.store.records import FORMER
from gateway.store.ties import Tie
from gateway.store.views import TableView
from gateway.web.forms import form_of, gone_to
from gateway.web.pages.frame import Frame, day, moment
from gateway.web.pages.refusing import as_page
from gateway.web.pages.standing import StandingShown
from gateway.web.pages.words import rule_words, time_words
from gateway.web.pools import pool_title
from gateway.web.profiles import Profiles
from gateway.web.ratings import Ratings
from gateway.web.refusals import BadRequest
from gateway.web.sessions import WebSessions, person_of
from gateway.web.sharing import table_address
from protocols.core.model import Settings
from protocols.core.numbers import whole

T = TypeVar("T")

PAGE: Final = 30
"""Games of one page."""

RUNNING: Final = 50
"""Running games of one player that are shown: programs may have many."""

RESULTS: Final[dict[Result, str]] = {"won": "Won", "lost": "Lost", "drawn": "Draw", "void": "Void", "": ""}

STATES: Final = {"open": "Waits", "playing": "Playing", "adjourned": "Adjourned", "over": ""}


@dataclass(frozen=True, slots=True)
class GameRow:
    """A line of a list of games. ``others`` are the opponents, ``result`` and ``why`` how it ended for the player.

    ``ratings`` stand behind the opponents' names: "(1523?)", "" where there is none; () for all.
    """

    address: str
    title: str
    rules: str
    others: tuple[str, ...]
    result: str
    why: str
    at: float
    private: bool
    settings: Settings | None = None
    ratings: tuple[str, ...] = ()

    @property
    def against(self) -> str:
        """The opponents in words: "against Ann, Ben and Li"."""
        *first, last = self.others or ("",)
        names = f"{', '.join(first)} and {last}" if first else last
        return f"against {names}" if names else ""

    @property
    def details(self) -> str:
        """The rules, how it ended, whether it is private."""
        return " · ".join(words for words in (self.rules, self.why, "private" if self.private else "") if words)

    @property
    def day(self) -> str:
        return day(self.at)

    @property
    def moment(self) -> str:
        return moment(self.at)


def game_rows(views: PublicViews, found: Sequence[TableView], name: str, since: float | None = None) -> list[GameRow]:
    """The lines of these tables for this player, in the same order; of each table its last game comes first.

    Of an account those since it was made (``since``, Unix time) and those that it has kept: who was called so before
    was somebody else.
    """
    numbers = [view.table for view in found]
    points = views.turning_points(numbers)
    kept = {} if since is None else {seat.table: seat.seat for seat in views.kept_seats(name, numbers)}
    rows = []
    for view in found:
        events = points[view.table]
        who = sitting(events).get(kept[view.table], "") if view.table in kept else name
        if since is None or view.table in kept or seat_of(name, events, since) is not None:
            rows += rows_of(games_of(view, events), who)
    return rows


def rows_of(games: Sequence[GameThere], name: str) -> list[GameRow]:
    """The lines of a table's games for this player, the newest first: of one that goes on, or of all it played."""
    *before, last = games
    ended = reversed(before if last.outcome is not None else [])
    return [_row(last, name), *(_row(game, name, game.number) for game in ended if game.seat_of(name) is not None)]


def _row(game: GameThere, name: str, earlier: int = 0) -> GameRow:
    view, seat = game.table, game.seat_of(name)
    held = game.names if any(game.names) else tuple(each.name for each in view.seats)
    others = tuple(
        other for at, other in enumerate(held) if other and at != seat and other.casefold() != name.casefold()
    )
    settings = view.settings
    rules = [] if settings is None else [*rule_words(settings), time_words(settings.time)]
    rules += ["rated"] if settings is not None and settings.rated else []
    result = RESULTS[game.result(name)] or STATES.get(view.status, "")
    why = game.outcome.detail or game.outcome.reason.value if game.outcome is not None else ""
    title = registry.title(view.game)
    address = table_address(view.table, earlier)
    return GameRow(address, title, " · ".join(rules), others, result, why, game.at, view.private, settings)


class PeoplePages:
    """``here`` lists who is here now; ``beside`` are ratings beside names; ``says`` has an account take challenges, or
    none.
    """

    def __init__(
        self,
        frame: Frame,
        views: PublicViews,
        accounts: Accounts,
        sessions: WebSessions,
        profiles: Profiles,
        ratings: Ratings,
        here: Callable[[], Sequence[PersonHere]],
        circle: Circle,
        beside: SeatRatings,
        says: Callable[[str, bool], None],
    ) -> None:
        self._says = says
        self._beside = beside
        self._circle = circle
        self._frame = frame
        self._views = views
        self._accounts = accounts
        self._sessions = sessions
        self._profiles = profiles
        self._standing = StandingShown(frame, ratings)
        self._here = here

    def routes(self) -> list[Route]:
        return [
            Route("/people", as_page(self._frame, self.everybody), methods=["GET"]),
            Route("/people", as_page(self._frame, self.challenges), methods=["POST"]),
            Route("/people/{name:path}", as_page(self._frame, self.player), methods=["GET"]),
            Route("/people/{name:path}", as_page(self._frame, self.tie), methods=["POST"]),
        ]

    async def everybody(self, request: Request) -> Response:
        wanted = request.query_params.get("name", "").strip()
        if wanted:
            return await self._search(request, wanted[:LONGEST])
        here, account = self._here(), person_of(request).account
        doing = {person.name.casefold(): person for person in here}
        follows = await self._circle.tied("follows", account) if account else []
        blocked = await self._circle.tied("blocks", account) if account else []
        own = doing.get(account.casefold())
        return self._frame.page(
            request,
            "people.html",
            here=here,
            own=own if account else None,
            ratings=await self._beside.settled(lambda: {one.name: self._rated(one.name) for one in here}),
            follows=[(found.name, doing.get(found.name.casefold())) for found in follows],
            blocked=[found.name for found in blocked],
            idle=partial(idle_words, now=time.time()),
        )

    def _rated(self, name: str) -> tuple[str, str] | None:
        """The title of the pool in which an account has played for a rating last, and the rating; None: none."""
        found = self._beside.last(name)
        return None if found is None else (pool_title(found[0]), in_words(found[1]))

    async def _search(self, request: Request, part: str) -> Response:
        """Accounts with this part in their names; the player of this name where there is none, or that one alone."""
        after = request.query_params.get("after", "")[:LONGEST]
        found, further = await self._sessions.do(self._profiles.search, part, after)
        if not after and (not found or [name.casefold() for name in found] == [part.casefold()]):
            return await self._player(request, part)
        more = f"/people?{urlencode({'name': part, 'after': further})}" if further is not None else ""
        return self._frame.page(request, "people_found.html", part=part, found=found, more=more)

    async def challenges(self, request: Request) -> Response:
        """The button of the list: ``challenges`` are taken from now on ("yes"), or none are ("no")."""
        fields, account = await form_of(request), person_of(request).known_account()
        if not account:
            raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")
        if fields["challenges"] in ("yes", "no"):
            self._says(account, fields["challenges"] == "yes")
        return gone_to("/people")

    async def player(self, request: Request) -> Response:
        return await self._player(request, request.path_params["name"])

    def _row(self, row: GameRow) -> GameRow:
        """The same with the opponents' ratings."""
        return replace(row, ratings=tuple(map(in_words, self._beside.named(row.settings, row.others))))

    async def tie(self, request: Request) -> Response:
        """A button of the player's page: ``follows`` or ``blocks`` is "yes" from now on, or "no"."""
        fields, account, name = await form_of(request), person_of(request).known_account(), request.path_params["name"]
        if not account:
            raise BadRequest(HTTPStatus.FORBIDDEN, "not_logged_in", "Log in first: your session is over.")
        for kind in WORDS:
            if fields[kind] == "yes":
                with suppress(NoAccount):
                    await self._circle.tie(kind, account, name[: LONGEST + 1])
            elif fields[kind] == "no":
                await self._circle.untie(kind, account, name[: LONGEST + 1])
        return gone_to(f"/people/{quote(name, safe='')}")

    async def _ties(self, account: str, name: str) -> dict[Tie, bool]:
        """Whether this account has a player in each of its lists; {}: it cannot have."""
        if not account or name.casefold() == account.casefold():
            return {}
        lists = {kind: await self._circle.tied(kind, account) for kind in WORDS}
        return {kind: any(one.name.casefold() == name.casefold() for one in found) for kind, found in lists.items()}

    async def _player(self, request: Request, name: str) -> Response:
        """The player's page; with ``pool`` in the address the games of one rating."""
        before = whole(request.query_params.get("before", ""))
        own = person_of(request).account.casefold() == name.casefold()
        if "pool" in request.query_params and len(name) <= LONGEST:
            account = await self._sessions.do(self._accounts.find, name)
            steps = partial(self._standing.games, request, account, before, own=own)
            if account is not None and (page := await self._sessions.do(steps)) is not None:
                return page
        found = await self._sessions.do(self._of, name, before) if len(name) <= LONGEST else None
        if found is None:
            unknown = f"Nobody called {name[:LONGEST]} has an account here or has played a game that is shown."
            return self._frame.error(request, HTTPStatus.NOT_FOUND, "No such player", unknown)
        shown, since, bot, *lists, further = found
        running, past = await self._beside.settled(lambda: [list(map(self._row, rows)) for rows in lists])
        profile = partial(self._profiles.profile, shown, since, own=own)
        counted = await self._sessions.do(profile) if before is None else None
        standing = partial(self._standing.of, shown, own=own)
        rated = await self._sessions.do(standing) if before is None and since is not None else None
        ties = await self._ties(person_of(request).account, shown) if since is not None else {}
        return self._frame.page(
            request,
            "player.html",
            ties=ties,
            player=shown,
            own=own,
            address=f"/people/{quote(shown, safe='')}",
            since=since,
            bot=bot,
            running=running if before is None else [],
            past=past,
            further=further,
            first=before is None,
            counted=counted,
            rated=rated,
            title_of=registry.title,
        )

    def _of(
        self, name: str, before: int | None
    ) -> tuple[str, float | None, bool, list[GameRow], list[GameRow], int | None] | None:
        """The name as it is written, since when it is an account's, whether that is a program's, running games, past
        ones, ``before`` of the next page. None: there is no such player, or none any more."""
        if name.casefold() in self._views.former() or name.casefold() == FORMER:
            return None
        account = self._accounts.find(name)
        running = [view for view in self._views.seated(name, over=False, limit=RUNNING) if not view.private]
        past = self._views.seated(name, over=True, limit=PAGE + 1, before=before)
        further = past[PAGE - 1].table if len(past) > PAGE else None
        public = [view for view in past[:PAGE] if not view.private]
        if account is None and not running and not public and before is None:
            return None
        since = None if account is None else account.created_at
        rows = game_rows(self._views, running, name, since), game_rows(self._views, public, name, since)
        bot = account is not None and account.bot
        return name if account is None else account.name, since, bot, *rows, further
