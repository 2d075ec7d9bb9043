"""``boardgate tables``: the tables of a record, newest first."""

from __future__ import annotations

import json

import click
from rich import box
from rich.table import Table
from rich.text import Text

from gateway.cli.options import with_settings
from gateway.cli.record import console, opened, plain, tree
from gateway.config import Config
from gateway.store.schema import STATUSES
from gateway.store.views import SeatView, TableView
from protocols.core.model import SeatKind

STYLES = {"open": "yellow", "playing": "green", "adjourned": "cyan", "over": "dim"}


@click.command()
@click.option("--state", type=click.Choice(STATUSES), default=None, help="Only tables in this state.")
@click.option("--game", default="", help="Only tables of this game.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most so many, the newest.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list, for programs.")
@with_settings
def tables(config: Config, state: str | None, game: str, limit: int, as_json: bool) -> None:
    """List tables, the newest first.

    Reads the database of the settings; the server may be running.

    \b
      boardgate tables --state playing
      boardgate tables --game ludo --json
    """
    with opened(config) as views:
        listed = views.tables(state or "", game.lower().replace("-", "_"), limit)
    if as_json:
        click.echo(json.dumps([tree(view) for view in listed], indent=2))
    elif not listed:
        click.echo("no tables")
    else:
        console().print(_drawn(listed))


def _drawn(listed: list[TableView]) -> Table:
    drawn = Table("table", "state", "game", "rules", "seats", "opened (UTC)", "events", box=box.SIMPLE)
    for number in (0, 6):
        drawn.columns[number].justify = "right"
    for view in listed:
        opened_at = tree(view)["opened_at"][:16].replace("T", " ")
        state = Text(view.status, STYLES[view.status])
        names = Text(", ").join(seated(seat) for seat in view.seats)
        drawn.add_row(str(view.table), state, view.game, view.variant, names, opened_at, str(view.events))
    return drawn


def seated(seat: SeatView) -> Text:
    """Who sits there, in few words."""
    match seat.kind:
        case SeatKind.PLAYER:
            return plain(seat.name)
        case SeatKind.OPEN | SeatKind.NONE:
            return Text(seat.kind.name.lower(), "dim")
        case _:
            return plain(f"{seat.name} ({seat.kind.name.lower()})" if seat.name else seat.kind.name.lower())
