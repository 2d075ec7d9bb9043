"""Nodes of neighbouring versions: what one says and the other does not know ends neither, and no game."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from gateway.cluster import messages
from gateway.store import codec
from protocols.core.commands import Resign
from protocols.core.errors import Why
from tests.cluster.cast import cast


async def test_a_command_that_the_tables_node_does_not_know_is_refused(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer node's client asks for it, of an older node's table: the game goes on."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        away = next(player for player in (anna, bert) if here.owner(player) is not player.member)
        monkeypatch.delitem(messages._COMMANDS, "Resign")
        await here.asks(away, Resign())
        assert away.seen.history.questions[-1].answer == "refused"
        await here.plays(anna, 0)
        await here.plays(bert, 4)


async def test_what_the_clients_node_does_not_know_of_a_step_is_left_out(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer node's table tells a client of an older one what no record has: it is told the rest of each step."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        monkeypatch.delitem(codec._events, "TurnStarted")
        await here.plays(anna, 0)
        await here.plays(bert, 4)


def test_a_cause_that_only_a_newer_version_has_is_no_error() -> None:
    assert messages.why_of("too late") is Why.NOT_NOW
    assert messages.why_of("illegal") is Why.ILLEGAL
