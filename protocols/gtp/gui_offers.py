"""A GUI's offers, for which GTP has no commands but undo: draws, takebacks, ends without a result, and answers.

An offer of the other side comes as a comment, which no GUI takes for an answer; ``boardgate gtp`` shows it to people.
``boardgate-draw``, ``boardgate-abort``, ``boardgate-agree`` and ``boardgate-decline`` are ours, as is their place
in GoGui's menu.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from protocols.core.commands import Decline, Propose
from protocols.core.events import Declined, GameAdjourned, GameEnded, MoveMade, MovesTakenBack, Proposed
from protocols.core.model import Reason
from protocols.core.notifications import Notification, Rejected
from protocols.core.proposals import Abort, Adjourn, Draw, Proposal, Takeback
from protocols.gtp.gui_play import over
from protocols.gtp.gui_talk import Fails, Talk, Waiting, Words

ANSWER: Final = "boardgate-agree, or boardgate-decline"

NOTHING: Final = "nobody offers you anything"

_DONE: Final[dict[type, type]] = {Draw: GameEnded, Takeback: MovesTakenBack, Adjourn: GameAdjourned, Abort: GameEnded}
"""Proposals that can be agreed to here, and the event that follows."""


_REASONS: Final[dict[type, Reason]] = {Draw: Reason.AGREEMENT, Abort: Reason.VOID}
"""How the game ends that is agreed upon."""


def offers(talk: Talk) -> list[str]:
    """The other side's wishes, in words."""
    return [text for made in talk.table.offers() if (text := offer(talk, made))]


def offer(talk: Talk, made: Proposed) -> str:
    """An offer of the other side in words; "" for another proposal, for the user's own, and for a yes to that."""
    table, wanted = talk.table, _wanted(made.proposal)
    if talk.looking or made.seat == table.seat or table.mine(type(made.proposal)) == made.proposal:
        return ""
    return f"{table.rival} {wanted}: {ANSWER}" if wanted else ""


def _wanted(proposal: Proposal) -> str:
    match proposal:
        case Draw():
            return "offers a draw"
        case Takeback(plies=plies):
            return f"asks to take {plies} moves back" if plies > 1 else "asks to take a move back"
        case Adjourn():
            return "asks to adjourn"
        case Abort():
            return "asks to abort the game, so that nobody loses"
    return ""


def draw(talk: Talk, words: Words) -> Waiting:
    """boardgate-draw: offer one, and wait for the answer; or agree to the other side's."""
    if not talk.table.begun:
        raise Fails(f"no draw: the game {talk.table.status.value}")
    return Offering(proposal=Draw())


def abort(talk: Talk, words: Words) -> Waiting:
    """boardgate-abort: end the game without a result; once the user has moved, the other side is asked."""
    if not talk.table.begun:
        raise Fails(f"nothing to abort: the game {talk.table.status.value}")
    return Offering(proposal=Abort())


def agree(talk: Talk, words: Words) -> Waiting:
    """boardgate-agree: yes to the latest offer. After a takeback the GUI undoes the moves on its own board."""
    return Offering(proposal=_latest(talk))


def decline(talk: Talk, words: Words) -> str:
    """boardgate-decline: no to the latest offer."""
    talk.ask(Decline(type(_latest(talk)).__name__))
    return ""


def _latest(talk: Talk) -> Proposal:
    found = [made.proposal for made in talk.table.offers() if type(made.proposal) in _DONE]
    if not found or talk.looking:
        raise Fails(NOTHING)
    return found[-1]


@dataclass(slots=True)
class Offering(Waiting):
    """Waits until what the user proposes is done, declined, or passed over by a move; ``cannot`` is said before why."""

    cannot: ClassVar[str] = ""

    proposal: Proposal = field(default_factory=Draw)

    def look(self, talk: Talk, message: Notification | None) -> str | None:
        kind = type(self.proposal)
        if message is None:
            if talk.table.mine(kind) != self.proposal:
                talk.ask(Propose(self.proposal))
        elif (answer := self.done(talk, message)) is not None:
            return answer
        match message:
            case Rejected(text=text):
                raise Fails(f"{self.cannot}{text}")
            case Declined(seat=seat, kind=name) if seat != talk.table.seat and name == kind.__name__:
                raise Fails(f"{self.cannot}{talk.table.rival} declines")
            case MoveMade() | GameEnded():
                raise Fails(f"{self.cannot}the game has gone on")
        return None

    def done(self, talk: Talk, message: Notification) -> str | None:
        """The answer once it is done; None: not by this message."""
        kind = type(self.proposal)
        if not isinstance(message, _DONE[kind]):
            return None
        if isinstance(message, GameEnded) and message.outcome.reason is not _REASONS[kind]:
            raise Fails(over(talk))
        undone = talk.known - len(talk.table.moves)
        return f"undo {undone} times" if kind is Takeback and undone > 0 else ""

    def interrupted(self, talk: Talk) -> None:
        talk.ask(Decline(type(self.proposal).__name__))
        talk.withdrawn = True


def undo(talk: Talk, words: Words) -> Waiting | str:
    """Take the last move back that the GUI knows: the opponent is asked, unless that is done already.

    After a reply the user's own move goes back with it, for no opponent should have to move again in between: the
    GUI's next undo is then answered at once. A spectator asks for nothing: genmove tells the move again.
    """
    table = talk.table
    if talk.known == 0 or not (table.begun or talk.looking):
        raise Fails("cannot undo")
    lacking = len(table.moves) - talk.known
    if lacking < 0 or lacking > 1 or talk.looking:
        talk.known -= 1  # taken back already, or still playing the game again
        return ""
    first = talk.known - 1
    if first and table.moves[first].seat != table.seat and table.moves[first - 1].seat == table.seat:
        first -= 1
    return Undoing(proposal=Takeback(len(table.moves) - first), ply=first)


@dataclass(slots=True)
class Undoing(Offering):
    """A takeback that the opponent has not decided on. ``ply`` is how many moves will be left."""

    cannot: ClassVar[str] = "cannot undo: "

    ply: int = 0

    def done(self, talk: Talk, message: Notification) -> str | None:
        if len(talk.table.moves) > self.ply:
            return None
        talk.known -= 1
        return ""
