"""Every line of the relay's wire between real sockets."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from tests.certificates import Authority
from tests.relay.relaying import ANNA, BERT, CARL, relaying


@pytest.fixture
def quick_clock() -> MockClock:
    """Time that jumps while nothing happens for a moment of real time: what was sent has arrived by then."""
    return MockClock(autojump_threshold=0.01)


async def test_whoever_comes_first_waits_and_then_learns_of_the_other() -> None:
    """ "server: WAIT at once; when both sides are there, to each: PEER first|second OBSERVED ADDR[,ADDR...]"."""
    async with relaying() as desk:
        room = desk.open().code
        anna = await desk.meet(room, ANNA, "10.0.0.1:5001,[2001:db8::1]:5001")
        assert await anna.line() == "WAIT"
        bert = await desk.meet(room, BERT)
        assert await bert.lines(2) == ["WAIT", f"PEER second {anna.shown} 10.0.0.1:5001,[2001:db8::1]:5001"]
        assert await anna.line() == f"PEER first {bert.shown} -"


async def test_nothing_is_said_before_the_peer_has_spoken(quick_clock: MockClock) -> None:
    async with relaying() as desk:
        client = await desk.dial()
        with trio.move_on_after(5) as silence:
            await client.some()
        assert silence.cancelled_caught


async def test_wait_is_said_again_every_20_seconds(quick_clock: MockClock) -> None:
    """ "Keep-alive while waiting: server sends WAIT again every 20 s"."""
    async with relaying() as desk:
        anna = await desk.meet(desk.open().code, ANNA)
        assert await anna.line() == "WAIT"
        for _ in range(3):
            began = trio.current_time()
            with trio.fail_after(25):
                data = await anna.stream.receive_some()
            assert data == b"WAIT\n"
            assert 19 < trio.current_time() - began < 22


async def test_joined_comes_when_both_have_said_join_and_bytes_go_both_ways() -> None:
    """ "when both have, the server sends JOINED to both, and from then on copies bytes verbatim both ways"."""
    async with relaying() as desk:
        anna, bert = await desk.met(desk.open().code)
        await anna.say("JOIN")
        await bert.say("JOIN")
        assert (await anna.line(), await bert.line()) == ("JOINED", "JOINED")
        await anna.say(b"NO\n\0\xffJOIN\n")
        assert await bert.some() == b"NO\n\0\xffJOIN\n"
        await bert.say(b"\r\n")
        assert await anna.some() == b"\r\n"
        assert (desk.relay.counters.pairs, desk.relay.counters.pairs_now) == (1, 1)


async def test_the_other_is_told_of_a_direct_connection_and_the_room_is_kept(quick_clock: MockClock) -> None:
    """ "A helper that went direct sends DIRECT (the server tells the other DIRECT, keeps the room for resuming)"."""
    async with relaying(grace_s=10.0) as desk:
        room = desk.open().code
        anna, bert = await desk.met(room)
        await anna.say("JOIN")
        await bert.say("DIRECT")
        assert await anna.line() == "DIRECT"
        await anna.say("DIRECT")
        assert await bert.line() == "DIRECT"
        assert desk.relay.counters.direct == 1
        await anna.stream.aclose()
        await trio.sleep(30)
        again = await desk.meet(room, ANNA)
        assert await again.line() == "WAIT"
        assert await bert.line() is None


async def test_a_third_side_is_refused_while_two_are_relayed() -> None:
    """ "a third is answered NO this code is in use by two others"."""
    async with relaying() as desk:
        room = desk.open().code
        await desk.joined(room)
        carl = await desk.meet(room, CARL)
        assert await carl.lines(2) == ["NO this code is in use by two others", None]
        assert desk.relay.counters.refusals["in_use"] == 1


async def test_a_side_that_comes_back_replaces_its_older_connection_and_both_go_on() -> None:
    """ "Resume: the same ROOM and SIDE may MEET again as long as the room lives"."""
    async with relaying() as desk:
        room = desk.open().code
        old_anna, old_bert = await desk.joined(room)
        anna = await desk.meet(room, ANNA)
        assert await anna.line() == "WAIT"
        assert (await old_anna.line(), await old_bert.line()) == (None, None)
        bert = await desk.meet(room, BERT)
        assert await bert.lines(2) == ["WAIT", f"PEER second {anna.shown} -"]
        assert await anna.line() == f"PEER first {bert.shown} -"
        for client in (anna, bert):
            await client.say("JOIN")
        assert (await anna.line(), await bert.line()) == ("JOINED", "JOINED")
        await bert.say(b"still here")
        assert await anna.some() == b"still here"
        assert (desk.relay.counters.pairs, desk.relay.counters.pairs_now) == (2, 1)


async def test_who_loses_the_other_before_a_choice_is_hung_up_on_to_meet_again() -> None:
    async with relaying() as desk:
        anna, bert = await desk.met(desk.open().code)
        await anna.stream.aclose()
        assert await bert.line() is None


async def test_a_code_expires_when_nobody_met(quick_clock: MockClock) -> None:
    """ "Codes expire when nobody met within relay.expires (10min)"."""
    async with relaying(expires_s=30.0) as desk:
        opened = desk.open()
        anna = await desk.meet(opened.code, ANNA)
        await trio.sleep(32)
        assert (await anna.rest()).decode().splitlines()[-1] == "NO this code has expired"
        bert = await desk.meet(opened.code, BERT)
        assert await bert.line() == "NO there is no such code; it may have expired"
        with pytest.raises(OSError, match="all attempts to connect"):
            await desk.dial(opened.port)
        assert (desk.relay.counters.expired, desk.relay.counters.rooms_now) == (1, 0)


async def test_the_grace_ends_for_a_side_that_waits_alone(quick_clock: MockClock) -> None:
    """ "grace after the last connection, relay.grace, default 60s"."""
    async with relaying() as desk:
        room = desk.open().code
        anna, bert = await desk.joined(room)
        await anna.stream.aclose()
        await bert.stream.aclose()
        await desk.until(lambda: desk.relay.counters.pairs_now == 0)
        await trio.sleep(50)
        again = await desk.meet(room, BERT)
        assert await again.line() == "WAIT"
        assert (await again.rest()).decode().splitlines() == ["NO the other side has not come back"]


async def test_both_have_a_minute_for_their_choice(quick_clock: MockClock) -> None:
    async with relaying() as desk:
        anna, bert = await desk.met(desk.open().code)
        await anna.say("JOIN")
        await trio.sleep(55)
        assert len(desk.relay.callers) == 2
        assert {await anna.line(), await bert.line()} == {"NO neither JOIN nor DIRECT of both in time", None}
        assert not desk.relay.callers


async def test_who_says_nothing_is_hung_up_on(quick_clock: MockClock) -> None:
    async with relaying(handshake_s=30.0) as desk:
        client = await desk.dial()
        await trio.sleep(28)
        assert desk.relay.callers
        await trio.sleep(4)
        assert await client.lines(2) == ["NO say who you want to meet", None]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", "this port is for BOARDGATE-RELAY 1"),
        (b"\n", "this port is for BOARDGATE-RELAY 1"),
        (b"\x16\x03\x01\x02\0\x01\n", "lines are ASCII that prints"),
        (b"x" * 300, "a line has at most 300 bytes"),
        (b"BOARDGATE-RELAY 1 MEET zzzzzz " + b"a" * 22 + b" -\n", "there is no such code; it may have expired"),
    ],
)
async def test_garbage_is_answered_by_one_short_line(said: bytes, why: str) -> None:
    async with relaying() as desk:
        client = await desk.dial()
        await client.say(said)
        assert await client.rest() == f"NO {why}\n".encode()
        await desk.until(lambda: desk.connection_limits.inside == 0)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"JOIN\nearly bytes", "after JOIN wait for JOINED or DIRECT"),
        (b"LEAVE\n", "say JOIN or DIRECT"),
    ],
)
async def test_a_line_that_does_not_belong_there_ends_the_meeting_of_both(said: bytes, why: str) -> None:
    async with relaying() as desk:
        anna, bert = await desk.met(desk.open().code)
        await anna.say(said)
        assert await anna.line() == f"NO {why}"
        assert await bert.line() is None


async def test_one_who_says_direct_again_and_again_is_cut_off_and_the_other_is_not() -> None:
    async with relaying() as desk:
        anna, bert = await desk.met(desk.open().code)
        await anna.say(b"DIRECT\n" * 100)
        assert await anna.lines(2) == ["NO too many lines", None]
        assert set(await bert.lines(7)) == {"DIRECT"}
        await bert.say("DIRECT")
        await desk.until(lambda: len(desk.relay.callers) == 1)


async def test_bytes_after_join_are_refused_also_when_they_come_alone() -> None:
    async with relaying() as desk:
        anna, _ = await desk.met(desk.open().code)
        await anna.say("JOIN")
        await anna.say("JOIN")
        assert await anna.line() == "NO after JOIN wait for JOINED or DIRECT"


@pytest.mark.parametrize("tls", [(False, False), (True, False)])
async def test_part_of_a_line_after_join_is_refused_and_never_lost(tls: tuple[bool, bool], club: Authority) -> None:
    """docs/relay.md: "after it, it sends nothing until it has read an answer: bytes before that are refused"."""
    async with relaying(club=club) as desk:
        anna, bert = await desk.met(desk.open().code, tls)
        await anna.say("JOIN")
        await anna.say(b"HELLO")
        assert await anna.line() == "NO after JOIN wait for JOINED or DIRECT"
        assert await anna.line() is None
        assert await bert.line() is None, "both meet again, as after any lost connection"


async def test_who_does_not_wait_for_the_other_is_refused() -> None:
    async with relaying() as desk:
        anna = await desk.meet(desk.open().code, ANNA)
        await anna.say("JOIN")
        assert await anna.lines(2) == ["WAIT", "NO wait for PEER"]


async def test_lines_may_come_in_single_bytes() -> None:
    async with relaying() as desk:
        anna = await desk.dial()
        for byte in f"BOARDGATE-RELAY 1 MEET {desk.open().code} {ANNA} -\r\n".encode():
            await anna.say(bytes([byte]))
        assert await anna.line() == "WAIT"


async def test_one_who_floods_with_lines_is_cut_off_and_disturbs_nobody() -> None:
    async with relaying() as desk:
        anna, bert = await desk.joined(desk.open().code)
        flood = await desk.dial()
        with pytest.raises(trio.BrokenResourceError):
            await flood.say(b"BOARDGATE-RELAY " * 4_000_000)
        await anna.say(b"ping")
        assert await bert.some() == b"ping"
        assert desk.relay.counters.refusals["bad_line"] == 1


async def test_connections_of_one_address_are_limited() -> None:
    async with relaying(connections_per_address=3) as desk:
        kept = [await desk.dial() for _ in range(3)]
        fourth = await desk.dial()
        assert await fourth.lines(2) == ["NO the server is full", None]
        assert desk.relay.counters.refusals["full"] == 1
        await kept[0].stream.aclose()
        await desk.until(lambda: desk.connection_limits.inside == 2)
        anna = await desk.meet(desk.open().code, ANNA)
        assert await anna.line() == "WAIT"
