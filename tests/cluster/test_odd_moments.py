"""Clients come and go while a table is on its way, or the database answers: none loses a place, and nothing stays."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest
import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway.cluster import messages
from gateway.cluster.branches import Branches
from gateway.cluster.calls import Caller, Calls
from gateway.cluster.giving import Giving
from gateway.cluster.messages import Attend, Post
from gateway.store.records import Loaded
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber
from protocols.core import commands as cmd
from protocols.core.errors import Refused
from protocols.core.model import SeatKind
from tests.cluster.cast import Cast, cast, ticket
from tests.cluster.players import Player
from tests.cluster.world import three, world


def _puts(here: Cast, player: Player, square: int) -> cmd.PlayMove:
    state = here.state(player)
    return cmd.PlayMove(next(move for move in state.game.legal_moves(state.position) if move.target == square))


async def test_who_comes_back_while_a_resting_table_is_given_has_it(autojump_clock: MockClock) -> None:
    """The database is slow with the giving; Anna's return is stored before it, so that nothing is given after all."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "one")
        await here.plays(anna, 4)
        anna.end()
        bert.end()
        one, stored, slow = here.nodes["one"], Giving._stored, True
        await one.until(lambda: not one.server.tables and len(one.server.tables.recovery) == 1)

        async def late(giving: Giving, *rest: int) -> bool:
            nonlocal slow
            if slow:
                slow = False
                await trio.sleep(1.0)
            return await stored(giving, *rest)

        with patch.object(Giving, "_stored", late):
            here.world.nodes.drain("one", on=True)
            await one.until(lambda: not len(one.server.tables.recovery))
            again = await here.sits("anna", "one")
            await trio.sleep(5.0)
        assert one.living
        await here.asks(again, cmd.Say("all", "here I am"))


async def test_who_is_on_the_way_home_when_the_table_is_given_on_follows_it(autojump_clock: MockClock) -> None:
    """Bert asks the table to take him in behind its giving, which begins at that moment."""
    async with cast("one", "two", "three") as here:
        two = here.nodes["two"]
        anna, back, begun = await here.sits("anna", "two"), TableRunner.back, False

        async def comes_back(table: TableRunner, subscriber: Subscriber, *rest: Any) -> None:
            nonlocal begun
            if subscriber is not anna and not begun and table.state.table in two.server.tables:
                begun = True
                two.server.drain.begin("a host")
                two.server.background.start_soon(two.node.giving._give_home, table, here.nodes["three"].me)
                for _ in range(3):
                    await trio.lowlevel.checkpoint()
            await back(table, subscriber, *rest)

        stored = Giving._stored

        async def slow(giving: Giving, *rest: int) -> bool:
            await trio.sleep(0.05)  # the database's answer
            return await stored(giving, *rest)

        with patch.object(TableRunner, "back", comes_back), patch.object(Giving, "_stored", slow):
            bert = await here.sits("bert", "two")
            await trio.sleep(10.0)
        assert begun
        assert not bert.ended
        await here.asks(bert, cmd.Say("all", "here I am"))
        await here.plays(anna, 4)


async def test_who_leaves_for_good_while_the_table_is_given_has_left(autojump_clock: MockClock) -> None:
    """A word between two nodes takes 0.1 s: Bert's may come to the node that has given the table on."""
    for hundredths in range(0, 120, 4):
        async with cast("one", "two", "three", delay_s=(0.1, 0.1)) as here:
            anna, bert = await here.game("two", "three")
            await trio.sleep(1.0)
            here.world.nodes.drain(here.owner(anna).name, on=True)
            await trio.sleep(hundredths / 100)
            await here.asks(bert, cmd.Leave(lost=False))
            assert bert.table is None
            await trio.sleep(5.0)
            assert here.state(anna).seats[1].kind is not SeatKind.RESERVED, f"{hundredths / 100} s later"


