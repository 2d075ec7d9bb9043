"""Tables go to other nodes: when their game begins, and when their node drains; their players notice nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import Mock, patch

import trio
from sqlalchemy.exc import OperationalError
from trio.testing import MockClock

from gateway.cluster import messages
from gateway.lobby.claims import TicketClaim, ticket_digest
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber
from protocols.core import commands as cmd
from protocols.core.errors import Refused, Why
from protocols.core.model import SeatKind
from tests.cluster.cast import cast, ticket
from tests.cluster.lines import Lines
from tests.cluster.world import LINE, Member, three, world
from tests.hall import Guest, alternate


async def pair(first: Member, second: Member) -> list[Guest]:
    """Two guests of these nodes whose game has begun."""
    guests = [first.dial(), second.dial()]
    for seat, guest in enumerate(guests):
        assert await guest.joins("tic_tac_toe") == seat
    return guests


def tables(members: Sequence[Member]) -> list[int]:
    return [len(member.server.tables) for member in members]


async def test_a_game_goes_to_the_node_of_its_players(autojump_clock: MockClock) -> None:
    """The lobby's node seats two players of another node; their game runs there, and nothing of it crosses."""
    async with world() as here:
        one, two, _ = members = await three(here)
        guests = await pair(two, two)
        await one.until(lambda: tables(members) == [0, 1, 0])
        await two.until(lambda: not two.node.branches)
        await alternate(guests, *LINE)
        assert (await guests[1].hear("MSG_GAMEOVER"))[0] == 0


async def test_a_game_of_two_nodes_goes_to_the_first_players(autojump_clock: MockClock) -> None:
    """Of two nodes with as many players the first player's gets the table."""
    async with world() as here:
        one, two, third = members = await three(here)
        guests = await pair(third, two)
        await one.until(lambda: tables(members) == [0, 0, 1])
        await alternate(guests, *LINE)
        assert (await guests[1].hear("MSG_GAMEOVER"))[0] == 0


