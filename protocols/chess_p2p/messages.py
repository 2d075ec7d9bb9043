"""Messages of two chess GUIs over the peer-to-peer protocol, as values: the document's words, then ours.

Source: H.G. Muller's text of the protocol; ``Result`` is named in its prose only and has CECP's form. Draw to Pong are
not in the text: a peer that does not know them ignores them, and they are sent only to one that has used one of them.
"""

from __future__ import annotations

from protocols.chess_words.messages import *  # noqa: F403 - these are this protocol's messages, too
from protocols.chess_words.messages import Draw, Message, Ping


class Advanced(Message, frozen=True):
    """``move``: the sender's GUI advanced by this move, its user's or one that it was sent: then this is the echo."""

    move: str


class Accepted(Message, frozen=True):
    """The answer to Go from a peer that sent Go before, when the games match: the game is on."""


class Text(Message, frozen=True):
    """For the receiver's user to read."""

    text: str


class Hallo(Message, frozen=True):
    """The call is answered; for the receiver's user to read."""

    text: str


class Adjourn(Message, frozen=True):
    """Offers to interrupt the game, or agrees to."""


class Abort(Message, frozen=True):
    """Ends the game without a result, or offers to."""


class Resume(Message, frozen=True):
    """Offers to go on with an interrupted game, or agrees to."""


class Rematch(Message, frozen=True):
    """Offers another game like the last one, or agrees to."""


class Takeback(Message, frozen=True):
    """Asks to take this many plies back, or agrees to: for what Remove cannot say."""

    plies: int


class Resign(Message, frozen=True):
    """The sender's user gives up."""


class Accept(Message, frozen=True):
    """Agrees to any last offer of the peer."""


class Decline(Message, frozen=True):
    """Refuses what the peer offered last."""


class Ticket(Message, frozen=True):
    """The secret that takes a seat, and takes it back after a lost connection; only to and from a server."""

    secret: str


class MyName(Message, frozen=True):
    """The sender's own user has this name; only to a server."""

    name: str


class Pong(Message, frozen=True):
    """The answer to Ping."""

    number: int


class Malformed(Message, frozen=True):
    """A word of the protocol with arguments that it does not have; ``form`` is how it is written."""

    line: str
    form: str


OURS = frozenset((Draw, Adjourn, Abort, Resume, Rematch, Takeback, Resign, Accept, Decline, Ticket, MyName, Ping, Pong))
"""The words that are not in the document."""
