"""Connections that have ended and tables that have closed are freed at once, without the garbage collector."""

from __future__ import annotations

import contextlib
import gc
import weakref
from collections.abc import Iterator
from typing import Final

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.sessions.listener import EntryPoint
from tests.hall import Hall, config, hall
from tests.laws.conversations import option_sets, scripts
from tests.transcripts.replay import Script

GRACE_S: Final = 5.0
LONG_S: Final = 600.0
"""Virtual seconds until every table that was left has closed."""

Kept = dict[str, weakref.ref[object]]


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", sorted(registry.dialects()))
async def test_ended_connections_and_closed_tables_are_freed_without_the_collector(
    name: str, autojump_clock: MockClock, without_collector: None
) -> None:
    kept: Kept = {}
    async with hall(config(seats=Seats(grace_s=GRACE_S, adjourned_s=GRACE_S), handshake_s=GRACE_S)) as here:
        entry = EntryPoint(registry.dialects()[name], option_sets(name)[0], here.server.house_rules)
        spoken = [script for script in scripts(name) if script.options == entry.options]
        for script in [*spoken[:3], max(spoken, key=lambda script: len(list(script.steps())))]:
            await speak(here, entry, script, kept)
        await trio.sleep(LONG_S)
        by_http = entry.dialect.http is not None or entry.dialect.carried  # whose seats are of others' making
        assert len(kept) >= (2 if by_http else 3)
        assert [shown for shown, part in kept.items() if part() is not None] == []


async def speak(here: Hall, entry: EntryPoint, script: Script, kept: Kept) -> None:
    """A client says what is said in a transcript, and hangs up; what the server has for it meanwhile is noted."""
    guest = here.dial(listener=entry)
    for step in script.steps():
        with contextlib.suppress(trio.BrokenResourceError):
            await guest.stream.send_all(step.wire or b"")
        await trio.sleep(0.1)
        note(here, kept)
    await guest.stream.aclose()


def note(here: Hall, kept: Kept) -> None:
    """What the server has now. In a frame of its own: that of ``speak`` stays with the errors of a broken stream."""
    for connection in here.server.connections:
        kept |= {str(part): weakref.ref(part) for part in (connection, connection.dialect, connection.table) if part}
