"""``boardgate tables``, ``show`` and ``export``: the tables of a record; one as it stands; its events for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import click

from gateway.cli.drawing import Table, plain, say, styled
from gateway.cli.options import with_settings
from gateway.cli.record import NoRecord, found, opened
from gateway.cli.remote import Remote, with_server
from gateway.config import Config
from gateway.record.audit import NONSENSE
from gateway.record.exported import RECORD, written
from gateway.record.shown import agreed, game_tree, players_of, replayed, tree
from gateway.store import codec
from gateway.store.records import EventRow, Unreadable
from gateway.store.schema import STATUSES
from gateway.store.views import SeatView, TableView
from gateway.table.state import State
from gateway.table.writing import moves_of
from protocols.core import time_text
from protocols.core.errors import Refused
from protocols.core.model import SeatKind, Settings

PAGE: Final = 500
"""Tables that a server lists at once."""

STYLES = {"open": "yellow", "playing": "green", "adjourned": "cyan", "over": "bright_black"}


@click.command()
@click.option("--state", type=click.Choice(STATUSES), default=None, help="Only tables in this state.")
@click.option("--game", default="", help="Only tables of this game.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many, the newest.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@with_server
@with_settings
def tables(config: Config, server: str, state: str | None, game: str, limit: int, as_json: bool) -> None:
    """List tables, the newest first.

    Reads the database of the settings, the server may be running; or asks another server what it shows to everybody.

    \b
      boardgate tables --state playing
      boardgate tables --game ludo --json
      boardgate tables --server https://games.example.org
    """
    named = game.lower().replace("-", "_")
    listed = _asked(server, state or "", named, limit) if server else _read(config, state or "", named, limit)
    if as_json:
        click.echo(json.dumps([tree(view) | agreed(view) for view in listed], indent=2))
    elif not listed:
        click.echo("no tables")
    else:
        say(_drawn(listed))


def _read(config: Config, state: str, game: str, limit: int) -> list[TableView]:
    with opened(config) as views:
        return views.tables(state, game, limit)


def _asked(server: str, state: str, game: str, limit: int) -> list[TableView]:
    """Page by page, as the server gives them."""
    remote, listed, before = Remote(server), list[TableView](), ""
    while len(listed) < limit:
        wanted = min(limit - len(listed), PAGE)
        page = remote.get("/api/tables", state=state, game=game, limit=wanted, before=before)
        listed += [_view_of(table) for table in page["tables"]]
        if page["next"] is None:
            break
        before = page["next"]
    return listed


def _view_of(tree: dict[str, Any]) -> TableView:
    """A table as the API shows it, as the record's own views show theirs; sizes of boards are not among it."""
    seats = tuple(SeatView(seat["seat"], SeatKind[seat["kind"].upper()], seat["name"]) for seat in tree["seats"])
    opened_at = datetime.fromisoformat(tree["opened_at"]).timestamp()
    return TableView(
        tree["id"],
        tree["state"],
        tree["game"],
        tree["variant"],
        opened_at,
        tree["events"],
        _settings(tree),
        tree["private"],
        seats,
    )


def _settings(tree: dict[str, Any]) -> Settings | None:
    if tree["time"] is None:
        return None
    options = tuple(sorted(tree["options"].items()))
    time = time_text.read(tree["time"])
    return Settings(tree["game"], tree["variant"], 0, 0, len(tree["seats"]), time, "", tree["rated"], options)


def _rows(remote: Remote, table: int) -> list[EventRow]:
    """The record as far as this asker may see it: what others said to each other has no body there."""
    shown = (json.loads(line) for line in remote.text(f"/api/tables/{table}/export").splitlines())
    return [_row(event) for event in shown if "body" in event]


def _row(tree: dict[str, Any]) -> EventRow:
    at = datetime.fromisoformat(tree["at"]).timestamp()
    return EventRow(tree["seq"], at, tree["kind"], json.dumps(tree["body"]), bytes.fromhex(tree["digest"]))


def _drawn(listed: list[TableView]) -> Table:
    drawn = Table("table", "state", "game", "rules", "time", "seats", "opened (UTC)", "events", right=(0, 7))
    for view in listed:
        opened_at = tree(view)["opened_at"][:16].replace("T", " ")
        state = styled(view.status, STYLES[view.status])
        names = ", ".join(seated(seat) for seat in view.seats)
        drawn.add_row(str(view.table), state, view.game, view.variant, timed(view), names, opened_at, str(view.events))
    return drawn


