"""Bytes as readable lines, for transcripts and wire logs: what a server and its clients say, and what is sealed.

A line is shown as it is; all else, such as a prompt without an end, a block or an option of Telnet, as ``raw`` and its
text in JSON. Every byte is one letter of Latin-1, so nothing is lost. ``sealed MS OFFSET COMMAND`` is a sealed line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from protocols.core import line_text
from protocols.ics import timeseal

RAW: Final = "raw"
SEALED: Final = "sealed"

PROMPTS: Final = re.compile(
    '(?:\xff\xfc\x01)?(?:fics% |login: |password: |Press return to enter the server as "[^"]*":)(?:\xff[\xfb\xfc]\x01)?'
)
"""Prompts have no line's end; options of Telnet stand beside them."""

_WORDS: Final = (RAW, SEALED, line_text.HEX, "eof")
_SEALED: Final = re.compile(rf"{SEALED} ([0-9]{{1,18}}) ([0-9]{{1,2}}) (.*)")


def to_text(data: bytes, *, sent: bool) -> list[str]:
    """The lines of these bytes; ``sent``: they go to a client, whose lines end with LF CR, else with LF alone."""
    end = "\n\r" if sent else "\n"
    return [_shown(part, end, sent=sent) for part in _parts(data.decode("latin-1"), end, sent=sent)]


def _parts(text: str, end: str, *, sent: bool) -> Iterator[str]:
    """The lines with their ends, a last one that has none, and a prompt wherever a line begins with one."""
    *whole, rest = text.split(end)
    for part in [*(part + end for part in whole), rest]:
        while sent and (found := PROMPTS.match(part)) is not None:
            yield found[0]
            part = part[found.end() :]
        if part:
            yield part


def _shown(part: str, end: str, *, sent: bool) -> str:
    line = part.removesuffix(end)
    plain = line != part and line.isprintable() and line == line.strip() and line.isascii()
    if plain and line and line.split()[0] not in _WORDS:
        return line
    if not sent and line != part and (words := _opened(line)) is not None:
        return words
    return f"{RAW} {json.dumps(part)}"


def _opened(line: str) -> str | None:
    """A sealed line in words, where they give the same bytes."""
    raw = line.encode("latin-1")
    if (found := timeseal.read(raw)) is None:
        return None
    command, milliseconds = found
    offset = raw[-1] ^ timeseal.HIGH
    text = command.decode("latin-1")
    same = timeseal.sealed(command, milliseconds, offset) == raw
    return f"{SEALED} {milliseconds} {offset} {text}" if same and text.isprintable() and text == text.strip() else None


def to_wire(lines: Iterable[str], *, sent: bool) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(_bytes(line, "\n\r" if sent else "\n") for line in lines)


def _bytes(line: str, end: str) -> bytes:
    if not line.isprintable():
        raise ValueError(f"not one line of text: {line!r}")
    if (data := line_text.read_hex(line)) is not None:
        return data
    if (found := _SEALED.fullmatch(line)) is not None:
        offset = int(found[2])
        if offset >= len(timeseal.KEY):
            raise ValueError(f"an offset is below {len(timeseal.KEY)}: {line!r}")
        return timeseal.sealed(found[3].encode("latin-1"), int(found[1]), offset) + end.encode()
    if line.startswith(f"{RAW} "):
        text = json.loads(line.removeprefix(f"{RAW} "))
        if not isinstance(text, str):
            raise ValueError(f"a text of JSON stands behind {RAW}: {line!r}")
        return text.encode("latin-1")
    return f"{line}{end}".encode("latin-1")
