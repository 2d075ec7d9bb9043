"""Anchors: what a host keeps of the record elsewhere, to prove its end later. A line of JSON for each table.

A line has ``table``, ``seq`` (the last event), ``digest`` (of that event, in hexadecimal) and ``at`` (when it was
stored, Unix time in seconds).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from gateway.audit import Anchor
from protocols.core.errors import BoardgateError


class BadAnchors(BoardgateError):
    """The file cannot be read or written, or is none of ours."""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    table: int
    seq: int
    digest: str
    at: float


def read_anchors(file: Path) -> dict[int, Anchor]:
    """By table; nothing where there is no such file yet. BadAnchors."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadAnchors(f"{file}: {error.strerror}") from None
    found: dict[int, Anchor] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read = msgspec.json.decode(line, type=_Line)
            found[read.table] = Anchor(read.table, read.seq, bytes.fromhex(read.digest), read.at)
        except ValueError as error:
            raise BadAnchors(f"{file}, line {number}: {error}") from None
    return found


def write_anchors(file: Path, anchors: Iterable[Anchor]) -> None:
    """Replace the file as a whole, or leave it as it was: BadAnchors."""
    lines = [
        msgspec.json.encode(_Line(one.table, one.seq, one.digest.hex(), one.at))
        for one in sorted(anchors, key=lambda one: one.table)
    ]
    new = file.with_name(f"{file.name}.new")
    try:
        with new.open("wb") as out:
            out.write(b"".join(line + b"\n" for line in lines))
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
    except OSError as error:
        raise BadAnchors(f"{file}: {error.strerror}") from None
