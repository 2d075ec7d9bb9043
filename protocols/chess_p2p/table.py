"""A chess table as the gateway's end of a peer-to-peer connection knows it, folded from what it is told.

Not here: what is said of it. Moves are kept as the wire writes them, positions as the table writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

from protocols.chess_p2p.gui import NORMAL, GuiCopy, side_on_move
from protocols.chess_p2p.messages import Level
from protocols.chess_text import clean, from_move, write_level
from protocols.core import events as ev
from protocols.core.events import Event
from protocols.core.model import Clock, Seat, SeatKind, Settings, TimeControl
from protocols.core.picture import Picture
from protocols.core.proposals import Proposal, Start

RULES: Final = "chess"
"""The game that judges moves, and whose positions are FENs."""


class Status(Enum):
    """What the table does: no game yet, a game, an interrupted game, a finished game."""

    WAITING = "waiting"
    PLAYING = "playing"
    ADJOURNED = "adjourned"
    OVER = "over"


@dataclass(slots=True)
class Table:
    """``seat`` is this connection's, None for who only looks on. ``standing`` is what each seat proposes, by kind."""

    seat: int | None = None
    picture: Picture = field(default_factory=Picture)
    status: Status = Status.WAITING
    moves: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)
    clock: Clock | None = None
    standing: dict[int, dict[str, Proposal]] = field(default_factory=dict)

    def fold(self, event: Event) -> None:
        """Take in what happened."""
        self.picture.fold(event)
        step = _STEPS.get(type(event))
        if step is not None:
            step(self, event)

    @property
    def settings(self) -> Settings | None:
        return self.picture.settings

    @property
    def judged(self) -> bool:
        return self.settings is None or self.settings.game == RULES

    @property
    def variant(self) -> str:
        return NORMAL if self.settings is None else self.settings.variant

    @property
    def time(self) -> TimeControl | None:
        return None if self.settings is None else self.settings.time

    @property
    def position(self) -> str:
        """The FEN of the present position, "" where there is none."""
        return self.positions[-1] if self.positions and self.judged else ""

    @property
    def opponent(self) -> Seat | None:
        """Whoever sits on the other seat, None while nobody does."""
        others = [seat for seat in self.picture.seats if seat.index != self.seat and seat.kind is not SeatKind.OPEN]
        return others[0] if others else None

    @property
    def rival(self) -> str:
        """The opponent's name for a sentence."""
        return clean(self.opponent.name) if self.opponent and self.opponent.name else "your opponent"

    @property
    def deserted(self) -> bool:
        """Whether nobody comes here any more: the game is over, and the other player has gone for good."""
        return self.status is Status.OVER and (self.opponent is None or self.opponent.kind is SeatKind.ABANDONED)

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.picture.turn == self.seat

    @property
    def usual(self) -> bool:
        """Whether the game began, or would begin, at the variant's own position."""
        return self.settings is None or not self.settings.start

    def gui(self) -> GuiCopy:
        """The GUI of somebody who has followed this game from its start."""
        start = self.positions[0] if self.positions and self.judged and not self.usual else ""
        return GuiCopy(self.variant, start, list(self.moves), level_of(self.time))

    def mine(self, kind: str) -> Proposal | None:
        """What this connection's seat proposes."""
        return None if self.seat is None else self.standing.get(self.seat, {}).get(kind)

    def theirs(self) -> list[Proposal]:
        """What the other seat proposes, the newest last."""
        return [made for seat, kinds in self.standing.items() if seat != self.seat for made in kinds.values()]

    def start_offered(self) -> Start | None:
        """The game that the other seat wants to begin."""
        return next((made for made in self.theirs() if isinstance(made, Start)), None)

    def left(self, seat: int | None) -> int | None:
        """Centiseconds on a seat's clock at the last turn's beginning, None where nobody keeps time."""
        if self.clock is None or seat is None or not 0 <= seat < len(self.clock.readings):
            return None
        reading = self.clock.readings[seat]
        return round(100 * (reading.main_s or reading.period_s))

    def leave(self) -> None:
        """This connection goes to another table, where nothing has happened yet as far as it has been told."""
        self._go(Status.WAITING)

    def _opened(self, event: ev.TableOpened) -> None:
        self.status = Status.WAITING

    def _turned(self, event: ev.SeatsTurned) -> None:
        if self.seat is not None and self.picture.seats:
            self.seat = (self.seat + event.by) % len(self.picture.seats)

    def _left(self, event: ev.SeatLeft) -> None:
        if event.kind is not SeatKind.RESERVED:
            self.standing.pop(event.seat, None)

    def _proposed(self, event: ev.Proposed) -> None:
        kinds = self.standing.setdefault(event.seat, {})
        kinds.pop(type(event.proposal).__name__, None)  # the newest is last
        kinds[type(event.proposal).__name__] = event.proposal

    def _agreed(self, event: ev.Agreed) -> None:
        for kinds in self.standing.values():
            kinds.pop(type(event.proposal).__name__, None)

    def _declined(self, event: ev.Declined) -> None:
        """Whoever has made such a proposal withdraws that one; otherwise the other's is void."""
        own = self.standing.get(event.seat, {})
        for kinds in [own] if event.kind in own else self.standing.values():
            kinds.pop(event.kind, None)

    def _began(self, event: ev.GameStarted) -> None:
        self.moves, self.positions, self.clock = [], [event.position], None
        self._go(Status.PLAYING)

    def _set_clock(self, event: ev.TurnStarted | ev.ClockSet) -> None:
        self.clock = event.clock

    def _moved(self, event: ev.MoveMade) -> None:
        self.moves.append(written(event, self.variant))
        self.positions.append(event.position)
        self.standing.clear()

    def _back(self, event: ev.MovesTakenBack) -> None:
        del self.moves[event.ply :], self.positions[event.ply + 1 :]
        self.standing.clear()

    def _adjourned(self, event: ev.GameAdjourned) -> None:
        self._go(Status.ADJOURNED)

    def _resumed(self, event: ev.GameResumed) -> None:
        self._go(Status.PLAYING)

    def _ended(self, event: ev.GameEnded) -> None:
        self._go(Status.OVER)

    def _go(self, status: Status) -> None:
        self.status = status
        self.standing.clear()


