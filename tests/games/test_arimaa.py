"""Arimaa: a diagram for every special rule, each refusal for its own reason, notation and text.

Gold (capitals) moves up the page. The traps are c3, f3, c6 and f6. A rabbit of each side stands in a corner of most
diagrams, for a side without rabbits has lost.
"""

from __future__ import annotations

from functools import cache
from math import factorial

import pytest

from gateway.games.arimaa.rules import PIECES, Arimaa
from gateway.games.arimaa.steps import Position
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

ARIMAA = Arimaa()


def at(name: str) -> int:
    return squares.number(name, 8, 8)


def rows(diagram: str) -> str:
    return "/".join(diagram.split())


def stands(diagram: str, tail: str = "0 steps 0") -> Position:
    """The position of a diagram of eight rows and the rest of its text."""
    return ARIMAA.start(ARIMAA.settings(start=f"{rows(diagram)} {tail}"))


def after(position: Position, *steps: str) -> Position:
    for step in steps:
        position = ARIMAA.play(position, ARIMAA.parse(position, step))
    return position


def legal(position: Position, square: str = "") -> list[str]:
    """The legal moves in notation; with a square, those of the piece there."""
    source = at(square) if square else None
    moves = [move for move in ARIMAA.legal_moves(position) if not square or move.source == source]
    return [ARIMAA.notation(position, move) for move in moves]


def refused(position: Position, move: Move) -> tuple[Why, str]:
    with pytest.raises(IllegalMove) as caught:
        ARIMAA.play(position, move)
    return caught.value.why, caught.value.text


def step(source: str, target: str) -> Move:
    return Move(at(source), at(target))


def _listed(words: str) -> list[str]:
    return words.split()


GOLD = _listed("Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2")
SILVER = _listed("ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8")


def test_gold_sets_up_first_then_silver_then_gold_moves() -> None:
    position = ARIMAA.start(ARIMAA.settings())
    assert ARIMAA.text(position) == "/".join(["........"] * 8) + " 0 setup"
    assert len(legal(position)) == 6 * 16
    position = after(position, *GOLD)
    assert ARIMAA.to_move(position) == 1
    assert legal(position)[:2] == ["ea8", "eb8"]
    position = after(position, *SILVER)
    assert ARIMAA.diagram(position).split() == [
        "rrrddrrr",
        "rhcemchr",
        "........",
        "........",
        "........",
        "........",
        "RHCMECHR",
        "RRRDDRRR",
    ]
    assert ARIMAA.text(position).endswith(" 0 steps 0")
    assert legal(position) == ["Ra2n", "Hb2n", "Cc2n Cc3x", "Md2n", "Ee2n", "Cf2n Cf3x", "Hg2n", "Rh2n"]


def test_there_are_as_many_set_ups_as_arrangements_of_an_army() -> None:
    @cache
    def ways(position: Position) -> int:
        """The ways to fill the free squares from the first on; pieces of a kind are alike."""
        if position.turn:
            return 1
        moves = ARIMAA.legal_moves(position)
        first = moves[0].target
        return sum(ways(follow(position, move)) for move in moves if move.target == first)

    def follow(position: Position, move: Move) -> Position:
        """One position for every order of the same pieces, which have equally many ways to go on."""
        played = ARIMAA.play(position, move)
        if played.turn:
            return Position(".", 1, setup=True)
        placed = sorted(played.cells[48:].replace(".", ""))
        return Position("." * 48 + "".join(placed).ljust(16, "."), 0, setup=True)

    assert ways(ARIMAA.start(ARIMAA.settings())) == factorial(16) // (factorial(8) * 2 * 2 * 2) == 64_864_800


@pytest.mark.parametrize("piece", ["elephant", "Elephant", " gold elephant", "Gold Elephant", "E", "e"])
def test_a_piece_may_be_spelled_in_several_ways(piece: str) -> None:
    position = ARIMAA.start(ARIMAA.settings())
    assert ARIMAA.normal(position, Move(None, at("e2"), piece)) == Move(None, at("e2"), "elephant")


