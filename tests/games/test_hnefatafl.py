"""Hnefatafl, rule by rule and rule set by rule set: a diagram before, a move, a diagram after."""

from __future__ import annotations

import pickle
import random

import pytest

from gateway.games.hnefatafl.position import Position
from gateway.games.hnefatafl.rules import Hnefatafl
from protocols.core import squares
from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason

GAME = Hnefatafl()
ATTACKERS, DEFENDERS = 0, 1
"""Seats, except in ggzboard, where the defenders are seat 0."""


def begin(variant: str, rows: str, turn: int = ATTACKERS) -> Position:
    """The position of a diagram; rows left out above the first and below the last are empty."""
    size = GAME.settings(variant).width
    given = rows.split()
    text = "/".join(given + ["." * size] * (size - len(given)))
    return GAME.start(GAME.settings(variant, start=f"{text} {turn}"))


def played(position: Position, *moves: str) -> Position:
    for move in moves:
        position = GAME.play(position, GAME.parse(position, move))
    return position


def at(position: Position, name: str) -> str:
    """The letter on a square."""
    rows = GAME.diagram(position).split()
    number = squares.number(name, len(rows), len(rows))
    return rows[number // len(rows)][number % len(rows)]


def move(position: Position, text: str) -> Move:
    """A move that need not be legal."""
    size = GAME.settings(position.variant).width
    source, target = (squares.number(name, size, size) for name in text.split("-"))
    return Move(source, target)


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        GAME.play(position, move(position, text))
    assert refused.value.why is Why.ILLEGAL
    return refused.value.text


def ended(position: Position) -> tuple[int | None, str]:
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.reason is Reason.RULES
    assert GAME.to_move(position) is None
    assert GAME.legal_moves(position) == []
    return outcome.winner, outcome.detail


@pytest.mark.parametrize(
    ("variant", "attackers", "defenders", "first", "moves"),
    [
        ("copenhagen", 24, 12, "attackers", 116),
        ("tablut", 16, 8, "attackers", 80),
        ("brandubh", 8, 4, "attackers", 40),
        ("ggzboard", 16, 8, "defenders", 16),
    ],
)
def test_each_rule_set_begins_with_its_pieces(
    variant: str, attackers: int, defenders: int, first: str, moves: int
) -> None:
    position = GAME.start(GAME.settings(variant))
    pieces = list(GAME.board(position).values())
    assert (pieces.count("attacker"), pieces.count("defender"), pieces.count("king")) == (attackers, defenders, 1)
    assert GAME.to_move(position) == 0
    assert {GAME.board(position)[found.source or 0] for found in GAME.legal_moves(position)} == {first[:-1]}
    assert len(GAME.legal_moves(position)) == moves


def test_seats_are_called_after_their_side() -> None:
    assert GAME.called(GAME.settings("copenhagen")) == ("attackers", "defenders")
    assert GAME.called(GAME.settings("ggzboard")) == ("defenders", "attackers")


def test_copenhagen_is_the_default() -> None:
    assert GAME.settings().variant == "copenhagen"


def test_pieces_move_like_rooks_and_over_no_piece() -> None:
    position = begin("brandubh", "....... ..A.D.. ....... ....... K......")
    assert sorted(GAME.notation(position, found) for found in GAME.legal_moves(position)) == [
        *("c6-a6", "c6-b6", "c6-c1", "c6-c2", "c6-c3", "c6-c4", "c6-c5", "c6-c7", "c6-d6")
    ]
    assert refusal(position, "c6-f6") == "the way from c6 to f6 is not free"
    assert refusal(position, "c6-e6") == "e6 is occupied"
    assert refusal(position, "c6-d5") == "pieces move along rows and columns"


def test_soldiers_pass_over_the_empty_throne_but_do_not_stop_there() -> None:
    position = begin("brandubh", "...A... ....... ....... ....... K......")
    assert refusal(position, "d7-d4") == "only the king may enter d4"
    assert at(played(position, "d7-d3"), "d3") == "A"


def test_nobody_passes_over_the_throne_while_the_king_is_there() -> None:
    position = begin("brandubh", "...A... ....... ....... ...K...")
    assert refusal(position, "d7-d3") == "the way from d7 to d3 is not free"


def test_soldiers_do_not_enter_corners() -> None:
    position = begin("copenhagen", "...A....... ........... .....K.....")
    assert refusal(position, "d11-a11") == "only the king may enter a11"


def test_corners_are_ordinary_squares_in_tablut() -> None:
    assert at(played(begin("tablut", "..A...... ......... ....K...."), "c9-a9"), "a9") == "A"


@pytest.mark.parametrize("variant", ["copenhagen", "tablut", "brandubh"])
def test_the_king_may_return_to_the_throne(variant: str) -> None:
    size = GAME.settings(variant).width
    middle = "." * (size // 2)
    rows = ["." * size] * (size // 2 - 1) + [f"{middle}K{middle}", "." * size, f"{middle}A{middle}"]
    position = begin(variant, " ".join(rows), DEFENDERS)
    name = squares.name(size * size // 2, size, size)
    assert at(played(position, f"{squares.name(size * size // 2 - size, size, size)}-{name}"), name) == "K"


def test_a_soldier_between_two_enemies_is_captured() -> None:
    position = begin("brandubh", "....... A...... .DA.... ....... ....... ....... ...K...")
    after = played(position, "a6-a5")
    assert GAME.diagram(after).split()[2] == "A.A...."
    assert GAME.notation(position, move(position, "a6-a5")) == "a6-a5xb5"
    assert GAME.changes(position, move(position, "a6-a5")) == [(7, None), (14, "attacker"), (15, None)]


def test_a_soldier_may_step_between_two_enemies() -> None:
    position = begin("brandubh", ".D..... ....... A.A.... ....... ....... ....... ...K...", DEFENDERS)
    after = played(position, "b7-b5")
    assert GAME.diagram(after).split()[2] == "ADA...."


def test_one_move_captures_on_three_sides() -> None:
    position = begin("brandubh", "..A.... ..D.... AD.DA.. ....... ....... ..A.... ...K...")
    assert GAME.notation(position, move(position, "c2-c5")) == "c2-c5xc6xb5xd5"
    after = played(position, "c2-c5")
    assert GAME.diagram(after).split()[:3] == ["..A....", ".......", "A.A.A.."]


@pytest.mark.parametrize("variant", ["copenhagen", "tablut", "brandubh", "ggzboard"])
def test_the_king_takes_part_in_captures(variant: str) -> None:
    fill = "." * (GAME.settings(variant).width - 5)
    turn = 0 if variant == "ggzboard" else DEFENDERS
    position = begin(variant, f".....{fill} ..K..{fill} ...AD{fill} A....{fill}", turn)
    size = GAME.settings(variant).width
    king, there, soldier = (squares.name(y * size + x, size, size) for x, y in ((2, 1), (2, 2), (3, 2)))
    after = played(position, f"{king}-{there}")
    assert at(after, there) == "K"
    assert at(after, soldier) == "."


@pytest.mark.parametrize(
    ("variant", "turn", "rows", "moved", "captured"),
    [
        ("copenhagen", ATTACKERS, ".D......... ..A........ ........... .....K.....", "c10-c11", "b11"),
        ("copenhagen", DEFENDERS, ".A......... ..D........ ........... .....K.....", "c10-c11", "b11"),
        ("brandubh", ATTACKERS, ".D..... ..A.... ....... ....K..", "c6-c7", "b7"),
        ("ggzboard", 1, ".D....... ..A...... ......... ....K....", "c8-c9", "b9"),
    ],
)
def test_a_corner_stands_in_for_an_enemy(variant: str, turn: int, rows: str, moved: str, captured: str) -> None:
    position = begin(variant, rows, turn)
    assert GAME.notation(position, move(position, moved)) == f"{moved}x{captured}"


def test_a_corner_of_tablut_captures_nothing() -> None:
    position = begin("tablut", ".D....... ..A...... ......... ....K....")
    assert GAME.notation(position, move(position, "c8-c9")) == "c8-c9"


EMPTY_THRONE = "........... .....K..... ........... {}.......... .....{}....."


@pytest.mark.parametrize(("turn", "mover", "victim"), [(ATTACKERS, "A", "D"), (DEFENDERS, "D", "A")])
def test_the_empty_throne_stands_in_for_an_enemy(turn: int, mover: str, victim: str) -> None:
    position = begin("copenhagen", EMPTY_THRONE.format(mover, victim), turn)
    assert GAME.notation(position, move(position, "a8-f8")) == "a8-f8xf7"


def test_the_throne_protects_a_defender_while_the_king_is_there() -> None:
    rows = "........... ........... ........... A.......... .....D..... .....K....."
    assert at(played(begin("copenhagen", rows), "a8-f8"), "f7") == "D"


def test_the_king_on_the_throne_captures_an_attacker() -> None:
    rows = "........... ........... ........... D.......... .....A..... .....K....."
    assert at(played(begin("copenhagen", rows, DEFENDERS), "a8-f8"), "f7") == "."


def test_a_shieldwall_takes_a_row_on_the_edge() -> None:
    rows = [".....K.....", *["..........."] * 7, "..A........", "...AAA.....", "...DDDA...."]
    position = begin("copenhagen", " ".join(rows))
    assert GAME.notation(position, move(position, "c3-c1")) == "c3-c1xd1xe1xf1"
    assert GAME.diagram(played(position, "c3-c1")).split()[9:] == ["...AAA.....", "..A...A...."]


def test_a_shieldwall_may_end_at_a_corner_and_stand_at_a_side() -> None:
    rows = "........... DA......... DA......... ..A........ .......K..."
    position = begin("copenhagen", rows)
    assert GAME.notation(position, move(position, "c8-a8")) == "c8-a8xa10xa9"


def test_a_shieldwall_is_closed_beside_the_row() -> None:
    rows = "........... DA......... DA......... ........... ..A........ .......K..."
    position = begin("copenhagen", rows)
    assert GAME.notation(position, move(position, "c7-a7")) == "c7-a7"


def test_a_shieldwall_spares_the_king_in_the_row() -> None:
    rows = ["..........."] * 8 + [".......A...", "........AA.", "........KD."]
    position = begin("copenhagen", " ".join(rows))
    after = played(position, "h3-h1")
    assert GAME.diagram(after).split()[10] == ".......AK.."
    assert GAME.outcome(after) is None


def test_a_king_can_close_a_shieldwall() -> None:
    rows = ["...A.......", *["..........."] * 7, "..K........", "...DD......", "...AAD....."]
    position = begin("copenhagen", " ".join(rows), DEFENDERS)
    assert GAME.notation(position, move(position, "c3-c1")) == "c3-c1xd1xe1"


@pytest.mark.parametrize(
    ("front", "row", "moved"),
    [
        ("...A.A.....", "...DDDA....", "c3-c1"),  # one has no piece in front of it
        ("...AAA.....", "...DDD.....", "c3-c1"),  # the other end is open
    ],
)
def test_a_shieldwall_with_a_gap_takes_nobody(front: str, row: str, moved: str) -> None:
    rows = [".....K.....", *["..........."] * 7, "..A........", front, row]
    position = begin("copenhagen", " ".join(rows))
    assert GAME.notation(position, move(position, moved)) == moved


def test_a_shieldwall_is_closed_at_its_ends_only() -> None:
    rows = [".....K.....", *["..........."] * 7, "....A......", "...A.......", "..ADDA....."]
    position = begin("copenhagen", " ".join(rows))
    assert GAME.notation(position, move(position, "e3-e2")) == "e3-e2"


def test_there_is_no_shieldwall_in_tablut() -> None:
    rows = [".........", "....K....", *["........."] * 4, "..A......", "...AA....", "...DDA..."]
    position = begin("tablut", " ".join(rows))
    assert GAME.notation(position, move(position, "c3-c1")) == "c3-c1"


def test_the_king_is_taken_on_four_sides() -> None:
    position = begin("copenhagen", "........... ....A...... ....AKA.... .....A..... D..........")
    assert GAME.notation(position, move(position, "e10-f10")) == "e10-f10xf9"
    after = played(position, "e10-f10")
    assert ended(after) == (ATTACKERS, "king captured")
    assert "K" not in GAME.diagram(after)
    assert GAME.start(GAME.settings("copenhagen", start=GAME.text(after))) == after


def test_the_king_is_not_taken_on_three_sides() -> None:
    position = begin("copenhagen", "........... ....A...... ....AKA.... ........... D..........")
    assert GAME.outcome(played(position, "e10-f10")) is None


def test_the_king_is_not_taken_on_the_edge_of_copenhagen() -> None:
    position = begin("copenhagen", "....AKA.... ....A...... ........... ........... D..........")
    assert GAME.outcome(played(position, "e10-f10")) is None


def test_the_empty_throne_is_the_fourth_side() -> None:
    rows = "........... ........... ........... ....A...... ....AKA.... ........... D.........."
    assert ended(played(begin("copenhagen", rows), "e8-f8")) == (ATTACKERS, "king captured")


def test_on_the_throne_four_attackers_take_the_king() -> None:
    rows = "........... ........... ........... ....A...... ........... ....AKA.... .....{}..... D.........."
    assert ended(played(begin("copenhagen", rows.format("A")), "e8-e7", "a4-b4", "e7-f7")) == (
        ATTACKERS,
        "king captured",
    )
    assert GAME.outcome(played(begin("copenhagen", rows.format("D")), "e8-e7", "a4-b4", "e7-f7")) is None


def test_the_king_may_step_into_the_trap() -> None:
    rows = "........... ........... ........... .....A..... ....A.A.... .....K..... ........... A.........."
    position = played(begin("copenhagen", rows, DEFENDERS), "f6-f7")
    assert GAME.outcome(position) is None
    assert GAME.outcome(played(position, "a4-a5")) is None


def test_away_from_the_throne_two_attackers_take_the_king_of_brandubh_and_tablut() -> None:
    assert ended(played(begin("brandubh", "...A... .AK.... D......"), "d7-d6")) == (ATTACKERS, "king captured")
    assert ended(played(begin("tablut", "...A..... .AK...... D........"), "d9-d8")) == (ATTACKERS, "king captured")


def test_a_corner_of_brandubh_stands_in_for_one_of_them() -> None:
    assert ended(played(begin("brandubh", ".K..... ..A.... D......"), "c6-c7")) == (ATTACKERS, "king captured")


def test_beside_the_throne_of_brandubh_it_takes_three() -> None:
    two = begin("brandubh", "....... ....A.. ..AK... ....... D......")
    assert GAME.outcome(played(two, "e6-e5")) is None
    three = begin("brandubh", "....... ...AA.. ..AK... ....... D......")
    assert ended(played(three, "e6-e5")) == (ATTACKERS, "king captured")


def test_a_king_moving_between_two_attackers_is_not_taken() -> None:
    position = begin("brandubh", "..K.... ....... .A.A...", DEFENDERS)
    assert GAME.outcome(played(position, "c7-c5")) is None


def test_the_king_escapes_to_a_corner() -> None:
    position = begin("copenhagen", ".....K..... A..........", DEFENDERS)
    assert ended(played(position, "f11-k11")) == (DEFENDERS, "king escaped")


@pytest.mark.parametrize("variant", ["copenhagen", "brandubh"])
def test_the_edge_alone_is_no_escape(variant: str) -> None:
    fill = "." * (GAME.settings(variant).width - 5)
    position = begin(variant, f".....{fill} ..K..{fill} ....A{fill}", DEFENDERS)
    rank = GAME.settings(variant).width
    assert GAME.outcome(played(position, f"c{rank - 1}-c{rank}")) is None


def test_the_king_of_tablut_escapes_to_the_edge() -> None:
    position = begin("tablut", "......... ..K...... ....A....", DEFENDERS)
    assert ended(played(position, "c8-c9")) == (DEFENDERS, "king escaped")


def bottom(rows: list[str], turn: int = DEFENDERS) -> Position:
    """A position of copenhagen from its last rows, with an attacker in the top row."""
    return begin("copenhagen", " ".join(["....A......", *["..........."] * (10 - len(rows)), *rows]), turn)


def test_a_closed_fort_on_the_edge_wins() -> None:
    position = bottom(["......D....", "....DD.....", "...DK......"])
    assert ended(played(position, "g3-g1")) == (DEFENDERS, "exit fort")


def test_a_deep_fort_wins_too() -> None:
    position = bottom([".....D.....", "...........", "....D......", "....D.D....", "....DKD...."])
    assert ended(played(position, "f5-f3")) == (DEFENDERS, "exit fort")


@pytest.mark.parametrize(
    "rows",
    [
        ["......D....", "....D......", "...DK......"],  # open
        ["......D....", "....DD.....", "...DK..A..."],  # the same as the fort: g1 is still to be reached
    ],
)
def test_an_open_enclosure_is_no_fort(rows: list[str]) -> None:
    assert GAME.outcome(bottom(rows)) is None


def test_a_fort_that_can_be_broken_is_none() -> None:
    position = bottom([".....D.....", "...........", "...........", "....D.D....", "....DKD...."])
    assert GAME.outcome(played(position, "f5-f3")) is None


def test_a_fort_with_an_attacker_inside_is_none() -> None:
    position = bottom(["......D....", "....DDD....", "...DK.A...."])
    assert GAME.outcome(played(position, "g3-h3")) is None


def test_a_king_who_cannot_move_has_no_fort() -> None:
    position = bottom(["....D......", "...........", "...DKD....."])
    assert GAME.outcome(played(position, "e3-e2")) is None


RING = """
...........
...........
....AAA....
...A...A...
...A.KDA...
...A...A...
....AA.....
...........
...........
{}..........
......A....
"""


def test_a_ring_around_all_defenders_wins_for_the_attackers() -> None:
    assert ended(played(begin("copenhagen", RING.format(".")), "g1-g5")) == (ATTACKERS, "defenders encircled")


def test_a_ring_that_leaves_one_defender_outside_does_not() -> None:
    assert GAME.outcome(played(begin("copenhagen", RING.format("D")), "g1-g5")) is None


def test_only_copenhagen_has_the_ring() -> None:
    position = begin(
        "tablut", "......... ...AA.... ..A..A... ..AK.A... ..A..A... ...A..... ......... ......... ....A...."
    )
    assert GAME.outcome(played(position, "e1-e4")) is None


SHUFFLE = ("h11-h10", "f8-f9", "h10-h11", "f9-f8")


PERPETUAL = Outcome(ATTACKERS, Reason.CLAIM, "perpetual repetition")


@pytest.mark.parametrize("seat", [0, 1])
def test_the_third_occurrence_of_a_position_lets_the_attackers_claim_the_game(seat: int) -> None:
    """Whichever side is to move, and so has let it come about or not."""
    moves = [*SHUFFLE, *SHUFFLE, *SHUFFLE][: 8 + seat]
    assert GAME.claim(played(GAME.start(GAME.settings()), *moves[:7])) is None
    position = played(GAME.start(GAME.settings()), *moves)
    assert (position.turn, GAME.outcome(position), GAME.claim(position)) == (seat, None, PERPETUAL)


def test_the_fifth_occurrence_of_a_position_loses_for_the_defenders() -> None:
    position = played(GAME.start(GAME.settings()), *SHUFFLE, *SHUFFLE, *SHUFFLE, *SHUFFLE[:3])
    assert GAME.outcome(position) is None
    assert ended(played(position, SHUFFLE[3])) == (ATTACKERS, "perpetual repetition")
    assert GAME.claim(played(position, SHUFFLE[3])) is None


def test_a_repetition_is_remembered_by_the_text_of_the_position() -> None:
    position = played(GAME.start(GAME.settings()), *SHUFFLE, *SHUFFLE[:3])
    again = GAME.start(GAME.settings(start=GAME.text(position)))
    assert again == position
    assert GAME.claim(played(again, SHUFFLE[3])) == PERPETUAL


def test_a_capture_forgets_the_quiet_moves() -> None:
    position = begin("brandubh", "....... A...... .DA.... ....... ....... ....... ...K...")
    quiet = played(position, "c5-c6", "d1-e1", "c6-c5", "e1-d1")
    assert GAME.text(quiet).endswith(" 0 c5-c6,d1-e1,c6-c5,e1-d1")
    assert GAME.text(played(quiet, "a6-a5")).endswith(" 1")


def test_the_text_of_a_position_stays_short_in_a_long_quiet_game() -> None:
    position, choose = GAME.start(GAME.settings()), random.Random(3)
    for _ in range(200):
        calm = [found for found in GAME.legal_moves(position) if "x" not in GAME.notation(position, found)]
        calm = [found for found in calm if GAME.outcome(GAME.play(position, found)) is None]
        position = GAME.play(position, choose.choice(calm))
    assert len(GAME.text(position).split(" ")[2].split(",")) == 160
    assert GAME.start(GAME.settings(start=GAME.text(position))) == position


def test_a_seat_without_a_legal_move_has_lost() -> None:
    assert ended(begin("brandubh", ".AD.... .D..... ....... ....... ....K..")) == (DEFENDERS, "no legal move")


def test_a_move_over_the_throne_is_a_legal_move() -> None:
    position = begin("tablut", "......... ......... ....D.... ...DAD... ......... ......... ......... .K.......")
    assert [GAME.notation(position, found) for found in GAME.legal_moves(position)] == [
        *("e6-e4", "e6-e3", "e6-e2", "e6-e1")
    ]


GGZBOARD = [
    (
        "a soldier steps one square along a row or a column",
        0,
        "......... .......A. ..D...... ......... ......... .......K.",
        "c7-d7",
        "......... .......A. ...D..... ......... ......... .......K.",
    ),
    (
        "the king steps one square, too",
        0,
        "......... .......A. ..K...... ......... ......... .........",
        "c7-c6",
        "......... .......A. ......... ..K...... ......... .........",
    ),
    (
        "a soldier jumps over the empty throne",
        0,
        "......... .......K. ......... ....D.... ......... ......... .A.......",
        "e6-e4",
        "......... .......K. ......... ......... ......... ....D.... .A.......",
    ),
    (
        "a defender jumps over the throne while the king is there",
        0,
        "......... ......... ......... ......... ...DK.... ......... .A.......",
        "d5-f5",
        "......... ......... ......... ......... ....KD... ......... .A.......",
    ),
    (
        "an attacker jumps over the king on the throne",
        1,
        "......... ......... ......... ....A.... ....K.... ......... .D.......",
        "e6-e4",
        "......... ......... ......... ......... ....K.... ....A.... .D.......",
    ),
    (
        "a jump captures where it lands",
        1,
        "......... ......... ......... ......... ...AK.DA. ......... .D.......",
        "d5-f5",
        "......... ......... ......... ......... ....KA.A. ......... .D.......",
    ),
    (
        "the king may return to the throne",
        0,
        "......... .......A. ......... ....K.... ......... ......... .........",
        "e6-e5",
        "......... .......A. ......... ......... ....K.... ......... .........",
    ),
    (
        "a soldier may enter a corner",
        1,
        ".A....... ......... ....K.... ......... ......... ......... .........",
        "b9-a9",
        "A........ ......... ....K.... ......... ......... ......... .........",
    ),
    (
        "an attacker is captured between a defender and an empty corner",
        0,
        ".A....... ..D...... ....K.... ......... ......... ......... .......A.",
        "c8-c9",
        "..D...... ......... ....K.... ......... ......... ......... .......A.",
    ),
    (
        "a defender is captured between an attacker and an empty corner",
        1,
        ".D....... ..A...... ....K.... ......... ......... ......... .........",
        "c8-c9",
        "..A...... ......... ....K.... ......... ......... ......... .........",
    ),
    (
        "a corner that a piece of one's own stands in is not hostile",
        1,
        "DD....... ..A...... ....K.... ......... ......... ......... .........",
        "c8-c9",
        "DDA...... ......... ....K.... ......... ......... ......... .........",
    ),
    (
        "a soldier steps between two enemies unharmed",
        0,
        ".D....... ......... A.A...... .D....... ....K.... ......... .........",
        "b6-b7",
        ".D....... ......... ADA...... ......... ....K.... ......... .........",
    ),
    (
        "the king captures like a soldier, by his move",
        0,
        "......... ..K...... ...AD.... ......... ......... ......... .......A.",
        "c8-c7",
        "......... ......... ..K.D.... ......... ......... ......... .......A.",
    ),
    (
        "the king captures like a soldier, standing by",
        0,
        "......... ....D.... ..KA..... ......... ......... ......... .......A.",
        "e8-e7",
        "......... ......... ..K.D.... ......... ......... ......... .......A.",
    ),
    (
        "the empty throne is not hostile to a defender",
        1,
        "......... .......K. ...A..... ....D.... ......... ......... .........",
        "d7-e7",
        "......... .......K. ....A.... ....D.... ......... ......... .........",
    ),
    (
        "the empty throne is not hostile to an attacker",
        0,
        "......... .......K. ...D..... ....A.... ......... ......... .........",
        "d7-e7",
        "......... .......K. ....D.... ....A.... ......... ......... .........",
    ),
    (
        "the edge is not hostile to a soldier",
        1,
        "....D.... ......... ...A..... ....K.... ......... ......... .........",
        "d7-d8",
        "....D.... ...A..... ......... ....K.... ......... ......... .........",
    ),
    (
        "three attackers and a free square do not take the king",
        1,
        "......... ..A...... ..AK..... ...A..... ......... ......... .........",
        "c8-d8",
        "......... ...A..... ..AK..... ...A..... ......... ......... .........",
    ),
    (
        "two attackers do not take the king",
        1,
        "......... ......... ..AK..... ....A.... ......... ......... .........",
        "e6-e7",
        "......... ......... ..AKA.... ......... ......... ......... .........",
    ),
    (
        "the king on the edge is not the king in a corner",
        0,
        "......... ....K.... ......... ......... .......A. ......... .........",
        "e8-e9",
        "....K.... ......... ......... ......... .......A. ......... .........",
    ),
]
"""A title, the side to move, the rows before, the move and the rows after; the game goes on."""


@pytest.mark.parametrize(
    ("turn", "before", "moved", "after"), [row[1:] for row in GGZBOARD], ids=[row[0] for row in GGZBOARD]
)
def test_ggzboard_plays_as_the_historic_client(turn: int, before: str, moved: str, after: str) -> None:
    position = played(begin("ggzboard", before, turn), moved)
    assert GAME.diagram(position).split()[: len(after.split())] == after.split()
    assert GAME.outcome(position) is None


@pytest.mark.parametrize(
    ("rows", "turn", "tried", "why"),
    [
        ("..D...... ......... K......A.", 0, "c9-e9", "soldiers step one square, or jump over the throne"),
        ("..K...... ......... .......A.", 0, "c9-e9", "the king steps one square"),
        (". . . ....K.... . . .A", 0, "e6-e4", "the king steps one square"),
        (". . . ....D.... . . .A . .K", 0, "e6-e5", "only the king may enter e5"),
        (". . . ....D.... . ....A.... . . .K", 0, "e6-e4", "e4 is occupied"),
        (". . ....D.... . . . .A . .K", 0, "e7-e4", "soldiers step one square, or jump over the throne"),
        (". . . ...D..... . . .A . .K", 0, "d6-f6", "soldiers step one square, or jump over the throne"),
        (". . . ...D..... . . .A . .K", 0, "d6-e5", "pieces move along rows and columns"),
    ],
)
def test_a_longer_way_is_refused_in_ggzboard(rows: str, turn: int, tried: str, why: str) -> None:
    position = begin("ggzboard", " ".join(row.ljust(9, ".") for row in rows.split()), turn)
    with pytest.raises(IllegalMove, match=f"^{why}$"):
        GAME.play(position, move(position, tried))


@pytest.mark.parametrize(
    ("rows", "moved"),
    [
        ("......... ...A..... ..AK..... ...AA....", "e6-e7"),
        ("...AKA... ...A.....", "d8-e8"),
        (".KA...... ..A......", "c8-b8"),
        ("......... ......... ...A..... ...AKA...", "d7-e7"),
    ],
    ids=["four attackers", "three and the edge", "two, the edge and an empty corner", "three and the empty throne"],
)
def test_the_king_of_ggzboard_is_taken_on_all_four_sides(rows: str, moved: str) -> None:
    position = played(begin("ggzboard", rows, 1), moved)
    assert "K" not in GAME.diagram(position)
    assert ended(position) == (1, "king captured")


@pytest.mark.parametrize(
    ("rows", "moved"),
    [
        ("...DKA... ...A.....", "d8-e8"),
        ("DKA...... ..A......", "c8-b8"),
        ("......... ......... ...A..... ...AKD...", "d7-e7"),
    ],
    ids=["a defender on the edge", "a defender in the corner", "a defender beside"],
)
def test_a_defender_beside_the_king_of_ggzboard_saves_him(rows: str, moved: str) -> None:
    assert GAME.outcome(played(begin("ggzboard", rows, 1), moved)) is None


def test_the_king_of_ggzboard_wins_in_a_corner() -> None:
    position = played(begin("ggzboard", ".K....... ......... .A......."), "b9-a9")
    assert GAME.diagram(position).split()[0] == "K........"
    assert ended(position) == (0, "king escaped")


def test_positions_of_ggzboard_may_come_again_without_end() -> None:
    begun = GAME.start(GAME.settings("ggzboard"))
    position = begun
    for _ in range(10):
        position = played(position, "e6-d6", "e8-d8", "d6-e6", "d8-e8")
    assert position == begun
    assert GAME.text(position) == GAME.text(begun)


@pytest.mark.parametrize(
    ("tried", "why"),
    [
        (PASS, Why.ILLEGAL),
        (Move(None, 24, "attacker"), Why.NO_SUCH_PIECE),
        (Move(3, None), Why.ILLEGAL),
        (Move(3, 121), Why.OUT_OF_BOUNDS),
        (Move(-1, 3), Why.OUT_OF_BOUNDS),
        (Move(1, 2), Why.NOT_YOUR_PIECE),
        (Move(60, 61), Why.NOT_YOUR_PIECE),
        (Move(3, 4), Why.OWN_PIECE_THERE),
        (Move(3, 3), Why.OWN_PIECE_THERE),
        (Move(3, 2, "king"), Why.NO_SUCH_PIECE),
        (Move(3, 0), Why.ILLEGAL),
        (Move(3, 15), Why.ILLEGAL),
        (Move(5, 38), Why.ILLEGAL),
    ],
)
def test_every_refusal_has_its_own_reason(tried: Move, why: Why) -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.play(GAME.start(GAME.settings()), tried)
    assert refused.value.why is why


def test_a_game_that_is_over_takes_no_move() -> None:
    position = begin("copenhagen", "K.......... A..........")
    with pytest.raises(IllegalMove) as refused:
        GAME.play(position, move(position, "a10-b10"))
    assert refused.value.why is Why.NOT_PLAYING


def test_a_move_is_read_with_or_without_what_it_captures() -> None:
    position = begin("brandubh", "....... A...... .DA.... ....... ....... ....... ...K...")
    expected = move(position, "a6-a5")
    assert GAME.parse(position, "a6-a5") == expected
    assert GAME.parse(position, " A6-A5xB5 ") == expected


@pytest.mark.parametrize(
    ("why", "texts"),
    [
        (Why.SYNTAX, ("", "a7", "a6-a5x", "a6a5", "hello")),
        (Why.ILLEGAL, ("a6-a5xc5", "a6-b5", "a6-a9", "z1-z2")),
    ],
)
def test_a_text_without_the_form_of_a_move_is_a_syntax_error_and_any_other_is_illegal(
    why: Why, texts: tuple[str, ...]
) -> None:
    position = begin("brandubh", "....... A...... .DA.... ....... ....... ....... ...K...")
    for text in texts:
        with pytest.raises(IllegalMove) as refused:
            GAME.parse(position, text)
        assert (text, refused.value.why) == (text, why)


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A...",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 2",
        "...A.../...A.../...D.../AADKDAA/...D.../...A... 0",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A.K. 0",
        "A..A.../......./...D.../AADKDAA/...D.../...A.../...A... 0",
        "...A.../...A.../..KA.../AAD.DAA/...A.../...A.../...A... 0",
        "...A.../...A.../..K..../..DAD../......./......./....... 0",
        "...X.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0 d7-d6",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0 nonsense",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0 a7-a6-a5",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0 ",
        "...A.../...A.../...D.../AADKDAA/...D.../...A.../...A... 0" + " " * 1000,
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        GAME.settings("brandubh", start=text)
    assert refused.value.why is Why.BAD_OPTION


@pytest.mark.parametrize("variant", ["copenhagen", "tablut", "brandubh", "ggzboard"])
def test_what_was_worked_out_about_a_position_is_no_part_of_its_value(variant: str) -> None:
    fresh, used = GAME.start(GAME.settings(variant)), GAME.start(GAME.settings(variant))
    GAME.play(used, GAME.legal_moves(used)[0])
    assert fresh == used
    assert hash(fresh) == hash(used)
    assert pickle.dumps(fresh) == pickle.dumps(used)
    assert GAME.legal_moves(pickle.loads(pickle.dumps(used))) == GAME.legal_moves(fresh)


@pytest.mark.parametrize("variant", ["copenhagen", "tablut", "brandubh", "ggzboard"])
def test_changes_are_the_difference_of_the_boards(variant: str) -> None:
    choose = random.Random(7)
    for _ in range(5):
        position = GAME.start(GAME.settings(variant))
        while GAME.to_move(position) is not None:
            chosen = choose.choice(GAME.legal_moves(position))
            after = GAME.play(position, chosen)
            board = GAME.board(position)
            for square, piece in GAME.changes(position, chosen):
                board.pop(square, None)
                if piece is not None:
                    board[square] = piece
            assert dict(sorted(board.items())) == GAME.board(after)
            position = after


def test_a_bot_wants_the_king_to_see_a_corner_and_values_seats_alike() -> None:
    sees = begin("copenhagen", ".....K..... ....A......")
    ban_enforcer = begin("copenhagen", "....AK..... .....A..... ...........")
    assert GAME.evaluate(sees, DEFENDERS) > GAME.evaluate(ban_enforcer, DEFENDERS)
    assert GAME.evaluate(sees, ATTACKERS) == -GAME.evaluate(sees, DEFENDERS)
    assert GAME.evaluate(begin("ggzboard", "....K.... ......... .A......."), 0) > 0
