"""Pairs of which one or both speak TLS: every byte, both ways, in order, with ends and back-pressure as without it."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
import trio

from gateway.relay.ends import BUFFER
from tests.certificates import Authority
from tests.relay.relaying import Client, Desk, SecureClient, relaying

MILLION = 1_000_000
WAYS = [(True, True), (True, False), (False, True)]


async def pump(client: Client, data: bytes) -> None:
    await client.send(data)
    await client.end()


async def secured(desk: Desk) -> tuple[SecureClient, SecureClient]:
    """Anna and Bert, relayed, both with TLS."""
    anna, bert = await desk.joined(desk.open().code, (True, True))
    assert isinstance(anna, SecureClient)
    assert isinstance(bert, SecureClient)
    return anna, bert


@pytest.mark.parametrize("tls", WAYS)
async def test_a_million_random_bytes_each_way_arrive_as_they_were(club: Authority, tls: tuple[bool, bool]) -> None:
    chance = random.Random(5)
    sent = [chance.randbytes(MILLION), chance.randbytes(MILLION)]
    async with relaying(club=club) as desk:
        pair = await desk.joined(desk.open().code, tls)
        received = [b"", b""]

        async def read(at: int) -> None:
            received[at] = await pair[1 - at].rest()

        async with trio.open_nursery() as nursery:
            for at, client in enumerate(pair):
                nursery.start_soon(pump, client, sent[at])
                nursery.start_soon(read, at)
        await desk.until(lambda: desk.connection_limits.inside == 0)
        counters = desk.relay.counters
    digests = [[hashlib.sha256(data).hexdigest() for data in side] for side in (sent, received)]
    assert digests[0] == digests[1]
    assert (counters.bytes_from_first, counters.bytes_from_second, counters.pairs_now) == (MILLION, MILLION, 0)
    assert not any(client.cut for client in pair if isinstance(client, SecureClient)), "each was told of the end"


@pytest.mark.parametrize("tls", WAYS)
async def test_who_says_no_more_goes_on_reading(club: Authority, tls: tuple[bool, bool]) -> None:
    """RFC 8446, 6.1: close_notify closes one direction; "does not have any effect on its read side"."""
    answer = random.Random(6).randbytes(MILLION)
    async with relaying(club=club) as desk:
        anna, bert = await desk.joined(desk.open().code, tls)
        await pump(anna, b"a question")
        assert await bert.rest() == b"a question"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, bert, answer)
            assert await anna.rest() == answer
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_nothing_is_lost_of_what_is_on_its_way_when_the_other_side_says_no_more(club: Authority) -> None:
    """Telling one of an end looks into what it has sent: half a record that is there already is read on."""
    said = [bytes([number]) * 100 for number in range(50)]
    async with relaying(club=club) as desk:
        anna, bert = await secured(desk)
        records = b"".join(anna.sealed(words) for words in said)
        await anna.stream.send_all(records[:150])
        assert await bert.some() == said[0]
        await bert.end()
        assert await anna.some() == b""
        for at in range(150, len(records), 41):
            await anna.stream.send_all(records[at : at + 41])
        await anna.end()
        assert await bert.rest() == b"".join(said[1:])


async def test_the_end_of_tcp_is_an_end(club: Authority) -> None:
    async with relaying(club=club) as desk:
        anna, bert = await secured(desk)
        await anna.send(b"last words")
        await anna.stream.send_eof()
        assert await bert.rest() == b"last words"
        await pump(bert, b"and an answer")
        assert await anna.rest() == b"and an answer"
        assert (anna.cut, bert.cut) == (False, False)
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_who_breaks_tls_is_hung_up_on_and_the_other_is_told_of_an_end(club: Authority) -> None:
    async with relaying(club=club) as desk:
        anna, bert = await secured(desk)
        ada, ben = await secured(desk)
        await anna.send(b"last words")
        await anna.stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
        assert await bert.rest() == b"last words"
        with pytest.raises(OSError, match="alert"):
            await anna.rest()
        await desk.until(lambda: desk.connection_limits.inside == 2)
        await ada.send(b"undisturbed")
        assert await ben.some() == b"undisturbed"


async def test_who_does_not_read_stops_the_other_and_costs_a_bounded_buffer(club: Authority) -> None:
    data = random.Random(7).randbytes(30 * MILLION)
    async with relaying(club=club) as desk:
        anna, bert = await secured(desk)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, anna, data)
            (splice,) = desk.relay._splices
            await desk.until(lambda: bool(splice.ends[1].waiting))
            await trio.sleep(0.2)
            taken = desk.relay.counters.bytes_from_first
            await trio.sleep(0.2)
            assert desk.relay.counters.bytes_from_first == taken < len(data)
            assert 0 < len(splice.ends[1].waiting) < BUFFER + 5 * 100, "a buffer's worth, and five heads of records"
            assert await bert.rest() == data
        assert not bert.cut


async def test_a_reader_of_small_sips_gets_everything_in_order(club: Authority) -> None:
    data = random.Random(8).randbytes(MILLION)
    async with relaying(club=club) as desk:
        anna, bert = await secured(desk)
        received = b""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, anna, data)
            while part := await bert.some():
                received += part
                await trio.sleep(0.001)
    assert received == data


async def test_the_same_speed_limit_holds(club: Authority) -> None:
    began = trio.current_time()
    async with relaying(club=club, bytes_per_second=MILLION) as desk:
        anna, bert = await secured(desk)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, anna, bytes(2_500_000))
            assert await bert.rest() == bytes(2_500_000)
    assert trio.current_time() - began > 0.4, "two million at once, the rest in half a second"


async def test_an_idle_pair_is_parted_and_told_of_it(club: Authority) -> None:
    async with relaying(club=club, idle_s=1.0) as desk:
        for client in await secured(desk):
            assert await client.rest() == b""
            assert not client.cut
        await desk.until(lambda: desk.connection_limits.inside == 0)


async def test_a_record_has_what_was_said_and_not_what_was_sent(club: Authority, tmp_path: Path) -> None:
    async with relaying(tmp_path, club=club, record_all=True) as desk:
        anna, bert = await secured(desk)
        await anna.send(b"hello")
        assert await bert.some() == b"hello"
        await pump(bert, b"!")
        assert await anna.rest() == b"!"
        await anna.end()
        await desk.until(lambda: desk.connection_limits.inside == 0)
    (file,) = (tmp_path / "wire").iterdir()
    assert file.read_text().splitlines()[1:] == [">> hex 68 65 6c 6c 6f", "<< hex 21", "# the second closed", ">> eof"]
