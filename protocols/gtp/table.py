"""What a GTP connection knows of its table, folded from the events: who sits, what is proposed, where it stands.

Not here: rules, and how any of it is worded. The board is what the events say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeVar

from protocols.core import events as ev
from protocols.core.events import Event
from protocols.core.model import Clock, Move, Outcome, Reason, SeatKind, Settings
from protocols.core.picture import Picture
from protocols.core.proposals import Proposal, Score
from protocols.gtp.vertices import COLOURS

Kind = TypeVar("Kind", bound=Proposal)

GAME: Final = "go"
SIZE: Final = 19


class Status(Enum):
    """Where the table's game stands."""

    WAITING = "has not begun"
    PLAYING = "is being played"
    SETTLING = "is being scored"
    ADJOURNED = "is adjourned"
    OVER = "is over"


@dataclass(slots=True)
class Table:
    """``seat`` is the connection's own, None without one. ``moves`` are this game's, with the seat that made each.
    ``turn`` is None from a move on until the next turn begins.

    ``standing`` are the open proposals by seat and kind; ``last_words`` what each seat said last; ``dead`` the squares
    that were agreed upon; ``settled`` counts how often the settling of this game has begun, ``games`` the games
    begun; ``stops`` are the plies at which play has stopped for that; ``programs`` the seats whose lists of dead stones
    are an engine's.
    """

    seat: int | None = None
    picture: Picture = field(default_factory=Picture)
    status: Status = Status.WAITING
    moves: list[tuple[int, Move]] = field(default_factory=list)
    turn: int | None = None
    clock: Clock | None = None
    standing: dict[int, dict[type, Proposal]] = field(default_factory=dict)
    last_words: dict[int, str] = field(default_factory=dict)
    dead: tuple[int, ...] = ()
    settled: int = 0
    stops: set[int] = field(default_factory=set)
    programs: set[int] = field(default_factory=set)
    games: int = 0

    @property
    def settings(self) -> Settings | None:
        return self.picture.settings

    @property
    def size(self) -> int:
        """Lines of the board."""
        return SIZE if self.settings is None else self.settings.width or SIZE

    @property
    def outcome(self) -> Outcome | None:
        return self.picture.outcome

    @property
    def begun(self) -> bool:
        """Whether a game is on, be it interrupted."""
        return self.status in (Status.PLAYING, Status.SETTLING, Status.ADJOURNED)

    @property
    def rival(self) -> str:
        """The name of whoever sits opposite, or what is said of nobody in particular."""
        names = [held.name for held in self.picture.seats if held.index != self.seat and held.name]
        return names[0] if names else "your opponent"

    def name(self, seat: int) -> str:
        return next((held.name for held in self.picture.seats if held.index == seat), "")

    @property
    def against_program(self) -> bool:
        """Whether another seat's list of dead stones was an engine's, in this game."""
        return any(seat != self.seat for seat in self.programs)

    def mine(self, kind: type[Kind]) -> Kind | None:
        """The connection's own open proposal of a kind."""
        found = None if self.seat is None else self.standing.get(self.seat, {}).get(kind)
        return found if isinstance(found, kind) else None

    def theirs(self, kind: type[Kind]) -> Kind | None:
        """Another seat's open proposal of a kind."""
        found = (made.get(kind) for seat, made in self.standing.items() if seat != self.seat)
        return next((proposal for proposal in found if isinstance(proposal, kind)), None)

    def catch_up(self, past: Sequence[Event]) -> None:
        """Take in all that happened until now. ``seat`` is the present one: where it was first is counted back."""
        seats = next((event.settings.seats for event in past if isinstance(event, ev.TableOpened)), 0)
        if self.seat is not None and seats:
            self.seat = (self.seat - sum(event.by for event in past if isinstance(event, ev.SeatsTurned))) % seats
        for event in past:
            self.fold(event)

    def fold(self, event: Event) -> None:
        """Take in what happened."""
        self.picture.fold(event)
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, event)

    def _turned(self, event: ev.SeatsTurned) -> None:
        if self.seat is not None and self.picture.seats:
            self.seat = (self.seat + event.by) % len(self.picture.seats)
        self.standing = {}

    def _left(self, event: ev.SeatLeft) -> None:
        self.standing.pop(event.seat, None)
        if event.kind is SeatKind.OPEN:
            self.last_words.pop(event.seat, None)

    def _proposed(self, event: ev.Proposed) -> None:
        if isinstance(event.proposal, Score) and event.proposal.program:
            self.programs.add(event.seat)
        self.standing.setdefault(event.seat, {})[type(event.proposal)] = event.proposal

    def _agreed(self, event: ev.Agreed) -> None:
        if isinstance(event.proposal, Score):
            self.dead = event.proposal.dead
        for made in self.standing.values():
            made.pop(type(event.proposal), None)

    def _declined(self, event: ev.Declined) -> None:
        """Whoever has made such a proposal withdraws that one; otherwise the other's is void."""
        own = self.standing.get(event.seat, {})
        withdrawn = any(kind.__name__ == event.kind for kind in own)
        for made in [own] if withdrawn else self.standing.values():
            for kind in [kind for kind in made if kind.__name__ == event.kind]:
                del made[kind]

    def _said(self, event: ev.Said) -> None:
        if event.seat is not None:
            self.last_words[event.seat] = event.text

    def _started(self, event: ev.GameStarted) -> None:
        self.moves, self.clock, self.dead, self.settled = [], None, (), 0
        self.stops, self.programs = set(), set()
        self.games += 1
        self._go(Status.PLAYING)

    def _turn(self, event: ev.TurnStarted) -> None:
        self.turn, self.clock = event.seat, event.clock

    def _timed(self, event: ev.ClockSet) -> None:
        self.clock = event.clock

    def _moved(self, event: ev.MoveMade) -> None:
        self.moves.append((event.seat, event.move))
        self.turn, self.standing = None, {}

    def _back(self, event: ev.MovesTakenBack) -> None:
        del self.moves[event.ply :]
        self.stops = {stop for stop in self.stops if stop <= event.ply}
        self._go(Status.PLAYING)

    def _settling(self, event: ev.GameSettling) -> None:
        self.settled += 1
        self.stops.add(len(self.moves))
        self._go(Status.SETTLING)

    def _adjourned(self, event: ev.GameAdjourned) -> None:
        self._go(Status.ADJOURNED)

    def _resumed(self, event: ev.GameResumed) -> None:
        self._go(Status.PLAYING)

    def _ended(self, event: ev.GameEnded) -> None:
        self._go(Status.OVER)

    def _go(self, status: Status) -> None:
        self.status = status
        self.turn, self.standing = None, {}


