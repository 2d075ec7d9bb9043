"""A client of CGOS written from what real ones do: it brings an engine, and answers what it is asked.

Two kinds are in use. One ends its lines with CR LF, writes points in upper case and gives up at an empty line; the
other ends them with LF and writes in lower case. Both end at a word that they do not know.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from protocols.core.model import Move
from protocols.go_words.vertices import COLOURS, read_move

PATIENCE_S: Final = 30.0
ASKED: Final = ("protocol", "username", "password")
KNOWN: Final = (*ASKED, "setup", "play", "genmove", "gameover", "info", "Error:", "match", "update")

Brain = Callable[["Game"], str]
"""The answer to "genmove" in a game that stands so."""


@dataclass(slots=True)
class Game:
    """A game as its client was told it. ``seat`` is 0 for Black; ``left`` the time that it was told last, in ms."""

    number: int
    size: int
    komi: str
    main_ms: int
    names: tuple[str, str]
    seat: int
    moves: list[str] = field(default_factory=list)
    left: int = 0
    result: str = ""


class CgosClient:
    """One engine. ``said`` are the server's lines; ``games`` all that it was told of, the last one last."""

    def __init__(
        self, port: int, name: str, password: str, brain: Brain, *, end: bytes = b"\r\n", host: str = "127.0.0.1"
    ) -> None:
        self.name, self._password, self._brain, self._end = name, password, brain, end
        self._address = host, port
        self.said: list[str] = []
        self.games: list[Game] = []
        self.dial()

    def dial(self) -> None:
        self._socket = socket.create_connection(self._address, PATIENCE_S)
        self._file = self._socket.makefile("rb")

    def log_in(self) -> None:
        """Answer who it is."""
        for question in ASKED:
            line = self.hear()
            assert line == question
            self.answer(line)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # a thread that still reads lets go
        self._file.close()
        self._socket.close()

    def say(self, text: str) -> None:
        self._socket.sendall(text.encode() + self._end)

    @property
    def game(self) -> Game:
        return self.games[-1]

    def hear(self) -> str:
        """The server's next line. ConnectionError: there is none any more."""
        raw = self._file.readline()
        if not raw.endswith(b"\n"):
            raise ConnectionError("closed by the server")
        line = raw[:-1].decode()
        assert line.strip(), "an empty line ends a client"
        assert line.split()[0] in KNOWN, f"an unknown word ends a client: {line!r}"
        assert line.isprintable()
        self.said.append(line)
        return line

    def serve(self, until: str) -> str:
        """Answer what is asked, until a line begins so: that line, not answered."""
        while not (line := self.hear()).startswith(until):
            self.answer(line)
        self._note(line)
        return line

    def answer(self, line: str) -> None:
        """Note a line, and answer it where it is a question."""
        self._note(line)
        match line.split()[0]:
            case "protocol":
                self.say("e1 a client of the tests")
            case "username":
                self.say(self.name)
            case "password":
                self.say(self._password)
            case "genmove":
                self.moves()
            case "gameover":
                self.say("ready")

    def moves(self) -> None:
        """Answer "genmove" with the engine's move."""
        text = self._brain(self.game)
        if text != "resign":
            self.game.moves.append(text.upper())
        self.say(text)

    def plays(self, games: int = 1) -> Game:
        """Play until so many games have ended since it was called; the last one of these."""
        for _ in range(games):
            line = self.serve("gameover")
            self.say("ready")
            assert line
        return self.game

    def _note(self, line: str) -> None:
        word, *rest = line.split()
        match word:
            case "setup" | "gameover" if not self.name:
                return  # a viewer's
            case "setup":
                number, size, komi, main, white, black, *moves = rest
                names = black.partition("(")[0], white.partition("(")[0]
                seat = 1 if white.startswith(f"{self.name}(") else 0
                game = Game(int(number), int(size), komi, int(main), names, seat, moves[::2])
                if self.games and self.games[-1].number == game.number and not self.games[-1].result:
                    self.games[-1] = game
                else:
                    self.games.append(game)
            case "play":
                assert COLOURS.index({"b": "black", "w": "white"}[rest[0]]) == len(self.game.moves) % 2
                self.game.moves.append(rest[1].upper())
            case "genmove":
                self.game.left = int(rest[1])
            case "gameover":
                self.game.result = rest[1]


def first_legal(game: Game, most: int = 20) -> str:
    """The next point that nobody has played at, from the bottom left; a pass after so many moves."""
    if len(game.moves) >= most:
        return "pass"
    taken = set(game.moves)
    letters = "ABCDEFGHJKLMNOPQRST"[: game.size]
    points = (f"{letter}{row}" for row in range(1, game.size + 1) for letter in letters)
    return next(point for point in points if point not in taken)


def moved(game: Game) -> list[Move]:
    """The moves of a game as the server's model has them."""
    return [read_move(at % 2, text, game.size) for at, text in enumerate(game.moves)]