def test_only_the_last_kind_of_piece_may_be_left_unsaid() -> None:
    position = ARIMAA.start(ARIMAA.settings())
    assert ARIMAA.normal(position, Move(None, at("e2"))) == Move(None, at("e2"))
    position = after(position, *[placed for placed in GOLD if placed[0] != "R"])
    assert ARIMAA.normal(position, Move(None, at("a1"))) == Move(None, at("a1"), "rabbit")


def test_the_other_sides_piece_is_no_spelling_of_ones_own() -> None:
    position = ARIMAA.start(ARIMAA.settings())
    move = ARIMAA.normal(position, Move(None, at("e2"), "silver elephant"))
    assert refused(position, move) == (
        Why.NO_SUCH_PIECE,
        "piece of type 'silver elephant' is not available for placement",
    )


@pytest.mark.parametrize(
    ("move", "why", "text"),
    [
        (Move(None, at("e2"), "rook"), Why.NO_SUCH_PIECE, "piece of type 'rook' is not available for placement"),
        (Move(None, at("e2"), "camel"), Why.NO_SUCH_PIECE, "piece of type 'camel' is not available for placement"),
        (Move(None, at("d2"), "cat"), Why.OWN_PIECE_THERE,
         "cannot move to field which is occupied by another piece of yours"),
        (Move(None, 64, "cat"), Why.OUT_OF_BOUNDS, "movement out of bounds"),
        (Move(None, -1, "cat"), Why.OUT_OF_BOUNDS, "movement out of bounds"),
        (Move(None, at("e3"), "cat"), Why.ILLEGAL, "gold is set up on ranks 1 and 2"),
        (Move(at("d2"), at("d3")), Why.PLACEMENTS_FIRST, "cannot move, must finish placements first"),
        (PASS, Why.PLACEMENTS_FIRST, "cannot move, must finish placements first"),
        (Move(at("d2"), None), Why.PLACEMENTS_FIRST, "cannot move, must finish placements first"),
    ],
)  # fmt: skip
def test_a_placement_is_refused_for_its_own_reason(move: Move, why: Why, text: str) -> None:
    position = after(ARIMAA.start(ARIMAA.settings()), "Md2")
    assert refused(position, move) == (why, text)


def test_silver_is_set_up_on_its_own_ranks() -> None:
    position = after(ARIMAA.start(ARIMAA.settings()), *GOLD)
    assert refused(position, Move(None, at("e2"), "cat")) == (Why.ILLEGAL, "silver is set up on ranks 7 and 8")


QUIET = """
    .......r
    ........
    ...e....
    ........
    ....H...
    ........
    ...R....
    R.......
"""


def test_pieces_step_to_all_four_sides_and_rabbits_never_backwards() -> None:
    position = stands(QUIET)
    assert legal(position, "e4") == ["He4n", "He4w", "He4e", "He4s"]
    assert legal(position, "d2") == ["Rd2n", "Rd2w", "Rd2e"]
    assert refused(position, step("d2", "d1")) == (Why.ILLEGAL, "rabbits do not step backwards")


def test_silver_rabbits_step_down_the_board() -> None:
    position = stands(QUIET, "1 steps 0")
    assert legal(position, "h8") == ["rh8w", "rh8s"]


def test_a_turn_ends_by_itself_after_the_fourth_step() -> None:
    position = after(stands(QUIET), "He4n", "He5e", "Rd2n", "Ra1n")
    assert ARIMAA.to_move(position) == 1
    assert (
        ARIMAA.text(position).split(" once ")[0]
        == rows(
            """
        .......r
        ........
        ...e....
        .....H..
        ........
        ...R....
        R.......
        ........
        """
        )
        + " 1 steps 0"
    )


def test_a_turn_may_end_earlier_but_not_before_its_first_step() -> None:
    position = stands(QUIET)
    assert refused(position, PASS) == (Why.ILLEGAL, "a turn has at least one step")
    moving = after(position, "Rd2n")
    assert ARIMAA.to_move(moving) == 0
    assert legal(moving)[-1] == "pass"
    assert ARIMAA.to_move(after(moving, "pass")) == 1


def test_a_pass_may_carry_a_word() -> None:
    assert ARIMAA.normal(stands(QUIET), Move(None, None, "pass")) == PASS


