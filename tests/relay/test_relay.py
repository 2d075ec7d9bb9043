"""The relay keeps its limits and counters, stops, and confines a defect or a flood to its pair."""

from __future__ import annotations

import os

import pytest
import trio

from gateway.admission.connection_limiter import ConnectionLimiter
from gateway.config import BadSetting, Config, Limits, Listen
from gateway.config import Relay as Settings
from gateway.net.log_limiter import LogLimiter
from gateway.relay.listen import open_relay_listener
from gateway.relay.relay import Relay
from gateway.relay.rendezvous import Refusal
from tests.relay.relaying import ANNA, HOST, relaying


async def test_codes_of_one_address_are_limited_and_counted() -> None:
    async with relaying(rooms_per_address=2) as desk:
        for _ in range(2):
            desk.open("192.0.2.7")
        with pytest.raises(Refusal, match="2 codes of this address"):
            desk.open("192.0.2.7")
        desk.open("192.0.2.8")
        counters = desk.relay.counters
        assert (counters.rooms, counters.rooms_now, counters.refusals["too_many"]) == (3, 3, 1)


async def test_an_unknown_dialect_is_refused_by_name() -> None:
    async with relaying() as desk:
        with pytest.raises(Refusal, match="no dialect 'klingon'; there are bogaprot, cgos, chess-p2p"):
            desk.open(dialect="klingon")


async def test_stopping_hangs_up_on_everybody() -> None:
    async with relaying() as desk:
        anna, bert = await desk.joined(desk.open().code)
        first, second = await desk.dialled()
        lonely = await desk.meet(desk.open().code, ANNA)
        assert await lonely.line() == "WAIT"
        silent = await desk.dial()
        await desk.until(lambda: desk.connection_limits.inside == 6)
        desk.relay._nursery.cancel_scope.cancel()  # type: ignore[union-attr]
        for client in (anna, bert, first, second):
            assert await client.rest() == b""
        assert await lonely.rest() == b"NO the server stops\n"
        assert await silent.rest() == b"NO the server stops\n"
        assert desk.connection_limits.inside == 0


async def test_a_ban_ends_what_is_there_already() -> None:
    async with relaying() as desk:
        anna, bert = await desk.joined(desk.open().code)
        first, second = await desk.dialled()
        lonely = await desk.meet(desk.open().code, ANNA)
        assert await lonely.line() == "WAIT"
        waiting = await desk.dial(desk.open().port or 0)
        await desk.until(lambda: desk.connection_limits.inside == 6)
        desk.relay.send_away(lambda host: "")
        assert desk.connection_limits.inside == 6
        desk.relay.send_away(lambda host: f"{host} is banned")
        assert await lonely.rest() == b"NO 127.0.0.1 is banned\n"
        for client in (anna, bert, first, second):
            assert await client.rest() == b""
        assert await waiting.rest() == b""
        assert desk.connection_limits.inside == 0


async def test_a_hundred_pairs_at_once_hear_their_own_partner_only() -> None:
    async with relaying(rooms_per_address=200, connections_per_address=400) as desk:
        pairs = [await desk.dialled() for _ in range(100)]

        async def exchange(number: int) -> None:
            first, second = pairs[number]
            for turn in range(20):
                word = f"{number}.{turn};".encode()
                await first.say(word)
                assert await second.some() == word
                await second.say(word)
                assert await first.some() == word

        async with trio.open_nursery() as nursery:
            for number in range(100):
                nursery.start_soon(exchange, number)
        assert desk.relay.counters.pairs_now == 100


async def test_a_pair_that_floods_does_not_keep_another_from_being_heard() -> None:
    async with relaying() as desk:
        loud, deaf = await desk.dialled()
        anna, bert = await desk.dialled()

        async def flood() -> None:
            with trio.move_on_after(1):
                while True:
                    await loud.say(os.urandom(65536))

        async def listen() -> None:
            with trio.move_on_after(1):
                while True:
                    await deaf.some()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood)
            nursery.start_soon(listen)
            for _ in range(50):
                await anna.say(b"ping")
                assert await bert.some() == b"ping"


async def test_a_defect_ends_the_connection_it_happened_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(line: bytes) -> None:
        raise RuntimeError("secret detail")

    async with relaying() as desk:
        first, second = await desk.dialled()
        monkeypatch.setattr("gateway.relay.wire.read_meet", broken)
        caller = await desk.meet("zzzzzz", ANNA)
        assert await caller.rest() == b""
        await first.say(b"still")
        assert await second.some() == b"still"


def test_a_listener_has_one_option() -> None:
    listener = open_relay_listener(Listen("relay", HOST, 0, {"wire_log": "yes"}))
    assert listener.shown.line() == f"listening relay {HOST}:{listener.shown.port} wire_log=yes"
    listener.sock.close()
    with pytest.raises(BadSetting, match="relay has no option 'game'; it has wire_log"):
        open_relay_listener(Listen("relay", HOST, 0, {"game": "go"}))
    with pytest.raises(BadSetting, match="wire_log is yes or no, not 'maybe'"):
        open_relay_listener(Listen("relay", HOST, 0, {"wire_log": "maybe"}))


def test_a_range_of_ports_that_is_none_is_found_at_the_start() -> None:
    with pytest.raises(BadSetting, match='neither "any" nor "none" nor a range'):
        Relay(Config(relay=Settings(ports="some")), ConnectionLimiter(Limits()), HOST, 0, LogLimiter())