async def test_a_request_for_a_seat_that_another_node_has_answered_counts_no_more(autojump_clock: MockClock) -> None:
    """Bert's table was given on as he asked for his seat, so its next node was asked, too. He says there that he is at
    the table, and the late request leaves him there with what he asks meanwhile."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        owner, node = here.owner(bert), bert.member.node
        assert owner is here.nodes["one"]
        branch = node.branches[bert.seen.table]
        guest, join = node.branches.guest(bert), cmd.Join("tic_tac_toe", "bert", ticket("bert"))
        claim = messages.coded_claim(TicketClaim(ticket_digest(ticket("bert"))))
        branch.say_here(branch.here[bert.number])
        late = messages.Enter(branch.number, guest, messages.coded(join), claim)
        owner.node.calls._answered.clear()  # it was another node that was asked first
        node.links.send(owner.me, messages.Call(branch.here[bert.number].seated, late))
        await here.plays(anna, 4)
        await here.plays(bert, 0)
        assert len([row for row in here.history.rows(branch.number) if row.kind == "SeatLeft"]) == 0


async def test_a_command_that_comes_after_its_table_has_been_elsewhere_is_not_served_again(
    autojump_clock: MockClock,
) -> None:
    """Bert's node has asked it of the table's last node, too; its first copy comes when the table is back."""
    async with cast("one", "two") as here:
        _, bert = await here.game("one", "two")
        owner, node, table = here.owner(bert), bert.member.node, bert.seen.table
        here.nodes["one"].server.drain.begin("a host")
        await owner.until(lambda: here.owner(bert) is here.nodes["two"])
        here.nodes["one"].server.drain.end("a host")
        here.nodes["two"].server.drain.begin("a host")
        await owner.until(lambda: here.owner(bert) is owner)
        here.nodes["two"].server.drain.end("a host")
        await trio.sleep(1.0)
        local = node.branches[table].here[bert.number]
        said = messages.coded(cmd.Say("all", "hello"))
        node.links.send(owner.me, messages.Ask(table, local.number, local.asked + 1, 0.0, 0.0, said, epoch=1))
        await trio.sleep(1.0)
        assert "Said" not in [row.kind for row in here.history.rows(table)]


async def test_a_command_that_comes_behind_its_table_puts_no_other_client_in_doubt(autojump_clock: MockClock) -> None:
    """Bert's command comes to the node that has given his table on. His own node asks anew for him at most: each
    client of its other tables that it asked for would cost a look into the record."""
    async with cast("one", "two", "three") as here:
        anna, bert = await here.game("one", "two")
        await here.sits("carl", "one")
        dora = await here.sits("dora", "two")
        one, two, three = (member.node for member in here.nodes.values())
        runner = here.nodes["one"].server.tables[bert.seen.table]
        command = messages.coded(cmd.Say("all", "hello"))
        with patch.object(two.branches, "send", wraps=two.branches.send) as send:
            assert await one.giving._give(runner, three.me)
            two.links.send(one.me, messages.Ask(bert.seen.table, bert.number, 1, 0.0, 0.0, command, 1))
            await trio.sleep(3.0)
            asked_for = [
                call.args[1].guest.number for call in send.call_args_list if type(call.args[1]) is messages.Here
            ]
        assert bert.number in asked_for
        assert dora.number not in asked_for
        await here.plays(anna, 4)
        await here.plays(bert, 0)


async def test_a_client_that_its_tables_node_does_not_know_is_asked_for(autojump_clock: MockClock) -> None:
    """The node says so, and Bert's node that he is at the table."""
    async with cast("one", "two") as here:
        anna, bert = await here.game("one", "two")
        one, two = here.nodes["one"].node, here.nodes["two"].node
        with patch.object(two.branches, "send", wraps=two.branches.send) as send:
            one.links.send(two.me, messages.Said(bert.number, bert.seen.table, "unknown"))
            await here.plays(anna, 4)
            await here.plays(bert, 0)
        assert [call.args[1].guest.number for call in send.call_args_list if type(call.args[1]) is messages.Here] == [
            bert.number
        ]


async def test_who_comes_back_while_the_table_is_on_its_way_is_served_where_it_goes(autojump_clock: MockClock) -> None:
    """A worker passes the connection on to the table's next node, not to none: it would have no second chance."""
    async with world() as here:
        one, two = await here.node("club/1"), await here.node("club/2")
        returned = Mock(movable=True, number=1)
        nearer, give = [], here.nodes.give

        def asked_meanwhile(giver: int, table: int, epoch: int, events: int, to: int) -> bool:
            nearer.append(one.node.nearer(returned, table))
            return give(giver, table, epoch, events, to)

        with patch.object(here.nodes, "give", asked_meanwhile):
            await pair(two, two)
            await one.until(lambda: tables((one, two)) == [0, 1])
        assert nearer == ["club/2"]


async def test_a_draining_node_ends_no_game(autojump_clock: MockClock) -> None:
    """Every table of a draining node is another's soon; its own clients stay connected to it, and play on."""
    async with world() as here:
        one, two, third = members = await three(here)
        games = [await pair(two, two), await pair(two, third)]
        await one.until(lambda: tables(members) == [0, 2, 0])
        for guests in games:
            await alternate(guests, *LINE[:2])
        assert here.nodes.drain("two", True)
        await one.until(lambda: not two.server.tables and len(one.server.tables) + len(third.server.tables) == 2)
        assert two.server.not_ready()
        for guests in games:
            await alternate(guests, *LINE[2:])
            assert (await guests[1].hear("MSG_GAMEOVER"))[0] == 0


