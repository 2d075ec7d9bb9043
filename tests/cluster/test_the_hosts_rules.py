"""A ban holds at every node, an account is one at every node, and one node deletes what is old, one rates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

import migrations
from gateway.admission.ban_enforcer import BANS_S
from gateway.commits.commit_queue import CommitQueue
from gateway.ops import retention
from gateway.ops.retention import Retention
from gateway.store.bans import Ban
from gateway.table.state import Status
from protocols.core import commands as cmd
from protocols.core import proposals as prop
from tests.cluster.cast import cast
from tests.cluster.world import world
from tests.passwords import hashed
from tests.store.memory import MemoryLog
from tests.store.old import DAY_S, finished, kept, put


async def test_a_ban_at_one_node_hangs_up_at_the_other_within_seconds(autojump_clock: MockClock) -> None:
    """A player at another node than the host's is sent away, and not let in again; the opponent stays."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        anna, bert = one.dial("192.0.2.1"), two.dial("198.51.100.7")
        assert await anna.joins("tic_tac_toe") == 0
        assert await bert.joins("tic_tac_toe") == 1
        one.server.bans.add(Ban("network", "198.51.100.0/24", "spam", None), "test")
        await one.server.ban_enforcer.learn()
        with trio.fail_after(BANS_S + 1):
            await bert.rest()
        await anna.hears_lost(1)
        assert await two.dial("198.51.100.8").next() is None


async def test_an_account_that_was_added_elsewhere_is_known_within_seconds(autojump_clock: MockClock) -> None:
    """A name that became an account's is not given to a guest of another node."""
    async with world() as here:
        await here.node("one")
        two = await here.node("two")
        here.accounts.add("anna", "hash", "test")
        await two.until(lambda: two.server.lobby.names.owned("anna"))


async def test_one_node_is_the_janitor_and_another_after_its_death(autojump_clock: MockClock) -> None:
    """The role is the first node's that asks, as long as it lives."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        assert await two.node.is_janitor()
        assert not await one.node.is_janitor()
        assert await two.node.is_janitor()
        here.kill(two)
        with trio.fail_after(20):
            while not await one.node.is_janitor():  # noqa: ASYNC110  # no event
                await trio.sleep(0.5)


async def test_one_node_rates_and_another_after_its_death_under_the_next_epoch(autojump_clock: MockClock) -> None:
    """The epoch is the fence: what the dead one had begun is not stored any more."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        held = await two.node.rates()
        assert held is not None
        assert await one.node.rates() is None
        assert await two.node.rates() == held
        here.kill(two)
        with trio.fail_after(20):
            while (taken := await one.node.rates()) is None:  # noqa: ASYNC110  # no event
                await trio.sleep(0.5)
        assert taken.epoch == held.epoch + 1


async def test_what_is_old_is_deleted_by_a_janitor_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node without the role deletes nothing, and begins in the round after it has got it."""
    monkeypatch.setattr(retention, "ROUND_S", 0.01)
    url = f"sqlite:///{tmp_path / 'boardgate.db'}"
    migrations.upgrade(url)
    put(url, finished(1, 100), finished(2, 1))
    has_role, asked = False, 0

    async def may() -> bool:
        nonlocal asked
        asked += 1
        return has_role

    commits = CommitQueue(MemoryLog, blocking=False)
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Retention(url, commits, (), 90 * DAY_S, may).run)
            while asked < 5:  # noqa: ASYNC110  # no event
                await trio.sleep(0.01)
            assert kept(url)["tables"] == {1, 2}
            has_role = True
            while kept(url)["tables"] != {2}:  # noqa: ASYNC110  # no event
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("wait_s", [0.5, 8.0])
async def test_who_sits_down_right_behind_making_an_account_plays_rated_games(
    autojump_clock: MockClock, wait_s: float
) -> None:
    """The first node has the lobby, and learns within five seconds of accounts that were made at another."""
    async with cast("one", "two") as here:
        accounts, two = here.world.accounts, here.nodes["two"]
        secret = hashed("correct horse")
        accounts.add("bert", secret, "test")
        await trio.sleep(10.0)
        accounts.add("zoe", secret, "zoe")
        two.server.lobby.names.own(["zoe"])  # as SelfRegistration does
        await trio.sleep(wait_s)
        zoe, bert = here.comes("zoe", "two"), here.comes("bert", "one")
        zoe.account, bert.account = "zoe", "bert"
        await here.asks(zoe, cmd.Join("tic_tac_toe", "zoe", ready=False))
        await trio.sleep(30.0)
        await here.asks(bert, cmd.Join("tic_tac_toe", "bert", ready=False))
        rated = prop.Start(replace(here.state(zoe).settings, rated=True))
        for player in (zoe, bert):
            await here.asks(player, cmd.Propose(rated))
        assert (here.state(zoe).status, here.state(zoe).settings.rated) == (Status.PLAYING, True)
