"""A chess table as the gateway's end of a peer-to-peer connection knows it, folded from what it is told.

Moves are kept as the wire writes them. Positions are read off the events that led to them, when they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from protocols.chess_p2p.gui import NORMAL, GuiCopy, side_on_move
from protocols.chess_p2p.messages import Level
from protocols.chess_words.text import from_move, write_level
from protocols.core import events as ev
from protocols.core.followed import FollowedTable, Status
from protocols.core.line_text import clean
from protocols.core.model import Seat, SeatKind, Settings, TimeControl
from protocols.core.proposals import Proposal, Start

RULES: Final = "chess"
"""The game that judges moves, and whose positions are FENs."""

OPEN: Final = "open"
"""The game without rules, for variants that the other one does not have."""

JUDGED: Final = frozenset(
    (
        *("normal", "fischerandom", "crazyhouse", "atomic", "3check", "suicide", "giveaway", "kingofthehill"),
        *("racingkings", "horde"),
    )
)
OTHERS: Final = frozenset(
    (
        *("any", "asean", "berolina", "capablanca", "caparandom", "chu", "courier", "cylinder", "falcon", "gothic"),
        *("grand", "great", "janus", "knightmate", "kriegspiel", "lion", "losers", "makruk", "nocastle", "seirawan"),
        *("shatranj", "shogi", "spartan", "super", "twokings", "wildcastle", "xiangqi"),
    )
)
"""The variants that are played with rules here, and without. Source: the variants of XBoard 4.9."""


def game_of(variant: str) -> str | None:
    """The game whose table plays this variant; None for a name that no table knows."""
    if variant in JUDGED:
        return RULES
    return OPEN if variant in OTHERS else None


@dataclass(slots=True)
class Table(FollowedTable):
    """``played`` are this game's moves as the wire writes them."""

    played: list[str] = field(default_factory=list)

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
        return self.last.position if self.last is not None and self.judged else ""

    @property
    def opponent(self) -> Seat | None:
        """The opponent's seat, None while it is empty."""
        others = [seat for seat in self.seats if seat.index != self.seat and seat.kind is not SeatKind.OPEN]
        return others[0] if others else None

    @property
    def rival(self) -> str:
        """The opponent's name for a sentence."""
        return clean(self.opponent.name) if self.opponent and self.opponent.name else "your opponent"

    @property
    def deserted(self) -> bool:
        """True if no player comes here any more: the game is over, and the other player has gone for good."""
        return self.status is Status.OVER and (self.opponent is None or self.opponent.kind is SeatKind.ABANDONED)

    @property
    def usual(self) -> bool:
        """True if the game began, or would begin, at the variant's own position."""
        return self.settings is None or not self.settings.start

    def gui(self) -> GuiCopy:
        """A GUI that has followed this game from its start."""
        settings = self.settings
        if settings is None:
            return GuiCopy(level=level_of(None))
        start = self.first.position if settings.start and self.first is not None and self.judged else ""
        return GuiCopy(settings.variant, start, self.played.copy(), level_of(settings.time))

    def left(self, seat: int | None) -> int | None:
        """Centiseconds on a seat's clock at the last turn's beginning, None without a clock."""
        if self.clock is None or seat is None or not 0 <= seat < len(self.clock.readings):
            return None
        reading = self.clock.readings[seat]
        return round(100 * (reading.main_s or reading.period_s))

    def leave(self) -> None:
        """This connection goes to another table, where nothing has happened yet as far as it has been told."""
        self.status, self.standing = Status.WAITING, ()

    def _began(self, event: ev.GameStarted) -> None:
        self.played = []

    def _moved(self, event: ev.MoveMade) -> None:
        self.played.append(written(event, self.variant))

    def _back(self, event: ev.MovesTakenBack) -> None:
        del self.played[event.ply :]


def written(event: ev.MoveMade, variant: str) -> str:
    """The move as the wire writes it: coordinates, castling in words where a king may go to its own rook."""
    if variant == "fischerandom" and event.notation.startswith("O-O"):
        return event.notation.rstrip("+#")
    return (from_move(event.move) or clean(event.notation)).replace(" ", "") or "pass"


@lru_cache(256)
def level_of(time: TimeControl | None) -> Level:
    """A time control as the wire tells it."""
    mps, tc, inc = write_level(time)
    return Level(mps, float(tc), float(inc))


def meet(mine: Proposal | None, other: Start) -> bool:
    """True if a game begins with these two proposals, as the table decides it."""
    if not isinstance(mine, Start) or mine.confirms or other.confirms:
        return False
    settings = {start.settings for start in (mine, other) if start.settings is not None}
    return len(settings) < 2 and (mine.side is None or mine.side != other.side)


def on_move(settings: Settings) -> int:
    """The side on move when a game with these settings begins: 0 White, 1 Black."""
    start, _, moves = settings.start.partition("moves ")
    return (side_on_move(start) + len(moves.split())) % 2


Table.steps = {
    ev.GameStarted: Table._began,
    ev.MoveMade: Table._moved,
    ev.MovesTakenBack: Table._back,
}
