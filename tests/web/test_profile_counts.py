"""A profile counts each table once, and its page is the same on SQLite and on PostgreSQL."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import trio
from starlette.applications import Starlette

from gateway.accounts.circle import Circle
from gateway.lobby.offers import Offers
from gateway.ops.seat_ratings import SeatRatings
from gateway.record.results import Score
from gateway.store.accounts import SqlAccounts
from gateway.store.former import PublicViews
from gateway.store.scores import Scores
from gateway.web import profiles
from gateway.web.pages.assets import Assets
from gateway.web.pages.frame import Frame
from gateway.web.pages.people import PeoplePages
from gateway.web.profiles import Profile, Profiles
from gateway.web.ratings import Ratings
from gateway.web.sessions import kept
from protocols.core import commands as cmd
from tests.cli.playing import moves, record, store
from tests.peers import needed
from tests.record.test_archive import MATED, REMATCH, registered
from tests.store.conftest import DATABASES, postgresql
from tests.web.browsing import asked
from tests.web.serving import served
from tests.web.test_database_away import away

__all__ = ["postgresql"]

SCORES = [Score("checkers", False, 1), Score("chess", False, 0, 3), Score("go", False, 0, 1)]


def furnished(url: str) -> None:
    """An account with games of three kinds, a rematch among them, and a game that goes on."""
    store(url, "chess", [*MATED, *REMATCH, (0, cmd.PlayMove(text="e4")), (1, cmd.Resign())])
    store(url, "go", [*moves("A1", "B2"), (0, cmd.Resign())], table=2)
    store(url, "checkers", [*moves("11-15"), (1, cmd.Resign())], table=3)
    store(url, "chess", [*MATED], table=4)
    store(url, "chess", moves("e4"), table=5)
    registered(url, "Alice")


def no_word(account: str, takes: bool) -> None:
    """Stands for the word of an account about challenges, which is not asked for here."""


async def no_offer(account: str, number: int) -> None:
    """Stands for the end of an offer: none is made here."""


async def page_of(url: str, path: str) -> str:
    """The page of a player, drawn twice: counted, and as it was kept."""
    with closing(PublicViews(url)) as views, closing(SqlAccounts(url)) as accounts, kept(url, str) as found:
        counts = Profiles(accounts, views, found.scores)
        frame = Frame("Boardgate", Assets())
        frame.navigation = ()
        ratings = Ratings(found.ratings, found.results, views)
        circle = Circle(accounts, trio.to_thread.run_sync, Offers(), no_offer)
        beside = SeatRatings(lambda name: False, lambda state: "")
        pages = PeoplePages(frame, views, accounts, found.sessions, counts, ratings, list, circle, beside, no_word)
        async with served(Starlette(routes=pages.routes())) as port:
            first, second = [await asked(port, path) for _ in range(2)]
    assert first.status == 200
    assert first.text == second.text
    return first.text


@needed
async def test_the_page_of_a_player_is_the_same_on_sqlite_and_on_postgresql(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pages = []
    for database in DATABASES.values():
        with database(request) as url:
            furnished(url)
            pages.append(await page_of(url, "/people/alice"))
    assert pages[0] == pages[1]
    assert "Chess" in pages[0]


def test_each_table_is_counted_once_some_for_each_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "COUNTED", 2)
    url = record(tmp_path)
    furnished(url)
    with closing(PublicViews(url)) as views, closing(SqlAccounts(url)) as accounts, closing(Scores(url)) as scores:
        counts = Profiles(accounts, views, scores)
        assert counts.profile("Alice", 1.5, own=False) == Profile([SCORES[0], Score("chess", False, 0, 1)], False)
        with away(monkeypatch, Scores, "keep"):
            assert not counts.profile("alice", 1.5, own=False).whole
        assert counts.profile("Alice", 1.5, own=False) == Profile(SCORES, True)
        with away(monkeypatch, PublicViews, "turning_points") as read:
            assert counts.profile("ALICE", 1.5, own=True) == Profile(SCORES, True)
        assert read == []
