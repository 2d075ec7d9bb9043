"""People are found by a part of the name, and their page says what they have won, lost and drawn."""

from __future__ import annotations

from pathlib import Path

from gateway.record.results import Score, scores
from protocols.core import events as ev
from protocols.core.model import Outcome, Reason, SeatKind
from tests.web.browsing import checked
from tests.web.club import PASSWORD, basic, club
from tests.web.person import Person
from tests.web.test_account_page import logged_in
from tests.web.test_finished_private import played
from tests.web.test_lines import opens
from tests.web.test_people import START, stored, taken


def bot(seat: int) -> ev.SeatTaken:
    return ev.SeatTaken(seat, SeatKind.BOT, f"bot-{seat}")


def ended(winner: int | None, reason: Reason = Reason.RULES) -> ev.GameEnded:
    return ev.GameEnded(Outcome(winner, reason))


def test_scores_are_of_each_game_against_people_and_against_house_bots_alone() -> None:
    """Seats turn between games; who came later has not played; void and running games do not count."""
    tables = [
        (
            "chess",
            "Anna",
            stored(taken(0, "anna"), taken(1, "bert"), START, ended(0), ev.SeatsTurned(1), START, ended(0)),
        ),
        ("chess", "anna", stored(taken(0, "anna"), bot(1), START, ended(None))),
        ("ludo", "anna", stored(taken(0, "anna"), bot(1), taken(2, "bert"), START, ended(1))),
        ("ludo", "anna", stored(taken(0, "bert"), bot(1), START, taken(0, "anna"), ended(0))),
        ("ludo", "anna", stored(taken(0, "anna"), bot(1), START, ended(None, Reason.VOID), START)),
    ]
    assert scores(tables) == [Score("chess", False, 1, 1), Score("chess", True, 0, 0, 1), Score("ludo", False, 0, 1)]


async def test_a_part_of_the_name_finds_accounts_a_page_at_a_time(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for at in range(32):
            here.has_account(f"Gärtner-{at:02}")
        here.has_account("100%")
        person = Person(here.port)
        page = checked(await person.get("/people?name=%C3%84RT"))
        names = [link.text for link in page.all("a") if link.attributes["href"].startswith("/people/")]
        assert (names[0], names[-1], len(names)) == ("Gärtner-00", "Gärtner-29", 30)
        (more,) = [link.attributes["href"] for link in page.all("a") if "after=" in link.attributes["href"]]
        assert "Gärtner-31" in checked(await person.get(more)).words()
        assert [title.text for title in checked(await person.get("/people?name=0%25")).all("a") if title.text == "100%"]
        assert (await person.get("/people?name=nobody")).status == 404

        first = (await here.ask("/api/people?name=g%C3%A4rt")).body
        assert (len(first["people"]), first["next"]) == (30, "Gärtner-29")
        rest = (await here.ask("/api/people?name=g%C3%A4rt&after=G%C3%A4rtner-29")).body
        assert rest == {"people": ["Gärtner-30", "Gärtner-31"], "next": None}
        assert (await here.ask("/api/people?name=%20")).status == 400


async def test_a_profile_counts_private_games_for_the_person_alone(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        anna = await logged_in(here, "anna")
        auth = basic("anna", PASSWORD)
        await played(here, auth)
        pages = [await opens(here, auth=auth), await opens(here)]
        for page in pages:
            await page.say("join", game="tic_tac_toe")
            await page.until("seated")
        await pages[0].until("GameStarted")
        await pages[1].say("resign")
        await pages[0].until("GameEnded")
        people = {"game": "tic_tac_toe", "against": "people", "won": 1, "lost": 0, "drawn": 0}
        programs = {"game": "tic_tac_toe", "against": "programs", "won": 0, "lost": 1, "drawn": 0}
        told = (await here.ask("/api/people/ANNA")).body
        assert (told["name"], told["whole"], told["scores"]) == ("anna", True, [people])
        assert (await here.ask("/api/people/anna", auth=auth)).body["scores"] == [people, programs]
        assert (await here.ask("/api/people/bert")).error == (404, "no_such_player")
        shown = checked(await Person(here.port).get("/people/anna")).words()
        assert "Tic-Tac-Toe people 1 0 0" in shown
        assert "programs" not in shown
        assert "Tic-Tac-Toe programs 0 1 0" in checked(await anna.get("/people/anna")).words()
