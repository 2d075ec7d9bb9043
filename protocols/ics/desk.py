"""A desk that one connection's parts share: names, variables, the lines that are said, the commands that follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from protocols.chess_words.text import clean
from protocols.core import events as ev
from protocols.core.commands import Command
from protocols.core.notifications import Points, Rejected
from protocols.ics import writing
from protocols.ics.names import Names

INTERFACE: Final = ("startpos", "ms", "seekinfo", "seekremove", "showownseek", "pendinfo", "block", "lock", "nowrap")
"""Variables of iset that change what is told here; others are kept and change nothing."""

VARIABLES: Final = 100
"""Variables of set, and of iset, that a connection may have: programs know some thirty."""

OWN_NUMBERS: Final = 1_000_000

END: Final = "\n\r"
PROMPT: Final = "fics% "
BLOCK: Final = ("\x15", "\x16", "\x17")
"""The beginning of an answer in a block, what separates its numbers, and its end."""

HEADING: Final = "Creating: "
"""The line that a game begins with, or goes on with."""

NOT_PLAYING: Final = "You are not playing or examining a game."

USUAL: Final = {"seek": "1", "style": "1", "bell": "0", "shout": "1", "tell": "1", "kibitz": "1", "silence": "0"}


@dataclass(slots=True)
class Desk:
    """``lines`` are said next; ``asks`` follow without the peer's words, ``later`` those behind the line's own answer.

    ``today`` is the server's time, as it was told last. ``finish`` is called once all that the peer's line has asked
    for has been answered, ``refused`` in place of the words of a refusal; the dialect takes both away. ``now`` is the
    time of what is interpreted, in seconds on the line of the clocks. ``name`` is the peer's own, ``account``
    whether that is one's. ``in_channel``: it has the channel on its list.
    """

    names: Names = field(default_factory=Names)
    variables: dict[str, str] = field(default_factory=lambda: dict(USUAL))
    interface: dict[str, bool] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    asks: list[Command] = field(default_factory=list)
    later: list[Command] = field(default_factory=list)
    finish: Callable[[], None] | None = None
    refused: Callable[[Rejected], None] | None = None
    name: str = ""
    account: bool = False
    in_channel: bool = False
    ratings: dict[str, Points] = field(default_factory=dict)
    accounts: set[str] = field(default_factory=set)
    numbers: int = 0
    today: str = ""
    now: float = 0.0

    def say(self, *lines: str) -> None:
        self.lines += lines

    def tells(self, ticket: str) -> None:
        """Say how a guest comes back to a seat; an account logs in again."""
        if ticket and not self.account:
            self.say(f"To come back to this seat, should you lose the line: seat {ticket}")

    def opens(self, line: str) -> None:
        """Begin the answer with this line, unless what was asked for is refused."""
        self.finish = lambda: self.lines.insert(0, line)

    def alias(self, name: str) -> str:
        """The letters that stand for a name."""
        return self.names.shown(name)

    def points(self, name: str) -> str:
        """The rating beside a name, as far as one has been told."""
        mine = self.account and name == self.name
        return writing.points(self.ratings.get(name), account=mine or name in self.accounts)

    def rate(self, name: str, points: Points | None, *, account: bool = False) -> None:
        """Note what has been told of a name."""
        if points is not None:
            self.ratings[name] = points
        if account:
            self.accounts.add(name)

    def has(self, variable: str) -> bool:
        """True if a variable of iset is on."""
        return self.interface.get(variable, False)

    def is_on(self, variable: str) -> bool:
        """True if a variable of set is on."""
        return self.variables.get(variable, "0") not in ("0", "off", "no", "false")

    @property
    def style(self) -> tuple[bool, bool]:
        """Whether positions are told in one line for programs, and whether times have thousandths."""
        return self.variables.get("style") == "12", self.has("ms")

    def number(self) -> int:
        """The next number of this connection's own, for what has none of the server's: above those of its tables."""
        self.numbers += 1
        return OWN_NUMBERS + self.numbers


def worded(rest: str) -> str:
    """The words to be said. ValueError: nothing is."""
    if not rest.strip():
        raise ValueError("What do you want to say?")
    return rest.strip()


def said(desk: Desk, event: ev.Said, game: int = 0) -> str:
    """Format words that were said as one line, at the table ``game`` or, with 0, elsewhere."""
    words = clean(event.text)
    if not event.name:
        return f"--> {words}"
    name = desk.alias(event.name)
    if not game:
        return f"{name} tells you: {words}"
    how = {"all": "kibitzes", "observers": "whispers"}.get(event.to, "says")
    return f"{name}({desk.points(event.name)})[{game}] {how}: {words}"


def in_block(lines: list[str], number: str, code: int) -> str:
    """An answer of these lines in a block; a game that begins with it stands behind, where programs look for one."""
    start, between, end = BLOCK
    at = next((at for at, line in enumerate(lines) if line.startswith(HEADING)), len(lines))
    block = f"{start}{number}{between}{code}{between}{END.join(lines[:at])}{end}{END}"
    return block + (END.join([PROMPT, *lines[at:], ""]) if lines[at:] else "")
