"""The words of a newcomer of each dialect that get it a game with any other, and the word that says that it plays.

Where the dialect has a word for either colour they all say it; elsewhere every second one is Black. GAMESMAN's players
are not among them: they do not look for an opponent, for each pair is registered before it comes. Nor are the engines
of CGOS, which wait for a round, and the people of IGS, who ask each other by name.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from bench import gtp
from bench.web_pair import ACCEPTED, OPENING, framed, hello
from protocols.bogaprot.messages import BOGAPROT
from protocols.core.opcode_codec import Wire, codec
from protocols.ggzboard import GGZBOARD

_BOARD: Final = f"size={gtp.SIZE}"


class Guest(ABC):
    """A client that has just come; ``number`` says which one. ``plays`` once it has been told so."""

    dialect: ClassVar[str]
    carrier: ClassVar[str] = ""
    """The listener's name, where it is not the dialect's."""
    listener: ClassVar[str] = ""
    """Options of a listener for them."""

    def __init__(self, number: int) -> None:
        self.black = bool(number % 2)
        self.plays = False
        self._told = b""

    @abstractmethod
    def first(self) -> bytes:
        """The first words, said as soon as it is connected."""

    def answer(self, received: bytes) -> bytes:
        """The answer to these bytes, often none. It may begin to play by them."""
        self._told += received
        self.plays = self.plays or self._begun()
        return b""

    def _begun(self) -> bool:
        """True if what it was told so far means that it plays."""
        return False


class BogaprotGuest(Guest):
    """Asks for chess, without options. No string that the server sends it has MSG_START's bytes in it."""

    dialect = "bogaprot"

    _HELLO: ClassVar[bytes] = Wire(codec(BOGAPROT), "client").build("REQ_HANDSHAKE", "chess", 1)
    _START: ClassVar[bytes] = Wire(codec(BOGAPROT), "server").build("MSG_START")

    def first(self) -> bytes:
        return self._HELLO

    def _begun(self) -> bool:
        return self._START in self._told


class GGZBoardGuest(Guest):
    """Says nothing: its port does. START is a 5, and no name of a guest is of 4 letters and a NUL."""

    dialect = "ggzboard"
    listener = "game=checkers"

    _START: ClassVar[bytes] = Wire(codec(GGZBOARD), "server").build("START")

    def first(self) -> bytes:
        return b""

    def _begun(self) -> bool:
        return self._START in self._told


class LineGuest(Guest):
    """A client whose messages are lines."""

    def answer(self, received: bytes) -> bytes:
        *lines, self._told = (self._told + received).split(b"\n")
        return b"".join(map(self._line, lines))

    @abstractmethod
    def _line(self, line: bytes) -> bytes:
        """The answer to this line."""


class ChessGuest(LineGuest):
    """Says Go as its GUI would, White with its first move made. That move comes back to both when the game begins.

    A Go before it begins is another player's who wants the same colour: none of them takes the other one.
    """

    dialect = "chess-p2p"

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._begins = False

    def first(self) -> bytes:
        return b"new\ngo\n" if self.black else b"new\nmove e2e4\ngo\n"

    def _line(self, line: bytes) -> bytes:
        self._begins = self._begins or (line.startswith(b"text the game with ") and b" begins, " in line)
        self.plays = self.plays or line == b"move e2e4"
        return b"accepted\n" if line == b"go" and self._begins else b""


class MiniatureGuest(LineGuest):
    """Seeks five minutes, with either colour."""

    dialect = "miniature"

    def first(self) -> bytes:
        return b"seek 5 0 unrated any\n"

    def _line(self, line: bytes) -> bytes:
        self.plays = self.plays or line.startswith(b"tell gateway game 1: ")
        return b""


class IcsGuest(LineGuest):
    """A guest of a chess server, who seeks five minutes before it has read anything.

    Of two who have sought at the same moment the one with the greater number takes the other's seek.
    """

    dialect = "ics"

    _POSTED: ClassVar = re.compile(rb"has been posted with index (\d+)")
    _SOUGHT: ClassVar = re.compile(rb"\r?(?:fics% )? *(\d+) \+\+\+\+ Guest")

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._index = 0

    def first(self) -> bytes:
        return b"guest\n\nset seek 0\nseek 5 0 unrated\n"

    def _line(self, line: bytes) -> bytes:
        self.plays = self.plays or b"{Game " in line
        if posted := self._POSTED.search(line):
            self._index = int(posted[1])
            return b"sought\n"
        found = self._SOUGHT.match(line)
        earlier = found is not None and not self.plays and int(found[1]) < self._index
        return b"play %s\nsought\n" % found[1] if found is not None and earlier else b""


class EngineGuest(LineGuest):
    """A Go engine, which is asked who it is; Black makes its first move, so that White is asked for one, too."""

    dialect = "gtp-engine"
    listener = f"{_BOARD},time=none"

    def first(self) -> bytes:
        return b""

    def _line(self, line: bytes) -> bytes:
        number, _, command = line.decode().partition(" ") if line[:1].isdigit() else ("", "", line.decode())
        word, *words = command.split() or [""]
        if not word or word.startswith("#"):
            return b""
        text = gtp.INTRODUCTION.get(word, "")
        if word == "genmove":
            self.plays = True
            if words[0].lower().startswith("w"):
                return b""  # it thinks
            text = "E5"
        return f"={number} {text}\n\n".encode()


class GuiGuest(LineGuest):
    """A Go GUI whose user makes Black's first move, or waits for it. Refused because none waits, it asks again."""

    dialect = "gtp-gui"
    listener = _BOARD

    def first(self) -> bytes:
        return f"boardsize {gtp.SIZE}\nclear_board\nkomi 6.5\n".encode() + self._command()

    def _command(self) -> bytes:
        return b"4 play b E5\n" if self.black else b"4 genmove b\n"

    def _line(self, line: bytes) -> bytes:
        self.plays = self.plays or line.startswith(b"=4")
        return self._command() if line.startswith(b"?4") else b""


class WebGuest(Guest):
    """A browser that asks for chess, once its request for a WebSocket was accepted."""

    dialect = "web"
    carrier = "http"

    _JOIN: ClassVar[bytes] = framed({"type": "join", "game": "chess"})

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._accepted = False

    def first(self) -> bytes:
        return OPENING

    def answer(self, received: bytes) -> bytes:
        super().answer(received)
        if self._accepted or not (self._told.startswith(ACCEPTED) and b"\r\n\r\n" in self._told):
            return b""
        self._accepted = True
        return hello() + self._JOIN

    def _begun(self) -> bool:
        return b'"kind":"GameStarted"' in self._told


GUESTS: Final[tuple[type[Guest], ...]] = (
    BogaprotGuest,
    GGZBoardGuest,
    ChessGuest,
    MiniatureGuest,
    IcsGuest,
    EngineGuest,
    GuiGuest,
    WebGuest,
)
