"""Bans at work: hung up on, refused in words, or sent away from the table."""

from __future__ import annotations

import time

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway.admission.ban_enforcer import BANS_S
from gateway.store.bans import Ban
from protocols.core.model import SeatKind
from tests.hall import ADDRESS, hall
from tests.store.bans_memory import MemoryBans

GAME = "tic_tac_toe"
TICKET = "anna-comes-back-with-this"
OTHER = "198.51.100.9"


def banned(*bans: Ban) -> MemoryBans:
    made = MemoryBans()
    for ban in bans:
        made.add(ban, "root")
    return made


async def learnt() -> None:
    """Until the house has looked again."""
    await trio.sleep(BANS_S + 0.1)


async def test_nobody_comes_in_from_a_banned_network(autojump_clock: MockClock) -> None:
    async with hall(bans=banned(Ban("network", "192.0.2.0/24", "spam"))) as here:
        assert await here.dial("192.0.2.200").next() is None
        assert await here.dial(OTHER).joins(GAME) == 0


async def test_a_banned_name_is_told_why_and_another_name_plays(autojump_clock: MockClock) -> None:
    async with hall(bans=banned(Ban("name", "eve", "cheating"))) as here:
        guest = here.dial()
        assert await guest.asks(f"{GAME}?name=Eve") == (1, "you are banned here: cheating")
        assert await guest.joins(f"{GAME}?name=anna") == 0


async def test_whoever_is_banned_while_playing_is_told_and_sent_away_within_seconds(autojump_clock: MockClock) -> None:
    bans = banned()
    async with hall(bans=bans) as here:
        eve, anna = here.dial(), here.dial()
        assert await eve.joins(f"{GAME}?name=eve#{TICKET}") == 0
        assert await anna.joins(f"{GAME}?name=anna") == 1
        bans.add(Ban("name", "EVE", "cheating"), "root")
        await eve.rest()
        await anna.hears_lost(0)
        assert here.state().seats[0].kind is SeatKind.RESERVED
        back = here.dial(OTHER)
        assert await back.asks(f"{GAME}#{TICKET}") == (1, "you are banned here: cheating")
        bans.remove("name", "EVE", "root")
        await learnt()
        assert await back.joins(f"{GAME}#{TICKET}") == 0


async def test_connections_of_a_network_that_is_banned_end_and_others_stay(autojump_clock: MockClock) -> None:
    bans = banned()
    async with hall(bans=bans) as here:
        eve, anna = here.dial(ADDRESS), here.dial(OTHER)
        await eve.joins(GAME)
        await anna.joins(GAME)
        bans.add(Ban("network", f"{ADDRESS}/32", "", time.time() + 3600), "root")
        await eve.rest()
        assert not anna.peer.closed
        assert here.server.metrics.closed["banned"] == 1
        bans.remove("network", f"{ADDRESS}/32", "root")
        await learnt()
        assert await here.dial(ADDRESS).joins("ludo") == 0


async def test_whoever_else_has_connections_is_told_what_was_learnt(autojump_clock: MockClock) -> None:
    bans, told = banned(), []
    async with hall(bans=bans) as here:
        here.server.ban_enforcer.also(lambda why: told.append(why(ADDRESS)))
        bans.add(Ban("network", f"{ADDRESS}/32", "spam"), "root")
        await learnt()
        assert told == ["you are banned here: spam"]


async def test_bans_that_are_known_stay_while_the_database_cannot_be_read(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    bans = banned(Ban("name", "eve", "cheating"))
    async with hall(bans=bans) as here:

        def broken(now: float) -> list[Ban]:
            raise OperationalError("SELECT", {}, Exception("no database"))

        with monkeypatch.context() as patch:
            patch.setattr(bans, "current", broken)
            await learnt()
            assert await here.dial().asks(f"{GAME}?name=eve") == (1, "you are banned here: cheating")
        bans.remove("name", "eve", "root")
        await learnt()
        assert await here.dial().joins(f"{GAME}?name=eve") == 0
