"""Laws of dialects that tell several watched tables apart: no table's words depend on another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import registry
from protocols.core.dialect import Dialect
from protocols.core.errors import LocalProtocolError
from protocols.core.notifications import Aside, ToldAside, Unwatched
from tests.laws.conversations import FUZZ, messages, option_sets
from tests.transcripts.replay import drained

SEVERAL = [name for name, kind in registry.dialects().items() if kind.send_aside is not Dialect.send_aside]
"""The dialects that show several tables."""


def asides() -> st.SearchStrategy[Aside]:
    """Steps of four tables."""
    told: st.SearchStrategy[ToldAside] = st.one_of(messages(), st.builds(Unwatched))
    steps = st.lists(told, min_size=1, max_size=3).map(tuple)
    return st.builds(Aside, st.integers(1, 4), steps, st.integers(0, 40))


def test_the_browsers_dialect_and_those_of_viewers_of_go_and_of_chess_and_go_servers_show_several_tables() -> None:
    assert SEVERAL == ["cgos", "ics", "igs", "web"]


@pytest.mark.parametrize("name", sorted(registry.dialects().keys() - set(SEVERAL)))
def test_a_dialect_without_words_for_a_second_table_says_so(name: str) -> None:
    with pytest.raises(LocalProtocolError):
        registry.dialects()[name](option_sets(name)[0]).send_aside(1, [Unwatched()], 0)


@pytest.mark.parametrize("name", SEVERAL)
@FUZZ
@given(steps=st.lists(asides(), max_size=12), own=st.lists(messages(), max_size=6))
def test_the_words_of_a_watched_table_are_those_it_would_have_alone(
    name: str, steps: list[Aside], own: list[ToldAside]
) -> None:
    """And the connection's own table is told in the same bytes as if none was watched. What the connection itself is
    told, as its login, is the same for all: a prompt may say it."""
    kind = registry.dialects()[name]
    together, undisturbed = kind(), kind()
    alone = {step.table: kind() for step in steps}
    queue = list(own)
    for step in steps:
        apart = alone[step.table].send_aside(step.table, step.messages, step.seq)
        assert together.send_aside(step.table, step.messages, step.seq) == apart
        if queue:
            message = queue.pop()
            for peer in (together, undisturbed, *alone.values()):
                peer.send(message)  # type: ignore[arg-type]
    assert {drained(peer) for peer in (together, *alone.values())} == {drained(undisturbed)}
