"""The open proposals of a table: which of them stand after an event, for the kernel and for dialects that show them."""

from __future__ import annotations

from typing import Final, TypeAlias

from protocols.core import events as ev
from protocols.core.events import Proposed
from protocols.core.notifications import Notification

Standing: TypeAlias = tuple[Proposed, ...]
"""Oldest first; at most one of a kind from each seat."""

LAPSING: Final = (
    ev.SeatsTurned,
    ev.GameStarted,
    ev.MoveMade,
    ev.MovesTakenBack,
    ev.SeatWithdrawn,
    ev.GameSettling,
    ev.GameAdjourned,
    ev.GameResumed,
    ev.GameEnded,
)
"""The game is not the one the proposals were made for."""


def after(standing: Standing, event: Notification) -> Standing:
    """The open proposals after ``event``: a newer one of the same kind and seat replaces the one before."""
    match event:
        case ev.Proposed(seat=seat, proposal=proposal):
            others = (made for made in standing if made.seat != seat or type(made.proposal) is not type(proposal))
            return (*others, event)
        case ev.Agreed(proposal=proposal):
            return tuple(made for made in standing if type(made.proposal) is not type(proposal))
        case ev.Declined(seat=seat, kind=kind):
            return _declined(standing, seat, kind)
        case ev.SeatLeft(seat=seat):
            return tuple(made for made in standing if made.seat != seat)
        case _:
            return () if isinstance(event, LAPSING) else standing


def _declined(standing: Standing, seat: int, kind: str) -> Standing:
    """A seat that has made such a proposal itself withdraws that one; others' are void otherwise."""
    own = [made for made in standing if made.seat == seat and type(made.proposal).__name__ == kind]
    return tuple(made for made in standing if made not in own and (own or type(made.proposal).__name__ != kind))
