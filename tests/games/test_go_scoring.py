"""Scoring in Go: diagrams with their points counted by hand."""

from __future__ import annotations

import pytest

from gateway.games.go import scoring
from protocols.core.errors import Refused, Why
from protocols.core.model import Outcome, Reason
from tests.games.go_boards import GAME, begin, played, points, squares

WALLS = """
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    . . X O .
    """
"""Black: 5 stones and 10 points. White: 5 stones and 5 points."""

DEAD_STONE = """
    . . X O .
    . O X O .
    . . X O .
    . . X O .
    . . X O .
    """

DAME = """
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
    . X X O O . .
    """
"""Black: 8 stones and 13 points. White: 8 stones and 14 points. Neutral: the six points between them."""

SEKI = """
    . X . O . O X
    X X O O O O X
    O O O X X X X
    X X X X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
"""On the left each side has one eye, A7 and E7, and the side that fills C7 is taken. Below Black has 24 points."""

ALIVE_BESIDE_DAME = """
    . X . X . O .
    X X X X . O O
    O O O O . O .
    . . . O O O .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
"""Black lives with two eyes, A7 and C7, beside the neutral points E7, E6 and E5."""

OPEN_KO = """
    . X O . O
    X X X O O
    . X . X O
    . X X X O
    . . . X O
    """


def test_area_counts_stones_and_what_they_surround() -> None:
    assert points(begin(WALLS)) == "W+2.5"  # 15 against 10 and 7.5
    assert points(begin(WALLS, komi="0.5")) == "B+4.5"


def test_territory_counts_what_is_surrounded_and_prisoners() -> None:
    assert points(begin(WALLS, variant="territory")) == "W+1.5"  # 10 against 5 and 6.5
    assert points(begin(WALLS, variant="territory", taken="4-1")) == "B+1.5"  # 14 against 6 and 6.5


def test_a_score_says_what_its_points_are_made_of_and_whose_land_is_where() -> None:
    found = GAME.points(played(begin(DEAD_STONE), "pass pass"), squares("B4", 5))
    assert found.text == "Black 15, White 17.5: White leads by 2.5"
    assert found.made_of == "Black: 10 surrounded, 5 stones. White: 5 surrounded, 5 stones, komi 7.5."
    assert set(found.lands[0]) == {row * 5 + column for row in range(5) for column in (0, 1)}
    assert found.lands[1] == (4, 9, 14, 19, 24)
    assert GAME.points(played(begin(WALLS, komi="5"), "pass pass"), ()).text == "Black 15, White 15: even"


def test_a_score_under_territory_counts_prisoners_and_dead_stones() -> None:
    over = played(begin(DEAD_STONE, variant="territory", taken="4-0"), "pass pass")
    assert GAME.points(over, squares("B4", 5)).made_of.startswith("Black: 10 surrounded, 5 prisoners. White: 5 surr")
    with pytest.raises(Refused) as caught:
        GAME.points(begin(WALLS), ())
    assert caught.value.why is Why.NOT_NOW


def test_as_many_points_on_both_sides_are_a_draw() -> None:
    assert points(begin(WALLS, komi="5")) == "0"
    over = played(begin(WALLS, komi="5"), "pass pass")
    assert GAME.scored(over, ()) == Outcome(None, Reason.RULES, "0")


def test_the_winner_is_the_seat_with_more_points() -> None:
    assert GAME.scored(played(begin(WALLS), "pass pass"), ()) == Outcome(1, Reason.RULES, "W+2.5")
    assert GAME.scored(played(begin(WALLS, komi="-20"), "pass pass"), ()) == Outcome(0, Reason.RULES, "B+25")


def test_a_dead_stone_is_taken_off_and_is_a_prisoner_under_territory() -> None:
    assert points(begin(DEAD_STONE), "B4") == "W+2.5"  # as if it were not there
    assert points(begin(DEAD_STONE, variant="territory"), "B4") == "W+0.5"  # 10 and 1 against 5 and 6.5


