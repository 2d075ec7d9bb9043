"""Bogaprot's messages: their declaration, the values its document names, and its error sentences.

For clients too: ``Wire(codec(BOGAPROT), "client")``. Source: the Bogaprot document of GGZBoard, its appendices; seat
types from GGZ's ggz_common.h.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from protocols.core.errors import Why, numbered
from protocols.core.model import Outcome, Seat, SeatKind
from protocols.core.notifications import Rejected
from protocols.core.opcodes import Condition, Field, Link, Loop, Message, OpcodeProtocol, Shape

VERSION: Final = 1
"""The protocol version of REQ_HANDSHAKE; every client ever seen says 1."""

OK: Final = 0
REFUSED: Final = 1
"""The status of every refusal: the document gives no other number a meaning, the sentence says what is wrong."""

PASSWORD_NEEDED: Final = 2
"""The status of an RSP_HANDSHAKE for a client that asked for exactly its name, which is an account's: ours."""

SEAT_TAKEN: Final = 2
"""The status of the last RSP_MOVE of a connection whose seat another connection has taken: ours."""

NOT_GIVEN: Final = -1
"""A position that is not given; any negative one is read so."""

_ERROR = Field("message", "string", Condition("status", "unequal", OK))
_NAMED = Condition("type", "unequal", SeatKind.OPEN, "ggz:seat_open")

BOGAPROT: Final = OpcodeProtocol(
    "bogaprot",
    VERSION,
    (
        Shape("REQ_HANDSHAKE", 101, ("client",), (Field("engine", "string"), Field("version"))),
        Shape("RSP_HANDSHAKE", 102, ("server",), (Field("status"), _ERROR)),
        Shape("MSG_SEAT", 103, ("server",), (Field("seat"),)),
        Shape(
            "MSG_PLAYERS",
            104,
            ("server",),
            (Field("seats"), Loop("players", "seats", (Field("type"), Field("name", "string", _NAMED)))),
        ),
        Shape("MSG_START", 105, ("server",)),
        Shape("REQ_MOVE", 106, ("server",), (Field("seat"),)),
        Shape("RSP_MOVE", 107, ("server",), (Field("status"), _ERROR)),
        Shape(
            "MSG_MOVE",
            108,
            ("client", "server"),
            (Field("source"), Field("destination"), Field("type", "string", Condition("source", "smaller", 0))),
        ),
        Shape("MSG_DICE", 109, ("server",), (Field("value"),)),
        Shape("MSG_GAMEOVER", 110, ("server",), (Field("winner"),)),
    ),
    (
        Link("REQ_HANDSHAKE", "RSP_HANDSHAKE"),
        Link("MSG_MOVE", "REQ_MOVE"),
        Link("MSG_MOVE", "RSP_MOVE"),
    ),
)

WELCOME: Final = Message("RSP_HANDSHAKE", (OK,))
START: Final = Message("MSG_START")
ACCEPTED: Final = Message("RSP_MOVE", (OK,))

TRY_LATER: Final = "server overload, try again later"

_SENTENCES: Final[Mapping[Why, str]] = {
    Why.UNKNOWN_GAME: "game engine not supported",
    Why.OLD_VERSION: "version out of date",
    Why.NEW_VERSION: "version too new",
    Why.OVERLOAD: TRY_LATER,
    Why.OUT_OF_BOUNDS: "movement out of bounds",
    Why.OWN_PIECE_THERE: "cannot move to field which is occupied by another piece of yours",
    Why.PLACEMENTS_FIRST: "cannot move, must finish placements first",
    Why.NOT_YOUR_PIECE: "not your piece",
}


def not_available(piece: str) -> str:
    """The document's sentence for a placement that cannot be made."""
    return f"piece of type '{piece}' is not available for placement"


def sentence(refusal: Rejected) -> str:
    """The document's sentence for the cause, where it has one; else what the refusal says itself."""
    if refusal.why is Why.NO_SUCH_PIECE and (piece := re.search(r"'(.*?)'", refusal.text, re.DOTALL)):
        return not_available(piece[1])
    return _SENTENCES.get(refusal.why) or numbered(refusal.text) or str(refusal.why)


def handshake_refused(text: str, status: int = REFUSED) -> Message:
    return Message("RSP_HANDSHAKE", (status, text))


def move_refused(text: str) -> Message:
    return Message("RSP_MOVE", (REFUSED, text))


def seat_taken(text: str) -> Message:
    return Message("RSP_MOVE", (SEAT_TAKEN, text))


def players(seats: Iterable[Seat]) -> Message:
    """MSG_PLAYERS of these seats: a name unless the seat is open."""
    listed = list(seats)
    values: list[int | str] = [len(listed)]
    for seat in listed:
        values += [int(seat.kind)] if seat.kind is SeatKind.OPEN else [int(seat.kind), seat.name]
    return Message("MSG_PLAYERS", tuple(values))


def seats_of(message: Message) -> list[Seat]:
    """The seats of a MSG_PLAYERS, for clients. A type GGZ does not know reads as NONE."""
    record = BOGAPROT.shape("MSG_PLAYERS").record(message.values)
    known = {int(kind): kind for kind in SeatKind}
    return [
        Seat(index, known.get(player["type"], SeatKind.NONE), player["name"] or "")
        for index, player in enumerate(record["players"])
    ]


@lru_cache(4096)
def moved(source: int, destination: int) -> Message:
    return Message("MSG_MOVE", (source, destination))


@lru_cache(64)
def asked(seat: int) -> Message:
    return Message("REQ_MOVE", (seat,))


def removed(square: int) -> Message:
    return Message("MSG_MOVE", (square, NOT_GIVEN))


def placed(square: int, piece: str) -> Message:
    return Message("MSG_MOVE", (NOT_GIVEN, square, piece))


def word(text: str) -> Message:
    """A move that is only a word: "pass", "draw"."""
    return Message("MSG_MOVE", (NOT_GIVEN, NOT_GIVEN, text))


def game_over(outcome: Outcome, draw: int) -> Message:
    """MSG_GAMEOVER, with ``draw`` for a game without a winner."""
    return Message("MSG_GAMEOVER", (draw if outcome.winner is None else outcome.winner,))