async def test_a_draining_node_gives_the_lobby_away(autojump_clock: MockClock) -> None:
    """A player who waits at an open table of the draining node meets the next one all the same."""
    async with world() as here:
        one, two, third = await three(here)
        anna = two.dial()
        assert await anna.joins("tic_tac_toe") == 0
        one.server.drain.begin("a host")
        await one.until(lambda: two.node.has_lobby or third.node.has_lobby)
        await one.until(lambda: not one.server.tables)
        bert = one.dial()
        assert await bert.joins("tic_tac_toe") == 1
        await alternate([anna, bert], *LINE)
        assert (await bert.hear("MSG_GAMEOVER"))[0] == 0


async def test_a_node_that_is_alone_once_it_has_given_the_lobby_away_keeps_its_games(autojump_clock: MockClock) -> None:
    """The only other node begins to drain at that moment: nobody takes tables, and Anna and Bert play on."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        guests = await pair(one, one)
        drop_role = here.nodes.drop_role

        def late(me: int, role: str) -> None:
            drop_role(me, role)
            here.nodes.drain("two", on=True)
            one.node.membership.living = {node.id: node for node in here.nodes.living()}

        with patch.object(here.nodes, "drop_role", late):
            here.nodes.drain("one", on=True)
            await two.until(lambda: two.server.drain.on)
        await trio.sleep(2.0)
        await alternate(guests, *LINE)
        assert (await guests[1].hear("MSG_GAMEOVER"))[0] == 0


async def test_the_only_node_drains_as_a_server_without_nodes(autojump_clock: MockClock) -> None:
    """Without another node nobody can take its tables: games go on, and new ones are refused."""
    async with world() as here:
        one = await here.node("one")
        anna = one.dial()
        assert await anna.joins("tic_tac_toe") == 0
        one.server.drain.begin("a host")
        await one.until(lambda: one.node.membership.living[one.me].draining)
        bert = one.dial()
        assert await bert.joins("tic_tac_toe") == 1
        await alternate([anna, bert], *LINE)
        late = one.dial()
        assert await late.asks("tic_tac_toe") != (0,)


async def test_a_player_who_left_during_a_drain_is_missed(autojump_clock: MockClock) -> None:
    """Who does not come with the table has lost the connection, and the seat is kept for the grace."""
    async with world() as here:
        one, two, third = members = await three(here)
        anna, bert = await pair(two, third)
        await one.until(lambda: tables(members) == [0, 1, 0])
        await alternate([anna, bert], *LINE[:2])
        here.nodes.drain("two", True)
        await anna.leaves()
        await bert.hears_lost(0)


async def test_a_wish_to_drain_is_noted_once_wherever_it_was_made(autojump_clock: MockClock) -> None:
    """A command notes it with the row that it changes, the server's own page or signal by itself."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        here.nodes.drain("one", True, "root")
        two.server.drain.begin("a host")
        await one.until(lambda: one.server.drain.on and here.nodes.living()[1].draining)
        here.nodes.drain("one", False, "root")
        two.server.drain.end("a host")
        await one.until(lambda: not one.server.drain.on and not here.nodes.living()[1].draining)
        begun = [("drain.begun", "root", "node one"), ("drain.begun", "a host", "node two")]
        ended = [("drain.ended", "root", "node one"), ("drain.ended", "a host", "node two")]
        assert [(act.act, act.by, act.object) for act in here.record.acts] == begun + ended


async def test_what_a_host_wished_last_counts_however_soon_it_came(autojump_clock: MockClock) -> None:
    """A drain that has just begun is ended, or begun again, before the row in the database was read."""
    for hundredths in range(0, 80, 4):
        async with world() as here:
            one, two = await here.node("one"), await here.node("two")
            drain = one.server.drain
            drain.begin("a host")
            await trio.sleep(hundredths / 100)
            drain.end("a host")
            await trio.sleep(2.0)
            assert not drain.on, f"{hundredths / 100} s later"
            assert not two.node.membership.living[one.me].draining
            drain.begin("a host")
            await trio.sleep(2.0)
            drain.end("a host")
            await trio.sleep(hundredths / 100)
            drain.begin("a host")
            await trio.sleep(2.0)
            assert drain.on, f"{hundredths / 100} s later"
            assert two.node.membership.living[one.me].draining