def test_a_stone_that_nobody_calls_dead_is_alive_and_makes_the_region_neutral() -> None:
    assert points(begin(DEAD_STONE)) == "W+13.5"  # 5 stones against 6 stones, 5 points and 7.5
    assert points(begin(DEAD_STONE, variant="territory")) == "W+11.5"  # nothing against 5 and 6.5


def test_neutral_points_are_nobodys() -> None:
    assert points(begin(DAME, komi="0.5")) == "W+1.5"  # 8 and 13 against 8, 14 and 0.5
    assert points(begin(DAME, variant="territory", komi="0.5")) == "W+1.5"  # 13 against 14 and 0.5


def test_an_empty_board_is_nobodys() -> None:
    empty = "\n".join([". . . . ."] * 5)
    assert points(begin(empty)) == "W+7.5"
    assert points(begin(empty, variant="territory", komi="0")) == "0"


def test_an_eye_in_seki_counts_under_area_and_not_under_territory() -> None:
    assert points(begin(SEKI)) == "B+20.5"  # 13 stones, 24 and A7 against 9 stones, E7 and 7.5
    assert points(begin(SEKI, variant="territory")) == "B+17.5"  # 24 against 6.5


def test_two_eyes_count_though_neutral_points_were_left_open() -> None:
    # White surrounds G7, and below A4 to C4, G5, G4 and three rows
    assert points(begin(ALIVE_BESIDE_DAME, variant="territory")) == "W+31.5"  # 2 against 27 and 6.5


def test_a_ko_that_stays_open_is_a_point_of_who_holds_it() -> None:
    held = begin(OPEN_KO, variant="territory", komi="0.5")
    assert points(held) == "B+5.5"  # 7 against D5 and 0.5
    assert points(begin(OPEN_KO, komi="0.5")) == "B+8.5"  # 10 stones and 7 against 7, D5 and 0.5


def test_handicap_stones_are_compensated_under_area_where_the_settings_say_so() -> None:
    wall = "\n".join([". . . . X O . . ."] * 9)  # 45 against 36
    for compensation, result in (("none", "B+8.5"), ("full", "B+4.5"), ("less-one", "B+5.5")):
        position = begin(wall, "white", handicap="4", compensation=compensation)
        assert points(position) == result


def test_both_sides_may_have_dead_stones() -> None:
    rows = """
        . . X O .
        . O X O X
        . . X O .
        . . X O .
        . . X O .
        """
    assert points(begin(rows, variant="territory"), "B4 E4") == "W+1.5"  # 10 and 1 against 5, 1 and 6.5


def test_dead_is_a_string_as_a_whole() -> None:
    over = played(begin(WALLS), "pass pass")
    with pytest.raises(Refused) as caught:
        GAME.scored(over, squares("C5 C4", 5))
    assert (caught.value.why, caught.value.text) == (Why.ILLEGAL, "C5 is dead only with its whole string")
    assert GAME.claimed(over, squares("C4", 5)) == (2, 7, 12, 17, 22)
    assert GAME.scored(over, GAME.claimed(over, squares("C4", 5))).detail == "W+32.5"


def test_where_no_stone_is_nothing_is_dead() -> None:
    over = played(begin(WALLS), "pass pass")
    for settle in (lambda: GAME.scored(over, [0]), lambda: GAME.claimed(over, [0])):
        with pytest.raises(Refused) as caught:
            settle()
        assert (caught.value.why, caught.value.text) == (Why.ILLEGAL, "no stone on A5")
    with pytest.raises(Refused) as caught:
        GAME.claimed(over, [25])
    assert caught.value.text == "no square 25 on a board of 5x5"


def test_a_count_shows_whose_points_are_whose() -> None:
    position = begin(SEKI, variant="territory")
    count = scoring.count(position)
    grid = position.rules.grid
    assert grid.points_of(count.lands[0]) == [*range(25, 49)]
    assert grid.points_of(count.lands[1]) == []
    assert count.points == (24, 6.5)
