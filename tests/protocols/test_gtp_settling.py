"""How engines settle a finished game among themselves and with a person; each docstring quotes what is served."""

from __future__ import annotations

from protocols.core.commands import Propose
from protocols.core.events import GameEnded, GameResumed, Proposed
from protocols.core.proposals import Score
from tests.protocols.gtp_peers import COMMANDS, Engine, GoTable, Reply, gui

D4, E5 = 9 * 5 + 3, 9 * 4 + 4
"""Where Black's and White's first stones stand, counted from the top left."""


def engines(black: dict[str, Reply], white: dict[str, Reply], **options: str) -> GoTable:
    """Two engines that play D4 and E5, then only pass; what they say of dead stones is in their replies."""
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


def test_rated_engines_ask_once_more_and_then_all_stones_are_alive() -> None:
    table = engines({"final_status_list": "E5"}, {"final_status_list": "D4"}, rated="yes")
    assert table.state.settings.rated
    assert happened(table, GameResumed) == 2
    assert detail(table) == "W+7.5"


def test_two_engines_that_do_not_know_let_everything_live() -> None:
    """ "If the engine does not know [...] it will be up to the opponent": where neither does, nothing is dead."""
    table = engines({"final_status_list": "? no"}, {"final_status_list": "? no"})
    assert detail(table) == "W+7.5"


def test_an_empty_list_is_a_disagreement_when_the_other_is_not_empty() -> None:
    """ "an empty list after both passed counts as disagreement when the other's is not empty" """
    table = engines({"final_status_list": ""}, {"final_status_list": "D4"})
    assert happened(table, GameResumed) == 1


def test_a_person_s_second_list_counts_in_an_unrated_game() -> None:
    """ "Engine and human: the engine's list is the proposal; the human agrees or play resumes; a second disagreement:
    [...] the human's in unrated" """
    table = GoTable(None)
    human = gui(table, "boardsize 9", "komi 6.5", "play b D4")
    table.dial(Engine({"genmove": ["E5", "pass"], "final_status_list": "D4"}))
    table.say(human, "genmove w", "play b pass", "genmove w")
    assert happened(table, GameEnded) == 0
    table.do(human, [Propose(Score((E5,)))])
    table.settle()
    assert table.state.proposals == (), "play goes on"
    assert happened(table, GameResumed) == 1
    while table.state.turn is not None:
        table.say(human, "play b pass", "genmove w")
    table.do(human, [Propose(Score((E5,)))])
    table.settle()
    assert detail(table) == "B+74.5"
