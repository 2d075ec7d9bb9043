"""Unfinished tables without a task: who and what wakes them, what becomes of their deadlines, when they rest again."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.lobby.registration import Registration
from gateway.store.records import Append, Loaded
from gateway.table.state import State, Status
from gateway.tables import recovery as resting
from gateway.tables.runner import IDLE_S
from protocols.core.errors import Refused, Why
from protocols.core.events import GameAdjourned, GameEnded, TableClosed
from tests.hall import Hall, alternate, config, hall
from tests.store.memory import MemoryLog

ANNA, BERT = "anna-comes-back-with-this", "bert-comes-back-with-this"
GAME = "tic_tac_toe"
WEEK_S = 2000.0
"""Stands for the week that games and registered tables wait: the test's clock passes every half second of it."""


class Kept(MemoryLog):
    """A record that outlives its servers. ``failures`` reads of whole tables fail next."""

    def __init__(self) -> None:
        super().__init__(lambda steps: None)
        self.failures = 0
        self.loads: list[list[int]] = []

    def opened(self, deliver: Callable[[list[Append]], None]) -> MemoryLog:
        self._deliver, self._closed = deliver, False
        return self

    def load(self, numbers: object) -> list[Loaded]:
        assert isinstance(numbers, list)
        self.loads.append(numbers)
        if self.failures:
            self.failures -= 1
            raise OperationalError("SELECT", {}, OSError("the server closed the connection"))
        return super().load(numbers)


@asynccontextmanager
async def server(kept: Kept, seats: Seats | None = None) -> AsyncIterator[Hall]:
    seats = replace(seats or Seats(), bot_after_s=None, adjourned_s=WEEK_S, registered_s=WEEK_S)
    async with hall(config(seats=seats), log=kept.opened) as here:
        yield here


async def two_play(here: Hall, engine: str = GAME, *squares: int, mark: str = "") -> None:
    """A game of two ticket holders, whom the next crash takes."""
    guests = [here.dial(f"192.0.2.{len(here.server.tables)}") for _ in range(2)]
    for seat, (guest, ticket) in enumerate(zip(guests, (ANNA + mark, BERT + mark), strict=True)):
        assert await guest.joins(f"{engine}#{ticket}") == seat
    await alternate(guests, *squares)


async def after_a_move() -> Kept:
    """The record of a server that stopped with a game of one move."""
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4)
    return kept


def kinds(kept: Kept, table: int = 1) -> list[type]:
    return [type(stored.event) for stored in kept.read(table)]


async def test_after_a_start_a_game_rests_until_a_ticket_holder_comes(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4, 0)
    async with server(kept) as here:
        assert (dict(here.server.tables), len(here.server.tables.recovery)) == ({}, 1)
        assert here.server.not_ready() == []
        anna = here.dial()
        assert await anna.joins(f"{GAME}#{ANNA}") == 0
        assert list(here.server.tables) == [1]
        assert await anna.puts(8) == (0,)


async def test_many_who_come_back_at_once_are_read_in_few_batches(autojump_clock: MockClock) -> None:
    """Each finds its own seat, in any order."""
    kept, tables = Kept(), 40
    async with server(kept) as here:
        for table in range(tables):
            await two_play(here, GAME, 4, mark=str(table))
    async with server(kept) as here:
        assert len(here.server.tables.recovery) == tables
        holders = [(ticket, table, seat) for seat, ticket in enumerate((ANNA, BERT)) for table in range(tables)]
        random.Random(5).shuffle(holders)
        found = {}

        async def comes(ticket: str, table: int) -> None:
            guest = here.dial(f"192.0.2.{table}")
            found[ticket, table] = await guest.joins(f"{GAME}#{ticket}{table}")

        async with trio.open_nursery() as nursery:
            for ticket, table, _ in holders:
                nursery.start_soon(comes, ticket, table)
        assert found == {(ticket, table): seat for ticket, table, seat in holders}
        assert sorted(here.server.tables) == list(range(1, tables + 1))
        assert sum(map(len, kept.loads)) == tables, "each was read once"
        assert len(kept.loads) < tables // 4


async def test_a_game_nobody_comes_back_to_is_adjourned_after_its_grace_and_rests_on(
    autojump_clock: MockClock,
) -> None:
    kept = await after_a_move()
    async with server(kept, Seats(grace_s=60.0)) as here:
        await trio.sleep(59.0)
        assert GameAdjourned not in kinds(kept)
        await trio.sleep(1.0 + 2 * IDLE_S)
        assert kinds(kept)[-1] is GameAdjourned
        assert (dict(here.server.tables), here.server.tables.recovery.statuses()) == ({}, {"adjourned": 1})


