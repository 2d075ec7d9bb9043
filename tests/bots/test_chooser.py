"""The chooser finds a move in every game within every budget, and never loses tic-tac-toe."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gateway import registry
from gateway.bots.chooser import LEVELS, choose, has_dice, has_long_turns, has_many_seats
from gateway.games.base import CHANCE, Game
from gateway.games.parts import chance_of
from gateway.games.tic_tac_toe import Position, TicTacToe
from tests.bots.again import Again, Pile
from tests.bots.thinking import Ticks

TIC_TAC_TOE = TicTacToe()


def losses(position: Position, seat: int, budget_s: float, seed: int) -> int:
    """How often ``seat`` loses when the bot plays it, looking at 10,000 positions a second, and the other one tries
    everything."""
    turn = TIC_TAC_TOE.to_move(position)
    if turn is None:
        outcome = TIC_TAC_TOE.outcome(position)
        return outcome is not None and outcome.winner == 1 - seat
    if turn == seat:
        moves = [choose(TIC_TAC_TOE, position, 2, budget_s, Ticks(step_s=1e-4), random.Random(seed))]
    else:
        moves = TIC_TAC_TOE.legal_moves(position)
    return sum(losses(TIC_TAC_TOE.play(position, move), seat, budget_s, seed) for move in moves)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("budget_s", [0.01, 0.3])
@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost_whatever_the_other_side_plays(seat: int, budget_s: float, seed: int) -> None:
    assert losses(Position(), seat, budget_s, seed) == 0


def somewhere(game: Game[Any], variant: str, moves: int, rng: random.Random) -> Any:
    """A position some random moves into a game, with a player to move."""
    position = here = game.start(game.settings(variant))
    while moves and (turn := game.to_move(here)) is not None:
        position = here
        if turn == CHANCE:
            here = chance_of(game).rolled(here, rng.randint(1, chance_of(game).chance(here).sides))
        else:
            here = game.play(here, rng.choice(game.legal_moves(here)))
            moves -= 1
    while game.to_move(position) == CHANCE:
        position = chance_of(game).rolled(position, rng.randint(1, chance_of(game).chance(position).sides))
    return position


@pytest.mark.parametrize("budget", [0, 1, 30])
@pytest.mark.parametrize(
    ("name", "variant"),
    [(game.name, variant.name) for game in registry.games().values() for variant in game.variants],
)
def test_every_installed_game_gets_a_legal_move_within_any_budget(name: str, variant: str, budget: int) -> None:
    game = registry.game(name)
    rng = random.Random(f"{name} {variant} {budget}")
    for length in (1, 2, 9, 40):
        position = somewhere(game, variant, length, rng)
        legal = game.legal_moves(position)
        if legal:
            assert choose(game, position, 1, float(budget), Ticks(), rng) in legal


def test_choosing_does_not_run_past_its_budget() -> None:
    ticks = Ticks()
    choose(TIC_TAC_TOE, Position(), 2, 50.0, ticks, random.Random(0))
    assert ticks.asked <= 51


def test_a_level_has_its_own_budget() -> None:
    spent_s = {}
    for level in LEVELS:
        ticks = Ticks(step_s=1 / 1024)
        began_s = ticks()
        choose(Again(), Pile(300, 0, 1), level, None, ticks, random.Random(0))
        spent_s[level] = ticks() - began_s
    assert spent_s == pytest.approx({1: 0.05, 2: 0.3, 3: 1.0}, abs=0.005)


def test_an_only_move_is_made_without_looking_at_the_clock_again() -> None:
    ticks = Ticks()
    assert choose(TIC_TAC_TOE, Position("xoxxoxo.o"[:9]), 2, 50.0, ticks, random.Random(0)).target == 7
    assert ticks.asked == 0


def test_an_unknown_level_is_named() -> None:
    with pytest.raises(ValueError, match="no level 4; there are 1, 2, 3"):
        choose(TIC_TAC_TOE, Position(), 4, 0.0, Ticks(), random.Random(0))


def test_a_finished_game_has_no_move() -> None:
    with pytest.raises(ValueError, match="nobody can move"):
        choose(TIC_TAC_TOE, Position("xxxoo...."), 2, 0.0, Ticks(), random.Random(0))


def test_what_kind_of_game_it_is_follows_from_its_rules() -> None:
    assert not has_dice(TIC_TAC_TOE)
    assert not has_many_seats(TIC_TAC_TOE)
    assert not has_long_turns(TIC_TAC_TOE)