async def test_who_hangs_up_while_the_table_is_given_is_forgotten(autojump_clock: MockClock) -> None:
    async with world() as here:
        _, two, _ = members = await three(here)
        stored = Giving._stored
        guests = [two.dial(), two.dial()]
        for guest in guests:
            await guest.joins("tic_tac_toe")
        await two.until(lambda: len(two.server.tables) == 1)

        async def hangs_up_meanwhile(giving: Giving, *rest: int) -> bool:
            next(iter(two.server.connections)).close()
            await trio.sleep(0.1)  # the database's answer
            return await stored(giving, *rest)

        with patch.object(Giving, "_stored", hangs_up_meanwhile):
            here.nodes.drain("two", on=True)
            await two.until(lambda: not two.server.tables)
        for guest in guests:
            await guest.stream.aclose()
        await trio.sleep(300.0)
        assert [len(member.node.branches._locals) for member in members] == [0, 0, 0]
        assert [len(member.node.outposts) for member in members] == [0, 0, 0]


async def test_a_table_whose_giving_was_stored_and_not_answered_is_the_next_nodes(autojump_clock: MockClock) -> None:
    """The database's connection is lost in that moment. The players stay connected, and play on."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("two", "two")
        give, once = here.world.nodes.give, True

        def lost(*rest: int) -> bool:
            nonlocal once
            given = give(*rest)
            if once:
                once = False
                raise OperationalError("COMMIT", {}, OSError("the connection was lost"))
            return given

        with patch.object(here.world.nodes, "give", lost):
            here.world.nodes.drain("two", on=True)
            await trio.sleep(3.0)
            await here.plays(anna, 4)
        await here.plays(bert, 0)
        assert not anna.ended
        assert not bert.ended


async def test_who_leaves_while_the_end_is_read_keeps_the_next_seat(autojump_clock: MockClock) -> None:
    """The end of the table was lost with the bus; Bert stands up and sits down elsewhere while the record is read."""
    async with cast("one", "two", "three") as here:
        _, bert = await here.game("two", "three")
        two, third, first = here.nodes["two"], here.nodes["three"], bert.seen.table
        here.world.board.part([two.me], [third.me], one_way=True)
        await two.server.tables.asked(first).end_by_host("")
        await trio.sleep(0.1)
        here.world.board.join()
        load, reads = Branches.load, trio.Event()

        async def slow(branches: Branches, table: int) -> Loaded | None:
            found = await load(branches, table)
            if table == first and branches is third.node.branches:
                reads.set()
                await trio.sleep(2.0)  # the database's answer
            return found

        with patch.object(Branches, "load", slow):
            with trio.fail_after(60):
                await reads.wait()
            await here.asks(bert, cmd.Leave())
            await here.asks(bert, cmd.Join("reversi", "bert", ticket("bert") + "2"))
            assert bert.table is not None
            await trio.sleep(5.0)
        assert bert.table is not None


async def test_what_was_missed_is_told_though_the_record_is_read_at_an_old_primary_first(
    autojump_clock: MockClock,
) -> None:
    """A move is lost with the bus, and PostgreSQL fails over: a reader is still where it never came to."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("two", "three")
        two, third = here.nodes["two"], here.nodes["three"]
        await here.plays(anna, 4)
        before = len(here.world.record.tables[anna.seen.table].events)
        here.world.board.part([two.me], [third.me], one_way=True)
        bert.asks(_puts(here, bert, 0))
        await trio.sleep(0.3)
        load, old = Branches.load, 3

        async def past(branches: Branches, table: int) -> Loaded | None:
            nonlocal old
            found = await load(branches, table)
            if found is None or branches is not third.node.branches or not old:
                return found
            old -= 1
            return found._replace(rows=found.rows[:before])

        with patch.object(Branches, "load", past):
            here.world.board.join()
            await trio.sleep(5.0)
        assert not old
        assert here.state(bert).ply == here.state(anna).ply == 2


async def test_a_table_that_ends_while_a_review_waits_is_over_for_all(autojump_clock: MockClock) -> None:
    """A node dies with a game. Its review reads the new owner before it hears of it (words take 0.1 s); the host ends
    the table half a second later."""
    async with world(delay_s=(0.1, 0.1)) as here:
        one, two, third = await three(here)
        for guest in (one.dial(), one.dial()):
            await guest.joins("tic_tac_toe")
        await trio.sleep(1.0)
        (table,) = one.server.tables
        here.kill(one)
        await two.until(lambda: two.server.tables.has(table) or third.server.tables.has(table))
        owner, other = (third, two) if third.server.tables.has(table) else (two, third)
        await trio.sleep(0.5)
        await owner.server.tables.asked(table).end_by_host("")
        await trio.sleep(30.0)
        assert here.record.tables[table].row.node is None
        assert not other.server.tables.unfinished(table)
        assert other.node.gossip.heard_of() == []


