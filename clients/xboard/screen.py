"""Remembers what the chess GUI has told, and writes the lines that go to it: features, pings, windows with texts.

Nothing reaches the GUI but through here. Source: protocols/cecp/engine_lines.py and XBoard's ways: a new telluser
window replaces the one before, so that texts of the last seconds are shown again with a new one; a pong that is
withheld keeps it from beginning a game by itself.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from clients.xboard.game import VARIANTS
from protocols.cecp import engine_lines
from protocols.cecp import gui_lines as gui

BARRIER_S: Final = 30.0
"""Seconds a GUI waits for an opponent before it may begin by itself: as long as one takes to start the other program,
and not so long that a user believes the GUI to hang."""

DONE_S: Final = 5.0
"""Seconds after which a GUI is told that we are ready even though the peer has not answered yet."""

SHOWN_S: Final = 8.0
"""Seconds a text needs to be read: until then a new one is joined to it."""

TOLD_AT_ONCE: Final = 4
"""Texts in one window, the newest ones."""

OPTIONS: Final = ("Connect", "Offer adjourn", "Offer abort", "Accept", "Decline", "Resume")
"""The buttons; Host and Send line are fields."""

TAGS: Final = frozenset(("TAKEBACK", "DRAW", "ADJOURN", "ABORT", "RESUME", "REMATCH"))
"""Tags of our questions to the user."""


class Screen:
    """The GUI's end. ``lines`` are those to send, oldest first."""

    def __init__(self, name: str, host: str, now: float) -> None:
        self.lines: list[str] = []
        self.computer = False
        """True if the GUI's own player is a program: windows are not read then."""
        self.takes_positions = True
        """True if the GUI shows a position that an engine sets up; only XBoard is known to."""
        self._name = name
        self._host = host
        self._debug = False
        self._done_by: float | None = None
        self._ready = False
        self._barrier_until: float | None = now + BARRIER_S
        self._pings: list[int] = []
        self._new_texts: list[str] = []
        self._texts: deque[tuple[float, str]] = deque(maxlen=TOLD_AT_ONCE)

    def understood(self, message: gui.Message, now: float) -> bool:
        """Take in what concerns the GUI itself; False for what concerns the game."""
        match message:
            case gui.Protover():
                self._introduce(now)
            case gui.FeatureAccepted("debug"):
                self._debug = True
            case gui.FeatureRejected("debug"):
                self._debug = False
            case gui.FeatureRejected():
                self.takes_positions = False  # not XBoard
                self._open()  # such GUIs give an engine up that does not answer pings
            case gui.Ping(number):
                self._ping(number)
            case gui.Computer():
                self.computer = True
            case gui.Unknown(line):
                self.note(f"not understood: {line}")
            case gui.FeatureAccepted() | gui.Ignored():
                pass
            case _:
                return False
        return True

    def ready(self) -> None:
        """A connection is there, or there will be none soon: the GUI need not wait any longer."""
        self._ready = True
        if self._done_by is not None:
            self._done_by = None
            self.lines.append(engine_lines.DONE)

    def opponent(self, name: str) -> None:
        """An opponent is there, called ``name`` ("" if that is not known)."""
        self.ready()
        self._open()
        if name and name != self._name:
            self._name = name
            self.lines.append(engine_lines.my_name(name))

    def move(self, move: str) -> None:
        """Show the opponent's move. XBoard takes moves back that come while it waits for a pong."""
        self._open()
        self.lines.append(engine_lines.move(move))

    def say(self, line: str) -> None:
        """Send one of the lines of engine_lines."""
        self._open()
        self.lines.append(line)

    def clocks(self, white: int, black: int) -> None:
        """Set the GUI's clocks, in centiseconds, where it lets an engine do so."""
        if self.takes_positions:
            self.lines += engine_lines.clocks(white, black)

    def ask(self, tag: str, question: str) -> None:
        """Ask the user; the answer is a Reply."""
        self.lines.append(engine_lines.ask_user(tag, question))

    def tell(self, words: str) -> None:
        """Show a text to the user, with the others of this moment; programs get no windows."""
        if self.computer:
            self.note(words)
        elif words:
            self._new_texts.append(engine_lines.text(words))

    def forget_texts(self) -> None:
        """Drop the texts that were shown; keep those that the GUI has not been shown yet."""
        self._texts.clear()

    def note(self, words: str) -> None:
        """A line for the GUI's debug log, if it has one."""
        if self._debug and words:
            self.lines.append(engine_lines.comment(words))

    def flush(self, now: float) -> None:
        """Put the texts that were told since the last time into one window."""
        if not self._new_texts:
            return
        while self._texts and self._texts[0][0] < now - SHOWN_S:
            self._texts.popleft()
        self._texts.extend((now, words) for words in self._new_texts)
        self._new_texts.clear()
        newest = ""
        for _, words in reversed(self._texts):
            if newest and len(newest) + len(words) > engine_lines.LONGEST_TEXT - 3:
                break
            newest = f"{words} / {newest}" if newest else words
        if newest:
            self.lines.append(engine_lines.tell_user(newest, broken=self.takes_positions))

    def tick(self, now: float) -> None:
        """Let the GUI go on where it has waited long enough."""
        if self._done_by is not None and now >= self._done_by:
            self.ready()
        if self._barrier_until is not None and now >= self._barrier_until:
            self._open()

    def deadline(self) -> float | None:
        """The next time at which ``tick`` has something to do."""
        times = [self._done_by] + ([self._barrier_until] if self._pings else [])
        return min((time for time in times if time is not None), default=None)

    def _introduce(self, now: float) -> None:
        options = [f"{name} -button" for name in OPTIONS]
        options += [f"Host -string {engine_lines.text(self._host)}", "Send line -string "]
        self.lines.append(engine_lines.NOT_YET)
        self.lines += engine_lines.features(self._name, VARIANTS, options)
        self._done_by = now + DONE_S
        if self._ready:
            self.ready()

    def _ping(self, number: int) -> None:
        if self._barrier_until is None:
            self.lines.append(engine_lines.pong(number))
        else:
            self._pings.append(number)

    def _open(self) -> None:
        """Answer the pings that were withheld, and none is from now on."""
        self._barrier_until = None
        self.lines += [engine_lines.pong(number) for number in self._pings]
        self._pings.clear()


def message(line: str) -> gui.Message:
    """Parse a line of the GUI."""
    return gui.read(line, TAGS)
