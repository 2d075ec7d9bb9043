"""House bots of a node play players of other nodes, and go on at the next node where a table's own dies or drains."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest
import trio
from msgspec import structs
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.table.bot_context import BotContext
from protocols.core.events import SeatTaken
from protocols.core.model import Move
from protocols.core.opcodes import Message, Value
from tests.cluster.world import Member, World, world
from tests.hall import FirstMove, Guest, config

GAME: Final = "tic_tac_toe"
TICKET: Final = "a-secret-that-anna-has-brought"
BOT_AFTER_S: Final = 10.0
TAKEOVER_S: Final = 5.0
""" "tables of that node wait 3 to 5 s" (docs/nodes.md)."""

THINKS_S: Final = 10.0
"""Longer than a takeover: a bot that thinks loses its node meanwhile."""

HER_TURN: Final = Message("REQ_MOVE", (0,))
BOT_WINS: Final = Message("MSG_GAMEOVER", (1,))


class Slow(FirstMove):
    """A house bot that takes the first empty square, after THINKS_S; ``positions`` are those it was asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.positions: list[str] = []

    async def choose(self, game_name: str, position: Any, level: int, bot_context: BotContext) -> Move:
        self.positions.append(registry.game(game_name).text(position))
        await trio.sleep(THINKS_S)
        return await super().choose(game_name, position, level, bot_context)


@dataclass
class Nodes:
    """Three nodes that know each other, each with house bots of its own; the first has the lobby."""

    world: World
    members: list[Member]
    bots: dict[int, Slow]

    async def asked(self, position: str, *others: Member) -> Member:
        """Wait until the bots of one of these nodes have been asked about ``position`` last; that node."""

        def found() -> list[Member]:
            return [one for one in others if self.bots[one.me].positions[-1:] == [position]]

        await others[0].until(lambda: bool(found()))
        return found()[0]


@asynccontextmanager
async def nodes() -> AsyncIterator[Nodes]:
    async with world(config(seats=Seats(bot_after_s=BOT_AFTER_S))) as here:
        bots = [Slow() for _ in range(3)]
        members = [await here.node(name, bot) for name, bot in zip(("one", "two", "three"), bots, strict=True)]
        await members[0].until(lambda: all(len(one.node.membership.living) == 3 for one in members))
        yield Nodes(here, members, {member.me: bot for member, bot in zip(members, bots, strict=True)})


async def begins(member: Member) -> Guest:
    """Anna waits at a node until a house bot has sat down opposite; she plays first."""
    anna = member.dial()
    assert await anna.joins(f"{GAME}?name=anna#{TICKET}") == 0
    await anna.hear("MSG_START")
    assert await anna.hear("REQ_MOVE") == (0,)
    return anna


async def told(anna: Guest, until: Message = HER_TURN) -> list[Value]:
    """The squares of all moves that Anna is told before this message."""
    squares = []
    while (message := await anna.next()) != until:
        assert message is not None, "the server closed"
        if message.name == "MSG_MOVE":
            squares.append(message.values[1])
    return squares


async def plays(anna: Guest, mine: int, its: int, until: Message = HER_TURN) -> None:
    """Anna's move is answered, and she is told both moves once."""
    await anna.say("MSG_MOVE", -1, mine, "")
    assert await told(anna, until) == [mine, its]


async def test_a_house_bot_takes_the_seat_opposite_a_player_of_another_node(autojump_clock: MockClock) -> None:
    """The lobby is at the first node, Anna at the second: it is the second's bot that plays, and has the upper row."""
    async with nodes() as here:
        one, two, three = here.members
        begun = trio.current_time()
        anna = await begins(two)
        assert trio.current_time() - begun == pytest.approx(BOT_AFTER_S, abs=0.1)
        await plays(anna, 8, 0)
        await plays(anna, 7, 1)
        await plays(anna, 3, 2, until=BOT_WINS)
        assert here.bots[two.me].positions == [".../.../..x 1", "o../.../.xx 1", "oo./x../.xx 1"]
        assert here.bots[one.me].positions == here.bots[three.me].positions == []


