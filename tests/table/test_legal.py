"""The legal moves of a table, grouped: nothing is lost, and what is short is said shortly."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gateway import registry
from gateway.table.legal import choices, listed
from gateway.table.state import State, Status, opened
from protocols.core.model import PASS, HouseRules, Move
from protocols.core.notifications import Choice
from tests.laws.playouts import TABLES, Table, traces


def expanded(found: list[Choice], empty: set[int]) -> set[Move]:
    """The moves that the choices stand for."""
    moves: set[Move] = set()
    for choice in found:
        targets = empty - set(choice.targets) if choice.others else choice.targets
        moves |= {Move(choice.source, target, piece) for target in targets for piece in choice.pieces}
    return moves


JUDGED = [table for table in TABLES if registry.game(table.game).judged]


@pytest.mark.parametrize("table", JUDGED, ids=str)
def test_the_choices_are_the_legal_moves_but_for_a_pass(table: Table) -> None:
    trace = traces(table)[0]
    game = registry.games()[trace.settings.game]
    for position in trace.positions:
        empty = set(range(trace.settings.width * trace.settings.height)) - set(game.board(position))
        moves = game.legal_moves(position)
        assert expanded(choices(moves, empty.copy), empty) == set(moves) - {PASS}


def test_a_placement_on_most_squares_names_the_others() -> None:
    moves = [Move(None, square, "o") for square in (0, 1, 2, 4, 5)]
    assert choices(moves, lambda: {0, 1, 2, 3, 4, 5}) == [Choice(None, (3,), ("o",), others=True)]
    assert choices(moves[:2], lambda: {0, 1, 2, 3, 4, 5}) == [Choice(None, (0, 1), ("o",))]


def test_promotions_of_one_pawn_are_one_choice() -> None:
    moves = [Move(8, target, piece) for target in (0, 1) for piece in ("queen", "rook")] + [Move(8, 9)]
    assert choices(moves, tuple) == [Choice(8, (0, 1), ("queen", "rook")), Choice(8, (9,))]


def playing(name: str) -> State:
    game = registry.game(name)
    settings = game.settings()
    state = opened(1, game, settings, HouseRules(), b"")
    return replace(state, status=Status.PLAYING, position=game.start(settings), turn=0, ply=0)


def test_they_are_listed_for_the_seat_to_move_only() -> None:
    state = playing("go")
    everywhere = listed(state, 0)
    assert everywhere.choices == (Choice(None, (), ("black",), others=True),)
    assert everywhere.may_pass
    for other in (listed(state, 1), listed(state, None), listed(replace(state, status=Status.OVER), 0)):
        assert (other.choices, other.may_pass) == ((), False)


def test_where_no_rules_judge_nothing_is_listed() -> None:
    assert listed(playing("open"), 0).choices == ()
