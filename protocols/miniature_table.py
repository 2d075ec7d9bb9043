"""What a Miniature connection knows of its table, folded from the events: who sits, what is proposed, where it stands.

Not here: how any of it is worded (miniature_words.py), and rules: positions are what the events say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from protocols.core import events as ev
from protocols.core.events import Event
from protocols.core.model import Clock, SeatKind, Settings
from protocols.core.picture import Picture
from protocols.core.proposals import Proposal, Rematch, Start, Takeback
from protocols.miniature_wire import Seek, read_seek


class State(Enum):
    """Where a connection stands; from OPEN on it is at a table, and its words say what is going on there."""

    LOBBY = "you have no seat yet"
    ASKED = "you are just being given a seat"
    OPEN = "the game has not begun"
    PLAYING = "a game is being played"
    ADJOURNED = "the game is adjourned"
    OVER = "the game is over"
    WATCHING = "you look on"


@dataclass(slots=True)
class Table:
    """``seat`` is the connection's own, None for an observer.

    ``positions`` are the FENs of this game from its start to now, ``last`` the move that led to the last of them (None
    after a takeback). ``standing`` are the open proposals, oldest first, ``manual`` the seeks that their seats want to
    confirm themselves. ``overtaken`` is the takeback that the other side had asked for when it moved after all.
    """

    number: int
    seat: int | None
    picture: Picture = field(default_factory=Picture)
    stage: State = State.OPEN
    positions: list[str] = field(default_factory=list)
    last: ev.MoveMade | None = None
    clock: Clock | None = None
    standing: list[ev.Proposed] = field(default_factory=list)
    manual: dict[int, Seek] = field(default_factory=dict)
    overtaken: int | None = None

    @property
    def state(self) -> State:
        return State.WATCHING if self.seat is None else self.stage

    @property
    def settings(self) -> Settings | None:
        return self.picture.settings

    @property
    def chess(self) -> bool:
        """Whether positions here are FENs."""
        return self.settings is not None and self.settings.game == "chess"

    @property
    def ply(self) -> int:
        """Moves made in this game."""
        return max(0, len(self.positions) - 1)

    @property
    def position(self) -> str:
        """The present position, "" where there is none."""
        return self.positions[-1] if self.positions else ""

    @property
    def turn(self) -> int | None:
        """Who is to move, or will be when an adjourned game goes on."""
        fields = self.position.split()
        if self.stage is not State.ADJOURNED or not self.chess or len(fields) < 2:
            return self.picture.turn
        return 0 if fields[1] == "w" else 1

    def before(self, plies: int) -> str:
        """The position that many moves ago; "" when there were not so many."""
        return self.positions[-1 - plies] if 0 <= plies < len(self.positions) else ""

    def name(self, seat: int) -> str:
        """Who holds a seat, "" for nobody."""
        return next((held.name for held in self.picture.seats if held.index == seat), "")

    def others(self) -> list[str]:
        """The names of everybody else who sits here."""
        return [held.name for held in self.picture.seats if held.index != self.seat and held.name]

    def absent(self) -> list[str]:
        """The names of those who have a seat here and are not here."""
        reserved = [held for held in self.picture.seats if held.kind is SeatKind.RESERVED and held.index != self.seat]
        return [held.name for held in reserved]

    def mine(self, kind: type[Proposal]) -> Proposal | None:
        """The connection's own open proposal of a kind."""
        return next((made.proposal for made in self.standing if made.seat == self.seat and _is(made, kind)), None)

    def offered(self, *kinds: type[Proposal]) -> ev.Proposed | None:
        """The latest open proposal of somebody else, of these kinds or of any."""
        found = [made for made in self.standing if made.seat != self.seat]
        return next((made for made in reversed(found) if not kinds or isinstance(made.proposal, kinds)), None)

    def mine_completes(self, kind: type[Proposal]) -> bool:
        """Whether the connection was the last of all who proposed this, and not the only one."""
        made = [made.seat for made in self.standing if _is(made, kind)]
        return len(made) > 1 and made[-1] == self.seat

    def forget_manual(self) -> None:
        """The connection's own manual seek is void."""
        if self.seat is not None:
            self.manual.pop(self.seat, None)

    def challenges(self, made: ev.Proposed | None) -> bool:
        """Whether this takes up the connection's own manual seek."""
        seek = None if self.seat is None else self.manual.get(self.seat)
        return seek is not None and made is not None and matches(seek.start, made.proposal)

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
        self.standing = []

    def _left(self, event: ev.SeatLeft) -> None:
        self.standing = [made for made in self.standing if made.seat != event.seat]
        if event.kind is SeatKind.OPEN:
            self.manual.pop(event.seat, None)

    def _proposed(self, event: ev.Proposed) -> None:
        kind = type(event.proposal)
        self.standing = [made for made in self.standing if made.seat != event.seat or not _is(made, kind)]
        self.standing.append(event)
        if kind is Start and event.seat != self.seat:
            self.manual.pop(event.seat, None)

    def _declined(self, event: ev.Declined) -> None:
        self.standing = [made for made in self.standing if type(made.proposal).__name__ != event.kind]

    def _said(self, event: ev.Said) -> None:
        """A manual seek is announced in words, for nothing may agree to it before its seeker does."""
        if event.seat is not None and (seek := announced(event)) is not None:
            self.manual[event.seat] = seek

    def _started(self, event: ev.GameStarted) -> None:
        self.stage, self.positions, self.last, self.clock = State.PLAYING, [event.position], None, None
        self.manual = {}
        self._lapse()

    def _lapse(self) -> None:
        self.standing, self.overtaken = [], None

    def _timed(self, event: ev.TurnStarted | ev.ClockSet) -> None:
        self.clock = event.clock

    def _moved(self, event: ev.MoveMade) -> None:
        asked = (made.proposal for made in self.standing if made.seat == event.seat)
        plies = next((proposal.plies for proposal in asked if isinstance(proposal, Takeback)), None)
        self._lapse()
        self.overtaken = plies if event.seat != self.seat else None
        self.positions.append(event.position)
        self.last = event

    def _back(self, event: ev.MovesTakenBack) -> None:
        del self.positions[event.ply :]
        self.positions.append(event.position)
        self.last = None
        self._lapse()

    def _adjourned(self, event: ev.GameAdjourned) -> None:
        self.stage = State.ADJOURNED
        self._lapse()

    def _resumed(self, event: ev.GameResumed) -> None:
        self.stage = State.PLAYING
        self._lapse()

    def _ended(self, event: ev.GameEnded) -> None:
        self.stage = State.OVER
        self._lapse()