def test_a_turn_must_change_the_position() -> None:
    undone = after(stands(QUIET), "He4n", "He5s")
    assert "pass" not in legal(undone)
    assert refused(undone, PASS) == (Why.ILLEGAL, "the turn must change the position")
    last = after(undone, "He4e")
    assert refused(last, step("f4", "e4")) == (Why.ILLEGAL, "the turn must change the position")
    assert "Hf4w" not in legal(last)
    assert "pass" in legal(last)


COLD = """
    .......r
    ........
    ........
    ........
    ...eH...
    ........
    ........
    R.......
"""


def test_a_piece_beside_a_stronger_enemy_is_frozen() -> None:
    position = stands(COLD)
    assert legal(position, "e4") == []
    assert refused(position, step("e4", "f4")) == (Why.ILLEGAL, "the piece is frozen")


def test_a_friend_beside_it_frees_a_frozen_piece() -> None:
    position = stands(COLD.replace("...eH...", "...eHR.."))
    assert legal(position, "e4") == ["He4n", "He4s"]


def test_equal_pieces_do_not_freeze_each_other() -> None:
    assert legal(stands(COLD.replace("eH", "hH")), "e4") == ["He4n", "He4e", "He4s"]


PUSH = """
    .......r
    ........
    ........
    ...d....
    ...H....
    ........
    ........
    R.......
"""


def test_a_push_is_the_enemy_pieces_step_and_then_the_pushers() -> None:
    begun = after(stands(PUSH), "dd5e")
    assert legal(begun) == ["Hd4n"]
    assert refused(begun, PASS) == (Why.ILLEGAL, "the push must be completed")
    assert refused(begun, step("a1", "a2")) == (Why.ILLEGAL, "the push must be completed")
    done = after(begun, "Hd4n")
    assert ARIMAA.diagram(done).split()[3:5] == ["...Hd...", "........"]
    assert "pass" in legal(done)


def test_a_push_goes_to_any_free_side_but_not_onto_the_pusher() -> None:
    position = stands(PUSH)
    assert legal(position, "d5") == ["dd5n", "dd5w", "dd5e"]
    assert refused(position, step("d5", "d4"))[0] is Why.OWN_PIECE_THERE


def test_a_push_needs_two_steps() -> None:
    late = after(stands(PUSH), "Ra1n", "Ra2n", "Ra3n")
    assert legal(late, "d5") == []
    assert refused(late, step("d5", "e5")) == (Why.ILLEGAL, "a push takes two steps, one is left")


def test_a_frozen_piece_does_not_push() -> None:
    position = stands(PUSH.replace("...H....", "..eH...."))
    assert legal(position, "d5") == []
    assert refused(position, step("d5", "e5")) == (Why.ILLEGAL, "the piece that could push is frozen")


def test_an_equal_piece_is_not_pushed() -> None:
    position = stands(PUSH.replace("d", "h"))
    assert refused(position, step("d5", "e5")) == (Why.NOT_YOUR_PIECE, "not your piece")


def test_rabbits_may_be_pushed_backwards() -> None:
    position = after(stands(PUSH.replace("d", "r")), "rd5n", "Hd4n")
    assert ARIMAA.diagram(position).split()[2:4] == ["...r....", "...H...."]


def test_a_piece_that_completes_a_push_does_not_pull_with_the_same_step() -> None:
    position = after(stands(PUSH.replace("...H....", "..cH....")), "dd5n", "Hd4n")
    assert "cc4e" not in legal(position)
    assert ARIMAA.text(position).endswith(" steps 2 from 7r/8/8/3d4/2cH4/8/8/R7")


