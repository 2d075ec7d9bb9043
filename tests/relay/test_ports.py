"""A one-time port joins its first two callers, once."""

from __future__ import annotations

import socket

import pytest
import trio

from gateway.config import BadSetting
from gateway.relay.ports import EARLY, open_port, read_range
from gateway.relay.rendezvous import LETTERS, Refusal
from tests.relay.relaying import ANNA, BERT, relaying
from tests.relay.test_splice import LINGER_NOT, pump


async def test_two_who_dial_are_joined_and_a_third_finds_nobody() -> None:
    """ "The first two programs that dial it are joined verbatim, then the port is closed"."""
    async with relaying() as desk:
        port = desk.open().port
        first, second = await desk.dial(port), await desk.dial(port)
        await first.say(b"\x00first\n")
        assert await second.some() == b"\x00first\n"
        await second.say(b"second")
        assert await first.some() == b"second"
        with pytest.raises(OSError, match="all attempts to connect"):
            await desk.dial(port)


async def test_what_the_first_sends_waits_for_the_second() -> None:
    """ "bytes of the first wait, bounded, until the second comes"."""
    async with relaying() as desk:
        port = desk.open().port
        first = await desk.dial(port)
        text = b"0123456789" * (EARLY // 2)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, first, text)
            await trio.sleep(0.05)
            second = await desk.dial(port)
            assert await second.rest() == text
        await second.say(b"thanks")
        assert await first.some() == b"thanks"


async def test_a_first_that_closes_its_half_after_a_request_still_gets_the_answer() -> None:
    async with relaying() as desk:
        port = desk.open().port
        first = await desk.dial(port)
        await pump(first, b"request")
        await trio.sleep(0.05)
        second = await desk.dial(port)
        assert await second.rest() == b"request"
        await pump(second, b"answer")
        assert await first.rest() == b"answer"


@pytest.mark.parametrize("words", [b"", b"half a greeting"])
async def test_a_first_that_goes_away_leaves_its_place_to_another(words: bytes) -> None:
    async with relaying() as desk:
        port = desk.open().port
        gone = await desk.dial(port)
        if words:
            await gone.say(words)
            gone.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        await desk.until(lambda: desk.connection_limits.inside == 1)
        gone.stream.socket.close()
        await desk.until(lambda: desk.connection_limits.inside == 0)
        first, second = await desk.dial(port), await desk.dial(port)
        await first.say(b"hello")
        assert await second.some() == b"hello"


async def test_when_the_pair_has_parted_the_code_is_gone() -> None:
    async with relaying() as desk:
        opened = desk.open()
        first, second = await desk.dial(opened.port), await desk.dial(opened.port)
        await first.say(b"x")
        assert await second.some() == b"x"
        helper = await desk.meet(opened.code, ANNA)
        assert await helper.line() == "NO this code is in use by two others"
        await first.stream.send_eof()
        await second.stream.send_eof()
        await desk.until(lambda: desk.relay.counters.rooms_now == 0)
        helper = await desk.meet(opened.code, ANNA)
        assert await helper.line() == "NO there is no such code; it may have expired"


async def test_a_helper_that_waits_is_told_when_two_programs_have_used_the_port() -> None:
    async with relaying() as desk:
        opened = desk.open()
        helper = await desk.meet(opened.code, ANNA)
        assert await helper.line() == "WAIT"
        first, second = await desk.dial(opened.port), await desk.dial(opened.port)
        assert await helper.lines(2) == ["NO this code is in use by two others", None]
        await first.say(b"x")
        assert await second.some() == b"x"


async def test_the_port_is_closed_when_two_helpers_have_met() -> None:
    async with relaying() as desk:
        opened = desk.open()
        alone = await desk.dial(opened.port)
        await desk.met(opened.code)
        assert await alone.rest() == b""
        with pytest.raises(OSError, match="all attempts to connect"):
            await desk.dial(opened.port)


async def test_a_code_may_be_for_helpers_only() -> None:
    async with relaying() as desk:
        opened = desk.open(port=False)
        assert opened.port is None
        await desk.met(opened.code)


async def test_a_code_is_eight_letters_that_nobody_mistakes() -> None:
    async with relaying() as desk:
        codes = {desk.open(f"192.0.2.{number}", port=False).code for number in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 8 and set(code) <= set(LETTERS) for code in codes)
    assert not set(LETTERS) & set("aeiou01l")


async def test_ports_are_of_the_range_and_when_all_are_taken_that_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with relaying(ports=f"{port}-{port}") as desk:
            with pytest.raises(Refusal, match="no one-time port is free"):
                desk.open()
            assert desk.relay.counters.refusals["no_port"] == 1
            taken.close()
            assert desk.open().port == port
            with pytest.raises(Refusal, match="no one-time port is free"):
                desk.open()
            assert desk.open(port=False).port is None


async def test_without_one_time_ports_a_code_is_for_helpers_only() -> None:
    async with relaying(ports="none") as desk:
        opened = desk.open()
        assert opened.port is None
        await desk.met(opened.code)


@pytest.mark.parametrize("text", ["5040", "5099-5040", "0-5", "1-65536", "all", "5040-5099-"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="relay ports"):
        read_range(text)


def test_a_range_holds_both_its_ends() -> None:
    assert read_range("any") is None
    assert read_range("none") == range(0)
    assert read_range("5040-5042") == range(5040, 5043)


def test_the_first_port_that_is_free_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert open_port("127.0.0.1", [port]) is None
        found = open_port("127.0.0.1", [port, 0])
        assert found is not None
        found.close()


async def test_who_dials_when_there_is_no_place_is_hung_up_on_and_the_port_goes_on() -> None:
    async with relaying(connections_per_address=2) as desk:
        port = desk.open().port
        waiting = [await desk.meet(desk.open(port=False).code, side) for side in (ANNA, BERT)]
        for helper in waiting:
            assert await helper.line() == "WAIT"
        turned_away = await desk.dial(port)
        assert await turned_away.rest() == b""
        for helper in waiting:
            await helper.stream.aclose()
        await desk.until(lambda: desk.connection_limits.inside == 0)
        first, second = await desk.dial(port), await desk.dial(port)
        await first.say(b"hello")
        assert await second.some() == b"hello"
