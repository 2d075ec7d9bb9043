"""``GET /api/games/NAME`` tells all of a game, and what it tells is what the rules and the wires have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gateway import registry
from gateway.games.base import Game
from gateway.games.guide import NUMBER
from gateway.games.parts import stopped
from gateway.web.api_game import EndTold, whole_game
from protocols.core.model import Move, Outcome
from tests.laws.test_plug_ins import GUESSING
from tests.playthroughs.form import HERE, Playthrough, files, read
from tests.web.club import club

GAMES = list(registry.games().values())
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_playthrough = pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)


async def test_every_game_is_told_whole_by_its_name_in_any_case(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for name in registry.games():
            told = (await here.ask(f"/api/games/{name}")).body
            assert told["game"] == name
            assert (await here.ask(f"/api/games/{name.upper()}")).body == told
        assert (await here.ask("/api/games/halma")).error == (404, "unknown_game")


async def test_the_list_and_the_whole_game_say_the_same(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        for listed in (await here.ask("/api/games")).body["games"]:
            whole = (await here.ask(f"/api/games/{listed['game']}")).body
            for key in ("title", "judged", "formats", "dialects"):
                assert whole[key] == listed[key]
            for ours, theirs in zip(whole["variants"], listed["variants"], strict=True):
                assert [ours[key] for key in ("name", "width", "height")] == [
                    theirs[key] for key in ("name", "width", "height")
                ]
                assert [one["seats"] for one in ours["beginnings"]] == theirs["seats"]


async def test_ludo_is_told_with_its_squares_colours_and_routes(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        told = (await here.ask("/api/games/ludo")).body
    rules = told["variants"][0]
    two, _, four = rules["beginnings"]
    assert (told["dice"], rules["name"], rules["squares"][44], rules["squares"][60]) == (6, "maedn", "a7", "")
    assert [side["name"] for side in two["sides"]] == ["yellow", "red"]
    assert [side["name"] for side in four["sides"]] == ["yellow", "blue", "red", "green"]
    assert [one["square"] for one in four["board"] if one["piece"] == "green"] == [99, 100, 110, 111]
    yellow, blue = four["routes"][:2]
    assert (yellow["waits"], yellow["walks"][0], yellow["walks"][-4:]) == ([12, 11, 1, 0], 44, [56, 57, 58, 59])
    assert (len(yellow["walks"]), yellow["home"], blue["walks"][0]) == (44, 4, 6)
    assert [(one["piece"], one["side"], one["colour"]) for one in rules["pieces"]][3] == ("yellow", "yellow", "#875f00")


async def test_a_set_up_has_hands_and_an_empty_board(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        told = (await here.ask("/api/games/arimaa")).body
    (beginning,) = told["variants"][0]["beginnings"]
    assert (told["setup"], beginning["board"], beginning["first"]) == (True, [], 0)
    assert beginning["hands"][0] == {"elephant": 1, "camel": 1, "horse": 2, "dog": 2, "cat": 2, "rabbit": 8}
    assert [side["turned"] for side in beginning["sides"]] == [False, True]


def test_a_plug_in_that_declares_nothing_is_told_from_what_every_game_has() -> None:
    space: dict[str, Any] = {}
    exec(GUESSING, space)
    told = whole_game(space["Guessing"]())
    (rules,) = told.variants
    assert (told.title, rules.squares, rules.text) == ("Guess the Number", ["a1", "b1"], ["Which of two squares?"])
    assert [piece.piece for piece in rules.pieces] == ["guesser", "watcher"]
    assert (rules.beginnings[0].first, rules.ends, told.moves) == (0, [], [])


@each_game
def test_a_game_of_this_tree_says_what_a_move_is_made_of_how_it_is_written_and_how_it_ends(game: Game[Any]) -> None:
    told = whole_game(game)
    assert told.goal
    assert told.play
    assert told.end
    assert told.moves
    assert told.notation
    assert all(rules.ends for rules in told.variants) is game.judged
    known = {variant.name for variant in game.variants}
    assert {name for end in game.guide.ends for name in end.rules} <= known


@each_game
def test_the_first_position_is_where_a_game_of_that_text_begins(game: Game[Any]) -> None:
    for rules in whole_game(game).variants:
        for beginning in rules.beginnings:
            settings = game.settings(rules.name, beginning.seats, beginning.position)
            assert dict(game.board(game.start(settings))) == {one.square: one.piece for one in beginning.board}
            assert [len(row) for row in beginning.diagram] == [rules.width] * rules.height


@each_playthrough
def test_no_game_shows_a_square_or_a_piece_or_an_end_that_is_not_told(path: Path) -> None:
    played = read(path.read_text(encoding="utf-8"))
    game, settings = played.rules(), played.settings()
    rules = next(rules for rules in whole_game(game).variants if rules.name == settings.variant)
    pieces = {piece.piece for piece in rules.pieces}
    for position in played.positions():
        board = game.board(position)
        assert set(board.values()) <= pieces
        if (settings.width, settings.height) == (rules.width, rules.height):
            assert all(rules.squares[square] for square in board)
    for outcome in outcomes(played):
        assert [end for end in rules.ends if fits(end, outcome)], outcome


@pytest.mark.parametrize("name", ["checkers", "hnefatafl", "ludo", "reversi", "tic_tac_toe"])
def test_a_move_is_written_by_the_names_of_its_squares(name: str) -> None:
    """The other games leave something out, or write a piece."""
    game = registry.game(name)
    played = read((HERE / f"{name}.txt").read_text(encoding="utf-8"))
    squares = whole_game(game).variants[0].squares
    for position in played.positions()[:40]:
        for move in game.legal_moves(position):
            text = game.notation(position, move)
            assert text.replace("x", "-").startswith(written(squares, move))


def written(squares: list[str], move: Move) -> str:
    ends = [squares[at] for at in (move.source, move.target) if at is not None]
    return "-".join(ends) or "pass"


def outcomes(played: Playthrough) -> list[Outcome]:
    """The end that the rules of a playthrough come to, those that could be claimed on the way, and its scores."""
    game, positions = played.rules(), played.positions()
    found = [game.outcome(positions[-1]), *(game.claim(position) for position in positions)]
    for before, step in zip(positions, played.steps, strict=False):
        scoring = stopped(game, before)
        if scoring is not None and step.kind == "score":
            found.append(scoring.scored(before, ()))
    return [outcome for outcome in found if outcome is not None]


def fits(end: EndTold, outcome: Outcome) -> bool:
    pattern = re.escape(end.detail).replace(NUMBER, r"\d+(?:\.\d+)?")
    return end.reason is outcome.reason and re.fullmatch(pattern, outcome.detail) is not None