async def test_a_wish_to_drain_reaches_the_others_when_the_database_is_back(autojump_clock: MockClock) -> None:
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        with patch.object(here.nodes, "renew", side_effect=OperationalError("", {}, OSError("the database is away"))):
            one.server.drain.begin("a host")
            await trio.sleep(1.0)
        await two.until(lambda: two.node.membership.living[one.me].draining)
        assert one.server.drain.on


async def test_who_leaves_while_the_table_is_on_its_way_has_left(autojump_clock: MockClock) -> None:
    """The next node has heard that Bert is there, and waits for the others to say so, when it hears that he goes."""
    for hundredths in range(0, 60, 3):
        async with cast("one", "two", "three") as here:
            anna = await here.sits("anna", "two")
            bert = await here.sits("bert", "three")
            await trio.sleep(hundredths / 100)
            await here.asks(bert, cmd.Leave(lost=False))
            await trio.sleep(1.0)
            assert here.state(anna).seats[1].kind is not SeatKind.PLAYER, f"{hundredths / 100} s later"
            assert here.nodes["one"].server.lobby.names.choose("bert") == "bert"


async def test_a_player_whose_seat_was_turned_goes_with_the_table(autojump_clock: MockClock) -> None:
    """Anna waits on seat 0 for any game of Go. A Go GUI comes and plays Black, so that seats are turned and the game
    begins in one step, and the table goes to a player's node at once. By thirty orders of messages she stays there."""
    for seed in range(30):
        async with world(seed=seed, delay_s=(0.0, 0.2)) as here:
            _, two, three = [await here.node(name) for name in ("one", "two", "three")]
            await trio.sleep(1.0)
            anna = two.dial()
            assert await anna.joins("go") == 0
            await trio.sleep(1.0)
            gui = Lines(three, "gtp-gui")
            await gui.says("# name gui", "boardsize 13", "play b C3", "play b C3")
            await trio.sleep(10.0)
            assert not anna.peer.closed, f"hung up on by seed {seed}"


async def test_who_has_not_come_home_when_the_table_is_given_on_follows_it(autojump_clock: MockClock) -> None:
    """The table comes to the node of its players, which drains before bert is there, too."""
    async with cast("one", "two", "three") as here:
        two = here.nodes["two"]
        anna, back, away = await here.sits("anna", "two"), TableRunner.back, True

        async def comes_back(table: TableRunner, subscriber: Subscriber, *rest: Any) -> None:
            if away and subscriber is not anna:
                raise Refused(Why.OVERLOAD, "not just now")
            await back(table, subscriber, *rest)

        with patch.object(TableRunner, "back", comes_back):
            bert = await here.sits("bert", "two")
            await two.until(lambda: anna.table in two.server.tables.values())
            here.world.nodes.drain("two", on=True)
            await two.until(lambda: here.owner(bert) is not two)
            away = False
        await here.asks(bert, cmd.Say("all", "here I am"))
        await here.plays(anna, 4)
        await here.plays(bert, 0)


async def test_who_wants_to_look_on_while_the_table_is_on_its_way_looks_on_at_its_next_node(
    autojump_clock: MockClock,
) -> None:
    """Its node has not heard where the table went, and asks the last one: the observer is not told that it is over."""
    async with cast("one", "two", "three") as here:
        anna, _ = await here.game("one", "one")
        here.world.board.part([here.nodes["two"].me], [here.nodes["three"].me], one_way=True)
        here.world.nodes.drain("one", on=True)
        await here.nodes["two"].until(lambda: here.owner(anna) is here.nodes["two"])
        carl = here.comes("carl", "three")
        carl.asks(cmd.Watch(anna.seen.table, name="carl"))
        await trio.sleep(1.0)
        here.world.board.join()
        await trio.sleep(3.0)
        assert carl.refused is None
        assert carl.seen.table == anna.seen.table