def written(event: ev.MoveMade, variant: str) -> str:
    """The move as the wire writes it: coordinates, castling in words where a king may go to its own rook."""
    if variant == "fischerandom" and event.notation.startswith("O-O"):
        return event.notation.rstrip("+#")
    return (from_move(event.move) or clean(event.notation)).replace(" ", "") or "pass"


def level_of(time: TimeControl | None) -> Level:
    """A time control as the wire tells it."""
    mps, tc, inc = write_level(time)
    return Level(mps, float(tc), float(inc))


def meet(mine: Proposal | None, other: Start) -> bool:
    """Whether a game begins with these two proposals, as the table decides it."""
    if not isinstance(mine, Start):
        return False
    settings = {start.settings for start in (mine, other) if start.settings is not None}
    return len(settings) < 2 and (mine.side is None or mine.side != other.side)


def on_move(settings: Settings) -> int:
    """The side on move when a game with these settings begins: 0 White, 1 Black."""
    start, _, moves = settings.start.partition("moves ")
    return (side_on_move(start) + len(moves.split())) % 2


_STEPS: Final[Mapping[type, Callable[[Table, Any], None]]] = {
    ev.TableOpened: Table._opened,
    ev.SeatsTurned: Table._turned,
    ev.SeatLeft: Table._left,
    ev.Proposed: Table._proposed,
    ev.Agreed: Table._agreed,
    ev.Declined: Table._declined,
    ev.GameStarted: Table._began,
    ev.TurnStarted: Table._set_clock,
    ev.ClockSet: Table._set_clock,
    ev.MoveMade: Table._moved,
    ev.MovesTakenBack: Table._back,
    ev.GameAdjourned: Table._adjourned,
    ev.GameResumed: Table._resumed,
    ev.GameEnded: Table._ended,
}
