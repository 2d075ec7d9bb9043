"""Joins a link and the program at this end: copies both ways, as fast as the slower of them."""

from __future__ import annotations

from typing import Final

import trio

from clients.relay.ends import BROKEN, End
from clients.relay.link import Link

CHUNK: Final = 65536
"""Bytes read from the program at once."""


class News:
    """Something about a link has changed: all waiting tasks look again."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def tell(self) -> None:
        self._event.set()
        self._event = trio.Event()

    async def wait(self) -> None:
        await self._event.wait()


class Joint:
    """``news`` is told what happens to the link here, and tells what happens to it elsewhere."""

    def __init__(self, link: Link, end: End, news: News) -> None:
        self._link = link
        self._end = end
        self._news = news

    async def carry(self) -> None:
        """Open the program's end, and carry until both directions are through. NoProgram."""
        await self._end.open()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._take)
            nursery.start_soon(self._put_out)
            nursery.start_soon(self._notice_exit)

    async def put_out_rest(self, within_s: float) -> None:
        """The other side has left: its last words are still for the program, if that reads them."""
        with trio.move_on_after(within_s):
            while self._link.next_out() is not None:
                await self._news.wait()

    async def _take(self) -> None:
        """Carry the program's bytes to the link, as far as that has room, until the other side reads no more."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._until_refused, nursery.cancel_scope)
            while not self._link.refused:
                if not self._link.room:
                    await self._news.wait()
                    continue
                try:
                    data = await self._end.read(min(self._link.room, CHUNK))
                except BROKEN:
                    data = b""
                if not data:
                    break
                self._link.take(data)
                self._news.tell()
            nursery.cancel_scope.cancel()
        self._link.end()
        self._news.tell()

    async def _until_refused(self, scope: trio.CancelScope) -> None:
        while not self._link.refused:
            await self._news.wait()
        scope.cancel()

    async def _put_out(self) -> None:
        """Carry received bytes to the program; drop them when that reads no more."""
        data: bytes | None = None
        reads = True
        while data != b"":
            data = self._link.next_out()
            if data is None:
                await self._news.wait()
                continue
            try:
                if reads:
                    await (self._end.write(data) if data else self._end.finish())
            except BROKEN:
                reads = False
                self._link.stop()
            self._link.put_out(data)
            self._news.tell()

    async def _notice_exit(self) -> None:
        await self._end.gone()
        self._link.stop()
        self._news.tell()
