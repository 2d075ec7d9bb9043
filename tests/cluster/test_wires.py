"""Viewers of a table's wires see all of them, whichever node they ask, and wherever the table and its players are."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import trio
from starlette.types import Message
from trio.testing import MockClock

from gateway.sessions.connection import Connection
from gateway.sessions.wire_tail import WireTail, tail_of
from gateway.web.api_bytes import NOBODY_S, BytesApi, ByteStream
from gateway.web.wires_here import KEPT_S, Look, WiresHere
from tests.cluster.cast import ticket
from tests.cluster.world import Member, World, three, world


class NoRecord:
    """A record without any table."""

    class views:
        @staticmethod
        def table(number: int) -> None:
            return None

    async def do(self, what: Callable[[int], None], number: int) -> None:
        what(number)


def api_of(member: Member) -> BytesApi:
    reading: Any = NoRecord()
    return BytesApi(member.server, reading)


@dataclass
class Viewer:
    """One viewer: the ``wires`` that it was told last, and all ``lines`` by seat."""

    api: BytesApi
    every: bool = True
    wires: list[dict[str, Any]] | None = None
    lines: dict[int, list[str]] = field(default_factory=dict)
    closed: bool = False
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    async def follow(self, table: int) -> None:
        with self.scope:
            await ByteStream(self.api, table, every=self.every).flow(self._silent, self._tell)

    async def _silent(self) -> Message:
        await trio.sleep_forever()
        raise AssertionError

    async def _tell(self, text: str) -> None:
        for block in filter(None, text.split("\n\n")):
            if block.startswith("event: wires"):
                self.wires = json.loads(block.partition("data: ")[2])
            elif block.startswith("event: closed"):
                self.closed = True
            elif block.startswith("data: "):
                told = json.loads(block.removeprefix("data: "))
                self.lines.setdefault(told["seat"], []).extend(told["lines"])

    def sees(self, *seats: int) -> bool:
        return self.wires is not None and [wire["seat"] for wire in self.wires] == list(seats)

    def sees_others_than(self, before: list[dict[str, Any]] | None) -> bool:
        return self.sees(0) and self.wires != before

    def saw_all(self, count: int, word: str, *seats: int) -> bool:
        return sum(self.saw(seat, word) for seat in seats or self.lines) == count

    def saw(self, seat: int, word: str) -> int:
        """Number of lines of a seat that begin so."""
        return sum(line.startswith(word) for line in self.lines.get(seat, []))


def connections(here: World) -> list[Connection]:
    return [one for member in here.living for one in member.server.connections if isinstance(one, Connection)]


async def elsewhere(here: World) -> tuple[Member, Viewer]:
    """A game of two players at one node, and a viewer at another, which has heard of it."""
    one, two = await here.node("one"), await here.node("two")
    api_of(one)
    await one.seat("tic_tac_toe")
    await two.until(lambda: two.server.tables.unfinished(1))
    return two, Viewer(api_of(two))


async def test_every_node_shows_the_wires_of_all_each_line_once(autojump_clock: MockClock) -> None:
    """The players are at two nodes, the table at one of them; viewers at three nodes are told the same."""
    async with world() as here:
        one, two, other = await three(here)
        anna, bert = two.dial(), one.dial()
        await anna.joins("tic_tac_toe")
        looks = [Viewer(api_of(member)) for member in (one, two, other)]
        for look in looks:
            here.nursery.start_soon(look.follow, 1)
        for look in looks:
            await one.until(partial(look.sees, 0))
        await bert.joins("tic_tac_toe")
        for look in looks:
            await one.until(partial(look.sees, 0, 1))
        for guest, square in ((anna, 0), (bert, 3), (anna, 1), (bert, 4)):
            assert await guest.puts(square) == (0,)
        for look in looks:
            await one.until(partial(look.saw_all, 4, ">> MSG_MOVE"))
        await trio.sleep(2 * NOBODY_S)
        wires = [look.wires for look in looks]
        assert wires[0] == wires[1] == wires[2]
        assert len({wire["wire"] for wire in wires[0] or ()}) == 2
        assert [(look.saw(0, ">> MSG_MOVE"), look.saw(1, ">> MSG_MOVE")) for look in looks] == [(2, 2)] * 3


async def test_lines_are_forgotten_when_nobody_looks(autojump_clock: MockClock) -> None:
    """A connection's bytes are kept nowhere before a viewer at another node comes, nor some seconds behind its end."""
    async with world() as here:
        two, look = await elsewhere(here)
        assert [one.wire_log for one in connections(here)] == [None, None]
        here.nursery.start_soon(look.follow, 1)
        await two.until(lambda: look.sees(0, 1))
        await trio.sleep(3 * KEPT_S)
        assert all(tail_of(one) for one in connections(here))
        look.scope.cancel()
        await trio.sleep(2 * KEPT_S)
        assert [one.wire_log for one in connections(here)] == [None, None]


