"""Captures and counts beside the names, in positions that a person can check."""

from __future__ import annotations

import pytest

from gateway.games.arimaa.rules import Arimaa
from gateway.games.checkers.rules import Checkers
from gateway.games.go.rules import Go
from gateway.games.hnefatafl.rules import Hnefatafl
from gateway.games.reversi import Reversi
from protocols.core.model import Tally
from tests.games.chess_boards import GAME, at, played

NOTHING = Tally()


def test_captured_men_and_the_lead_stand_with_who_took_them() -> None:
    position = played(GAME.start(GAME.settings()), "e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5", "Be2", "Qxe2", "Ngxe2")
    assert GAME.tally(position) == (
        Tally({"black queen": 1, "black pawn": 1}, "+6"),
        Tally({"white bishop": 1, "white pawn": 1}),
    )


def test_a_promoted_man_was_a_pawn_and_is_none_that_was_taken() -> None:
    position = at("QQ2k3/8/8/8/8/8/8/RNBQKBNR b - - 0 1")
    white, black = GAME.tally(position)
    assert black.taken == {"white pawn": 6}
    assert white.taken["black queen"] == 1


def test_the_first_array_of_every_rule_set_has_lost_nothing() -> None:
    for variant in GAME.variants:
        tally = GAME.tally(GAME.start(GAME.settings(variant.name)))
        assert tally == (() if variant.name == "crazyhouse" else (NOTHING, NOTHING))


def test_checks_count_where_the_third_wins() -> None:
    position = played(GAME.start(GAME.settings("3check")), "e4", "f6", "Qh5+", "g6", "Qxg6+")
    assert GAME.tally(position)[0] == Tally({"black pawn": 1}, "+1, 2 checks")


@pytest.mark.parametrize("variant", ["suicide", "giveaway"])
def test_where_losing_men_wins_nobody_leads(variant: str) -> None:
    position = played(GAME.start(GAME.settings(variant)), "e3", "b5", "Bxb5")
    assert GAME.tally(position) == (Tally({"black pawn": 1}), NOTHING)


def test_discs_of_reversi_are_counted() -> None:
    game = Reversi()
    position = game.play(game.start(game.settings()), game.parse(game.start(game.settings()), "d3"))
    assert game.tally(position) == (Tally(text="4 discs"), Tally(text="1 disc"))


def test_prisoners_and_komi_stand_beside_the_names_of_go() -> None:
    game = Go()
    position = game.start(game.settings(options={"size": "9"}))
    assert game.tally(position) == (NOTHING, Tally(text="komi 7.5"))
    for text in ("A1", "A2", "J9", "B1"):
        position = game.play(position, game.parse(position, text))
    assert game.tally(position) == (NOTHING, Tally(text="1 prisoner, komi 7.5"))
    handicap = game.settings("chinese", options={"handicap": "2"})
    assert game.tally(game.start(handicap))[1] == Tally(text="komi 2.5")


def test_men_of_checkers_that_were_taken_are_counted() -> None:
    game = Checkers()
    position = game.start(game.settings())
    for text in ("11-15", "22-18", "15x22"):
        position = game.play(position, game.parse(position, text))
    assert game.tally(position) == (Tally({"white man": 1}), NOTHING)


@pytest.mark.parametrize("variant", ["copenhagen", "ggzboard"])
def test_soldiers_of_hnefatafl_count_for_the_other_side(variant: str) -> None:
    game = Hnefatafl()
    settings = game.settings(variant)
    start = game.start(settings)
    text = game.text(start).replace("A", ".", 2)
    position = game.start(game.settings(variant, start=text))
    defends = game.called(settings).index("defenders")
    assert game.tally(position)[defends] == Tally({"attacker": 2})
    assert game.tally(position)[1 - defends] == NOTHING


def test_animals_that_traps_took_and_the_steps_left_are_told() -> None:
    game = Arimaa()
    position = game.start(game.settings())
    assert game.tally(position) == (NOTHING, NOTHING)
    for _ in range(2):
        for move in game.usual_setup(position):
            position = game.play(position, move)
    assert game.tally(position) == (Tally(text="4 steps left"), NOTHING)
    position = game.play(position, game.parse(position, "Df2n"))
    assert game.tally(position) == (Tally(text="3 steps left"), Tally({"gold dog": 1}))
