"""Messages that CECP and the peer-to-peer protocol share: the second took these words from the first.

A message has the same fields in both; what the sender's user, GUI or engine does about it is said by each protocol's
own module (protocols/cecp/gui_lines.py, protocols/chess_p2p/messages.py). Source: as there.
"""

from __future__ import annotations

import msgspec


class Message(msgspec.Struct, frozen=True):
    """Base of all messages of the two protocols."""


class New(Message, frozen=True):
    """A new game of normal chess. CECP: the engine plays Black. Peers: the sender plays neither side yet."""


class Variant(Message, frozen=True):
    """The game begun by New is another one than normal chess."""

    name: str


class SetBoard(Message, frozen=True):
    """The game begins, or goes on, from this position."""

    fen: str


class Go(Message, frozen=True):
    """The receiver plays the side that is on move."""


class Level(Message, frozen=True):
    """A time control: ``mps`` moves in ``tc`` seconds (0: all moves; -1: each move), ``inc`` seconds after each."""

    mps: int
    tc: float
    inc: float


class Time(Message, frozen=True):
    """Centiseconds left on the receiver's clock, as the sender sees it."""

    left: int


class OTim(Message, frozen=True):
    """Centiseconds left on the clock of the receiver's opponent, as the sender sees it."""

    left: int


class Draw(Message, frozen=True):
    """The sender's user offers a draw, or agrees to one."""


class Result(Message, frozen=True):
    """The sender regards the game as over: "1-0", "0-1", "1/2-1/2" or "*", and why."""

    result: str
    comment: str = ""


class Undo(Message, frozen=True):
    """The sender's GUI is one ply back; neither side plays until a new Go."""


class Remove(Message, frozen=True):
    """The sender's user, on move, took the last two plies back."""


class Name(Message, frozen=True):
    """The receiver's opponent has this name."""

    name: str


class Ping(Message, frozen=True):
    """Answer with the same number. CECP: when everything before it is done. Peers: at once, to show the line is up."""

    number: int


class Quit(Message, frozen=True):
    """The sender ends the conversation on purpose. CECP: the engine exits at once."""


class Unknown(Message, frozen=True):
    """A line with no word of the protocol, an empty one, or one whose arguments make no sense."""

    line: str