def test_a_push_begun_is_not_completed_by_a_frozen_piece() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ..CrD...
        ..d.....
        ........
        ........
        R.......
        """
    )
    assert legal(after(position, "rd5n")) == ["De5w"]


def test_a_push_begun_may_be_completed_by_any_stronger_piece_beside_the_square_left() -> None:
    position = after(stands(PUSH.replace("...d....", "..Ed....")), "dd5e")
    assert legal(position) == ["Ec5e", "Hd4n"]


def test_a_pull_is_the_stronger_pieces_step_and_then_the_enemy_pieces() -> None:
    position = after(stands(PUSH), "Hd4w")
    assert legal(position, "d5") == ["dd5s"]
    done = after(position, "dd5s")
    assert ARIMAA.diagram(done).split()[3:5] == ["........", "..Hd...."]
    assert "pass" in legal(done)


def test_neither_an_equal_nor_a_stronger_piece_is_pulled() -> None:
    for enemy in "hme":
        position = stands(PUSH.replace("d", enemy).replace("...H....", "..RHc..."))
        assert legal(after(position, "Hd4s"), "d5") == []


def test_a_pull_is_never_compulsory_and_only_possible_at_once() -> None:
    position = after(stands(PUSH), "Hd4w", "Ra1n")
    assert legal(position, "d5") == []
    assert refused(position, step("d5", "d4")) == (Why.NOT_YOUR_PIECE, "not your piece")


def test_the_last_step_of_a_turn_may_be_a_pull() -> None:
    position = after(stands(PUSH), "Ra1n", "Ra2n", "Hd4w")
    assert legal(position, "d5") == ["dd5s"]
    assert ARIMAA.to_move(after(position, "dd5s")) == 1


def test_two_pulls_make_a_whole_turn() -> None:
    position = after(stands(PUSH), "Hd4s", "dd5s", "Hd3s", "dd4s")
    assert ARIMAA.diagram(position).split()[4:7] == ["........", "...d....", "...H...."]


def test_a_piece_that_steps_alone_into_a_trap_is_lost() -> None:
    lone = """
        .......r
        ........
        ........
        ........
        ..H.....
        ........
        ........
        R.......
    """
    position = stands(lone)
    assert legal(position, "c4")[-1] == "Hc4s Hc3x"
    assert "H" not in ARIMAA.diagram(after(position, "Hc4s"))


def test_a_piece_pushed_alone_into_a_trap_is_lost_at_once_and_the_push_goes_on() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ........
        ..dH....
        ........
        ........
        R.......
        """
    )
    assert "dc4s dc3x" in legal(position)
    begun = after(position, "dc4s")
    assert ARIMAA.board(begun) == {at("h8"): "silver rabbit", at("d4"): "gold horse", at("a1"): "gold rabbit"}
    assert ARIMAA.text(begun).endswith(" push c4d")
    assert legal(begun) == ["Hd4w"]


def test_a_piece_in_a_trap_is_lost_when_its_last_friend_leaves() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ........
        ........
        .HR.....
        ........
        R.......
        """
    )
    move = ARIMAA.parse(position, "Hb3w Rc3x")
    assert ARIMAA.changes(position, move) == [(at("a3"), "gold horse"), (at("b3"), None), (at("c3"), None)]


def test_a_piece_with_a_friend_beside_the_trap_is_safe_there() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ........
        ..H.....
        ........
        ..R.....
        R.......
        """
    )
    assert ARIMAA.board(after(position, "Hc4s"))[at("c3")] == "gold horse"


def test_a_piece_lost_in_a_trap_still_completes_its_pull() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ..d.....
        ..H.....
        ........
        ........
        R.......
        """
    )
    done = after(position, "Hc4s", "dc5s")
    assert ARIMAA.board(done) == {at("h8"): "silver rabbit", at("c4"): "silver dog", at("a1"): "gold rabbit"}


def test_a_position_may_not_occur_for_the_third_time_with_the_same_side_to_move() -> None:
    position = stands(
        """
        .......r
        ........
        ....e...
        ........
        ........
        ....E...
        ........
        R.......
        """
    )
    there, back = ["Ee3w", "pass", "ee6w", "pass"], ["Ed3e", "pass", "ed6e", "pass"]
    position = after(position, *there, *back, *there, *back[:3])
    assert "pass" not in legal(position)
    assert refused(position, PASS) == (Why.ILLEGAL, "the position would occur for the third time")
    assert ARIMAA.start(ARIMAA.settings(start=ARIMAA.text(position))) == position
    elsewhere = after(position, "ee6n", "pass")
    assert ARIMAA.to_move(elsewhere) == 0


def test_a_capture_makes_earlier_positions_impossible_and_forgets_them() -> None:
    position = stands(
        """
        .......r
        ........
        ........
        ........
        ..H.....
        ........
        ........
        R.......
        """
    )
    assert " once " in ARIMAA.text(after(position, "Ra1n", "pass"))
    assert ARIMAA.text(after(position, "Hc4s", "pass")).endswith("R....... 1 steps 0")


# Each rabbit has one step, which freezes it; so gold has three turns: one step, the other, or both.
CORNERED = """
    ....r...
    ........
    ........
    ........
    ........
    ........
    rc....cr
    R......R
