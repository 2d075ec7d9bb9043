"""A person and a program disagree about dead stones, once and again, in rated and unrated games."""

from __future__ import annotations

import pytest

from gateway.table.state import settling
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused
from protocols.core.model import Settings
from protocols.core.proposals import Adjourn, Resume, Score, Start
from tests.table.tables import Conversation, kinds

A1, E1 = 20, 24
"""On five by five, counted from the top left: Black's only stone and White's."""

PERSON, PROGRAM = 0, 1


def stopped(*, rated: bool, times: int) -> Conversation:
    """Play has stopped so many times, a move of Black's and passes in between."""
    table = Conversation("go", options={"size": "5", "komi": "0.5"})
    settings = Settings("go", "area", 5, 5, 2, rated=rated, options=(("komi", "0.5"), ("size", "5")))
    for seat in (0, 1):
        table.ask(None, cmd.Join("go", f"seat {seat}", ready=False))
    for seat in (0, 1):
        table.ask(seat, cmd.Propose(Start(settings)))
    play(table, "A1", "E1", "pass", "pass")
    for _ in range(times - 1):
        table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
        table.ask(PERSON, cmd.Propose(Resume()))
        play(table, "pass", "pass")
    return table


def play(table: Conversation, *texts: str) -> None:
    for text in texts:
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=text))


def result(table: Conversation) -> str:
    return "" if table.state.outcome is None else table.state.outcome.detail


@pytest.mark.parametrize("rated", [True, False])
def test_the_first_disagreement_is_for_them_to_settle(rated: bool) -> None:
    """ "the human agrees or play resumes" """
    table = stopped(rated=rated, times=1)
    table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
    assert kinds(table.ask(PERSON, cmd.MarkDead((E1,)))) == ["Proposed"]
    assert "GameResumed" in kinds(table.ask(PERSON, cmd.Propose(Resume())))


def test_a_list_may_be_repeated_against_one_that_came_after_it() -> None:
    """The first proposer has seen the other list only now: to insist is to object to it."""
    table = stopped(rated=False, times=1)
    table.ask(PERSON, cmd.MarkDead((E1,)))
    with pytest.raises(Refused, match="proposed that already"):
        table.ask(PERSON, cmd.MarkDead((E1,)))
    table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
    assert table.ask(PERSON, cmd.MarkDead((E1,))) == [ev.Proposed(PERSON, Score((E1,)))]


@pytest.mark.parametrize(("rated", "told"), [(True, "W+25.5"), (False, "B+24.5")])
@pytest.mark.parametrize("first", [PERSON, PROGRAM])
def test_of_a_second_disagreement_one_list_counts(rated: bool, told: str, first: int) -> None:
    """ "a second disagreement: the engine's list in rated games, the human's in unrated; both lists are kept in the
    record" """
    table = stopped(rated=rated, times=2)
    lists = {PERSON: cmd.MarkDead((E1,)), PROGRAM: cmd.MarkDead((A1,), program=True)}
    table.ask(first, lists[first])
    assert kinds(table.ask(1 - first, lists[1 - first])) == ["Proposed", "Agreed", "GameEnded"]
    assert result(table) == told
    assert {event.proposal for event in table.said[-5:] if isinstance(event, ev.Proposed)} == {
        Score((A1,)),
        Score((E1,)),
    }


def test_a_person_cannot_play_on_for_ever_in_a_rated_game() -> None:
    """ "a second disagreement: the engine's list in rated games" """
    table = stopped(rated=True, times=2)
    table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
    assert kinds(table.ask(PERSON, cmd.Propose(Resume()))) == ["Proposed", "Agreed", "GameEnded"]
    assert result(table) == "W+25.5"


def test_a_person_may_go_on_cleaning_up_in_an_unrated_game() -> None:
    table = stopped(rated=False, times=3)
    table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
    assert "GameResumed" in kinds(table.ask(PERSON, cmd.Propose(Resume())))


@pytest.mark.parametrize("programs", [True, False])
def test_two_of_a_kind_settle_it_by_agreement_alone(programs: bool) -> None:
    """ "Two humans: the same set confirmed by both." """
    table = stopped(rated=True, times=2)
    table.ask(0, cmd.MarkDead((A1,), programs))
    assert kinds(table.ask(1, cmd.MarkDead((E1,), programs))) == ["Proposed"]
    assert settling(table.state)


def test_an_interruption_while_the_lists_are_compared_is_no_second_stop() -> None:
    table = stopped(rated=False, times=1)
    for proposal in (Adjourn(), Resume()):
        table.ask(0, cmd.Propose(proposal))
        table.ask(1, cmd.Propose(proposal))
    table.ask(PROGRAM, cmd.MarkDead((A1,), program=True))
    assert kinds(table.ask(PERSON, cmd.MarkDead((E1,)))) == ["Proposed"]
