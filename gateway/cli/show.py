"""``boardgate show``: one table as it stands, replayed from its record.

Not here: whether the record is what it must be; that is ``verify``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
from rich.console import Group
from rich.text import Text

from gateway.audit import NONSENSE
from gateway.cli.options import with_settings
from gateway.cli.record import NoRecord, console, found, opened, plain
from gateway.cli.remote import Remote, with_server
from gateway.cli.tables import STYLES, seated, timed
from gateway.config import Config
from gateway.shown import agreed, game_tree, moves_of, players_of, replayed, tree
from gateway.store import codec
from gateway.store.records import EventRow
from gateway.store.views import TableView
from gateway.table.state import State
from protocols.core.events import MoveMade
from protocols.core.model import SeatKind


@click.command()
@click.argument("table", type=int)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@with_server
@with_settings
def show(config: Config, server: str, table: int, as_json: bool) -> None:
    """Show one table: its seats, the board as it stands, and the moves of the running or last game."""
    if server:
        remote = Remote(server)
        view, rows = remote.table(table), remote.rows(table)
    else:
        with opened(config) as views:
            view, rows = found(views, table), list(views.rows(table))
    state, moves, players = _replayed(view, rows)
    if as_json:
        click.echo(json.dumps(tree(view) | agreed(view) | {"players": players} | game_tree(state, moves), indent=2))
    else:
        console().print(Group(*_lines(view, state, moves, players)))


def _replayed(view: TableView, rows: list[EventRow]) -> tuple[State, list[MoveMade], list[str]]:
    """The table's state now, the moves that count, without those taken back, and who sat last on each seat.

    NoRecord when it cannot be replayed.
    """
    try:
        events = [codec.decode(row.kind, row.body) for row in rows]
        state = replayed(view, events)
    except NONSENSE as error:
        text = f"the record of table {view.table} cannot be replayed: {error}; see boardgate verify {view.table}"
        raise NoRecord(text) from error
    return state, moves_of(events), players_of(len(state.seats), events)


def _lines(view: TableView, state: State, moves: list[MoveMade], players: list[str]) -> Iterator[Text]:
    by = ", ".join(filter(None, (view.variant, timed(view))))
    title = Text(f"table {view.table}  {state.game.title} ({by})  ", "bold")
    yield title.append(view.status, STYLES[view.status])
    for seat in view.seats:
        turn = "  to move" if state.turn == seat.seat else ""
        left = seat.kind is SeatKind.OPEN and state.outcome is not None and players[seat.seat]
        who = plain(f"{players[seat.seat]} (has left)", "dim") if left else seated(seat)
        yield Text(f"  {_side(state, seat.seat):<10} ").append_text(who).append(turn, "green")
    if state.position is not None:
        yield Text(f"\n{state.game.diagram(state.position)}\n")
    if moves:
        yield plain("  ".join(f"{made.ply}. {made.notation}" for made in moves))
    if state.outcome is not None:
        yield plain(_ended(state), "bold")


def _side(state: State, seat: int) -> str:
    sides = state.game.called(state.settings)
    return sides[seat] if seat < len(sides) else f"seat {seat}"


def _ended(state: State) -> str:
    outcome = state.outcome
    assert outcome is not None
    who = "draw" if outcome.winner is None else f"{_side(state, outcome.winner)} wins"
    why = f"{outcome.reason.value}, {outcome.detail}" if outcome.detail else outcome.reason.value
    return f"{who} ({why})"
