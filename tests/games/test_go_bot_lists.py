"""A house bot proposes dead stones, answers another list, and brings the game to its end."""

from __future__ import annotations

import pytest

from gateway.table.agreement import bot_answer
from gateway.table.evolve import evolve
from gateway.table.state import Status, settling
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.model import HouseRules, SeatKind
from protocols.core.proposals import Resume, Score
from tests.table.tables import Conversation, kinds

A1, E1 = 20, 24
"""On five by five, counted from the top left: Black's only stone and White's."""

PERSON, BOT = 0, 1


class Settled(Conversation):
    """A person with A1 against a house bot with E1; ``dead`` is the bot's list, None: it has none."""

    def __init__(self, dead: tuple[int, ...] | None, *, times: int = 1) -> None:
        super().__init__("go", options={"size": "5", "komi": "0.5"}, house=HouseRules(60.0, 0.0, "bot", 60.0))
        self.dead = dead
        self.claimed = False
        self.join("anna")
        self.plays("A1", "E1", "pass", "pass")
        for _ in range(times - 1):
            self.ask(PERSON, cmd.Propose(Resume()))
            self.plays("pass", "pass")

    def plays(self, *texts: str) -> None:
        for text in texts:
            assert self.state.turn is not None
            self.ask(self.state.turn, cmd.PlayMove(text=text))

    def bot(self, seat: int = BOT) -> list[str]:
        """Return the events of the bot's proposal; none where it has no list."""
        command = bot_answer(self.state, seat, self.dead, claimed=self.claimed)
        events = [] if command is None else self.ask(seat, command)
        self.claimed = self.claimed or bool(events)
        return kinds(events)

    @property
    def result(self) -> str:
        return "" if self.state.outcome is None else self.state.outcome.detail


def test_its_list_is_the_proposal_and_the_person_agrees() -> None:
    """ "Engine and human: the engine's list is the proposal; the human agrees" """
    table = Settled((E1,))
    assert table.bot() == ["Proposed"]
    (proposed,) = table.state.proposals
    assert proposed == ev.Proposed(BOT, Score((E1,)))
    assert isinstance(proposed.proposal, Score)
    assert proposed.proposal.program
    assert table.bot() == []
    assert kinds(table.ask(PERSON, cmd.MarkDead((E1,)))) == ["Proposed", "Agreed", "GameEnded"]
    assert table.result == "B+24.5"


def test_a_person_who_spoke_first_is_no_objection_and_may_insist() -> None:
    """ "or play resumes" """
    table = Settled((E1,))
    assert kinds(table.ask(PERSON, cmd.MarkDead(()))) == ["Proposed"]
    assert [table.bot(), table.bot()] == [["Proposed"], []]
    table.ask(PERSON, cmd.MarkDead(()))
    assert table.bot() == ["Proposed", "GameResumed", "TurnStarted"]
    assert table.state.turn is not None


def test_equal_lists_end_the_game_whoever_spoke_first() -> None:
    table = Settled((E1,))
    table.ask(PERSON, cmd.MarkDead((E1,)))
    assert table.bot() == ["Proposed", "Agreed", "GameEnded"]


@pytest.mark.parametrize("first", [PERSON, BOT])
def test_at_the_second_stop_the_person_s_list_counts(first: int) -> None:
    """ "a second disagreement: the engine's list in rated games, the human's in unrated" """
    table = Settled((E1,), times=2)
    for seat in (first, 1 - first):
        assert settling(table.state)
        if seat == PERSON:
            table.ask(PERSON, cmd.MarkDead((A1,)))
        else:
            table.bot()
    assert table.result == "W+25.5"


def test_one_without_a_list_agrees_to_what_the_person_says() -> None:
    table = Settled(None)
    assert table.bot() == []
    table.ask(PERSON, cmd.MarkDead((A1,)))
    assert table.bot() == ["Proposed", "Agreed", "GameEnded"]
    assert table.result == "W+25.5"


def test_one_without_a_list_proposes_that_nothing_is_dead_at_the_second_stop_and_still_agrees() -> None:
    """Some programs wait for a list where there was one at the first stop."""
    table = Settled(None, times=2)
    assert table.bot() == ["Proposed"]
    assert table.state.proposals[-1] == ev.Proposed(BOT, Score(()))
    table.ask(PERSON, cmd.MarkDead((A1,)))
    assert table.bot() == ["Proposed", "Agreed", "GameEnded"]
    assert table.result == "W+25.5"


@pytest.mark.parametrize("said", [(E1,), (A1,)], ids=["the same", "another one"])
def test_a_list_that_was_declined_still_counts_as_its_own(said: tuple[int, ...]) -> None:
    table = Settled((E1,))
    table.bot()
    table.ask(PERSON, cmd.Decline("Score"))
    assert table.bot() == []
    table.ask(PERSON, cmd.MarkDead(said))
    assert table.bot()[-1] == ("GameEnded" if said == (E1,) else "TurnStarted")


def test_against_a_program_all_stones_are_alive_at_the_second_stop() -> None:
    """ "clean-up [...] until two more passes; then all stones are alive" """
    table = Settled((E1,), times=2)
    table.bot()
    assert kinds(table.ask(PERSON, cmd.MarkDead((), program=True))) == ["Proposed"]
    assert table.bot() == ["Proposed", "Agreed", "GameEnded"]
    assert table.result == "W+0.5"


@pytest.mark.parametrize("dead", [None, (), (E1,)])
def test_two_house_bots_come_to_an_end(dead: tuple[int, ...] | None) -> None:
    table = Settled(dead)
    for event in (ev.SeatLeft(PERSON, SeatKind.ABANDONED), ev.SeatTaken(PERSON, SeatKind.BOT, "bot-1")):
        table.state = evolve(table.state, event)
    assert settling(table.state)
    assert table.bot(PERSON) == ["Proposed"]
    table.claimed = False
    assert table.bot() == ["Proposed", "Agreed", "GameEnded"]
    assert table.state.status is Status.OVER
