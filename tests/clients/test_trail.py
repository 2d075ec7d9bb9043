"""The positions of a game so far: going back, finding one again, and where one's own last turn began."""

from __future__ import annotations

from gateway import registry
from gateway.clients.trail import Step, Trail

GAME = registry.game("chess")


def walked(*moves: str) -> Trail:
    trail, position = Trail(), GAME.start(GAME.settings())
    trail.begin(position)
    for text in moves:
        move, turn = GAME.parse(position, text), GAME.to_move(position)
        after = GAME.play(position, move)
        assert isinstance(turn, int)
        trail.add(Step(after, turn, GAME.notation(position, move)))
        position = after
    return trail


def fen(trail: Trail) -> str:
    assert trail.last is not None
    return GAME.brief(trail.last.position)


def test_going_back_gives_the_position_of_then() -> None:
    trail = walked("e4", "e5", "Nf3")
    assert trail.back(2) is not None
    assert fen(trail) == fen(walked("e4"))
    assert trail.last is not None
    assert trail.last.notation == "e4"


def test_going_back_beyond_what_is_known_leaves_nothing_known() -> None:
    trail = walked("e4")
    assert trail.back(2) is None
    assert trail.last is None


def test_an_earlier_position_is_found_again_with_its_past() -> None:
    trail, earlier = walked("e4", "e5", "Nf3", "Nc6"), walked("e4", "e5")
    assert earlier.last is not None
    trail.settle(GAME, earlier.last.position)
    assert fen(trail) == fen(earlier)
    assert len(trail.positions()) == 3


def test_a_position_one_move_later_continues_the_trail() -> None:
    trail, later = walked("e4"), walked("e4", "e5")
    assert later.last is not None
    trail.settle(GAME, later.last.position)
    assert trail.last == Step(later.last.position, 1, "e5", (12, 28))
    assert len(trail.positions()) == 3


def test_a_position_from_elsewhere_begins_a_new_trail() -> None:
    trail, other = walked("e4"), walked("d4", "d5", "c4")
    assert other.last is not None
    trail.settle(GAME, other.last.position)
    assert trail.positions() == [other.last.position]


def test_ones_own_last_turn_began_where_ones_last_moves_began() -> None:
    assert [walked("e4", "e5", "Nf3").own_plies(seat) for seat in (0, 1)] == [1, 2]
    several = Trail()
    for mover in (0, 0, 1, 1, 1):
        several.add(Step("some position", mover))
    assert [several.own_plies(seat) for seat in (0, 1, 2)] == [5, 3, 0]
    assert Trail().own_plies(0) == 0
