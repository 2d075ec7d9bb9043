"""Callers of the relay port with TLS shake hands and send lines; others are closed."""

from __future__ import annotations

import pytest
import trio

from gateway.net.tls import RECORD
from tests.certificates import Authority
from tests.relay.relaying import ANNA, BERT, relaying


async def test_words_that_come_with_the_handshake_are_heard(club: Authority) -> None:
    """A selector does not see bytes that TLS holds already."""
    async with relaying(club=club) as desk:
        client = await desk.dial_secured()
        assert client.tls.version() == "TLSv1.3", "whose last message is the client's, not sent yet"
        await client.meet(desk.open().code, ANNA)
        assert await client.line() == "WAIT"


@pytest.mark.parametrize("size", [1, 7, RECORD])
async def test_lines_are_heard_however_they_are_cut_into_records(club: Authority, size: int) -> None:
    async with relaying(club=club) as desk:
        bert = await desk.meet(room := desk.open().code, BERT)
        anna = await desk.dial_secured()
        words = f"BOARDGATE-RELAY 1 MEET {room} {ANNA} -\nJOIN\n".encode()
        for at in range(0, len(words), size):
            await anna.send(words[at : at + size])
        await bert.lines(2)
        await bert.say("JOIN")
        assert (await anna.lines(3))[2] == await bert.line() == "JOINED"


async def test_what_is_no_line_is_refused_in_words_and_then_there_is_an_end(club: Authority) -> None:
    async with relaying(club=club) as desk:
        for words, reason in (
            (b"x" * 50_000, b"NO a line has at most 300 bytes\n"),
            (b"HELO\n", b"NO this port is for"),
        ):
            client = await desk.dial_secured()
            await client.send(words)
            assert (await client.rest()).startswith(reason)
            assert not client.cut
        assert desk.relay.counters.refusals["bad_line"] == 2


async def test_who_says_no_more_before_being_joined_is_gone(club: Authority) -> None:
    async with relaying(club=club) as desk:
        anna, bert = await desk.met(desk.open().code, (True, False))
        await anna.send(b"JOIN\n")
        await anna.end()
        assert await bert.rest() == b""
        await desk.until(lambda: desk.connection_limits.inside == 0)


@pytest.mark.parametrize("hello", [b"BOARDGATE-RELAY 1 MEET", b"GET / HTTP/1.1\r\n\r\n", bytes(64)])
async def test_who_does_not_speak_tls_is_hung_up_on_and_told_of(club: Authority, hello: bytes) -> None:
    async with relaying(club=club) as desk:
        assert desk.secured is not None
        anna, bert = await desk.joined(desk.open().code, (True, True))
        stranger = await desk.dial(desk.secured.shown.port)
        await stranger.say(hello)
        await stranger.end()
        await stranger.rest()
        await desk.until(lambda: desk.connection_limits.inside == 2)
        assert len(desk.strangers) == 1
        await anna.send(b"undisturbed")
        assert await bert.some() == b"undisturbed"


async def test_a_handshake_has_limits_handshake_and_a_place_meanwhile(club: Authority) -> None:
    async with relaying(club=club, handshake_s=1.0, connections_per_address=2) as desk:
        assert desk.secured is not None
        began = trio.current_time()
        silent = [await desk.dial(desk.secured.shown.port) for _ in range(2)]
        await desk.until(lambda: desk.connection_limits.inside == 2)
        third = await desk.dial(desk.secured.shown.port)
        assert await third.rest() == b"", "no room"
        for stranger in silent:
            assert await stranger.rest() == b""
        assert 0.8 < trio.current_time() - began < 20
        assert desk.strangers == ["took more than 1 s"] * 2
        await desk.until(lambda: desk.connection_limits.inside == 0)
        assert await (await desk.meet(desk.open().code, ANNA, tls=True)).line() == "WAIT"


async def test_who_has_shaken_hands_and_says_nothing_is_told_so(club: Authority) -> None:
    async with relaying(club=club, handshake_s=1.0) as desk:
        client = await desk.dial_secured()
        await client.flush()
        assert await client.rest() == b"NO say who you want to meet\n"


async def test_those_who_shake_hands_when_the_server_stops_leave_their_places(club: Authority) -> None:
    async with relaying(club=club) as desk:
        assert desk.secured is not None
        await desk.dial(desk.secured.shown.port)
        await desk.until(lambda: desk.connection_limits.inside == 1)
    assert desk.connection_limits.inside == 0
