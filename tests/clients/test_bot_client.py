"""The bot client plays against a scripted server on a real socket, under trio."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest
import trio

from clients.bot_client import MOST_REFUSALS, Host, play_games
from clients.connection import Unreachable
from clients.joining import Address, Wish
from clients.session import TurnedAway
from gateway import registry
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from protocols.core.opcodes import Message, Value

Said = tuple[str, *tuple[Value, ...]]


class Table:
    """The server's end of the bot's connection."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._wire = Wire(codec(BOGAPROT), "server")
        self._heard: list[Message] = []

    async def say(self, *messages: Said) -> None:
        await self._stream.send_all(b"".join(self._wire.build(*message) for message in messages))

    async def hear(self) -> Message:
        with trio.fail_after(20):
            while not self._heard:
                self._heard += self._wire.receive_data(await self._stream.receive_some(4096))
        return self._heard.pop(0)

    async def begin(self) -> str:
        request = await self.hear()
        await self.say(("RSP_HANDSHAKE", 0), ("MSG_SEAT", 0), ("MSG_PLAYERS", 2, 3, "robot", 3, "bob"), ("MSG_START",))
        return str(request.values[0])


async def play_against(
    *scripts: Callable[[Table], Awaitable[None]], games: int = 1, name: str = "tic_tac_toe"
) -> list[str]:
    """The lines a bot reports after ``games`` games, each connection on the next of the scripts."""
    said: list[str] = []
    waiting = list(scripts)

    async def serve(stream: trio.SocketStream) -> None:
        async with stream:
            await waiting.pop(0)(Table(stream))

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(trio.serve_tcp, serve, 0)
        port = listeners[0].socket.getsockname()[1]
        host = Host(registry.game(name), Wish(name, "robot"), Address("127.0.0.1", port), 1, said.append)
        with trio.fail_after(30):
            await play_games(host, games)
        nursery.cancel_scope.cancel()
    return said


async def won_in_one(table: Table) -> None:
    await table.begin()
    for at, piece in ((0, "x"), (1, "x"), (3, "o"), (4, "o")):
        await table.say(("MSG_MOVE", -1, at, piece))
    await table.say(("REQ_MOVE", 0))
    assert await table.hear() == Message("MSG_MOVE", (-1, 2, "x"))
    await table.say(("RSP_MOVE", 0), ("MSG_MOVE", -1, 2, "x"), ("MSG_GAMEOVER", 0))


async def test_a_bot_completes_its_row_and_reports_the_game() -> None:
    assert await play_against(won_in_one) == ["game 1: x against bob: won"]


async def test_a_bot_sits_down_again_with_a_new_ticket() -> None:
    engines: list[str] = []

    async def lost(table: Table) -> None:
        engines.append(await table.begin())
        await table.say(("MSG_GAMEOVER", 1))

    async def drawn(table: Table) -> None:
        engines.append(await table.begin())
        await table.say(("MSG_GAMEOVER", -1))

    assert await play_against(lost, drawn, games=2) == [
        "game 1: x against bob: lost",
        "game 2: x against bob: drawn",
    ]
    assert engines[0].startswith("tic_tac_toe?name=robot#")
    assert engines[0] != engines[1]


async def test_a_bot_whose_connection_is_lost_comes_back_to_its_seat(autojump_clock: trio.testing.MockClock) -> None:
    engines: list[str] = []

    async def vanish(table: Table) -> None:
        engines.append(await table.begin())

    async def back(table: Table) -> None:
        engines.append(await table.begin())
        await table.say(("MSG_GAMEOVER", 0))

    lines = await play_against(vanish, back)
    assert lines == ["the connection is lost, trying again", "game 1: x against bob: won"]
    assert engines[0] == engines[1]


async def test_a_bot_waits_for_a_server_that_takes_nobody_just_now(autojump_clock: trio.testing.MockClock) -> None:
    """It comes back to its seat, and to the next game, once it is taken again."""

    async def vanish(table: Table) -> None:
        await table.begin()

    async def busy(table: Table) -> None:
        await table.hear()
        await table.say(("RSP_HANDSHAKE", 1, "server overload, try again later"))

    async def back(table: Table) -> None:
        await table.begin()
        await table.say(("MSG_GAMEOVER", 0))

    assert await play_against(vanish, busy, busy, back, busy, back, games=2) == [
        "the connection is lost, trying again",
        "game 1: x against bob: won",
        "game 2: x against bob: won",
    ]


