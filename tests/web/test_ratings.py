"""Pages and API of ratings: lists with places, the others apart, curves, records; private games are not told."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import quote

import pytest

from gateway.ratings import book, glicko2
from gateway.store.records import FORMER
from gateway.web import ratings as module
from tests.store.rated import play, season, won
from tests.store.test_rating_views import CHESS, stand, standing
from tests.web.browsing import Element, checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in

POOL = quote(CHESS, safe="")
AUTH = basic("Ann", PASSWORD)


def database(here: Club) -> str:
    return here.hall.server.config.server.database


def furnish(here: Club, games: int = 90) -> None:
    """Three accounts who have played each other for two months, one of them twice at a private table."""
    names = ("Ann", "Bob", "Cem")
    for name in names:
        here.has_account(name)
    found = season(names, games, time.time())
    private = won(games + 1, "Ann", "Bob", time.time()), won(games + 2, "Ann", "Bob", time.time())
    play(database(here), [*found, *private], [each.table for each in private])


def places(page: Element, label: str) -> list[list[str]]:
    """The cells of the lines of a list."""
    (table,) = (each for each in page.all("table") if each.attributes.get("aria-label") == label)
    (body,) = table.all("tbody")
    return [[cell.words() for cell in row.all("td", "th")] for row in body.all("tr")]


async def test_pools_lead_to_their_lists_and_lists_to_the_players(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        furnish(here)
        page = checked(await Person(here.port).get("/ratings"))
        (link,) = [each for each in page.all("a") if each.attributes["href"].startswith("/ratings?")]
        assert (link.text, link.attributes["href"]) == ("Chess", f"/ratings?pool={POOL}")
        listed = checked(await Person(here.port).get(link.attributes["href"]))
        shown = places(listed, "Players with a place")
        assert [row[:2] for row in shown] == [["1", "Ann"], ["2", "Bob"], ["3", "Cem"]]
        assert "/people/Ann" in [each.attributes["href"] for each in listed.all("a")]
        told = (await here.ask(f"/api/ratings?pool={POOL}")).body
        assert [(each["place"], each["name"], each["ranked"]) for each in told["players"]] == [
            (1, "Ann", True),
            (2, "Bob", True),
            (3, "Cem", True),
        ]
        assert [[f"{each['rating']:.0f}", f"{each['games']}"] for each in told["players"]] == [
            [row[2], row[4]] for row in shown
        ]
        (pool,) = (await here.ask("/api/ratings")).body["pools"]
        assert (pool["pool"], pool["title"], pool["players"]) == (CHESS, "Chess", 3)


async def test_the_formulas_numbers_are_those_that_the_server_counts_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand in no template: another number is another page."""
    async with club(tmp_path) as here:
        words = checked(await Person(here.port).get("/ratings")).words()
        assert "No rated game has ended here yet" in words
        for number in (
            f"begin with {glicko2.START.rating:.0f} and an RD of {glicko2.START.rd:.0f}",
            f"Tau {glicko2.TAU}",
            f"days × {glicko2.PERIODS_A_DAY} × ({glicko2.SCALE} × volatility)²",
            f"RD {glicko2.RD_LEAST:.0f} to {glicko2.RD_MOST:.0f}",
            f"From an RD of {book.PROVISIONAL_RD:.0f} on",
        ):
            assert number in words
        monkeypatch.setattr(glicko2, "TAU", 0.5)
        monkeypatch.setattr(book, "RANKED_RD", 66.0)
        other = checked(await Person(here.port).get("/ratings")).words()
        assert "Tau 0.5" in other
        assert "Up to an RD of 66 a player has a place" in other


