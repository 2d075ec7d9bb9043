"""One stay at a table as a Miniature peer is told of it: every event to the lines that say it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from protocols.core import events as ev
from protocols.core.commands import Command, Decline, GiveTime, PlayMove, Propose, Say
from protocols.core.errors import Why
from protocols.core.events import GROUPS, Event
from protocols.core.model import SeatKind, Settings
from protocols.core.notifications import Rated, Rejected, Stakes
from protocols.core.proposals import Proposal, Rematch, Start, Takeback
from protocols.core.standing import Outrun
from protocols.miniature import words as say
from protocols.miniature.table import State, Table, clashes, matches
from protocols.miniature.wire import agrees

_DISCARDED: Final = (Why.NOT_YOUR_TURN, Why.WRONG_PLY, Why.NOT_PLAYING)
"""A move that crossed another move, a takeback or the end on its way: out of turn, and so discarded without a word."""


_TAKE_NEXT: Final = Propose(Start())
_CAME_BACK: Final = {
    State.PLAYING: [],
    State.ADJOURNED: [say.remark("this is the game that was adjourned; play again, and you are ready to go on")],
}
"""The answer to a play that returned its player to a game instead of beginning one."""


@dataclass(slots=True)
class Asked:
    """The peer's commands without an outcome, oldest first, each with the FEN it gave ("" without)."""

    waiting: deque[tuple[Command, str]] = field(default_factory=deque)

    def note(self, command: Command, claimed: str = "") -> Command:
        self.waiting.append((command, claimed))
        return command

    def done(self, *kinds: type[Command]) -> str | None:
        """The oldest of these kinds has come about: the FEN it gave. None when the peer did not ask for it."""
        while any(isinstance(command, kinds) for command, _ in self.waiting):
            command, claimed = self.waiting.popleft()
            if isinstance(command, kinds):
                return claimed
        return None

    def refused(self) -> tuple[Command | None, str]:
        """The oldest was refused; and the FEN it gave."""
        return self.waiting.popleft() if self.waiting else (None, "")


