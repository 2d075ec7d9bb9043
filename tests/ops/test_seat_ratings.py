"""Ratings beside names come from memory, are read together, and follow what any node rates."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from sqlalchemy.exc import OperationalError

from gateway import registry
from gateway.ops.seat_ratings import SeatRatings
from gateway.ratings.book import Standing
from gateway.ratings.known import Key
from gateway.store.rating_views import RatingViews
from gateway.store.ratings import SqlRatings
from gateway.store.results import Results
from protocols.core.model import Seat, SeatKind, Settings
from protocols.core.notifications import Points
from tests.ratings.results import sat
from tests.running import made_record
from tests.store.results import result
from tests.store.test_ratings import all_rated, stored

CHESS: Settings = registry.game("chess").settings("normal")
WON, LOST = Points(1741, provisional=True), Points(1259, provisional=True)
HOST = "host"


def seats(*names: str) -> list[Seat]:
    return [Seat(at, SeatKind.PLAYER if name else SeatKind.OPEN, name) for at, name in enumerate(names)]


class Counting(RatingViews):
    """Counts what it is asked; ``gone``: the database is away."""

    asked = 0
    gone = False

    def standings(self, keys: Sequence[Key]) -> dict[Key, Standing]:
        if self.gone:
            raise OperationalError("", None, Exception("it is away"))
        self.asked += 1
        return super().standings(keys)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return made_record(tmp_path / "boardgate.db")


@pytest.fixture
def views(url: str) -> Iterator[Counting]:
    with closing(Counting(url)) as found:
        yield found


def rates(url: str, *numbers: int, **changed: Any) -> None:
    """These games are stored, and rated: Anna beats bert, each time by other moves."""
    stored([result(number, opening=b"%d" % number, **changed) for number in numbers], url)
    with closing(SqlRatings(url)) as ratings:
        all_rated(ratings)


def made() -> SeatRatings:
    return SeatRatings(lambda name: name != "guest", lambda state: "expectimax 1 level 2")


@asynccontextmanager
async def running(views: RatingViews) -> AsyncIterator[SeatRatings]:
    ratings = made()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ratings.run, views)
        await trio.testing.wait_all_tasks_blocked()
        yield ratings
        nursery.cancel_scope.cancel()


async def test_whoever_has_a_rating_in_the_pool_is_shown_with_it_and_no_guest(url: str, views: Counting) -> None:
    rates(url, 7, at=1e12)  # no clock will show it: nothing ages
    async with running(views) as ratings:
        at = seats("Anna", "bert")
        assert ratings.of(CHESS, at) == [None, None]
        assert await ratings.learned()
        assert ratings.of(CHESS, at) == [WON, LOST]
        assert ratings.of(CHESS, seats("ANNA", "")) == [WON, None]
        assert not await ratings.learned(), "all is known"
        assert ratings.of(CHESS, seats("guest", "carl")) == [None, None]
        assert await ratings.learned(), "carl was not looked for"
        assert ratings.of(CHESS, seats("guest", "carl")) == [None, None]
        assert ratings.of(registry.game("chess").settings("atomic"), at) == [None, None], "it is another pool"
        assert ratings.of(None, at) == [None, None]


async def test_a_hundred_lists_ask_the_database_once(url: str, views: Counting) -> None:
    rates(url, 7)
    async with running(views) as ratings:
        for number in range(50):
            ratings.of(CHESS, seats("Anna", f"other{number}"))
        await ratings.learned()
        for _ in range(100):
            ratings.of(CHESS, seats("Anna", "other7"))
            assert not await ratings.learned()
        assert views.asked == 1


async def test_what_is_shown_follows_the_next_game_and_an_annulment(url: str, views: Counting) -> None:
    ratings, at = made(), seats("Anna", "bert")
    rates(url, 7, at=1e12)
    ratings.of(CHESS, at)
    await ratings.round(views)
    first = ratings.of(CHESS, at)
    rates(url, 8, at=1e12)
    await ratings.round(views)
    await ratings.round(views)
    second = ratings.of(CHESS, at)
    assert first == [WON, LOST]
    assert second[0] is not None
    assert second[0].rating > WON.rating
    with closing(Results(url)) as kept:
        kept.annul(8, 1, HOST, "by mistake")
    with closing(SqlRatings(url)) as rating:
        all_rated(rating)
    await ratings.round(views)
    assert ratings.of(CHESS, at) == first


async def test_an_account_with_a_person_who_is_its_program_has_the_rating_of_the_pool(
    url: str, views: Counting
) -> None:
    players = (sat("anna"), sat("", "expectimax 1 level 2"))
    rates(url, 7, players=players, at=1e12)
    ratings = made()
    with closing(RatingViews(url)) as direct:
        assert [rated.pool for rated in direct.of("anna", 1e12)] == ["chess/normal/mixed"]
    ratings.of(CHESS, seats("Anna", "bert"))
    await ratings.round(views)
    assert ratings.of(CHESS, seats("Anna", "bert")) == [None, None], "there people play alone"


async def test_the_pool_of_the_last_rated_game_is_found_and_follows_the_next_one(url: str, views: Counting) -> None:
    rates(url, 7, at=1e12)
    async with running(views) as ratings:
        assert ratings.last("Anna") is None
        assert await ratings.settled(lambda: ratings.last("Anna")) == ("chess/normal", WON)
        assert await ratings.settled(lambda: [ratings.last(name) for name in ("carl", "guest", "")]) == [None] * 3
        rates(url, 8, at=1e12, variant="atomic")
        await ratings.round(views)
        await ratings.round(views)
        assert ratings.last("anna") == ("chess/atomic", WON)


async def test_a_database_that_is_away_holds_no_page_up_for_long(url: str, views: Counting) -> None:
    rates(url, 7, at=1e12)
    views.gone = True
    async with running(views) as ratings:
        ratings.of(CHESS, seats("Anna", "bert"))
        await ratings.learned()
        assert not await ratings.learned(), "nobody waits while it is away"
        views.gone = False
        await ratings.round(views)
        assert ratings.of(CHESS, seats("Anna", "bert")) == [WON, LOST]


async def test_without_its_task_nobody_waits() -> None:
    ratings = made()
    assert ratings.of(CHESS, seats("Anna", "bert")) == [None, None]
    assert not await ratings.learned()
