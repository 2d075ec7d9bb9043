"""What a house bot says of dead stones: its own list when play has stopped, and an answer to somebody else's.

    it has no list    it agrees to any; at the second stop, or among house bots alone, it proposes that nothing is dead
    first stop        its list is its claim; where another is proposed against it, it plays on
    later stops       its list again; against a program's all stones are alive

A list that stood there before the bot's own is no objection: whoever proposed it has not seen that one. Not here: how
it comes to its list (gateway.bots), and what comes of a second disagreement with a person (disagreement.py).
"""

from __future__ import annotations

from gateway.table.disagreement import SECOND
from gateway.table.state import State
from protocols.core.commands import Command, MarkDead, Propose
from protocols.core.model import SeatKind
from protocols.core.proposals import Resume, Score


def reply(state: State, seat: int, dead: tuple[int, ...] | None, *, claimed: bool) -> Command | None:
    """What the bot on ``seat`` says in a game that is being settled; None while there is nothing to say.

    ``dead`` is its list, whole strings, None where it has none; ``claimed`` is whether it has proposed anything since
    this stop.
    """
    lists = [(made.seat, made.proposal) for made in state.proposals if isinstance(made.proposal, Score)]
    mine = next((score for who, score in lists if who == seat), None)
    theirs = next((score for who, score in reversed(lists) if who != seat), None)
    if dead is None:
        return _goes_along(state, mine, theirs, claimed=claimed)
    if not claimed:
        return MarkDead(dead, program=True)
    if theirs is None or theirs == mine:
        return None
    if len(state.stops) >= SECOND and theirs.program:
        return None if mine == Score() else MarkDead((), program=True)
    if len(state.stops) >= SECOND or theirs == Score(dead):
        return None if mine == Score(dead) else MarkDead(dead, program=True)
    return Propose(Resume()) if lists[-1][0] != seat else None


def _goes_along(state: State, mine: Score | None, theirs: Score | None, *, claimed: bool) -> Command | None:
    """What one says that has no list. At a second stop some programs wait for one, since there was one before."""
    if theirs is not None:
        return None if theirs == mine else Propose(Score(theirs.dead))
    alone = all(held.kind is SeatKind.BOT for held in state.seats)
    return Propose(Score()) if not claimed and (alone or len(state.stops) >= SECOND) else None
