"""Rule sets of Go by name: each is exactly a set of ko, suicide, scoring and compensation, and nothing else has it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.core.errors import Refused, Why
from protocols.core.model import PASS, Move, Outcome, Reason, Settings
from tests.games.go_boards import GAME, Plain, begin, played, refused, settings, squares

NAMES = {
    "chinese": ("area", "positional", "forbidden", "full"),
    "aga": ("area", "situational", "forbidden", "less-one"),
    "new_zealand": ("area", "situational", "allowed", "none"),
    "tromp_taylor": ("area", "positional", "allowed", "none"),
    "japanese": ("territory", "simple", "forbidden", "none"),
}
"""As the associations' rules have it; Chinese ko as on Go servers."""

RETURNED = "C3 A3 C2 B3 D2 A2 D1 B2 B1 E5 A1 C1"
"""On 5x5; then B1 takes C1, and the board is the one after E5 again, with the other side to move."""


def judged(made: Settings) -> tuple[str, str, str]:
    """Scoring, ko and suicide as the position judges them."""
    rules = GAME.start(made).rules
    return "area" if rules.area else "territory", rules.ko, "allowed" if rules.suicide else "forbidden"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_exactly_its_rules(name: str) -> None:
    for handicap in (0, 2, 4):
        made = settings(9, name, handicap=str(handicap))
        points = {"full": handicap, "less-one": max(0, handicap - 1), "none": 0}[NAMES[name][3]]
        assert judged(made) == NAMES[name][:3]
        assert (GAME.start(made).rules.compensation, GAME.start(made).rules.name) == (points, name)
        assert GAME.settings(made.variant, options=dict(made.options)) == made


@pytest.mark.parametrize("word", ["New Zealand", "new-zealand", "NEW_ZEALAND"])
def test_a_name_may_be_written_with_any_case_and_join(word: str) -> None:
    assert settings(9, word) == settings(9, "new_zealand")


@pytest.mark.parametrize(
    ("variant", "options", "words"),
    [
        ("japanese", {"ko": "positional"}, "japanese has ko simple, not positional"),
        ("chinese", {"compensation": "none"}, "chinese has compensation full, not none"),
        ("tromp_taylor", {"suicide": "forbidden"}, "tromp_taylor has suicide allowed, not forbidden"),
        ("ing", {}, "they are area, territory, chinese, aga, new_zealand, tromp_taylor, japanese"),
    ],
)
def test_a_name_is_refused_other_rules_than_its_own(variant: str, options: dict[str, str], words: str) -> None:
    with pytest.raises(Refused) as caught:
        settings(9, variant, **options)
    assert caught.value.why is Why.BAD_OPTION
    assert words in caught.value.text


def test_a_name_may_be_said_together_with_its_own_rules() -> None:
    said = settings(9, "aga", ko="situational", suicide="forbidden", compensation="less-one", handicap="3")
    assert said == settings(9, "aga", handicap="3")


SETS = st.tuples(
    st.sampled_from(["area", "territory"]),
    st.sampled_from(["", "positional", "situational", "simple"]),
    st.sampled_from(["", "forbidden", "allowed"]),
    st.sampled_from(["", "none", "full", "less-one"]),
    st.sampled_from([0, 2, 3, 9]),
).filter(lambda said: said[0] == "area" or said[3] in ("", "none"))


@given(SETS)
def test_any_set_is_judged_as_it_was_asked_for_and_has_a_name_only_if_it_is_that_set(
    said: tuple[str, str, str, str, int],
) -> None:
    scoring, ko, suicide, compensation, stones = said
    asked = {"ko": ko, "suicide": suicide, "compensation": compensation, "handicap": str(stones)}
    made = settings(9, scoring, **asked)
    rules = GAME.start(made).rules
    parts = judged(made)
    assert parts == (scoring, ko or ("positional" if scoring == "area" else "simple"), suicide or "forbidden")
    usual = next((words[3] for words in NAMES.values() if words[:3] == parts), "none")
    meant = compensation or usual
    assert rules.compensation == ({"full": stones, "less-one": stones - 1, "none": 0}[meant] if stones else 0)
    same = [name for name, words in NAMES.items() if words[:3] == parts and (not stones or words[3] == meant)]
    assert rules.name == "".join(same)
    assert GAME.settings(made.variant, options=dict(made.options)) == made