"""
LEFT, RIGHT, BOTH = (f"4r3/8/8/8/8/8/rc4cr/{last}:1" for last in ("1R5R", "R5R1", "1R4R1"))


def test_a_step_after_which_the_turn_could_only_end_in_a_repetition_is_no_legal_step() -> None:
    assert legal(stands(CORNERED)) == ["Ra1e", "Rh1w"]
    position = stands(CORNERED, f"0 steps 0 twice {BOTH},{LEFT}")
    assert legal(position) == ["Rh1w"]
    assert refused(position, step("a1", "b1")) == (Why.ILLEGAL, "the turn could not be completed after this step")
    assert legal(after(position, "Rh1w")) == ["pass"]


def test_a_side_with_repetitions_only_has_lost() -> None:
    position = stands(CORNERED, f"0 steps 0 twice {BOTH},{LEFT},{RIGHT}")
    assert ARIMAA.outcome(position) == Outcome(1, Reason.RULES, "immobilisation")
    assert legal(position) == []


RUN = """
    ........
    R......e
    ........
    ........
    ........
    ........
    .......r
    H.......
"""


def test_a_rabbit_on_the_far_rank_wins_at_the_end_of_the_turn() -> None:
    position = after(stands(RUN), "Ra7n")
    assert ARIMAA.outcome(position) is None
    position = after(position, "pass")
    assert ARIMAA.outcome(position) == Outcome(0, Reason.RULES, "goal")
    assert ARIMAA.to_move(position) is None
    assert refused(position, step("h7", "h6")) == (Why.NOT_PLAYING, "the game is over")
    assert ARIMAA.start(ARIMAA.settings(start=ARIMAA.text(position))) == position


PUSHED_HOME = """
    ........
    .......e
    ........
    ........
    ........
    .......C
    .......r
    R.......
