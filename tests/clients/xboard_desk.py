"""Emulates a chess GUI: types lines and reads the adapter's answers; alone, or two of them connected.

desk = Desk()
desk.types("new", "usermove e2e4")         what a GUI sends
desk.hears(p2p.Go())                       what its peer says
desk.shown, desk.sent                      all that went to the GUI, to the peer; ``take`` empties both
"""

from __future__ import annotations

from clients.xboard.adapter import Adapter, Self
from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p import wire

XBOARD = ("xboard", "protover 2", *(f"accepted {name}" for name in ("done", "ping", "setboard", "usermove", "debug")))
BLOCK = ("new", "random", "level 40 5 0", "post", "hard", "ping 1")
"""XBoard's starting block."""


class Desk:
    """One GUI and its adapter. ``now`` is the time of the next line."""

    def __init__(
        self, name: str = "alice", *, connected: bool = True, answering: bool = False, secret: str = ""
    ) -> None:
        self.now = 100.0
        self.adapter = Adapter(Self(name, "T" * 22, "example.org", secret), self.now)
        self.shown: list[str] = []
        self.sent: list[str] = []
        self.types(*XBOARD)
        if connected:
            self.connects(answering=answering)

    def types(self, *lines: str) -> list[str]:
        """Type the GUI's lines; return the lines that it is shown."""
        before = len(self.shown)
        for line in lines:
            self.adapter.gui_line(line, self.now)
        self.collect()
        return self.shown[before:]

    def hears(self, *messages: p2p.Message | str) -> list[str]:
        """Send the peer's messages; return the lines that the GUI is shown."""
        before = len(self.shown)
        for message in messages:
            self.adapter.peer_says(wire.parse(message) if isinstance(message, str) else message, self.now)
        self.collect()
        return self.shown[before:]

    def connects(self, *, answering: bool = False) -> None:
        self.adapter.link_up(self.now, answering=answering)
        self.collect()

    def loses_the_line(self) -> None:
        self.adapter.link_down(self.now, "The connection is lost.")
        self.collect()

    def waits(self, seconds: float) -> list[str]:
        before = len(self.shown)
        self.now += seconds
        self.adapter.tick(self.now)
        self.collect()
        return self.shown[before:]

    def collect(self) -> None:
        self.shown += self.adapter.to_gui(self.now)
        self.sent += [wire.write(message) for message in self.adapter.to_peer()]

    def take(self) -> tuple[list[str], list[str]]:
        """Return the lines shown and sent since the last call."""
        taken = self.shown, self.sent
        self.shown, self.sent = [], []
        return taken

    @property
    def moves(self) -> list[str]:
        """The moves that the GUI was shown."""
        return [line.removeprefix("move ") for line in self.shown if line.startswith("move ")]


class Pair:
    """Two desks on one line: ``white`` has called, ``black`` has answered. ``up`` False loses what is said."""

    def __init__(self, *, connected: bool = True) -> None:
        self.white, self.black = Desk("alice", connected=False), Desk("bob", connected=False)
        self.up = False
        if connected:
            self.connect()

    def connect(self) -> None:
        self.up = True
        self.black.connects(answering=True)
        self.white.connects()
        self.settle()

    def cut(self) -> None:
        self.settle()
        self.up = False
        for desk in (self.white, self.black):
            desk.loses_the_line()
            desk.sent.clear()

    def settle(self) -> None:
        """Carry lines until none is left."""
        while self.up and (self.white.sent or self.black.sent):
            for one, other in ((self.white, self.black), (self.black, self.white)):
                lines, one.sent = one.sent, []
                other.hears(*lines)

    def play(self, *moves: str) -> None:
        """The moves of the users in turn, White first."""
        for number, move in enumerate(moves):
            (self.white, self.black)[number % 2].types(f"usermove {move}")
            self.settle()

    def begin(self, *moves: str) -> None:
        """A game as two users of XBoard begin it, and its first moves."""
        for desk in (self.white, self.black):
            desk.types(*BLOCK)
        self.settle()
        self.black.types("go")
        self.settle()
        self.play(*(moves or ("e2e4",)))


def playing(*moves: str) -> Desk:
    """A user with White in a game of these moves (the peer's too), nothing shown or sent yet to look at."""
    desk = Desk()
    desk.types(*BLOCK)
    desk.hears(p2p.Name("bob"), p2p.New(), p2p.Level(40, 300, 0), p2p.Go())
    for number, move in enumerate(moves or ("e2e4", "e7e5")):
        if number % 2:
            desk.hears(p2p.Advanced(move))
        else:
            desk.types(f"usermove {move}")
            desk.hears(*([p2p.Accepted()] if not number else []), p2p.Advanced(move))
    desk.take()
    return desk