def begin_elsewhere(here: World, line_s: float) -> None:
    """The process that has stored these steps had a monotonic line of its own, so many seconds ahead."""
    for kept in here.record.tables.values():
        for at, row in enumerate(kept.events):
            if row.kind == SeatTaken.__name__:
                taken = codec.decode(row.kind, row.body)
                assert isinstance(taken, SeatTaken)
                _, body = codec.encode(structs.replace(taken, at=taken.at + line_s))
                kept.events[at] = EventRow(row.seq, row.at, row.kind, body, row.digest)


@pytest.mark.parametrize("line_s", [-500_000.0, 0.0, 500_000.0], ids=["behind", "one line", "ahead"])
@pytest.mark.parametrize("killed", [True, False], ids=["is killed", "drains"])
async def test_a_player_who_waits_gets_a_house_bot_though_the_lobbys_node_goes(
    autojump_clock: MockClock, line_s: float, *, killed: bool
) -> None:
    """Half the wait is over then. It begins anew at the next node, whose monotonic line has nothing to do with it."""
    async with nodes() as here:
        one, two, _ = here.members
        begun = trio.current_time()
        async with trio.open_nursery() as nursery:
            found: list[Guest] = []

            async def waits() -> None:
                found.append(await begins(two))

            nursery.start_soon(waits)
            await trio.sleep(BOT_AFTER_S / 2)
            assert [len(member.server.tables) for member in here.members] == [1, 0, 0]
            begin_elsewhere(here.world, line_s)
            if killed:
                here.world.kill(one)
            else:
                here.world.nodes.drain("one", on=True)
        waited = trio.current_time() - begun
        assert 0.0 <= waited - 1.5 * BOT_AFTER_S <= TAKEOVER_S
        (anna,) = found
        await plays(anna, 8, 0)
        assert here.bots[one.me].positions == []


async def test_a_bot_thinks_on_at_the_next_node_when_its_own_drains(autojump_clock: MockClock) -> None:
    """Anna stays connected to the draining node; its bot's late answer counts for nothing, and she is told one move."""
    async with nodes() as here:
        one, two, three = here.members
        anna = await begins(two)
        await anna.say("MSG_MOVE", -1, 8, "")
        await here.asked(".../.../..x 1", two)
        here.world.nodes.drain("two", on=True)
        await here.asked(".../.../..x 1", one, three)
        assert here.bots[two.me].released == [1]
        assert await told(anna) == [8, 0]
        await plays(anna, 7, 1)
        await plays(anna, 3, 2, until=BOT_WINS)
        assert here.bots[two.me].positions == [".../.../..x 1"]


async def test_a_bot_thinks_on_at_the_next_node_when_its_own_is_killed(autojump_clock: MockClock) -> None:
    """Anna's node has given the table away and lives; where it went is killed, and the third goes on with it."""
    async with nodes() as here:
        one, two, three = here.members
        anna = await begins(two)
        here.world.nodes.drain("two", on=True)
        await two.until(lambda: not two.server.tables)
        await anna.say("MSG_MOVE", -1, 8, "")
        first = await here.asked(".../.../..x 1", one, three)
        last = three if first is one else one
        here.world.kill(first)
        killed = trio.current_time()
        assert await here.asked(".../.../..x 1", last) is last
        assert trio.current_time() - killed <= TAKEOVER_S
        assert await told(anna) == [8, 0]
        await plays(anna, 7, 1)
        await plays(anna, 3, 2, until=BOT_WINS)


async def test_a_player_whose_node_was_killed_finds_the_bot_at_another(autojump_clock: MockClock) -> None:
    """Anna's node had the table, too: by her ticket she is at it again at the third, where the bot is asked anew."""
    async with nodes() as here:
        one, two, three = here.members
        anna = await begins(two)
        await anna.say("MSG_MOVE", -1, 8, "")
        await here.asked(".../.../..x 1", two)
        here.world.kill(two)
        anna = three.dial()
        assert await anna.joins(f"{GAME}?name=anna#{TICKET}") == 0
        await here.asked(".../.../..x 1", one, three)
        assert await told(anna) == [8, 0]
        await plays(anna, 7, 1)