async def test_who_comes_back_within_the_grace_keeps_the_seat_as_if_the_table_had_not_rested(
    autojump_clock: MockClock,
) -> None:
    """The grace counts from the server's start, not from when the table was woken."""
    kept = await after_a_move()
    async with server(kept, Seats(grace_s=60.0, bot_after_s=None, abandoned="loss")) as here:
        await trio.sleep(50.0)
        anna = here.dial()
        assert await anna.joins(f"{GAME}#{ANNA}") == 0
        assert (await here.woken()).status is Status.PLAYING
        await trio.sleep(11.0)
        assert kinds(kept)[-1] is GameEnded, "the other one's grace was over after ten more seconds"


async def test_an_adjourned_game_rests_its_week_and_is_void_then(autojump_clock: MockClock) -> None:
    kept = await after_a_move()
    async with server(kept) as here:
        await trio.sleep(WEEK_S)
        assert len(here.server.tables.recovery) == 1, "the grace came first"
        await trio.sleep(120.0)
        assert (dict(here.server.tables), len(here.server.tables.recovery)) == ({}, 0)
        assert kinds(kept)[-2:] == [GameEnded, TableClosed]


async def test_an_adjourned_game_of_an_earlier_server_waits_its_week_at_rest(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4)
        for connection in list(here.server.connections):
            connection.close()
        await here.until(lambda: here.server.tables.recovery.statuses() == {"adjourned": 1})
    before = kinds(kept)
    async with server(kept) as here:
        await trio.sleep(WEEK_S - 60.0)
        assert (kinds(kept), dict(here.server.tables)) == (before, {})
        await trio.sleep(120.0)
        assert kinds(kept)[-1] is TableClosed


async def test_players_resume_a_game_that_rests(autojump_clock: MockClock) -> None:
    async with server(Kept()) as here:
        await two_play(here, GAME, 4)
        for connection in list(here.server.connections):
            connection.close()
        await here.until(lambda: len(here.server.tables.recovery) == 1)
        anna, bert = here.dial(), here.dial()
        assert await anna.joins(f"{GAME}#{ANNA}") == 0
        assert (await here.woken()).status is Status.ADJOURNED
        assert await bert.joins(f"{GAME}#{BERT}") == 1
        assert await bert.puts(0) == (0,)


async def test_a_table_with_a_running_clock_does_not_rest(autojump_clock: MockClock) -> None:
    async with server(Kept(), Seats(grace_s=600.0)) as here:
        await two_play(here, f"{GAME}?time=300", 4)
        for connection in list(here.server.connections):
            connection.close()
        await trio.sleep(200.0)
        assert (list(here.server.tables), len(here.server.tables.recovery)) == ([1], 0)


async def test_a_long_grace_is_waited_for_at_rest(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept, Seats(grace_s=400.0)) as here:
        await two_play(here, GAME, 4)
        for connection in list(here.server.connections):
            connection.close()
        await here.until(lambda: here.server.tables.recovery.statuses() == {"playing": 1})
        await trio.sleep(400.0)
        assert GameAdjourned in kinds(kept)


async def test_a_registered_table_rests_until_its_time_is_over(autojump_clock: MockClock) -> None:
    """Before a restart and after it."""
    kept, game = Kept(), registry.game(GAME)
    async with server(kept) as here:
        made = await here.server.registrar.register(Registration(game.settings(), ("ann", "bob")))
        await here.until(lambda: made.table in here.server.tables.recovery)
    async with server(kept) as here:
        await here.until(lambda: not here.server.tables and made.table in here.server.tables.recovery)
        assert here.server.lobby.registered_pair("ann", "bob") is not None
        ann = here.dial()
        assert await ann.joins(f"{GAME}#{made.tickets[0]}") == 0
        await ann.leaves()
        await trio.sleep(WEEK_S + 60.0)
        assert kinds(kept)[-1] is TableClosed
        assert here.server.lobby.registered_pair("ann", "bob") is None


async def test_a_registered_tables_open_seat_is_found_after_a_start_once_its_player_is_back(
    autojump_clock: MockClock,
) -> None:
    kept, game = Kept(), registry.game(GAME)
    async with server(kept) as here:
        made = await here.server.registrar.register(Registration(game.settings(), ("ann", "open")))
    async with server(kept) as here:
        await here.until(lambda: made.table in here.server.tables.recovery)
        assert await here.dial().joins(f"{GAME}#{made.tickets[0]}") == 0
        assert await here.dial().joins(GAME) == 1
        assert list(here.server.tables) == [made.table]


async def test_names_of_those_who_may_come_back_are_not_given_to_others(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept) as here:
        anna, bert = here.dial(), here.dial()
        await anna.joins(f"{GAME}?name=anna#{ANNA}")
        await bert.joins(f"{GAME}?name=bert#{BERT}")
    async with server(kept) as here:
        await here.dial().joins(f"{GAME}?name=anna")
        assert here.state(2).seats[0].name == "anna-2"


