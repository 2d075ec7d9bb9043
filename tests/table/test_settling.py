"""Players settle dead stones after play has stopped, on a small board of Go that is scored by eye."""

from __future__ import annotations

import pytest

from gateway.table.evolve import replay
from gateway.table.state import Status, settling
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused, Why
from protocols.core.model import Outcome, Reason
from protocols.core.proposals import Adjourn, Resume, Score, Takeback
from tests.table.tables import SECRET, Conversation, kinds

WALLS = ("C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5")
"""Black's wall on the third column of five, White's on the fourth: fifteen points are Black's, ten White's."""

OUTCOME = Outcome(0, Reason.RULES, "B+4.5")
"""15 stones and points against 10, and half a point of komi."""


def stopped(*more: str, time: str = "none") -> Conversation:
    """Both have passed after the walls, and ``more`` moves."""
    table = Conversation("go", time=time, options={"size": "5", "komi": "0.5"})
    table.join("anna", "bert")
    for text in (*WALLS, *more, "pass", "pass"):
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=text))
    return table


def point(text: str) -> int:
    """ "A1" is the bottom left of five by five."""
    return 5 * (5 - int(text[1])) + "ABCDE".index(text[0])


def why(table: Conversation, seat: int, command: cmd.Command) -> Why:
    with pytest.raises(Refused) as error:
        table.ask(seat, command)
    return error.value.why


def test_two_passes_stop_play_and_the_clocks() -> None:
    table = stopped(time="600")
    assert [type(event) for event in table.said[-3:]] == [ev.MoveMade, ev.ClockSet, ev.GameSettling]
    assert settling(table.state)
    assert table.state.status is Status.PLAYING
    assert table.state.clock is not None
    assert table.state.clock.running is None
    assert why(table, 0, cmd.PlayMove(text="A1")) is Why.NOT_NOW


def test_the_game_ends_when_both_say_the_same() -> None:
    table = stopped()
    assert table.ask(0, cmd.MarkDead(())) == [ev.Proposed(0, Score(()))]
    assert kinds(table.ask(1, cmd.MarkDead(()))) == ["Proposed", "Agreed", "GameEnded"]
    assert table.state.outcome == OUTCOME


def test_a_dead_stone_counts_for_the_other() -> None:
    """White has put a stone into Black's corner: alive it would spoil all of Black's points."""
    table = stopped("A5", "A1", "B5")
    table.ask(0, cmd.MarkDead((point("A1"),)))
    assert kinds(table.ask(1, cmd.MarkDead(()))) == ["Proposed"], "they do not agree"
    assert "GameEnded" in kinds(table.ask(1, cmd.MarkDead((point("A1"),))))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == 0


def test_whole_strings_are_meant() -> None:
    table = stopped()
    (proposed,) = table.ask(1, cmd.MarkDead((point("D3"),)))
    assert proposed == ev.Proposed(1, Score(tuple(sorted(point(f"D{row}") for row in range(1, 6)))))
    assert why(table, 0, cmd.MarkDead((point("A1"),))) is Why.ILLEGAL


def test_one_who_disagrees_plays_on() -> None:
    table = stopped()
    table.ask(0, cmd.MarkDead(()))
    assert kinds(table.ask(1, cmd.Propose(Resume()))) == ["Proposed", "GameResumed", "TurnStarted"]
    assert table.state.turn is not None
    assert table.state.proposals == ()
    for _ in range(2):
        table.ask(table.state.turn, cmd.PlayMove(text="pass"))
    assert settling(table.state)


def test_nothing_is_marked_while_the_game_goes_on() -> None:
    table = Conversation("go", options={"size": "5"})
    table.join("anna", "bert")
    assert why(table, 0, cmd.MarkDead(())) is Why.NOT_NOW
    assert why(table, 0, cmd.Propose(Resume())) is Why.NOT_NOW


def test_the_passes_can_be_taken_back() -> None:
    table = stopped()
    table.ask(0, cmd.Propose(Takeback(2)))
    table.ask(1, cmd.Propose(Takeback(2)))
    assert table.state.turn == 0
    assert not settling(table.state)


def test_a_takeback_reaches_behind_a_resumption() -> None:
    table = stopped()
    table.ask(0, cmd.Propose(Resume()))
    assert table.state.turn is not None
    table.ask(table.state.turn, cmd.PlayMove(text="A1"))
    table.ask(0, cmd.Propose(Takeback(1)))
    table.ask(1, cmd.Propose(Takeback(1)))
    assert table.state.ply == len(WALLS) + 2


def test_an_adjourned_settlement_is_gone_on_with() -> None:
    table = stopped()
    table.ask(0, cmd.Propose(Adjourn()))
    table.ask(1, cmd.Propose(Adjourn()))
    assert table.state.status is Status.ADJOURNED
    table.ask(0, cmd.Propose(Resume()))
    assert kinds(table.ask(1, cmd.Propose(Resume())))[-2:] == ["GameResumed", "GameSettling"]
    assert settling(table.state)


def test_who_stays_away_loses_as_in_play() -> None:
    table = stopped()
    table.ask(1, cmd.Leave(lost=True))
    assert "GameEnded" in kinds(table.wait(60.0))
    assert table.state.outcome == Outcome(0, Reason.ABANDONMENT)


def test_replay_comes_to_the_same_state() -> None:
    table = stopped()
    table.ask(1, cmd.Propose(Resume()))
    for text in ("A1", "pass", "pass"):
        assert table.state.turn is not None
        table.ask(table.state.turn, cmd.PlayMove(text=text))
    opened = ev.TableOpened(table.first.settings, table.first.house)
    assert replay(1, table.state.game, SECRET, [opened, *table.said]) == table.state
