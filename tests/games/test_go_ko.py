"""Repetition in Go: simple ko, both kinds of superko, and games that never end."""

from __future__ import annotations

import pytest

from protocols.core.errors import Why
from protocols.core.model import Outcome, Reason
from tests.games.go_boards import GAME, begin, played, refused, settings, shows

SENDING_TWO = """
. . . . .
. . . . .
X X O . .
X X O O .
. O . O .
"""
"""White sends two (A1), Black takes them (C1), White takes that one back (B1): the board is the first one again."""


KO = """
    X O . O .
    . X O . .
    . . . . .
    . . . . .
    . . . . .
    """


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_a_ko_is_not_retaken_at_once_but_after_a_move_elsewhere(ko: str) -> None:
    taken = played(begin(KO, ko=ko), "C5")
    assert GAME.diagram(taken).startswith("X.XO.")
    assert "B5" not in {GAME.notation(taken, move) for move in GAME.legal_moves(taken)}
    assert refused(taken, "B5").text.partition(":")[0] == ("ko" if ko == "simple" else "superko")
    assert GAME.diagram(played(taken, "E1 A1 B5")).startswith("XO.O.")


def test_passing_lifts_a_simple_ko_and_no_positional_superko() -> None:
    assert GAME.diagram(played(begin(KO, ko="simple"), "C5 pass E1 B5")).startswith("XO.O.")
    assert GAME.diagram(played(begin(KO, ko="positional"), "C5 E1 pass B5")).startswith("XO.O.")
    assert refused(played(begin(KO, ko="positional"), "C5 pass pass"), "B5").why is Why.NOT_PLAYING


def test_a_snapback_is_no_ko() -> None:
    before = begin(
        """
        X O . O X
        X O . O X
        . X X X .
        . . . . .
        . . . . .
        """,
        ko="simple",
    )
    after = played(before, "C5 C4 C5")
    assert shows(
        after,
        """
        X . X . X
        X . . . X
        . X X X .
        . . . . .
        . . . . .
        """,
    )
    assert after.taken == (5, 1)


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("situational", True), ("positional", False)])
def test_sending_two_to_return_one_is_a_repetition_of_the_board_only(ko: str, allowed: bool) -> None:
    position = played(begin(SENDING_TWO, "white", ko=ko), "A1 C1")
    assert GAME.diagram(position).endswith("..XO.")
    if not allowed:
        assert refused(position, "B1").text == "superko: B1 would bring back the position of an earlier move"
        return
    assert shows(played(position, "B1"), SENDING_TWO)


def test_situational_superko_forbids_the_second_time_round() -> None:
    position = played(begin(SENDING_TWO, "white", ko="situational"), "A1 C1 B1 pass")
    error = refused(position, "A1")
    assert error.text == "superko: A1 would bring back the position with the same player to move of an earlier move"


def test_situational_superko_counts_what_a_pass_leads_to() -> None:
    position = begin(SENDING_TWO, "black", ko="situational")
    assert "superko" in refused(played(position, "pass A1 C1"), "B1").text


TRIPLE_KO = f"""
    X O . O X O . O X . X O .
    . X O . . X O . . X O . .
    {chr(10).join([" . " * 13] * 11)}
    """
ROUND = "C13 K13 G13 B13 L13 F13"
"""Black and White take one ko after the other, never the one just taken, until the board is the first one again."""


def test_a_triple_ko_goes_round_under_simple_ko_until_the_third_time_makes_the_game_void() -> None:
    once = played(begin(TRIPLE_KO, ko="simple"), ROUND)
    assert shows(once, TRIPLE_KO)
    assert (GAME.to_move(once), GAME.outcome(once)) == (0, None)
    twice = played(once, ROUND)
    assert GAME.outcome(twice) == Outcome(None, Reason.VOID, "no result: the same position for the third time")
    assert (GAME.to_move(twice), GAME.legal_moves(twice), GAME.settling(twice)) == (None, [], False)
    assert refused(twice, "E5").why is Why.NOT_PLAYING


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_superko_stops_a_triple_ko_before_the_board_comes_back(ko: str) -> None:
    position = played(begin(TRIPLE_KO, ko=ko), ROUND.rsplit(" ", 1)[0])
    assert "superko" in refused(position, "F13").text
    assert GAME.to_move(played(position, "A1")) == 0


def test_a_game_that_grows_too_long_is_void() -> None:
    again = "pass pass resume " * 133
    position = GAME.start(settings(5, start=f"moves {again}pass"))
    assert (position.rules.longest, GAME.outcome(position)) == (400, None)
    position = played(position, "pass")
    assert GAME.outcome(position) == Outcome(None, Reason.VOID, "no result: too many moves")
    assert (GAME.settling(position), GAME.to_move(position)) == (False, None)
    assert GAME.start(settings(5, start=GAME.text(position))) == position


@pytest.mark.parametrize(("size", "longest"), [(5, 400), (10, 400), (13, 676), (19, 1444), (25, 2500)])
def test_how_long_a_game_may_be_depends_on_its_board(size: int, longest: int) -> None:
    assert GAME.start(settings(size)).rules.longest == longest


SUICIDE = """
    . X . O .
    X . . O O
    O O O O .
    . . . . .
    . . . . .
    """


def test_suicide_of_a_single_stone_brings_back_the_board_and_so_superko_forbids_it() -> None:
    error = refused(begin(SUICIDE, "white", suicide="allowed"), "A5")
    assert error.text == "superko: A5 would bring back the position of an earlier move"
    assert played(begin(SUICIDE, "white", suicide="allowed", ko="situational"), "A5").taken == (1, 0)