def result(outcome: Outcome) -> str:
    """A result as Go writes it: "B+3.5", "W+R", "W+T", "B+F", "0", "Void"."""
    if outcome.reason is Reason.VOID:
        return "Void"
    if outcome.winner is None:
        return "0"
    letter = COLOURS[outcome.winner != 0][0].upper()
    if outcome.reason is Reason.RULES and outcome.detail.startswith(f"{letter}+"):
        return outcome.detail
    return f"{letter}+{_REASONS.get(outcome.reason, 'F')}"


_REASONS: Final = {Reason.RESIGNATION: "R", Reason.TIME: "T", Reason.RULES: "", Reason.AGREEMENT: ""}

_STEPS: Final[dict[type, Callable[[Table, Any], None]]] = {
    ev.SeatsTurned: Table._turned,
    ev.SeatLeft: Table._left,
    ev.Proposed: Table._proposed,
    ev.Agreed: Table._agreed,
    ev.Declined: Table._declined,
    ev.Said: Table._said,
    ev.GameStarted: Table._started,
    ev.TurnStarted: Table._turn,
    ev.ClockSet: Table._timed,
    ev.MoveMade: Table._moved,
    ev.MovesTakenBack: Table._back,
    ev.GameSettling: Table._settling,
    ev.GameAdjourned: Table._adjourned,
    ev.GameResumed: Table._resumed,
    ev.GameEnded: Table._ended,
}