async def test_a_bot_that_finds_a_server_which_takes_nobody_says_so() -> None:
    async def busy(table: Table) -> None:
        await table.hear()
        await table.say(("RSP_HANDSHAKE", 1, "server overload, try again later"))

    with pytest.raises(ExceptionGroup) as caught:
        await play_against(busy)
    assert caught.group_contains(TurnedAway, match="server overload")


async def test_a_bot_tries_other_moves_when_one_is_refused_and_resigns_when_all_are() -> None:
    tried: list[Message] = []

    async def contrary(table: Table) -> None:
        await table.begin()
        await table.say(("REQ_MOVE", 0))
        for _ in range(MOST_REFUSALS):
            tried.append(await table.hear())
            await table.say(("RSP_MOVE", 1, "no"), ("REQ_MOVE", 0))
        tried.append(await table.hear())
        await table.say(("MSG_GAMEOVER", 1))

    lines = await play_against(contrary)
    assert [message.values[2] for message in tried] == ["x"] * MOST_REFUSALS + ["resign"]
    assert lines[-1] == "game 1: x against bob: lost"


async def test_a_bot_agrees_to_a_takeback_and_an_adjournment_but_to_no_draw() -> None:
    heard: list[object] = []

    async def asking(table: Table) -> None:
        await table.begin()
        await table.say(("REQ_MOVE", 1))
        for word in ("takeback 1", "draw", "adjourn"):
            await table.say(("MSG_MOVE", -1, -1, word))
            heard.append((await table.hear()).values[2])
        await table.say(("MSG_GAMEOVER", -1))

    await play_against(asking)
    assert heard == ["takeback 1", "decline", "adjourn"]


async def test_a_bot_says_that_no_stone_is_dead_and_agrees_to_what_the_other_side_says() -> None:
    heard: list[object] = []

    async def settling(table: Table) -> None:
        await table.begin()
        await table.say(("MSG_MOVE", -1, 0, "black"), ("REQ_MOVE", 1))
        for seat in (1, 0):
            await table.say(("REQ_MOVE", seat), ("MSG_MOVE", -1, -1, "pass"))
        await table.say(("MSG_MOVE", -1, -1, "settle"))
        heard.append((await table.hear()).values[2])
        await table.say(("RSP_MOVE", 0), ("MSG_MOVE", -1, -1, "dead"), ("MSG_MOVE", -1, -1, "dead 0"))
        heard.append((await table.hear()).values[2])
        await table.say(("MSG_GAMEOVER", 1))

    assert await play_against(settling, name="go") == ["game 1: black against bob: lost"]
    assert heard == ["dead", "dead 0"]


async def test_a_bot_says_what_its_pawn_becomes_before_it_moves() -> None:
    async def promoting(table: Table) -> None:
        await table.begin()
        squares = [("MSG_MOVE", at, -1) for at in (*range(16), *range(48, 64))]
        pieces = ((7, "black king"), (8, "white pawn"), (15, "black pawn"), (60, "white king"))
        placed = [("MSG_MOVE", -1, at, piece) for at, piece in pieces]
        await table.say(*squares, *placed, ("REQ_MOVE", 0))
        assert await table.hear() == Message("MSG_MOVE", (-1, -1, "promote queen"))
        assert await table.hear() == Message("MSG_MOVE", (8, 0))
        await table.say(("MSG_MOVE", 8, 0), ("MSG_MOVE", -1, 0, "white queen"), ("MSG_GAMEOVER", 0))

    assert await play_against(promoting, name="chess") == ["game 1: white against bob: won"]


async def test_a_bot_without_a_server_says_so() -> None:
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    host = Host(registry.game("ludo"), Wish("ludo"), Address("127.0.0.1", port), 1, print)
    with pytest.raises(Unreachable, match="no server answers"):
        await play_games(host, 1)


async def test_a_bot_that_is_turned_away_stops() -> None:
    async def refuse(table: Table) -> None:
        await table.hear()
        await table.say(("RSP_HANDSHAKE", 1, "version out of date"))

    began = time.monotonic()
    with pytest.raises(ExceptionGroup) as caught:
        await play_against(refuse)
    assert caught.group_contains(TurnedAway, match="version out of date")
    assert time.monotonic() - began < 10
