"""What a peer may wish for when it joins, and what is answered to the rest."""

from __future__ import annotations

import pytest

from gateway.lobby.wishes import Wanted, house_rules, wanted
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, TimeControl, TimeKind

HOUSE = HouseRules(grace_s=60.0, bot_after_s=10.0, abandoned="bot")


def wish(game: str, *wishes: tuple[str, str], bots: bool = True) -> Wanted:
    return wanted(Join(game, wishes=wishes), HOUSE, bots=bots)


def refusal(game: str, *wishes: tuple[str, str], bots: bool = True) -> Refused:
    with pytest.raises(Refused) as refused:
        wish(game, *wishes, bots=bots)
    return refused.value


def test_without_wishes_it_is_the_default_rule_set_and_the_houses_rules() -> None:
    found = wish("ludo")
    assert (found.settings.game, found.settings.variant, found.settings.seats) == ("ludo", "maedn", 2)
    assert (found.settings.time, found.settings.start) == (None, "")
    assert (found.house, found.alone) == (HOUSE, False)


def test_a_rule_set_is_chosen_in_any_letter_case() -> None:
    assert wish("hnefatafl", ("Variant", "Tablut")).settings.variant == "tablut"


def test_a_number_of_seats_is_chosen() -> None:
    assert wish("ludo", ("seats", "4")).settings.seats == 4


def test_a_time_control_is_chosen() -> None:
    assert wish("checkers", ("time", "300+5")).settings.time == TimeControl(TimeKind.FISCHER, 300.0, 5.0)
    assert wish("checkers", ("time", "none")).settings.time is None


def test_a_position_to_begin_from_is_chosen() -> None:
    assert wish("tic_tac_toe", ("start", "x../.o./... 0")).settings.start == "x../.o./... 0"


def test_against_a_bot_is_a_table_of_ones_own_where_bots_sit_at_once() -> None:
    found = wish("ludo", ("against", "bot"))
    assert found.alone
    assert (found.house.bot_after_s, found.house.private) == (0.0, True)
    assert (found.house.grace_s, found.house.abandoned) == (HOUSE.grace_s, HOUSE.abandoned)


def test_against_anybody_is_what_is_usual() -> None:
    assert wish("ludo", ("against", "anybody")) == wish("ludo")


def test_a_game_there_is_not_is_an_unknown_game() -> None:
    found = refusal("poker")
    assert found.why is Why.UNKNOWN_GAME
    assert "'poker'" in found.text


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("variant", "frisian", "'frisian'"),
        ("seats", "7", "7"),
        ("seats", "two", "'two'"),
        ("seats", "-2", "'-2'"),
        ("seats", "2" * 4000, "a number"),
        ("seats", "²", "'²'"),
        ("time", "soon", "'soon'"),
        ("start", "nonsense", "nonsense"),
        ("against", "nobody", "'nobody'"),
        ("komi", "6.5", "'komi'"),
    ],
)
def test_a_wish_that_cannot_be_had_is_refused_with_its_value(name: str, text: str, shown: str) -> None:
    found = refusal("tic_tac_toe", (name, text))
    assert found.why is Why.BAD_OPTION
    assert shown in found.text


def test_a_wish_that_is_given_twice_is_refused() -> None:
    found = refusal("ludo", ("seats", "2"), ("SEATS", "4"))
    assert (found.why, found.text) == (Why.BAD_OPTION, "'SEATS' is given twice")


def test_against_a_bot_is_refused_where_there_are_none() -> None:
    found = refusal("ludo", ("against", "bot"), bots=False)
    assert (found.why, found.text) == (Why.BAD_OPTION, "against bot: there are no house bots here")


def test_a_listener_may_have_its_own_time_for_bots() -> None:
    assert house_rules({}, HOUSE) == HOUSE
    assert house_rules({"bot_after": "2s"}, HOUSE).bot_after_s == 2.0
    assert house_rules({"bot_after": "never"}, HOUSE).bot_after_s is None
    with pytest.raises(ValueError, match="'soon'"):
        house_rules({"bot_after": "soon"}, HOUSE)
