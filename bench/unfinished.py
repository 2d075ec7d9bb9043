"""Writes a record full of unfinished games, as a server that was killed leaves it, through the store's own statements.

The games are few and scripted, every table is a copy of one of them with its own players, tickets and digests, so that
``boardgate verify`` finds each of them whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import Final, NamedTuple

from bench import scripts
from gateway import registry
from gateway.lobby.claims import ticket_digest
from gateway.store import batch, codec
from gateway.store.engine import writer_engine
from gateway.store.records import Append, EventRow, SeatRow, TableRow, TicketRow
from gateway.table.decide import decide
from gateway.table.state import Status, opened
from protocols.core.commands import Join, PlayMove
from protocols.core.events import Event, SeatTaken, TableOpened, TurnStarted
from protocols.core.model import HouseRules, Move, SeatKind

GAMES: Final = ("checkers", "chess")
SCRIPTS: Final = 2
"""Different games of each name."""

SEATS: Final = 2
SECRET: Final = bytes(32)

GRACE_S: Final = 1.0
"""Seconds that a lost connection keeps its seat: a server that takes the games over soon adjourns them."""

AT_ONCE: Final = 10_000
"""Events in a transaction: it is the number of commits that takes time otherwise."""


class Template(NamedTuple):
    """One game: its events, and what they are as rows where every table has the same."""

    game: str
    variant: str
    events: tuple[Event, ...]
    encoded: tuple[tuple[str, str], ...]


def game(table: int) -> str:
    """The games: the templates alternate as these names do."""
    return GAMES[table % len(GAMES)]


def ticket(table: int, seat: int) -> str:
    """The secret of a seat."""
    return f"ticket-of-seat-{seat}-at-table-{table:08}"


def name(table: int, seat: int) -> str:
    """The names of its players."""
    return f"player-{table}-{'ab'[seat]}"


def build(url: str, tables: int, events: int, progress: Callable[[float], None]) -> int:
    """Fill an empty database of the current schema with ``tables`` games of about ``events`` events; how many events
    there are."""
    templates = [*_templates(events)]
    engine, stored = writer_engine(url), 0
    numbers, each = iter(range(1, tables + 1)), max(1, AT_ONCE // events)
    try:
        with engine.connect() as connection:
            while some := [*islice(numbers, each)]:
                steps = [_step(table, templates[table % len(templates)]) for table in some]
                with connection.begin():
                    batch.write(connection, steps)
                stored += sum(len(step.rows) for step in steps)
                progress(some[-1] / tables)
    finally:
        engine.dispose()
    return stored


def _templates(events: int) -> Iterator[Template]:
    for number in range(SCRIPTS):
        for played in GAMES:
            yield _template(played, scripts.games(played, count=SCRIPTS)[number], events)


def _template(game_name: str, moves: Sequence[Move], length: int) -> Template:
    """A game that was played until its record had that many events; it is as long as its script at most."""
    rules = registry.game(game_name)
    settings, house = rules.settings(), HouseRules(grace_s=GRACE_S)
    state = opened(1, rules, settings, house, SECRET)
    told: list[Event] = [TableOpened(settings, house)]
    for seat in range(SEATS):
        draft = decide(state, None, Join(game_name, name(1, seat)), 0.0)
        told, state = told + draft.events, draft.state
    for move in moves:
        stored = [event for event in told if not isinstance(event, TurnStarted)]
        if len(stored) >= length or state.turn is None:
            break
        draft = decide(state, state.turn, PlayMove(move), 0.0)
        if draft.state.status is not Status.PLAYING:
            break
        told, state = told + draft.events, draft.state
    kept = tuple(event for event in told if not isinstance(event, TurnStarted))
    return Template(game_name, settings.variant, kept, tuple(map(codec.encode, kept)))


def _step(table: int, template: Template) -> Append:
    """A whole game as one step."""
    now = time.time()
    row = TableRow(table, 1, Status.PLAYING.value, template.game, template.variant, SECRET, now)
    seats = tuple(SeatRow(seat, SeatKind.PLAYER, name(table, seat)) for seat in range(SEATS))
    tickets = tuple(TicketRow(ticket_digest(ticket(table, seat)), table, seat) for seat in range(SEATS))
    return Append(table, 1, 0, tuple(_rows(table, template, now)), row, None, seats, tickets)


def _rows(table: int, template: Template, now: float) -> Iterator[EventRow]:
    digest = codec.GENESIS
    for seq, event, (kind, body) in zip(count(1), template.events, template.encoded, strict=False):
        if isinstance(event, SeatTaken):
            kind, body = codec.encode(SeatTaken(event.seat, event.kind, name(table, event.seat), event.at))
        digest = codec.link(digest, table, seq, now, kind, body)
        yield EventRow(seq, now, kind, body, digest)