async def test_a_list_is_paged_and_those_without_a_place_stand_apart(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        stands = [standing(f"sure{at:03}", 1500.0 + at // 2, 46.0) for at in range(module.PAGE + 3)]
        stands += [standing(f"new{at}", 1900.0 + at, 300.0) for at in range(2)]
        stands = [(player, each._replace(at=time.time())) for player, each in stands]
        stand(database(here), *stands)
        first = checked(await Person(here.port).get(f"/ratings?pool={POOL}"))
        ranked, others = places(first, "Players with a place"), places(first, "Players without a place")
        assert [len(ranked), ranked[0][0], ranked[-1][0]] == [module.PAGE, "1", f"{module.PAGE}"]
        assert [row[0] for row in others] == ["", ""]
        assert [row[2] for row in others] == ["1901?", "1900?"]
        (more,) = [each.attributes["href"] for each in first.all("a") if each.text == "Further places"]
        second = checked(await Person(here.port).get(more))
        assert [row[0] for row in places(second, "Players with a place")] == ["51", "52", "53"]
        assert not [each for each in second.all("svg") if "chart" in each.attributes.get("class", "")]

        told = (await here.ask(f"/api/ratings?pool={POOL}")).body
        rest = (await here.ask(f"/api/ratings?pool={POOL}&after={told['next']}")).body
        assert [each["place"] for each in (*told["players"], *rest["players"])] == list(range(1, module.PAGE + 4))
        assert rest["next"] is None
        new = (await here.ask(f"/api/ratings?pool={POOL}&list=others")).body["players"]
        assert [(each["place"], each["provisional"]) for each in new] == [(None, True)] * 2
        assert {each["name"] for each in new} == {FORMER}, "nobody has made these accounts"
        bars = (await here.ask(f"/api/ratings/distribution?pool={POOL}")).body["bars"]
        assert bars == [
            {"low": 1500, "ranked": 53, "others": 0},
            {"low": 1900, "ranked": 0, "others": 2},
        ]
        (picture,) = (each for each in first.all("svg") if "chart" in each.attributes.get("class", ""))
        assert picture.attributes["aria-label"].startswith("55 players by rating, from 1500 to 1949.")


async def test_a_profile_has_a_curve_a_record_and_the_best_win(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        furnish(here)
        page = checked(await Person(here.port).get("/people/ann"))
        curve, weeks = (each for each in page.all("svg") if "chart" in each.attributes.get("class", ""))
        assert curve.attributes["aria-label"].startswith("Rating in Chess: ")
        assert weeks.attributes["aria-label"].startswith("60 games in 26 weeks")
        words = page.words()
        assert "Against each opponent Opponent Games Won Lost Drawn Bob 30 23 7 0 Cem 30 23 7 0" in words
        assert "Best win: " in words
        (own,) = (await here.ask("/api/players/ann")).body["ratings"]
        assert (own["pool"], own["games"], own["ranked"]) == (CHESS, 62, True)
        told = (await here.ask("/api/players/ann/record")).body
        assert (told["games"], told["whole"], sum(told["weeks"])) == (60, True, 60)
        assert told["opponents"][0] == {"name": "Bob", "engine": "", "won": 23, "lost": 7, "drawn": 0}
        assert [win["pool"] for win in told["best_wins"]] == [CHESS]


async def test_private_games_are_told_to_the_account_alone(tmp_path: Path) -> None:
    """They move the rating that everybody sees, so they stand among its games, without table and opponent."""
    async with club(tmp_path) as here:
        furnish(here, 6)
        path = f"/api/players/ann/steps?pool={POOL}"
        for auth, tables in (("", {None}), (AUTH, {7, 8}), (basic("Bob", PASSWORD), {None})):
            told = (await here.ask(path, auth=auth)).body["steps"]
            assert len(told) == 6, "two of six are Bob's and Cem's"
            assert {step["table"] for step in told[:2]} == tables
            assert [len(step["others"]) for step in told[:2]] == ([1, 1] if auth == AUTH else [0, 0])
            assert {step["table"] for step in told[2:]} <= {1, 2, 3, 4, 5, 6}
        mine = (await here.ask("/api/players/ann/record", auth=AUTH)).body
        assert (mine["games"], (await here.ask("/api/players/ann/record")).body["games"]) == (6, 4)
        person = Person(here.port)
        stranger = checked(await person.get(f"/people/Ann?pool={POOL}")).words()
        assert stranger.count("a game that is not shown") == 2
        assert (await person.send("/login", name="Ann", password=PASSWORD)).status == 303
        assert "a game that is not shown" not in checked(await person.get(f"/people/Ann?pool={POOL}")).words()


async def test_the_games_of_a_rating_are_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.Ratings.steps, "__kwdefaults__", {"most": 5})
    async with club(tmp_path) as here:
        furnish(here, 12)
        first = (await here.ask(f"/api/players/ann/steps?pool={POOL}")).body
        second = (await here.ask(f"/api/players/ann/steps?pool={POOL}&before={first['next']}")).body
        ordinals = [step["ordinal"] for step in (*first["steps"], *second["steps"])]
        assert (ordinals, second["next"]) == (sorted(ordinals, reverse=True), None)
        page = checked(await Person(here.port).get(f"/people/ann?pool={POOL}"))
        (more,) = [each.attributes["href"] for each in page.all("a") if each.text == "Earlier games"]
        assert "Earlier games" in [each.text for each in checked(await Person(here.port).get(more)).all("h2")]


@pytest.mark.parametrize(
    "path",
    [
        "/api/ratings?pool=",
        "/api/ratings?pool=%00",
        f"/api/ratings?pool={'x' * 101}",
        f"/api/ratings?pool={POOL}&list=all",
        f"/api/ratings?pool={POOL}&after=nonsense",
        f"/api/ratings?pool={POOL}&after=WzEsIDIsICJhXHUwMDAwIiwgIiJd",
        "/api/ratings/distribution",
        "/api/players/ann/steps",
        f"/api/players/ann/steps?pool={POOL}&before=-1",
    ],
)
async def test_a_request_without_sense_is_refused(tmp_path: Path, path: str) -> None:
    async with club(tmp_path) as here:
        here.has_account("ann")
        assert (await here.ask(path)).error == (400, "bad_request")


async def test_who_or_what_is_not_there_is_said(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for path in ("/api/players/ann", "/api/players/ann/record", f"/api/players/ann/steps?pool={POOL}"):
            assert (await here.ask(path)).error == (404, "no_such_player")
        assert (await here.ask(f"/api/ratings?pool={POOL}")).body == {"pools": [], "players": [], "next": None}
        for asked in ("chess", "x", POOL, f"{POOL}&after=%2F", "%00", ""):
            assert (await Person(here.port).get(f"/ratings?pool={asked}")).status == 404, asked
        anna = await logged_in(here, "anna")
        assert "No finished game that everybody may see" in checked(await anna.get(f"/people/anna?pool={POOL}")).words()
