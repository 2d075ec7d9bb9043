"""A client that has no word for a pass plays on: a turn in which only that is legal ends by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from tests.conformance.ggzboard_emulator import BogaprotClient
from tests.conformance.servers import fast
from tests.conformance.spec_client import SpecClient
from tests.running import RunningServer

BLOCKED: Final = "......../......r./......../......../e......./......../R......./........ 0 steps 0"
"""Gold's only piece, the rabbit on a2, has one step; on a3 the silver elephant on a4 freezes it."""

A2, A3, A4, B4 = 48, 40, 32, 33
LEGACY, WORDS = range(2)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    listeners = (f"bogaprot,game=arimaa,start={BLOCKED}", "bogaprot")
    with fast(tmp_path_factory.mktemp("pass"), *listeners) as running:
        yield running


def begun(client: BogaprotClient) -> None:
    while client.read() != ("REQ_MOVE", 0):
        pass


def test_arimaa_s_client_ends_its_turn_by_having_nothing_else_to_do(server: RunningServer) -> None:
    """It is told the next request, and no negative int."""
    with closing(BogaprotClient(server.ports[LEGACY])) as one, closing(BogaprotClient(server.ports[LEGACY])) as other:
        for client in (one, other):
            begun(client)
        gold, silver = sorted((one, other), key=lambda client: client.seat)
        gold.move(A2, A3)
        for client in (gold, silver):
            told = [message for message in iter(client.read, ("REQ_MOVE", 1)) if message[0] != "RSP_MOVE"]
            assert told == [("MSG_MOVE", A2, A3), ("REQ_MOVE", 0)]
        silver.move(A4, B4)
        for client in (gold, silver):
            assert ("MSG_MOVE", A4, B4) in [client.read() for _ in range(2)]


def test_a_client_with_the_word_is_asked_for_it(server: RunningServer) -> None:
    clients = [SpecClient(server.ports[WORDS]) for _ in range(2)]
    for client in clients:
        assert client.handshake(f"arimaa?start={BLOCKED.replace(' ', '%20')}") == ("RSP_HANDSHAKE", 0)
        client.until("MSG_SEAT")
    gold = next(client for client in clients if client.seat == 0)
    assert gold.until("REQ_MOVE") == ("REQ_MOVE", 0)
    gold.move(A2, A3)
    assert gold.until("REQ_MOVE") == ("REQ_MOVE", 0)
    gold.move(-1, -1, "pass")
    assert gold.until("REQ_MOVE") == ("REQ_MOVE", 1)
    for client in clients:
        client.close()
