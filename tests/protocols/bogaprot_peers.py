"""Clients of Bogaprot at two moments: waiting for the handshake's answer, and in a game that has just begun."""

from __future__ import annotations

from protocols.bogaprot.dialect import Bogaprot
from protocols.core.events import MoveMade
from protocols.core.model import Move
from protocols.core.notifications import Seated
from tests.protocols.talk import CHECKERS, ask, begun, tell

BOARD = {1: "black man", 62: "white man"}
STEP = MoveMade(0, Move(1, 8), 1, "1-5", ((1, None), (8, "black man")), "")


def asked(engine: str = "checkers") -> Bogaprot:
    """A client that has sent its handshake and waits for the answer."""
    peer = Bogaprot()
    ask(peer, f'REQ_HANDSHAKE "{engine}" 1')
    return peer


def playing(seat: int = 0) -> Bogaprot:
    """A client in this seat of a game of checkers that has just begun; what it was told is taken."""
    peer = asked()
    tell(peer, Seated(1, seat, begun(CHECKERS, BOARD, "alice", "bot")))
    return peer
