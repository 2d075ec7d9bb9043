"""Lines of the dialect lichess-bot: one JSON object each, a request or what answers it, or an object of a stream.

A request has a number, which its answer repeats: ``{"request":3,"ask":"move","text":"e2e4"}`` is answered by
``{"request":3,"status":200,"body":{"ok":true}}``, the status being HTTP's. What a stream tells has a ``type``. Where a
game is to be taken up by a connection of its own, ``play`` says how. Of a seek by its mark, ``taken`` says that a game
may come of it at ``table``, ``stands`` that none did and it stands again, ``ended`` that it is over.

Source: the lines are ours; what is in them is the public API description of lichess.org.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import msgspec

from protocols.core.errors import RemoteProtocolError

LONGEST: Final = 8192
"""Bytes of a line: a chat line of 140 characters, or a challenge with a position, many times over."""

LONGEST_NUMBER: Final = 1 << 53
"""Requests are counted below this: what every reader of JSON keeps exactly."""

Tree: TypeAlias = dict[str, Any]
"""A JSON object."""

OK: Final[Tree] = {"ok": True}


class Seek(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player called ``name`` who waits at a table: the rule set, the time as ``time_text`` has it, the first
    position; ``side`` is the seat that is free."""

    name: str
    variant: str = "normal"
    time: str = "none"
    start: str = ""
    rated: bool = False
    side: int | None = None


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request. ``number`` 0: no answer is awaited.

    ``id`` is a challenge's or a game's. ``text`` is a move, a chat line, or the name of who is challenged. ``yes`` is
    an answer, and of a move that a draw is offered with it. ``table`` or ``seek`` is where to sit. ``at`` is a Unix
    time in milliseconds, ``program`` the asking program by its own name; ``bot``: its account is a program's. The rest
    is of a challenge: ``limit`` and ``increment`` in seconds, ``days`` for each move. The ``text`` of a seek is the
    mark by which its end is told, ``ratings`` the range that it is for, "1400-1600". ``level`` is that of a house
    bot to play with; ``seconds`` are given to the opponent.
    """

    number: int = msgspec.field(default=0, name="request")
    ask: str = ""
    id: str = ""
    text: str = ""
    room: str = "player"
    yes: bool = False
    table: int = 0
    seek: Seek | None = None
    at: int = 0
    program: str = ""
    bot: bool = False
    limit: float | None = None
    increment: float = 0.0
    days: int = 0
    rated: bool = False
    variant: str = "standard"
    color: str = "random"
    fen: str = ""
    ratings: str = ""
    level: int = 0
    seconds: int = 0


_READER: Final = msgspec.json.Decoder(Line)


def read(line: bytes) -> Line:
    """The request of a line. RemoteProtocolError shows a line that is none."""
    try:
        found = _READER.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RemoteProtocolError(f"not a request: {line[:80]!r}: {error}") from None
    if not 0 <= found.number < LONGEST_NUMBER or abs(found.at) >= LONGEST_NUMBER or not found.ask:
        raise RemoteProtocolError(f"not a request: {line[:80]!r}")
    return found


def write(tree: Mapping[str, Any]) -> bytes:
    """An object as a line."""
    return msgspec.json.encode(tree, enc_hook=str) + b"\n"  # a game's refusal is a kind of text of its own


def answer(number: int, body: Any, status: int = HTTPStatus.OK, play: Tree | None = None) -> bytes:
    """The line that answers a request."""
    more = {} if play is None else {"play": play}
    return write({"request": number, "status": int(status), "body": body} | more)


def refusal(text: str) -> Tree:
    """The body of an answer that refuses."""
    return {"error": text}
