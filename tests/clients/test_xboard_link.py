"""A connection of ``boardgate xboard`` is kept alive, and a silent peer is asked for a sign of life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from clients.xboard.link import Link
from protocols.chess_p2p import messages as p2p

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, trio.SocketStream]]:
    """A link whose writer is at work, and the other end."""
    (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
    async with listener, await trio.open_tcp_stream(*listener.socket.getsockname()) as other:
        link = Link(await listener.accept())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(link.write)
            yield link, other
            nursery.cancel_scope.cancel()
        await link.finish()


async def test_a_ping_is_answered_with_its_number() -> None:
    async with linked() as (link, other):
        link.note(p2p.Ping(12))
        assert await other.receive_some(100) == b"pong 12\n"
        assert link.heard


async def test_only_who_has_answered_once_is_expected_to_answer() -> None:
    """A peer that does not know the word is never taken for silent."""
    async with linked() as (link, _):
        link.note(p2p.Hallo("Boardgate"))
        assert not link.answers
        link.note(p2p.Pong(1))
        assert link.answers


async def test_any_message_ends_a_silence() -> None:
    async with linked() as (link, _), trio.open_nursery() as nursery:
        assert not await link.hears(0)

        async def speak() -> None:
            link.note(p2p.Time(100))

        nursery.start_soon(speak)
        assert await link.hears(10)


async def test_what_is_sent_at_the_end_arrives() -> None:
    async with linked() as (link, other):
        link.send(b"result 1-0 {White mates}\n")
        await link.finish()
        received = b"".join([part async for part in other])
        assert received == b"result 1-0 {White mates}\n"
