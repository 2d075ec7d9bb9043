"""A connection keeps its deadlines and limits, on a clock that jumps, and its faults reach no other connection."""

from __future__ import annotations

import contextlib

import trio
from trio.testing import MockClock

from gateway.ops.sweep import SWEEP_S
from gateway.sessions.connection import COMMAND_BYTES, PARTING_S
from tests.hall import config, hall
from tests.narrow_peer import narrow

GAME = "tic_tac_toe"


async def test_who_asks_for_no_seat_is_hung_up_on_after_the_handshake_time(autojump_clock: MockClock) -> None:
    async with hall(config(handshake_s=20.0)) as here:
        guest = here.dial()
        assert await guest.next() is None
        assert 20.0 < trio.current_time() <= 20.0 + 2 * SWEEP_S


async def test_half_a_handshake_does_not_stop_the_handshake_time(autojump_clock: MockClock) -> None:
    async with hall(config(handshake_s=20.0)) as here:
        guest = here.dial()
        await guest.stream.send_all(b"\0\0\0\x65\0\0")
        await trio.sleep(19.0)
        await guest.stream.send_all(b"\0")
        assert await guest.next() is None
        assert trio.current_time() <= 20.0 + 2 * SWEEP_S


async def test_a_seated_client_may_be_silent_until_the_idle_time(autojump_clock: MockClock) -> None:
    async with hall(config(handshake_s=5.0, idle_s=600.0)) as here:
        anna, bert = await here.seat(GAME)
        await trio.sleep(500.0)
        assert await anna.puts(4) == (0,)
        await here.until(lambda: len(here.server.connections) == 1)
        assert 600.0 < trio.current_time() <= 602.0
        assert bert.peer.closed
        assert not anna.peer.closed
        await here.until(lambda: not here.server.connections)
        assert 1100.0 < trio.current_time() <= 1102.0


async def test_idle_never_means_never(autojump_clock: MockClock) -> None:
    """An hour: no other time by which a connection is overdue is as long."""
    async with hall(config(idle_s=None)) as here:
        anna, _ = await here.seat(GAME)
        await trio.sleep(3600.0)
        assert await anna.puts(4) == (0,)


async def test_who_reads_nothing_for_so_long_is_hung_up_on_and_the_other_plays_on(autojump_clock: MockClock) -> None:
    async with hall(config(unread_s=30.0)) as here:
        deaf, bert = narrow(here), here.dial()
        assert [await deaf.joins(GAME), await bert.joins(GAME)] == [0, 1]
        await deaf.hear("REQ_MOVE")
        begun = trio.current_time()
        await deaf.say("MSG_MOVE", -1, 4, "")
        await bert.hear("MSG_MOVE")
        assert await bert.puts(0) == (0,)
        await bert.hears_lost(0)
        assert 30.0 < trio.current_time() - begun <= 30.0 + 2 * SWEEP_S


async def test_who_reads_slowly_but_reads_is_not_hung_up_on(autojump_clock: MockClock) -> None:
    async with hall(config(unread_s=30.0)) as here:
        slow, bert = narrow(here), here.dial()
        assert [await slow.joins(GAME), await bert.joins(GAME)] == [0, 1]
        for square, guest in zip((0, 3, 1, 4, 2), (slow, bert, slow, bert, slow), strict=True):
            await trio.sleep(25.0)
            assert await guest.puts(square) == (0,)
        assert await slow.hear("MSG_GAMEOVER") == (0,)
        assert trio.current_time() > 100.0


async def test_each_part_that_is_read_is_a_sign_of_life(autojump_clock: MockClock) -> None:
    async with hall(config(unread_s=30.0)) as here:
        slow = narrow(here)
        assert await slow.joins(GAME) == 0
        for _ in range(30):
            await slow.say("MSG_MOVE", -1, -1, "nonsense")
        for _ in range(10):
            await trio.sleep(20.0)
            assert await slow.stream.receive_some(4096)
        assert len(here.server.connections) == 1


