"""Remembers the frames of the step that observers of a table are told just now: each of them gets the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from protocols.core.notifications import Notification


@dataclass(slots=True)
class Step:
    """``frames`` are for observers whose last event is number ``last``, after ``ply`` moves; then both are ``then``.

    ``messages`` are known by identity, and kept so that no others take their place in memory.
    """

    messages: Iterable[Notification] = ()
    last: int = 0
    ply: int = 0
    then: tuple[int, int] = (0, 0)
    frames: bytes = b""


LAST: Final = Step()
"""The only one: a table tells its observers one after the other, without a pause."""
