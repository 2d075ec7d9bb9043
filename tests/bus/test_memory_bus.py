"""The switchboard in memory: what it does to messages, always the same for a seed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import trio
from trio.testing import MockClock

from tests.bus.memory_bus import MemoryBus, Switchboard

COUNT = 200


class Heard:
    """What a node has heard, and when."""

    def __init__(self) -> None:
        self.all: list[tuple[float, int, bytes]] = []

    def __call__(self, sender: int, message: bytes) -> None:
        self.all.append((trio.current_time(), sender, message))

    @property
    def messages(self) -> list[bytes]:
        return [message for _, _, message in self.all]


@asynccontextmanager
async def joined(board: Switchboard, *ids: int) -> AsyncIterator[tuple[list[MemoryBus], list[Heard]]]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(board.run)
        buses, heard = [board.bus(me) for me in ids], [Heard() for _ in ids]
        for bus, hear in zip(buses, heard, strict=True):
            await nursery.start(bus.run, hear)
        yield buses, heard
        nursery.cancel_scope.cancel()


def numbered(*numbers: int) -> list[bytes]:
    return [b"%d" % number for number in numbers]


async def chatter(seed: int) -> list[list[tuple[float, int, bytes]]]:
    """Three nodes that talk over a bad bus: what each of them heard, and when."""
    board = Switchboard(Random(seed), delay_s=(0.0, 0.5), lost=0.1, doubled=0.1)
    async with joined(board, 1, 2, 3) as (buses, heard):
        begun = trio.current_time()
        for number in range(COUNT):
            buses[number % 3].publish(b"%d" % number)
            buses[0].send(2, b"direct %d" % number)
            await trio.sleep(0.01)
        await trio.sleep(2)
        return [[(round(at - begun, 6), who, what) for at, who, what in hear.all] for hear in heard]


def test_the_same_seed_gives_the_same_deliveries_and_another_gives_others() -> None:
    runs = [trio.run(chatter, seed, clock=MockClock(autojump_threshold=0)) for seed in (5, 5, 6)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


async def test_delayed_messages_of_a_sender_keep_their_order(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1), delay_s=(0.1, 0.5))
    async with joined(board, 1, 2) as ((one, _), (_, two)):
        begun = trio.current_time()
        for message in numbered(*range(COUNT)):
            one.send(2, message)
        await trio.sleep(1)
        assert two.messages == numbered(*range(COUNT))
        assert all(0.1 <= at - begun <= 0.5 for at, _, _ in two.all)
        assert len({at for at, _, _ in two.all}) > 1


async def test_messages_are_lost_and_doubled_about_as_often_as_was_said(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1), delay_s=(0.0, 0.5), lost=0.2, doubled=0.3)
    async with joined(board, 1, 2) as ((one, _), (_, two)):
        for message in numbered(*range(COUNT)):
            one.send(2, message)
        await trio.sleep(1)
        arrived = set(two.messages)
        twice = [message for message in arrived if two.messages.count(message) == 2]
        assert 0.7 * COUNT < len(arrived) < 0.9 * COUNT
        assert 0.2 * len(arrived) < len(twice) < 0.4 * len(arrived)
        assert len(two.messages) == len(arrived) + len(twice)
        assert list(dict.fromkeys(two.messages)) == sorted(arrived, key=int), "first copies stay in order"


async def test_parted_nodes_hear_nothing_of_each_other_until_they_are_joined(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1))
    async with joined(board, 1, 2, 3) as (buses, heard):
        board.part([1], [2, 3])
        for bus in buses:
            bus.publish(b"parted")
        await trio.sleep(1)
        assert [hear.messages for hear in heard] == [[], [b"parted"], [b"parted"]]
        assert all(bus.connected for bus in buses), "without a word"
        board.join()
        buses[0].publish(b"joined")
        await trio.sleep(1)
        assert [hear.messages for hear in heard] == [[], [b"parted", b"joined"], [b"parted", b"joined"]]


async def test_nodes_can_be_parted_one_way(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1))
    async with joined(board, 1, 2) as ((one, two), (hears_one, hears_two)):
        board.part([1], [2], one_way=True)
        one.send(2, b"lost")
        two.send(1, b"heard")
        await trio.sleep(1)
        assert (hears_one.messages, hears_two.messages) == ([b"heard"], [])


async def test_a_node_that_is_cut_off_knows_it_and_loses_what_is_under_way(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1), delay_s=(0.1, 0.1))
    async with joined(board, 1, 2) as ((one, two), (_, heard)):
        one.send(2, b"under way")
        board.cut(2)
        two.send(1, b"dropped")
        one.send(2, b"also lost")
        await trio.sleep(1)
        assert (two.connected, two.counts.dropped, one.connected) == (False, 1, True)
        board.mend(2)
        one.send(2, b"after")
        await trio.sleep(1)
        assert heard.messages == [b"after"]
        assert two.counts.reconnects == 1


async def test_a_held_node_hears_and_says_everything_later_in_order(autojump_clock: MockClock) -> None:
    board = Switchboard(Random(1), delay_s=(0.0, 0.2))
    async with joined(board, 1, 2) as ((one, two), (hears_one, hears_two)):
        one.send(2, b"0")
        two.send(1, b"0")
        board.hold(2)
        for message in numbered(*range(1, COUNT)):
            one.send(2, message)
            two.send(1, message)
            await trio.sleep(0.01)
        assert hears_one.messages == hears_two.messages == []
        board.release(2)
        one.send(2, b"last")
        await trio.sleep(1)
        assert hears_two.messages == [*numbered(*range(COUNT)), b"last"]
        assert hears_one.messages == numbered(*range(COUNT))
