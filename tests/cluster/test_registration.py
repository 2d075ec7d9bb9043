"""Tables are registered at any node: the lobby's node has them, whichever node was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.cluster import messages
from gateway.cluster.calls import Caller, Calls
from gateway.config import Registering
from gateway.lobby.registration import Registered, Registration
from gateway.seating.registrar import THE_HOUSE, Registrant
from gateway.tables.journal import Journal
from protocols.core import commands as cmd
from protocols.core.errors import Refused, Why
from tests.cluster.cast import cast
from tests.cluster.world import Member, world
from tests.hall import config

GUEST = Registrant(address="192.0.2.9")


async def register(member: Member, *names: str, by: Registrant = THE_HOUSE, private: bool = False) -> Registered:
    settings = registry.game("tic_tac_toe").settings("")
    return await member.server.registrar.register(Registration(settings, names, private=private), by)


async def test_a_table_registered_at_another_node_than_the_lobbys_is_the_lobbys(autojump_clock: MockClock) -> None:
    """It runs at the lobby's node, its row says so, and its tickets seat players of both nodes at once."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        made = await register(two, "anna", "bert")
        assert list(one.server.tables) == [made.table]
        assert not two.server.tables
        assert here.record.tables[made.table].row.node == one.me
        anna, bert = one.dial(), two.dial()
        assert await bert.joins(f"tic_tac_toe#{made.tickets[1]}") == 1
        assert await anna.joins(f"tic_tac_toe#{made.tickets[0]}") == 0
        assert await anna.puts(4) == (0,)


@pytest.mark.parametrize("names", [("anna", "bert"), ("anna", "open"), ("open", "open")])
async def test_a_registration_that_was_stored_and_not_answered_is_made_once(
    autojump_clock: MockClock, names: tuple[str, str]
) -> None:
    """The lobby's node dies when it has stored the table: the registrant has this table, and its tickets."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)
        reply = Calls._reply

        async def dies(calls: Calls, caller: Caller, request: messages.Request) -> messages.Reply:
            replied = await reply(calls, caller, request)
            if calls is one.node.calls:
                here.kill(one)
                await trio.sleep_forever()
            return replied

        with patch.object(Calls, "_reply", dies):
            made = await register(two, *names, private=names == ("open", "open"))
        assert list(here.record.tables) == [made.table]
        guest = two.dial()
        assert await guest.joins(f"tic_tac_toe#{next(filter(None, made.tickets))}") in (0, 1)


async def test_a_table_of_the_asked_node_stays_its_own(autojump_clock: MockClock) -> None:
    """Nobody claims a table that was just registered: its epoch stays the first."""
    async with world() as here:
        one, _ = await here.node("one"), await here.node("two")
        made = await register(one, "anna", "bert")
        await trio.sleep(5)
        assert here.record.tables[made.table].row.epoch == 1


def noting(sent: list[bytes], send: Callable[..., None]) -> Callable[..., None]:
    """The same as ``send``, and its last argument is kept."""

    def noted(*arguments: Any) -> None:
        sent.append(arguments[-1])
        send(*arguments)

    return noted


async def test_no_ticket_crosses_the_bus(autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tickets of open seats, too, are known to the asking node alone."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        sent: list[bytes] = []
        for bus in (one.node.bus, two.node.bus):
            monkeypatch.setattr(bus, "send", noting(sent, bus.send))
            monkeypatch.setattr(bus, "publish", noting(sent, bus.publish))
        made = await register(two, "anna", "open", private=True)
        assert len(set(made.tickets)) == 2
        assert sent
        assert not [text for text in sent for ticket in made.tickets if ticket.encode() in text]


async def test_refusals_are_the_same_at_both_nodes(autojump_clock: MockClock) -> None:
    """A pair that has a game, and a registrant who has too many, are refused at any node with the same words."""
    settings = replace(config(), registration=Registering(who="anybody", tables_per_address=2))
    async with world(settings) as here:
        one, two = await here.node("one"), await here.node("two")
        await register(two, "anna", "bert", by=GUEST)
        await register(one, "carl", "dora", by=GUEST)
        for names, by, why in ((("bert", "anna"), THE_HOUSE, Why.NAME_TAKEN), (("eve", "fred"), GUEST, Why.TOO_FAST)):
            said = []
            for member in (one, two):
                with pytest.raises(Refused) as refused:
                    await register(member, *names, by=by)
                assert refused.value.why is why
                said.append(refused.value.text)
            assert said[0] == said[1]


async def test_a_registrants_tables_are_counted_by_the_lobbys_next_node(autojump_clock: MockClock) -> None:
    """A guest who may have one table has none more because the node died that registered it."""
    settings = replace(config(), registration=Registering(who="anybody", tables_per_address=1))
    async with world(settings) as here:
        one, two = await here.node("one"), await here.node("two")
        await register(two, "anna", "bert", by=GUEST)
        here.kill(one)
        with pytest.raises(Refused, match="1 tables registered from your address are not over"):
            await register(two, "carl", "dora", by=GUEST)


async def test_a_pair_whose_game_is_abandoned_at_another_node_is_registered_anew(autojump_clock: MockClock) -> None:
    """The abandoned game ends at the node that has it, and the new table is the pair's."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        made = await register(two, "anna", "bert")
        players = [two.dial(), two.dial()]
        for seat, player in enumerate(players):
            assert await player.joins(f"tic_tac_toe#{made.tickets[seat]}") == seat
        await players[0].puts(4)
        for player in players:
            await player.leaves()
        await one.until(lambda: here.record.tables[made.table].row.status == "adjourned")
        again = await register(two, "anna", "bert")
        assert again.table != made.table
        assert here.record.tables[made.table].row.status == "over"


