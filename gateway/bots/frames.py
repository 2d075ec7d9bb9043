"""Frames between a pool and its workers: a length in four bytes, then a pickle.

For the pipe between two processes of one server only: a foreign pickle could run anything.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from protocols.core.model import Move

LENGTH: Final = struct.Struct(">I")

FRAME_MAX: Final = 1 << 20
"""Bytes: positions are a few kilobytes; a longer frame means the two ends have lost step."""


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """Asks for a move in ``position`` of ``game``, thought about for at most ``budget_s`` seconds.

    ``weigh``: also for its value, where a lone legal move is thought about, too. Nobody waits for that at a board, so
    its seconds are the processor's: what it sees does not depend on what else the machine does.
    """

    game: str
    position: Any
    level: int
    budget_s: float
    weigh: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker's first word: the games are loaded."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The move, and its value to the seat that makes it, where that was asked for and found."""

    move: Move
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """No move came of it; ``text`` says why, for the log."""

    text: str


Answer: TypeAlias = Ready | Chosen | Failed


def packed(message: MoveRequest | Answer) -> bytes:
    """The whole frame of a message. ValueError: longer than FRAME_MAX."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    if len(body) > FRAME_MAX:
        raise ValueError(f"a frame of {len(body)} bytes, more than {FRAME_MAX}")
    return LENGTH.pack(len(body)) + body


def length(head: bytes | bytearray) -> int:
    """Bytes of the body that follows these first four. ValueError: longer than FRAME_MAX."""
    (size,) = LENGTH.unpack(head)
    if size > FRAME_MAX:
        raise ValueError(f"a frame of {size} bytes, more than {FRAME_MAX}")
    return int(size)


def taken(buffer: bytearray) -> Answer | None:
    """Take the first whole message off ``buffer``; None while there is none. ValueError: longer than FRAME_MAX."""
    if len(buffer) < LENGTH.size:
        return None
    end = LENGTH.size + length(buffer[: LENGTH.size])
    if len(buffer) < end:
        return None
    answer: Answer = pickle.loads(buffer[LENGTH.size : end])
    del buffer[:end]
    return answer
