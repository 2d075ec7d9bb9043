"""Finding the rules' position again from a board that was told square by square."""

from __future__ import annotations

from clients import rebuild
from clients.panel import remaining
from clients.rebuild import Told
from gateway import registry
from gateway.games.base import CHANCE
from gateway.games.parts import chance_of
from protocols.core.model import Move


def test_a_board_alone_with_the_seat_to_move_gives_a_position() -> None:
    game = registry.game("tic_tac_toe")
    found = rebuild.fitting(game, game.settings(), Told({0: "x", 4: "o"}, 0))
    assert found is not None
    assert game.diagram(found) == "x..\n.o.\n..."


def test_a_board_that_no_game_reaches_gives_none() -> None:
    game = registry.game("tic_tac_toe")
    assert rebuild.fitting(game, game.settings(), Told({0: "x", 4: "x", 8: "x"}, 0)) is None
    assert rebuild.fitting(game, game.settings(), Told({0: "queen"}, 1)) is None


def test_a_move_that_was_missed_is_found_from_the_position_before() -> None:
    game = registry.game("hnefatafl")
    settings = game.settings("brandubh")
    before = game.start(settings)
    after = game.play(before, game.legal_moves(before)[3])
    assert rebuild.fitting(game, settings, Told(game.board(after), 1), [before]) == after


def test_the_roll_that_was_told_is_the_one_to_be_played() -> None:
    game = registry.game("ludo")
    settings = game.settings()
    start = game.start(settings)
    found = rebuild.fitting(game, settings, Told(game.board(start), 0, 6))
    assert found == chance_of(game).rolled(start, 6)


def test_a_roll_is_awaited_where_the_rules_wait_for_one() -> None:
    ludo, checkers = registry.game("ludo"), registry.game("checkers")
    due = rebuild.awaiting_roll(ludo, ludo.start(ludo.settings()))
    assert due is not None
    assert ludo.to_move(due) is CHANCE
    assert rebuild.awaiting_roll(checkers, checkers.start(checkers.settings())) is None


def test_the_pieces_left_to_place_are_counted_by_kind() -> None:
    game = registry.game("arimaa")
    left = remaining(game, game.start(game.settings()))
    assert sorted(left.values()) == [1, 1, 2, 2, 2, 8]


def test_pieces_in_hand_are_not_counted_where_each_drop_ends_the_turn() -> None:
    game = registry.game("chess")
    position = game.start(game.settings("crazyhouse", start="4k3/8/8/8/8/8/8/4K3[NPP] w - - 0 1"))
    assert remaining(game, position) == {"pawn": 0, "knight": 0}


def test_an_earlier_position_is_found_before_one_is_made_up() -> None:
    game = registry.game("chess")
    settings = game.settings()
    start = game.start(settings)
    walked = start
    for text in ("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8", "Nf3", "Nf6"):
        walked = game.play(walked, game.parse(walked, text))
    earlier = game.play(game.play(start, game.parse(start, "e4")), Move(12, 28))
    told = Told(game.board(earlier), 0)
    assert rebuild.fitting(game, settings, told, [walked], [earlier]) is earlier
