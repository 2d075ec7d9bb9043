"""The pages of players: games newest first, running ones on top, public tables only; names are text."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import quote

import pytest

from gateway.lobby.here import Entry
from gateway.record.people import games_of
from gateway.store.records import StoredEvent
from gateway.store.views import SeatView, TableView, moment
from gateway.web.pages import people as module
from protocols.core import events as ev
from protocols.core.model import Outcome, Reason, SeatKind
from tests.hall import alternate
from tests.web.browsing import Element, checked
from tests.web.club import club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_lines import opens

HOSTILE = "<b>x</b>/'\""


def tables_of(page: Element) -> list[str]:
    """The tables that a page lists, in order."""
    return [link.attributes["href"] for link in page.all("a") if link.attributes["href"].startswith("/table/")]


async def test_a_players_games_are_listed_the_newest_first_and_running_ones_on_top(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        first = await here.hall.seat("tic_tac_toe?name=anna")
        await alternate(first, 0, 3, 1, 4, 2)
        for guest in first:
            await guest.leaves()
        await here.hall.until(lambda: not here.hall.server.tables)
        second = await here.hall.seat("tic_tac_toe?name=anna")
        page = checked(await Person(here.port).get("/people/anna"))
        assert [title.text for title in page.all("h1")] == ["anna"]
        assert tables_of(page) == ["/table/2", "/table/1"]
        assert "Running games Playing" in page.words()
        assert "Won" in page.words()
        loser = checked(await Person(here.port).get("/people/anna-2"))
        assert "Lost" in loser.words()
        assert checked(await Person(here.port).get("/people/ANNA")).words().count("Tic-Tac-Toe") == 3  # with its score
        for guest in second:
            await guest.leaves()


async def test_who_is_here_is_listed_once_with_what_they_do(tmp_path: Path) -> None:
    """An account that has a page open, a guest who has entered, players at tables; private tables have no names."""
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        await anna.get("/")
        page = await opens(here)
        await page.say("enter", name="Otto")
        assert (await page.until("named"))["name"] == "Otto"
        guests = await here.hall.seat("tic_tac_toe?name=bert")
        told = (await here.ask("/api/here")).body["here"]
        shown = {one["name"]: (one["account"], one["doing"], one["tables"], one["since"] is None) for one in told}
        assert shown == {
            "anna": (True, "lobby", [], False),
            "bert": (False, "plays", [1], True),
            "bert-2": (False, "plays", [1], True),
            "Otto": (False, "lobby", [], False),
        }
        assert [one["name"] for one in told] == ["anna", "bert", "bert-2", "Otto"]
        words = checked(await anna.get("/people")).words()
        assert "anna in the lobby bert plays at table 1 bert-2 plays at table 1 Otto in the lobby" in words
        for guest in guests:
            await guest.leaves()


async def test_programs_and_who_is_idle_are_marked(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        quiet = time.time() - 12.5 * 60
        for entry in (
            Entry(7, "Robo", False, quiet, "gtp-gui", bot=True),
            Entry(8, "Otto", False, quiet, "miniature", idle=quiet),
        ):
            here.hall.server.lobby.here.enter(entry)
        otto, robo = (await here.ask("/api/here")).body["here"]
        assert (otto["dialects"], otto["bot"], otto["idle_since"]) == (["miniature"], False, moment(quiet))
        assert (robo["dialects"], robo["bot"], robo["idle_since"]) == (["gtp-gui"], True, None)
        words = checked(await Person(here.port).get("/people")).words()
        assert "Otto in the lobby · idle for 12 minutes Robo in the lobby · program" in words


async def test_a_name_nobody_has_gets_a_page_that_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for name in ("nobody", quote(HOSTILE, safe=""), "x" * 500, "%00", "a/b"):
            answer = await Person(here.port).get(f"/people/{name}")
            assert answer.status == 404, name
            assert "No such player" in checked(answer).words()


async def test_a_name_of_signs_is_linked_and_found(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.register(HOSTILE, "bert")
        page = checked(await Person(here.port).get("/people/bert"))
        (address,) = (link.attributes["href"] for link in page.all("a") if link.text == HOSTILE)
        found = checked(await Person(here.port).get(address))
        assert [title.text for title in found.all("h1")] == [HOSTILE]
        assert tables_of(found) == ["/table/1"]
        assert checked(await Person(here.port).get(f"/people?name={quote(HOSTILE, safe='')}")).words() == found.words()


async def test_an_account_without_a_game_has_a_page(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        here.has_account("Anna")
        page = checked(await Person(here.port).get("/people/anna"))
        assert [title.text for title in page.all("h1")] == ["Anna"]
        assert "Account since" in page.words()
        assert "No finished game that everybody may see." in page.words()


async def test_nobody_is_asked_to_challenge_or_to_report_themselves(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "Anna")
        here.has_account("bert")
        for name, others in (("Anna", False), ("bert", True)):
            words = checked(await anna.get(f"/people/{name}")).words()
            assert ("Challenge" in words, "Report" in words) == (others, others)


async def test_games_are_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", 2)
    async with club(tmp_path) as here:
        for _ in range(3):
            guests = await here.hall.seat("tic_tac_toe?name=anna")
            await alternate(guests, 0, 3, 1, 4, 2)
            for guest in guests:
                await guest.leaves()
            await here.hall.until(lambda: not here.hall.server.tables)
        first = checked(await Person(here.port).get("/people/anna"))
        assert tables_of(first) == ["/table/3", "/table/2"]
        (further,) = (link.attributes["href"] for link in first.all("a") if "before=" in link.attributes["href"])
        second = checked(await Person(here.port).get(further))
        assert tables_of(second) == ["/table/1"]
        assert "Earlier games" in second.words()


async def test_who_sits_at_a_table_is_listed(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        assert "Nobody is here just now" in checked(await Person(here.port).get("/people")).words()
        await here.hall.seat("tic_tac_toe?name=anna")
        names = [link.text for link in checked(await Person(here.port).get("/people")).all("a")]
        assert {"anna", "anna-2"} <= set(names)


def stored(*events: ev.Event) -> list[StoredEvent]:
    return [StoredEvent(seq, 100.0 + seq, event, b"") for seq, event in enumerate(events)]


def taken(seat: int, name: str) -> ev.SeatTaken:
    return ev.SeatTaken(seat, SeatKind.PLAYER, name, 0.0)


SEATS = (SeatView(0, SeatKind.PLAYER, "anna"), SeatView(1, SeatKind.PLAYER, "bert"))
VIEW = TableView(1, "over", "tic_tac_toe", "standard", 50.0, 9, None, False, SEATS)
START = ev.GameStarted(None, 1, (), "", "")  # type: ignore[arg-type]  # its settings do not matter here


def test_a_result_is_told_from_the_seats_at_the_games_beginning() -> None:
    """Anna wins; who takes a seat over later has not played; a draw is nobody's; seats turn for the next game."""
    end = ev.GameEnded(Outcome(0, Reason.RULES))
    (game,) = games_of(VIEW, stored(taken(0, "anna"), taken(1, "bert"), START, taken(1, "carl"), end))
    assert (game.result("ANNA"), game.result("bert"), game.result("carl"), game.number) == ("won", "lost", "", 1)
    turned = stored(taken(0, "anna"), taken(1, "bert"), START, end, ev.SeatsTurned(1), START, end)
    first, game = games_of(VIEW, turned)
    assert (first.result("anna"), first.result("bert"), first.names) == ("won", "lost", ("anna", "bert"))
    assert (game.result("anna"), game.result("bert"), game.names) == ("lost", "won", ("bert", "anna"))
    drawn = ev.GameEnded(Outcome(None, Reason.AGREEMENT))
    assert games_of(VIEW, stored(taken(0, "anna"), START, drawn))[0].result("anna") == "drawn"
    void = ev.GameEnded(Outcome(None, Reason.VOID))
    assert games_of(VIEW, stored(taken(0, "anna"), START, void))[0].result("anna") == "void"
    (running,) = games_of(VIEW, stored(taken(0, "anna"), START))
    assert (running.result("anna"), running.at, running.outcome) == ("", 101.0, None)