@given(SETS)
def test_equal_rules_have_equal_settings(said: tuple[str, str, str, str, int]) -> None:
    """So two players who ask for the same in different words meet."""
    *_, stones = said
    names = ("ko", "suicide", "compensation")
    made = settings(9, said[0], handicap=str(stones), **dict(zip(names, said[1:4], strict=True)))
    name = GAME.start(made).rules.name
    if name:
        assert settings(9, name, handicap=str(stones)) == made


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("area", (), ("area", "positional", "forbidden", 0)),
        ("area", (("handicap", "4"),), ("area", "positional", "forbidden", 0)),
        ("area", (("handicap", "4"), ("ko", "situational")), ("area", "situational", "forbidden", 0)),
        ("territory", (), ("territory", "positional", "forbidden", 0)),
        ("territory", (("suicide", "allowed"),), ("territory", "positional", "allowed", 0)),
    ],
)
def test_settings_of_old_records_mean_what_they_meant(
    variant: str, options: tuple[tuple[str, str], ...], expected: tuple[str, str, str, int]
) -> None:
    old = Settings("go", variant, 9, 9, 2, options=(*options, ("size", "9")))
    assert (*judged(old), GAME.start(old).rules.compensation) == expected


def test_an_old_game_by_territory_replays_with_its_superko_and_is_not_called_japanese() -> None:
    old = Settings("go", "territory", 5, 5, 2, options=(("size", "5"),))
    assert "superko" in refused(played(GAME.start(old), RETURNED), "B1").text
    assert GAME.start(old).rules.name == ""
    wall = replace(old, width=9, height=9, variant="area", options=(("handicap", "4"), ("size", "9")))
    assert GAME.start(wall).rules.name == ""


@pytest.mark.parametrize(
    ("name", "legal"),
    [("japanese", True), ("aga", True), ("new_zealand", True), ("chinese", False), ("tromp_taylor", False)],
)
def test_two_stones_are_taken_back_by_one_where_the_ko_rule_allows_it(name: str, legal: bool) -> None:
    """Japanese rules, article 6: only a stone that has just taken a single stone may not be taken at once."""
    position = played(GAME.start(settings(5, name)), RETURNED)
    if legal:
        assert played(position, "B1").taken == (1, 2)
    else:
        assert refused(position, "B1").text == "superko: B1 would bring back the position of an earlier move"


@pytest.mark.parametrize(("name", "result"), [("chinese", "B+4.5"), ("aga", "B+5.5"), ("new_zealand", "B+8.5")])
def test_white_gets_the_points_of_its_rule_set_for_handicap_stones(name: str, result: str) -> None:
    wall = "\n".join([". . . . X O . . ."] * 9)  # 45 against 36 and komi 0.5
    over = played(begin(wall, "white", variant=name, handicap="4"), "pass pass")
    assert GAME.scored(over, ()).detail == result


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_implementation_knows_the_moves_of_each_name(name: str) -> None:
    _, ko, suicide, _ = NAMES[name]
    choice = random.Random(name)
    for _ in range(4):
        position, plain = GAME.start(settings(5, name)), Plain(5, ko, suicide == "allowed")
        for _ in range(100):
            legal = {move.target for move in GAME.legal_moves(position) if move.target is not None}
            assert legal == plain.legal(), GAME.text(position)
            quiet = not legal or (position.passes == 0 and choice.random() < 0.05)
            at = None if quiet else choice.choice(sorted(legal))
            plain.play(at)
            position = GAME.play(position, PASS if at is None else GAME.normal(position, Move(None, at)))
            if GAME.to_move(position) is None:
                break


THREE_KOS = f"""
    X O . O X O . O X . X O .
    . X O . . X O . . X O . .
    {chr(10).join(["." * 13] * 11)}
    """
TAKING = squares("B13 C13 F13 G13 K13 L13", 13)


@pytest.mark.parametrize("seed", range(12))
def test_a_japanese_game_has_no_result_when_a_board_comes_up_for_the_third_time_and_not_before(seed: int) -> None:
    """Japanese rules, article 12: no result where the whole board is repeated.

    Only kos are taken here. Who can take none passes, which makes no board; there are eight boards.
    """
    choice, position = random.Random(seed), begin(THREE_KOS, variant="japanese")
    came = [(GAME.diagram(position), position.turn)]
    while GAME.outcome(position) is None:
        assert max(map(came.count, came)) < 3
        if GAME.settling(position):
            position = GAME.played_on(position)
        after = [GAME.play(position, move) for move in GAME.legal_moves(position) if move.target in TAKING]
        taking = [made for made in after if made.taken != position.taken]
        position = choice.choice(taking) if taking else GAME.play(position, PASS)
        if taking:
            came.append((GAME.diagram(position), position.turn))
    assert came.count(came[-1]) == 3
    assert GAME.outcome(position) == Outcome(None, Reason.VOID, "no result: the same position for the third time")


def test_the_game_s_words_for_its_rule_sets_are_all_tried_here() -> None:
    with pytest.raises(Refused) as caught:
        GAME.settings("none of them")
    known = caught.value.text.partition("they are ")[2].split(", ")
    assert known == ["area", "territory", *NAMES]
