"""Runs a lobby with waiting players and tables as the server drives them: see Hall."""

from __future__ import annotations

from dataclasses import replace as replaced

from msgspec.structs import replace

from gateway.lobby.join_options import JoinOptions
from gateway.lobby.lobby import Lobby, news
from gateway.lobby.party import Party
from gateway.table.state import State
from protocols.core.commands import Command, Join, Leave
from protocols.core.model import HouseRules, SeatKind, Settings, TimeControl, TimeKind
from protocols.core.proposals import Start
from tests.table.tables import Conversation

GO = "go"


def settings(size: int, time_s: float = 0.0) -> Settings:
    time = TimeControl(TimeKind.ABSOLUTE, time_s) if time_s else None
    return Settings(GO, "area", size, size, 2, time, options=() if size == 19 else (("size", str(size)),))


def firm(size: int, side: int | None = None, number: int = 1) -> Party:
    """A player that plays this game alone, and can be called."""
    return Party(number, f"firm{number}", Start(settings(size), side), roams=True)


def open_to_all(number: int = 1, awaits: str = "") -> Party:
    """A program that may agree to what others want, and can be called."""
    return Party(number, f"open{number}", firm=False, roams=True, awaits=awaits)


class Hall:
    """A lobby and its tables, as the server drives them; ``called`` are those whom it was to call, in order."""

    def __init__(self) -> None:
        self.lobby = Lobby()
        self.tables: dict[int, Conversation] = {}
        self.seated: dict[tuple[int, int], Party] = {}
        self.called: list[Party] = []

    def comes(self, party: Party, *, size: int = 19, ready: bool = False) -> int:
        """Seat a player; return the table."""
        wanted = JoinOptions(settings(size), HouseRules(), False, not ready)
        room = self.lobby.room(wanted, party)
        number = room.table or len(self.tables) + 1
        if room.table is None:
            self.tables[number] = Conversation(GO, options={"size": str(size)} if size != 19 else None)
        seat = next(seat.index for seat in self.tables[number].state.seats if seat.kind is SeatKind.OPEN)
        self.seated[number, seat] = party
        self.lobby.waiting.sat_down(number, seat, party)
        self._step(number, None, Join(GO, party.name, ready=ready, settings=settings(size) if party.firm else None))
        return number

    def asks(self, party: Party, command: Command) -> None:
        number, seat = next(at for at, sitter in self.seated.items() if sitter is party)
        self._step(number, seat, command)

    def goes(self, party: Party, *, size: int = 19) -> int:
        """Move a called player to its new table, and return the table."""
        at = next(at for at, sitter in self.seated.items() if sitter is party)
        assert self.lobby.waiting.leaves(*at)
        del self.seated[at]
        self._step(*at, Leave())
        again = replaced(party, wants=None if not party.firm else party.wants, called=None, calls=0, refused={})
        again.goes_on(party)
        return self.comes(again, size=size)

    def _step(self, number: int, seat: int | None, command: Command) -> None:
        table = self.tables[number]
        before = self._state(number)
        events = table.ask(seat, command)
        after = self._state(number)
        if news(before, after):
            self.lobby.declined(before, events)
            self.lobby.report(after, before)
            self.called += [self.seated[at] for at in self.lobby.waiting.calls(number)]

    def _state(self, number: int) -> State:
        return replace(self.tables[number].state, table=number)
