"""The lines of the chess peer-to-peer protocol: bytes to messages and back, the same at both ends.

Every word is declared once, in WORDS. Lines end with LF, and as LineReader has it where they are read; TCP may cut them
anywhere. Texts are UTF-8; what is not is read as the Windows code page that old GUIs write. Nothing that is read or
written contains a control character. Source: H.G. Muller's text of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import astuple

from protocols.chess_p2p import messages as p2p
from protocols.chess_p2p.messages import Message
from protocols.core.errors import RemoteProtocolError
from protocols.core.line_reader import LineReader
from protocols.core.line_text import clean

SHORT: Final = 12
"""Bytes of a line with a move, letters of a move, that are remembered with what they mean: "move e7e8q" fits."""

MOVED: Final = b"move "

LONGEST_LINE: Final = 4096
"""Bytes of a line without its end: a text of 400 letters of four bytes fits twice."""

OLD_ENCODING: Final = "cp1252"

_COUNT, _WHOLE, _SECONDS = r"(\d{1,4})", r"(-?\d{1,9})", r"(\d{1,8}(?:\.\d{1,6})?)"
_REST, _OPTIONAL = r"(.+)", r"(.*)"


@dataclass(frozen=True, slots=True)
class Word:
    """One word: the message it stands for, how its arguments are shown to people, and what is read of them."""

    kind: Callable[..., Message]
    shown: str
    arguments: str = ""
    read: tuple[Callable[[str], Any], ...] = ()

    @property
    def word(self) -> str:
        return self.shown.partition(" ")[0]


WORDS: Final = (
    Word(p2p.New, "new"),
    Word(p2p.Variant, "variant NAME", r"([A-Za-z0-9_.-]{1,40})", (str,)),
    Word(p2p.SetBoard, "setboard FEN", _REST, (str,)),
    Word(p2p.Advanced, "move MOVE", r"(\S{1,40})", (str,)),
    Word(p2p.Go, "go"),
    Word(p2p.Accepted, "accepted"),
    Word(p2p.Result, "result RESULT {COMMENT}", r"(1-0|0-1|1/2-1/2|\*)(?:\s+\{?([^}]*)\}?)?", (str, lambda c: c or "")),
    Word(p2p.Name, "name OPPONENTNAME", _OPTIONAL, (str,)),
    Word(p2p.Text, "text MESSAGE", _OPTIONAL, (str,)),
    Word(p2p.Hallo, "hallo MESSAGE", _OPTIONAL, (str,)),
    Word(p2p.Level, "level MPS TC INC", rf"(-?\d{{1,4}})\s+{_SECONDS}\s+{_SECONDS}", (int, float, float)),
    Word(p2p.Time, "time CENTISECONDS", _WHOLE, (int,)),
    Word(p2p.OTim, "otim CENTISECONDS", _WHOLE, (int,)),
    Word(p2p.Remove, "remove"),
    Word(p2p.Undo, "undo"),
    Word(p2p.Quit, "quit"),
    Word(p2p.Draw, "draw"),
    Word(p2p.Adjourn, "adjourn"),
    Word(p2p.Abort, "abort"),
    Word(p2p.Resume, "resume"),
    Word(p2p.Rematch, "rematch"),
    Word(p2p.Takeback, "takeback PLIES", _COUNT, (int,)),
    Word(p2p.Resign, "resign"),
    Word(p2p.Accept, "accept"),
    Word(p2p.Decline, "decline"),
    Word(p2p.Ticket, "ticket SECRET", r"(\S{1,200})", (str,)),
    Word(p2p.MyName, "myname NAME", _REST, (str,)),
    Word(p2p.Ping, "ping NUMBER", _COUNT, (int,)),
    Word(p2p.Pong, "pong NUMBER", _COUNT, (int,)),
)

_BY_WORD: Final[Mapping[str, tuple[Word, re.Pattern[str]]]] = {
    word.word: (word, re.compile(word.arguments, re.ASCII | re.DOTALL)) for word in WORDS
}
_BY_KIND: Final[Mapping[object, str]] = {word.kind: word.word for word in WORDS}


def parse(line: str) -> Message:
    """The message of one line, its end cut off. Words without arguments ignore the rest of the line."""
    plain = clean(line)
    word, _, rest = plain.partition(" ")
    if word not in _BY_WORD:
        return p2p.Unknown(plain)
    declared, arguments = _BY_WORD[word]
    if not declared.read:
        return declared.kind()
    found = arguments.fullmatch(rest.strip())
    if found is None:
        return p2p.Malformed(plain, declared.shown)
    return declared.kind(*(read(value) for read, value in zip(declared.read, found.groups(), strict=True)))


def write(message: Message) -> str:
    """The line, without its end. Texts are cut where the line would be longer than LONGEST_LINE bytes."""
    values = astuple(message)
    word = _BY_KIND.get(type(message))
    if word is None:  # as it stood in the line
        return _cut(clean(values[0]))
    if type(message) is p2p.Result:
        values = (message.result, f"{{{_cut(re.sub('[{}]', '', clean(message.comment)), 80)}}}")
    return _cut(" ".join((word, *map(_written, values))))


def encode(message: Message) -> bytes:
    """The bytes of the line with its end."""
    return _advanced(message.move) if type(message) is p2p.Advanced and len(message.move) <= SHORT else _line(message)


def _line(message: Message) -> bytes:
    return write(message).encode(errors="replace") + b"\n"


@lru_cache(4096)
def _advanced(move: str) -> bytes:
    """A line that is sent for every game: there are few different ones."""
    return _line(p2p.Advanced(move))


class Lines:
    """Bytes of one connection, in pieces, to messages. Keeps at most one unfinished line of LONGEST_LINE bytes."""

    def __init__(self) -> None:
        self._reader = LineReader(LONGEST_LINE)
        self.broken = ""
        """Why nothing more can be read; "" while all is well."""

    def receive_data(self, data: bytes) -> list[Message]:
        """The messages of the lines that are complete now.

        A line that is too long breaks the connection: what came before it is returned, ``broken`` says why, and
        another call raises RemoteProtocolError.
        """
        if self.broken:
            raise RemoteProtocolError(self.broken)
        messages: list[Message] = []
        for line in self._reader.receive_data(data):
            if line is None:
                self.broken = f"a line of more than {LONGEST_LINE} bytes"
                break
            is_kept = len(line) <= SHORT and line.startswith(MOVED)
            messages.append(_remembered(line) if is_kept else decode(line))
        return messages

    def answers(self) -> list[bytes]:
        """The answers to the other end's Telnet."""
        return self._reader.answers()


def decode(line: bytes) -> Message:
    """The message of one line of bytes, with or without its end."""
    try:
        return parse(line.decode())
    except UnicodeDecodeError:
        return parse(line.decode(OLD_ENCODING, errors="replace"))


_remembered = lru_cache(4096)(decode)
"""Moves come again and again, each of them twice. Other lines may hold a password."""


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return clean(value)
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _cut(text: str, longest: int = LONGEST_LINE) -> str:
    """As much of ``text`` as fits into so many bytes, without blanks at its end."""
    if 4 * len(text) > longest:
        text = text.encode(errors="replace")[:longest].decode(errors="ignore")
    return text.rstrip()