def _is(made: ev.Proposed, kind: type[Proposal]) -> bool:
    return type(made.proposal) is kind


def announced(event: ev.Said) -> Seek | None:
    """The manual seek that a player's words are; None when they are anything else."""
    word, _, rest = event.text.partition(" ")
    if event.seat is None or event.to == "observers" or word != "seek":
        return None
    try:
        seek = read_seek(rest)
    except ValueError:
        return None
    return seek if seek.manual else None


def matches(one: Start, other: Proposal) -> bool:
    """Whether these two begin a game, as the table will judge it: what one leaves open is the other's to say."""
    if not isinstance(other, Start):
        return False
    settings = one.settings is None or other.settings is None or _mode(one.settings) == _mode(other.settings)
    return settings and (one.side is None or other.side is None or one.side != other.side)


def _mode(settings: Settings) -> tuple[object, ...]:
    """What of settings a seek says: sizes and seats are filled in by the table."""
    return settings.game, settings.variant, settings.time, settings.start, settings.rated


def answering(proposal: Proposal) -> Proposal:
    """What agrees to ``proposal``: the same, and of a Start the other side."""
    if isinstance(proposal, Start):
        return Start(proposal.settings, None if proposal.side not in (0, 1) else 1 - proposal.side)
    return proposal


NEXT_GAME: Final = (Start, Rematch)
"""The proposals that ``play`` answers before and after a game."""

_STEPS: Final[dict[type, Callable[[Table, Any], None]]] = {
    ev.SeatsTurned: Table._turned,
    ev.SeatLeft: Table._left,
    ev.Proposed: Table._proposed,
    ev.Declined: Table._declined,
    ev.Said: Table._said,
    ev.GameStarted: Table._started,
    ev.TurnStarted: Table._timed,
    ev.ClockSet: Table._timed,
    ev.MoveMade: Table._moved,
    ev.MovesTakenBack: Table._back,
    ev.GameAdjourned: Table._adjourned,
    ev.GameResumed: Table._resumed,
    ev.GameEnded: Table._ended,
}
