"""Two clients of the document at one table, as bare clients: for tests that look at single messages."""

from __future__ import annotations

from tests.conformance.brains import Brain, settings
from tests.conformance.spec_client import SpecClient


def client(port: int, engine: str) -> SpecClient:
    """Accepted by the handshake, MSG_SEAT and MSG_PLAYERS read; it knows the usual board of the game it asks for."""
    game, _, wishes = engine.partition("#")[0].partition("?")
    wished = dict(wish.split("=") for wish in wishes.split("&") if wish)
    usual = Brain(settings(game, wished.get("variant", ""), int(wished.get("seats", 0)))).usual
    found = SpecClient(port, usual)
    assert found.handshake(engine) == ("RSP_HANDSHAKE", 0)
    found.until("MSG_PLAYERS")
    return found


def pair(port: int, engine: str, asked: int = 0) -> tuple[SpecClient, SpecClient]:
    """Two at a new table, who have both heard who moves first: the seat ``asked``."""
    first, second = client(port, engine), client(port, engine)
    assert first.until("REQ_MOVE") == second.until("REQ_MOVE") == ("REQ_MOVE", asked)
    assert (first.seat, second.seat) == (0, 1)
    return first, second
