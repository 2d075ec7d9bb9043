"""The lines of a transcript: a conversation with one peer as text, written by the server's wire log and by tests.

tests/transcripts reads and replays them. The form, one line each::

    # a remark
    @ game=ludo            an option of the listener; only at the top
    >> REQ_MOVE ...        bytes that came from the peer, in the dialect's own text form
    >> eof                 the peer closed
    +> MSG_MOVE ...        bytes, or eof, that came before what was asked had been answered: they wait
    == answered            it has been: the next message that waits is interpreted
    => PlayMove(...)       the command that came of them
    !! why                 instead: the peer broke the protocol
    .. MoveMade(...)       what the connection was told
    << MSG_MOVE ...        the bytes that went to the peer because of the lines above
    -- closing             the dialect is through with the conversation
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocols.core.commands import Command
from protocols.core.notifications import Aside, Notification
from protocols.core.text import spell

REMARK: Final = "#"
OPTION: Final = "@"
WIRE_IN: Final = ">>"
WIRE_HELD: Final = "+>"
RESUMED: Final = "== answered"
COMMAND: Final = "=>"
BROKEN: Final = "!!"
TOLD: Final = ".."
WIRE_OUT: Final = "<<"
CLOSING: Final = "-- closing"
EOF: Final = "eof"


def remark(text: str) -> str:
    """A line that is kept and means nothing."""
    return f"{REMARK} {_visible(text)}"


def option(name: str, value: str) -> str:
    """One of the listener's options."""
    return f"{OPTION} {name}={_visible(value)}"


def wire_in(shown: Iterable[str], *, held: bool = False) -> list[str]:
    """The lines for the result of ``wire_to_text(..., sent=False)``, or for EOF."""
    return [f"{WIRE_HELD if held else WIRE_IN} {line}" for line in shown]


def eof() -> str:
    """The peer closed."""
    return f"{WIRE_IN} {EOF}"


def command(asked: Command) -> str:
    """A command that came of the bytes above."""
    return f"{COMMAND} {spell(asked)}"


def broken(why: str) -> str:
    """The bytes above broke the protocol: ``why`` is the text of the RemoteProtocolError."""
    return f"{BROKEN} {_visible(why)}"


def told(message: Notification | Aside) -> str:
    """A notification to the connection."""
    return f"{TOLD} {spell(message)}"


def wire_out(shown: Iterable[str]) -> list[str]:
    """The lines for the result of ``wire_to_text(..., sent=True)``."""
    return [f"{WIRE_OUT} {line}" for line in shown]


def _visible(text: str) -> str:
    """``text`` on one line: what does not print is escaped."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
