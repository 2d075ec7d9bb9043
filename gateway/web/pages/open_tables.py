"""Lists the tables that wait for players, for the lobby: what would be played there, who waits, how to join.

One row for each game that is proposed at a table: two players there who want different games are two rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from gateway.lobby.table_words import side_word
from gateway.table.state import State, Status, seats_of
from gateway.tables.subscribers import Subscribers
from gateway.web.pages.addresses import join_address
from gateway.web.pages.words import count_words, rule_words, time_words
from protocols.core.model import SeatKind, Settings
from protocols.core.proposals import Start


class Running(Protocol):
    """A running table, as pages read it."""

    @property
    def state(self) -> State: ...

    @property
    def subscribers(self) -> Subscribers: ...


@dataclass(frozen=True, slots=True)
class OpenTable:
    """One row. ``names`` wait there, in words with their ratings ``players``; ``needs`` says what for; ``join`` is the
    address that sits down. ``details`` are the time, whether it is rated, and the needs."""

    table: int
    game: str
    title: str
    rules: str
    time: str
    rated: bool
    names: tuple[str, ...]
    needs: str
    join: str
    players: str
    details: str


def open_tables(tables: Iterable[Running], ratings: Callable[[State], Sequence[str]]) -> Iterator[OpenTable]:
    """The rows, the longest waiting tables first. Private tables are left out. ``ratings`` are by seat."""
    for table in tables:
        state = table.state
        if state.status is Status.OPEN and not state.house.private:
            yield from _rows(state, ratings(state))


def _rows(state: State, ratings: Sequence[str]) -> Iterator[OpenTable]:
    free = len(seats_of(state, SeatKind.OPEN))
    registered = [name for name in state.registered if name]
    if registered:
        if free and len(registered) < len(state.seats):
            yield _row(state, state.settings, registered, registered, f"registered, {count_words(free, 'seat')} free")
        return
    for settings, starts in _wishes(state).items():
        names = [state.seats[seat].name for seat in starts]
        shown = [f"{state.seats[seat].name} {ratings[seat]}".rstrip() for seat in starts]
        yield _row(state, settings, names, shown, _needs(state, settings, starts))


def _wishes(state: State) -> dict[Settings | None, dict[int, Start]]:
    """The wishes of the players who wait, by what would be played; None: any game of this table's."""
    starts = {made.seat: made.proposal for made in state.proposals if isinstance(made.proposal, Start)}
    found: dict[Settings | None, dict[int, Start]] = {}
    for seat in state.seats:
        if seat.kind is SeatKind.PLAYER:
            start = starts.get(seat.index, Start())
            found.setdefault(start.settings, {})[seat.index] = start
    return found


def _needs(state: State, settings: Settings | None, starts: Mapping[int, Start]) -> str:
    """Everything still needed, and everything a newcomer should know."""
    missing = max(1, (settings or state.settings).seats - len(starts))
    sides = [side_word(state, start.side) for start in starts.values() if start.side is not None]
    words = [count_words(missing, "more player")] if missing > 1 else []
    words += [f"plays {side}" for side in sides]
    words += ["asks before the game begins"] if any(start.confirms for start in starts.values()) else []
    return ", ".join(words)


def _row(state: State, settings: Settings | None, names: list[str], shown: list[str], needs: str) -> OpenTable:
    time, rated = time_words(settings.time) if settings else "any time", settings is not None and settings.rated
    details = [f"{time}, rated" if rated else time, needs]
    return OpenTable(
        state.table,
        state.game.name,
        state.game.title,
        " · ".join(rule_words(settings)) if settings else "any rules",
        time,
        rated,
        tuple(names),
        needs,
        join_address(state.game.name, settings, "" if any(state.registered) else names[0]),
        ", ".join(shown),
        " · ".join(words for words in details if words),
    )