async def test_an_account_that_is_a_program_s_is_shown_as_one_wherever_it_plays(tmp_path: Path) -> None:
    """And its seat is an engine's, so its games count among those of engines."""
    async with club(tmp_path) as here:
        anna, server = await logged_in(here, "anna"), here.hall.server
        here.has_account("robot")
        await anna.get("/")
        server.accounts.set_bot("robot", True, "root")
        await server.learn_names()
        robot = here.hall.dial()
        await robot.joins("tic_tac_toe?name=robot&secret=correct%20horse")
        assert here.hall.state(1).programs == ("a program", "")
        shown = (await here.ask("/api/here")).body["here"]
        assert [(one["name"], one["bot"]) for one in shown] == [("anna", False), ("robot", True)]
        assert (await here.ask("/api/people/robot")).body["bot"]
        presence = (await here.ask("/api/tables/1/presence")).body
        assert presence["seats"][0]["program"] == "a program"
        page = checked(await anna.get("/people/robot")).words()
        assert "A program's account since" in page
        assert not (await here.ask("/api/people/anna")).body["bot"]
        await anna.send("/account/bot", bot="yes")
        shown = (await here.ask("/api/here")).body["here"]
        assert [(one["name"], one["bot"]) for one in shown] == [("anna", True), ("robot", True)]
