"""What comes of a second disagreement of a person and a program about what is dead, for play cannot go on for ever.

The first time play goes on. From the second stop on the program's list counts in a rated game, the person's in any
other: at once when both have said what they think, and in a rated game also when the person would rather play on.
Two programs, two people and the house's own bots settle it by agreement alone. Not here: who proposes what.
"""

from __future__ import annotations

from typing import Final

from gateway.table.state import State
from protocols.core.proposals import Proposal, Score

SECOND: Final = 2
"""The stop of play from which on nobody is asked to play on."""


def insists(state: State, seat: int, proposal: Proposal) -> bool:
    """Whether ``seat`` repeats its list of dead stones, which somebody has answered with another one."""
    return isinstance(proposal, Score) and state.proposals[-1].seat != seat


def decided(state: State) -> Score | None:
    """The list that counts although not all agree; None while that is theirs to settle."""
    if len(state.stops) < SECOND:
        return None
    lists = [made.proposal for made in state.proposals if isinstance(made.proposal, Score)]
    if len(lists) < len(state.seats) or len({made.program for made in lists}) == 1:
        return None
    return next(made for made in lists if made.program is state.settings.rated)


def refused(state: State, seat: int) -> Score | None:
    """The list that counts when ``seat`` would play on again instead of agreeing to it; None where it may."""
    if len(state.stops) < SECOND or not state.settings.rated:
        return None
    lists = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Score)}
    if seat in lists and lists[seat].program:
        return None
    return next((made for made in lists.values() if made.program), None)