@dataclass(slots=True)
class Sitting:
    table: Table
    asked: Asked
    _aware: bool = False
    _accepted: Proposal | None = None

    def arrived(self, seat: int | None, past: Sequence[Event], ticket: str) -> list[str]:
        """The table as it is, for a player who has just sat down or come back."""
        table = self.table
        table.catch_up(seat, past)
        words = [say.remark(f"table {table.number}" + (f": {say.players(table)}" if table.stage is State.OPEN else ""))]
        if ticket:
            words.append(say.remark(f'your ticket is {ticket}; "tell gateway seat {ticket}" takes this seat back'))
        if table.stage is State.OPEN:
            waiting = [] if table.others() else [say.remark(self._alone())]
            waiting += [
                say.remark(f"{say.nick(name)} is expected; play says that you are ready") for name in table.absent()
            ]
            return [*words, *waiting, *self._offers()]
        return [*words, *say.where_it_stands(table), *self._offers()]

    def _alone(self) -> str:
        """The words for a player alone at the table: a peer that has just sought a game knows how."""
        return "nobody else is here yet" + ("" if self.asked.waiting else "; seek 5 0 proposes a game")

    def _offers(self) -> list[str]:
        """The proposals, to a player: its own in words, the others' as they are offered."""
        table = self.table
        if table.seat is None:
            return []
        own = [say.stands(made.proposal) for made in table.standing if made.seat == table.seat]
        return own + (self._challenge() or [line for made in table.offers() for line in say.offer(table, made)])

    def unrated(self, message: Rejected) -> Start | None:
        """The game that a guest has sought rated, as guests may play it; None where another thing was refused."""
        command = self.asked.waiting[0][0] if self.asked.waiting else None
        match command:
            case Propose(proposal=Start(settings=Settings(rated=True) as sought) as start):
                taken = self.table.offered(Start)
                takes = taken is not None and matches(start, taken.proposal)  # then it is not the client's to change
                guest = message.why is Why.NO_ACCOUNT and not takes
                return replace(start, settings=replace(sought, rated=False)) if guest else None
        return None

    def refused(self, message: Rejected) -> list[str]:
        """A position comes with it when the peer gave one: its board shows a move that was not made."""
        command, claimed = self.asked.refused()
        if message.why in _DISCARDED:
            return []
        if command == _TAKE_NEXT and self.table.stage in _CAME_BACK:
            return _CAME_BACK[self.table.stage]
        known = self.table.position if self.table.chess else ""
        error = say.refusal(message)
        return [error, say.sync(known)] if claimed and known else [error]

    def told(self, event: Event | Stakes | Rated) -> list[str]:
        """The lines for an event, or for ratings."""
        if type(event) not in _COMPARED:
            self.table.fold(event)
        tell = _TELL.get(type(event))
        return [] if tell is None else tell(self, event)

    def _proposed(self, event: ev.Proposed) -> list[str]:
        table = self.table
        mine = table.mine(type(event.proposal))
        table.fold(event)
        if event.seat == table.seat:
            self.asked.done(Propose)
            return self._sought(event.proposal) if isinstance(event.proposal, Start) else []
        if table.seat is None:
            return []
        begins = isinstance(mine, Start) and not mine.confirms and matches(mine, event.proposal)
        if isinstance(mine, Rematch) or begins:
            return []  # that is an agreement, told when the game begins and the colours are known
        if mine == event.proposal and not isinstance(mine, Start):
            return say.agreed(table, event.proposal)
        if isinstance(mine, Start) and clashes(mine, event.proposal):
            return [say.clash(table.name(event.seat), mine, own=False)]  # its line would be the answer to the client's
        return self._challenge() or say.offer(table, event)

    def _sought(self, start: Start) -> list[str]:
        """The client's own seek stands: one that takes it up already, or wants the same colour, is told."""
        made = self.table.offered(Start)
        if made is not None and clashes(start, made.proposal):
            return [say.clash(self.table.name(made.seat), start, own=True)]
        return self._challenge()

    def _challenge(self) -> list[str]:
        """Its own manual seek is taken up: it is asked."""
        who = self.table.challenger()
        if not who:
            return []
        asks = f"{say.nick(who)} takes your seek; play begins the game, tell gateway decline refuses"
        return ["play", say.remark(asks)]

    def _agreed(self, event: ev.Agreed) -> list[str]:
        """House bots agree without a word of their own: what no person proposed is said here."""
        table, kind = self.table, type(event.proposal)
        mine = table.mine(kind)
        outrun = isinstance(theirs := table.offered(kind), Outrun)  # by a move that may have crossed the peer's answer
        self._aware = isinstance(mine, Takeback) and not outrun
        self._accepted = None if table.mine_completes(kind) else mine
        told_before = theirs is not None
        table.fold(event)
        return [] if mine is None or told_before else say.agreed(table, mine)

    def _started(self, event: ev.GameStarted) -> list[str]:
        mine, self._accepted = self._accepted, None
        first = [] if mine is None else [say.accepted(self.table, mine)]
        begins = say.remark(f"game {event.number}: {say.begins(self.table)}")
        return [*first, begins, *say.position(self.table)]

    def _timed(self, event: ev.TurnStarted) -> list[str]:
        return [] if event.clock is None else [say.remark(say.clock(event.clock))]

    def _moved(self, event: ev.MoveMade) -> list[str]:
        """The mover knows; if its FEN was another, the table's position wins."""
        table = self.table
        claimed = self.asked.done(PlayMove) if event.seat == table.seat else None
        if claimed is None:
            return [say.moved(table, event)]
        wrong = claimed and table.chess and agrees(claimed, event.position) is False
        return [say.sync(event.position)] if wrong else []

    def _back(self, event: ev.MovesTakenBack) -> list[str]:
        """A player who asked for just this, or agreed to it, knows. Others get the position."""
        table, aware = self.table, self._aware
        self._aware = False
        if table.seat is None or not table.chess:
            return [say.fen(f"takeback {event.plies}", event.position if table.chess else "")]
        return [] if aware else [say.sync(event.position)]

    def _adjourned(self, event: ev.GameAdjourned) -> list[str]:
        return [say.remark("the game is adjourned; it goes on when both have said play")]

    def _resumed(self, event: ev.GameResumed) -> list[str]:
        return [say.remark("the game goes on")]

    def _ended(self, event: ev.GameEnded) -> list[str]:
        self.asked.waiting.clear()
        again = [] if self.table.seat is None else [say.remark("seek, or tell gateway rematch, for another game")]
        return [say.result(event.outcome), *again]

    def _declined(self, event: ev.Declined) -> list[str]:
        table = self.table
        withdrawn, concerned = table.proposes(event.seat, event.kind), table.proposes(table.seat, event.kind)
        table.fold(event)
        if event.seat == table.seat:
            self.asked.done(Decline)
            return []
        if withdrawn and table.seat is not None:
            return [say.withdrawn(table.name(event.seat), event.kind)]
        return [say.declined(table.name(event.seat), event.kind)] if concerned else []

    def _sat(self, event: ev.SeatTaken) -> list[str]:
        table = self.table
        back = table.name(event.seat) == event.name
        word = "sits down" if not back else "is here" if table.stage is State.OPEN else "is back"
        table.fold(event)
        if event.seat == table.seat:
            return []
        kind = " (a house bot)" if event.kind is SeatKind.BOT else ""
        asked = self._challenge() if event.kind is SeatKind.BOT else []
        return [say.remark(f"{say.nick(event.name)}{kind} {word}"), *asked]

    def _left(self, event: ev.SeatLeft) -> list[str]:
        who = say.nick(self.table.name(event.seat))
        self.table.fold(event)
        if event.seat == self.table.seat:
            return []
        return [say.remark(f"{who} {_GONE.get(event.kind, 'has left')}")]

    def _said(self, event: ev.Said) -> list[str]:
        """Spectators hear their channel and what is said to all, players all but that channel, none their own words.

        What comes from elsewhere is for the peer alone.
        """
        table = self.table
        if event.seat is not None and event.seat == table.seat:
            self.asked.done(Say, GiveTime)
            return []
        alone = event.seat is None and event.to not in GROUPS
        if not alone and event.to != "all" and (event.to == "observers") != (table.seat is None):
            return []
        return [say.said(event, event.name if event.seat is None else event.name or table.name(event.seat))]

    def _rated(self, message: Stakes | Rated) -> list[str]:
        return [say.remark(message.words(self.table.seat))]

    def _closed(self, event: ev.TableClosed) -> list[str]:
        return [say.remark("the table is closed")]


_GONE: Final = {
    SeatKind.RESERVED: "has lost the connection; the seat is kept",
    SeatKind.ABANDONED: "does not come back",
}

_COMPARED: Final = (ev.Proposed, ev.Agreed, ev.Declined, ev.SeatTaken, ev.SeatLeft)
"""Events whose words say how the table was before: their methods fold them into it."""

_TELL: Final[dict[type, Callable[[Sitting, Any], list[str]]]] = {
    ev.SeatTaken: Sitting._sat,
    ev.SeatLeft: Sitting._left,
    ev.Proposed: Sitting._proposed,
    ev.Agreed: Sitting._agreed,
    ev.Declined: Sitting._declined,
    ev.GameStarted: Sitting._started,
    ev.TurnStarted: Sitting._timed,
    ev.MoveMade: Sitting._moved,
    ev.MovesTakenBack: Sitting._back,
    ev.GameAdjourned: Sitting._adjourned,
    ev.GameResumed: Sitting._resumed,
    ev.GameEnded: Sitting._ended,
    ev.Said: Sitting._said,
    Stakes: Sitting._rated,
    Rated: Sitting._rated,
    ev.TableClosed: Sitting._closed,
}
