"""Real records for the tests of the command line: tables played through the kernel and stored in a real database."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from queue import SimpleQueue

from click.testing import CliRunner, Result

from gateway import registry
from gateway.cli import main
from gateway.store import codec
from gateway.store.log import SqlLog
from gateway.store.records import Append, SeatRow, TableRow
from gateway.table import state as states
from gateway.table.decide import decide
from gateway.table.state import State
from protocols.core.commands import Command, Join, PlayMove
from protocols.core.events import Event, TableOpened
from protocols.core.model import HouseRules, Move
from tests.running import made_record

AT = 1_770_000_000.25  # 2026-02-02T02:40:00.250000Z
SECRET = bytes(range(32))
JOINS: tuple[tuple[int | None, Command], ...] = (
    (None, Join("", "Alice", ready=True)),
    (None, Join("", "Bob", ready=True)),
)

Asked = Iterable[tuple[int | None, Command]]


def run(*arguments: str | int | Path, data: Path | None = None) -> Result:
    """``boardgate`` with these arguments, and --data where given."""
    where = ["--data", str(data)] if data else []
    return CliRunner().invoke(main, [*map(str, arguments), *where])


def record(data: Path) -> str:
    """The URL of a fresh database where --data would look for it."""
    data.mkdir(exist_ok=True)
    return made_record(data / "boardgate.db")


def moves(*texts: str) -> list[tuple[int | None, Command]]:
    """Two seats joining, then moving in turn."""
    return [*JOINS, *((number % 2, PlayMove(text=text)) for number, text in enumerate(texts))]


def store(url: str, game: str, asked: Asked = (), table: int = 1) -> State:
    """Open a table of ``game``, carry out commands, store all events as one step, and return the state."""
    rules = registry.game(game)
    settings, house = rules.settings(), HouseRules()
    events: list[Event] = [TableOpened(settings, house)]
    state = states.opened(table, rules, settings, house, SECRET)
    for seat, command in asked:
        draft = decide(state, seat, command, now=1.0)
        events += draft.events
        state = draft.state
    rows = codec.rows(codec.GENESIS, table, 0, AT, events)
    row = TableRow(table, 1, state.status.value, game, settings.variant, SECRET, AT)
    _keep(url, Append(table, 1, 0, rows, opened=row, seats=_seats(state)))
    return state


def play_out(url: str, game: str, choose: Callable[[State], Move], table: int = 1) -> State:
    """As ``store``: two players join and play to the end; ``choose`` picks a move for the state's turn."""
    rules = registry.game(game)
    asked: list[tuple[int | None, Command]] = list(JOINS)
    state = states.opened(table, rules, rules.settings(), HouseRules(), SECRET)
    for seat, command in asked:
        state = decide(state, seat, command, now=1.0).state
    while state.turn is not None:
        asked.append((state.turn, PlayMove(choose(state))))
        state = decide(state, *asked[-1], now=1.0).state
    return store(url, game, asked, table)


def _seats(state: State) -> tuple[SeatRow, ...]:
    return tuple(SeatRow(seat.index, int(seat.kind), seat.name) for seat in state.seats)


def _keep(url: str, step: Append) -> None:
    delivered: SimpleQueue[list[Append]] = SimpleQueue()
    log = SqlLog(url, delivered.put)
    log.submit(step)
    log.close()
    stored = delivered.get(timeout=20)
    assert [done.error for done in stored] == [None]
