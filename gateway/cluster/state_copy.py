"""Keeps the state of a table of another node, from the steps that are heard of it.

Steps are evolved when somebody looks at the state, or asks a move for its texts: few dialects do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, get_args

from gateway.table.evolve import evolve
from gateway.table.state import State
from gateway.table.writing import TableWriter
from protocols.core import events as ev
from protocols.core.model import Tally
from protocols.core.notifications import Notification

Set: TypeAlias = ev.GameStarted | ev.MovesTakenBack | ev.SeatWithdrawn
"""Events that set a position other than by a move."""

_EVENTS: Final = frozenset(get_args(ev.Event))


class StateCopy:
    """The state after event ``seq`` of the table's record."""

    def __init__(self) -> None:
        self.seq = 0
        self._state: State | None = None
        self.timed = False
        """True if a clock measures its game."""
        self._heard: list[list[ev.Event]] = []
        self._writer = TableWriter()

    @property
    def known(self) -> bool:
        """False until it has been put somewhere."""
        return self._state is not None

    @property
    def state(self) -> State:
        """The state; it must be known."""
        self.evolve()
        assert self._state is not None
        return self._state

    def put(self, state: State, seq: int) -> None:
        """The state after event ``seq`` is this."""
        self.evolve()
        self._state, self.seq = state, seq
        self.timed = state.settings.time is not None

    def take(self, step: Sequence[Notification], first: int) -> int:
        """Take over what is new of a step, and return the number of its last stored event.

        ``first`` is the number of its first stored event. 0: none is, and 0 is returned.
        """
        if not first:
            return 0
        seq, new = first - 1, []
        for event in step:
            if type(event) in _EVENTS:
                stored = ev.is_stored(event)
                seq += stored
                if seq > self.seq or not stored:
                    new.append(event)
        self.seq = max(self.seq, seq)
        self._heard.append(new)  # type: ignore[arg-type]
        for event in new:
            if type(event) is ev.MoveMade:
                event.written_by(_Late(self, event))
            elif isinstance(event, Set):
                event.read_by(_Late(self, event))
                if type(event) is ev.GameStarted:
                    self.timed = event.settings.time is not None
        return seq

    def evolve(self) -> None:
        """Evolve the state by what was heard. Each move and position is known to its own writer then."""
        heard, self._heard = self._heard, []
        for step in heard:
            assert self._state is not None
            before = self._state
            for event in step:
                self._state = evolve(self._state, event)
            self._writer.take(before, self._state, step)


class _Late:
    """Writes a move, or reads a position, once the state has come there: its own writer is known then."""

    __slots__ = ("_copy", "_event")

    def __init__(self, copy: StateCopy, event: ev.MoveMade | Set) -> None:
        self._copy, self._event = copy, event

    def notation(self) -> str:
        return self._writer().notation()

    def position(self) -> str:
        return self._writer().position()

    def hands(self) -> tuple[Mapping[str, int], ...]:
        return self._reader().hands()

    def alarm(self) -> int | None:
        return self._reader().alarm()

    def tally(self) -> tuple[Tally, ...]:
        return self._reader().tally()

    def _writer(self) -> ev.Writer:
        self._copy.evolve()
        assert isinstance(self._event, ev.MoveMade)
        return self._event.writer

    def _reader(self) -> ev.Reader:
        self._copy.evolve()
        return self._event.writer if isinstance(self._event, ev.MoveMade) else self._event.reader
