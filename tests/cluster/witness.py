"""Notes whose command led to each step that is stored, so that a History can count commands of every kind.

What a command leads to depends on the moment: a move may be one, or the fall of its flag. So it is not found out from
the record, but noted where a table obeys the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from unittest.mock import patch

from gateway.cluster.outposts import NODE_BITS
from gateway.store.records import Append, EventRow
from gateway.tables.fast_path import FastPath
from gateway.tables.journal import Journal
from gateway.tables.runner import TableRunner
from gateway.tables.seams import Subscriber
from protocols.core.commands import Command
from protocols.core.events import Event

BY_REQUEST: Final = 0
"""The number of whoever asks by a request, and is no client of the table."""


class Asked(NamedTuple):
    """A command of the client that has this number at its own node."""

    client: int
    command: Command


_obeyed: ContextVar[Asked | None] = ContextVar("obeyed", default=None)


@dataclass(slots=True)
class Witness:
    """The command that every step to be stored came of, by its table, its epoch and the event before it."""

    _asked: dict[tuple[int, int, int], Asked | None] = field(default_factory=dict)

    def asked(self, append: Append) -> Asked | None:
        """The command that led to a step; None: no client's did. Of several that were not stored the last counts."""
        return self._asked.get((append.table or 0, append.epoch, append.after))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what the tables of this process obey."""
        obey, play, rows = TableRunner._obey, FastPath.play, Journal._rows

        async def obeys(table: TableRunner, asker: Subscriber, seat: int, command: Command, since: float) -> None:
            with _obeying(asker, command):
                await obey(table, asker, seat, command, since)

        def plays(path: FastPath, asker: Subscriber, command: Command, since: float) -> bool:
            with _obeying(asker, command):
                return play(path, asker, command, since)

        def writes(journal: Journal, events: Sequence[Event], served: int) -> tuple[list[Event], tuple[EventRow, ...]]:
            self._asked[journal._table, journal.epoch, journal.seq] = _obeyed.get()
            return rows(journal, events, served)

        with (
            patch.object(TableRunner, "_obey", obeys),
            patch.object(FastPath, "play", plays),
            patch.object(Journal, "_rows", writes),
        ):
            yield


@contextmanager
def _obeying(asker: Subscriber, command: Command) -> Iterator[None]:
    token = _obeyed.set(Asked(asker.number & (1 << NODE_BITS) - 1, command))
    try:
        yield
    finally:
        _obeyed.reset(token)