def timed(view: TableView) -> str:
    """The time control as it is written, and "rated": "300+5 rated"; "" without either."""
    shown = agreed(view)
    words = (shown["time"] if shown["time"] not in (None, "none") else "", "rated" if shown["rated"] else "")
    return " ".join(word for word in words if word)


def seated(seat: SeatView) -> str:
    """The seat's holder in few words."""
    match seat.kind:
        case SeatKind.PLAYER:
            return plain(seat.name)
        case SeatKind.OPEN | SeatKind.NONE:
            return seat.kind.name.lower()
        case _:
            return plain(f"{seat.name} ({seat.kind.name.lower()})" if seat.name else seat.kind.name.lower())


@click.command()
@click.argument("table", type=int)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@with_server
@with_settings
def show(config: Config, server: str, table: int, as_json: bool) -> None:
    """Show one table: its seats, the board as it stands, and the moves of the running or last game."""
    if server:
        remote = Remote(server)
        view, rows = _view_of(remote.get(f"/api/tables/{table}")), _rows(remote, table)
    else:
        with opened(config) as views:
            view, rows = found(views, table), list(views.rows(table))
    state, players = _replayed(view, rows)
    if as_json:
        click.echo(json.dumps(tree(view) | agreed(view) | {"players": players} | game_tree(state), indent=2))
    else:
        say("\n".join(_lines(view, state, players)))


def _replayed(view: TableView, rows: list[EventRow]) -> tuple[State, list[str]]:
    """The table's state now, and the last player of each seat.

    NoRecord when it cannot be replayed.
    """
    try:
        events = [codec.decode(row.kind, row.body) for row in rows]
        state = replayed(view, events)
    except Refused as refused:
        raise NoRecord(f"{refused.text}: boardgate verify {view.table} and export still read it") from refused
    except NONSENSE as error:
        text = f"the record of table {view.table} cannot be replayed: {error}; see boardgate verify {view.table}"
        raise NoRecord(text) from error
    return state, players_of(len(state.seats), events)


def _lines(view: TableView, state: State, players: list[str]) -> Iterator[str]:
    by = ", ".join(filter(None, (view.variant, timed(view))))
    title = styled(f"table {view.table}  {state.game.title} ({by})  ", bold=True)
    yield title + styled(view.status, STYLES[view.status])
    for seat in view.seats:
        turn = "  to move" if state.turn == seat.seat else ""
        left = seat.kind is SeatKind.OPEN and state.outcome is not None and players[seat.seat]
        who = styled(plain(f"{players[seat.seat]} (has left)"), dim=True) if left else seated(seat)
        yield f"  {_side(state, seat.seat):<10} {who}{styled(turn, 'green') if turn else ''}"
    if state.position is not None:
        yield f"\n{state.game.diagram(state.position)}\n"
    moves = [f"{ply}. {notation}" for ply, (_, _, notation) in enumerate(moves_of(state), 1)]
    if moves:
        yield plain("  ".join(moves))
    if state.outcome is not None:
        yield styled(plain(_ended(state)), bold=True)


def _side(state: State, seat: int) -> str:
    sides = state.game.called(state.settings)
    return sides[seat] if seat < len(sides) else f"seat {seat}"


def _ended(state: State) -> str:
    outcome = state.outcome
    assert outcome is not None
    who = "draw" if outcome.winner is None else f"{_side(state, outcome.winner)} wins"
    why = f"{outcome.reason.value}, {outcome.detail}" if outcome.detail else outcome.reason.value
    return f"{who} ({why})"


@click.command()
@click.argument("table", type=int)
@click.option("--format", "form", default=RECORD, show_default=True, metavar="NAME")
@with_server
@with_settings
def export(config: Config, server: str, table: int, form: str) -> None:
    """Write a table's record to standard output.

    ndjson is one JSON object an event, for every game: its number, time, kind, content, and the digest that chains it
    to the event before. Other forms depend on the game, such as pgn for chess: every game that was played at the
    table, one after another.

    \b
      boardgate export 12 > table-12.ndjson
      boardgate export 12 --format pgn > table-12.pgn

    From another server comes what it shows to everybody: without what players said to each other.
    """
    if server:
        click.echo(Remote(server).text(f"/api/tables/{table}/export", format=form), nl=False)
        return
    with opened(config) as views:
        view = found(views, table)
        try:
            for line in written(views.rows(view.table), view, form, config.server.name):
                click.echo(line)
        except Refused as refused:
            raise click.BadParameter(refused.text, param_hint="--format") from None
        except Unreadable as error:
            raise NoRecord(f"{error}; see boardgate verify {table}") from error
