"""The open proposals of a table: which of them stand after an event, for the kernel and for dialects that show them.

An offer stands until another seat moves or declines, or its own seat withdraws it (FIDE 9.1.2.1). A lost connection
withdraws nothing; but who proposes to play is ready to, and no absent player is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from protocols.core import events as ev
from protocols.core.events import Proposed
from protocols.core.model import SeatKind
from protocols.core.notifications import Notification
from protocols.core.proposals import Proposal, Rematch, Resume, Start, Takeback

Kind = TypeVar("Kind", bound=Proposal)

Standing: TypeAlias = tuple[Proposed, ...]
"""Oldest first; at most one of a kind from each seat."""


@dataclass(frozen=True, slots=True)
class Outrun(Proposed):
    """A takeback whose seat has made so many ``moves`` since: its plies lead to the position that it named."""

    moves: int

    @property
    def said(self) -> int:
        """The plies as they were asked for."""
        assert isinstance(self.proposal, Takeback)
        return self.proposal.plies - self.moves


LAPSING: Final = (
    ev.SeatsTurned,
    ev.GameStarted,
    ev.MovesTakenBack,
    ev.SeatWithdrawn,
    ev.GameAdjourned,
    ev.GameResumed,
    ev.GameEnded,
)
"""The game is not the one the proposals were made for."""


READY: Final = (Start, Resume, Rematch)
"""Proposals to play now."""


def after(standing: Standing, event: Notification) -> Standing:
    """The open proposals after ``event``: a newer one of the same kind and seat replaces the one before."""
    match event:
        case ev.MoveMade(seat=seat):
            return _moved(standing, seat) if standing else standing
        case ev.Proposed(seat=seat, proposal=proposal):
            others = (made for made in standing if made.seat != seat or type(made.proposal) is not type(proposal))
            return (*others, event)
        case ev.Agreed(proposal=proposal):
            return tuple(made for made in standing if type(made.proposal) is not type(proposal))
        case ev.Declined(seat=seat, kind=kind):
            return _declined(standing, seat, kind)
        case ev.SeatLeft(seat=seat, kind=kind):
            stays = kind is SeatKind.RESERVED
            return tuple(m for m in standing if m.seat != seat or (stays and not isinstance(m.proposal, READY)))
        case _:
            return () if isinstance(event, LAPSING) else standing


def meant(standing: Standing, seat: int | None, proposal: Kind) -> Kind:
    """The proposal that ``seat`` means: an answer says the plies of another's takeback as that one was asked."""
    if isinstance(proposal, Takeback):
        for made in standing:
            if isinstance(made, Outrun) and made.seat != seat and made.said == proposal.plies:
                return replace(proposal, plies=proposal.plies + made.moves)
    return proposal


def _moved(standing: Standing, seat: int) -> Standing:
    """A move is the answer to what others propose, unless its seat has agreed to it. Its own proposals stand."""
    own = [made.proposal for made in standing if made.seat == seat]
    return tuple(_outrun(made) for made in standing if made.proposal in own)


def _outrun(made: Proposed) -> Proposed:
    """One more move is to be taken back to the position that was named."""
    if not isinstance(made.proposal, Takeback):
        return made
    moves = made.moves if isinstance(made, Outrun) else 0
    return Outrun(made.seat, Takeback(made.proposal.plies + 1), moves + 1)


def _declined(standing: Standing, seat: int, kind: str) -> Standing:
    """A seat that has made such a proposal itself withdraws that one; others' are void otherwise."""
    own = [made for made in standing if made.seat == seat and type(made.proposal).__name__ == kind]
    return tuple(made for made in standing if made not in own and (own or type(made.proposal).__name__ != kind))