async def test_tables_that_end_while_a_node_is_alone_are_forgotten(autojump_clock: MockClock) -> None:
    """As at each upgrade of two: the other one is away, and games end."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)
        for _ in range(5):
            await one.seat("tic_tac_toe")
        await trio.sleep(1.0)
        here.kill(two)
        await one.until(lambda: one.node.links.alone)
        for table in list(one.server.tables):
            await one.server.tables.asked(table).end_by_host("")
        await here.node("two")
        await one.until(lambda: not one.server.tables)
        assert one.node.gossip._published == {}


async def test_a_request_that_fails_at_another_node_is_answered(autojump_clock: MockClock) -> None:
    """A defect there costs its asker this request, and nobody waits for ever."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)

        async def fails(post: Post) -> str:
            raise ValueError("a defect")

        two.node.posts.serves("gamesman", fails)
        with trio.fail_after(3600), pytest.raises(Refused, match="something went wrong here"):
            await one.node.posts.ask(two.me, Post("gamesman", "{}", "192.0.2.1", "", 0))


async def test_who_has_ended_while_nobody_has_the_lobby_gets_no_seat(autojump_clock: MockClock) -> None:
    """Two handshakes come in one packet, the first with a ticket that is refused: the second waits in the background
    for a node with the lobby. Its connection ends meanwhile."""
    async with world() as here:
        one, two, third = await three(here)
        two.node.takeover._draining = lambda: True  # the third is to take the lobby
        anna = two.dial()
        here.kill(one)
        await trio.sleep(0.2)
        tries = ("tic_tac_toe?kept=yes#a-ticket-of-nobody", "tic_tac_toe")
        await anna.stream.send_all(b"".join(anna.wire.build("REQ_HANDSHAKE", engine, 1) for engine in tries))
        await trio.sleep(0.2)
        two.server._send_away("this part of the server is being restarted")
        await trio.sleep(60.0)
        assert not two.server.connections
        assert not third.server.tables
        assert not two.node.branches._locals


async def test_who_asks_who_is_at_a_table_that_each_node_thinks_the_others_is_asked_for_once(
    autojump_clock: MockClock,
) -> None:
    """A resting table is given, and word of it is lost: two nodes do not ask each other round and round."""
    asked, reply = 0, Calls._reply

    async def counting(calls: Calls, caller: Caller, request: messages.Request) -> messages.Reply:
        nonlocal asked
        asked += isinstance(request, Attend)
        return await reply(calls, caller, request)

    async with cast("one", "two", delay_s=(0.001, 0.001)) as here:
        one, two = here.nodes["one"], here.nodes["two"]
        anna, bert = await here.game("one", "one")
        await here.plays(anna, 4)
        table = anna.seen.table
        anna.end()
        bert.end()
        await one.until(lambda: not one.server.tables and len(one.server.tables.recovery) == 1)
        here.world.board.part([one.me], [two.me], one_way=True)
        here.world.nodes.drain("one", on=True)
        await one.until(lambda: not len(one.server.tables.recovery))
        await trio.sleep(0.1)
        here.world.board.join()
        with patch.object(Calls, "_reply", counting):
            with suppress(Refused):
                await two.server.tables.presence(table)
            await trio.sleep(10.0)
        assert asked == 1


async def test_late_word_of_a_client_at_a_table_that_has_come_here_since_takes_it_away_from_nothing(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last node still thought it there. Asked to let it go, that node would when the table is its own again."""
    async with cast("one", "two") as here:
        one, two = here.nodes["one"], here.nodes["two"]
        _, bert = await here.game("two", "two")
        assert here.owner(bert) is two
        sent: list[messages.Message] = []
        monkeypatch.setattr(two.node.links, "send", lambda to, said: sent.append(said))
        two.node.branches.local(bert)
        two.node.branches.heard(one.me, messages.Known(((bert.number, bert.seen.table),)))
        await trio.sleep(1)
        assert not any(isinstance(said, messages.Call | messages.Ended) for said in sent)
        two.node.branches.heard(one.me, messages.Known(((bert.number, bert.seen.table + 1),)))
        await trio.sleep(1)
        parts = [said.request for said in sent if isinstance(said, messages.Call)]
        assert [part.number for part in parts if isinstance(part, messages.Part)] == [bert.number]