async def test_who_says_a_name_hears_of_seats_at_tables_that_rest(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept) as here:
        anna, bert = here.dial(), here.dial()
        await anna.joins(f"{GAME}?name=anna#{ANNA}")
        await bert.joins(f"{GAME}?name=bert#{BERT}")
    async with server(kept) as here:
        assert (here.server.lobby.kept("Anna"), here.server.lobby.table_of("BERT")) == ([(1, 0)], 1)
        assert await here.dial().joins(f"{GAME}#{ANNA}") == 0
        assert (here.server.lobby.kept("anna"), here.server.lobby.kept("bert")) == ([], [(1, 1)])
        assert here.server.lobby.table_of("carl") is None


async def test_following_a_table_that_rests_wakes_nothing_and_hears_of_the_next_event(
    autojump_clock: MockClock,
) -> None:
    kept = await after_a_move()
    async with server(kept) as here:
        bell = here.server.tables.bell(1)
        assert bell is not None
        assert here.server.tables == {}
        await here.dial().joins(f"{GAME}#{ANNA}")
        await bell.wait()
        assert here.server.tables.bell(1) is not None
        assert here.server.tables.bell(2) is None


async def test_a_database_that_fails_refuses_who_comes_and_loses_no_table(autojump_clock: MockClock) -> None:
    """A lost connection is replaced; where the database is away the player may ask again."""
    kept = await after_a_move()
    async with server(kept) as here:
        kept.failures = 2
        with pytest.raises(Refused) as refusal:
            await here.server.tables.find(1)
        assert (refusal.value.why, 1 in here.server.tables.recovery) == (Why.OVERLOAD, True)
        kept.failures = 1
        assert await here.dial().joins(f"{GAME}#{ANNA}") == 0


async def test_tables_that_are_due_while_the_database_is_away_are_tried_again(autojump_clock: MockClock) -> None:
    kept = await after_a_move()
    async with server(kept, Seats(grace_s=60.0)) as here:
        kept.failures = 20
        await trio.sleep(60.0 + 11 * resting.AGAIN_S)
        assert kept.failures == 0
        assert GameAdjourned in kinds(kept)
        assert here.server.tables.recovery.statuses() == {"adjourned": 1}


async def test_a_record_that_cannot_be_read_keeps_no_other_table_away(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4, mark="1")
        await two_play(here, GAME, 4, mark="2")
    rows = kept._tables[1].events
    rows[2] = type(rows[2])(rows[2].seq, rows[2].at, "NoSuchEvent", "{}", rows[2].digest)
    async with server(kept) as here:
        assert await here.server.tables.find(1) is None
        assert 1 not in here.server.tables.recovery
        assert await here.dial().joins(f"{GAME}#{ANNA}2") == 0
        assert await here.dial().joins(f"{GAME}#{ANNA}1") == 0
        assert sorted(here.server.tables) == [2, 3], "its ticket is unknown now"


async def test_a_table_that_another_server_has_claimed_is_left_to_it(autojump_clock: MockClock) -> None:
    kept = await after_a_move()
    async with server(kept) as here:
        kept.claim()
        before = kinds(kept)
        assert await here.server.tables.find(1) is None
        assert (kinds(kept), len(here.server.tables.recovery)) == (before, 0)


async def test_a_table_that_was_given_with_its_players_does_not_wait_for_those_that_are_only_due(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table 1 is due, and its first step takes for ever, as where the database is in trouble."""
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4)
        await two_play(here, GAME, 4, mark="2")
    async with server(kept) as here:
        recovery, begun = here.server.tables.recovery, trio.Event()
        start = recovery._start

        async def slow(state: State, *rest: Any) -> None:
            if state.table == 1:
                begun.set()
                await trio.sleep_forever()
            await start(state, *rest)

        monkeypatch.setattr(recovery, "_start", slow)
        first = recovery.rest(1)
        assert first is not None
        first.due = trio.current_time()
        recovery.keep(1, first)
        await begun.wait()
        recovery.take([kept.load([2])[0].row], kept.holders([2]), thought_s=0.0)
        await trio.sleep(1.0)
        assert list(here.server.tables) == [2]


async def test_others_are_served_while_a_long_game_is_replayed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each slice; here a slice is one event."""
    monkeypatch.setattr(resting, "SLICE_S", 0.0)
    kept = Kept()
    async with server(kept) as here:
        await two_play(here, GAME, 4, 0, 8)
    async with server(kept) as here:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                await trio.lowlevel.checkpoint()
                turns += 1

        async with trio.open_nursery() as nursery:
            nursery.start_soon(count)
            await here.server.tables.find(1)
            nursery.cancel_scope.cancel()
        assert turns >= len(kept.read(1))


async def test_who_waits_for_a_table_when_the_server_stops_waits_no_longer(autojump_clock: MockClock) -> None:
    """A registration is shielded, and may wait for an abandoned game that rests: the server could not stop."""
    kept, refused = await after_a_move(), []

    async with server(kept) as here:

        async def waits() -> None:
            with trio.CancelScope(shield=True), trio.fail_after(60):
                try:
                    await here.server.tables.recovery.wake(1)
                except Refused as why:
                    refused.append(why.why)

        here.server.background.start_soon(waits)
    assert refused == [Why.OVERLOAD]