"""


def test_who_leaves_an_enemy_rabbit_on_its_goal_loses() -> None:
    position = after(stands(PUSHED_HOME), "rh2s", "Ch3s", "pass")
    assert ARIMAA.outcome(position) == Outcome(1, Reason.RULES, "goal")


def test_an_enemy_rabbit_that_is_moved_off_its_goal_again_does_no_harm() -> None:
    position = after(stands(PUSHED_HOME), "rh2s", "Ch3s", "Ch2w", "rh1n")
    assert ARIMAA.outcome(position) is None
    assert ARIMAA.diagram(position).split()[5:] == ["........", "......Cr", "R......."]


def test_the_movers_goal_counts_before_the_other_sides() -> None:
    both = """
        R.......
        ........
        ........
        ........
        ........
        ........
        ........
        .......r
    """
    assert ARIMAA.outcome(stands(both, "1 steps 0")) == Outcome(0, Reason.RULES, "goal")
    assert ARIMAA.outcome(stands(both, "0 steps 0")) == Outcome(1, Reason.RULES, "goal")


def test_capturing_the_last_enemy_rabbit_wins() -> None:
    position = stands(
        """
        ........
        ........
        ........
        ........
        ..rH....
        ........
        ........
        R.......
        """
    )
    won = after(position, "rc4s", "Hd4w", "pass")
    assert ARIMAA.outcome(won) == Outcome(0, Reason.RULES, "elimination")


def test_who_moves_wins_when_both_sides_lose_their_last_rabbits() -> None:
    # The rabbit's guard leaves c3 and takes the silver rabbit's place on e3, which is pushed alone into f3.
    position = stands(
        """
        ........
        ........
        ........
        ........
        ........
        ..RHr...
        ........
        ........
        """
    )
    bare = after(position, "re3e rf3x", "Hd3e Rc3x", "pass")
    assert set(ARIMAA.board(bare).values()) == {"gold horse"}
    assert ARIMAA.outcome(bare) == Outcome(0, Reason.RULES, "elimination")


@pytest.mark.parametrize(
    ("lowest", "steps"),
    [
        ("......C. .......r R.......", ["Cg3s", "pass"]),  # frozen
        ("........ r....... RR......", ["Rb1n", "pass"]),  # no free square; equals do not freeze
    ],
)
def test_a_side_that_cannot_move_has_lost(lowest: str, steps: list[str]) -> None:
    position = after(stands("........ " * 5 + lowest), *steps)
    assert ARIMAA.outcome(position) == Outcome(0, Reason.RULES, "immobilisation")
    assert legal(position) == []


@pytest.mark.parametrize(
    ("move", "why", "text"),
    [
        (step("c1", "c2"), Why.NOT_YOUR_PIECE, "not your piece"),
        (step("h8", "h7"), Why.NOT_YOUR_PIECE, "not your piece"),
        (Move(at("a1"), 64), Why.OUT_OF_BOUNDS, "movement out of bounds"),
        (Move(-1, at("a1")), Why.OUT_OF_BOUNDS, "movement out of bounds"),
        (step("a1", "d4"), Why.OWN_PIECE_THERE, "cannot move to field which is occupied by another piece of yours"),
        (step("d4", "d5"), Why.ILLEGAL, "the square is occupied"),
        (step("d4", "f4"), Why.ILLEGAL, "a step goes to a neighbouring square"),
        (step("d4", "d4"), Why.OWN_PIECE_THERE, "cannot move to field which is occupied by another piece of yours"),
        (Move(at("d4"), at("e4"), "horse"), Why.ILLEGAL, "a step names no piece"),
        (Move(at("d4"), None), Why.ILLEGAL, "only a trap takes a piece off the board"),
        (Move(None, at("e4"), "horse"), Why.NO_SUCH_PIECE, "piece of type 'horse' is not available for placement"),
        (PASS, Why.ILLEGAL, "a turn has at least one step"),
    ],
)
def test_a_step_is_refused_for_its_own_reason(move: Move, why: Why, text: str) -> None:
    assert refused(stands(PUSH), move) == (why, text)


def test_a_capture_may_be_left_out_when_a_step_is_written_and_letter_case_is_ignored() -> None:
    position = stands("........ .......r ........ ........ ..H..... ........ ........ R.......")
    wanted = step("c4", "c3")
    assert [ARIMAA.parse(position, text) for text in ("Hc4s Hc3x", "hc4s", " HC4S hc3x\n")] == [wanted] * 3


def test_a_turn_is_read_whole_with_what_a_trap_takes() -> None:
    position = stands("........ .......r ........ ........ ..H..... ........ ........ R.......")
    steps = (step("c4", "c3"), step("a1", "a2"), PASS)
    assert ARIMAA.turn(position, "Hc4s Hc3x Ra1n pass") == steps
    with pytest.raises(IllegalMove, match="the turn is over before 'rh7s'"):
        ARIMAA.turn(position, "Hc4s Ra1n pass rh7s")


@pytest.mark.parametrize("text", ["", "Hd4", "Hd4e Hd4x", "pass"])
def test_what_has_not_the_form_of_a_move_is_a_syntax_error(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        ARIMAA.parse(stands(PUSH), text)
    assert caught.value.why is Why.SYNTAX


@pytest.mark.parametrize("text", ["Hd4x", "d4n", "Hd4n"])
def test_what_has_the_form_of_a_move_and_is_none_is_illegal(text: str) -> None:
    with pytest.raises(IllegalMove, match="no legal move here is written") as caught:
        ARIMAA.parse(stands(PUSH), text)
    assert caught.value.why is Why.ILLEGAL


@pytest.mark.parametrize(
    "steps",
    [
        GOLD[:5],
        GOLD,
        [*GOLD, *SILVER],
        [*GOLD, *SILVER, "Ee2n", "Ee3n", "pass", "me7s", "pass"],
        [*GOLD, *SILVER, "Ee2n", "Ee3n", "Ee4n", "Ra2n", "rh7s", "rh6s"],
    ],
)
def test_a_text_begins_the_position_it_was_taken_from(steps: list[str]) -> None:
    position = after(ARIMAA.start(ARIMAA.settings()), *steps)
    assert ARIMAA.start(ARIMAA.settings(start=ARIMAA.text(position))) == position


def test_the_text_keeps_a_push_and_a_pull_that_are_under_way() -> None:
    for text, going_on in (
        (ARIMAA.text(after(stands(PUSH), "dd5e")), ["Hd4n"]),
        (ARIMAA.text(after(stands(PUSH), "Hd4w")), ["dd5s"]),
    ):
        position = ARIMAA.start(ARIMAA.settings(start=text))
        assert [word for word in legal(position) if word in ("Hd4n", "dd5s")] == going_on


EMPTY_ROWS = "/".join(["........"] * 8)
MID = "......../......../......../......../...H..../......../......../R......r"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "no position of arimaa"),
        (EMPTY_ROWS, "no position of arimaa"),
        (EMPTY_ROWS + " 2 setup", "no position of arimaa"),
        (EMPTY_ROWS + " 1 setup", "which is not seat 1's set-up"),
        (EMPTY_ROWS + " 0  steps 0", "no position of arimaa"),
        (EMPTY_ROWS[:-1] + " 0 setup", "eight rows of eight"),
        (EMPTY_ROWS.replace("........", "E.......", 1) + " 0 setup", "outside its two ranks"),
        (EMPTY_ROWS[:-2] + "EE 0 setup", "more pieces than there are"),
        (EMPTY_ROWS[:-2] + "KQ 0 setup", "more pieces than there are"),
        ("8/8/8/8/8/8/8/R6r 0 steps 0", "written"),
        (MID + " 0 steps 4 from 8/8/8/8/H7/8/8/R6r", "no position"),
        ("......../......../..H...../......../......../......../......../R......r 0 steps 0", "alone in a trap"),
        (MID + " 0 steps 1", "cannot be completed"),
        (MID + " 0 steps 0 from 8/8/8/8/3H4/8/8/R6r", "written"),
        (MID.replace("r", ".") + " 0 steps 1 from 8/8/8/8/2H5/8/8/R7", "cannot be completed"),
        (MID + " 0 steps 0 once 8/8/8/8/3H4/8/8/R7:1", "other pieces"),
        (MID + " 0 steps 0 once 8/8/8/8/2H5/8/8/R6r", "no side to move"),
        (MID + " 0 steps 0 once 8/8/8/8/2H5/8/8/R6r:1 twice 8/8/8/8/2H5/8/8/R6r:1", "once and twice"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as caught:
        ARIMAA.settings(start=text)
    assert caught.value.why is Why.BAD_OPTION


IN_TURN = "....r.../......../......../......../...H..../......../......../R......."
BEGAN = "4r3/8/8/8/2H5/8/8/R7"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{IN_TURN} 0 steps 1 from 4r3/8/8/8/8/8/8/R7", "without some of the pieces"),
        (f"{IN_TURN} 0 steps 1 from {BEGAN} pull d4H", "empty square"),
        (f"{IN_TURN} 0 steps 1 from {BEGAN} pull c4H", "nothing can be pulled"),
        (f"{IN_TURN} 0 steps 1 from {BEGAN} push e4H", "cannot be completed"),
        (f"{IN_TURN} 0 steps 1 from {BEGAN} push h8c", "cannot be completed"),
    ],
)
def test_a_text_of_an_impossible_turn_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        ARIMAA.settings(start=text)


def test_bots_see_material_running_rabbits_and_pieces_beside_traps() -> None:
    even = stands("r......e ........ ........ ........ ........ ........ ........ R......E")
    assert ARIMAA.evaluate(even, 0) == pytest.approx(0.0)
    position = stands(PUSH)
    assert ARIMAA.evaluate(position, 0) == -ARIMAA.evaluate(position, 1) > 1.5
    running = after(position, "Ra1n")
    assert ARIMAA.evaluate(running, 0) >= ARIMAA.evaluate(position, 0)
    assert ARIMAA.evaluate(after(running, "Ra2n", "Ra3n"), 0) > ARIMAA.evaluate(running, 0)
    guarding = after(stands("r....... ........ ........ ........ ........ ........ .H...... R......."), "Hb2n")
    assert ARIMAA.evaluate(guarding, 0) > 5.1


def test_the_words_for_pieces_are_those_of_placements() -> None:
    position = ARIMAA.start(ARIMAA.settings())
    offered = {move.piece for move in ARIMAA.legal_moves(position)}
    assert offered == set(PIECES)
    assert ARIMAA.board(after(position, "Ee2")) == {at("e2"): "gold elephant"}
