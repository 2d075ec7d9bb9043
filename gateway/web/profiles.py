"""Finds people for pages and the API: by a part of the name, and what one of them has won, lost and drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from gateway.record.people import seat_of, sitting
from gateway.record.results import Score, scores
from gateway.store.accounts import Accounts
from gateway.store.former import PublicViews
from gateway.store.records import StoredEvent
from gateway.store.scores import Games, Scores, TableScore, Uncounted

FOUND: Final = 30
"""Names of one answer."""

COUNTED: Final = 500
"""Tables that are counted for one request, the newest: a program may have played at a hundred thousand."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Profile:
    """The ``scores`` of a person. ``whole``: all games are counted; else the next request counts more of them."""

    scores: list[Score]
    whole: bool


class Profiles:
    """Reads ``accounts`` and ``views``, and keeps in ``kept`` what it has counted; every method blocks."""

    def __init__(self, accounts: Accounts, views: PublicViews, kept: Scores) -> None:
        self._accounts = accounts
        self._views = views
        self._kept = kept

    def search(self, part: str, after: str = "") -> tuple[list[str], str | None]:
        """Names of accounts with this part in them, behind ``after``; what goes on behind these, None: nothing."""
        found = self._accounts.search(part, after, FOUND + 1)
        return found[:FOUND], found[FOUND - 1] if len(found) > FOUND else None

    def profile(self, name: str, since: float | None, *, own: bool) -> Profile:
        """The scores at tables that are over; private ones are counted for the person alone (``own``).

        ``since`` is when the account of this name was made, Unix time; None for a guest's name.
        """
        left = self._kept.uncounted(name, since or 0.0, COUNTED + 1)
        whole = len(left) <= COUNTED
        try:
            if left:
                self._kept.keep(name, since or 0.0, self._counted(name, since, left[:COUNTED]))
        except SQLAlchemyError as error:
            _log.info("scores cannot be kept", error=str(error))
            whole = False
        return Profile(self._scores(name, since, own=own), whole)

    def _scores(self, name: str, since: float | None, *, own: bool) -> list[Score]:
        sums = self._kept.of(name, since or 0.0, private=own)
        found = [
            Score(game, programs, *games)
            for programs, by_game in ((False, sums.people), (True, sums.programs))
            for game, games in by_game.items()
            if any(games)
        ]
        return sorted(found, key=lambda score: (score.game, score.programs))

    def _counted(self, name: str, since: float | None, left: Sequence[Uncounted]) -> list[TableScore]:
        numbers = [each.table for each in left]
        points, opened = self._views.turning_points(numbers), self._views.opened(numbers)
        kept = {} if since is None else {seat.table: seat.seat for seat in self._views.kept_seats(name, numbers)}
        return [
            _counted(each, *opened[each.table], _games(name, since, points[each.table], kept.get(each.table)))
            for each in left
            if each.table in opened
        ]


def _games(name: str, since: float | None, points: Sequence[StoredEvent], kept: int | None) -> dict[bool, Games]:
    """The person's games at a table, those against programs alone by True; it may have ``kept`` a guest's seat there.

    None of an account that somebody else played under its name, before it was made.
    """
    if kept is None and since is not None and seat_of(name, points, since) is None:
        return {}
    who = name if kept is None else sitting(points).get(kept, "")
    return {score.programs: Games(score.won, score.lost, score.drawn) for score in scores([("", who, points)])}


def _counted(table: Uncounted, game: str, private: bool, games: dict[bool, Games]) -> TableScore:
    none = Games(0, 0, 0)
    return TableScore(*table, game, private, games.get(False, none), games.get(True, none))
