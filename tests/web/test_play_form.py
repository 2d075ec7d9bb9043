"""The form "Play now": fields from what games declare, also a plug-in's; what is wrong is said beside it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from gateway import registry
from gateway.config import Seats
from gateway.games.options import Choice, Number
from gateway.games.tic_tac_toe import TicTacToe
from gateway.web.pages.play_form import PlayForm
from tests.hall import config
from tests.web.browsing import Answer, Element, asked, checked
from tests.web.club import Club, club

PATIENT = config(seats=Seats(bot_after_s=None))


class Walled(TicTacToe):
    """A plug-in's game with options of each kind, which its file declares and no other file knows."""

    name = "walled"
    title = "Walled"
    options = (
        Number(name="walls", title="Walls", text="built before the game", usual="2", least=0, most=8),
        Number(name="seed", title="Seed", text="of the labyrinth", least=0),
        Choice(
            name="gate", title="Gate", text="which side it is on", words=(("n", "north"), ("s", "south")), usual="n"
        ),
    )


@pytest.fixture
def walled(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {**registry.games(), "walled": Walled()}
    monkeypatch.setattr(registry, "games", lambda: games)


async def sent(here: Club, **fields: str) -> Answer:
    """The answer to the form with these fields; "__" stands for the point between a game and its option."""
    query = urlencode({name.replace("__", "."): text for name, text in fields.items()})
    return await asked(here.port, f"/play?{query}")


def fields_of(page: Element) -> dict[str, Element]:
    return {each.attributes["name"]: each for each in page.all("input", "select") if "." in each.attributes["name"]}


def offered(select: Element) -> list[tuple[str, str]]:
    return [(each.attributes["value"], each.words()) for each in select.all("option")]


def said_of(page: Element, name: str) -> str:
    """The words that describe a field."""
    (control,) = [each for each in page.all("input", "select") if each.attributes.get("id") == name]
    described = control.attributes["aria-describedby"].split()
    return " ".join(each.words() for each in page.all("span") if each.attributes.get("id") in described)


@pytest.mark.usefixtures("walled")
async def test_the_options_of_a_plug_in_appear_in_the_form_and_arrive_at_the_table(tmp_path: Path) -> None:
    async with club(tmp_path, PATIENT) as here:
        fields = fields_of(checked(await asked(here.port, "/?game=walled")))
        assert offered(fields["walled.walls"]) == [("" if at == 2 else str(at), str(at)) for at in range(9)]
        assert offered(fields["walled.gate"]) == [("", "north"), ("s", "south")]
        assert fields["walled.seed"].name == "input"
        answer = await sent(
            here, game="walled", walled__walls="5", walled__seed="77", walled__gate="", against="anybody"
        )
        assert answer.status == 303
        wishes = urlsplit(answer.headers["location"])
        assert (wishes.path, wishes.query) == ("/play/walled", "seed=77&walls=5")
        page = checked(await asked(here.port, answer.headers["location"]))
        assert "walls 5" in page.words()
        await here.hall.dial().joins(f"walled?{wishes.query}&name=ann")
        assert here.hall.state().settings.options == (("seed", "77"), ("walls", "5"))
        row = checked(await asked(here.port, "/")).words()
        assert "seed 77 · walls 5" in row
        told = await here.ask("/api/games/walled")
        assert [(option["name"], option["kind"], option["most"]) for option in told.body["options"]] == [
            ("walls", "number", 8.0),
            ("seed", "number", None),
            ("gate", "choice", None),
        ]


@pytest.mark.usefixtures("walled")
async def test_what_a_plug_in_does_not_have_is_said_beside_its_field(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        wrong = {"walled__walls": "9", "walled__seed": "1.5", "walled__gate": "s", "chess__position": "x"}
        answer = await sent(here, game="walled", time="300+3", against="friend", watched="yes", **wrong)
        page = checked(answer)
    assert answer.status == 400
    fields = fields_of(page)
    assert said_of(page, "walled.walls").startswith("A whole number from 0 to 8, not '9'.")
    assert said_of(page, "walled.seed").startswith("A whole number from 0, not '1.5'.")
    assert fields["walled.seed"].attributes["value"] == "1.5"
    assert "aria-invalid" not in fields["walled.gate"].attributes
    assert [
        each.attributes["value"] for each in fields["walled.gate"].all("option") if "selected" in each.attributes
    ] == ["s"]
    chosen = [each.attributes["value"] for each in page.all("input") if "checked" in each.attributes]
    assert chosen == ["walled", "300+3", "yes"]
    opened = [each for each in page.all("details") if "open" in each.attributes and each.attributes["class"] == "more"]
    assert ["of Walled" in each.words() for each in opened] == [False, True]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"game": "go", "go__size": "9", "go__handicap": "4", "go__komi": "-2.5", "go__side": "white"},
         "/play/go?compensation=full&handicap=4&komi=-2.5&size=9&side=white"),
        ({"game": "go", "go__size": "19", "go__handicap": "0", "go__komi": "7.5", "go__variant": "area"}, "/play/go"),
        ({"game": "chess", "chess__variant": "fischerandom", "chess__position": "12", "against": "bot", "level": "1"},
         "/play/chess?variant=fischerandom&position=12&against=bot%3A1"),
        ({"game": "chess", "time": "own", "minutes": "7.5", "increment": "10"}, "/play/chess?time=450%2B10"),
        ({"game": "chess", "time": "own", "minutes": "90", "increment": ""}, "/play/chess?time=5400"),
        ({"game": "chess", "against": "bot", "chess__bot": "house", "level": "3", "watched": "yes"},
         "/play/chess?against=house%3A3&watched=yes"),
        ({"game": "chess", "against": "anybody", "chess__bot": "house", "level": "3", "watched": "yes"}, "/play/chess"),
        ({"game": "hnefatafl", "hnefatafl__variant": "ggzboard", "hnefatafl__side": "attackers", "against": "friend"},
         "/play/hnefatafl?variant=ggzboard&side=attackers&against=friend"),
    ],
)  # fmt: skip
async def test_what_is_chosen_stands_in_the_address(tmp_path: Path, fields: dict[str, str], where: str) -> None:
    async with club(tmp_path) as here:
        answer = await sent(here, **fields)
    assert (answer.status, answer.headers.get("location")) == (303, where)