async def test_a_dead_nodes_wire_goes_and_comes_with_its_player_at_another(autojump_clock: MockClock) -> None:
    """The table's node dies, too; the other player's wire is shown on, line for line."""
    async with world() as here:
        one, two, other = await three(here)
        anna, bert = one.dial(), two.dial()
        look, *_ = [Viewer(api_of(member)) for member in (other, one, two)]
        for guest, name in ((anna, "anna"), (bert, "bert")):
            await guest.joins(f"tic_tac_toe#{ticket(name)}")
        here.nursery.start_soon(look.follow, 1)
        await one.until(lambda: look.sees(0, 1))
        assert await anna.puts(0) == (0,)
        before = [wire["wire"] for wire in look.wires or ()]
        lost = 0 if 1 in one.server.tables else 1
        here.kill((one, two)[lost])
        await other.until(lambda: look.sees(1 - lost))
        assert await other.dial().joins(f"tic_tac_toe#{ticket(('anna', 'bert')[lost])}") == lost
        await other.until(lambda: look.sees(0, 1))
        assert [wire["wire"] == old for wire, old in zip(look.wires or (), before, strict=True)] == [
            lost == 1,
            lost == 0,
        ]
        assert not look.closed


async def test_others_see_what_everybody_may(autojump_clock: MockClock) -> None:
    """``wire_public`` is said of the player's listener, wherever the viewer is; who sees none is refused."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        await one.until(lambda: two.me in one.node.membership.living)
        apis = [api_of(one), api_of(two)]
        anna, bert = one.dial(), two.dial()
        assert all([await api._may_look(1) for api in apis])
        await anna.joins("tic_tac_toe")
        await bert.joins("tic_tac_toe")
        assert not any([await api._may_look(1) for api in apis])
        (opened,) = two.server.connections
        opened.wire_log = WireTail(None, type(opened.dialect), {}, public=True)
        assert all([await api._may_look(1) for api in apis])
        look = Viewer(apis[0], every=False)
        here.nursery.start_soon(look.follow, 1)
        await one.until(lambda: look.sees(1))
        assert await anna.puts(0) == (0,)
        await one.until(lambda: look.saw(1, "<< REQ_MOVE") > 0)
        assert 0 not in look.lines


async def test_long_lines_and_many_cross_the_bus_in_order(autojump_clock: MockClock) -> None:
    """An answer is what a bus carries: what does not fit comes with the next, and a longer line is cut itself."""
    async with world() as here:
        two, look = await elsewhere(here)
        here.nursery.start_soon(look.follow, 1)
        await two.until(lambda: look.sees(0, 1))
        first, second = (tail for one in connections(here) if (tail := tail_of(one)))
        for tail in (first, second):
            tail.lines.write([f'# {number} "\\ü' * 20 for number in range(60)])
            tail.lines.write(['"' * 4000, "# the end"])
        for seat in (0, 1):
            await two.until(partial(look.saw_all, 1, "# the end", seat))
            numbers = [int(line.split()[1]) for line in look.lines[seat] if line.endswith("ü")]
            assert numbers == list(range(60))
            assert any(line.endswith('"…') for line in look.lines[seat])


async def test_a_viewer_asks_for_the_wires_that_are_there_and_no_former_ones(autojump_clock: MockClock) -> None:
    """A player who calls again and again makes no question longer."""
    async with world() as here:
        one, two = await here.node("one"), await here.node("two")
        look, _ = [Viewer(api_of(member)) for member in (two, one)]
        stream = ByteStream(look.api, 1, every=True)
        await one.dial().joins(f"tic_tac_toe#{ticket('anna')}")
        await two.until(lambda: two.server.tables.unfinished(1))
        here.nursery.start_soon(stream.flow, look._silent, look._tell)
        await two.until(lambda: look.sees(0))
        for _ in range(3):
            before = look.wires
            await one.dial().joins(f"tic_tac_toe#{ticket('anna')}")
            await two.until(partial(look.sees_others_than, before))
            assert len(stream._look(one.me).told) == 1


async def test_lines_that_were_forgotten_begin_anew(autojump_clock: MockClock) -> None:
    """A viewer that knows more lines than there are was away: it is told those that are kept since."""
    async with world() as here:
        one = await here.node("one")
        await one.seat("tic_tac_toe")
        shown = WiresHere(one.server.tables, one.server.background, one.me)
        wire, _ = shown.look(Look(1, every=True)).wires
        told = {wire.number: 999}
        assert shown.look(Look(1, every=True, told=told)).wires[0].lines == wire.lines != []
