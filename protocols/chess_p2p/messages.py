"""What two chess GUIs tell each other over the peer-to-peer protocol, as values: the document's words, then ours.

Not here: how lines are read and written (wire.py) and who says what when. Source: H.G. Muller's text of the
protocol; ``Result`` is named in its prose only and has CECP's form. Draw to Pong are not in the text: a peer that
does not know them ignores them, and they are sent only to one that has used one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class New:
    """The sender's user started a new game of normal chess; the sender plays neither side yet."""


@dataclass(frozen=True, slots=True)
class Variant:
    """After New: the game is not normal chess."""

    name: str


@dataclass(frozen=True, slots=True)
class SetBoard:
    """After New or Variant: the game begins from this position."""

    fen: str


@dataclass(frozen=True, slots=True)
class Advanced:
    """``move``: the sender's GUI advanced by this move, its user's or one that it was sent: then this is the echo."""

    move: str


@dataclass(frozen=True, slots=True)
class Go:
    """The sender started to play and expects a move: its user plays the side that is not on move."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to Go from somebody who sent Go before, when the games match: the game is on."""


@dataclass(frozen=True, slots=True)
class Result:
    """The sender's game ended: "1-0", "0-1", "1/2-1/2" or "*", and why."""

    result: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """The receiver's opponent has this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """For the receiver's user to read."""

    text: str


@dataclass(frozen=True, slots=True)
class Hallo:
    """The call is answered; for the receiver's user to read."""

    text: str


@dataclass(frozen=True, slots=True)
class Level:
    """The sender's time control: moves per session (0: all, -1: ``tc`` is for one move), seconds, seconds."""

    mps: int
    tc: float
    inc: float


@dataclass(frozen=True, slots=True)
class Time:
    """Centiseconds left on the receiver's clock, as the sender sees it."""

    left: int


@dataclass(frozen=True, slots=True)
class OTim:
    """Centiseconds left on the clock of the receiver's opponent, as the sender sees it."""

    left: int


@dataclass(frozen=True, slots=True)
class Remove:
    """The sender's user, on move, took two plies back: the receiver is asked to do the same."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The sender's GUI is one ply back, and plays no more until a new Go."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The sender is about to close the connection, on purpose."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Offers a draw, or agrees to one."""


@dataclass(frozen=True, slots=True)
class Adjourn:
    """Offers to interrupt the game, or agrees to."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Offers to go on with an interrupted game, or agrees to."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Offers another game like the last one, or agrees to."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """Asks to take this many plies back, or agrees to: for what Remove cannot say."""

    plies: int


@dataclass(frozen=True, slots=True)
class Resign:
    """The sender's user gives up."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Agrees to what the peer offered last, whatever it was."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuses what the peer offered last."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The secret that takes a seat, and takes it back after a lost connection; only to and from a server."""

    secret: str


@dataclass(frozen=True, slots=True)
class MyName:
    """The sender's own user has this name; only to a server."""

    name: str


@dataclass(frozen=True, slots=True)
class Ping:
    """Answer with Pong and the same number, at once: the sender wants to know whether the line is still there."""

    number: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to Ping."""

    number: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line with no word of the protocol, or an empty one. It means nothing."""

    line: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A word of the protocol with arguments that it does not have; ``form`` is how it is written."""

    line: str
    form: str


Message: TypeAlias = (
    New
    | Variant
    | SetBoard
    | Advanced
    | Go
    | Accepted
    | Result
    | Name
    | Text
    | Hallo
    | Level
    | Time
    | OTim
    | Remove
    | Undo
    | Quit
    | Draw
    | Adjourn
    | Resume
    | Rematch
    | Takeback
    | Resign
    | Accept
    | Decline
    | Ticket
    | MyName
    | Ping
    | Pong
    | Unknown
    | Malformed
)

OURS = (Draw, Adjourn, Resume, Rematch, Takeback, Resign, Accept, Decline, Ticket, MyName, Ping, Pong)
"""The words that are not in the document."""
