"""The pages of games: each game's rules, also those of a plug-in that says nothing of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway import registry
from gateway.config import Seats
from gateway.games.guide import Guide
from gateway.games.tic_tac_toe import TicTacToe
from gateway.web.pages import examples
from tests.hall import config
from tests.web.browsing import asked, checked, links
from tests.web.club import club


class Silent(TicTacToe):
    """A game of a plug-in that declares no guide."""

    name = "silent"
    title = "Silent"
    guide = Guide()


@pytest.mark.parametrize("name", registry.games())
async def test_every_game_has_a_page_with_its_rule_sets_in_words(tmp_path: Path, name: str) -> None:
    game = registry.games()[name]
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, f"/games/{name}"))
        every = checked(await asked(here.port, "/games"))
    assert [title.text for title in page.all("h1")] == [game.title]
    words = page.words()
    for paragraph in (game.guide.goal, *game.guide.play, *game.guide.end):
        assert " ".join(paragraph.split()) in words
    for variant in game.variants:
        assert game.guide.title(variant.name) in words
    for option in game.options:
        assert option.title in words
        assert option.text in words
    for dialect in registry.dialects_for(game).values():
        assert dialect.connecting is None or dialect.connecting.title in words
    assert f"/play/{name}" in {link.partition("?")[0] for link in links(page)}
    assert f"/games/{name}" in links(every)


@pytest.mark.parametrize("name", registry.games())
def test_every_game_of_ours_explains_itself_and_each_of_its_rule_sets(name: str) -> None:
    game = registry.games()[name]
    assert game.guide.goal.endswith(".")
    assert game.guide.play
    assert game.guide.end
    assert set(game.guide.rules) <= {variant.name for variant in game.variants}
    if len(game.variants) > 1:
        assert [variant.name for variant in game.variants if variant.name not in game.guide.rules] == []


async def test_a_game_that_declares_no_words_gets_a_page_from_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = {**registry.games(), "silent": Silent()}
    monkeypatch.setattr(registry, "games", lambda: games)
    async with club(tmp_path) as here:
        page = checked(await asked(here.port, "/games/silent"))
        lobby = checked(await asked(here.port, "/"))
    assert "Three in a row on a board of nine squares." in page.words()
    assert "Standard" in page.words()
    assert "silent" in [field.attributes["value"] for field in lobby.all("input")]


async def test_the_page_of_a_game_shows_who_waits_for_it_and_nobody_else(tmp_path: Path) -> None:
    async with club(tmp_path, config(seats=Seats(bot_after_s=None))) as here:
        await here.hall.dial().joins("Chess?name=wanda")
        await here.hall.dial().joins("Go?name=xaver")
        chess = checked(await asked(here.port, "/games/chess")).words()
        go = checked(await asked(here.port, "/games/go")).words()
    assert ("wanda" in chess, "xaver" in chess) == (True, False)
    assert ("wanda" in go, "xaver" in go) == (False, True)


async def test_an_unknown_game_is_a_page_that_says_so(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        answer = await asked(here.port, "/games/%3Cscript%3E")
    assert answer.status == 404
    assert "no such game" in checked(answer).words()


@pytest.mark.parametrize("name", registry.games())
def test_the_position_in_play_is_one_of_the_game_and_the_same_each_time(name: str) -> None:
    examples._example.cache_clear()
    first = examples._example(name)
    examples._example.cache_clear()
    assert first.board == examples._example(name).board
    assert first.board or name == "open"


def test_the_moves_of_a_guide_are_played() -> None:
    position = examples._example("chess")
    assert (position.board[36], position.board[38], position.last) == ("white pawn", "black bishop", (2, 38))  # e4, Bg4
