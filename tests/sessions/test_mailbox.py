"""A mailbox is a peer without a socket: bounded, in order, closed once."""

from __future__ import annotations

import trio
from trio.testing import wait_all_tasks_blocked

from gateway.sessions.mailbox import MOST_BYTES, Mailbox


class Box:
    """A mailbox and a reader that takes in what comes until it has had ``enough`` pieces."""

    def __init__(self, enough: int = 100) -> None:
        self.said: list[bytes] = []
        self.ends = 0
        self.mailbox = Mailbox(self.said.append, self._end)
        self.read: list[bytes] = []
        self._enough = enough

    def _end(self) -> None:
        self.ends += 1

    def serve(self, data: bytes) -> bool:
        self.read.append(data)
        return bool(data) and len(self.read) < self._enough


async def test_messages_come_in_order_whether_somebody_waits_or_not() -> None:
    box = Box(enough=3)
    assert box.mailbox.put(b"one")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(box.mailbox.receive, 4096, box.serve)
        await wait_all_tasks_blocked()
        assert box.read == [b"one"]
        assert box.mailbox.put(b"two")
        assert box.mailbox.put(b"three")
    assert box.read == [b"one", b"two", b"three"]


async def test_a_long_message_comes_in_pieces() -> None:
    box = Box(enough=3)
    box.mailbox.put(b"abcdefgh")
    await box.mailbox.receive(3, box.serve)
    assert box.read == [b"abc", b"def", b"gh"]


async def test_who_leaves_is_read_to_the_end() -> None:
    box = Box()
    box.mailbox.put(b"one")
    box.mailbox.leave()
    assert not box.mailbox.open
    assert not box.mailbox.put(b"two")
    await box.mailbox.receive(4096, box.serve)
    assert box.read == [b"one", b""]


async def test_what_is_said_goes_to_the_one_who_put_it_in() -> None:
    box = Box()
    assert box.mailbox.send_now(b"answer") == 6
    await box.mailbox.send_rest(b"and more")
    assert box.said == [b"answer", b"and more"]
    assert box.mailbox.lag_s() == 0.0


async def test_closing_ends_it_once_and_wakes_the_reader() -> None:
    box = Box()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(box.mailbox.receive, 4096, box.serve)
        await wait_all_tasks_blocked()
        box.mailbox.close()
        box.mailbox.close()
    assert (box.read, box.ends, box.mailbox.open) == ([b""], 1, False)


def test_it_holds_no_more_than_its_bound() -> None:
    box = Box()
    assert box.mailbox.put(bytes(MOST_BYTES))
    assert not box.mailbox.put(b"x")
