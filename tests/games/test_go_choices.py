"""A table of Go opens with options, a handicap, or a position that is set up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.core.errors import IllegalMove, Refused, Why
from protocols.core.model import PASS, Move
from tests.games.go_boards import GAME, played, settings, squares

BOARD = "....."


def test_nothing_said_is_nineteen_by_nineteen_area_and_positional_superko() -> None:
    made = GAME.settings()
    assert (made.variant, made.width, made.height, made.options) == ("area", 19, 19, ())
    rules = GAME.start(made).rules
    assert (rules.komi, rules.ko, rules.suicide, rules.handicap) == (7.5, "positional", False, 0)
    assert GAME.start(GAME.settings("territory")).rules.komi == 6.5


def test_choices_are_kept_sorted_and_those_that_are_the_default_are_not() -> None:
    asked = {"size": "13x13", "komi": "7.50", "handicap": "0", "ko": "SIMPLE", "suicide": "forbidden"}
    made = GAME.settings(options=asked)
    assert (made.width, made.height) == (13, 13)
    assert made.options == (("ko", "simple"), ("size", "13"))
    assert GAME.settings(made.variant, options=dict(made.options)) == made
    assert GAME.settings(options={"komi": "6.5", "size": "19"}).options == (("komi", "6.5"),)
    assert GAME.settings("territory", options={"komi": "6.5"}).options == (("ko", "simple"),)


@pytest.mark.parametrize(
    ("komi", "kept"),
    [
        ("0", "0"),
        ("-0", "0"),
        ("5", "5"),
        ("-3.5", "-3.5"),
        ("+6.50", "6.5"),
        ("6.25", "6.25"),
        ("1e1", "10"),
        ("1000", "1000"),
        ("-1e12", "-1000000000000"),
    ],
)
def test_komi_is_written_in_one_way(komi: str, kept: str) -> None:
    made = GAME.settings(options={"komi": komi})
    assert made.options == (("komi", kept),)
    assert GAME.start(made).rules.komi == float(kept)


def test_komi_is_half_a_point_with_handicap() -> None:
    made = GAME.settings(options={"handicap": "4", "komi": "0.5"})
    assert made.options == (("compensation", "full"), ("handicap", "4"))
    assert GAME.start(made).rules.komi == 0.5


@pytest.mark.parametrize(
    ("option", "value", "variant"),
    [
        ("size", "4", "area"),
        ("size", "26", "area"),
        ("size", "9x13", "area"),
        ("komi", "nan", "area"),
        ("komi", "7,5", "area"),
        ("komi", "1e39", "area"),
        ("handicap", "1", "area"),
        ("handicap", "10", "area"),
        ("handicap", "-2", "area"),
        ("ko", "super", "area"),
        ("suicide", "yes", "area"),
        ("handicap_placement", "random", "area"),
        ("compensation", "9", "area"),
        ("colour", "red", "area"),
    ],
)
def test_what_cannot_be_chosen_is_named(option: str, value: str, variant: str) -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings(variant, options={option: value})
    assert caught.value.why is Why.BAD_OPTION
    assert repr(option if option == "colour" else value) in caught.value.text


def test_compensation_is_for_area_scoring_with_handicap() -> None:
    with pytest.raises(Refused):
        GAME.settings("territory", options={"handicap": "2", "compensation": "full"})
    assert GAME.settings(options={"compensation": "full"}).options == ()
    made = GAME.settings(options={"handicap": "3", "compensation": "less-one"})
    assert GAME.start(made).rules.compensation == 2


@pytest.mark.parametrize(
    ("size", "stones", "names"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (9, 9, "C3 G7 C7 G3 C5 G5 E3 E7 E5"),
        (8, 4, "C3 F6 C6 F3"),
        (7, 4, "C3 E5 C5 E3"),
    ],
)
def test_fixed_handicap_stones_stand_on_the_usual_points_and_white_moves(size: int, stones: int, names: str) -> None:
    position = GAME.start(settings(size, handicap=str(stones)))
    assert GAME.board(position) == dict.fromkeys(sorted(squares(names, size)), "black")
    assert GAME.to_move(position) == 1


@pytest.mark.parametrize(("size", "stones"), [(5, 2), (6, 2), (7, 5), (8, 5), (12, 5), (18, 5)])
def test_a_board_without_such_points_is_refused_more_stones_unless_they_are_placed_freely(
    size: int, stones: int
) -> None:
    with pytest.raises(Refused) as caught:
        settings(size, handicap=str(stones))
    assert f"{size}x{size} has" in caught.value.text
    assert settings(size, handicap=str(stones), handicap_placement="free").width == size


def test_free_handicap_stones_are_blacks_first_moves() -> None:
    position = GAME.start(settings(9, handicap="3", handicap_placement="free"))
    for placed, name in enumerate(("C3", "G7", "E5")):
        assert (GAME.to_move(position), position.placing) == (0, 3 - placed)
        assert PASS not in GAME.legal_moves(position)
        with pytest.raises(IllegalMove) as caught:
            GAME.play(position, PASS)
        assert caught.value.why is Why.PLACEMENTS_FIRST
        position = played(position, name)
    assert GAME.to_move(position) == 1
    assert GAME.to_move(played(position, "pass")) == 0


def test_a_free_handicap_can_be_taken_up_where_it_stood() -> None:
    position = played(GAME.start(settings(9, handicap="3", handicap_placement="free")), "C3")
    assert GAME.brief(position).endswith(" 0 0-0 handicap 2")
    options = {"handicap": "3", "handicap_placement": "free"}
    again = GAME.start(settings(9, start=GAME.brief(position), **options))
    assert GAME.to_move(played(again, "G7")) == 0
    assert GAME.to_move(played(again, "G7 E5")) == 1


def test_a_game_begins_after_moves() -> None:
    position = GAME.start(settings(9, start="moves E5 C3 pass"))
    assert GAME.board(position) == {40: "black", 56: "white"}
    assert GAME.to_move(position) == 1
    assert position == played(GAME.start(settings(9)), "E5 C3 pass")


def test_moves_may_follow_any_text() -> None:
    position = played(GAME.start(settings(9)), "E5 C3")
    further = played(position, "G7")
    for text in (GAME.text(position), GAME.brief(position)):
        again = GAME.start(settings(9, start=f"{text} moves G7"))
        assert GAME.brief(again) == GAME.brief(further)
    assert GAME.start(settings(9, start=f"{GAME.text(position)} moves G7")) == further


def test_a_text_remembers_the_boards_before_it_and_a_brief_one_does_not() -> None:
    rows = "XO.O./.XO../...../...../....."
    position = played(GAME.start(settings(5, start=f"{rows} 0 0-0")), "C5")
    for text, legal in ((GAME.text(position), False), (GAME.brief(position), True)):
        again = GAME.start(settings(5, start=text))
        assert (Move(None, 1, "white") in GAME.legal_moves(again)) is legal


def test_a_brief_text_keeps_a_simple_ko_and_passes() -> None:
    options = {"ko": "simple"}
    rows = "XO.O./.XO../...../...../....."
    position = played(GAME.start(settings(5, start=f"{rows} 0 0-0", **options)), "C5")
    assert GAME.brief(position) == "X.XO./.XO../...../...../..... 1 1-0 ko B5"
    again = GAME.start(settings(5, start=GAME.brief(position), **options))
    assert GAME.legal_moves(again) == GAME.legal_moves(position)
    stopped = played(position, "pass pass")
    assert GAME.brief(stopped).endswith(" 1 1-0 pass pass")
    assert GAME.settling(GAME.start(settings(5, start=GAME.brief(stopped), **options)))


@pytest.mark.parametrize(
    "start",
    [
        "XO.../O..../...../...../..... 0 0-0",  # A5 has no liberty
        "...../...../...../...../..... 2 0-0",
        "...../...../...../..... 0 0-0",
        "....../...../...../...../..... 0 0-0",
        "...../...../...../...../..... 0 0-0 ko A1",  # not under superko
        "...../...../...../...../..... 0 0-0 handicap 2",
        "...../...../...../...../..... 0 0-00",
        "moves",
        "moves A6",
        "moves A1 A1",
        "moves pass pass A1",
        "moves resume",
        "...../...../...../...../..... 1 0-0 from moves A1",
        "X" * 30_000,
    ],
)
def test_what_no_game_leads_to_is_refused(start: str) -> None:
    with pytest.raises(Refused) as caught:
        settings(5, start=start)
    assert caught.value.why is Why.BAD_OPTION
    assert len(caught.value.text) < 300


def test_settings_of_another_board_do_not_read_a_position() -> None:
    made = settings(9, start="moves E5")
    with pytest.raises(Refused):
        GAME.start(replace(made, width=13, height=13, start=GAME.text(GAME.start(made))))
