"""Engines settle a finished game with each other and with a person; each docstring quotes the document."""

from __future__ import annotations

import pytest

from protocols.core.events import GameEnded, GameResumed, Proposed
from protocols.core.proposals import Score
from protocols.gtp.gui import GtpGui
from tests.protocols.gtp_peers import COMMANDS, Engine, GoTable, Reply, gui
from tests.protocols.talk import heard

D4, E5 = 9 * 5 + 3, 9 * 4 + 4
"""The squares of Black's and White's first stones, counted from the top left."""


def engines(black: dict[str, Reply], white: dict[str, Reply], **options: str) -> GoTable:
    """Two engines that play D4 and E5, then only pass; their replies list dead stones."""
    table = GoTable(None)
    for first, replies in (("D4", black), ("E5", white)):
        told = [first, "pass"]
        table.dial(Engine({"genmove": told, **replies}, COMMANDS, {"size": "9", **options}))
    table.settle()
    return table


def happened(table: GoTable, kind: type) -> int:
    return sum(isinstance(event, kind) for event in table.record)


def detail(table: GoTable) -> str:
    return next(event.outcome.detail for event in table.record if isinstance(event, GameEnded))


def test_equal_claims_are_scored() -> None:
    """ "Equal claims: score." """
    table = engines({"final_status_list": "E5"}, {"final_status_list": "E5"})
    assert detail(table) == "B+73.5"
    assert happened(table, GameResumed) == 0


def test_different_claims_of_engines_are_cleaned_up_until_all_stones_are_alive() -> None:
    """ "Different, between engines: clean-up [...] until two more passes; then all stones are alive" """
    table = engines({"final_status_list": "E5"}, {"final_status_list": "D4"})
    assert happened(table, GameResumed) == 1
    assert detail(table) == "W+7.5", "a stone each, and a board that belongs to both"
    assert [event.proposal for event in table.record if isinstance(event, Proposed)][-2:] == [Score(()), Score(())]


def test_rated_engines_clean_up_once_and_then_all_stones_are_alive() -> None:
    """ "until two more passes; then all stones are alive, area score" """
    table = engines({"final_status_list": "E5"}, {"final_status_list": "D4"}, rated="yes")
    assert table.state.settings.rated
    assert happened(table, GameResumed) == 1
    assert detail(table) == "W+7.5"


def test_two_engines_that_do_not_know_let_everything_live() -> None:
    """ "If the engine does not know [...] it will be up to the opponent": where neither does, nothing is dead."""
    table = engines({"final_status_list": "? no"}, {"final_status_list": "? no"})
    assert detail(table) == "W+7.5"


def test_an_empty_list_is_a_disagreement_when_the_other_is_not_empty() -> None:
    """ "an empty list after both passed counts as disagreement when the other's is not empty" """
    table = engines({"final_status_list": ""}, {"final_status_list": "D4"})
    assert happened(table, GameResumed) == 1


def person(*said: str, rated: bool = False, replies: dict[str, Reply] | None = None) -> tuple[GoTable, GtpGui]:
    """A person with D4 against an engine with E5, who takes D4 for dead: play has stopped, and the person says this."""
    table = GoTable(None)
    options = {"rated": "yes" if rated else "no"}
    human = gui(table, "boardsize 9", "komi 6.5", "play b D4", options=options)
    said_of_dead = {"final_status_list": "D4", **(replies or {})}
    table.dial(Engine({"genmove": ["E5", "pass"], **said_of_dead}, options=options))
    table.say(human, "genmove w", "play b pass", *said)
    return table, human


def stops_again(table: GoTable, human: GtpGui) -> None:
    table.say(human, "genmove w", "play b pass")
    assert table.state.turn is None


def test_the_engines_list_is_the_proposal_and_the_person_agrees() -> None:
    """ "Engine and human: the engine's list is the proposal; the human agrees or play resumes" """
    table, human = person("genmove w")
    assert happened(table, GameEnded) == 0
    assert table.say(human, "final_status_list dead", "final_score") == ["= D4", "= W+87.5"]
    assert happened(table, GameResumed) == 0


def test_a_person_who_begins_another_game_after_two_passes_has_agreed() -> None:
    """GUIs count by themselves, and say only that the next game begins: the one before is no forfeit."""
    table, human = person("genmove w", "clear_board")
    assert detail(table) == "W+87.5"
    assert table.say(human, "final_score") == ["? cannot score: the game has not begun"]


def test_a_person_who_asks_before_the_engine_has_answered_agrees_to_its_list_too() -> None:
    table, human = person(replies={"final_status_list": lambda words: None})
    assert table.say(human, "genmove w", "final_score") == ["= pass"]
    engine = table.engines[0]
    table.do(engine.dialect, engine.answer_late("D4"))
    assert heard(human) == ["= W+87.5"]
    assert happened(table, GameResumed) == 0


def test_the_first_other_list_of_a_person_resumes_play() -> None:
    table, human = person("genmove w")
    assert table.say(human, "boardgate-dead E5") == ["? cannot score: Thinker 1 plays on"]
    assert happened(table, GameResumed) == 1
    assert table.say(human, "play b C4") == ["="]


def test_a_person_who_spoke_before_the_engine_sees_its_list_and_may_insist() -> None:
    table, human = person(replies={"final_status_list": lambda words: None})
    assert table.say(human, "genmove w", "boardgate-dead E5") == ["= pass"]
    engine = table.engines[0]
    table.do(engine.dialect, engine.answer_late("D4"))
    assert heard(human) == ["? Thinker 1 takes for dead: D4; final_score agrees, a move plays on"]
    assert table.say(human, "boardgate-dead E5") == ["? cannot score: Thinker 1 plays on"]
    assert happened(table, GameResumed) == 1


@pytest.mark.parametrize(("rated", "told"), [(False, "B+74.5"), (True, "W+87.5")])
def test_the_second_list_of_a_person_counts_in_an_unrated_game_and_the_engines_in_a_rated_one(
    rated: bool, told: str
) -> None:
    """ "a second disagreement: the engine's list in rated games, the human's in unrated; both lists are kept in the
    record" """
    table, human = person("genmove w", "boardgate-dead E5", rated=rated)
    stops_again(table, human)
    assert table.say(human, "boardgate-dead E5") == [f"= {told}"]
    proposed = [event.proposal for event in table.record if isinstance(event, Proposed)]
    assert proposed[-2:] == [Score((D4,)), Score((E5,))]


def test_at_a_second_stop_the_engines_list_is_its_proposal_again() -> None:
    """A person who has played on by mistake does not lose the stones that both take for dead."""
    table, human = person("genmove w", replies={"final_status_list": "E5"})
    table.say(human, "play b C4")
    stops_again(table, human)
    assert table.say(human, "final_status_list dead", "final_score") == ["= E5", "= B+74.5"]


def test_who_plays_on_a_second_time_in_a_rated_game_has_the_engines_list() -> None:
    table, human = person("genmove w", "boardgate-dead E5", rated=True)
    stops_again(table, human)
    assert table.say(human, "genmove w", "play b C5") == ["= pass", "? game over: W+87.5"]
