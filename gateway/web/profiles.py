"""Finds people for pages and the API: by a part of the name, and what one of them has won, lost and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gateway.record.people import seat_of, sitting
from gateway.record.results import Score, scores
from gateway.store.accounts import Accounts
from gateway.store.former import PublicViews

FOUND: Final = 30
"""Names of one answer."""

COUNTED: Final = 1000
"""Tables whose games are counted, the newest: a program may have played at a hundred thousand."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The ``scores`` of a person. ``whole``: there are no older games than those that were counted."""

    scores: list[Score]
    whole: bool


class Profiles:
    """Reads ``accounts`` and ``views``; every method blocks."""

    def __init__(self, accounts: Accounts, views: PublicViews) -> None:
        self._accounts = accounts
        self._views = views

    def search(self, part: str, after: str = "") -> tuple[list[str], str | None]:
        """Names of accounts with this part in them, behind ``after``; what goes on behind these, None: nothing."""
        found = self._accounts.search(part, after, FOUND + 1)
        return found[:FOUND], found[FOUND - 1] if len(found) > FOUND else None

    def profile(self, name: str, since: float | None, *, own: bool) -> Profile:
        """The scores at tables that are over; private ones are counted for the person alone (``own``).

        ``since`` is when the account of this name was made, Unix time; None for a guest's name.
        """
        found = self._views.seated(name, over=True, limit=COUNTED + 1)
        seen = [view for view in found[:COUNTED] if own or not view.private]
        numbers = [view.table for view in seen]
        points = self._views.turning_points(numbers)
        kept = {} if since is None else {seat.table: seat.seat for seat in self._views.kept_seats(name, numbers)}
        played = []
        for view in seen:
            events = points[view.table]
            who = sitting(events).get(kept[view.table], "") if view.table in kept else name
            if since is None or view.table in kept or seat_of(name, events, since) is not None:
                played.append((view.game, who, events))
        return Profile(scores(played), len(found) <= COUNTED)
