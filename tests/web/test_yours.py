"""Your games: those of an account and those of a guest's tickets, private ones too, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy.exc import OperationalError

from gateway import registry
from gateway.store.former import PublicViews
from gateway.store.records import EventRow
from gateway.table.state import State, opened
from gateway.web.pages.own_games import come, unread
from gateway.web.pages.yours import standing
from protocols.core import time_text
from protocols.core.events import Event, Said, SeatLeft, SeatsTurned, SeatTaken
from protocols.core.model import HouseRules, SeatKind
from tests.store.games import Played
from tests.web.browsing import Answer, Element, asked, checked
from tests.web.club import PASSWORD, Club, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import played
from tests.web.test_lines import opens

JSON = "application/json"


async def asks(port: int, *tickets: object, known: object = None, past: int = 5, **headers: str) -> Any:
    """The answer to the script of a page."""
    body = {"tickets": list(tickets), "past": past} | ({} if known is None else {"known": known})
    answer = await asked(port, "/yours", "POST", json.dumps(body), content_type=JSON, **headers)
    assert answer.status == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return json.loads(answer.text)


async def begun(here: Club, auth: str = "", **wishes: Any) -> tuple[Any, str]:
    """The page of a private game of tic-tac-toe against the computer that has begun; the ticket of its player."""
    page = await opens(here, auth=auth)
    await page.say("join", game="tic_tac_toe", against="bot", **wishes)
    ticket = str((await page.until("seated"))["ticket"])
    await page.until("moves")
    return page, ticket


def part(answer: Answer) -> Element:
    """The part "Your games" of a page."""
    (found,) = [each for each in checked(answer).all("section") if each.attributes.get("id") == "yours"]
    return found


def addresses(part: Element) -> list[str]:
    return [link.attributes["href"] for link in part.all("a") if "/table/" in link.attributes["href"]]


@pytest.mark.parametrize("path", ["/", "/account", "/yours"])
async def test_an_account_has_its_games_drawn_with_the_page(tmp_path: Path, path: str) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        assert "hidden" in part(await anna.get(path)).attributes
        await played(here, basic("anna", PASSWORD))
        await begun(here, basic("anna", PASSWORD), time="300+5")

        own = part(await anna.get(path))
        assert "hidden" not in own.attributes
        assert addresses(own) == ["/table/2#play", "/table/1"]
        assert "Your move" in own.words()
        assert "5:0" in own.words()
        assert "Lost" in own.words()
        assert len(list(own.all("svg"))) == 1

        stranger = part(await Person(here.port).get(path if path != "/account" else "/"))
        assert "hidden" in stranger.attributes
        assert addresses(stranger) == []
        assert addresses(part(await (await logged_in(here, "bert")).get(path))) == []


async def test_a_guest_has_the_games_of_its_tickets(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        first = await played(here)
        _, second = await begun(here)
        told = await asks(here.port, [1, first], [2, second])
        assert (told["order"], [card["address"] for card in told["boards"]]) == ([2], ["/table/2#play"])
        assert told["boards"][0]["standing"] == "Your move"
        assert [(line["address"], line["result"], line["title"]) for line in told["past"]] == [
            ("/table/1", "Lost", "Tic-Tac-Toe")
        ]
        again = await asks(here.port, [2, second], known={"2": told["boards"][0]["version"]}, past=0)
        assert again == {"order": [2], "boards": [], "turns": [2], "here": []}


async def test_a_ticket_counts_for_its_own_table_alone_and_a_short_one_for_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        _, ticket = await begun(here)
        nothing: dict[str, object] = {"order": [], "boards": [], "past": [], "turns": [], "here": []}
        for tickets in ([], [[2, ticket]], [[1, f"{ticket}x"]], [[1, "x" * 24]], [[1 << 62, ticket]]):
            assert await asks(here.port, *tickets) == nothing
        assert (await asks(here.port, [1, ticket]))["order"] == [1]
        monkeypatch.setattr("gateway.web.pages.presented.SHORTEST", len(ticket) + 1)
        assert await asks(here.port, [1, ticket]) == nothing


@pytest.mark.parametrize(
    "body",
    ["", "{", '{"tickets":[[1]]}', '{"past":31}', '{"most":-1}', '{"x":1}', json.dumps({"tickets": [[1, "x"]] * 41})],
)
async def test_nonsense_is_refused(tmp_path: Path, body: str) -> None:
    async with club(tmp_path) as here:
        assert (await asked(here.port, "/yours", "POST", body or " ", content_type=JSON)).status == 400
        assert (await asked(here.port, "/yours", "POST", "{}", content_type="text/plain")).status == 415


async def test_words_of_a_player_whom_one_has_blocked_are_not_unread(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await logged_in(here, "bert")
        auths = [basic(name, PASSWORD) for name in ("anna", "bert")]
        asked_for = {"game": "tic_tac_toe", "to": "bert", "side": 0}
        made = (await here.ask("/api/offers", asked_for, auth=auths[0])).body
        taken = (await here.ask(f"/api/offers/{made['id']}/take", {}, auth=auths[1])).body
        away, bert = [await opens(here) for _ in auths]
        tickets = made["ticket"], taken["ticket"]
        for page, ticket in zip((away, bert), tickets, strict=True):
            await page.say("join", game="tic_tac_toe", ticket=ticket, ready=True)
            await page.until("seated")
        await bert.until("turn")
        await here.ask("/api/line", method="DELETE", auth=away.auth)
        await here.hall.until(lambda: here.hall.state(1).seats[0].kind is SeatKind.RESERVED)
        await bert.say("say", to="all", text="hello")
        await bert.until("Said")
        assert "1 unread" in part(await anna.get("/yours")).words()
        await here.hall.server.circle.tie("blocks", "anna", "bert")
        assert "unread" not in part(await anna.get("/yours")).words()


async def test_the_page_of_another_site_learns_nothing(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await begun(here, basic("anna", PASSWORD))
        cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
        told = await asks(here.port, cookie=cookie, origin=f"http://127.0.0.1:{here.port}")
        assert told["order"] == [1]
        body = json.dumps({"past": 3})
        foreign = await asked(
            here.port, "/yours", "POST", body, content_type=JSON, cookie=cookie, origin="http://evil.example"
        )
        assert foreign.status == 403
        assert await asks(here.port, cookie=cookie) == {"order": [], "boards": [], "past": [], "turns": [], "here": []}


async def test_a_game_that_rests_is_read_from_the_record_once_for_each_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with club(tmp_path) as here:
        tickets = (await here.register("ann", "bob", private=True)).body["tickets"]
        ann, bob = [await opens(here) for _ in tickets]
        for page, ticket in zip((ann, bob), tickets, strict=True):
            await page.say("join", game="tic_tac_toe", ticket=ticket, ready=True)
        await ann.until("moves")
        await ann.say("play", move=[None, 4, ""])
        await bob.until("MoveMade")
    async with club(tmp_path) as here:
        assert 1 not in here.hall.server.tables
        read: list[int] = []
        rows = PublicViews.rows

        def counted(views: PublicViews, table: int, after: int = 0) -> Iterator[EventRow]:
            read.append(table)
            return rows(views, table, after)

        monkeypatch.setattr(PublicViews, "rows", counted)
        for ticket, words in zip(tickets, ("bob's move", "Your move"), strict=True):
            told = await asks(here.port, [1, ticket])
            assert [(card["standing"], card["board"]) for card in told["boards"]] == [(words, [[4, "x"]])]
        assert read == [1]


async def test_the_first_page_is_there_while_the_record_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("select", {}, Exception("away"))

    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await begun(here, basic("anna", PASSWORD))
        monkeypatch.setattr(PublicViews, "seated", away)
        assert "hidden" in part(await anna.get("/")).attributes


async def test_all_finished_games_are_on_pages_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.web.pages.yours.PAGE", 2)
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        for _ in range(3):
            await played(here, basic("anna", PASSWORD))
        first = await anna.get("/yours")
        assert addresses(part(first)) == ["/table/3", "/table/2"]
        assert "/yours?before=2" in [link.attributes.get("href") for link in checked(first).all("a")]
        assert addresses(part(await anna.get("/yours?before=2"))) == ["/table/1"]


def state_of(seats: int = 2) -> State:
    rules = registry.game("ludo" if seats > 2 else "chess")
    return opened(1, rules, rules.settings("", seats), HouseRules(), b"")


SAT: tuple[Event, ...] = (SeatTaken(0, SeatKind.PLAYER, "Ann"), SeatTaken(1, SeatKind.PLAYER, "Ben"))


def hello(seat: int | None, to: str = "all", name: str = "") -> Event:
    return Said(seat, to, "hello", name)


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ((), 0),
        ((hello(1), hello(1)), 0),
        ((SeatLeft(0, SeatKind.RESERVED), hello(1), hello(1)), 2),
        ((hello(1), SeatLeft(0, SeatKind.RESERVED), hello(1), SeatLeft(0, SeatKind.ABANDONED), hello(1)), 2),
        ((SeatLeft(0, SeatKind.RESERVED), hello(1), SeatTaken(0, SeatKind.BOT, "bot"), hello(1)), 2),
        ((SeatLeft(0, SeatKind.RESERVED), hello(1), SeatTaken(0, SeatKind.PLAYER, "Ann")), 0),
        ((SeatLeft(0, SeatKind.RESERVED), hello(0), hello(None, "observers", "Carl"), hello(None, "all", "Carl")), 1),
        ((SeatLeft(0, SeatKind.RESERVED), hello(1), hello(None, "all", "EVE")), 1),
        ((SeatLeft(1, SeatKind.RESERVED), hello(0), SeatsTurned(1), hello(1)), 2),
    ],
)
def test_unread_is_what_was_said_while_the_seat_had_no_connection(events: tuple[Event, ...], count: int) -> None:
    assert unread((*SAT, *events), 0, state_of(), {"eve"}) == count


def test_a_seat_that_nobody_has_taken_yet_has_heard_nothing() -> None:
    assert unread((SeatTaken(0, SeatKind.RESERVED, "Ann"), hello(1)), 0, state_of()) == 1


GONE = SeatLeft(0, SeatKind.RESERVED)


@pytest.mark.parametrize(
    ("events", "name"),
    [
        ((SAT[1],), "Ben"),
        ((SAT[0],), ""),
        ((SAT[0], GONE), ""),
        ((SAT[0], SAT[1], GONE), ""),
        ((SAT[0], GONE, SAT[1]), "Ben"),
        ((SAT[0], GONE, SAT[1], SeatLeft(0, SeatKind.ABANDONED)), "Ben"),
        ((SAT[0], GONE, SAT[1], SAT[0]), ""),
        ((SAT[0], SeatLeft(0, SeatKind.OPEN), SAT[1]), "Ben"),
        ((SAT[0], GONE, SeatTaken(1, SeatKind.BOT, "bot")), ""),
        (
            (SAT[0], SAT[1], SeatLeft(1, SeatKind.RESERVED), SeatsTurned(1), SeatLeft(0, SeatKind.RESERVED), SAT[1]),
            "Ben",
        ),
    ],
)
def test_who_has_come_is_whoever_sat_down_while_the_seat_had_no_connection(
    events: tuple[Event, ...], name: str
) -> None:
    """And is there still: a player who left again has not come."""
    state = state_of()
    seats = (replace(state.seats[0], name="Ann"), replace(state.seats[1], name="Ben", kind=SeatKind.PLAYER))
    sitting = msgspec.structs.replace(state, seats=seats)
    assert come(events, 0, sitting) == name
    left = msgspec.structs.replace(state, seats=(seats[0], replace(seats[1], kind=SeatKind.RESERVED)))
    assert come(events, 0, left) == ""


def test_in_a_correspondence_game_whoever_comes_is_news_until_the_first_move() -> None:
    game, time = Played("chess"), time_text.read("1d/move")

    def news() -> str:
        settings = replace(game.state.settings, time=time)
        return come((SAT[0], GONE, SAT[1]), 0, msgspec.structs.replace(game.state, settings=settings))

    assert news() == "player1"
    game.play("e4")
    assert news() == ""


def test_a_game_says_whose_move_it_is() -> None:
    game = Played("chess")
    assert [standing(game.state, seat) for seat in (0, 1)] == ["Your move", "player0's move"]
    game.play("e4")
    assert [standing(game.state, seat) for seat in (0, 1)] == ["player1's move", "Your move"]
    assert standing(state_of(), 0) == "Waiting for players"


async def test_a_page_is_told_which_tables_wait_for_the_person_and_no_board(tmp_path: Path) -> None:
    """Nothing is told to somebody else, and a finished game waits for nobody."""
    async with club(tmp_path) as here:
        anna, body = await logged_in(here, "anna"), json.dumps({"most": 0})
        await played(here, basic("anna", PASSWORD))
        await begun(here, basic("anna", PASSWORD), time="1d/move")
        cookie = "; ".join(f"{name}={value}" for name, value in anna.cookies.items())
        origin = f"http://127.0.0.1:{here.port}"
        answer = await asked(here.port, "/yours", "POST", body, content_type=JSON, cookie=cookie, origin=origin)
        assert json.loads(answer.text) == {"order": [], "boards": [], "turns": [2], "here": []}
        assert (await asks(here.port))["turns"] == []
