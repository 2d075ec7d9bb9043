"""A desk that the parts of one connection share, which types commands: lines to say, commands that follow, its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from protocols.core.commands import Command
from protocols.core.events import Said
from protocols.core.line_text import clean
from protocols.core.notifications import Points, Rejected


@dataclass(slots=True)
class Desk:
    """``lines`` are said next; ``asks`` follow without the peer's words, ``later`` those behind the line's own answer.

    While the peer's line is being ``answering``, what comes by itself waits in ``behind``, and is said behind that.
    ``finish`` is called once all that the peer's line has asked for has been answered, ``refused`` in place of the
    words of a refusal; the dialect takes both away. ``now`` is the time of what is interpreted, in seconds on the line
    of the clocks. ``name`` is the peer's own, ``account`` whether that is one's. ``ratings`` and ``accounts`` are what
    has been told of names.
    """

    lines: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    answering: bool = False
    asks: list[Command] = field(default_factory=list)
    later: list[Command] = field(default_factory=list)
    finish: Callable[[], None] | None = None
    refused: Callable[[Rejected], None] | None = None
    name: str = ""
    account: bool = False
    ratings: dict[str, Points] = field(default_factory=dict)
    accounts: set[str] = field(default_factory=set)
    now: float = 0.0

    def say(self, *lines: str) -> None:
        self.lines += lines

    def come(self, *lines: str) -> None:
        """Say what nobody here has asked for: behind an answer that is being given."""
        if self.answering:
            self.behind += lines
        else:
            self.say(*lines)

    def repeat(self, line: str, *, own: bool) -> None:
        """Say words that many hear; the peer's ``own`` come back as what it has asked for."""
        (self.say if own else self.come)(line)

    def inform(self, text: str) -> None:
        """Say what somebody wants to know."""
        self.say(text)

    def refuse(self, text: str) -> None:
        """Say why something cannot be had."""
        self.say(text)

    def meant(self, text: str) -> str:
        """The name that a client means by this word."""
        raise NotImplementedError

    def hear(self, event: Said) -> None:
        """Say somebody's words that were spoken at no table."""
        raise NotImplementedError

    def tells_ticket(self, ticket: str) -> None:
        """Say how a guest comes back to a seat; an account logs in again."""
        if ticket and not self.account:
            self.inform(f"To come back to this seat, should you lose the line: seat {ticket}")

    def opens(self, line: str) -> None:
        """Begin the answer with this line, unless what was asked for is refused."""
        self.finish = lambda: self.lines.insert(0, line)

    def rate(self, name: str, points: Points | None, *, account: bool = False) -> None:
        """Note what has been told of a name."""
        if points is not None:
            self.ratings[name] = points
        if account:
            self.accounts.add(name)


def worded(rest: str) -> str:
    """The words to be said. ValueError: nothing is."""
    if not rest.strip():
        raise ValueError("What do you want to say?")
    return rest.strip()


def unmet(asked: str) -> str:
    """A name that was asked for and that nobody has, as it is said: any text may be, so none is remembered."""
    return clean(asked)[:17]


def read_number(text: str) -> int:
    """A whole number of a list; 0 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 0