async def test_a_table_is_registered_once_where_the_bus_loses_and_doubles(autojump_clock: MockClock) -> None:
    """A request that is asked again because messages were lost registers no second table."""
    async with world(seed=3, lost=0.2, doubled=0.2, delay_s=(0.0, 0.1)) as here:
        await here.node("one")
        two = await here.node("two")
        numbers = [(await register(two, f"anna{count}", f"bert{count}")).table for count in range(10)]
        assert sorted(here.record.tables) == sorted(numbers)


async def test_a_table_whose_registrant_was_not_answered_is_ended(autojump_clock: MockClock) -> None:
    """Its tickets reached nobody: the same two can be registered again at once."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)
        here.board.part([one.me], [two.me], one_way=True)
        with pytest.raises(Refused) as refused:
            await register(two, "anna", "bert")
        assert refused.value.why is Why.OVERLOAD
        here.board.join()
        (table,) = here.record.tables
        await one.until(lambda: here.record.tables[table].row.status == "over")
        assert (await register(two, "anna", "bert")).table != table


async def test_without_a_lobby_a_registration_waits_for_the_next_one(autojump_clock: MockClock) -> None:
    """After the death of the lobby's node a registration waits, and is served when another has the lobby."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        here.kill(one)
        made = await register(two, "anna", "bert")
        assert two.node.has_lobby
        assert made.table in two.server.tables


async def test_who_asks_for_a_table_while_it_is_being_registered_makes_no_second_one(autojump_clock: MockClock) -> None:
    """The row is in the database, and its node does not know yet: there is no such table for carl."""
    write = Journal.write

    async def written(journal: Journal, *what: Any, **how: Any) -> None:
        await write(journal, *what, **how)
        await trio.sleep(1.0)

    async with cast("one", "two") as here:
        one, carl = here.nodes["one"], here.comes("carl", "two")
        with patch.object(Journal, "write", written):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(register, one, "anna", "bert")
                await trio.sleep(0.5)
                await here.asks(carl, cmd.Watch(1, name="carl"))
                assert carl.table is None
        await trio.sleep(1.0)
        await here.asks(carl, cmd.Watch(1, name="carl"))
        assert carl.seen.table == 1
        assert list(one.server.tables) == [1]
