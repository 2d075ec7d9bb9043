"""GTP's lines: bytes to commands and answers and back, the same for both sides, and their readable text.

Control characters are dropped, a tab is a blank, "#" begins a comment; an answer ends with an empty line, wherever TCP
cuts it. Source: the GTP version 2 draft, "Protocol Structure".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from protocols.core.errors import RemoteProtocolError
from protocols.core.line_reader import LineReader
from protocols.core.line_text import CRLF, read_hex, shown

LONGEST_COMMAND: Final = 2048
"""Bytes of a command from a GUI: a free handicap of 25 stones, or a line of talk, with room to spare."""

LONGEST_SENT: Final = 900
"""Bytes of a command to an engine: GNU Go takes a line of more than about 1000 bytes for several commands."""

LONGEST_ANSWER: Final = 32_768
"""Bytes of one answer: the longest known is a list of commands, some 5,000."""


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """``id`` is the digits before the name as a number, None without."""

    id: int | None
    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """``good`` is "=" or "?"; ``text`` may have several lines, none of them empty."""

    good: bool
    text: str = ""
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Stray:
    """A line outside of any answer: what an engine says by itself."""

    text: str


def plain(text: str) -> str:
    """One line without control characters and the blanks around it."""
    return "".join(letter for letter in text.replace("\t", " ") if letter.isprintable()).strip()


def decoded(line: bytes) -> str:
    """The text of one line as it stands, its comment still in it."""
    return plain(line.decode(errors="replace"))


def parse(line: str) -> GtpCommand | None:
    """The command of one line; None for a line without any. A name of "" follows an id that stands alone."""
    words = line.partition("#")[0].split()
    if not words:
        return None
    number = None
    if words[0].isascii() and words[0].isdigit():
        number = int(words.pop(0))
    return GtpCommand(number, words[0] if words else "", tuple(words[1:]))


def write_command(number: int, words: str) -> bytes:
    """The bytes of a command to an engine: one line, no comment, cut to what an engine reads as one."""
    line = plain(f"{number} {words.replace('#', ' ')}")
    return line.encode(errors="replace")[:LONGEST_SENT].decode(errors="ignore").encode() + b"\n"


def write_answer(answer: Answer) -> bytes:
    """The bytes of an answer: empty lines are left out, for one would end it; a text may begin on a line of its own."""
    text = "\n".join(line for line in (_kept(line) for line in answer.text.splitlines()) if line)
    head = f"{'=' if answer.good else '?'}{'' if answer.id is None else answer.id}"
    gap = "\n" if answer.text.startswith("\n") else " "
    return (f"{head}{gap}{text}" if text else head).encode(errors="replace") + b"\n\n"


def write_comment(text: str) -> bytes:
    """The bytes of a line that is a comment. It answers nothing."""
    return b"# " + plain(text).encode(errors="replace") + b"\n"


def _kept(line: str) -> str:
    """A line of an answer; the blanks at its beginning may be a diagram's."""
    return "".join(letter for letter in line if letter.isprintable()).rstrip()


class CommandLines:
    """Bytes of a GUI, in pieces, to lines; one that is too long is None."""

    def __init__(self) -> None:
        self.reader = LineReader(LONGEST_COMMAND)

    def receive_data(self, data: bytes) -> list[str | None]:
        """The lines that are complete now, comments among them."""
        return [None if line is None else decoded(line) for line in self.reader.receive_data(data)]


class Answers:
    """Bytes of an engine, in pieces, to answers and stray lines. Keeps at most one unfinished answer."""

    def __init__(self) -> None:
        self.reader = LineReader(LONGEST_ANSWER)
        self._lines: list[str] = []
        self._size = 0
        self.broken = ""
        """Why nothing more can be read; "" while all is well."""

    def receive_data(self, data: bytes) -> list[Answer | Stray]:
        """The items that are complete now.

        Those before an answer without end are returned, ``broken`` says why, and the next call raises
        RemoteProtocolError.
        """
        if self.broken:
            raise RemoteProtocolError(self.broken)
        found: list[Answer | Stray] = []
        for line in self.reader.receive_data(data):
            self._size += 0 if line is None else len(line) + 1
            if line is None or self._size > LONGEST_ANSWER:
                self.broken, self._lines = f"an answer of more than {LONGEST_ANSWER} bytes", []
                break
            found += self._line(line.decode(errors="replace").replace("\r", ""))
        return found

    def _line(self, line: str) -> Iterator[Answer | Stray]:
        if self._lines and line:
            self._lines.append(plain(line))
            return
        if not self._lines and line[:1] in ("=", "?") and line:
            self._lines.append(line)
            return
        self._size = 0
        if self._lines:
            lines, self._lines = self._lines, []
            yield read_answer(lines)
        elif plain(line):
            yield Stray(plain(line))


def read_answer(lines: list[str]) -> Answer:
    """The answer that stands on these lines, of which the first begins with "=" or "?"."""
    head = re.match(r"[=?](\d{0,9})", lines[0], re.ASCII)
    digits = "" if head is None else head[1]
    text = "\n".join([plain(lines[0][1 + len(digits) :]), *lines[1:]]).strip()
    return Answer(lines[0][0] == "=", text, int(digits) if digits else None)


_BLOCK: Final = re.compile(rb"[=?][^\n]*\n(?:(?!\r?\n)[^\n]+\n)*\r?\n")
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n"}
_UNESCAPED: Final = {"\\": "\\", "n": "\n", "s": " "}


def to_text(data: bytes, *, answers: bool) -> list[str]:
    """Readable lines: a command's line, or a whole answer with ``\\n`` between its lines and ``\\s`` for a blank at its
    end; "crlf ..." where lines end so; "hex 00 ff" for anything else."""
    lines: list[str] = []
    while data:
        block = _BLOCK.match(data) if answers else None
        size = block.end() if block else data.find(b"\n") + 1 or len(data)
        part, data = data[:size], data[size:]
        lines.append(_shown(part, 2 if block else 1))
    return lines


def _shown(part: bytes, ends: int) -> str:
    """``part`` without its line ends, of which it has so many."""
    plain = part.replace(b"\r\n", b"\n")
    text = plain[:-ends].decode(errors="replace")
    if ends == 2:
        text = "".join(_ESCAPES.get(letter, letter) for letter in text)
        text = f"{text[:-1]}\\s" if text.endswith(" ") else text
    return shown(part, text if plain == part else f"{CRLF} {text}", _bytes)


def to_wire(lines: Iterable[str]) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(map(_bytes, lines))


def _bytes(line: str) -> bytes:
    word, _, rest = line.partition(" ")
    if (data := read_hex(line)) is not None:
        return data
    text = rest if word == CRLF else line
    if text[:1] in ("=", "?"):
        text = re.sub(r"\\(.)", lambda found: _UNESCAPED.get(found[1], found[0]), text) + "\n\n"
    else:
        text += "\n"
    return (text.replace("\n", "\r\n") if word == CRLF else text).encode()
