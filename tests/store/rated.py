"""Fills a database with rated games that have ended, each at a table of its own, and rates them as a server does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from gateway import registry
from gateway.store import batch, codec
from gateway.store.accounts import SqlAccounts
from gateway.store.ratings import SqlRatings
from gateway.store.records import Append, Player, Result, TableRow
from protocols.core.events import TableOpened
from protocols.core.model import HouseRules
from tests.store.conftest import connected
from tests.store.results import result
from tests.store.steps import AT, SECRET


def accounts(url: str, *names: str) -> None:
    """Accounts of these names, without a password that fits."""
    with closing(SqlAccounts(url)) as stored:
        for name in names:
            stored.add(name, "no hash", "test")


def won(table: int, winner: str, loser: str, at: float, **changed: Any) -> Result:
    """A game of chess between two accounts; no two of them begin alike."""
    players = tuple(Player(name, name.casefold()) for name in (winner, loser))
    about: dict[str, Any] = {
        "players": players,
        "at": at,
        "started_at": at - 600.0,
        "opening": table.to_bytes(32, "big"),
    }
    return result(table, **{**about, **changed})


def ended(each: Result, *, private: bool = False) -> Append:
    """The step that stores a table with this game, which is over."""
    house = HouseRules(private=private)
    settings = replace(registry.game(each.game).settings(each.variant), rated=True)
    rows = codec.rows(codec.GENESIS, each.table, 0, AT, [TableOpened(settings, house)])
    opened = TableRow(each.table, 1, "over", each.game, each.variant, SECRET, AT)
    return Append(each.table, 1, 0, tuple(rows), opened=opened, results=(each,))


def play(url: str, games: Sequence[Result], private: Sequence[int] = ()) -> None:
    """These games have ended, those at ``private`` tables among them, and are rated."""
    with connected(url) as connection, connection.begin():
        batch.write(connection, [ended(each, private=each.table in private) for each in games])
    rate(url)


def rate(url: str) -> None:
    """All that waits is rated."""
    with closing(SqlRatings(url)) as ratings:
        if ratings.look() == "stale":
            ratings.rebuild(None, 5.0, lambda done, whole: None, lambda: None)
        while ratings.count(None):
            pass


def season(players: Sequence[str], games: int, now: float, days: float = 60.0) -> list[Result]:
    """Games of these players in the last ``days``, everybody against everybody in turn: who stands first in the list
    wins three of four."""
    found, pairs = [], [(one, other) for at, one in enumerate(players) for other in players[at + 1 :]]
    for number in range(games):
        one, other = pairs[number % len(pairs)]
        if (number // len(pairs)) % 4 == 3:
            one, other = other, one
        found.append(won(1 + number, one, other, now - (games - number) * days * 86_400.0 / games))
    return found
