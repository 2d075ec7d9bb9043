"""Writes arrays in PostgreSQL's binary format (array_recv): one dimension, no nulls.

psycopg calls a function for each value of a list, which was half of the writer's time for a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from struct import Struct
from typing import Final

EMPTY: Final = Struct("!3i").pack
HEAD: Final = Struct("!5i").pack
"""Dimensions, whether there are nulls, type (pg_type.oid); then the one dimension's length, and the number of its first
element."""

LENGTH: Final = Struct("!i").pack
INTEGER: Final = Struct("!ii").pack
BIGINT: Final = Struct("!iq").pack
DOUBLE: Final = Struct("!id").pack
"""An element behind the number of its bytes."""


class Array(bytes):
    """An array as it is sent. A class of its own, so that psycopg is told to send it as it is."""

    __slots__ = ()


def integers(values: Sequence[int]) -> Array:
    """An integer[]; struct.error for a number of more than 32 bits."""
    return _array(23, len(values), map(INTEGER, repeat(4), values))


def bigints(values: Sequence[int]) -> Array:
    """A bigint[]; struct.error for a number of more than 64 bits."""
    return _array(20, len(values), map(BIGINT, repeat(8), values))


def doubles(values: Sequence[float]) -> Array:
    """A double precision[]."""
    return _array(701, len(values), map(DOUBLE, repeat(8), values))


def texts(values: Sequence[bytes]) -> Array:
    """A text[], of texts in the encoding of the session."""
    return _array(25, len(values), _measured(values))


def byte_strings(values: Sequence[bytes]) -> Array:
    """A bytea[]."""
    return _array(17, len(values), _measured(values))


def _measured(values: Iterable[bytes]) -> Iterable[bytes]:
    return (part for value in values for part in (LENGTH(len(value)), value))


def _array(oid: int, count: int, elements: Iterable[bytes]) -> Array:
    head = HEAD(1, 0, oid, count, 1) if count else EMPTY(0, 0, oid)
    return Array(head + b"".join(elements))
