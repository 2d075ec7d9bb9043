"""HTTP sessions keep one entry a player, in any spelling of its name, and none after its end."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from gateway import registry
from gateway.config import Seats
from gateway.lobby.registration import Registration
from gateway.web.http_dialects import http_sessions
from protocols.gamesman import wire
from protocols.gamesman.dialect import Gamesman
from protocols.gamesman.http import Asked, GamesmanHttp
from tests.hall import config, hall


def asked(source: str, dest: str, move: bytes) -> Asked:
    """A request as the route reads it."""
    names = ((wire.SRC, source.encode()), (wire.DEST, dest.encode()))
    return Asked(source, dest, fields=(*names, (wire.TYPE, wire.SEND_MOVE.encode()), (wire.MOVE, move)))


async def test_spellings_of_a_pair_are_one_session_which_ends_with_its_table(autojump_clock: MockClock) -> None:
    async with hall(config(seats=Seats(registered_s=100.0))) as here:
        binding = GamesmanHttp()
        sessions = http_sessions(here.server, Gamesman, binding)
        await here.server.registrar.register(Registration(registry.game("tic_tac_toe").settings(), ("an na", "bert")))
        for number in range(300):
            sessions.ask(asked("an" + " " * (number + 1) + "na", "bert", b"zz\xff"), "192.0.2.7", "")
            await trio.sleep(0.01)
        assert (len(sessions._sessions), len(sessions._last), len(binding._spelled)) == (1, 1, 1)
        await trio.sleep(1_000.0)
        assert len(here.server.tables) == 0
        assert (sessions._sessions, sessions._last, sessions._at, binding._spelled) == ({}, {}, {}, {})


async def test_a_request_that_finds_the_server_full_leaves_no_session(autojump_clock: MockClock) -> None:
    async with hall() as here:
        sessions = http_sessions(here.server, Gamesman, GamesmanHttp())
        await here.server.registrar.register(Registration(registry.game("tic_tac_toe").settings(), ("anna", "bert")))
        await here.server.farewell()
        exchange = sessions.ask(asked("anna", "bert", b"a1"), "192.0.2.7", "")
        assert exchange.answer is not None
        assert exchange.answer.headers == wire.error("the server is full, or stopping: try again later")
        assert (sessions._sessions, sessions._last, sessions._at) == ({}, {}, {})
