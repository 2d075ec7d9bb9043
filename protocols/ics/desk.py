"""A desk that one connection's parts share: names, variables, the lines that are said, the commands that follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols.core import events as ev
from protocols.core.desk import Desk as Shared
from protocols.core.line_text import clean
from protocols.ics import writing
from protocols.ics.names import Names

INTERFACE: Final = ("startpos", "ms", "seekinfo", "seekremove", "showownseek", "pendinfo", "block", "lock", "nowrap")
"""Variables of iset that change what is told here; others are kept and change nothing."""

VARIABLES: Final = 100
"""Variables of set, and of iset, that a connection may have: programs know some thirty."""

OWN_NUMBERS: Final = 1_000_000

MOST_OVER: Final = 20
"""Games whose end was told: some more than a connection plays and looks on at."""

END: Final = "\n\r"
PROMPT: Final = "fics% "
BLOCK: Final = ("\x15", "\x16", "\x17")
"""The beginning of an answer in a block, what separates its numbers, and its end."""

HEADING: Final = "Creating: "
"""The line that a game begins with, or goes on with."""

NOT_PLAYING: Final = "You are not playing or examining a game."

USUAL: Final = {"seek": "1", "style": "1", "bell": "0", "shout": "1", "tell": "1", "kibitz": "1", "silence": "0"}


@dataclass(slots=True)
class Desk(Shared):
    """``today`` is the server's time, as it was told last. ``in_channel``: the peer has the channel on its list.

    ``told_over`` are the last games whose end the peer was told at their tables: it needs no news of that.
    """

    names: Names = field(default_factory=Names)
    variables: dict[str, str] = field(default_factory=lambda: dict(USUAL))
    interface: dict[str, bool] = field(default_factory=dict)
    in_channel: bool = False
    numbers: int = 0
    today: str = ""
    told_over: tuple[int, ...] = ()

    def hear(self, event: ev.Said) -> None:
        self.come(said(self, event))

    def alias(self, name: str) -> str:
        """The letters that stand for a name."""
        return self.names.shown(name)

    def meant(self, text: str) -> str:
        return self.names.meant(text)

    def points(self, name: str) -> str:
        """The rating beside a name, as far as one has been told."""
        mine = self.account and name == self.name
        return writing.points(self.ratings.get(name), account=mine or name in self.accounts)

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

    def tells_over(self, game: int) -> None:
        """The end of a game is told at its table."""
        self.told_over = (*self.told_over[1 - MOST_OVER :], game)

    def number(self) -> int:
        """The next number of this connection's own, for what has none of the server's: above those of its tables."""
        self.numbers += 1
        return OWN_NUMBERS + self.numbers


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
