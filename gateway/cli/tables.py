"""``boardgate tables``: the tables of a record, newest first."""

from __future__ import annotations

import json
from typing import Final

import click
from rich import box
from rich.table import Table
from rich.text import Text

from gateway.cli.options import with_settings
from gateway.cli.record import console, opened, plain
from gateway.cli.remote import Remote, view_of, with_server
from gateway.config import Config
from gateway.shown import agreed, tree
from gateway.store.schema import STATUSES
from gateway.store.views import SeatView, TableView
from protocols.core.model import SeatKind

PAGE: Final = 500
"""Tables that a server lists at once."""

STYLES = {"open": "yellow", "playing": "green", "adjourned": "cyan", "over": "dim"}


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
        console().print(_drawn(listed))


def _read(config: Config, state: str, game: str, limit: int) -> list[TableView]:
    with opened(config) as views:
        return views.tables(state, game, limit)


def _asked(server: str, state: str, game: str, limit: int) -> list[TableView]:
    """Page by page, as the server gives them."""
    remote, listed, before = Remote(server), list[TableView](), ""
    while len(listed) < limit:
        wanted = min(limit - len(listed), PAGE)
        page = remote.get("/api/tables", state=state, game=game, limit=wanted, before=before)
        listed += [view_of(table) for table in page["tables"]]
        if page["next"] is None:
            break
        before = page["next"]
    return listed


def _drawn(listed: list[TableView]) -> Table:
    drawn = Table("table", "state", "game", "rules", "time", "seats", "opened (UTC)", "events", box=box.SIMPLE)
    for number in (0, 7):
        drawn.columns[number].justify = "right"
    for view in listed:
        opened_at = tree(view)["opened_at"][:16].replace("T", " ")
        state = Text(view.status, STYLES[view.status])
        names = Text(", ").join(seated(seat) for seat in view.seats)
        drawn.add_row(str(view.table), state, view.game, view.variant, timed(view), names, opened_at, str(view.events))
    return drawn


def timed(view: TableView) -> str:
    """The time control as it is written, and whether the game is rated: "300+5 rated"; "" without either."""
    shown = agreed(view)
    words = (shown["time"] if shown["time"] not in (None, "none") else "", "rated" if shown["rated"] else "")
    return " ".join(word for word in words if word)


def seated(seat: SeatView) -> Text:
    """Who sits there, in few words."""
    match seat.kind:
        case SeatKind.PLAYER:
            return plain(seat.name)
        case SeatKind.OPEN | SeatKind.NONE:
            return Text(seat.kind.name.lower(), "dim")
        case _:
            return plain(f"{seat.name} ({seat.kind.name.lower()})" if seat.name else seat.kind.name.lower())
