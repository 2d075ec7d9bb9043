"""The state of a table of another node is as that node has it, however seldom somebody looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from gateway import registry
from gateway.cluster.state_copy import Set, StateCopy
from gateway.store import codec
from gateway.table.state import opened
from protocols.core.commands import Command
from protocols.core.events import Event, MoveMade, is_stored
from protocols.core.model import HouseRules
from tests.store.steps import SECRET
from tests.table.test_writing import RandomGame


class SteppedGame(RandomGame):
    """Seats move at random; ``steps`` are the events of each command."""

    def __init__(self, name: str) -> None:
        self.steps: list[list[Event]] = []
        super().__init__(name, seed=11)

    def does(self, seat: int, command: Command) -> None:
        before = len(self.events)
        super().does(seat, command)
        self.steps.append(self.events[before:])


def steps(game: SteppedGame) -> Iterator[tuple[int, list[Event], list[Event]]]:
    """Each step that another node is told: the number of its first event, and it as both nodes have it."""
    seq = 1
    for step in game.steps:
        yield seq + 1, step, [codec.decode(*codec.encode(event)) for event in step]
        seq += sum(map(is_stored, step))


@pytest.fixture(params=sorted(registry.games()))
def game(request: pytest.FixtureRequest) -> SteppedGame:
    return SteppedGame(request.param)


def copy_of(game: SteppedGame) -> StateCopy:
    """As it is when a table has just been opened."""
    copy = StateCopy()
    copy.put(opened(game.state.table, game.state.game, game.settings, HouseRules(), SECRET), 1)
    return copy


@pytest.mark.parametrize("looks", [0.0, 0.1, 1.0])
def test_a_state_is_that_of_the_tables_node(game: SteppedGame, looks: float) -> None:
    chance, copy = Random(5), copy_of(game)
    for first, _, heard in steps(game):
        copy.take(heard, first)
        if chance.random() < looks:
            copy.evolve()
            assert copy.timed is (copy.state.settings.time is not None)
    assert copy.state == game.state
    assert copy.seq == sum(map(is_stored, game.events))


@pytest.mark.parametrize("asked", [0.05, 1.0])
def test_a_move_says_what_it_says_at_the_tables_node(game: SteppedGame, asked: float) -> None:
    """Whether it is asked at once, or when the game has gone on."""
    chance, copy, all_heard = Random(5), copy_of(game), []
    for first, said, heard in steps(game):
        copy.take(heard, first)
        for there, here in zip(said, heard, strict=True):
            all_heard.append((there, here))
            if chance.random() < asked:
                assert told(here) == told(there)
    for there, here in reversed(all_heard):
        assert told(here) == told(there)


def told(event: Event) -> object:
    """The texts that an event has of its move and the position."""
    if isinstance(event, MoveMade):
        return event.notation, event.position, event.hands(), event.alarm(), event.tally()
    return (event.hands(), event.alarm(), event.tally()) if isinstance(event, Set) else event


def test_what_was_told_before_changes_nothing(game: SteppedGame) -> None:
    """A step that was read in the record comes once more."""
    copy = copy_of(game)
    for first, _, heard in steps(game):
        copy.take(heard, first)
    for first, _, heard in list(steps(game))[-3:]:
        copy.take([event for event in heard if is_stored(event)], first)
    assert copy.state == game.state
