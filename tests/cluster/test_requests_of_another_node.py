"""Requests that reach another node than the table's are served as at the table's own."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
import trio
from trio.testing import MockClock

from gateway import registry
from gateway.cluster import messages
from gateway.lobby.claims import Ticket, TicketClaim, ticket_digest
from gateway.lobby.registration import Registration
from gateway.seating.registrar import Forbidden, Registrant
from gateway.table.state import Status
from gateway.tables.asked import Moved
from gateway.tables.presence import SeatPresence
from protocols.core.commands import Join, PlayMove
from protocols.core.errors import Refused, Why
from protocols.core.model import Move
from tests.cluster.cast import cast, ticket
from tests.cluster.world import Member, World, world
from tests.hall import Guest

HERE = "192.0.2.9"


async def playing(here: World) -> tuple[Member, Member, int, list[Guest]]:
    """The node of a game's table, another node, the table, and its two players at the first node."""
    one, two = await here.node("one"), await here.node("two")
    guests = await one.seat("tic_tac_toe")
    (table,) = one.server.tables
    await two.until(lambda: two.server.tables.unfinished(table))
    assert table not in two.server.tables
    return one, two, table, guests


def put(square: int, ply: int | None = None) -> PlayMove:
    return PlayMove(Move(None, square, ""), "", ply)


async def test_a_move_is_made_at_the_tables_node_and_told_to_all(autojump_clock: MockClock) -> None:
    """A move that is asked of another node is stored, told to both players, and answered."""
    async with world() as here:
        one, two, table, guests = await playing(here)
        moved = await two.server.tables.asked(table).move(0, HERE, put(4, 0), trio.current_time())
        assert moved == Moved(1, 1, Status.PLAYING)
        assert one.state(table).ply == 1
        for guest in guests:
            assert (await guest.hear("MSG_MOVE"))[1] == 4


async def test_a_refused_move_has_the_same_cause_and_words_at_both_nodes(autojump_clock: MockClock) -> None:
    """The other node gives the refusal that the table's own gives."""
    async with world() as here:
        one, two, table, guests = await playing(here)
        assert await guests[0].puts(4) == (0,)
        for seat, command in ((0, put(3)), (1, put(99)), (1, put(3, 3)), (1, put(4))):
            said = []
            for member in (one, two):
                with pytest.raises(Refused) as refused:
                    await member.server.tables.asked(table).move(seat, HERE, command, trio.current_time())
                said.append((refused.value.why, refused.value.text))
            assert said[0] == said[1]
        assert one.state(table).ply == 1


async def test_a_move_is_made_once_where_the_bus_loses_and_doubles(autojump_clock: MockClock) -> None:
    """Over a bus that loses every tenth message each move is made once."""
    async with world(seed=5, lost=0.1, doubled=0.1, delay_s=(0.0, 0.05)) as here:
        one, two, table, _ = await playing(here)
        for ply, square in enumerate((0, 3, 1, 4, 2)):
            moved = await two.server.tables.asked(table).move(ply % 2, HERE, put(square), trio.current_time())
            assert moved.ply == ply + 1 == one.state(table).ply
        assert one.state(table).status is Status.OVER


async def test_a_table_that_is_over_is_found_at_no_node(autojump_clock: MockClock) -> None:
    """Asked for a table that never was, a node has none; asked for one that has closed meanwhile, it says so."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        await one.server.tables.asked(table).end_by_host("")
        await one.until(lambda: not one.server.tables)
        for number in (table, 999):
            with pytest.raises(Refused) as refused:
                await two.server.tables.asked(number).move(0, HERE, put(4), trio.current_time())
            assert refused.value.why is Why.TABLE_FULL


async def test_presence_is_the_owners(autojump_clock: MockClock) -> None:
    """Another node shows who is at the table as the table's own does, and nobody where no table is."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        shown = await two.server.tables.presence(table)
        assert shown == await one.server.tables.presence(table)
        assert shown.seats[0] == SeatPresence(0, "bogaprot", "", "here", None)
        assert (await two.server.tables.presence(999)).seats == ()


async def test_a_new_ticket_is_the_seats_from_any_node(autojump_clock: MockClock) -> None:
    """A ticket that was issued anew at another node takes the seat, and the one before does not."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        table = await registered(one, "anna", "bert")
        await two.until(lambda: two.server.tables.unfinished(table))
        seat, secret = await two.server.registrar.reissue(table, Registrant(account="bert", address=HERE))
        assert seat == 1
        assert one.server.lobby.by_ticket(secret) is not None
        with pytest.raises(Refused) as refused:
            await two.server.registrar.reissue(table, Registrant(account="carl", address=HERE))
        assert refused.value.why is Why.NOT_SEATED
        with pytest.raises(Forbidden):
            await two.server.registrar.reissue(table, Registrant(address=HERE))


async def test_the_host_ends_a_table_of_another_node(autojump_clock: MockClock) -> None:
    """The host's act reaches the table's node: its players hear the end, and it closes."""
    async with world() as here:
        _, two, table, guests = await playing(here)
        assert await two.server.tables.asked(table).end_by_host("maintenance") == "tic_tac_toe"
        assert (await guests[0].rest())[-1].name == "MSG_GAMEOVER"
        await two.until(lambda: not two.server.tables.unfinished(table))


async def registered(member: Member, *names: str) -> int:
    settings = registry.game("tic_tac_toe").settings("")
    return (await member.server.registrar.register(Registration(settings, names))).table


async def test_only_a_ticket_of_the_registered_seat_is_replaced(autojump_clock: MockClock) -> None:
    """The table's node keeps the digest of the new ticket, and no secret has crossed the bus."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        table = await registered(one, "anna", "bert")
        await two.until(lambda: two.server.tables.unfinished(table))
        digest = ticket_digest("a secret of the asking node")
        assert await two.server.tables.asked(table).reissue("anna", Ticket(digest, "a secret of the asking node")) == 0
        assert (digest, 0) in one.server.lobby.tickets(table)


