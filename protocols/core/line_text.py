"""Bytes as readable lines, and back: a line of text as it is, ``crlf LINE`` where it ends so, and ``hex 00 ff``.

A dialect whose messages are lines needs no more; another one shows what it cannot read with ``shown`` and ``read_hex``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

HEX: Final = "hex"
CRLF: Final = "crlf"

_OPTIONS: Final = re.compile(rb"(?:\xff[\xfb-\xfe].)+", re.DOTALL)


def clean(text: str) -> str:
    """``text`` as one line: white space becomes a blank, what does not print a question mark, the ends are cut."""
    if text.isprintable():
        return text.strip()
    letters = (" " if letter.isspace() else letter if letter.isprintable() else "?" for letter in text)
    return "".join(letters).strip()


def show_hex(data: bytes) -> str:
    """One line for any bytes."""
    return f"{HEX} {data.hex(' ')}"


def read_hex(line: str) -> bytes | None:
    """The bytes that ``show_hex`` shows so; None for another line. ValueError: it begins so, and shows no bytes."""
    word, _, digits = line.partition(" ")
    if word != HEX:
        return None
    try:
        return bytes.fromhex(digits)
    except ValueError:
        raise ValueError(f"not bytes of two hexadecimal digits each: {line!r}") from None


def shown(data: bytes, text: str, read: Callable[[str], bytes]) -> str:
    """``text`` where a transcript can hold it and ``read`` of it gives ``data``; else the bytes in hex."""
    try:
        kept = text.isprintable() and text.strip() not in ("", "eof", CRLF) and read(text) == data
    except ValueError:
        kept = False
    return text if kept else show_hex(data)


def to_text(data: bytes) -> list[str]:
    """The lines that ``data`` holds; a last one without its end in hex, and options of Telnet before a line, too."""
    *whole, rest = data.split(b"\n")
    return [shown for line in whole for shown in _lines(line)] + ([show_hex(rest)] if rest else [])


def to_wire(lines: Iterable[str]) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(map(_bytes, lines))


def _lines(line: bytes) -> list[str]:
    options = _OPTIONS.match(line)
    return [_line(line)] if options is None else [show_hex(options[0]), _line(line[options.end() :])]


def _line(line: bytes) -> str:
    text = line.decode(errors="replace")
    return shown(line + b"\n", f"{CRLF} {text[:-1]}" if text.endswith("\r") else text, _bytes)


def _bytes(line: str) -> bytes:
    if not line.isprintable():
        raise ValueError(f"not one line of text: {line!r}")
    word, _, rest = line.partition(" ")
    if word == CRLF:
        return f"{rest}\r\n".encode()
    data = read_hex(line)
    return f"{line}\n".encode() if data is None else data
