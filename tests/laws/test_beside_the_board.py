"""Laws of what a game tells beside its board, over all games: pieces in hand, a king in check, what was taken."""

from __future__ import annotations

import pytest

from protocols.core.model import Move
from tests.laws.playouts import TABLES, Table, positions

every_table = pytest.mark.parametrize("table", TABLES, ids=str)


@every_table
def test_hands_are_one_mapping_a_seat_at_all_times_or_never_any(table: Table) -> None:
    game = table.rules()
    counts = {len(game.hands(position)) for _, position in positions(table)}
    assert counts in ({0}, {table.seats})
    for _, position in positions(table):
        assert all(count > 0 for hand in game.hands(position) for count in hand.values())


@every_table
def test_where_there_are_hands_a_piece_is_placed_out_of_the_movers_hand(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        turn = game.to_move(position)
        if not isinstance(turn, int) or not (hands := game.hands(position)):
            continue
        for move in (move for move in game.legal_moves(position) if move.source is None and move.target is not None):
            assert move.piece in hands[turn]
            after = game.hands(game.play(position, move))[turn]
            assert after.get(move.piece, 0) == hands[turn][move.piece] - 1


@every_table
def test_an_alarm_is_on_a_piece_and_every_legal_move_ends_it(table: Table) -> None:
    game = table.rules()
    for _, position in positions(table):
        alarm = game.alarm(position)
        if alarm is None:
            continue
        assert alarm in game.board(position)
        moves: list[Move] = game.legal_moves(position)
        assert all(game.alarm(game.play(position, move)) != alarm for move in moves)


@every_table
def test_a_tally_is_one_a_seat_at_all_times_or_never_any_and_names_pieces_that_have_a_look(table: Table) -> None:
    game = table.rules()
    look = game.look(game.settings(table.variant, table.seats))
    counts = set()
    for _, position in positions(table):
        tally = game.tally(position)
        counts.add(len(tally))
        assert all(many > 0 and piece in look.pieces for own in tally for piece, many in own.taken.items())
    assert counts in ({0}, {table.seats})
