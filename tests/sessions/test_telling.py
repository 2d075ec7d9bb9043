"""A step's notifications to one client are one send of whole messages."""

from __future__ import annotations

import random

import pytest
from trio.testing import MockClock

from gateway import registry
from gateway.sessions.connection import Connection
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.dialect import ONE_SEND
from protocols.core.opcode_codec import codec
from protocols.core.opcodes import Message
from tests.hall import Guest, Hall, config, hall
from tests.narrow_peer import narrow

MOVES = 60


def whole(send: bytes) -> tuple[Message, ...]:
    """The messages of one send, which must be whole."""
    read = codec(BOGAPROT).read(send, "server")
    assert (read.used, read.error) == (len(send), "")
    return read.messages


def names(send: bytes) -> list[str]:
    return [message.name for message in whole(send)]


async def play(here: Hall, guests: list[Guest], count: int = MOVES) -> None:
    """Yield this many legal moves of table 1: the seat, and the squares as the wire has them."""
    chance = random.Random(5)
    for _ in range(count):
        state = here.state()
        if state.turn is None:
            return
        move = chance.choice(registry.game(state.game.name).legal_moves(state.position))
        if move.target is None or move.source is None:
            piece = move.piece or ("pass" if move.target is None else "")
            await guests[state.turn].say("MSG_MOVE", -1, -1 if move.target is None else move.target, piece)
        else:
            await guests[state.turn].say("MSG_MOVE", move.source, move.target)
        assert await guests[state.turn].hear("RSP_MOVE") == (0,)


@pytest.mark.parametrize("game", ["checkers", "ludo", "hnefatafl", "arimaa"])
async def test_every_send_is_whole_messages_and_small(autojump_clock: MockClock, game: str) -> None:
    async with hall(config()) as here:
        guests = await here.seat(game)
        await play(here, guests)
        for guest in guests:
            assert len(guest.peer.sends) > MOVES // 2
            for send in guest.peer.sends:
                assert whole(send)
                assert len(send) <= ONE_SEND


async def test_a_move_is_one_send_to_each(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        anna, bert = await here.silent(here.another_listener(game="checkers"), "192.0.2.1", "192.0.2.2")
        await play(here, [anna, bert], 10)
        steps = [send for send in anna.peer.sends if "MSG_MOVE" in names(send)]
        assert [names(send) for send in steps][:2] == [["RSP_MOVE", "MSG_MOVE", "REQ_MOVE"], ["MSG_MOVE", "REQ_MOVE"]]
        assert len(steps) == 10
        assert len([send for send in bert.peer.sends if "MSG_MOVE" in names(send)]) == 10


async def test_a_seat_is_one_send(autojump_clock: MockClock) -> None:
    async with hall(config()) as here:
        anna, bert = await here.seat("tic_tac_toe")
        assert names(anna.peer.sends[0]) == ["RSP_HANDSHAKE", "MSG_SEAT", "MSG_PLAYERS"]
        assert names(bert.peer.sends[0])[:3] == ["RSP_HANDSHAKE", "MSG_SEAT", "MSG_PLAYERS"]
        assert names(bert.peer.sends[0])[-2:] == ["MSG_START", "REQ_MOVE"]
        assert len(bert.peer.sends) == 1
        assert names(anna.peer.sends[1]) == ["MSG_PLAYERS", "MSG_START", "REQ_MOVE"]
        assert len(anna.peer.sends) == 2


async def test_what_waited_for_a_slow_reader_arrives_in_whole_messages_too(autojump_clock: MockClock) -> None:
    """Each part that the writer hands over is whole: a lockstep stream gives the reader part by part."""
    async with hall(config()) as here:
        slow, bert = narrow(here), here.dial()
        assert [await slow.joins("checkers"), await bert.joins("checkers")] == [0, 1]
        connection: Connection = next(one for one in here.server.connections if one.seat == 0)
        for _ in range(200):
            await slow.say("MSG_MOVE", -1, -1, "nonsense")
        await here.until(lambda: connection.unread_since is not None)
        heard = 0
        while heard < 400:
            heard += len(whole(bytes(await slow.stream.receive_some(65536))))
