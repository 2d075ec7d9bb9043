"""Games name the squares that show why they ended, and set up positions at once: diagrams of each game."""

from __future__ import annotations

from typing import Any

import pytest

from clients.client_state import ClientState
from gateway import registry
from gateway.games.arimaa.rules import Arimaa
from gateway.games.base import Game
from gateway.games.look import Board, Look
from gateway.games.tic_tac_toe import TicTacToe
from protocols.core.model import Settings

RED_RISES = ".......\n.......\n...r...\n..ry...\n.ryy..y\nryyr.rr\n"
FIVE = ".......\n.......\n.......\n.......\nyy..y..\nrrrrr.y\n"
ESCAPED = "K....A...\n" + ".........\n" * 7 + "....A...."


def at(name: str, rows: str, turn: int, variant: str = "", tail: str = "") -> tuple[Game[Any], Any]:
    game = registry.game(name)
    text = f"{'/'.join(rows.split())} {turn}{tail}"
    return game, game.start(game.settings(variant, start=text))


@pytest.mark.parametrize(
    ("name", "variant", "rows", "turn", "squares"),
    [
        ("tic_tac_toe", "", "xo. .xo ..x", 1, (0, 4, 8)),
        ("tic_tac_toe", "", "xox xox oxo", 1, ()),
        ("connect_four", "", RED_RISES, 1, (17, 23, 29, 35)),
        ("connect_four", "", FIVE, 1, (35, 36, 37, 38, 39)),
        ("hnefatafl", "tablut", ESCAPED, 0, (0,)),
    ],
)
def test_the_squares_that_decided_a_game(
    name: str, variant: str, rows: str, turn: int, squares: tuple[int, ...]
) -> None:
    game, position = at(name, rows, turn, variant)
    assert game.outcome(position) is not None
    assert game.decisive(position) == squares


def test_while_a_game_goes_on_no_squares_decide_it() -> None:
    game, position = at("tic_tac_toe", "xo. .x. ..o", 0)
    assert game.decisive(position) == ()


def test_a_rabbit_on_its_goal_decides_arimaa() -> None:
    game, position = at("arimaa", "..r.R... " + "........ " * 6 + "E......e", 1, tail=" steps 0")
    assert game.outcome(position) is not None
    assert game.decisive(position) == (4,)


def test_a_usual_setup_of_arimaa_fills_both_ranks_with_all_pieces_and_the_elephants_face_the_camels() -> None:
    game = Arimaa()
    position = game.start(game.settings())
    for _ in range(2):
        for move in game.usual_setup(position):
            position = game.play(position, move)
    assert game.diagram(position).split("\n") == [
        "rrrccrrr",
        "rhdmedhr",
        "........",
        "........",
        "........",
        "........",
        "RHDEMDHR",
        "RRRCCRRR",
    ]
    assert game.usual_setup(position) == []


def test_a_usual_setup_goes_round_what_stands_there_already() -> None:
    game = Arimaa()
    position = game.start(game.settings())
    for written in ("Ra2", "Ed1", "Rd2"):
        position = game.play(position, game.parse(position, written))
    rest = game.usual_setup(position)
    for move in rest:
        assert game.to_move(position) == 0
        position = game.play(position, move)
    assert len(rest) == 13
    assert game.to_move(position) == 1
    assert {square: piece for square, piece in game.board(position).items() if square in (48, 51, 59)} == {
        48: "gold rabbit",
        51: "gold rabbit",
        59: "gold elephant",
    }


class Stones(TicTacToe):
    """A stone game of a plug-in, in one file."""

    name = "stones"

    def look(self, settings: Settings) -> Look:
        return Look(Board.LINES, "#d7af5f", line="#5f5f00", sides=self.sides)


class Plain(TicTacToe):
    """A plug-in that declares no look."""

    name = "plain"

    def look(self, settings: Settings) -> Look:
        return Game.look(self, settings)


def test_a_plug_in_is_drawn_as_it_declares_and_without_chequers_where_it_declares_nothing() -> None:
    assert ClientState(Stones()).look.board is Board.LINES
    plain = ClientState(Plain()).look
    assert plain.board is Board.CELLS
    assert plain.sides == ("x", "o")
    assert plain.piece("x").shape != plain.piece("o").shape
