"""Downtime moves a table's clock and graces later, and changes nothing else."""

from __future__ import annotations

import pytest

from gateway.table.draft import Draft
from gateway.table.evolve import evolve
from gateway.table.seating import stood_still
from gateway.table.state import State, deadline
from protocols.core.commands import Leave, Resign
from tests.table.tables import Conversation, kinds


def playing(time: str = "60") -> Conversation:
    """Begun at 0 s, seat 0 to move, with a minute each."""
    table = Conversation(time=time)
    table.join("ann", "bob")
    return table


def after(draft: Draft, first: State) -> State:
    """Return the state that the record leads to."""
    for event in draft.events:
        first = evolve(first, event)
    return first


def test_the_running_clock_is_not_charged_for_a_pause_within_its_turn() -> None:
    table = playing()
    draft = stood_still(table.state, 10.0, 40.0)
    assert deadline(table.state) == 60.0
    assert deadline(draft.state) == 90.0
    assert kinds(draft.events) == ["ClockSet"]
    assert after(draft, table.state) == draft.state


def test_a_clock_that_began_to_run_during_the_pause_runs_from_its_end() -> None:
    table = playing()
    table.play(4, now=20.0)
    draft = stood_still(table.state, 15.0, 50.0)
    assert deadline(draft.state) == 50.0 + 60.0


def test_graces_are_longer_by_the_pause() -> None:
    table = playing("none")
    table.ask(1, Leave(lost=True), now=5.0)
    draft = stood_still(table.state, 10.0, 40.0)
    assert table.state.until == (0.0, 65.0)
    assert draft.state.until == (0.0, 95.0)
    assert kinds(draft.events) == ["SeatLeft"]
    assert after(draft, table.state) == draft.state


def test_a_grace_that_was_over_before_the_pause_is_over() -> None:
    table = playing("none")
    table.ask(1, Leave(lost=True), now=5.0)
    assert stood_still(table.state, 70.0, 90.0).events == []


def test_clocks_can_be_left_alone() -> None:
    table = playing()
    table.ask(1, Leave(lost=True), now=5.0)
    assert kinds(stood_still(table.state, 10.0, 40.0, clock=False).events) == ["SeatLeft"]


@pytest.mark.parametrize("time", ["none", "60"])
def test_where_nothing_is_due_nothing_changes(time: str) -> None:
    table = playing(time)
    table.ask(0, Resign(), now=1.0)
    draft = stood_still(table.state, 10.0, 40.0)
    assert (draft.events, draft.state) == ([], table.state)
