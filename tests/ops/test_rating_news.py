"""Changes of rated games are told at their tables once they are in the database, and not waited for without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock, wait_all_tasks_blocked

from gateway.ops.rating_news import PATIENCE_S, RatingNews
from gateway.ratings.book import REPEATED
from gateway.store.rating_views import Change, RatingViews
from gateway.store.ratings import SqlRatings
from gateway.store.records import Player, Result
from gateway.tables.seams import Subscriber
from gateway.tables.subscribers import Subscribers
from protocols.core.notifications import Notification, Points, Rated, SeatRated, SeatStakes, Stakes
from tests.running import made_record
from tests.store.results import result
from tests.store.test_ratings import all_rated, stored

NEW = Points(1500, provisional=True)
WON = Rated(
    *(7, 1),
    (
        SeatRated(0, "Anna", NEW, Points(1741, provisional=True)),
        SeatRated(1, "bert", NEW, Points(1259, provisional=True)),
    ),
)


@dataclass(slots=True, eq=False)
class Listener(Subscriber):
    """Hears what a table tells, and is nothing else."""

    told: list[Notification] = field(default_factory=list)
    heard: trio.Event = field(default_factory=trio.Event)

    def tell(self, messages: Sequence[Notification], seq: int = 0) -> None:
        assert seq == 0, "it is in no record"
        self.told += messages
        self.heard.set()


@dataclass(slots=True)
class Table:
    """A running table, as far as it is told something."""

    subscribers: Subscribers = field(default_factory=lambda: Subscribers(10))
    listener: Listener = field(default_factory=Listener)

    def __post_init__(self) -> None:
        self.subscribers.watch(self.listener, "carl")


@dataclass(frozen=True, slots=True)
class Kind:
    """A game that has a pool."""

    game: str
    variant: str
    width: int


@pytest.fixture
def url(tmp_path: Path) -> str:
    return made_record(tmp_path / "boardgate.db")


@pytest.fixture
def views(url: str) -> Iterator[RatingViews]:
    with closing(RatingViews(url)) as found:
        yield found


def rates(url: str, *games: Result) -> None:
    """The games are stored, and rated."""
    stored(games, url)
    with closing(SqlRatings(url)) as ratings:
        all_rated(ratings)


async def test_a_table_is_told_its_ratings_once_and_as_soon_as_they_are_there(url: str, views: RatingViews) -> None:
    table = Table()
    news = RatingNews({7: table}.get)
    news.ended(result(7))
    await news.round(views)
    assert table.listener.told == []
    rates(url, result(7), result(8))
    for _ in range(2):
        await news.round(views)
        assert table.listener.told == [WON]
    assert WON.words(None) == "rated: Anna 1500? -> 1741?, bert 1500? -> 1259?"


async def test_a_rating_is_the_one_of_the_games_pool_or_a_beginners(url: str, views: RatingViews) -> None:
    played = result(7)
    chess, other = Kind(played.game, played.variant, played.width), Kind(played.game, "other", played.width)
    rates(url, played)
    news = RatingNews(lambda _: None)
    assert (await news.rating_of("Anna", chess), await news.side_of("Anna", "bert", chess)) == (1500, None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(news.run, views)
        await wait_all_tasks_blocked()
        found = [await news.rating_of(name, kind) for name in ("Anna", "bert", "carl") for kind in (chess, other)]
        sides = [await news.side_of("Anna", "Bert", kind) for kind in (chess, other)]
        nursery.cancel_scope.cancel()
    assert sides == [1, None]
    assert found == [1741, 1500, 1259, 1500, 1500, 1500]


async def test_a_game_that_does_not_count_is_told_with_its_reason(url: str, views: RatingViews) -> None:
    tables = {number: Table() for number in (7, 8, 9)}
    news = RatingNews(tables.get)
    games = (result(7, why="short"), result(8, at=2000.0), result(9, at=3000.0))
    for game in games:
        news.ended(game)
    rates(url, *games)
    await news.round(views)
    told = [table.listener.told for table in tables.values()]
    assert told[0] == [Rated(7, 1, (), "short", "a player made fewer than two moves")]
    assert told[2] == [Rated(9, 1, (), REPEATED, "the same player won by the same first moves a short while ago")]


async def test_a_table_is_told_what_its_game_may_change_as_it_begins(url: str, views: RatingViews) -> None:
    """Not rated is what does not count whatever is played; at a table of three the changes depend on all three."""
    tables = {number: Table() for number in (7, 8, 9)}
    news = RatingNews(tables.get)
    three = (Player("Anna", "anna"), Player("bert", "bert"), Player("carl", "carl"))
    games = (result(7), result(8, why="handicap"), result(9, players=three, places=(1, 1, 1)))
    for game in games:
        news.began(game)
    await news.round(views)
    told = [table.listener.told for table in tables.values()]
    players = tuple(SeatStakes(seat, name, NEW, 241, 0, -241) for seat, name in ((0, "Anna"), (1, "bert")))
    assert told[0] == [stakes := Stakes(7, 1, players)]
    assert stakes.words(1) == ("this game is rated: Anna 1500?, bert 1500?; for you a win +241, a draw +0, a loss -241")
    assert stakes.words(None) == "this game is rated: Anna 1500?, bert 1500?"
    assert told[1] == [unrated := Stakes(8, 1, (), "handicap", "the game began with handicap stones")]
    assert unrated.words(0) == "this game will not be rated: the game began with handicap stones"
    assert told[2] == [Stakes(9, 1, tuple(SeatStakes(seat, three[seat].name, NEW) for seat in range(3)))]
    rates(url, result(7))
    news.began(result(7, number=2))
    await news.round(views)
    (again,) = told[0][1:]
    assert isinstance(again, Stakes)
    assert [str(player.rating) for player in again.players] == ["1741?", "1259?"]


async def test_no_one_is_asked_for_casual_games_and_a_closed_table_is_no_error(url: str, views: RatingViews) -> None:
    table = Table()
    news = RatingNews({8: table}.get)
    news.ended(result(7))
    news.ended(result(8, rated=False))
    rates(url, result(7), result(8, rated=False))
    await news.round(views)
    assert table.listener.told == []


async def test_a_game_that_nobody_rates_is_given_up(url: str, views: RatingViews, autojump_clock: MockClock) -> None:
    table = Table()
    news = RatingNews({7: table}.get)
    news.ended(result(7))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(news.run, views)
        await trio.sleep(2 * PATIENCE_S)
        rates(url, result(7))
        await trio.sleep(PATIENCE_S)
        assert table.listener.told == []
        news.ended(result(7))  # it waits again for games that end
        await table.listener.heard.wait()
        nursery.cancel_scope.cancel()


async def test_trouble_of_the_database_loses_no_news(url: str, views: RatingViews, autojump_clock: MockClock) -> None:
    class Troubled(RatingViews):
        """Fails once."""

        failed = False

        def of_games(self, games: object) -> list[Change]:
            if not self.failed:
                self.failed = True
                raise OperationalError("SELECT", {}, Exception("gone"))
            return views.of_games([(7, 1)])

    rates(url, result(7))
    table = Table()
    news = RatingNews({7: table}.get)
    news.ended(result(7))
    async with trio.open_nursery() as nursery:
        with closing(Troubled(url)) as troubled:
            nursery.start_soon(news.run, troubled)
            await table.listener.heard.wait()
            assert (troubled.failed, table.listener.told) == (True, [WON])
            nursery.cancel_scope.cancel()
