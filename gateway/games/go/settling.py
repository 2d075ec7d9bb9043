"""Settles claims of dead stones when play of Go has stopped, and gives a house bot's claim.

The first time the players agree or play on. From the second stop on no player is asked to play on, for that could go on
for ever: of a person's list and a program's the program's counts in a rated game, the person's in any other. It counts
at once when both have said theirs; in a rated game also when the person would rather play on. Two programs, two people
and house bots settle by agreement alone.

A house bot:

    it has no list    it agrees to any; at the second stop, or among house bots alone, it proposes that nothing is dead
    first stop        its list is its claim; where another is proposed against it, it plays on
    later stops       its list again; against a program's all stones are alive

A list that was proposed before the bot's own is no objection, for its proposer has not seen that one. How a bot comes
to its list is the engine's affair (gateway.bots).
"""

from __future__ import annotations

from typing import Final

from gateway.games.go.position import Position
from gateway.games.parts import Scoring, Settlement, goes_along
from protocols.core.commands import Command, MarkDead, Propose
from protocols.core.proposals import Resume, Score

SECOND: Final = 2
"""The stop of play from which on no player is asked to play on."""


class Settling(Scoring[Position]):
    """The claims of dead stones, for a game that has this part."""

    def decided(self, settlement: Settlement) -> Score | None:
        """The list that counts although not all agree; None while that is theirs to settle."""
        lists = [claim for _, claim in settlement.claims]
        if (
            settlement.stops < SECOND
            or len(lists) < len(settlement.seats)
            or len({made.program for made in lists}) == 1
        ):
            return None
        return next(made for made in lists if made.program is settlement.rated)

    def overruled(self, settlement: Settlement, seat: int) -> Score | None:
        """The list that counts when ``seat`` would play on again instead of agreeing to it; None where it may."""
        own = settlement.of(seat)
        if settlement.stops < SECOND or not settlement.rated or (own is not None and own.program):
            return None
        return next((claim for _, claim in settlement.claims if claim.program), None)

    def answer(
        self, settlement: Settlement, seat: int, own: tuple[int, ...] | None, *, claimed: bool
    ) -> Command | None:
        """The command of the bot on ``seat``; None while it has nothing to say.

        ``own`` is its list, whole strings, None where it has none; ``claimed`` is whether it has proposed anything
        since this stop.
        """
        again = settlement.stops >= SECOND
        if own is None:
            return goes_along(settlement, seat, claimed=claimed, first=again)  # some programs wait for a second list
        if not claimed:
            return MarkDead(own, program=True)
        lists, mine = settlement.claims, settlement.of(seat)
        theirs = next((claim for who, claim in reversed(lists) if who != seat), None)
        if theirs is None or theirs == mine:
            return None
        if again and theirs.program:
            return None if mine == Score() else MarkDead((), program=True)
        if again or theirs == Score(own):
            return None if mine == Score(own) else MarkDead(own, program=True)
        return Propose(Resume()) if lists[-1][0] != seat else None
