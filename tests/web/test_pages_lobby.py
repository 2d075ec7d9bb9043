"""The first page: the form that begins a game, who waits, the boards that are played, and what it never shows."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from msgspec.structs import replace
from starlette.requests import Request

from gateway import registry
from gateway.config import Seats
from gateway.lobby.join_options import options_of
from gateway.table.state import State
from gateway.tables.runner import TableRunner
from gateway.web.pages.assets import Assets
from gateway.web.pages.cards import Cards
from gateway.web.pages.frame import Frame
from gateway.web.pages.lobby import ROWS, Lobby
from gateway.web.pages.open_tables import OpenTable, open_tables
from gateway.web.pages.play_form import PlayForm
from gateway.web.pages.yours import Yours
from protocols.core.commands import Join
from tests.hall import Hall, config
from tests.web.browsing import Answer, Element, asked, checked, links, read
from tests.web.club import Club, club

PATIENT = config(seats=Seats(bot_after_s=None))
HOSTILE = '"><img src=x onerror=alert(1)>'


SCOPE = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "server": ("here", 80)}
FRAME = Frame("Boardgate", Assets())

NOBODYS: Any = Yours(FRAME, None, None, None)  # type: ignore[arg-type]  # nobody is logged in, so nothing is looked for


class Copy:
    """A running table as pages read it, under another number."""

    def __init__(self, table: TableRunner, number: int) -> None:
        self.state: State = replace(table.state, table=number)
        self.subscribers = table.subscribers


async def lobby(here: Club, query: str = "") -> Element:
    answer = await asked(here.port, f"/{query}")
    assert answer.status == 200
    return checked(answer)


async def changes(here: Club, **headers: str) -> Answer:
    return await asked(here.port, "/api/lobby", accept="application/json", **headers)


def rows_of(hall: Hall) -> list[OpenTable]:
    return list(open_tables(hall.server.tables.values(), hall.server.seat_ratings.words))


def with_id(page: Element, identity: str) -> Element:
    (found,) = [element for element in page.all() if element.attributes.get("id") == identity]
    return found


async def test_an_empty_lobby_says_what_to_do(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await lobby(here)
    assert "Choose a game and press “Play anybody”" in with_id(page, "nobody").words()
    assert "hidden" not in with_id(page, "nobody").attributes
    assert "/connect" in links(with_id(page, "no-boards"))


async def test_the_form_offers_every_game_with_its_rule_sets(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = await lobby(here)
    fields = list(page.all("input"))
    offered = [field.attributes["value"] for field in fields if field.attributes["name"] == "game"]
    assert offered == sorted(registry.games(), key=lambda name: not registry.game(name).judged)
    assert len([field for field in fields if "checked" in field.attributes]) == 2  # a game and a time
    selects = {select.attributes["name"]: len(list(select.all("option"))) for select in page.all("select")}
    for name, game in registry.games().items():
        assert selects.get(f"{name}.variant", 1) == len(game.variants)


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("game=chess&chess.variant=&time=none&against=anybody&level=", "/play/chess"),
        ("game=chess&chess.variant=atomic&go.variant=territory&time=300%2B3&against=bot&level=3",
         "/play/chess?variant=atomic&time=300%2B3&against=bot%3A3"),
        ("game=ludo&ludo.variant=&ludo.seats=4&time=none&against=friend&level=2", "/play/ludo?seats=4&against=friend"),
        ("game=connect-four&against=bot", "/play/connect_four?against=bot"),
        ("game=go&time=%0D%0A60&against=%26variant%3Dx", "/play/go?time=60&against=%26variant%3Dx"),
    ],
)  # fmt: skip
async def test_the_form_leads_to_the_page_where_that_game_begins(tmp_path: Path, query: str, where: str) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, f"/play?{query}")
    assert (answer.status, answer.headers["location"]) == (303, where)


async def test_no_game_of_that_name_can_be_begun(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for path in ("/play", "/play?game=chess2", "/play?game=%3Cscript%3E", "/?game=x", "/?page=0", "/?page=1e3"):
            answer = await asked(here.port, path)
            assert answer.status == 404, path
            checked(answer)


async def test_a_waiting_player_is_shown_with_a_link_that_meets_them(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        for wish in (
            "Chess?name=wanda&time=300%2B3&variant=atomic",
            "Go?name=xaver&size=9&komi=0.5",
            "Ludo?name=zoe&seats=4",
        ):
            await here.hall.dial().joins(wish)
        page = await lobby(here)
        rows = rows_of(here.hall)
        for row in rows:
            address = urlsplit(row.join)
            wishes = dict(parse_qsl(address.query))
            assert wishes["opponent"] == row.names[0]
            game = unquote(address.path.rpartition("/")[2])
            sought = options_of(Join(game, wishes=tuple(wishes.items())), here.hall.server.house_rules, lambda name: ())
            assert sought.settings == here.hall.state(row.table).settings
    assert [(row.names, row.title, row.rules, row.time, row.needs) for row in rows] == [
        (("wanda",), "Chess", "Atomic", "5 min + 3 s", ""),
        (("xaver",), "Go", "9x9 · komi 0.5", "no clock", ""),
        (("zoe",), "Ludo", "4 players", "no clock", "3 more players"),
    ]
    shown = [list(row.all("a")) for row in with_id(page, "open").all("li")]
    assert [row[-1].attributes["href"] for row in shown] == [row.join for row in rows]


async def test_players_who_want_different_games_at_one_table_are_two_rows(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        for name in ("ann", "ben"):
            await here.hall.dial().joins(f"Chess?name={name}&time={'60' if name == 'ann' else '120'}")
        rows = rows_of(here.hall)
    assert [(row.names, row.time) for row in rows] == [(("ann",), "1 min"), (("ben",), "2 min")]


async def test_a_private_table_is_shown_nowhere(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.hall.dial().joins("Chess?name=hidden-harry&against=bot")
        await here.hall.until(lambda: here.hall.state().turn is not None)
        assert here.hall.state().house.private
        for path in ("/", "/tv", "/games/chess", "/api/lobby", "/api/boards", "/api/boards?known=1:x", "/tv?table=1"):
            answer = await asked(here.port, path)
            assert (answer.status, "harry" in answer.text) == (200, False), path


async def test_names_are_text_and_never_markup(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        await here.hall.dial().joins(f"Chess?name={HOSTILE}")
        await here.hall.dial().joins(f"Go?name={HOSTILE}2")
        await here.hall.dial().joins("Go?name=opponent")
        page = await lobby(here)
        wall = checked(await asked(here.port, "/tv"))
    for shown in (page, wall):
        assert HOSTILE in shown.words()
        assert list(shown.all("img")) == []


async def test_the_script_is_told_what_the_page_shows_and_nothing_twice(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        first = await changes(here)
        again = await changes(here, if_none_match=first.headers["etag"])
        await here.hall.dial().joins("Chess?name=wanda")
        after = await changes(here, if_none_match=first.headers["etag"])
    assert json.loads(first.text) == {"open": [], "more": False, "here": ""}
    assert (again.status, again.size) == (304, 0)
    told = json.loads(after.text)
    assert [row["names"] for row in told["open"]] == [["wanda"]]
    assert told["here"] == "1 connected"


async def test_a_thousand_tables_take_fifty_milliseconds_and_a_hundred_rows_a_page(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        await here.hall.dial().joins("Chess?name=wanda&time=300%2B3")
        await here.hall.seat("Hnefatafl")
        tables = here.hall.server.tables
        waiting, playing = tables[1], tables[2]
        crowd = {number: Copy(waiting if number % 2 else playing, number) for number in range(1, 1001)}
        made = Lobby(
            FRAME,
            Cards(crowd, here.hall.server.seat_ratings),
            NOBODYS,
            crowd,
            lambda: (1000, 0),
            PlayForm(lambda game: (), 2, None),
        )
        request = Request(SCOPE)
        answer = await made.page(request)
        taken = []
        for _ in range(5):
            before = time.thread_time()
            await made.page(request)
            taken.append(time.thread_time() - before)
        last = await made.page(Request({**SCOPE, "query_string": b"page=5"}))
        beyond = await made.page(Request({**SCOPE, "query_string": b"page=6"}))
    assert min(taken) < 0.05, taken
    page = read(bytes(answer.body).decode())
    assert len(list(with_id(page, "open").all("li"))) == ROWS
    assert len(list(with_id(page, "boards").all("li"))) == 24
    assert "/?page=2" in links(page)
    assert [len(list(with_id(read(bytes(each.body).decode()), "open").all("li"))) for each in (last, beyond)] == [
        ROWS,
        0,
    ]
