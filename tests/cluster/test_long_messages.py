"""Messages too long for the bus end no node: of tables with long starts, long commands, hundreds of observers."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway import registry
from gateway.games.open import Open
from gateway.lobby.registration import Registration
from gateway.seating.registrar import Registrant
from protocols.core import commands as cmd
from protocols.core.model import Move
from protocols.core.proposals import Start
from tests.cluster.cast import cast, ticket
from tests.cluster.lines import Lines
from tests.cluster.world import world
from tests.hall import config


def long_start(moves: int = 170) -> str:
    """The text of a position of the game without rules, behind so many moves of 40 characters."""
    game = Open()
    position = game.start(game.settings("any"))
    for at in range(moves):
        position = game.play(position, Move(None, None, f"m{at:039}"))
    return game.text(position)


async def test_a_table_with_a_long_beginning_is_known_at_all_nodes(autojump_clock: MockClock) -> None:
    """Anna opens it at the lobby's node; her name is hers everywhere."""
    async with cast("one", "two") as here:
        anna = here.comes("anna", "one")
        await here.asks(anna, cmd.Join("open", "anna", ticket("anna"), wishes=(("start", long_start()),)))
        await trio.sleep(5.0)
        two = here.nodes["two"]
        assert two.server.lobby.names.choose("anna") != "anna"
        assert two.node.gossip.node_of(anna.seen.table) == here.nodes["one"].me


async def test_a_table_that_seeks_with_a_long_beginning_is_known_at_all_nodes(autojump_clock: MockClock) -> None:
    """Anna confirms the challenge herself, so her wish is told with the table. A later node hears who sits there."""
    async with cast("one", "two") as here:
        anna = here.comes("anna", "one")
        await here.asks(anna, cmd.Join("open", "anna", ticket("anna"), ready=False))
        settings = registry.game("open").settings("any", 2, long_start(180))
        await here.asks(anna, cmd.Propose(Start(settings, confirms=True)))
        three = await here.world.node("three")
        await trio.sleep(5.0)
        known = here.nodes["one"].server.lobby.notices.page(lambda game: True).notices
        assert [notice.start.confirms for notice in known] == [True]
        for member in (here.nodes["two"], three):
            heard = member.node.gossip.state_of(anna.seen.table)
            assert heard is not None
            assert heard.seats[0].name == "anna"


async def test_a_stranger_who_registers_a_table_ends_no_node(autojump_clock: MockClock) -> None:
    """POST /api/tables at the lobby's node, by anybody: its body may have 16 kB. A later node hears of it."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await trio.sleep(1.0)
        settings = registry.game("open").settings("any", 2, long_start())
        made = await one.server.registrar.register(
            Registration(settings, ("anna", "bert")), Registrant(address="192.0.2.9")
        )
        third = await here.node("three")
        await trio.sleep(5.0)
        assert one.living
        for other in (two, third):
            assert other.node.gossip.node_of(made.table) == one.me
            assert other.server.lobby.registered_pair("anna", "bert") is not None


async def test_a_command_that_is_too_long_for_the_bus_is_refused(autojump_clock: MockClock) -> None:
    """Bert's table is another node's. What he says next is said."""
    async with cast("one", "two", "three") as here:
        _, bert = await here.game("two", "three")
        await here.asks(bert, cmd.Say("all", "x" * 8000))
        await here.asks(bert, cmd.Say("all", "hello"))
        assert [row.kind for row in here.history.rows(bert.seen.table)].count("Said") == 1


async def test_a_long_line_of_miniature_is_answered(autojump_clock: MockClock) -> None:
    """A line of 1,900 quotation marks, where 2,048 bytes are allowed, is 7,600 bytes in a message."""
    async with world() as here:
        _, two, third = [await here.node(name) for name in ("one", "two", "three")]
        await trio.sleep(2.0)
        pia, rob = Lines(two, "miniature"), Lines(third, "miniature")
        for player in (pia, rob):
            await player.hears("welcome")
            await player.says("seek 5 0")
        await rob.hears("tell gateway clock")
        await trio.sleep(1.0)
        assert here.record.tables[1].row.node == two.me
        await rob.says("tell guest-1 " + '"' * 1900)
        await rob.says("tell guest-1 hello")
        with trio.fail_after(600.0):
            assert "hello" in await pia.hears("tell guest-2")


async def test_hundreds_of_observers_at_another_node_are_told_each_move(autojump_clock: MockClock) -> None:
    """Where the host allows so many: their numbers alone are longer than a message may be."""
    async with cast("one", "two", settings=config(observers=2000)) as here:
        anna, _ = await here.game("one", "one")
        fans = [here.comes(f"fan{at}", "two") for at in range(900)]
        for fan in fans:
            fan.asks(cmd.Watch(anna.seen.table, name="fan"))
        await trio.sleep(30.0)
        assert all(fan.table is not None for fan in fans)
        await here.plays(anna, 4)
        await trio.sleep(30.0)
        assert {here.state(fan).ply for fan in fans} == {1}
