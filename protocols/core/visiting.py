"""Dialects of servers that one visits by name, types commands at and plays on: FICS, IGS and their like.

Somebody who is here has a seat or none, and a game that is over is left with the next word that needs another one. The
connection's parts are the subclass's own; they share a desk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, Protocol

from protocols.core import events as ev
from protocols.core import notifications as ntf
from protocols.core.answering import AnsweringDialect
from protocols.core.commands import Command, Leave
from protocols.core.dialect import Awaited
from protocols.core.line_text import clean

LOOK_S: Final = 5.0
"""Seconds between two looks at the offers that stand."""

IDLE_S: Final = 3600.0
"""Seconds without a word after which somebody who does not play is sent away."""


class Doorway(Protocol):
    """The conversation before somebody is ``here``."""

    @property
    def here(self) -> bool: ...
    def hear(self, line: str) -> list[Command]: ...
    def named(self, message: ntf.Named) -> None: ...
    def logged_in(self, message: ntf.LoggedIn) -> None: ...
    def refused(self, message: ntf.Rejected) -> None: ...


class Lists(Protocol):
    """Lists that were asked for."""

    def answered(self, message: ntf.Answered) -> None: ...


class Lobby(Protocol):
    """Offers that stand; ``accept`` and ``decline`` are None where there is none that is meant."""

    def look(self) -> list[Command]: ...
    def answered(self, message: ntf.Answered) -> None: ...
    def noticed(self, message: ntf.Noticed) -> None: ...
    def call(self, message: ntf.Called) -> None: ...
    def seat(self, rest: str) -> list[Command]: ...
    def accept(self, rest: str) -> list[Command] | None: ...
    def decline(self, rest: str) -> list[Command] | None: ...


class Play(Protocol):
    """The ``own`` table, None without one; ``accept`` and ``decline`` as those of Lobby, of what is proposed there."""

    own: Any

    @property
    def busy(self) -> bool: ...
    def free(self) -> list[Command]: ...
    def gone(self) -> None: ...
    def sits(self) -> list[Command]: ...
    def sat_down(self, seated: ntf.Seated) -> list[Command]: ...
    def told(self, event: ntf.Notification) -> None: ...
    def accept(self, rest: str) -> list[Command] | None: ...
    def decline(self, rest: str) -> list[Command] | None: ...


class Readable(Protocol):
    """Bytes as readable lines, and back; ``sent``: they go to the peer."""

    def to_text(self, data: bytes, *, sent: bool) -> list[str]: ...
    def to_wire(self, lines: Iterable[str], *, sent: bool) -> bytes:
        """ValueError names the line that cannot be read."""


class VisitingDialect(AnsweringDialect):
    """``banner`` is what everybody reads first, ``readable`` shows its bytes as lines. A subclass makes the parts."""

    banner: ClassVar[tuple[str, ...]] = ()
    readable: ClassVar[Readable]
    ticket_words = "seat {ticket}"
    ticketed = True
    secret_marks = (b"",)
    reads_ahead = True
    patient = True
    hears_seeks = True
    hears_talk = True
    quick_ack = True
    keep_alive_s = LOOK_S

    _doorway: Doorway
    _lists: Lists
    _lobby: Lobby
    _play: Play

    def connected(self) -> list[Command]:
        self._desk.say(*self.banner)
        self._flush()
        return []

    def _end(self) -> list[Command]:
        self.closing = True
        return [] if self._play.own is None else [Leave(lost=True)]

    # bytes as lines

    @classmethod
    def wire_to_text(cls, data: bytes, *, sent: bool, options: Mapping[str, str]) -> list[str]:
        return cls.readable.to_text(data, sent=sent)

    @classmethod
    def text_to_wire(cls, lines: Iterable[str], *, sent: bool, options: Mapping[str, str]) -> bytes:
        return cls.readable.to_wire(lines, sent=sent)

    # what is asked

    def _said(self, line: str, obey: Callable[[str], list[Command]]) -> list[Command]:
        """The commands of a line that wants an answer; what is wrong with it is said."""
        self._desk.answering = True
        if not self._doorway.here:
            return self._doorway.hear(line)
        try:
            return obey(line)
        except ValueError as wrong:
            self._desk.refuse(str(wrong))
            return []

    def _freed(self, ask: Callable[[], list[Command]]) -> list[Command]:
        """Commands for another game, which a player of one that is over is free for."""
        if self._play.busy:
            raise ValueError("You are playing a game.")
        found = ask()
        return [*self._play.free(), *found]

    def _seat(self, rest: str) -> list[Command]:
        return [*self._freed(lambda: self._lobby.seat(rest)), *self._play.sits()]

    def _accept(self, rest: str) -> list[Command]:
        found = self._play.accept(rest)
        if found is None and not self._play.busy and (taken := self._lobby.accept(rest)) is not None:
            found = [*self._play.free(), *taken]
        if found is None:
            raise ValueError("There are no offers to accept.")
        return found

    def _decline(self, rest: str) -> list[Command]:
        found = self._play.decline(rest) or self._lobby.decline(rest)
        if found is None:
            raise ValueError("There are no offers to decline.")
        return found

    # what is told

    def _told(self, message: ntf.Notification) -> None:
        desk, lobby, play = self._desk, self._lobby, self._play
        match message:
            case ntf.Displaced():
                desk.inform(f"{ntf.DISPLACED[:1].upper()}{ntf.DISPLACED[1:]}.")
                play.gone()
                self._flush()
                self.closing = True
            case ntf.Named():
                self._doorway.named(message)
            case ntf.LoggedIn():
                self._doorway.logged_in(message)
            case ntf.Rejected():
                self._refused(message)
            case ntf.Answered(topic="offers"):
                lobby.answered(message)
            case ntf.Answered():
                self._lists.answered(message)
            case ntf.Noticed():
                lobby.noticed(message)
            case ntf.Called():
                desk.asks += play.free()
                lobby.call(message)
            case ntf.Uncalled(text=why):
                play.gone()
                desk.inform(clean(why))
                desk.asks.append(Leave())
            case ntf.Seated():
                desk.asks += play.sat_down(message)
            case ev.Said(seat=None) if play.own is None:
                if self._doorway.here:
                    desk.hear(message)
            case _ if play.own is not None:
                play.told(message)

    def _refused(self, message: ntf.Rejected) -> None:
        if not self._doorway.here:
            self._doorway.refused(message)
            return
        refused, self._refusal, self._finish = self._refusal, None, None
        if refused is not None:
            refused(message)
        else:
            self._desk.refuse(clean(message.text))

    # time

    def keep_alive(self) -> list[Command]:
        """Look at the offers that stand, where somebody wants to hear of them."""
        here = self._doorway.here and not self._play.busy
        return self._lobby.look() if here and not self._desk.answering else []

    @property
    def awaiting(self) -> Awaited | None:
        """A word, within an hour, of somebody who is here and does not play."""
        idle = self._doorway.here and not self._play.busy
        return Awaited(self._lines_heard, "a word", IDLE_S) if idle else None

    def late(self) -> list[Command]:
        self._desk.inform("You have been idle for an hour: goodbye.")
        self._flush()
        self.closing = True
        return []
