"""The peer-to-peer protocol describes a chess GUI's state, and two states match or differ."""

from __future__ import annotations

import pytest

from gateway import registry
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.gui import MOST_MOVES, USUAL, GuiCopy, lead, same_move, same_start
from protocols.chess_p2p.wire import parse, write
from protocols.core.events import GameStarted, MoveMade
from protocols.core.model import Move

FEN = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def shows(*lines: str) -> GuiCopy:
    gui = GuiCopy()
    for line in lines:
        gui.take(parse(line))
    return gui


def test_a_copy_follows_its_gui() -> None:
    """ "both sides maintain an up-to-date copy of the state of the GUI at the remote end" """
    gui = shows("new", "variant Atomic", f"setboard {FEN}", "level 0 300 0", "move e7e5", "move e2e4", "undo")
    assert gui == GuiCopy("atomic", FEN, ["e7e5"], p2p.Level(0, 300.0, 0.0))
    gui.take(p2p.Remove())
    assert gui.moves == []
    assert shows("level 0 300 0", "move e2e4", "new") == GuiCopy(level=p2p.Level(0, 300.0, 0.0))
    assert shows("go", "accepted", "text new", "time 5", "undo", "remove") == GuiCopy()


def test_a_copy_is_told_so_that_the_other_end_has_it_too() -> None:
    lines = ["new", "variant atomic", f"setboard {FEN}", "level 0 300 0", "move e7e5"]
    assert [write(message) for message in shows(*lines).told()] == lines
    assert [write(message) for message in GuiCopy().told()] == ["new"]


def test_a_copy_does_not_grow_for_ever() -> None:
    gui = GuiCopy(moves=["e2e4"] * MOST_MOVES)
    gui.take(p2p.Advanced("e7e5"))
    assert len(gui.moves) == MOST_MOVES


def test_who_is_on_move_follows_from_the_position_and_the_moves() -> None:
    assert (GuiCopy().on_move, shows("move e2e4").on_move) == (0, 1)
    assert (GuiCopy(start=FEN).on_move, GuiCopy(start=FEN, moves=["e7e5"]).on_move) == (1, 0)
    assert GuiCopy(start="nonsense").on_move == 0


def reached(*positions: str) -> list[GameStarted | MoveMade]:
    """The events that led to these positions."""
    first = GameStarted(registry.game("chess").settings(), 1, (), positions[0])
    return [first, *(MoveMade(0, Move(0, 1), ply, "", (), at) for ply, at in enumerate(positions[1:], 1))]


@pytest.mark.parametrize(
    ("lines", "ahead"),
    [
        (["move e2e4", "move e7e5"], 0),
        (["move e2e4", "move e7e5", "move g1f3"], 1),
        (["move e2e4"], -1),
        ([], -2),
        ([f"setboard {AFTER_E5}"], 0),
        ([f"setboard {AFTER_E4}", "move E7E5", "move g1f3"], 1),
        (["move d2d4"], None),
        (["variant atomic", "move e2e4", "move e7e5"], None),
        ([f"setboard {FEN}"], None),
        (["setboard nonsense"], None),
    ],
)
def test_a_gui_is_found_in_a_game_wherever_it_began(lines: list[str], ahead: int | None) -> None:
    game = reached(USUAL, AFTER_E4, AFTER_E5)
    assert lead(shows("new", *lines), "normal", game, ["e2e4", "e7e5"], True) == ahead


def test_the_usual_position_is_not_that_of_a_game_from_another_one() -> None:
    assert lead(GuiCopy(), "normal", reached(FEN), [], False) is None
    assert lead(GuiCopy(variant="horde"), "horde", reached("its own"), [], True) == 0


def test_positions_that_are_no_fens_are_compared_as_text() -> None:
    assert same_start("nonsense", "nonsense")
    assert not same_start("nonsense", "")
    assert same_start("4k3/8/8/8/8/8/8/4K3[] w", "4k3/8/8/8/8/8/8/4K3 w")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("e2e4", "e2-e4", True),
        ("e7e8q", "e7e8Q", True),
        ("e7e8q", "e7e8n", False),
        ("O-O", "e1g1", True),
        ("0-0-0", "e8c8", True),
        ("O-O", "O-O-O", False),
        ("P@e4", "p@E4", True),
        ("h9g7", "h9g7", True),
        ("h9g7", "h9i7", False),
    ],
)
def test_one_move_has_many_ways_to_be_written(one: str, other: str, same: bool) -> None:
    assert same_move(one, other) is same
    assert same_move(other, one) is same
