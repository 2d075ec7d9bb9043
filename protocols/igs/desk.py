"""A desk that one connection's parts share: names, switches, the prompt's number, lines by their codes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from protocols.core import events as ev
from protocols.core.desk import Desk as Shared
from protocols.core.line_text import clean
from protocols.go_words.wish import Wish
from protocols.igs.names import Names

ERROR: Final = 5
GAMES: Final = 7
INFO: Final = 9
KIBITZ: Final = 11
MOVE: Final = 15
SAY: Final = 19
SCORE: Final = 20
SHOUT: Final = 21
TELL: Final = 24
WHO: Final = 27
UNDO: Final = 28
VERSION: Final = 39
TOLD: Final = 40
USERS: Final = 42
REMOVED: Final = 49
"""Codes of lines, for programs: what a line is."""

WAITING, PLAYING, SCORING, OBSERVING = 5, 6, 7, 8
"""Numbers of the prompt."""

NOT_PLAYING: Final = "You are not playing a game."

AT_A_GAME: Final = ("players", "all", "observers")
"""Listeners at a game, as words are for them; other words are for one player alone, wherever that one is."""

USUAL: Final = {"client": False, "verbose": False, "open": True, "quiet": False}


@dataclass(slots=True)
class Desk(Shared):
    """``state`` is what the prompt says of the own game, or OBSERVING. ``usual`` is a game that says no more."""

    names: Names = field(default_factory=Names)
    switches: dict[str, bool] = field(default_factory=lambda: dict(USUAL))
    state: int = WAITING
    usual: Wish = field(default_factory=Wish)

    def tell(self, code: int, *texts: str) -> None:
        """Say lines of this code."""
        self.lines += [f"{code} {text}" for text in texts]

    def inform(self, text: str) -> None:
        self.tell(INFO, text)

    def refuse(self, text: str) -> None:
        self.tell(ERROR, text)

    def hear(self, event: ev.Said) -> None:
        said(self, event)

    def alias(self, name: str) -> str:
        """The word that stands for a name."""
        return self.names.shown(name)

    def meant(self, text: str) -> str:
        return self.names.meant(text)

    @property
    def client(self) -> bool:
        """True if a program reads: lines have codes, and the prompt is a line."""
        return self.switches["client"]

    def number(self, *, watches: bool) -> int:
        """The number in the prompt."""
        return OBSERVING if watches and self.state == WAITING else self.state


def said(desk: Desk, event: ev.Said, game: int = 0, names: tuple[str, str] = ("", "")) -> None:
    """Tell somebody's words: at the game of this number, or elsewhere."""
    words, name = clean(event.text), desk.alias(event.name)
    if not event.name:
        desk.tell(INFO, words)
    elif not game or event.to not in AT_A_GAME:
        desk.tell(TELL, f"*{name}*: {words}")
    elif event.to == "players":
        desk.tell(SAY, f"*{name}*: {words}")
    else:
        black, white = map(desk.alias, names)
        desk.tell(KIBITZ, f"Kibitz {name} [NR]: Game {white} vs {black} [{game}]", f"   {words}")