async def test_more_than_may_wait_ends_the_connection_at_once(autojump_clock: MockClock) -> None:
    async with hall(config(unread_bytes=4096)) as here:
        deaf, bert = narrow(here), here.dial()
        assert [await deaf.joins(GAME), await bert.joins(GAME)] == [0, 1]
        begun, sent = trio.current_time(), 0
        with contextlib.suppress(trio.BrokenResourceError):
            while sent < 1000:
                await deaf.say("MSG_MOVE", -1, -1, "nonsense")
                sent += 1
        assert trio.current_time() == begun
        answer = len("'nonsense' means nothing now") + 13 + 8  # RSP_MOVE and REQ_MOVE
        assert 4096 // answer <= sent <= 4096 // answer + 3
        await bert.hears_lost(0)


async def test_a_connection_that_ends_gives_a_reader_a_moment_to_read_the_last_words(autojump_clock: MockClock) -> None:
    async with hall() as here:
        slow = narrow(here)
        await slow.say("REQ_HANDSHAKE", "poker", 1)
        await slow.stream.send_all(bytes(4))
        await trio.sleep(PARTING_S / 2)
        assert await slow.hear("RSP_HANDSHAKE") == (1, "game engine not supported")
        assert await slow.next() is None
        assert trio.current_time() < PARTING_S


async def test_who_asks_too_fast_waits_and_loses_nothing(autojump_clock: MockClock) -> None:
    async with hall(config(messages_per_second=2.0, messages_burst=5)) as here:
        anna, bert = await here.seat(GAME)
        await bert.stream.send_all(b"".join(bert.wire.build("MSG_MOVE", -1, square % 9, "") for square in range(45)))
        for _ in range(45):
            assert (await bert.hear("RSP_MOVE"))[0] == 1
        await bert.say("MSG_MOVE", -1, -1, "draw")  # a proposal needs no turn
        assert await bert.hear("RSP_MOVE") == (0,)
        # 46 commands, 5 of them at once, the others at two a second; the handshake was one more
        assert 20.0 <= trio.current_time() <= 23.0
        assert await anna.hear("MSG_MOVE") == (-1, -1, "draw")


async def test_what_becomes_no_command_is_not_free(autojump_clock: MockClock) -> None:
    async with hall(config(messages_per_second=2.0, messages_burst=5)) as here:
        guest = here.dial()
        outdated = guest.wire.build("REQ_HANDSHAKE", GAME, 0)
        count = 40 * COMMAND_BYTES // len(outdated)
        await guest.stream.send_all(outdated * count)
        for _ in range(count):
            assert await guest.hear("RSP_HANDSHAKE") == (1, "version out of date")
        await guest.joins(GAME)
        assert 16.0 <= trio.current_time() <= 19.0


async def test_no_more_is_received_at_once_than_the_limit(autojump_clock: MockClock) -> None:
    async with hall(config(receive_bytes=64)) as here:
        guest = here.dial()
        assert await guest.joins(f"{GAME}?name={'anna' * 8}&against=anybody#{'ticket' * 10}") == 0
        assert guest.peer.asked_for == {64}


async def test_messages_before_a_break_count_and_then_the_connection_ends(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        await anna.stream.send_all(anna.wire.build("MSG_MOVE", -1, 8, "") + b"\xff" * 12)
        await anna.rest()
        assert await bert.hear("MSG_MOVE") == (-1, 8, "x")
        await bert.hears_lost(0)


async def test_half_a_close_ends_the_connection_after_what_was_asked_is_answered(autojump_clock: MockClock) -> None:
    async with hall() as here:
        anna, bert = await here.seat(GAME)
        await anna.say("MSG_MOVE", -1, 8, "")
        await anna.stream.send_eof()  # type: ignore[attr-defined]
        assert await bert.hear("MSG_MOVE") == (-1, 8, "x")
        assert await anna.hear("RSP_MOVE") == (0,)
        await bert.hears_lost(0)
        await here.until(lambda: anna.peer.closed)
