"""Join options of a peer are accepted or refused with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateway.bots import chooser
from gateway.config import LEVELS
from gateway.lobby.join_options import JoinOptions, house_rules, options_of, party_of
from gateway.lobby.party import Party
from protocols.core.commands import Join
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start

HOUSE = HouseRules(grace_s=60.0, bot_after_s=10.0, abandoned="bot")


def named(game: str) -> tuple[str, ...]:
    """The house bots of these tests."""
    return ("bot", "house", "stockfish") if game == "chess" else ("bot", "house")


def none(game: str) -> tuple[str, ...]:
    return ()


def wish(game: str, *wishes: tuple[str, str], bots: bool = True) -> JoinOptions:
    return options_of(Join(game, wishes=wishes), HOUSE, named if bots else none)


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


def test_a_bots_level_is_chosen_with_it() -> None:
    found = wish("ludo", ("against", "bot:3"), ("seats", "4"))
    assert (found.alone, found.house.bot_level, found.settings.seats) == (True, 3, 4)
    assert wish("ludo", ("against", "bot")).house.bot_level == 0


def test_a_bot_is_chosen_by_its_name() -> None:
    found = wish("chess", ("against", "Stockfish:3"))
    assert (found.alone, found.house.bot, found.house.bot_level) == (True, "stockfish", 3)
    assert (wish("chess", ("against", "house")).house.bot, wish("chess", ("against", "bot")).house.bot) == ("house", "")


def test_an_unknown_name_lists_the_known_ones() -> None:
    said = "against 'fritz:2': it is anybody, players, bot, house, stockfish; a level may follow, as in bot:3"
    assert refusal("chess", ("against", "fritz:2")).text == said
    assert "stockfish" not in refusal("ludo", ("against", "stockfish")).text.partition(":")[2]


def test_levels_that_may_be_asked_for_are_those_that_bots_have() -> None:
    assert tuple(chooser.LEVELS) == LEVELS


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
        ("against", "bot:0", "levels are 1, 2, 3"),
        ("against", "bot:4", "'bot:4'"),
        ("against", "bot:", "levels are 1, 2, 3"),
        ("against", "bot:²", "levels are 1, 2, 3"),
        ("against", "anybody:3", "'anybody:3'"),
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
    assert house_rules({"first_move": "30s"}, HOUSE).first_move_s == 30.0
    assert house_rules({"first_move": "never"}, replace(HOUSE, first_move_s=30.0)) == HOUSE
    assert house_rules({"bot_after": "never"}, HOUSE).bot_after_s is None
    with pytest.raises(ValueError, match="'soon'"):
        house_rules({"bot_after": "soon"}, HOUSE)


def party(join: Join) -> Party:
    return party_of(join, options_of(join, HOUSE, named), "anna", 3, roams=True)


def test_who_is_ready_insists_on_its_wishes_and_without_any_on_nothing() -> None:
    insisting = party(Join("go", wishes=(("size", "9"), ("time", "600"))))
    assert insisting.firm
    assert insisting.wants is not None
    assert insisting.wants.settings == wish("go", ("size", "9"), ("time", "600")).settings
    easy = party(Join("go"))
    assert (easy.firm, easy.wants) == (False, None)


def test_who_negotiates_insists_on_nothing_unless_it_says_what_it_is_going_to_propose() -> None:
    assert not party(Join("go", wishes=(("size", "9"),), ready=False)).firm
    time = TimeControl(TimeKind.ABSOLUTE, 60.0)
    said = Settings("go", "", 0, 0, 0, time, rated=True, options=(("size", "9"),))
    insisting = party(Join("go", ready=False, settings=said))
    assert insisting.firm
    assert insisting.wants == Start(replace(wish("go", ("size", "9")).settings, time=time, rated=True))


def test_a_game_that_there_is_not_is_refused_before_anybody_sits_down() -> None:
    with pytest.raises(Refused) as refused:
        party(Join("go", ready=False, settings=Settings("go", "", 0, 0, 0, options=(("size", "77"),))))
    assert refused.value.why is Why.BAD_OPTION


def test_an_opponent_can_be_awaited() -> None:
    join = Join("go", wishes=(("awaits", "bob_b"),), ready=False)
    assert (options_of(join, HOUSE, named).awaits, party(join).awaits) == ("bob_b", "bob_b")
