"""The history holds a game's positions: it goes back, finds one again, and knows where the client's last turn began."""

from __future__ import annotations

from clients.history import History, Step
from gateway import registry

GAME = registry.game("chess")


def walked(*moves: str) -> History:
    history, position = History(), GAME.start(GAME.settings())
    history.begin(position)
    for text in moves:
        move, turn = GAME.parse(position, text), GAME.to_move(position)
        after = GAME.play(position, move)
        assert isinstance(turn, int)
        history.add(Step(after, turn, GAME.notation(position, move)))
        position = after
    return history


def fen(history: History) -> str:
    assert history.last is not None
    return GAME.brief(history.last.position)


def test_going_back_gives_the_position_of_then() -> None:
    history = walked("e4", "e5", "Nf3")
    assert history.back(2) is not None
    assert fen(history) == fen(walked("e4"))
    assert history.last is not None
    assert history.last.notation == "e4"


def test_going_back_beyond_what_is_known_leaves_nothing_known() -> None:
    history = walked("e4")
    assert history.back(2) is None
    assert history.last is None


def test_an_earlier_position_is_found_again_with_its_past() -> None:
    history, earlier = walked("e4", "e5", "Nf3", "Nc6"), walked("e4", "e5")
    assert earlier.last is not None
    history.settle(GAME, earlier.last.position)
    assert fen(history) == fen(earlier)
    assert len(history.positions()) == 3


def test_a_position_one_move_later_continues_the_trail() -> None:
    history, later = walked("e4"), walked("e4", "e5")
    assert later.last is not None
    history.settle(GAME, later.last.position)
    assert history.last == Step(later.last.position, 1, "e5", (12, 28))
    assert len(history.positions()) == 3


def test_a_position_from_elsewhere_begins_a_new_trail() -> None:
    history, other = walked("e4"), walked("d4", "d5", "c4")
    assert other.last is not None
    history.settle(GAME, other.last.position)
    assert history.positions() == [other.last.position]


def test_ones_own_last_turn_began_where_ones_last_moves_began() -> None:
    assert [walked("e4", "e5", "Nf3").own_plies(seat) for seat in (0, 1)] == [1, 2]
    several = History()
    for mover in (0, 0, 1, 1, 1):
        several.add(Step("some position", mover))
    assert [several.own_plies(seat) for seat in (0, 1, 2)] == [5, 3, 0]
    assert History().own_plies(0) == 0