@pytest.mark.parametrize(
    ("fields", "field", "text"),
    [
        ({"game": "go", "go__size": "9", "go__komi": "much"}, "go.komi", "A number, not 'much'."),
        ({"game": "go", "go__size": "8", "go__handicap": "5"}, "go.handicap", "8x8 has 4 fixed handicap points, not 5"),
        ({"game": "go", "go__variant": "territory", "go__handicap": "2", "go__compensation": "full"},
         "go.compensation", "Only under the rules Area counting."),
        ({"game": "chess", "chess__variant": "atomic", "chess__position": "12"}, "chess.position",
         "Only under the rules Chess960."),
        ({"game": "chess", "time": "own", "minutes": "700"}, "minutes", "A number from 0 to 600, not '700'."),
        ({"game": "chess", "time": "own", "minutes": "0", "increment": "3"}, "minutes", "Give each player some time"),
        ({"game": "chess", "level": "4"}, "level", "A level from 1 to 3."),
        ({"game": "ludo", "ludo__seats": "2", "ludo__side": "purple"}, "ludo.side", "The sides here are"),
    ],
)  # fmt: skip
async def test_what_cannot_be_played_is_said_beside_its_field(
    tmp_path: Path, fields: dict[str, str], field: str, text: str
) -> None:
    async with club(tmp_path) as here:
        answer = await sent(here, **fields)
        page = checked(answer)
    assert answer.status == 400
    assert said_of(page, field).startswith(text)


async def test_a_time_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await sent(here, game="chess", time="soon")
        assert (answer.status, "No time control: &#39;soon&#39;" in answer.text) == (400, True)
        checked(answer)


def test_an_engine_is_named_with_the_houses_own_player_and_the_usual_level() -> None:
    def bots(game: str) -> tuple[str, ...]:
        return ("bot", "house", "gnugo", "katago") if game == "go" else ("bot", "house")

    form = PlayForm(bots, 3, None)
    assert form.levels == (
        ("", "as usual (level 3)"),
        ("1", "level 1, easy"),
        ("2", "level 2, medium"),
        ("3", "level 3, hard"),
    )
    games = {fields.game.name: fields for fields in form.games()}
    (computer,) = [each for each in games["go"].more if each.name == "go.bot"]
    assert computer.values == (("", "gnugo, as usual"), ("katago", "katago"), ("house", "the server's own"))
    assert [each.name for each in games["chess"].more] == ["chess.position", "chess.side"]
    assert not games["open"].bot
    assert list(games)[-1] == "open"


async def test_games_whose_rules_the_server_does_not_know_stand_behind_more_games(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for address, opened in (("/", False), ("/?game=open", True)):
            page = checked(await asked(here.port, address))
            (others,) = [each for each in page.all("details") if each.attributes["class"] == "others"]
            games = [each.attributes["value"] for each in others.all("input") if each.attributes["name"] == "game"]
            assert (games, "open" in others.attributes) == (["open"], opened)


async def test_the_first_page_says_what_this_place_is(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/"))
    (place,) = [each for each in page.all("p") if each.attributes.get("class") == "place"]
    assert place.words().startswith("Here you play board games")