async def test_a_client_whose_dialect_is_not_installed_at_the_other_node_is_told_so(autojump_clock: MockClock) -> None:
    """Nodes of one server may have different plug-ins; the node that is asked serves all others as before."""
    async with world() as here:
        one, two, table, guests = await playing(here)
        guest = messages.Guest(7, HERE, "", "klingon", "", two.server.house_rules)
        join = messages.coded(Join("tic_tac_toe"))
        for asked in (messages.Seek(guest, join, ""), messages.Enter(table, guest, name="looker")):
            with pytest.raises(Refused, match="no dialect klingon"):
                await two.node.calls.call(one.node.me, asked)
        two.node.links.send(one.node.me, messages.Here(table, guest, 0, "Worf"))
        assert await guests[0].puts(4) == (0,)


async def test_a_client_that_asks_again_is_seated_once(autojump_clock: MockClock) -> None:
    """Its node has given up the first request, to look on, which is served still: it is no observer of its own game.

    The tables rest, so that both requests wait for the same replay. Which goes on first is chance, at each.
    """
    async with world() as here:
        before, one, two = await here.node("before"), await here.node("one"), await here.node("two")
        tickets = {}
        for game in range(20):
            table = await registered(before, f"anna {game}", f"bert {game}")
            tickets[table] = digest = ticket_digest(f"secret {game}")
            await before.server.tables.asked(table).reissue(f"anna {game}", Ticket(digest, f"secret {game}"))
        here.kill(before)
        rests = one.server.tables.recovery, two.server.tables.recovery
        await one.until(lambda: all(table in rests[0] or table in rests[1] for table in tickets))
        here.board.part([one.me], [two.me])  # what the other node would say to seats that no client of it awaits
        homes = {table: one if table in rests[0] else two for table in tickets}
        for number, (table, digest) in enumerate(tickets.items()):
            home, away = homes[table], two if homes[table] is one else one
            guest = messages.Guest(number, HERE, "", "bogaprot", "", away.server.house_rules)
            join, claim = messages.coded(Join("tic_tac_toe")), messages.coded_claim(TicketClaim(digest))
            looks, sits = messages.Enter(table, guest, name="looker"), messages.Enter(table, guest, join, claim)
            home.node.calls.heard(away.node.me, messages.Call(2 * number + 101, looks))
            home.node.calls.heard(away.node.me, messages.Call(2 * number + 102, sits))
        await one.until(lambda: all(table in homes[table].server.tables for table in tickets))
        await trio.sleep(1.0)
        there = [homes[table].server.tables[table].subscribers for table in tickets]
        assert [(len(players), players.observers) for players in there] == [(1, 0)] * len(tickets)


async def test_who_was_given_a_seat_at_a_table_that_has_ended_since_is_hung_up_on(autojump_clock: MockClock) -> None:
    """The bus loses the answer to Carl's request, and the end of his table: asked again, the node says both."""
    async with cast("one", "two") as here:
        one, two = here.nodes["one"], here.nodes["two"]
        here.world.board.part([one.me], [two.me], one_way=True)
        carl = here.comes("carl", "two")
        carl.asks(Join("tic_tac_toe", "carl", ticket("carl")))
        await one.until(lambda: len(one.server.tables) == 1)
        (table,) = one.server.tables
        await one.server.tables.asked(table).end_by_host("maintenance")
        here.world.board.join()
        await two.until(lambda: carl.seen.hung_up)
        assert carl.seen.table == table


@pytest.mark.parametrize("at", [0, 1])
async def test_a_table_that_goes_while_it_is_asked_is_asked_at_its_next_node(
    autojump_clock: MockClock, at: int
) -> None:
    """A move that reaches a node just as this gives the table away is made, whichever node was asked for it."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        give, server, made = here.nodes.give, (one, two)[at].server, []

        async def moves() -> None:
            made.append(await server.tables.asked(table).move(0, HERE, put(4, 0), trio.current_time()))

        def asked_meanwhile(giver: int, number: int, epoch: int, events: int, to: int) -> bool:
            server.background.start_soon(moves)
            return give(giver, number, epoch, events, to)

        with patch.object(here.nodes, "give", asked_meanwhile):
            here.nodes.drain("one", on=True)
            await two.until(lambda: table in two.server.tables)
            await two.until(lambda: bool(made))
        assert made == [Moved(1, 1, Status.PLAYING)]


async def test_a_table_of_a_dead_node_that_is_asked_at_its_next_is_not_called_over(autojump_clock: MockClock) -> None:
    """A node that takes the table over at this moment serves the move."""
    async with world() as here:
        one, two, table, _ = await playing(here)
        here.kill(one)
        with patch.object(two.node.takeover, "look", trio.sleep_forever):
            await two.until(lambda: one.me not in two.node.membership.living)
            moved = await two.server.tables.asked(table).move(0, HERE, put(4, 0), trio.current_time())
        assert moved.ply == 1


async def test_a_move_whose_step_fails_is_asked_of_the_tables_next_node(autojump_clock: MockClock) -> None:
    """Its epoch has risen meanwhile: the table is taken in anew, and the move is made there."""
    async with world() as here:
        one, _, table, _ = await playing(here)
        kept = here.record.tables[table]
        kept.row = replace(kept.row, epoch=kept.row.epoch + 1)
        with trio.fail_after(5):
            moved = await one.server.tables.asked(table).move(0, HERE, put(4, 0), trio.current_time())
        assert moved.ply == 1
