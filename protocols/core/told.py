"""What a connection is told: every event of its table, and the messages that are never stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from protocols.core.errors import Why
from protocols.core.events import Event
from protocols.core.proposals import Start

DISPLACED: Final = "another client has taken your seat; this connection is closed"
"""The sentence for Displaced, in every dialect that has room for one. Our clients know it by its words."""


@dataclass(frozen=True, slots=True)
class Seated:
    """The first thing a connection is told: its seat and everything that happened at the table until now.

    ``seat`` is None for an observer. ``ticket`` is the secret that takes this seat back, "" where the peer brought
    its own or the dialect can carry none. ``past`` includes the peer's own arrival; a game that begins with it is told
    event by event afterwards.
    """

    table: int
    seat: int | None
    past: tuple[Event, ...]
    ticket: str = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A command was refused: goes to its sender only. ``text`` says what is wrong and shows the value."""

    why: Why
    text: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The house's answer to an Inquire on ``topic``: lines for a person to read. A topic of "" is a remark unasked."""

    lines: tuple[str, ...]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A seek that stands: ``name`` waits for an opponent and proposes ``start``.

    ``manual``: it confirms a challenge before the game begins.
    """

    name: str
    game: str
    start: Start
    manual: bool = False


@dataclass(frozen=True, slots=True)
class Noticed:
    """What has changed of the seeks that stand, for a visitor: a connection without a table whose dialect hears seeks.

    At first it is told a page of those that stand, then each that comes or goes. ``more`` stand that do not fit a page.
    """

    posted: tuple[Notice, ...] = ()
    removed: tuple[Notice, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class CalledAway:
    """Its seat was taken back before any game, for somebody waits elsewhere whom it may play, or it cannot play whom it
    sat with: it asks for a seat again. Told only where the dialect ``roams``."""


@dataclass(frozen=True, slots=True)
class Unmatched:
    """The connection's proposal stands, it sits alone, and no other player who waits can play it: ``others`` says in
    words who waits for other games. Told only to a peer that said with its Join what it is going to propose."""

    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """The answer to a Login: the connection is the account ``name`` now, by the name as it was registered."""

    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """The connection's seat has another name than it asked for, and ``text`` is a sentence that says why."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Displaced:
    """Another connection has taken this connection's seat. The last message a connection is told: a dialect says it in
    its words and ends the conversation."""


Told: TypeAlias = Event | Seated | Rejected | Answered | CalledAway | Unmatched | LoggedIn | Named | Displaced | Noticed
