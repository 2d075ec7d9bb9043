"""A held inbox sleeps until its hold is over, whatever arrives."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.tables.inbox import Inbox


class Reader:
    """Takes out of ``inbox`` what is put in, until it is cancelled; ``cancelled`` says that it was."""

    def __init__(self) -> None:
        self.inbox: Inbox[int] = Inbox(4)
        self.got: list[int] = []
        self.cancelled = False

    async def run(self) -> None:
        try:
            while True:
                self.got.append(await self.inbox.get())
        except trio.Cancelled:
            self.cancelled = True
            raise


async def test_a_held_reader_gets_what_was_put_in_when_it_is_released(nursery: trio.Nursery) -> None:
    reader = Reader()
    nursery.start_soon(reader.run)
    await wait_all_tasks_blocked()
    assert reader.inbox.asleep
    reader.inbox.hold()
    assert not reader.inbox.asleep
    assert [reader.inbox.put_now(1), reader.inbox.put_now(2)] == [True, True]
    await wait_all_tasks_blocked()
    assert reader.got == []
    reader.inbox.release()
    await wait_all_tasks_blocked()
    assert reader.got == [1, 2]
    assert reader.inbox.asleep


async def test_a_held_reader_can_be_cancelled_only_after_its_release() -> None:
    reader = Reader()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(reader.run)
        await wait_all_tasks_blocked()
        reader.inbox.hold()
        nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await wait_all_tasks_blocked()
        assert not reader.cancelled
        reader.inbox.release()
    assert reader.cancelled


async def test_what_broke_while_the_reader_was_held_is_raised_to_it() -> None:
    reader = Reader()
    with pytest.RaisesGroup(pytest.RaisesExc(ValueError, match="the rules")):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reader.run)
            await wait_all_tasks_blocked()
            reader.inbox.hold()
            reader.inbox.put_now(1)
            reader.inbox.release(ValueError("the rules"))
    assert reader.got == []
