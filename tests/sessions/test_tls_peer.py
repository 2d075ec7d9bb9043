"""A TLS peer behaves as a socket peer (test_peer.py), with a client of Python's own at the other end."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import AsyncIterator

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from gateway.net.tls import RECORD, Certificate
from gateway.sessions.peer import SocketPeer
from gateway.sessions.tls_peer import TlsPeer
from tests.certificates import Authority
from tests.sessions.test_peer import over_pair, received

FULL = 4_000_000
"""Bytes that no socket pair's buffers hold."""

Client = trio.SSLStream[trio.SocketStream]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    found = Authority(tmp_path_factory.mktemp("club"))
    found.issues("localhost")
    return found


def secured(club: Authority, sock: socket.socket) -> TlsPeer:
    return TlsPeer(SocketPeer(sock), Certificate(club.cert, club.key, "test").context)


@contextlib.asynccontextmanager
async def conversation(club: Authority, trust: ssl.SSLContext | None = None) -> AsyncIterator[tuple[Client, TlsPeer]]:
    """A client that wants to be told when the other end closes, and us."""
    with over_pair() as (ours, theirs):
        peer = secured(club, theirs)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        client = trio.SSLStream(stream, trust or club.trust, server_hostname="localhost")
        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(peer.shake_hands)
                nursery.start_soon(client.do_handshake)
            yield client, peer
        peer.close()


async def all_of(client: Client, count: int) -> bytes:
    """So many bytes, or what came until the end."""
    found = b""
    while len(found) < count and (data := await client.receive_some(65536)):
        found += data
    return found


async def test_it_receives_no_more_than_it_asks_for(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        await client.send_all(b"123456789")
        assert [await received(peer, 4), await received(peer, 100)] == [b"1234", b"56789"]


async def test_it_goes_on_while_what_came_was_all_there_is_to_do(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        served: list[bytes] = []

        def serve(data: bytes) -> bool:
            served.append(data)
            return data != b"stop"

        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.receive, 100, serve)
            for text in (b"one", b"two", b"stop"):
                await wait_all_tasks_blocked()
                await client.send_all(text)
        await client.send_all(b"later")
        assert served == [b"one", b"two", b"stop"]
        assert await received(peer, 100) == b"later"


async def test_what_serving_raises_is_raised_to_whoever_receives(club: Authority) -> None:
    def refuse(data: bytes) -> bool:
        raise ValueError(f"no {data!r}")

    async with conversation(club) as (client, peer):
        await client.send_all(b"x")
        with pytest.raises(ValueError, match="no b'x'"):
            await peer.receive(100, refuse)


async def test_the_end_is_received_once_what_came_before_it_was(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        await client.send_all(b"bye")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_closes, client)
            heard = [await received(peer, 100) for _ in range(3)]
            peer.close()
        assert heard == [b"bye", b"", b""]


async def _closes(client: Client) -> None:
    with contextlib.suppress(trio.BrokenResourceError):
        await client.aclose()


async def test_a_connection_that_is_cut_is_received_as_the_end(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        client.transport_stream.socket.close()
        assert await received(peer, 100) == b""


async def test_bytes_that_are_none_of_tls_are_received_as_the_end(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        await client.transport_stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
        assert [await received(peer, 100), await received(peer, 100)] == [b"", b""]


async def test_closing_tells_the_other_end(club: Authority) -> None:
    """RFC 8446, 6.1: Each party MUST send a "close_notify" alert before closing its write side of the connection."""
    async with conversation(club) as (client, peer):
        assert peer.send_now(b"farewell") == 8
        peer.close()
        peer.close()
        assert await all_of(client, 100) == b"farewell"


async def test_closing_ends_a_receive_that_waits(club: Authority) -> None:
    async with conversation(club) as (_, peer):
        heard: list[bytes] = []

        async def receive() -> None:
            heard.append(await received(peer, 100))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            await wait_all_tasks_blocked()
            peer.close()
        assert heard == [b""]


async def test_what_fits_is_sent_at_once_and_the_rest_when_there_is_room(club: Authority) -> None:
    """Not a byte is lost, sent twice or out of its place, wherever the system's buffer ends."""
    told = b"".join(number.to_bytes(4, "big") for number in range(FULL // 4))
    async with conversation(club) as (client, peer):
        taken = peer.send_now(told)
        assert 0 < taken < FULL
        assert taken % RECORD == 0
        assert peer.send_now(told[taken:]) == 0
        got = b""

        async def read() -> None:
            nonlocal got
            got = await all_of(client, FULL)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await peer.send_rest(told[taken:])
        assert got == told
        assert peer.send_now(b"more") == 4
        assert await client.receive_some() == b"more"


async def test_what_waits_goes_out_with_the_next_send_once_there_is_room(club: Authority) -> None:
    told = bytes(FULL)
    async with conversation(club) as (client, peer):
        taken = peer.send_now(told)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(all_of, client, taken)
            await wait_all_tasks_blocked()
        owed = peer.send_now(told[taken : taken + RECORD])
        assert owed == RECORD
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_expects, client, bytes(RECORD))


async def _expects(client: Client, data: bytes) -> None:
    assert await all_of(client, len(data)) == data


async def test_whoever_is_cancelled_in_the_middle_of_a_send_has_no_connection_any_more(club: Authority) -> None:
    async with conversation(club) as (_, peer):
        taken = peer.send_now(bytes(FULL))
        with trio.move_on_after(0.05) as patience:
            await peer.send_rest(bytes(FULL - taken))
        assert patience.cancelled_caught
        assert await received(peer, 100) == b""


async def test_both_ends_may_send_at_once(club: Authority) -> None:
    async with conversation(club) as (client, peer):
        heard = bytearray()

        def serve(data: bytes) -> bool:
            heard.extend(data)
            return len(heard) < FULL

        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.receive, 4096, serve)
            nursery.start_soon(peer.send_rest, bytes(FULL))
            nursery.start_soon(client.send_all, bytes(FULL))
            nursery.start_soon(_expects, client, bytes(FULL))
        assert len(heard) == FULL


@pytest.mark.parametrize("hello", [b"GET / HTTP/1.1\r\n\r\n", b"\x00\x00\x00\x05", b"name alice\n" * 100])
async def test_who_does_not_speak_tls_is_refused(club: Authority, hello: bytes) -> None:
    with over_pair() as (ours, theirs):
        peer = secured(club, theirs)
        ours.send(hello)
        ours.shutdown(socket.SHUT_WR)
        with trio.fail_after(30), pytest.raises(OSError, match=r"SSL|closed during the handshake"):
            await peer.shake_hands()
        peer.close()


async def test_a_client_of_before_tls_1_2_is_refused(club: Authority) -> None:
    old = ssl.create_default_context(cafile=str(club.file))
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with over_pair() as (ours, theirs):
        peer = secured(club, theirs)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        client = trio.SSLStream(stream, old, server_hostname="localhost")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_is_refused, client)
            with pytest.raises(ssl.SSLError):
                await peer.shake_hands()
            peer.close()


async def _is_refused(client: Client) -> None:
    with trio.fail_after(30), pytest.raises(trio.BrokenResourceError):
        await client.do_handshake()


async def test_tls_1_2_is_spoken_with_those_who_know_nothing_newer(club: Authority) -> None:
    older = ssl.create_default_context(cafile=str(club.file))
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    async with conversation(club, older) as (client, peer):
        await client.send_all(b"x")
        assert await received(peer, 100) == b"x"
        assert peer.send_now(b"y") == 1
        assert await client.receive_some() == b"y"
