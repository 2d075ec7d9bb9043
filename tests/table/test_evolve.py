"""A draft's state is the fold of its events: the law that holds decide and evolve together."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import registry
from gateway.table.evolve import evolve, replay
from gateway.table.state import Status
from protocols.core import commands as cmd
from protocols.core import events as ev
from protocols.core.errors import Refused
from protocols.core.model import HouseRules
from protocols.core.proposals import Adjourn, Draw, Rematch, Resume, Takeback
from tests.table.tables import SECRET, Conversation

WORDS: tuple[cmd.Command, ...] = (
    cmd.Resign(),
    cmd.Leave(),
    cmd.Leave(lost=True),
    cmd.Join("", "somebody"),
    cmd.Propose(Draw()),
    cmd.Propose(Takeback(1)),
    cmd.Propose(Takeback(3)),
    cmd.Propose(Adjourn()),
    cmd.Propose(Resume()),
    cmd.Propose(Rematch()),
    cmd.Decline("Draw"),
    cmd.Say("all", "hello"),
)


@pytest.mark.parametrize("name", sorted(registry.games()))
@given(seed=st.integers(0, 2**32 - 1), time=st.sampled_from(["none", "60", "30+2", "20+2x5"]))
def test_every_state_is_its_events_folded(name: str, seed: int, time: str) -> None:
    chance = random.Random(seed)
    house = HouseRules(5.0, chance.choice([None, 0.0, 3.0]), chance.choice(["bot", "loss"]))
    table = Conversation(name, time=time, house=house)
    now = 1000.0
    for _ in range(chance.randint(1, 40)):
        now += chance.choice([0.0, 0.1, 1.0, 4.0])
        with contextlib.suppress(Refused):
            live(table, chance, now)
        if table.state.status is Status.CLOSED:
            break
    state = table.first
    for event in table.said:
        before, state = state, evolve(state, event)
        unchanged = (before.position, before.status) == (state.position, state.status)
        assert state.moment > before.moment or (unchanged and state.moment == before.moment) or closes(event)
    assert state == table.state
    record = [ev.TableOpened(table.first.settings, house), *table.said]
    assert replay(1, table.first.game, SECRET, record) == table.state


def closes(event: ev.Event) -> bool:
    """A closed table is asked nothing any more."""
    return isinstance(event, ev.TableClosed)


def test_a_takeback_and_other_moves_do_not_return_to_a_moment() -> None:
    table = Conversation("tic_tac_toe")
    table.join("anna", "bert")
    table.play(0, 1)
    seen = {table.state.moment}
    for other in (2, 3, 4):
        for seat in (0, 1):
            table.ask(seat, cmd.Propose(Takeback(1)))
        seen.add(table.state.moment)
        table.play(other)
        assert table.state.ply == 2
        seen.add(table.state.moment)
    assert len(seen) == 7


def live(table: Conversation, chance: random.Random, now: float) -> None:
    """One thing that may happen at a table; moves mostly."""
    state = table.state
    if state.status is Status.OPEN:
        table.ask(None, cmd.Join(state.game.name, f"p{chance.randrange(99)}"), now)
    elif chance.random() < 0.1:
        table.wait(now)
    elif state.turn is not None and chance.random() < 0.8:
        table.ask(state.turn, cmd.PlayMove(chance.choice(state.game.legal_moves(state.position))), now)
    else:
        table.ask(chance.randrange(len(state.seats)), chance.choice(WORDS), now)


def test_a_record_that_begins_with_anything_else_is_refused() -> None:
    with pytest.raises(ValueError, match="TurnStarted"):
        replay(1, registry.game("tic_tac_toe"), SECRET, [ev.TurnStarted(0)])
