"""A Miniature connection's knowledge of its table, folded from the events: seats, proposals, the position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocols.core import events as ev
from protocols.core.followed import FollowedTable, Status
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Proposal, Rematch, Start, Takeback
from protocols.core.standing import Outrun


class State(Enum):
    """The states of a connection; from OPEN on it is at a table, and the values tell the state of its game."""

    LOBBY = "you have no seat yet"
    ASKED = "you are just being given a seat"
    OPEN = "the game has not begun"
    PLAYING = "a game is being played"
    ADJOURNED = "the game is adjourned"
    OVER = "the game is over"
    WATCHING = "you look on"


@dataclass(slots=True)
class Table(FollowedTable):
    """``observers_speak``: they may speak to the players here."""

    number: int = 0
    observers_speak: bool = False

    @property
    def state(self) -> State:
        return State.WATCHING if self.seat is None else self.stage

    @property
    def stage(self) -> State:
        """The same for a player."""
        return _STAGES[self.status]

    @property
    def chess(self) -> bool:
        """True if positions here are FENs."""
        return self.settings is not None and self.settings.game == "chess"

    @property
    def position(self) -> str:
        """The present position, "" where there is none."""
        return "" if self.last is None else self.last.position

    @property
    def due(self) -> int | None:
        """The seat to move, or that will be when an adjourned game goes on."""
        fields = self.position.split()
        if self.stage is not State.ADJOURNED or not self.chess or len(fields) < 2:
            return self.turn
        return 0 if fields[1] == "w" else 1

    def asked(self, plies: int) -> int:
        """The plies of a takeback as its own seat asked for them, before it moved on."""
        own = (made for made in self.standing if isinstance(made, Outrun) and made.seat == self.seat)
        return next((made.said for made in own if made.proposal == Takeback(plies)), plies)

    def before(self, plies: int) -> str:
        """The position that many moves ago; "" when there were not so many."""
        reached = self.positions
        return reached[-1 - plies].position if 0 <= plies < len(reached) else ""

    def others(self) -> list[str]:
        """The names of the other players here."""
        return [held.name for held in self.seats if held.index != self.seat and held.name]

    def absent(self) -> list[str]:
        """The names of those who have a seat here and are not here."""
        reserved = [held for held in self.seats if held.kind is SeatKind.RESERVED and held.index != self.seat]
        return [held.name for held in reserved]

    def offered(self, *kinds: type[Proposal]) -> ev.Proposed | None:
        """The latest open proposal of another seat, of these kinds or of any."""
        return next((made for made in reversed(self.offers()) if not kinds or isinstance(made.proposal, kinds)), None)

    def mine_completes(self, kind: type[Proposal]) -> bool:
        """True if the connection was the last of all who proposed this, and not the only one."""
        made = [made.seat for made in self.standing if _is(made, kind)]
        return len(made) > 1 and made[-1] == self.seat

    @property
    def manual(self) -> Start | None:
        """The connection's own seek, if it is one that it confirms itself."""
        own = self.mine(Start)
        return own if own is not None and own.confirms else None

    def challenger(self) -> str:
        """The player who takes up the connection's own manual seek; "" without one. House bots take up any."""
        own = self.manual
        if own is None or self.status not in (Status.WAITING, Status.OVER):
            return ""
        seats = [made.seat for made in reversed(self.offers()) if matches(own, made.proposal)]
        seats += [held.index for held in self.seats if held.kind is SeatKind.BOT]
        return self.name(seats[0]) if seats else ""

    def _opened(self, event: ev.TableOpened) -> None:
        self.observers_speak = event.house.observers_speak


def _is(made: ev.Proposed, kind: type[Proposal]) -> bool:
    return type(made.proposal) is kind


def matches(one: Start, other: Proposal) -> bool:
    """True if ``other`` takes up ``one``, as the table will judge it: what one leaves open is the other's to say."""
    if not isinstance(other, Start) or other.confirms:
        return False
    settings = one.settings is None or other.settings is None or _mode(one.settings) == _mode(other.settings)
    return settings and (one.side is None or other.side is None or one.side != other.side)


def clashes(one: Start, other: Proposal) -> bool:
    """True if these are the same game, and both want the same colour."""
    if not isinstance(other, Start) or one.side is None or one.side != other.side:
        return False
    return one.settings is not None and other.settings is not None and _mode(one.settings) == _mode(other.settings)


def _mode(settings: Settings) -> tuple[object, ...]:
    """The settings that a seek names: sizes and seats are filled in by the table."""
    return settings.game, settings.variant, settings.time, settings.start, settings.rated


def answering(proposal: Proposal) -> Proposal:
    """The proposal that agrees to ``proposal``: the same, and of a Start the other side."""
    if isinstance(proposal, Start):
        return Start(proposal.settings, None if proposal.side not in (0, 1) else 1 - proposal.side)
    return proposal


NEXT_GAME: Final = (Start, Rematch)
"""The proposals that ``play`` answers before and after a game."""

_STAGES: Final = {
    Status.WAITING: State.OPEN,
    Status.PLAYING: State.PLAYING,
    Status.SETTLING: State.PLAYING,
    Status.ADJOURNED: State.ADJOURNED,
    Status.OVER: State.OVER,
}

Table.steps = {ev.TableOpened: Table._opened}
