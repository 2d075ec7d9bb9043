"""Registered tables: what a registration asks for, which seats it gives to whom, and which two players have one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.config import LEVELS
from gateway.games.base import Game
from gateway.lobby.join_options import BOT, HouseBot, house_bot
from gateway.lobby.names import check
from gateway.lobby.spelling import keys
from gateway.table.seating import bot_name
from gateway.table.state import State, Status
from protocols.core.errors import Refused, Why
from protocols.core.model import HouseRules, Seat, SeatKind, Settings

OPEN: Final = "open"
"""The word for an open seat, as BOT is for a house bot's. They are no names of players."""

UNFINISHED: Final = (Status.OPEN, Status.PLAYING, Status.ADJOURNED)


@dataclass(frozen=True, slots=True)
class Registration:
    """A table to be opened: ``seats`` are names, OPEN or BOT, in the order of the game's seats.

    ``house`` None: the server's own rules, but that no house bot takes a seat which is open. A ``private`` table is
    found by ticket only, so its open seats have tickets, too: invitations. ``watched``: others may look on.
    ``observers_speak``: they may speak to the players; None: as the server's rules say. ``offer`` is the number of the
    offer that it comes of (offers.py), which the table gets; 0: of none.
    """

    settings: Settings
    seats: tuple[str, ...]
    house: HouseRules | None = None
    private: bool = False
    watched: bool = False
    observers_speak: bool | None = None
    offer: int = 0


@dataclass(frozen=True, slots=True)
class Registered:
    """The opened table. ``tickets`` are by seat, "" where there is none or where it is not the asker's to have."""

    table: int
    tickets: tuple[str, ...]


def bot_of(registration: Registration, names: Sequence[str]) -> HouseBot | None:
    """The house bot of the table, None where no seat is a bot's: "bot", "bot:3", "bot:stockfish:3".

    Refused (BAD_OPTION): there is no such bot among ``names``, or the seats name several.
    """
    asked = {name for name in registration.seats if is_bot(name)}
    if not asked:
        return None
    if len(asked) > 1:
        raise Refused(Why.BAD_OPTION, f"one house bot takes all the seats of a table, not {', '.join(sorted(asked))}")
    text = asked.pop()
    chosen = text.removeprefix(f"{BOT}:")
    return house_bot(text if chosen == text or chosen in map(str, LEVELS) else chosen, names)


def is_bot(seat: str) -> bool:
    """True if this word is a seat of a house bot."""
    return seat == BOT or seat.startswith(f"{BOT}:")


def seats_for(registration: Registration, game: Game[object], *, bots: bool) -> tuple[Seat, ...]:
    """The seats as they are given out; ``bots`` says whether there are house bots here.

    Refused (BAD_OPTION): as many seats as the game has, names that can be shown, each once, and at least one player.
    """
    settings, asked = registration.settings, registration.seats
    if len(asked) != settings.seats:
        raise Refused(Why.BAD_OPTION, f"{game.title} {settings.variant} has {settings.seats} seats, not {len(asked)}")
    if any(map(is_bot, asked)) and not (bots and game.judged):
        raise Refused(Why.BAD_OPTION, "no house bot can take a seat here")
    if all(map(is_bot, asked)):
        raise Refused(Why.BAD_OPTION, "somebody has to play: not every seat can be a house bot's")
    house = registration.house or HouseRules()
    seats = tuple(_seat(index, name, house) for index, name in enumerate(asked))
    counted = Counter(key for seat in seats if seat.kind is SeatKind.RESERVED for key in keys(seat.name))
    for seat in seats:
        if any(counted[key] > 1 for key in keys(seat.name)):
            raise Refused(Why.BAD_OPTION, f"{seat.name!r} has two seats; give each player a name of their own")
    return seats


def _seat(index: int, name: str, house: HouseRules) -> Seat:
    if name == OPEN:
        return Seat(index, SeatKind.OPEN)
    if is_bot(name):
        return Seat(index, SeatKind.BOT, bot_name(index, house))
    return Seat(index, SeatKind.RESERVED, check(name))


class Pairs:
    """The unfinished tables that two players are registered for; names count as they are spelled."""

    def __init__(self) -> None:
        self._tables: dict[frozenset[str], dict[int, tuple[str, ...]]] = {}

    def report(self, state: State) -> None:
        """A table's seats or status changed."""
        names = state.registered
        if len(names) != 2 or not all(names):
            return
        if state.status in UNFINISHED:
            self._tables.setdefault(frozenset(names), {})[state.table] = names
            return
        tables = self._tables.get(frozenset(names), {})
        tables.pop(state.table, None)
        if not tables:
            self._tables.pop(frozenset(names), None)

    def known(self, table: int, pair: str, seated: Sequence[str]) -> None:
        """An unfinished table of the record, registered for ``pair`` (records.pair_of); by seat who is ``seated``.

        A seat that a house bot has taken was the other one's.
        """
        left = [name for name in pair.split("\n") if name not in seated]
        names = tuple(name if name in pair.split("\n") else left.pop() for name in seated)
        self._tables.setdefault(frozenset(names), {})[table] = names

    def dropped(self, table: int) -> None:
        """A table that is known can never be played."""
        for pair, tables in list(self._tables.items()):
            if tables.pop(table, None) is not None and not tables:
                del self._tables[pair]

    def tables(self, names: Sequence[str]) -> list[int]:
        """The tables where these two have the seats, the oldest first."""
        return sorted(self._tables.get(frozenset(names), ()))

    def find(self, name: str, opponent: str) -> tuple[int, int] | None:
        """(table, seat of ``name``) of the newest table where these two have the seats; None: they have none."""
        tables = self._tables.get(frozenset((name, opponent)))
        if not tables or name == opponent:
            return None
        newest = max(tables)
        return newest, tables[newest].index(name)
