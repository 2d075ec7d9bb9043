"""Bytes as readable lines, for transcripts and wire logs: a prompt without end is ``prompt`` and its text in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from protocols.core import line_text

PROMPT: Final = "prompt"

_PROMPTS: Final = re.compile(rb"Login: |Password: |#> ")
_WORDS: Final = re.compile(rf"{PROMPT} (\".*\")")


def to_text(data: bytes, *, sent: bool) -> list[str]:
    """The lines of these bytes; ``sent``: they go to a client, which is told prompts."""
    return [line for part, prompt in _parts(data, sent=sent) for line in _shown(part, prompt=prompt)]


def _parts(data: bytes, *, sent: bool) -> Iterator[tuple[bytes, bool]]:
    """Each line with its end, and a prompt wherever a line begins with one."""
    for part in re.findall(rb"[^\n]*\n|[^\n]+\Z", data):
        while sent and (found := _PROMPTS.match(part)) is not None:
            yield found[0], True
            part = part[found.end() :]
        if part:
            yield part, False


def _shown(part: bytes, *, prompt: bool) -> list[str]:
    if prompt:
        return [f"{PROMPT} {json.dumps(part.decode())}"]
    lines = line_text.to_text(part)
    return [line_text.show_hex(part)] if any(_WORDS.fullmatch(line) for line in lines) else lines


def to_wire(lines: Iterable[str], *, sent: bool) -> bytes:
    """The bytes that ``to_text`` shows so. ValueError names the line that cannot be read."""
    return b"".join(_bytes(line) for line in lines)


def _bytes(line: str) -> bytes:
    if (found := _WORDS.fullmatch(line)) is None:
        return line_text.to_wire([line])
    text = json.loads(found[1])
    return str(text).encode()
