"""Pieces in hand and kings in check, in positions that a person can check."""

from __future__ import annotations

import pytest

from gateway.games.arimaa.rules import Arimaa
from gateway.games.ludo.rules import Ludo
from protocols.core.squares import number
from tests.games.chess_boards import GAME, at, played

MATE = ("f3", "e5", "g4", "Qh4#")
"""Fool's mate: White's king on e1 is in check."""


def test_captured_pieces_are_in_the_pocket_of_who_took_them() -> None:
    position = played(GAME.start(GAME.settings("crazyhouse")), "e4", "d5", "exd5", "Qxd5")
    assert GAME.hands(position) == ({"pawn": 1}, {"pawn": 1})
    assert GAME.hands(played(position, "P@e4")) == ({}, {"pawn": 1})


def test_without_pockets_there_are_no_hands() -> None:
    assert GAME.hands(GAME.start(GAME.settings())) == ()


@pytest.mark.parametrize("variant", ["normal", "fischerandom", "crazyhouse", "3check", "kingofthehill"])
def test_the_king_that_is_in_check_is_named(variant: str) -> None:
    start = GAME.settings(variant, options={"position": "518"} if variant == "fischerandom" else None)
    assert GAME.alarm(GAME.start(start)) is None
    assert GAME.alarm(played(GAME.start(start), *MATE)) == number("e1", 8, 8)


def test_the_king_may_be_blacks() -> None:
    position = played(GAME.start(GAME.settings()), "e4", "f6", "Qh5+")
    assert GAME.alarm(position) == number("e8", 8, 8)


@pytest.mark.parametrize("variant", ["suicide", "giveaway"])
def test_where_kings_are_pieces_like_others_there_is_no_check(variant: str) -> None:
    assert GAME.alarm(at("4k3/8/8/8/8/8/8/3KR3 b - - 0 1", variant)) is None


def test_kings_that_touch_are_in_no_check_where_captures_explode() -> None:
    assert GAME.alarm(at("4r3/8/8/8/8/8/3k4/4K3 w - - 0 1", "atomic")) is None
    assert GAME.alarm(at("4r3/8/8/8/8/8/1k6/4K3 w - - 0 1", "atomic")) == number("e1", 8, 8)


def test_pieces_to_be_set_up_are_in_hand_until_the_second_seat_has_none() -> None:
    game = Arimaa()
    army = {"elephant": 1, "camel": 1, "horse": 2, "dog": 2, "cat": 2, "rabbit": 8}
    position = game.start(game.settings())
    assert game.hands(position) == (army, army)
    for move in game.usual_setup(position):
        position = game.play(position, move)
    assert game.hands(position) == ({}, army)
    for move in game.usual_setup(position):
        position = game.play(position, move)
    assert game.hands(position) == ({}, {})


def test_a_depot_is_on_the_board_and_so_no_hand() -> None:
    game = Ludo()
    assert game.hands(game.start(game.settings())) == ()
